// What a name stands for, in nested scopes (PTX ISA 5.4.1 and 7.1: each { } opens one).
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grammar/diagnostics.h"
#include "ir/module.h"

namespace ptxeq::grammar {

struct Entity {
  enum class Kind : std::uint8_t { declared, reg, variable, module_variable, param, function, label } kind{};
  std::uint32_t index = 0;  // into the IR's list; `declared` (a register without use so far): into Scopes::declarations
};

// Registers get an IR index at their first use, so that `.reg .b32 %r<100000>;` costs nothing.
struct RegisterDeclaration {
  ir::Type type = ir::Type::none;
  std::uint8_t vector = 1;
  std::uint64_t count = 0;  // of %r<count>; 0: a single register
  Location at;
};

// Names are views into the text that is read.
class Scopes {
 public:
  Scopes() : scopes_(1) {}

  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }
  std::size_t depth() const { return scopes_.size(); }  // 1: the module

  // Declares in the innermost scope; false when the name is taken there.
  bool declare(std::string_view name, Entity entity);
  bool declare_register(std::string_view name, const RegisterDeclaration& declaration);
  // The registers prefix0 .. prefix<count - 1>; the name that is taken, if one is.
  std::optional<std::string> declare_range(std::string_view prefix, const RegisterDeclaration& declaration);

  // From the innermost scope outwards; the entity may be changed in place.
  Entity* find(std::string_view name);
  Entity* find_here(std::string_view name);
  // Each name of the innermost scope that was declared or used.
  template <class F>
  void each_here(F f) const {
    for (const auto& [name, entity] : scopes_.back().names) f(name, entity);
  }
  const RegisterDeclaration& declaration(std::uint32_t index) const { return declarations_[index]; }
  // Where the module itself declares this name.
  bool in_module(std::string_view name) const { return scopes_[0].names.contains(name); }

  // Why `name` is unknown: the nearest known name, or the range that stops short of it.
  std::string hint(std::string_view name) const;

 private:
  struct Scope {
    std::unordered_map<std::string_view, Entity> names;
    std::unordered_map<std::string_view, std::uint32_t> ranges;  // prefix -> declaration
    std::unordered_set<std::string_view> stems;                  // names without the digits that end them
  };
  Entity* find_in(Scope& scope, std::string_view name);

  std::deque<Scope> scopes_;
  std::vector<RegisterDeclaration> declarations_;
};

}  // namespace ptxeq::grammar
