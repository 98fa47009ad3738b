// Typed access to one table of a spec, with a finding for each thing that is wrong in it. The only users of toml++.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/problem.h"
#include "ir/finding.h"

namespace ptxeq::check {

Location place_of(const toml::node& node);

// Mistakes of one file, in the order found.
struct Mistakes {
  std::string file;
  std::vector<Finding> findings;
  void add(std::string code, Location at, std::string message);
};

class Fields {
 public:
  // `title` is the table as messages call it ("[buffer.x]"); keys outside `keys` are mistakes.
  Fields(const toml::table& table, std::string title, const std::vector<std::string_view>& keys, Mistakes& mistakes);

  const toml::node* find(std::string_view key) const { return table_.get(key); }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  Location place() const { return place_of(table_); }

  // Nothing when the key is absent, or wrong (then it has been reported).
  std::optional<std::string> text(std::string_view key) const;
  std::optional<std::string> choice(std::string_view key, const std::vector<std::string_view>& allowed) const;
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t low, std::int64_t high) const;
  std::optional<std::vector<std::int64_t>> integers(std::string_view key, std::int64_t low, std::int64_t high) const;
  std::optional<std::vector<std::string>> choices(std::string_view key,
                                                  const std::vector<std::string_view>& allowed) const;
  // A pair [low, high] of numbers.
  std::optional<std::array<std::int64_t, 2>> integer_range(std::string_view key,
                                                           std::array<std::int64_t, 2> limits) const;
  std::optional<std::array<double, 2>> float_range(std::string_view key) const;
  const toml::table* table(std::string_view key) const;

  // "[buffer.x] count = "n": " + message, at the key's value.
  void wrong(std::string_view key, const std::string& message, std::string code = "syntax") const;
  void missing(std::string_view key, const std::string& allowed) const;

 private:
  template <class Number>
  bool ordered(const std::array<Number, 2>& range, std::string_view key) const;

  const toml::table& table_;
  std::string title_;
  Mistakes& mistakes_;
};

}  // namespace ptxeq::check
