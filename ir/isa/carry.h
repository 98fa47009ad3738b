// PTX ISA 9.7.2: extended precision, through the carry CC.CF (a borrow for sub and subc).
#pragma once

#include "ir/isa/integer.h"

namespace ptxeq::ir::isa {

constexpr auto add_with_carry = [](auto& d, auto a, auto b, auto carry) {
  auto sum = d.add(a, b);
  auto result = d.add(sum, d.zext(carry, a.width()));
  return std::array{result, d.or_(d.ult(sum, a), d.ult(result, sum))};
};
constexpr auto subtract_with_borrow = [](auto& d, auto a, auto b, auto borrow) {
  auto difference = d.sub(a, b);
  auto in = d.zext(borrow, a.width());
  return std::array{d.sub(difference, in), d.or_(d.ult(a, b), d.ult(difference, in))};
};
constexpr auto product_half = [](auto& d, const Opcode& op, auto a, auto b) {
  return op.has("hi"_w) ? multiply_high(d, op.type(), a, b) : d.mul(a, b);
};

inline constexpr auto carry_rows = std::make_tuple(
    row({"add cc u32|s32|u64@43,20|s64@43,20",
         "d:t a:t b:t >cc",
         {12, 0},
         Action::compute,
         "9.7.2.1",
         "a + b; CC.CF = its carry"},
        [](auto& d, const Opcode&, auto a, auto b) {
          auto sum = d.add(a, b);
          return std::array{sum, d.ult(sum, a)};
        }),
    row({"addc [cc] u32|s32|u64@43,20|s64@43,20",
         "d:t a:t b:t <cc >cc",
         {12, 0},
         Action::compute,
         "9.7.2.2",
         "a + b + CC.CF; .cc: CC.CF = its carry"},
        [](auto& d, const Opcode&, auto a, auto b, auto carry) { return add_with_carry(d, a, b, carry); }),
    row({"sub cc u32|s32|u64@43,20|s64@43,20",
         "d:t a:t b:t >cc",
         {12, 0},
         Action::compute,
         "9.7.2.3",
         "a - b; CC.CF = its borrow"},
        [](auto& d, const Opcode&, auto a, auto b) { return std::array{d.sub(a, b), d.ult(a, b)}; }),
    row({"subc [cc] u32|s32|u64@43,20|s64@43,20",
         "d:t a:t b:t <cc >cc",
         {12, 0},
         Action::compute,
         "9.7.2.4",
         "a - (b + CC.CF); .cc: CC.CF = its borrow"},
        [](auto& d, const Opcode&, auto a, auto b, auto borrow) { return subtract_with_borrow(d, a, b, borrow); }),
    row({"mad lo|hi cc u32|s32|u64@43|s64@43",
         "d:t a:t b:t c:t >cc",
         {30, 20},
         Action::compute,
         "9.7.2.5",
         "low or high half of a * b, plus c; CC.CF = the sum's carry"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          auto half = product_half(d, op, a, b);
          auto sum = d.add(half, c);
          return std::array{sum, d.ult(sum, half)};
        }),
    row({"madc lo|hi [cc] u32|s32|u64@43|s64@43",
         "d:t a:t b:t c:t <cc >cc",
         {30, 20},
         Action::compute,
         "9.7.2.6",
         "low or high half of a * b, plus c + CC.CF; .cc: CC.CF = the sum's carry"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c, auto carry) {
          return add_with_carry(d, product_half(d, op, a, b), c, carry);
        }));

}  // namespace ptxeq::ir::isa
