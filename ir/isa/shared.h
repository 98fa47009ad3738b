// Pieces of semantics that several chapters share, each over a domain `d`.
#pragma once

#include <array>
#include <optional>

#include "ir/isa.h"

namespace ptxeq::ir::isa {
using namespace literals;

// `v`, wider than 32 bits, as s32, clamped to its range.
constexpr auto clamp_s32 = [](auto& d, auto v) {
  const unsigned w = v.width();
  auto low = d.constant(w, std::uint64_t(INT64_C(-0x80000000)));
  auto high = d.constant(w, 0x7fffffff);
  auto clamped = d.ite(d.slt(v, low), low, d.ite(d.slt(high, v), high, v));
  return d.extract(clamped, 0, 32);
};

// f on both 16-bit halves of a and b.
constexpr auto halves = [](auto& d, auto a, auto b, auto f) {
  auto high = f(d.extract(a, 16, 16), d.extract(b, 16, 16));
  return d.concat(high, f(d.extract(a, 0, 16), d.extract(b, 0, 16)));
};

// Widened to `width` as an operand of type `t`.
constexpr auto widen = [](auto& d, Type t, auto v, unsigned width) {
  return is_signed(t) ? d.sext(v, width) : d.zext(v, width);
};

// `width` bits of which the low `count` are ones; count >= width: all.
constexpr auto low_ones = [](auto& d, auto count) {
  const unsigned w = count.width();
  return d.sub(d.shl(d.constant(w, 1), count), d.constant(w, 1));
};

// The bits of `v` where the domain can say them now (a constant operand), so that a form with an immediate control
// word becomes the few operations that it stands for.
constexpr auto known = [](auto& d, const auto& v) -> std::optional<std::uint64_t> {
  if constexpr (requires { d.known(v); })
    return d.known(v);
  else
    return std::nullopt;
};

constexpr auto umin = [](auto& d, auto a, auto b) { return d.ite(d.ult(b, a), b, a); };

}  // namespace ptxeq::ir::isa
