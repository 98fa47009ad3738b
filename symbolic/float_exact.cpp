#include "symbolic/float_exact.h"

#include <algorithm>
#include <utility>

namespace ptxeq::sym {
namespace {

constexpr int top = 126;  // bits of a normalised significand: room for a carry, ample guard bits below 106

Exact normalised(Exact x) {
  const int up = top - bit_length(x.significand);
  return {x.negative, x.exponent - up, x.significand << up};
}

u128 shift_right_sticky(u128 v, int shift) {
  if (shift == 0) return v;
  if (shift > 127) return v != 0;
  return v >> shift | u128((v & ((u128(1) << shift) - 1)) != 0);
}

bool rounds_up(Rounding mode, bool negative, bool odd, bool half, bool below_half) {
  switch (mode) {
    case Rounding::rn:
      return half && (below_half || odd);
    case Rounding::rz:
      return false;
    case Rounding::rm:
      return negative && (half || below_half);
    case Rounding::rp:
      return !negative && (half || below_half);
  }
  return false;
}

}  // namespace

Exact sum(Exact x, Exact y) {
  if (x.significand == 0) return y;
  if (y.significand == 0) return x;
  x = normalised(x), y = normalised(y);
  if (x.exponent < y.exponent) std::swap(x, y);
  // Bits are lost only where the exponents differ by 20 or more; then at most one leading bit cancels.
  y.significand = shift_right_sticky(y.significand, x.exponent - y.exponent);
  if (x.negative == y.negative) return {x.negative, x.exponent, x.significand + y.significand};
  if (x.significand < y.significand) std::swap(x, y);
  return {x.negative, x.exponent, x.significand - y.significand};
}

Exact product(const Exact& x, const Exact& y) {
  return {x.negative != y.negative, x.exponent + y.exponent, x.significand * y.significand};
}

Exact quotient(const Exact& x, const Exact& y) {
  const bool negative = x.negative != y.negative;
  if (x.significand == 0) return {negative, 0, 0};
  const Exact n = normalised(x);
  const u128 q = n.significand / y.significand, r = n.significand % y.significand;  // q has at least 73 bits
  return {negative, n.exponent - y.exponent - 1, q << 1 | u128(r != 0)};
}

Exact root(const Exact& x) {
  if (x.significand == 0) return x;
  Exact n = normalised(x);
  if (n.exponent & 1) n.significand >>= 1, ++n.exponent;  // at least 72 zeros stand there
  u128 result = 0, rest = n.significand;
  for (u128 bit = u128(1) << 126; bit != 0; bit >>= 2) {  // digit by digit
    const bool fits = rest >= result + bit;
    if (fits) rest -= result + bit;
    result = (result >> 1) + (fits ? bit : 0);
  }
  return {x.negative, n.exponent / 2 - 1, result << 1 | u128(rest != 0)};
}

u128 shift_rounded(u128 v, int shift, bool negative, Rounding mode) {
  if (shift <= 0) return v << -shift;
  if (shift > 127) return v != 0 && rounds_up(mode, negative, false, false, true);
  const u128 kept = v >> shift, half = u128(1) << (shift - 1), rest = v & (half | (half - 1));
  return kept + rounds_up(mode, negative, bool(kept & 1), rest >= half, (rest & (half - 1)) != 0);
}

Exact integral(const Exact& x, Rounding mode) {
  if (x.exponent >= 0) return x;
  return {x.negative, 0, shift_rounded(x.significand, -x.exponent, x.negative, mode)};
}

bool is_tiny(const Layout& f, const Exact& x, Rounding mode) {
  if (x.significand == 0) return true;
  const int dropped = bit_length(x.significand) - f.precision;
  const u128 kept = shift_rounded(x.significand, dropped, x.negative, mode);
  return x.exponent + dropped + bit_length(kept) - 1 < f.emin;
}

u64 round(const Layout& f, const Exact& x, Rounding mode) {
  const u64 sign = x.negative ? f.sign() : 0;
  if (x.significand == 0) return sign;
  const int leading = x.exponent + bit_length(x.significand) - 1;
  const int unit = std::max(leading, f.emin) - (f.precision - 1);  // exponent of the last place
  const u64 overflow =
      mode == Rounding::rz || mode == (x.negative ? Rounding::rp : Rounding::rm) ? f.max_finite() : f.infinity();
  if (leading > f.emax) return sign | overflow;
  const u64 kept = u64(shift_rounded(x.significand, unit - x.exponent, x.negative, mode));
  // The hidden bit adds one to the exponent field, a carry out of the significand another one.
  const u64 biased = u64(unit + (f.precision - 1) - f.emin);
  const u64 bits = (biased << (f.precision - 1)) + kept;
  return sign | (bits >= f.infinity() ? overflow : bits);
}

}  // namespace ptxeq::sym
