#include "checker/expression.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <limits>

namespace ptxeq::check {
namespace {

// Recursive descent, one function a precedence level; the first error ends it.
class Parser {
 public:
  Parser(std::string_view text, const Lookup& lookup) : text_(text), lookup_(lookup) {}

  ExpressionResult parse() {
    const auto value = sum();
    if (result_.error.empty() && peek() != 0) fail(fmt::format("unexpected '{}'", peek()));
    if (result_.error.empty() && result_.symbol.empty()) result_.value = value;
    return std::move(result_);
  }

 private:
  static constexpr int deepest = 64;

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::int64_t fail(std::string message) {
    if (result_.error.empty()) result_.error = fmt::format("{} at character {} of \"{}\"", message, at_ + 1, text_);
    at_ = text_.size();
    return 0;
  }

  std::int64_t apply(char op, std::int64_t a, std::int64_t b) {
    if (!result_.symbol.empty()) return 1;  // no number to work with; any that cannot fail
    std::int64_t value = 0;
    bool overflow = false;
    if (op == '/') {
      if (b == 0) return fail("division by zero");
      overflow = a == std::numeric_limits<std::int64_t>::min() && b == -1;
      if (!overflow) value = a / b;
    } else {
      overflow = op == '+'   ? __builtin_add_overflow(a, b, &value)
                 : op == '-' ? __builtin_sub_overflow(a, b, &value)
                             : __builtin_mul_overflow(a, b, &value);
    }
    return overflow ? fail("the value leaves 64 bits") : value;
  }

  std::int64_t sum() {
    auto value = product();
    for (char op = peek(); op == '+' || op == '-'; op = peek()) {
      ++at_;
      value = apply(op, value, product());
    }
    return value;
  }

  std::int64_t product() {
    auto value = factor();
    for (char op = peek(); op == '*' || op == '/'; op = peek()) {
      ++at_;
      value = apply(op, value, factor());
    }
    return value;
  }

  std::int64_t factor() {
    if (++depth_ > deepest) return fail("nested too deeply");
    const auto value = operand();
    --depth_;
    return value;
  }

  std::int64_t operand() {
    const char c = peek();
    if (c == '-') {
      ++at_;
      return apply('-', 0, factor());
    }
    if (c == '(') {
      ++at_;
      const auto value = sum();
      if (peek() != ')') return fail("missing ')'");
      ++at_;
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(c))) return number();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return scalar();
    return fail(c == 0 ? "a number or a scalar's name is missing" : fmt::format("unexpected '{}'", c));
  }

  std::int64_t number() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) return fail("the number leaves 64 bits");
    at_ = std::size_t(end - text_.data());
    return value;
  }

  std::int64_t scalar() {
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_')) ++end;
    const auto name = text_.substr(at_, end - at_);
    const auto found = lookup_(name);
    if (!found) return fail(fmt::format("no scalar is named '{}'", name));
    at_ = end;
    if (!*found && result_.symbol.empty()) result_.symbol = name;
    return found->value_or(1);
  }

  std::string_view text_;
  const Lookup& lookup_;
  std::size_t at_ = 0;
  int depth_ = 0;
  ExpressionResult result_;
};

}  // namespace

ExpressionResult evaluate(std::string_view text, const Lookup& lookup) { return Parser(text, lookup).parse(); }

}  // namespace ptxeq::check
