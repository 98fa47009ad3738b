// Expressions of a spec: + - * /, parentheses, integers and names of scalars ("(n+3)/4").
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ptxeq::check {

// What a name stands for: nothing when there is no such name, an empty inner value for a symbol.
using Lookup = std::function<std::optional<std::optional<std::int64_t>>(std::string_view name)>;

struct ExpressionResult {
  std::optional<std::int64_t> value;
  std::string symbol;  // a symbol that the value depends on; then there is no value
  std::string error;   // malformed, an unknown name, division by zero, overflow
};

// Division truncates; every step is exact in 64 bits or an error.
ExpressionResult evaluate(std::string_view text, const Lookup& lookup);

}  // namespace ptxeq::check
