#include "checker/expression.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <limits>

namespace ptxeq::check {
namespace {

using Kind = ExpressionNode::Kind;
using Number = std::optional<std::int64_t>;

// Recursive descent, one function a precedence level; the first error ends it. Each gives its node's index.
class Parser {
 public:
  Parser(std::string_view text, const ScalarIndex& index) : text_(text), index_(index) {}

  ParsedExpression parse() {
    if (text_.size() > longest) return {{}, fmt::format("longer than {} characters", longest)};
    sum();
    if (peek() != 0) fail(fmt::format("unexpected '{}'", peek()));
    if (!result_.error.empty()) result_.expression.nodes.clear();
    return std::move(result_);
  }

 private:
  static constexpr int deepest = 64;
  static constexpr std::size_t longest = 1000;

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::uint32_t fail(std::string message) {
    if (result_.error.empty()) result_.error = fmt::format("{} at character {} of \"{}\"", message, at_ + 1, text_);
    at_ = text_.size();
    return 0;
  }

  std::uint32_t add(const ExpressionNode& node) {
    auto& nodes = result_.expression.nodes;
    nodes.push_back(node);
    return std::uint32_t(nodes.size() - 1);
  }

  std::uint32_t number(std::int64_t value) { return add({Kind::number, value, 0, 0, 0}); }
  std::uint32_t binary(Kind kind, std::uint32_t left, std::uint32_t right) { return add({kind, 0, 0, left, right}); }

  std::uint32_t sum() {
    auto left = product();
    for (char op = peek(); op == '+' || op == '-'; op = peek()) {
      ++at_;
      left = binary(op == '+' ? Kind::add : Kind::sub, left, product());
    }
    return left;
  }

  std::uint32_t product() {
    auto left = factor();
    for (char op = peek(); op == '*' || op == '/'; op = peek()) {
      ++at_;
      left = binary(op == '*' ? Kind::mul : Kind::div, left, factor());
    }
    return left;
  }

  std::uint32_t factor() {
    if (++depth_ > deepest) return fail("nested too deeply");
    const auto node = operand();
    --depth_;
    return node;
  }

  std::uint32_t operand() {
    const char c = peek();
    if (c == '-') {
      ++at_;
      const auto zero = number(0);
      return binary(Kind::sub, zero, factor());
    }
    if (c == '(') {
      ++at_;
      const auto node = sum();
      if (peek() != ')') return fail("missing ')'");
      ++at_;
      return node;
    }
    if (std::isdigit(static_cast<unsigned char>(c))) return digits();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return scalar();
    return fail(c == 0 ? "a number or a scalar's name is missing" : fmt::format("unexpected '{}'", c));
  }

  std::uint32_t digits() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) return fail("the number leaves 64 bits");
    at_ = std::size_t(end - text_.data());
    return number(value);
  }

  std::uint32_t scalar() {
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_')) ++end;
    const auto name = text_.substr(at_, end - at_);
    const auto found = index_(name);
    if (!found) return fail(fmt::format("no scalar is named '{}'", name));
    at_ = end;
    return add({Kind::scalar, 0, *found, 0, 0});
  }

  std::string_view text_;
  const ScalarIndex& index_;
  std::size_t at_ = 0;
  int depth_ = 0;
  ParsedExpression result_;
};

Number apply(Kind kind, std::int64_t a, std::int64_t b) {
  std::int64_t value = 0;
  if (kind == Kind::div) {
    if (b == 0 || (a == std::numeric_limits<std::int64_t>::min() && b == -1)) return std::nullopt;
    return a / b;
  }
  const bool overflow = kind == Kind::add   ? __builtin_add_overflow(a, b, &value)
                        : kind == Kind::sub ? __builtin_sub_overflow(a, b, &value)
                                            : __builtin_mul_overflow(a, b, &value);
  return overflow ? std::nullopt : Number(value);
}

bool is_binary(Kind kind) { return kind != Kind::number && kind != Kind::scalar; }

// Of every node.
std::vector<Number> values(const Expression& expression, const ScalarValue& value) {
  std::vector<Number> values;
  for (const auto& node : expression.nodes) {
    if (node.kind == Kind::number)
      values.emplace_back(node.number);
    else if (node.kind == Kind::scalar)
      values.push_back(value ? value(node.scalar) : std::nullopt);
    else if (const auto left = values[node.left], right = values[node.right]; left && right)
      values.push_back(apply(node.kind, *left, *right));
    else
      values.push_back(std::nullopt);
  }
  return values;
}

}  // namespace

ParsedExpression parse_expression(std::string_view text, const ScalarIndex& index) {
  return Parser(text, index).parse();
}

Expression constant_expression(std::int64_t number) { return {{{Kind::number, number, 0, 0, 0}}}; }

std::optional<std::int64_t> evaluate(const Expression& expression, const ScalarValue& value) {
  return expression.nodes.empty() ? std::nullopt : values(expression, value).back();
}

bool never_has_value(const Expression& expression) {
  const auto known = values(expression, {});
  for (std::size_t i = 0; i < expression.nodes.size(); ++i) {
    const auto& node = expression.nodes[i];
    if (!is_binary(node.kind)) continue;
    if (known[node.left] && known[node.right] && !known[i]) return true;
    if (node.kind == Kind::div && known[node.right] == 0) return true;
  }
  return false;
}

std::string to_text(const Expression& expression, const ScalarName& name) {
  struct Part {
    std::string text;
    int level;  // of its operator: 0 sum, 1 product, 2 none
  };
  std::vector<Part> parts;
  const auto wrapped = [](const Part& part, bool wrap) { return wrap ? "(" + part.text + ")" : part.text; };
  for (const auto& node : expression.nodes) {
    if (!is_binary(node.kind)) {
      parts.push_back({node.kind == Kind::number ? fmt::format("{}", node.number) : name(node.scalar), 2});
      continue;
    }
    const int level = node.kind == Kind::mul || node.kind == Kind::div;
    const auto &left = parts[node.left], &right = parts[node.right];
    const char op = "+-*/"[int(node.kind) - int(Kind::add)];
    parts.push_back(
        {fmt::format("{} {} {}", wrapped(left, left.level < level), op, wrapped(right, right.level <= level)), level});
  }
  return parts.empty() ? "" : parts.back().text;
}

}  // namespace ptxeq::check
