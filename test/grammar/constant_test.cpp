// Constant expressions: values from PTX ISA 4.5 and from what ptxas 13.0 accepts.
#include <cstdint>
#include <limits>
#include <utility>

#include "reading.h"

namespace ptxeq::grammar::test {

namespace {

ir::Operand immediate(const std::string& expression, const std::string& instruction = "mov.u64 %rd1, ") {
  const ir::Function f = must_read_kernel(instruction + expression + ";");
  return f.body.at(0).operands.at(1);
}

}  // namespace

TEST_CASE("integer literals: decimal, hexadecimal, octal, binary, unsigned") {
  const std::pair<const char*, std::int64_t> cases[] = {
      {"0", 0},
      {"42", 42},
      {"42U", 42},
      {"0x1F", 31},
      {"0X1fU", 31},
      {"010", 8},
      {"0b101", 5},
      {"0B11U", 3},
      {"-1", -1},
      {"4294967295", 4294967295},
      {"0xffffffffffffffff", -1},
      {"18446744073709551615", -1},
      {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
  };
  for (const auto& [text, value] : cases) {
    CAPTURE(text);
    const ir::Operand o = immediate(text);
    CHECK(o.kind == ir::Operand::Kind::imm);
    CHECK(o.type == ir::Type::b64);
    CHECK(o.value == value);
  }
}

TEST_CASE("operators have C's precedence and 64-bit values") {
  const std::pair<const char*, std::int64_t> cases[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"7 - 4 - 1", 2},
      {"7 / 2", 3},
      {"-7 / 2", -3},
      {"7 % 4", 3},
      {"-7 % 4", -3},
      {"1 << 4 + 1", 32},
      {"-16 >> 2", -4},
      {"-1 >> 64", -1},
      {"0xffffffffffffffffU >> 60", 15},
      {"1 << 64", 0},
      {"1 < 2", 1},
      {"2 <= 1", 0},
      {"-1 < 0", 1},
      {"-1 < 0U", 0},
      {"1 == 1", 1},
      {"1 != 1", 0},
      {"6 & 3", 2},
      {"6 ^ 3", 5},
      {"6 | 3", 7},
      {"1 | 2 ^ 3 & 1", 3},
      {"2 && 0", 0},
      {"2 || 0", 1},
      {"1 ? 2 : 3", 2},
      {"0 ? 2 : 1 ? 4 : 5", 4},
      {"!5", 0},
      {"!0", 1},
      {"~0", -1},
      {"-(-3)", 3},
      {"(.s64)5", 5},
      {"(.u64)1 - 2 > 0", 1},
      {"WARP_SZ - 1", 31},
      {"2 * WARP_SZ", 64},
      {"(-9223372036854775807 - 1) / -1", std::numeric_limits<std::int64_t>::min()},
      {"(.s64)2.9", 2},
      {"1.5 < 2", 1},
  };
  for (const auto& [text, value] : cases) {
    CAPTURE(text);
    const ir::Operand o = immediate(text);
    CHECK(o.type == ir::Type::b64);
    CHECK(o.value == value);
  }
}

TEST_CASE("floating-point literals keep their bits") {
  const auto f32 = [](const std::string& text) { return immediate(text, "mov.f32 %f1, "); };
  CHECK(f32("0f3F800000").type == ir::Type::f32);
  CHECK(f32("0f3F800000").value == 0x3f800000);
  CHECK(f32("0F7fffffff").value == 0x7fffffff);
  CHECK(f32("0d3FF8000000000000").type == ir::Type::f64);
  for (const char* text : {"1.5", "0.15e1", "15e-1", "3.0 / 2", "1 + .5"}) {
    CAPTURE(text);
    CHECK(f32(text).type == ir::Type::f64);
    CHECK(f32(text).value == 0x3ff8000000000000);
  }
  CHECK(f32("-1.5").value == std::int64_t(0xbff8000000000000));
  CHECK(f32("5.").value == 0x4014000000000000);
  CHECK(f32("1e999").value == 0x7ff0000000000000);
}

TEST_CASE("what is no number is said to be none") {
  for (const char* text : {"089", "0f3F80", "0f3F8000000", "0x", "7u", "1abc", "1/0", "5 % 0", "18446744073709551616",
                           "-0f3F800000", "(.f32)5", "~1.5", "1.5 & 1", "generic(3)"}) {
    CAPTURE(text);
    CHECK(kernel_refusal(std::string("mov.u64 %rd1, ") + text + ";") == "syntax");
  }
}

TEST_CASE("a plain WARP_SZ stays a special register") {
  const ir::Operand o = immediate("WARP_SZ", "mov.u32 %r1, ");
  CHECK(o.kind == ir::Operand::Kind::special);
  CHECK(o.index == std::uint32_t(ir::Special::warp_size));
}

}  // namespace ptxeq::grammar::test
