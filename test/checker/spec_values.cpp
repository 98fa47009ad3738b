// Numbers as text. Bit patterns are those of IEEE 754 (binary16/32/64) and of bfloat16, its upper half.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "checker/expression.h"
#include "checker/values.h"

using namespace ptxeq;
using namespace ptxeq::check;

TEST_CASE("floats become the nearest bit pattern") {
  CHECK(encode_float(ir::Type::f32, 1.0) == 0x3f800000);
  CHECK(encode_float(ir::Type::f32, -0.0) == 0x80000000);
  CHECK(encode_float(ir::Type::f32, 1e-45) == 1);            // the smallest subnormal
  CHECK(encode_float(ir::Type::f32, 3.5e38) == 0x7f800000);  // past the largest: infinity
  CHECK(encode_float(ir::Type::f16, 65504) == 0x7bff);       // the largest
  CHECK(encode_float(ir::Type::f16, 65519) == 0x7bff);
  CHECK(encode_float(ir::Type::f16, 65520) == 0x7c00);                     // a tie, to even: infinity
  CHECK(encode_float(ir::Type::f16, 1 + std::ldexp(1.0, -11)) == 0x3c00);  // a tie, to even: down
  CHECK(encode_float(ir::Type::f16, std::ldexp(1.0, -14) - std::ldexp(1.0, -26)) == 0x0400);  // rounds up to normal
  CHECK(encode_float(ir::Type::bf16, 3.0) == 0x4040);
  CHECK(encode_float(ir::Type::f64, 1.0) == 0x3ff0000000000000);
  CHECK(encode_float(ir::Type::f16, std::nan("")) == 0x7e00);
}

TEST_CASE("every half value survives decoding and encoding") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    for (const auto type : {ir::Type::f16, ir::Type::bf16}) {
      const double value = decode_float(type, bits);
      if (std::isnan(value)) continue;
      REQUIRE(encode_float(type, value) == bits);
      REQUIRE(parse_value(type, format_value(type, bits)) == bits);
    }
  }
}

TEST_CASE("values are read and written by type") {
  CHECK(parse_value(ir::Type::u8, "255") == 255);
  CHECK_FALSE(parse_value(ir::Type::u8, "256"));
  CHECK_FALSE(parse_value(ir::Type::u32, "-1"));
  CHECK(parse_value(ir::Type::s32, "-1") == 0xffffffff);
  CHECK(parse_value(ir::Type::u64, "18446744073709551615") == ~std::uint64_t(0));
  CHECK(parse_value(ir::Type::f32, "0x7fc00001") == 0x7fc00001);
  CHECK_FALSE(parse_value(ir::Type::f16, "0x10000"));
  CHECK(parse_value(ir::Type::f32, "-inf") == 0xff800000);
  CHECK_FALSE(parse_value(ir::Type::f32, "1.5x"));
  CHECK_FALSE(parse_value(ir::Type::s32, ""));
  CHECK(format_value(ir::Type::s32, 0xffffffff) == "-1");
  CHECK(format_value(ir::Type::u32, 0xffffffff) == "4294967295");
  CHECK(format_value(ir::Type::f32, 0x3dcccccd) == "0.1");
  CHECK(format_value(ir::Type::f32, 0x7fc00000) == "nan");
  CHECK(format_bits(16, 0x3c00) == "0x3c00");
  CHECK(integer_limits(ir::Type::s64)[0] == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("a range of floats may hold none") {
  CHECK(has_float_between(ir::Type::f32, 0.1, 0.2));
  CHECK_FALSE(has_float_between(ir::Type::bf16, 1.001, 1.002));  // neighbours of 1 are 2^-7 and 2^-8 away
  CHECK_FALSE(has_float_between(ir::Type::f32, 2, 1));
  CHECK(has_float_between(ir::Type::f32, -0.0, 0.0));
}

namespace {

// n is scalar 0 and m is scalar 1.
ParsedExpression parsed(std::string_view text) {
  return parse_expression(text, [](std::string_view name) {
    return name == "n" ? std::optional<std::uint32_t>(0) : name == "m" ? std::optional<std::uint32_t>(1) : std::nullopt;
  });
}

// With n = 10, m unknown.
std::optional<std::int64_t> value(std::string_view text) {
  const auto [expression, error] = parsed(text);
  CHECK(error == "");
  return evaluate(expression, [](std::uint32_t s) { return s == 0 ? std::optional<std::int64_t>(10) : std::nullopt; });
}

}  // namespace

TEST_CASE("expressions have values") {
  CHECK(value("(n+3)/4") == 3);
  CHECK(value("2+3*4-1") == 13);
  CHECK(value("8/2/2") == 2);
  CHECK(value("-n + 1") == -9);
  CHECK(value("-7/2") == -3);
  CHECK(value("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  for (const auto* none : {"2*m", "n/m", "0*m", "n/0", "n/(n-10)", "9223372036854775807+1", "9223372036854775807*n",
                           "-9223372036854775807-2", "(-9223372036854775807-1)/-1"})
    CHECK_FALSE(value(none));
  CHECK_FALSE(evaluate({}));
  CHECK(evaluate(constant_expression(5)) == 5);
  CHECK_FALSE(evaluate(parsed("n").expression));  // without values, every scalar is a symbol
}

TEST_CASE("malformed expressions say why") {
  CHECK(parsed("k+1").error.find("'k'") != std::string::npos);
  CHECK(parsed("99999999999999999999").error.find("64 bits") != std::string::npos);
  for (const std::string bad : {"", "n n", "(n", "n)", "*2", "n+", "/", "0/", "-", "n ^ 2"}) {
    CHECK_FALSE(parsed(bad).error.empty());
    CHECK(parsed(bad).expression.nodes.empty());
  }
  CHECK_FALSE(parsed(std::string(900, '(')).error.empty());
  CHECK(parsed(std::string(100000, '(')).error.size() < 100);
}

TEST_CASE("an expression's nodes are in post order") {
  using Kind = ExpressionNode::Kind;
  const auto nodes = parsed("(n+3)/m").expression.nodes;
  const std::vector<ExpressionNode> wanted{{Kind::scalar, 0, 0, 0, 0},
                                           {Kind::number, 3, 0, 0, 0},
                                           {Kind::add, 0, 0, 0, 1},
                                           {Kind::scalar, 0, 1, 0, 0},
                                           {Kind::div, 0, 0, 2, 3}};
  CHECK(nodes == wanted);
}

TEST_CASE("what fails whatever the scalars are is seen without their values") {
  for (const auto* never : {"n/0", "n/(1-1)", "n + 1/0", "m * (9223372036854775807 + 1)"})
    CHECK(never_has_value(parsed(never).expression));
  for (const auto* fine : {"n/m", "n*9223372036854775807", "4/2", "0/n"})
    CHECK_FALSE(never_has_value(parsed(fine).expression));
}

TEST_CASE("an expression's text has the parentheses that it needs") {
  const auto name = [](std::uint32_t scalar) { return std::string(scalar == 0 ? "n" : "m"); };
  for (const std::string text :
       {"n", "7", "(n + 3) / 4", "n + 3 * m", "n - (m - 1)", "n - m - 1", "n * (m / 2)", "n / 2 / m", "0 - n"})
    CHECK(to_text(parsed(text).expression, name) == text);
}
