// What a GPU does where IEEE 754 leaves a choice. Values without a source were recorded on an H200.
#include <doctest/doctest.h>

#include "symbolic/ops.h"

using namespace ptxeq::sym;

namespace {

constexpr u64 canonical = 0x7fffffff;
Attr plain() { return {}; }
Attr flushing() {
  Attr attr;
  attr.ftz = true;
  return attr;
}
Attr saturating() {
  Attr attr;
  attr.sat = true;
  return attr;
}
Attr rounding(Rounding mode) {
  Attr attr;
  attr.rounding = mode;
  return attr;
}
u64 add32(Attr attr, u64 a, u64 b) { return float_binary(Op::fadd, attr, 32, a, b); }
u64 mul32(Attr attr, u64 a, u64 b) { return float_binary(Op::fmul, attr, 32, a, b); }

}  // namespace

TEST_CASE("f32, f16 and bf16 arithmetic makes every NaN canonical") {
  CHECK(add32(plain(), 0xffc00123, 0x3f800000) == canonical);
  CHECK(float_unary(Op::fneg, plain(), 32, 0x7fc00001) == canonical);
  CHECK(float_unary(Op::fabs, plain(), 32, 0xffc00001) == canonical);
  CHECK(mul32(plain(), 0, 0x7f800000) == canonical);
  CHECK(add32(plain(), 0x7f800000, 0xff800000) == canonical);
  CHECK(float_unary(Op::fsqrt, plain(), 32, 0xbf800000) == canonical);
  CHECK(float_fma(plain(), 16, 0x7e01, 0x3c00, 0x3c00) == 0x7fff);
}

