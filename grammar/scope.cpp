#include "grammar/scope.h"

#include <charconv>

namespace ptxeq::grammar {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view stem(std::string_view name) {
  while (!name.empty() && is_digit(name.back())) name.remove_suffix(1);
  return name;
}

// Calls `f(prefix, number)` for each way to read `name` as a member of a range, until f returns true.
template <class F>
bool each_split(std::string_view name, F f) {
  const std::size_t digits = name.size() - stem(name).size();
  for (std::size_t n = digits; n > 0; --n) {
    const std::string_view suffix = name.substr(name.size() - n);
    if (suffix.size() > 1 && suffix[0] == '0') continue;
    std::uint64_t number = 0;
    if (std::from_chars(suffix.data(), suffix.data() + suffix.size(), number).ec != std::errc()) continue;
    if (f(name.substr(0, name.size() - n), number)) return true;
  }
  return false;
}

}  // namespace

bool Scopes::declare(std::string_view name, Entity entity) {
  Scope& scope = scopes_.back();
  if (find_in(scope, name)) return false;
  scope.names.emplace(name, entity);
  scope.stems.insert(stem(name));
  return true;
}

bool Scopes::declare_register(std::string_view name, const RegisterDeclaration& declaration) {
  const auto index = std::uint32_t(declarations_.size());
  if (!declare(name, {Entity::Kind::declared, index})) return false;
  declarations_.push_back(declaration);
  return true;
}

std::optional<std::string> Scopes::declare_range(std::string_view prefix, const RegisterDeclaration& declaration) {
  Scope& scope = scopes_.back();
  if (scope.ranges.contains(prefix)) return std::string(prefix) + "0";
  if (scope.stems.contains(stem(prefix)))
    for (const auto& [name, entity] : scope.names) {
      const bool member = each_split(name, [&, &taken = declaration](std::string_view p, std::uint64_t number) {
        return p == prefix && number < taken.count;
      });
      if (member) return std::string(name);
    }
  scope.ranges.emplace(prefix, std::uint32_t(declarations_.size()));
  declarations_.push_back(declaration);
  return std::nullopt;
}

Entity* Scopes::find_in(Scope& scope, std::string_view name) {
  if (const auto at = scope.names.find(name); at != scope.names.end()) return &at->second;
  if (scope.ranges.empty() || name.empty() || !is_digit(name.back())) return nullptr;
  Entity* found = nullptr;
  each_split(name, [&](std::string_view prefix, std::uint64_t number) {
    const auto range = scope.ranges.find(prefix);
    if (range == scope.ranges.end() || number >= declarations_[range->second].count) return false;
    found = &scope.names.emplace(name, Entity{Entity::Kind::declared, range->second}).first->second;
    return true;
  });
  return found;
}

Entity* Scopes::find(std::string_view name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (Entity* entity = find_in(*scope, name)) return entity;
  return nullptr;
}

Entity* Scopes::find_here(std::string_view name) { return find_in(scopes_.back(), name); }

std::string Scopes::hint(std::string_view name) const {
  std::string beyond;
  Nearest nearest(name);
  for (const Scope& scope : scopes_) {
    each_split(name, [&](std::string_view prefix, std::uint64_t) {
      const auto range = scope.ranges.find(prefix);
      if (range == scope.ranges.end()) return false;
      const std::string p(prefix), count = std::to_string(declarations_[range->second].count);
      beyond = "; '.reg' has " + p + "<" + count + "> only";
      return true;
    });
    for (const auto& [known, entity] : scope.names) nearest.offer(known);
  }
  return beyond.empty() ? nearest.hint() : beyond;
}

}  // namespace ptxeq::grammar
