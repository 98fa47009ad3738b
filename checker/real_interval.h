// Closed intervals of real numbers with MPFR ends, rounded outwards. What has no bound (a division by an interval
// that holds zero, infinity less infinity) is the whole line. Only checker/real_value.cpp includes this.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <optional>

#include "symbolic/ops.h"

namespace ptxeq::check {

class Interval {
 public:
  explicit Interval(mpfr_prec_t precision);  // [0, 0]
  Interval(const Interval& other);
  Interval& operator=(const Interval& other);
  ~Interval();

  static Interval whole(mpfr_prec_t precision);
  static Interval infinity(mpfr_prec_t precision, bool negative);
  // (-1)^negative * significand * 2^exponent; the precision holds 64 bits.
  static Interval number(mpfr_prec_t precision, bool negative, std::uint64_t significand, int exponent);

  mpfr_prec_t precision() const { return mpfr_get_prec(lo_); }
  bool is_point() const { return mpfr_equal_p(lo_, hi_); }
  bool is_zero() const { return mpfr_zero_p(lo_) && mpfr_zero_p(hi_); }
  bool is_infinite() const { return mpfr_inf_p(lo_) || mpfr_inf_p(hi_); }
  bool is_far() const;                      // an end beyond 2^16384, more than any format holds
  bool below(const Interval& other) const;  // every number of the one below every number of the other
  bool not_above(const Interval& other) const;

  Interval in(mpfr_prec_t precision) const;    // with ends of that precision
  Interval widened(int exponent) const;        // by 2^exponent of its own size on both sides
  Interval width() const;                      // the point hi - lo, rounded up
  Interval magnitude() const;                  // the point of the largest absolute value
  Interval scaled(int exponent) const;         // times 2^exponent
  Interval rounded(sym::Rounding mode) const;  // both ends to an integer
  // The word of `width` bits for an interval between integers, its ends clamped to what such a word holds, if it is
  // one.
  std::optional<std::uint64_t> saturated(unsigned width, bool is_signed) const;

  friend Interval operator+(const Interval& x, const Interval& y);
  friend Interval operator-(const Interval& x);
  friend Interval operator*(const Interval& x, const Interval& y);
  friend Interval operator/(const Interval& x, const Interval& y);
  friend Interval min(const Interval& x, const Interval& y);
  friend Interval max(const Interval& x, const Interval& y);
  friend Interval abs(const Interval& x);
  friend Interval hull(const Interval& x, const Interval& y);
  friend Interval sqrt(const Interval& x);
  friend Interval exp2(const Interval& x);
  friend Interval log2(const Interval& x);
  friend Interval tanh(const Interval& x);
  friend Interval sin(const Interval& x);
  friend Interval cos(const Interval& x);

 private:
  using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  static Interval increasing(Unary f, const Interval& x);
  static Interval wave(Unary f, const Interval& x);
  static std::uint64_t saturated(mpfr_srcptr end, unsigned width, bool is_signed);
  Interval settled() const;  // the whole line where an end is no number
  mpfr_t lo_, hi_;
};

}  // namespace ptxeq::check
