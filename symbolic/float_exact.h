// Exact binary numbers and their rounding to a format: the arithmetic below every floating operation.
// All integer, so that no mode of the host's floating-point unit matters.
#pragma once

#include "symbolic/ops.h"

namespace ptxeq::sym {

__extension__ typedef unsigned __int128 u128;

// IEEE 754 parameters: bits of precision (the hidden one included) and the exponents of normal numbers.
struct Layout {
  int precision, emin, emax;
  constexpr unsigned width() const { return unsigned(precision + (emax == 15 ? 5 : emax == 1023 ? 11 : 8)); }
  constexpr u64 sign() const { return u64(1) << (width() - 1); }
  constexpr u64 infinity() const { return sign() - (u64(1) << (precision - 1)); }
  constexpr u64 quiet_bit() const { return u64(1) << (precision - 2); }
  constexpr u64 min_normal() const { return u64(1) << (precision - 1); }
  constexpr u64 max_finite() const { return infinity() - 1; }
  constexpr u64 one() const { return u64(emax) << (precision - 1); }
};
inline constexpr Layout layouts[] = {{11, -14, 15}, {8, -126, 127}, {24, -126, 127}, {53, -1022, 1023}};
constexpr const Layout& layout(Format format) { return layouts[std::size_t(format)]; }
constexpr const Layout& layout_of(unsigned width, bool bf16) { return layout(format_of(width, bf16)); }

constexpr u64 magnitude(const Layout& f, u64 v) { return v & (f.sign() - 1); }
constexpr bool is_negative(const Layout& f, u64 v) { return v & f.sign(); }
constexpr bool is_nan(const Layout& f, u64 v) { return magnitude(f, v) > f.infinity(); }
constexpr bool is_infinite(const Layout& f, u64 v) { return magnitude(f, v) == f.infinity(); }
constexpr bool is_zero(const Layout& f, u64 v) { return magnitude(f, v) == 0; }

// (-1)^negative * significand * 2^exponent. The lowest bit of a significand of more than 107 bits may be sticky:
// set where the exact value has ones further down, which is all that rounding asks.
struct Exact {
  bool negative = false;
  int exponent = 0;
  u128 significand = 0;
};

constexpr int bit_length(u128 v) {
  return u64(v >> 64) ? 64 + int(std::bit_width(u64(v >> 64))) : int(std::bit_width(u64(v)));
}

// Of a finite number.
constexpr Exact unpack(const Layout& f, u64 v) {
  const u64 biased = magnitude(f, v) >> (f.precision - 1), fraction = magnitude(f, v) & (f.min_normal() - 1);
  const int base = f.emin - (f.precision - 1);
  if (biased == 0) return {is_negative(f, v), base, fraction};
  return {is_negative(f, v), base + int(biased) - 1, fraction | f.min_normal()};
}

Exact sum(Exact x, Exact y);                     // of a zero sum the sign is left to the caller
Exact product(const Exact& x, const Exact& y);   // significands of at most 53 bits
Exact quotient(const Exact& x, const Exact& y);  // y not zero
Exact root(const Exact& x);                      // x not negative
Exact integral(const Exact& x, Rounding mode);   // rounded to an integer, exponent 0 or more

// `v` / 2^`shift` rounded to an integer.
u128 shift_rounded(u128 v, int shift, bool negative, Rounding mode);
u64 round(const Layout& f, const Exact& x, Rounding mode);

// Below the smallest normal number once rounded to the format's precision (with no bound on the exponent).
bool is_tiny(const Layout& f, const Exact& x, Rounding mode);

}  // namespace ptxeq::sym
