// Expressions of a spec: + - * /, parentheses, integers and names of scalars ("(n+3)/4").
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxeq::check {

struct ExpressionNode {
  enum class Kind : std::uint8_t { number, scalar, add, sub, mul, div } kind = Kind::number;
  std::int64_t number = 0;            // of a number
  std::uint32_t scalar = 0;           // of a scalar: into Problem::scalars
  std::uint32_t left = 0, right = 0;  // of the others: earlier nodes
  bool operator==(const ExpressionNode&) const = default;
};

struct Expression {
  std::vector<ExpressionNode> nodes;  // in post order, the root last
  bool operator==(const Expression&) const = default;
};

struct ParsedExpression {
  Expression expression;
  std::string error;  // malformed or an unknown name; then there is no expression
};

using ScalarIndex = std::function<std::optional<std::uint32_t>(std::string_view name)>;
using ScalarValue = std::function<std::optional<std::int64_t>(std::uint32_t scalar)>;  // nothing: unknown
using ScalarName = std::function<std::string(std::uint32_t scalar)>;

ParsedExpression parse_expression(std::string_view text, const ScalarIndex& index);
Expression constant_expression(std::int64_t number);

// Exact in 64 bits, and division truncates; nothing where a scalar without value is needed (all are, when there is no
// `value`), a division is by zero or a step leaves 64 bits.
std::optional<std::int64_t> evaluate(const Expression& expression, const ScalarValue& value = {});
// A step divides by zero or leaves 64 bits whatever the scalars are.
bool never_has_value(const Expression& expression);
// As it would stand in a spec.
std::string to_text(const Expression& expression, const ScalarName& name);

}  // namespace ptxeq::check
