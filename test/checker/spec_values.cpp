// Numbers as text. Bit patterns are those of IEEE 754 (binary16/32/64) and of bfloat16, its upper half.
#include <doctest/doctest.h>

#include <cmath>

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

TEST_CASE("expressions") {
  const Lookup lookup = [](std::string_view name) -> std::optional<std::optional<std::int64_t>> {
    if (name == "n") return std::optional<std::int64_t>(10);
    if (name == "m") return std::optional<std::int64_t>();
    return std::nullopt;
  };
  const auto value = [&](std::string_view text) { return evaluate(text, lookup).value; };
  CHECK(value("(n+3)/4") == 3);
  CHECK(value("2+3*4-1") == 13);
  CHECK(value("8/2/2") == 2);
  CHECK(value("-n + 1") == -9);
  CHECK(evaluate("2*m", lookup).symbol == "m");
  CHECK_FALSE(value("2*m"));
  CHECK(evaluate("n/0", lookup).error.find("division by zero") != std::string::npos);
  CHECK(evaluate("n/m", lookup).error.empty());
  CHECK(evaluate("k+1", lookup).error.find("'k'") != std::string::npos);
  CHECK(evaluate("9223372036854775807+1", lookup).error.find("64 bits") != std::string::npos);
  CHECK(evaluate("99999999999999999999", lookup).error.find("64 bits") != std::string::npos);
  for (const auto* bad : {"", "n n", "(n", "n)", "*2", "n+", "n ^ 2"}) CHECK_FALSE(evaluate(bad, lookup).error.empty());
  CHECK_FALSE(evaluate(std::string(100000, '('), lookup).error.empty());
}