TEST_CASE("f64 arithmetic passes a payload on, quieted") {
  const u64 first = 0x7ff0'0000'0000'0001, second = 0xfff8'0000'0000'0002, third = 0x7ff8'0000'0000'0003;
  const u64 quiet = 0x0008'0000'0000'0000, one = 0x3ff0'0000'0000'0000;
  CHECK(float_binary(Op::fadd, plain(), 64, first, second) == second);
  CHECK(float_binary(Op::fadd, plain(), 64, first, one) == (first | quiet));
  CHECK(float_binary(Op::fmul, plain(), 64, second, first) == (first | quiet));
  CHECK(float_binary(Op::fmax, plain(), 64, first, second) == second);
  CHECK(float_binary(Op::fdiv, plain(), 64, first, second) == (first | quiet));
  CHECK(float_fma(plain(), 64, first, second, third) == second);  // b, then c, then a
  CHECK(float_fma(plain(), 64, first, one, third) == third);
  CHECK(float_unary(Op::fneg, plain(), 64, second) == second);
  CHECK(float_unary(Op::fabs, plain(), 64, second) == second);
  CHECK(float_binary(Op::fsub, plain(), 64, one, second) == second);
  CHECK(float_binary(Op::fdiv, plain(), 64, 0, 0) == 0xfff8'0000'0000'0000);
}

TEST_CASE("min and max: -0 is below +0, one NaN gives the other operand, .NaN gives a NaN") {
  CHECK(float_binary(Op::fmin, plain(), 32, 0, 0x80000000) == 0x80000000);
  CHECK(float_binary(Op::fmax, plain(), 32, 0x80000000, 0) == 0);
  CHECK(float_binary(Op::fmax, plain(), 32, 0x7fc00000, 0x3f800000) == 0x3f800000);
  CHECK(float_binary(Op::fmin, plain(), 32, 0xbf800000, 0xffc00000) == 0xbf800000);
  CHECK(float_binary(Op::fmin, plain(), 32, 0xffc00000, 0x7fc00001) == canonical);
  Attr propagating;
  propagating.flag = true;
  CHECK(float_binary(Op::fmax, propagating, 32, 0x7fc00000, 0x3f800000) == canonical);
}

TEST_CASE(".ftz flushes operands and results, the sign kept") {
  CHECK(add32(flushing(), 0x80000001, 0x80000001) == 0x80000000);
  CHECK(add32(plain(), 0x80000001, 0x80000001) == 0x80000002);
  CHECK(mul32(flushing(), 0x00800000, 0xbf000000) == 0x80000000);
  CHECK(float_compare(Op::feq, flushing(), 32, 0x00000001, 0x80000002));
  CHECK(!float_compare(Op::feq, plain(), 32, 0x00000001, 0x80000002));
}

TEST_CASE(".ftz asks whether a result is subnormal after rounding to 24 bits") {
  // 2^-126 (1 + k 2^-23)(1 - 2k 2^-24): a little less than the smallest normal number, and rounded to it.
  CHECK(mul32(flushing(), 0xbb8000ef, 0x047ffe22) == 0x80800000);
  CHECK(mul32(flushing(), 0xbc800077, 0x837fff12) == 0x00800000);
  Attr toward_zero = flushing();
  toward_zero.rounding = Rounding::rz;
  CHECK(mul32(toward_zero, 0xbc800077, 0x837fff12) == 0);
  // 2^-126 (1 - 2^-24), a number of 24 bits: only as a subnormal it would round up.
  CHECK(mul32(flushing(), 0x00ffffff, 0x3f000000) == 0);
  CHECK(mul32(plain(), 0x00ffffff, 0x3f000000) == 0x00800000);
}

TEST_CASE(".sat clamps to [0, 1] and makes a NaN +0") {
  CHECK(add32(saturating(), 0x40000000, 0) == 0x3f800000);
  CHECK(add32(saturating(), 0xbf800000, 0) == 0);
  CHECK(add32(saturating(), 0x80000000, 0x80000000) == 0);
  CHECK(add32(saturating(), 0x7fc00000, 0) == 0);
  CHECK(add32(saturating(), 0x7f800000, 0) == 0x3f800000);
}

TEST_CASE("an exact zero sum is +0, and -0 towards minus infinity") {
  CHECK(add32(plain(), 0x3f800000, 0xbf800000) == 0);
  CHECK(add32(rounding(Rounding::rm), 0x3f800000, 0xbf800000) == 0x80000000);
  CHECK(add32(plain(), 0x80000000, 0x80000000) == 0x80000000);
  CHECK(float_fma(plain(), 32, 0x3f800000, 0x80000000, 0) == 0);
}

TEST_CASE("an overflow rounds to infinity or the largest finite number") {
  CHECK(add32(plain(), 0x7f7fffff, 0x7f7fffff) == 0x7f800000);
  CHECK(add32(rounding(Rounding::rz), 0x7f7fffff, 0x7f7fffff) == 0x7f7fffff);
  CHECK(add32(rounding(Rounding::rm), 0x7f7fffff, 0x7f7fffff) == 0x7f7fffff);
  CHECK(add32(rounding(Rounding::rp), 0xff7fffff, 0xff7fffff) == 0xff7fffff);
  CHECK(add32(rounding(Rounding::rp), 0x7f7fffff, 0x7f7fffff) == 0x7f800000);
}

TEST_CASE("comparisons are false on a NaN") {
  for (const Op op : {Op::feq, Op::flt, Op::fle}) CHECK(!float_compare(op, plain(), 32, 0x7fc00000, 0x7fc00000));
  CHECK(float_compare(Op::feq, plain(), 32, 0, 0x80000000));
  CHECK(float_compare(Op::fle, plain(), 32, 0, 0x80000000));
  CHECK(!float_compare(Op::flt, plain(), 32, 0x80000000, 0));
  CHECK(float_compare(Op::flt, plain(), 64, 0xfff0'0000'0000'0000, 0x8000'0000'0000'0000));
}

// PTX ISA 9.7.9.21, Integer Notes.
TEST_CASE("float to integer saturates; a NaN is 0 or the highest bit") {
  Attr to_signed = rounding(Rounding::rz);
  to_signed.flag = true;
  CHECK(float_to_int(to_signed, 32, 32, 0x4f000000) == 0x7fffffff);  // 2^31
  CHECK(float_to_int(to_signed, 32, 32, 0xff800000) == 0x80000000);
  CHECK(float_to_int(to_signed, 32, 8, 0xc3010000) == 0x80);         // -129
  CHECK(float_to_int(to_signed, 32, 32, 0xbfc00000) == 0xffffffff);  // -1.5
  CHECK(float_to_int(rounding(Rounding::rz), 32, 32, 0xbfc00000) == 0);
  CHECK(float_to_int(to_signed, 32, 32, 0x7fc00000) == 0);
  CHECK(float_to_int(to_signed, 32, 64, 0x7fc00000) == 0x8000'0000'0000'0000);
  CHECK(float_to_int(plain(), 64, 32, 0x7ff8'0000'0000'0000) == 0x80000000);
  CHECK(float_to_int(plain(), 32, 32, 0x40200000) == 2);  // 2.5, to even
  CHECK(float_to_int(rounding(Rounding::rp), 32, 32, 0x3f800001) == 2);
}

TEST_CASE("conversions between formats") {
  CHECK(float_round(plain(), 32, 16, 0x477fefff) == 0x7bff);  // below 65520
  CHECK(float_round(plain(), 32, 16, 0x477ff000) == 0x7c00);  // 65520, a tie, to even: infinity
  CHECK(float_round(plain(), 32, 16, 0x33000000) == 0);       // 2^-25, a tie
  CHECK(float_round(plain(), 32, 16, 0x33000001) == 1);
  Attr to_bf16;
  to_bf16.flag = true;
  CHECK(float_round(to_bf16, 32, 16, 0x3f808000) == 0x3f80);  // a tie
  CHECK(float_round(to_bf16, 32, 16, 0x3f818000) == 0x3f82);
  Attr from_bf16;
  from_bf16.bf16 = true;
  CHECK(float_round(from_bf16, 16, 32, 0xff81) == 0xff810000);  // a NaN as it is
  CHECK(float_round(plain(), 16, 32, 0xfe01) == canonical);
  CHECK(float_round(plain(), 32, 64, 0xff800001) == 0xfff8'0000'2000'0000);
  CHECK(float_round(plain(), 64, 32, 0x7ff8'0000'2000'0000) == 0x7fc00001);
  Attr signed_source;
  signed_source.flag = true;
  CHECK(int_to_float(signed_source, 32, 32, 0x80000000) == 0xcf000000);
  CHECK(int_to_float(plain(), 64, 32, ~u64(0)) == 0x5f800000);
  CHECK(int_to_float(rounding(Rounding::rz), 64, 32, ~u64(0)) == 0x5f7fffff);
}
