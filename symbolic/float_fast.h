// The common case of f32 and f64 arithmetic, inline: rounding to nearest is what the host's own unit does. Whatever
// needs a rule of the GPU's (NaN results, results that .ftz may flush, other modes) goes to symbolic/float.cpp.
#pragma once

#include <cmath>
#include <type_traits>

#include "symbolic/ops.h"

namespace ptxeq::sym {

// The host's result of f on operands of type Host as bits, or false where symbolic/float.cpp has to decide.
template <class Host, class F, class... V>
inline bool host_result(F f, u64& result, V... v) {
  using Bits = std::conditional_t<sizeof(Host) == 8, u64, u32>;
  const Host r = f(std::bit_cast<Host>(Bits(v))...);
  result = std::bit_cast<Bits>(r);
  return r == r;
}

constexpr bool is_host_rounding(Attr attr) {
  return attr.rounding == Rounding::rn && !attr.ftz && !attr.sat && !attr.relu;
}

// f at `width`, else `otherwise` computes the result.
template <class F, class Otherwise, class... V>
inline u64 host_or(Attr attr, unsigned width, F f, Otherwise otherwise, V... v) {
  u64 result;
  if (is_host_rounding(attr)) {
    if (width == 32 && host_result<float>(f, result, v...)) return result;
    if (width == 64 && host_result<double>(f, result, v...)) return result;
  }
  return otherwise();
}

inline u64 fast_add(Attr attr, unsigned width, u64 a, u64 b) {
  return host_or(
      attr, width, [](auto x, auto y) { return x + y; }, [=] { return float_binary(Op::fadd, attr, width, a, b); }, a,
      b);
}
inline u64 fast_sub(Attr attr, unsigned width, u64 a, u64 b) {
  return host_or(
      attr, width, [](auto x, auto y) { return x - y; }, [=] { return float_binary(Op::fsub, attr, width, a, b); }, a,
      b);
}
inline u64 fast_mul(Attr attr, unsigned width, u64 a, u64 b) {
  return host_or(
      attr, width, [](auto x, auto y) { return x * y; }, [=] { return float_binary(Op::fmul, attr, width, a, b); }, a,
      b);
}
inline u64 fast_div(Attr attr, unsigned width, u64 a, u64 b) {
  return host_or(
      attr, width, [](auto x, auto y) { return x / y; }, [=] { return float_binary(Op::fdiv, attr, width, a, b); }, a,
      b);
}
inline u64 fast_fma(Attr attr, unsigned width, u64 a, u64 b, u64 c) {
  return host_or(
      attr, width, [](auto x, auto y, auto z) { return std::fma(x, y, z); },
      [=] { return float_fma(attr, width, a, b, c); }, a, b, c);
}
inline u64 fast_sqrt(Attr attr, unsigned width, u64 a) {
  return host_or(
      attr, width, [](auto x) { return std::sqrt(x); }, [=] { return float_unary(Op::fsqrt, attr, width, a); }, a);
}

}  // namespace ptxeq::sym
