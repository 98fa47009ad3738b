// PTX ISA 9.7.1, second half: counting, finding and moving bits; dot products.
#pragma once

#include "ir/isa/shared.h"

namespace ptxeq::ir::isa {

// b & 0xff as a number of `width` bits. The manual takes 8 bits of a position or length everywhere; the hardware
// takes all 32 in the 64-bit forms, and so do we.
constexpr auto field_number = [](auto& d, auto n, unsigned width) {
  return width == 64 ? d.zext(n, 64) : d.and_(n, d.constant(32, 0xff));
};

constexpr auto extract_field = [](auto& d, Type t, auto a, auto b, auto c) {
  const unsigned w = a.width();
  auto position = field_number(d, b, w);
  auto length = field_number(d, c, w);
  if (!is_signed(t)) return d.and_(d.lshr(a, position), low_ones(d, length));
  // Shifted to the top and back: the bit above the field's last is copied, or the sign where the field ends past it;
  // length 0 shifts everything out.
  auto bits = d.constant(w, w);
  auto unused = d.ite(d.ult(length, bits), d.sub(bits, length), d.constant(w, 0));
  return d.ashr(d.shl(d.ashr(a, position), unused), unused);
};

// Position of the highest bit that differs from the sign (unsigned: of the highest one), or from the top down.
constexpr auto find_highest = [](auto& d, const Opcode& op, auto a) {
  const unsigned w = a.width();
  auto v = is_signed(op.type()) ? d.ite(d.slt(a, d.constant(w, 0)), d.not_(a), a) : a;
  auto from_top = d.zext(d.clz(v), 32);
  auto found = op.has("shiftamt"_w) ? from_top : d.sub(d.constant(32, w - 1), from_top);
  return d.ite(d.eq(v, d.constant(w, 0)), d.constant(32, 0xffffffff), found);
};

// The |offset|-th one of `mask` at or above (offset > 0) or at or below (offset < 0) `base`; offset 0: base itself.
constexpr auto find_nth = [](auto& d, const Opcode& op, auto mask, auto base, auto offset) {
  auto number = [&](std::uint64_t n) { return d.constant(32, n); };
  auto from_base_up = d.shl(number(0xffffffff), base);
  auto up_to_base = d.not_(d.shl(number(0xfffffffe), base));
  auto backward = d.slt(offset, number(0));
  auto candidates = d.and_(mask, d.ite(backward, up_to_base, from_base_up));
  auto count = d.ite(backward, d.neg(offset), offset);
  auto result = number(0xffffffff);
  for (unsigned i = 0; i < 32; ++i) {
    auto ones_up = d.popc(d.and_(candidates, number((std::uint64_t(2) << i) - 1)));
    auto ones_down = d.popc(d.lshr(candidates, number(i)));
    auto here = d.eq(d.extract(candidates, i, 1), d.constant(1, 1));
    auto nth = d.eq(d.ite(backward, ones_down, ones_up), count);
    result = d.ite(d.and_(here, nth), number(i), result);
  }
  auto at_base = d.ite(d.eq(d.and_(d.lshr(mask, base), number(1)), number(1)), base, number(0xffffffff));
  result = d.ite(d.eq(offset, number(0)), at_base, result);
  return d.ite(d.ult(base, number(32)), result, d.unspecified(op, 32, d.concat(mask, base), offset));
};

// c + sum of the products of `count` pieces of a (each `a_bits` wide) with bytes of b from byte `first` on.
constexpr auto dot_product = [](auto& d, const Opcode& op, unsigned count, unsigned a_bits, unsigned first, auto a,
                                auto b, auto c) {
  auto sum = c;
  for (unsigned i = 0; i < count; ++i) {
    auto x = widen(d, op.type(0), d.extract(a, i * a_bits, a_bits), 32);
    auto y = widen(d, op.type(1), d.extract(b, (first + i) * 8, 8), 32);
    sum = d.add(sum, d.mul(x, y));
  }
  return sum;
};

inline constexpr auto bit_rows = std::make_tuple(
    row({"popc b32|b64", "d:u32 a:t", {20, 20}, Action::compute, "9.7.1.14", "number of ones in a"},
        [](auto& d, const Opcode&, auto a) { return d.zext(d.popc(a), 32); }),
    row({"clz b32|b64", "d:u32 a:t", {20, 20}, Action::compute, "9.7.1.15", "number of zeros above a's highest one"},
        [](auto& d, const Opcode&, auto a) { return d.zext(d.clz(a), 32); }),
    row({"bfind [shiftamt] u32|u64|s32|s64",
         "d:u32 a:t",
         {20, 20},
         Action::compute,
         "9.7.1.16",
         "position of a's highest bit that is not a copy of the sign, 0xffffffff without one"},
        [](auto& d, const Opcode& op, auto a) { return find_highest(d, op, a); }),
    row({"fns b32",
         "d:t mask:t base:t offset:s32",
         {60, 30},
         Action::compute,
         "9.7.1.17",
         "position of the offset-th one of mask, counted from base; 0xffffffff without one"},
        [](auto& d, const Opcode& op, auto mask, auto base, auto offset) {
          return find_nth(d, op, mask, base, offset);
        }),
    row({"brev b32|b64", "d:t a:t", {20, 20}, Action::compute, "9.7.1.18", "a's bits in reverse order"},
        [](auto& d, const Opcode&, auto a) { return d.brev(a); }),
    row({"bfe u32|u64|s32|s64",
         "d:t a:t b:u32 c:u32",
         {20, 20},
         Action::compute,
         "9.7.1.19",
         "c bits of a from position b, zero- or sign-extended"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) { return extract_field(d, op.type(), a, b, c); }),
    row({"bfi b32|b64",
         "f:t a:t b:t c:u32 d:u32",
         {20, 20},
         Action::compute,
         "9.7.1.20",
         "b with its d bits from position c replaced by a's low ones"},
        [](auto& d, const Opcode&, auto a, auto b, auto c, auto length) {
          auto position = field_number(d, c, a.width());
          auto mask = d.shl(low_ones(d, field_number(d, length, a.width())), position);
          return d.or_(d.and_(d.shl(a, position), mask), d.and_(b, d.not_(mask)));
        }),
    row({"szext clamp|wrap u32|s32",
         "d:t a:t b:u32",
         {76, 70},
         Action::compute,
         "9.7.1.21",
         "a's low b bits, zero- or sign-extended"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          auto bits = d.constant(32, 32);
          auto kept = op.has("wrap"_w) ? d.and_(b, d.constant(32, 31)) : umin(d, b, bits);
          auto unused = d.sub(bits, kept);
          auto top = d.shl(a, unused);
          return is_signed(op.type()) ? d.ashr(top, unused) : d.lshr(top, unused);
        }),
    row({"bmsk clamp|wrap b32",
         "d:t a:u32 b:u32",
         {76, 70},
         Action::compute,
         "9.7.1.22",
         "b ones from position a, the rest zeros"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          auto low_five = d.constant(32, 31);
          if (!op.has("wrap"_w)) return d.shl(low_ones(d, b), a);
          return d.shl(low_ones(d, d.and_(b, low_five)), d.and_(a, low_five));
        }),
    row({"dp4a u32|s32 u32|s32",
         "d:u32 a:u32 b:u32 c:u32",
         {50, 61},
         Action::compute,
         "9.7.1.23",
         "c + the dot product of the four bytes of a and b"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) { return dot_product(d, op, 4, 8, 0, a, b, c); }),
    row({"dp2a lo|hi u32|s32 u32|s32",
         "d:u32 a:u32 b:u32 c:u32",
         {50, 61},
         Action::compute,
         "9.7.1.24",
         "c + the dot product of a's 16-bit halves and two bytes of b"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return dot_product(d, op, 2, 16, op.has("hi"_w) ? 2 : 0, a, b, c);
        }));

}  // namespace ptxeq::ir::isa
