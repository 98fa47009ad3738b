#include "grammar/constant.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "grammar/tree.h"

namespace ptxeq::grammar {

namespace {

using i64 = std::int64_t;
using u64 = std::uint64_t;
using Kind = Value::Kind;
using P = PtxParser;

constexpr unsigned deepest = 400;  // levels of an expression; the prescan bounds most of it
constexpr i64 warp_size = 32;

double as_double(const Value& v) {
  if (v.kind == Kind::f64) return std::bit_cast<double>(v.bits);
  return v.is_unsigned ? double(u64(v.bits)) : double(v.bits);
}

class Evaluator {
 public:
  Evaluator(std::string_view chunk, Diagnostics& out) : chunk_(chunk), out_(out) {}

  std::optional<Value> run(P::ExpressionContext& e) {
    if (++depth_ > deepest) return fail(place(e), "this expression is nested too deep");
    std::optional<Value> value = shape(e);
    --depth_;
    return value;
  }

 private:
  std::nullopt_t fail(Location at, std::string message) {
    out_.error("syntax", at, std::move(message));
    return std::nullopt;
  }
  std::string_view text(Tree* tree) const {
    const antlr4::Token* token = leaf(tree);
    return chunk_.substr(token->getStartIndex(), token->getStopIndex() + 1 - token->getStartIndex());
  }
  std::optional<Value> child(P::ExpressionContext& e, std::size_t i) {
    return run(rule<P::ExpressionContext>(e.children[i]));
  }

  // The alternatives of the grammar's `expression`.
  std::optional<Value> shape(P::ExpressionContext& e) {
    const std::size_t size = e.children.size(), first = leaf_type(e.children[0]);
    if (first == P::NAME) return name(e);
    if (size == 1) return literal(e);
    if (first == P::INT) return mask(e);
    if (first == 0) return size == 5 ? choice(e) : binary(e);
    if (text(e.children[0]) != "(") return unary(e);
    if (leaf_type(e.children[1]) == P::DOTNAME) return cast(e);
    if (size == 3) return child(e, 1);
    return fail(place(e), "a list in parentheses stands only in a call");
  }

  std::optional<Value> name(P::ExpressionContext& e) {
    if (e.children.size() == 1 || leaf_type(e.children[1]) == P::DOTNAME) {
      Value value;
      value.kind = Kind::name;
      value.name = text(e.children[0]);
      value.at = place(e);
      if (e.children.size() > 2) return fail(place(e), fmt::format("'{}' has more than one selector", value.name));
      if (e.children.size() == 2) value.component = text(e.children[1]);
      return value;
    }
    std::optional<Value> inner = child(e, 2);
    if (!inner) return inner;
    if (text(e.children[1]) == "[") {
      if (inner->kind != Kind::integer) return fail(place(e), "an array index here is a constant");
      Value value;
      value.kind = Kind::name;
      value.name = text(e.children[0]);
      value.indexed = true;
      value.elements = inner->bits;
      value.at = place(e);
      return value;
    }
    if (text(e.children[0]) != "generic" || inner->kind != Kind::name)
      return fail(place(e), "the only function in an expression is generic(symbol)");
    if (inner->bits != 0) return fail(place(e), "the offset stands outside: generic(symbol)+4");
    inner->generic = true;
    return inner;
  }

  std::optional<Value> mask(P::ExpressionContext& e) {
    const std::optional<Value> selector = integer_literal(text(e.children[0]));
    std::optional<Value> inner = child(e, 2);
    if (!inner) return inner;
    if (inner->kind != Kind::name || !selector) return fail(place(e), "a mask operator takes a symbol: 0xff(symbol)");
    for (std::uint8_t shift = 0; shift < 64; shift = std::uint8_t(shift + 8))
      if (u64(selector->bits) == u64(0xff) << shift) {
        inner->mask_shift = shift;
        return inner;
      }
    return fail(place(e), "a mask operator selects one byte: 0xff, 0xff00, ... 0xff00000000000000");
  }

  std::optional<Value> literal(P::ExpressionContext& e) {
    const std::string_view word = text(e.children[0]);
    Value value;
    switch (leaf_type(e.children[0])) {
      case P::INT:
        if (std::optional<Value> number = integer_literal(word)) {
          number->at = place(e);
          return number;
        }
        return fail(place(e),
                    word[0] == '0' && word.find_first_of("89") != word.npos && word.find_first_of("xX") == word.npos
                        ? fmt::format("'{}' starts with 0, so it is octal, but has a digit above 7", word)
                        : fmt::format("'{}' does not fit 64 bits", word));
      case P::HEX_FLOAT: {
        u64 bits = 0;
        std::from_chars(word.data() + 2, word.data() + word.size(), bits, 16);
        value.kind = (word[1] | 0x20) == 'f' ? Kind::f32 : Kind::f64;
        value.bits = i64(bits);
        break;
      }
      case P::FLOAT: {
        double number = 0;
        if (std::from_chars(word.data(), word.data() + word.size(), number).ec == std::errc::result_out_of_range)
          number = std::strtod(std::string(word).c_str(), nullptr);
        value.kind = Kind::f64;
        value.bits = std::bit_cast<i64>(number);
        break;
      }
      default:
        return fail(place(e), bad_number(word));
    }
    value.at = place(e);
    return value;
  }

