#include <algorithm>
#include <cmath>

#include "checker/obligation.h"
#include "symbolic/float_exact.h"

namespace ptxeq::check {
namespace {

using sym::i64;
using sym::u64;

// Place of a number among the format's numbers in order, both zeros at 0.
i64 ordinal(const sym::Layout& f, u64 v) {
  const i64 magnitude = i64(sym::magnitude(f, v));
  return sym::is_negative(f, v) ? -magnitude : magnitude;
}

}  // namespace

std::string difference_class(std::optional<sym::Format> format, u64 a, u64 ref) {
  if (!format) return "logic";
  const sym::Layout& f = sym::layout(*format);
  if (sym::is_nan(f, a) || sym::is_nan(f, ref)) return sym::is_nan(f, a) && sym::is_nan(f, ref) ? "nan-only" : "logic";
  if (sym::is_zero(f, a) && sym::is_zero(f, ref)) return "signed-zero";
  const auto flushable = [&](u64 v) { return sym::magnitude(f, v) < f.min_normal(); };
  if (flushable(a) && flushable(ref)) return "denormal";
  // Close: the upper half of the significand agrees.
  const auto distance = static_cast<__int128_t>(ordinal(f, a)) - ordinal(f, ref);
  const auto close = static_cast<__int128_t>(1) << (f.precision / 2);
  return -close <= distance && distance <= close ? "rounding" : "logic";
}

}  // namespace ptxeq::check
