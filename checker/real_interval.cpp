#include "checker/real_interval.h"

namespace ptxeq::check {
namespace {

constexpr mpfr_exp_t farthest = 16384;

mpfr_rnd_t mode_of(sym::Rounding mode) {
  constexpr mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD, MPFR_RNDU};
  return modes[unsigned(mode)];
}

bool is_end_far(mpfr_srcptr x) { return mpfr_regular_p(x) && mpfr_get_exp(x) > farthest; }

}  // namespace

Interval::Interval(mpfr_prec_t precision) {
  mpfr_inits2(precision, lo_, hi_, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_zero(lo_, 1), mpfr_set_zero(hi_, 1);
}

Interval::Interval(const Interval& other) : Interval(other.precision()) { *this = other; }

Interval& Interval::operator=(const Interval& other) {
  mpfr_set_prec(lo_, other.precision()), mpfr_set_prec(hi_, other.precision());
  mpfr_set(lo_, other.lo_, MPFR_RNDD), mpfr_set(hi_, other.hi_, MPFR_RNDU);
  return *this;
}

Interval::~Interval() { mpfr_clears(lo_, hi_, static_cast<mpfr_ptr>(nullptr)); }

Interval Interval::whole(mpfr_prec_t precision) {
  Interval r(precision);
  mpfr_set_inf(r.lo_, -1), mpfr_set_inf(r.hi_, 1);
  return r;
}

Interval Interval::infinity(mpfr_prec_t precision, bool negative) {
  Interval r(precision);
  mpfr_set_inf(r.lo_, negative ? -1 : 1), mpfr_set_inf(r.hi_, negative ? -1 : 1);
  return r;
}

Interval Interval::number(mpfr_prec_t precision, bool negative, std::uint64_t significand, int exponent) {
  Interval r(precision);
  mpfr_set_ui_2exp(r.lo_, significand, exponent, MPFR_RNDD);
  mpfr_set_ui_2exp(r.hi_, significand, exponent, MPFR_RNDU);
  return negative ? -r : r;
}

Interval Interval::settled() const { return mpfr_nan_p(lo_) || mpfr_nan_p(hi_) ? whole(precision()) : *this; }

bool Interval::is_far() const { return is_end_far(lo_) || is_end_far(hi_); }
bool Interval::below(const Interval& other) const { return mpfr_less_p(hi_, other.lo_); }
bool Interval::not_above(const Interval& other) const { return mpfr_lessequal_p(hi_, other.lo_); }

Interval Interval::in(mpfr_prec_t precision) const {
  Interval r(precision);
  mpfr_set(r.lo_, lo_, MPFR_RNDD), mpfr_set(r.hi_, hi_, MPFR_RNDU);
  return r;
}

Interval Interval::scaled(int exponent) const {
  Interval r(precision());
  mpfr_mul_2si(r.lo_, lo_, exponent, MPFR_RNDD), mpfr_mul_2si(r.hi_, hi_, exponent, MPFR_RNDU);
  return r;
}

Interval Interval::widened(int exponent) const {
  if (is_infinite()) return *this;
  const Interval by = magnitude().scaled(exponent);
  Interval r(precision());
  mpfr_sub(r.lo_, lo_, by.hi_, MPFR_RNDD), mpfr_add(r.hi_, hi_, by.hi_, MPFR_RNDU);
  return r;
}

Interval Interval::width() const {
  Interval r(precision());
  mpfr_sub(r.hi_, hi_, lo_, MPFR_RNDU);
  mpfr_set(r.lo_, r.hi_, MPFR_RNDN);
  return r.settled();
}

Interval Interval::magnitude() const {
  Interval r = abs(*this);
  mpfr_set(r.lo_, r.hi_, MPFR_RNDN);
  return r;
}

Interval Interval::rounded(sym::Rounding mode) const {
  Interval r(precision());
  mpfr_rint(r.lo_, lo_, mode_of(mode)), mpfr_rint(r.hi_, hi_, mode_of(mode));
  return r;
}

std::uint64_t Interval::saturated(mpfr_srcptr end, unsigned width, bool is_signed) {
  const std::uint64_t most = sym::mask(is_signed ? width - 1 : width);
  const std::int64_t least = is_signed ? -std::int64_t(most) - 1 : 0;
  if (mpfr_cmp_ui(end, most) >= 0) return most;
  if (mpfr_cmp_si(end, least) <= 0) return std::uint64_t(least) & sym::mask(width);
  return mpfr_sgn(end) < 0 ? std::uint64_t(mpfr_get_si(end, MPFR_RNDN)) & sym::mask(width)
                           : mpfr_get_ui(end, MPFR_RNDN);
}

std::optional<std::uint64_t> Interval::saturated(unsigned width, bool is_signed) const {
  const std::uint64_t low = saturated(lo_, width, is_signed), high = saturated(hi_, width, is_signed);
  return low == high ? std::optional(low) : std::nullopt;
}

Interval operator+(const Interval& x, const Interval& y) {
  Interval r(x.precision());
  mpfr_add(r.lo_, x.lo_, y.lo_, MPFR_RNDD), mpfr_add(r.hi_, x.hi_, y.hi_, MPFR_RNDU);
  return r.settled();
}

Interval operator-(const Interval& x) {
  Interval r(x.precision());
  mpfr_neg(r.lo_, x.hi_, MPFR_RNDD), mpfr_neg(r.hi_, x.lo_, MPFR_RNDU);
  return r;
}

// The ends of a product are among the products of the ends.
Interval operator*(const Interval& x, const Interval& y) {
  Interval r(x.precision()), next(x.precision());
  mpfr_mul(r.lo_, x.lo_, y.lo_, MPFR_RNDD), mpfr_mul(r.hi_, x.lo_, y.lo_, MPFR_RNDU);
  r = r.settled();
  if (x.is_point() && y.is_point()) return r;
  const mpfr_srcptr rest[][2] = {{x.lo_, y.hi_}, {x.hi_, y.lo_}, {x.hi_, y.hi_}};
  for (const auto& [a, b] : rest) {
    mpfr_mul(next.lo_, a, b, MPFR_RNDD), mpfr_mul(next.hi_, a, b, MPFR_RNDU);
    r = hull(r, next.settled());
  }
  return r;
}

Interval operator/(const Interval& x, const Interval& y) {
  if (mpfr_sgn(y.lo_) <= 0 && mpfr_sgn(y.hi_) >= 0) return Interval::whole(x.precision());
  Interval inverse(x.precision());
  mpfr_ui_div(inverse.lo_, 1, y.hi_, MPFR_RNDD), mpfr_ui_div(inverse.hi_, 1, y.lo_, MPFR_RNDU);
  return x * inverse;
}

Interval min(const Interval& x, const Interval& y) { return -max(-x, -y); }

Interval max(const Interval& x, const Interval& y) {
  Interval r(x.precision());
  mpfr_max(r.lo_, x.lo_, y.lo_, MPFR_RNDD), mpfr_max(r.hi_, x.hi_, y.hi_, MPFR_RNDU);
  return r;
}

Interval abs(const Interval& x) { return max(Interval(x.precision()), max(-x, x)); }

Interval hull(const Interval& x, const Interval& y) {
  Interval r(x.precision());
  mpfr_min(r.lo_, x.lo_, y.lo_, MPFR_RNDD), mpfr_max(r.hi_, x.hi_, y.hi_, MPFR_RNDU);
  return r;
}

Interval Interval::increasing(Unary f, const Interval& x) {
  Interval r(x.precision());
  f(r.lo_, x.lo_, MPFR_RNDD), f(r.hi_, x.hi_, MPFR_RNDU);
  return r.settled();
}

Interval sqrt(const Interval& x) { return Interval::increasing(mpfr_sqrt, x); }
Interval exp2(const Interval& x) { return Interval::increasing(mpfr_exp2, x); }
Interval tanh(const Interval& x) { return Interval::increasing(mpfr_tanh, x); }

Interval log2(const Interval& x) {
  if (mpfr_sgn(x.lo_) <= 0) return Interval::whole(x.precision());
  return Interval::increasing(mpfr_log2, x);
}

// sin or cos: they move by no more than their argument.
Interval Interval::wave(Unary f, const Interval& x) {
  Interval one = number(x.precision(), false, 1, 0);
  if (x.is_infinite() || x.is_far()) return hull(-one, one);
  Interval r(x.precision());
  const Interval by = x.width();
  f(r.lo_, x.lo_, MPFR_RNDD), f(r.hi_, x.lo_, MPFR_RNDU);
  mpfr_sub(r.lo_, r.lo_, by.hi_, MPFR_RNDD), mpfr_add(r.hi_, r.hi_, by.hi_, MPFR_RNDU);
  return max(-one, min(one, r));
}

Interval sin(const Interval& x) { return Interval::wave(mpfr_sin, x); }
Interval cos(const Interval& x) { return Interval::wave(mpfr_cos, x); }

}  // namespace ptxeq::check
