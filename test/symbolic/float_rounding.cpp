// Directed rounding of f32 and f64 against the host's floating-point unit.
#include <doctest/doctest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <ios>
#include <random>

#include "symbolic/float_exact.h"
#include "symbolic/float_fast.h"
#include "symbolic/ops.h"

using namespace ptxeq::sym;

namespace {

constexpr int host_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
constexpr Op tested[] = {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::fma, Op::fsqrt};

// Volatile operands keep the compiler from moving the operation across the change of mode.
template <class F>
F host(Op op, int mode, F a, F b, F c) {
  volatile F x = a, y = b, z = c;
  volatile F r = 0;
  std::fesetround(mode);
  switch (op) {
    case Op::fadd:
      r = x + y;
      break;
    case Op::fsub:
      r = x - y;
      break;
    case Op::fmul:
      r = x * y;
      break;
    case Op::fdiv:
      r = x / y;
      break;
    case Op::fma:
      r = std::fma(F(x), F(y), F(z));
      break;
    default:
      r = std::sqrt(F(x));
      break;
  }
  std::fesetround(FE_TONEAREST);
  return r;
}

u64 ours(Op op, Attr attr, unsigned width, u64 a, u64 b, u64 c) {
  return apply(op, attr.pack(), width, width, a, b, c);
}

// Random bits, often with an exponent near that of one, so that sums and products meet in the same range.
u64 operand(std::mt19937_64& random, unsigned width) {
  const u64 bits = random() & mask(width);
  const unsigned fraction = width == 64 ? 52 : 23;
  const u64 one = width == 64 ? 1023 : 127;
  if (random() & 1) return bits;
  const u64 exponent = one - fraction + random() % (2 * fraction);
  return (bits & (u64(1) << (width - 1) | mask(fraction))) | exponent << fraction;
}

template <class F>
void compare_with_host() {
  using Bits = std::conditional_t<sizeof(F) == 8, u64, u32>;
  constexpr unsigned width = 8 * sizeof(F);
  std::mt19937_64 random(1);
  for (int i = 0; i < 40000; ++i) {
    const u64 a = operand(random, width), b = operand(random, width), c = operand(random, width);
    for (const Op op : tested) {
      for (unsigned mode = 0; mode < 4; ++mode) {
        Attr attr;
        attr.rounding = Rounding(mode);
        const F expected =
            host(op, host_modes[mode], std::bit_cast<F>(Bits(a)), std::bit_cast<F>(Bits(b)), std::bit_cast<F>(Bits(c)));
        if (std::isnan(expected)) continue;  // NaNs have rules of their own
        const u64 got = ours(op, attr, width, a, b, c);
        INFO(name(op), " mode ", mode, std::hex, " ", a, " ", b, " ", c);
        REQUIRE(got == u64(std::bit_cast<Bits>(expected)));
      }
    }
  }
}

}  // namespace

TEST_CASE("f32 arithmetic rounds in every mode as IEEE 754 says") { compare_with_host<float>(); }
TEST_CASE("f64 arithmetic rounds in every mode as IEEE 754 says") { compare_with_host<double>(); }

TEST_CASE("the inline path gives what the general one gives") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    for (const unsigned width : {32u, 64u}) {
      const u64 a = operand(random, width), b = operand(random, width), c = operand(random, width);
      Attr attr;
      attr.ftz = width == 32 && (i & 1);
      CHECK(fast_add(attr, width, a, b) == float_binary(Op::fadd, attr, width, a, b));
      CHECK(fast_sub(attr, width, a, b) == float_binary(Op::fsub, attr, width, a, b));
      CHECK(fast_mul(attr, width, a, b) == float_binary(Op::fmul, attr, width, a, b));
      CHECK(fast_div(attr, width, a, b) == float_binary(Op::fdiv, attr, width, a, b));
      CHECK(fast_fma(attr, width, a, b, c) == float_fma(attr, width, a, b, c));
      CHECK(fast_sqrt(attr, width, a) == float_unary(Op::fsqrt, attr, width, a));
    }
  }
}

// The host's own rounding hides this path from the tests above.
TEST_CASE("exact sums, products, quotients and roots round to nearest") {
  std::mt19937_64 random(3);
  const auto finite = [](const Layout& f, u64 v) { return magnitude(f, v) < f.infinity() && !is_zero(f, v); };
  for (int i = 0; i < 40000; ++i) {
    for (const unsigned width : {32u, 64u}) {
      const Layout& f = layout_of(width, false);
      const u64 a = operand(random, width), b = operand(random, width);
      if (!finite(f, a) || !finite(f, b)) continue;
      const Exact x = unpack(f, a), y = unpack(f, b), positive = unpack(f, magnitude(f, a));
      const auto rounded = [&](const Exact& value) { return round(f, value, Rounding::rn); };
      INFO(std::hex, a, " ", b);
      if (a != (b ^ f.sign())) REQUIRE(rounded(sum(x, y)) == float_binary(Op::fadd, {}, width, a, b));
      REQUIRE(rounded(product(x, y)) == float_binary(Op::fmul, {}, width, a, b));
      REQUIRE(rounded(quotient(x, y)) == float_binary(Op::fdiv, {}, width, a, b));
      REQUIRE(rounded(root(positive)) == float_unary(Op::fsqrt, {}, width, magnitude(f, a)));
    }
  }
}
