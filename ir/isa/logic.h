// PTX ISA 9.7.8: logic and shifts.
#pragma once

#include "ir/isa/shared.h"

namespace ptxeq::ir::isa {

// A shift amount, 32 bits unsigned whatever the type, as a number of `width` bits; what does not fit is `width`.
constexpr auto shift_amount = [](auto& d, auto n, unsigned width) {
  if (width >= 32) return d.zext(n, width);
  return d.zext(umin(d, n, d.constant(32, width)), width);
};

// The function of the last `N` of `inputs` that table `lut` names (the first input is the highest index bit), from
// few operations: a variable that can be split off as and, or, xor goes first.
template <std::size_t N>
struct Lookup {
  template <class D, class V>
  static V build(D& d, unsigned lut, const std::array<V, N>& inputs) {
    const unsigned ones = (1u << (1u << N)) - 1, half_ones = (1u << (1u << (N - 1))) - 1;
    if (lut == 0) return d.constant(32, 0);
    if (lut == ones) return d.constant(32, 0xffffffff);
    std::size_t chosen = 0;
    for (std::size_t i = N; i-- > 0;) {
      const unsigned low = cofactor(lut, i, false), high = cofactor(lut, i, true);
      if (low == high || low == 0 || high == 0 || low == half_ones || high == half_ones || low == (high ^ half_ones))
        chosen = i;
    }
    return split(d, lut, chosen, inputs);
  }

 private:
  // `lut` with input `i` fixed.
  static unsigned cofactor(unsigned lut, std::size_t i, bool value) {
    const unsigned bit = unsigned(N - 1 - i);
    unsigned result = 0, at = 0;
    for (unsigned index = 0; index < (1u << N); ++index)
      if (bool(index >> bit & 1) == value) result |= (lut >> index & 1) << at++;
    return result;
  }
  template <class D, class V>
  static V split(D& d, unsigned lut, std::size_t i, const std::array<V, N>& inputs) {
    const unsigned half_ones = (1u << (1u << (N - 1))) - 1;
    const unsigned low = cofactor(lut, i, false), high = cofactor(lut, i, true);
    const V x = inputs[i];
    if constexpr (N == 1) {
      return high ? x : d.not_(x);
    } else {
      std::array<V, N - 1> rest = without(inputs, i, std::make_index_sequence<N - 1>());
      auto of = [&](unsigned table) { return Lookup<N - 1>::build(d, table, rest); };
      if (low == high) return of(low);
      if (low == 0) return high == half_ones ? x : d.and_(x, of(high));
      if (high == 0) return low == half_ones ? d.not_(x) : d.and_(d.not_(x), of(low));
      if (high == half_ones) return d.or_(x, of(low));
      if (low == half_ones) return d.or_(d.not_(x), of(high));
      if (low == (high ^ half_ones)) return d.xor_(x, of(low));
      return d.or_(d.and_(x, of(high)), d.and_(d.not_(x), of(low)));
    }
  }
  template <class V, std::size_t... I>
  static std::array<V, N - 1> without(const std::array<V, N>& all, std::size_t i, std::index_sequence<I...>) {
    return {all[I < i ? I : I + 1]...};
  }
};

// 9.7.8.6: bit i of the table is the result where (a, b, c) spell i.
constexpr auto lookup = [](auto& d, auto a, auto b, auto c, auto table) {
  if (auto lut = known(d, table)) return Lookup<3>::build(d, unsigned(*lut & 0xff), std::array{a, b, c});
  auto result = d.constant(32, 0);
  for (unsigned i = 0; i < 8; ++i) {
    auto term = d.and_(i & 4 ? a : d.not_(a), d.and_(i & 2 ? b : d.not_(b), i & 1 ? c : d.not_(c)));
    result = d.or_(result, d.and_(term, d.sext(d.extract(table, i, 1), 32)));
  }
  return result;
};

inline constexpr auto logic_rows = std::make_tuple(
    row({"and pred|b16|b32|b64", "d:t a:t b:t", {}, Action::compute, "9.7.8.1", "a & b"},
        [](auto& d, const Opcode&, auto a, auto b) { return d.and_(a, b); }),
    row({"or pred|b16|b32|b64", "d:t a:t b:t", {}, Action::compute, "9.7.8.2", "a | b"},
        [](auto& d, const Opcode&, auto a, auto b) { return d.or_(a, b); }),
    row({"xor pred|b16|b32|b64", "d:t a:t b:t", {}, Action::compute, "9.7.8.3", "a ^ b"},
        [](auto& d, const Opcode&, auto a, auto b) { return d.xor_(a, b); }),
    row({"not pred|b16|b32|b64", "d:t a:t", {}, Action::compute, "9.7.8.4", "~a"},
        [](auto& d, const Opcode&, auto a) { return d.not_(a); }),
    row({"cnot b16|b32|b64", "d:t a:t", {}, Action::compute, "9.7.8.5", "1 if a is 0, else 0"},
        [](auto& d, const Opcode&, auto a) { return d.zext(d.eq(a, d.constant(a.width(), 0)), a.width()); }),
    row({"lop3 b32",
         "d:t a:t b:t c:t lut:imm",
         {43, 50},
         Action::compute,
         "9.7.8.6",
         "the logical function of a, b, c with the table lut"},
        [](auto& d, const Opcode&, auto a, auto b, auto c, auto lut) { return lookup(d, a, b, c, lut); }),
    row({"lop3 or|and b32",
         "d|p:t a:t b:t c:t lut:imm q:pred",
         {82, 70},
         Action::compute,
         "9.7.8.6",
         "the logical function of a, b, c with the table lut; p = (d != 0) BoolOp q"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c, auto lut, auto q) {
          auto result = lookup(d, a, b, c, lut);
          auto some = d.ne(result, d.constant(32, 0));
          return std::array{result, op.has("or"_w) ? d.or_(some, q) : d.and_(some, q)};
        }),
    row({"shf l|r clamp|wrap b32",
         "d:t a:t b:t c:u32",
         {31, 32},
         Action::compute,
         "9.7.8.7",
         "l: the high, r: the low half of b:a, shifted by c"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          auto bits = d.constant(32, 32);
          auto n = op.has("wrap"_w) ? d.and_(c, d.constant(32, 31)) : umin(d, c, bits);
          auto rest = d.sub(bits, n);
          return op.has("l"_w) ? d.or_(d.shl(b, n), d.lshr(a, rest)) : d.or_(d.shl(b, rest), d.lshr(a, n));
        }),
    row({"shl b16|b32|b64", "d:t a:t b:u32", {}, Action::compute, "9.7.8.8", "a << b, 0 from the width on"},
        [](auto& d, const Opcode&, auto a, auto b) { return d.shl(a, shift_amount(d, b, a.width())); }),
    row({"shr b16|b32|b64|u16|u32|u64|s16|s32|s64",
         "d:t a:t b:u32",
         {},
         Action::compute,
         "9.7.8.9",
         "a >> b, filled with zeros (s: with the sign)"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          auto amount = shift_amount(d, b, a.width());
          return is_signed(op.type()) ? d.ashr(a, amount) : d.lshr(a, amount);
        }));

}  // namespace ptxeq::ir::isa