  static std::string bad_number(std::string_view word) {
    const char kind = word.size() > 1 ? char(word[1] | 0x20) : ' ';
    if (word[0] == '0' && kind == 'f') return fmt::format("'{}': 0f takes exactly 8 hexadecimal digits", word);
    if (word[0] == '0' && kind == 'd') return fmt::format("'{}': 0d takes exactly 16 hexadecimal digits", word);
    if (word.back() == 'u') return fmt::format("'{}' is no number: the unsigned suffix is a capital U", word);
    return fmt::format("'{}' is no number", word);
  }

  // WARP_SZ is a number wherever it is calculated with.
  static bool to_number(Value& v) {
    if (v.kind == Kind::name && v.name == "WARP_SZ" && v.component.empty()) {
      const Location at = v.at;
      v = {};
      v.bits = warp_size;
      v.at = at;
    }
    return v.kind != Kind::name;
  }

  std::optional<Value> unary(P::ExpressionContext& e) {
    const char sign = text(e.children[0])[0];
    std::optional<Value> v = child(e, 1);
    if (!v) return v;
    v->at = place(e);
    if (v->kind == Kind::name && v->name != "WARP_SZ" && (sign == '!' || sign == '-')) {
      (sign == '!' ? v->inverted : v->minus) = true;
      return v;
    }
    if (!to_number(*v)) return fail(place(e), fmt::format("'{}' does not apply to '{}'", sign, v->name));
    if (v->kind == Kind::f64 && sign == '-') v->bits = i64(u64(v->bits) ^ (u64(1) << 63));
    if (v->kind != Kind::integer) {
      if (v->kind == Kind::f64 && (sign == '-' || sign == '+')) return v;
      return fail(place(e), fmt::format("'{}' does not apply to a floating-point number here", sign));
    }
    if (sign == '-') v->bits = i64(-u64(v->bits));
    if (sign == '~') v->bits = ~v->bits;
    if (sign == '!') v->bits = v->bits == 0, v->is_unsigned = false;
    return v;
  }

  std::optional<Value> cast(P::ExpressionContext& e) {
    const std::string_view type = text(e.children[1]);
    std::optional<Value> v = child(e, 3);
    if (!v) return v;
    if ((type != ".s64" && type != ".u64") || !to_number(*v) || v->kind == Kind::f32)
      return fail(place(e), "a cast in an expression is (.s64) or (.u64) of a number");
    if (v->kind == Kind::f64) {
      const double number = as_double(*v);
      if (!(std::fabs(number) < 9.2e18)) return fail(place(e), "the number does not fit the cast");
      v->bits = i64(number);
      v->kind = Kind::integer;
    }
    v->is_unsigned = type == ".u64";
    return v;
  }

  std::optional<Value> choice(P::ExpressionContext& e) {
    std::optional<Value> condition = child(e, 0), yes = child(e, 2), no = child(e, 4);
    if (!condition || !yes || !no) return std::nullopt;
    if (!to_number(*condition) || condition->kind != Kind::integer) return fail(place(e), "?: chooses by an integer");
    return condition->bits != 0 ? yes : no;
  }

  std::optional<Value> binary(P::ExpressionContext& e) {
    std::optional<Value> a = child(e, 0), b = child(e, 2);
    if (!a || !b) return std::nullopt;
    const std::string_view op = text(e.children[1]);
    const Location at = place(leaf(e.children[1]));
    const bool a_number = to_number(*a), b_number = to_number(*b);
    if (!a_number && b_number) return offset(*a, op, *b, at);
    if (!a_number || !b_number)
      return fail(b->at, !b_number && op == "+"
                             ? fmt::format("'{}': only a constant can be added; use add first", b->name)
                             : fmt::format("'{}' is no constant", (a_number ? b : a)->name));
    if (a->kind == Kind::f32 || b->kind == Kind::f32) return fail(at, "a 0f number stands alone, not in an expression");
    if (a->kind == Kind::f64 || b->kind == Kind::f64) return floating(*a, op, *b, at);
    return integer(*a, op, *b, at);
  }

