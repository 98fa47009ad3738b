#include "checker/spec_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "checker/spec.h"

namespace ptxeq::check {
namespace {

// A value as the file has it, cut to what fits a message.
std::string shown(const toml::node& node) {
  std::ostringstream out;
  node.visit([&](const auto& value) { out << value; });
  std::string text = out.str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.size() > 40 ? text.substr(0, 37) + "..." : text;
}

// Two numbers; an integer is a float as well, never the reverse.
template <class Number>
std::optional<std::array<Number, 2>> pair_of(const toml::node& node) {
  const auto* array = node.as_array();
  if (!array || array->size() != 2) return std::nullopt;
  std::array<Number, 2> pair{};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& item = (*array)[i];
    if (!(std::is_integral_v<Number> ? item.is_integer() : item.is_number())) return std::nullopt;
    pair[i] = item.value_or(Number());
  }
  return pair;
}

}  // namespace

Location place_of(const toml::node& node) {
  const auto& begin = node.source().begin;
  return {std::uint32_t(begin.line), std::uint32_t(begin.column)};
}

void Mistakes::add(std::string code, Location at, std::string message) {
  Finding finding;
  finding.code = std::move(code);
  finding.side = Side::spec;
  finding.message = std::move(message);
  finding.file = file;
  finding.at = at;
  findings.push_back(std::move(finding));
}

Fields::Fields(const toml::table& table, std::string title, const std::vector<std::string_view>& keys,
               Mistakes& mistakes)
    : table_(table), title_(std::move(title)), mistakes_(mistakes) {
  for (const auto& [key, value] : table_) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    const auto& begin = key.source().begin;
    const std::string hint = did_you_mean(key.str(), keys);
    mistakes_.add("unknown-symbol", {std::uint32_t(begin.line), std::uint32_t(begin.column)},
                  fmt::format("{} has no key '{}'{}", title_, key.str(),
                              hint.empty() ? fmt::format("; it may have {}", one_of(keys)) : hint));
  }
}

void Fields::wrong(std::string_view key, const std::string& message, std::string code) const {
  const auto* node = find(key);
  mistakes_.add(std::move(code), node ? place_of(*node) : place(),
                node ? fmt::format("{} {} = {}: {}", title_, key, shown(*node), message)
                     : fmt::format("{} {}: {}", title_, key, message));
}

void Fields::missing(std::string_view key, const std::string& allowed) const {
  mistakes_.add("syntax", place(), fmt::format("{} needs a key '{}': {}", title_, key, allowed));
}

std::optional<std::string> Fields::text(std::string_view key) const {
  const auto* node = find(key);
  if (!node) return std::nullopt;
  if (const auto value = node->value_exact<std::string>()) return value;
  wrong(key, "must be a string");
  return std::nullopt;
}

std::optional<std::string> Fields::choice(std::string_view key, const std::vector<std::string_view>& allowed) const {
  const auto* node = find(key);
  if (!node) return std::nullopt;
  const auto value = node->value_exact<std::string>();
  if (value && std::find(allowed.begin(), allowed.end(), *value) != allowed.end()) return value;
  wrong(key, "must be " + one_of(allowed) + (value ? did_you_mean(*value, allowed) : ""));
  return std::nullopt;
}

std::optional<std::int64_t> Fields::integer(std::string_view key, std::int64_t low, std::int64_t high) const {
  const auto* node = find(key);
  if (!node) return std::nullopt;
  const auto value = node->value_exact<std::int64_t>();
  if (value && *value >= low && *value <= high) return value;
  wrong(key, fmt::format("must be an integer from {} to {}", low, high));
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> Fields::integers(std::string_view key, std::int64_t low,
                                                          std::int64_t high) const {
  const auto* node = find(key);
  if (!node) return std::nullopt;
  std::vector<std::int64_t> values;
  const auto* array = node->as_array();
  bool good = array != nullptr;
  for (std::size_t i = 0; good && i < array->size(); ++i) {
    const auto value = (*array)[i].value_exact<std::int64_t>();
    good = value && *value >= low && *value <= high;
    if (good) values.push_back(*value);
  }
  if (good) return values;
  wrong(key, fmt::format("must be a list of integers from {} to {}", low, high));
  return std::nullopt;
}

std::optional<std::vector<std::string>> Fields::choices(std::string_view key,
                                                        const std::vector<std::string_view>& allowed) const {
  const auto* node = find(key);
  if (!node) return std::nullopt;
  std::vector<std::string> values;
  const auto* array = node->as_array();
  bool good = array != nullptr;
  for (std::size_t i = 0; good && i < array->size(); ++i) {
    const auto value = (*array)[i].value_exact<std::string>();
    good = value && std::find(allowed.begin(), allowed.end(), *value) != allowed.end();
    if (good) values.push_back(*value);
  }
  if (good) return values;
  wrong(key, "must be a list of " + one_of(allowed));
  return std::nullopt;
}

std::optional<std::array<std::int64_t, 2>> Fields::integer_range(std::string_view key,
                                                                 std::array<std::int64_t, 2> limits) const {
  const auto range = pair_of<std::int64_t>(*find(key));
  if (!range || (*range)[0] < limits[0] || (*range)[1] > limits[1]) {
    wrong(key, fmt::format("must be two integers [lowest, highest] from {} to {}", limits[0], limits[1]));
    return std::nullopt;
  }
  return ordered(*range, key) ? range : std::nullopt;
}

std::optional<std::array<double, 2>> Fields::float_range(std::string_view key) const {
  const auto range = pair_of<double>(*find(key));
  if (!range || std::isnan((*range)[0]) || std::isnan((*range)[1])) {
    wrong(key, "must be two numbers [lowest, highest], or \"finite\"");
    return std::nullopt;
  }
  return ordered(*range, key) ? range : std::nullopt;
}

template <class Number>
bool Fields::ordered(const std::array<Number, 2>& range, std::string_view key) const {
  if (range[0] <= range[1]) return true;
  wrong(key, fmt::format("no value is at least {} and at most {}", range[0], range[1]));
  return false;
}

const toml::table* Fields::table(std::string_view key) const {
  const auto* node = find(key);
  if (!node) return nullptr;
  if (const auto* found = node->as_table()) return found;
  wrong(key, "must be a table");
  return nullptr;
}

}  // namespace ptxeq::check