  // symbol + constant; ptxas does not take symbol - constant.
  std::optional<Value> offset(Value base, std::string_view op, const Value& by, Location at) {
    if (op == "-" && by.kind == Kind::integer)
      return fail(at, fmt::format("an offset is added: write {}+-{}", base.name, by.bits));
    if (op != "+" || by.kind != Kind::integer)
      return fail(at, fmt::format("only a constant can be added to '{}'", base.name));
    base.bits = i64(u64(base.bits) + u64(by.bits));
    return base;
  }

  std::optional<Value> floating(const Value& a, std::string_view op, const Value& b, Location at) {
    const double x = as_double(a), y = as_double(b);
    Value v;
    v.at = a.at;
    if (const std::optional<bool> truth = compare(x, op, y)) {
      v.bits = *truth;
      return v;
    }
    double result = 0;
    if (op == "+")
      result = x + y;
    else if (op == "-")
      result = x - y;
    else if (op == "*")
      result = x * y;
    else if (op == "/")
      result = x / y;
    else
      return fail(at, fmt::format("'{}' takes integers", op));
    v.kind = Kind::f64;
    v.bits = std::bit_cast<i64>(result);
    return v;
  }

  template <class T>
  static std::optional<bool> compare(T x, std::string_view op, T y) {
    if (op == "<") return x < y;
    if (op == "<=") return x <= y;
    if (op == ">") return x > y;
    if (op == ">=") return x >= y;
    if (op == "==") return x == y;
    if (op == "!=") return x != y;
    return std::nullopt;
  }

  std::optional<Value> integer(const Value& a, std::string_view op, const Value& b, Location at) {
    Value v;
    v.at = a.at;
    v.is_unsigned = a.is_unsigned || b.is_unsigned;
    const u64 x = u64(a.bits), y = u64(b.bits);
    if (const std::optional<bool> truth = v.is_unsigned ? compare(x, op, y) : compare(a.bits, op, b.bits)) {
      v.bits = *truth;
      v.is_unsigned = false;
      return v;
    }
    if (op == "&&" || op == "||") {
      v.bits = op == "&&" ? x != 0 && y != 0 : x != 0 || y != 0;
      v.is_unsigned = false;
      return v;
    }
    if (op == "<<" || op == ">>") {
      v.is_unsigned = a.is_unsigned;
      v.bits = op == "<<"      ? i64(y < 64 ? x << y : 0)
               : a.is_unsigned ? i64(y < 64 ? x >> y : 0)
                               : a.bits >> (y < 64 ? y : 63);
      return v;
    }
    if (op == "/" || op == "%") {
      if (y == 0) return fail(at, "this constant expression divides by zero");
      const bool overflow = !v.is_unsigned && b.bits == -1;  // the lowest integer by -1 wraps
      if (v.is_unsigned)
        v.bits = i64(op == "/" ? x / y : x % y);
      else if (overflow)
        v.bits = op == "/" ? i64(-x) : 0;
      else
        v.bits = op == "/" ? a.bits / b.bits : a.bits % b.bits;
      return v;
    }
    if (op == "+")
      v.bits = i64(x + y);
    else if (op == "-")
      v.bits = i64(x - y);
    else if (op == "*")
      v.bits = i64(x * y);
    else if (op == "&")
      v.bits = i64(x & y);
    else if (op == "^")
      v.bits = i64(x ^ y);
    else
      v.bits = i64(x | y);
    return v;
  }

  std::string_view chunk_;
  Diagnostics& out_;
  unsigned depth_ = 0;
};

}  // namespace

std::optional<Value> evaluate(PtxParser::ExpressionContext& expression, std::string_view chunk, Diagnostics& out) {
  return Evaluator(chunk, out).run(expression);
}

std::int64_t convert_float(const Value& value, ir::Type type) {
  if (type == ir::Type::f64 && value.kind == Kind::f32)
    return std::bit_cast<i64>(double(std::bit_cast<float>(std::uint32_t(value.bits))));
  if (type == ir::Type::f32 && value.kind == Kind::f64)
    return std::bit_cast<std::uint32_t>(float(std::bit_cast<double>(value.bits)));
  return value.bits;
}

std::optional<Value> integer_literal(std::string_view text) {
  Value value;
  if (!text.empty() && text.back() == 'U') {
    value.is_unsigned = true;
    text.remove_suffix(1);
  }
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char mark = char(text[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    text.remove_prefix(base == 8 ? 1 : 2);
  }
  u64 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number > u64(std::numeric_limits<i64>::max())) value.is_unsigned = true;
  value.bits = i64(number);
  return value;
}

}  // namespace ptxeq::grammar
