// PTX ISA 9.7.1: integer arithmetic.
#pragma once

#include "ir/isa/shared.h"

namespace ptxeq::ir::isa {

// High half of a * b as integers of type `t`.
constexpr auto multiply_high = [](auto& d, Type t, auto a, auto b) {
  return is_signed(t) ? d.smulh(a, b) : d.umulh(a, b);
};
// The whole product, twice as wide.
constexpr auto multiply_wide = [](auto& d, Type t, auto a, auto b) {
  const unsigned w = 2 * a.width();
  return d.mul(widen(d, t, a, w), widen(d, t, b, w));
};
// The 48-bit product of the low 24 bits of each.
constexpr auto multiply_24 = [](auto& d, Type t, auto a, auto b) {
  return d.mul(widen(d, t, d.extract(a, 0, 24), 48), widen(d, t, d.extract(b, 0, 24), 48));
};
constexpr auto less = [](auto& d, Type t, auto a, auto b) { return is_signed(t) ? d.slt(a, b) : d.ult(a, b); };
constexpr auto integer_min = [](auto& d, const Opcode& op, auto a, auto b) {
  auto r = d.ite(less(d, op.type(), b, a), b, a);
  auto zero = d.constant(a.width(), 0);
  return op.has("relu"_w) ? d.ite(d.slt(r, zero), zero, r) : r;
};
constexpr auto integer_max = [](auto& d, const Opcode& op, auto a, auto b) {
  auto r = d.ite(less(d, op.type(), a, b), b, a);
  auto zero = d.constant(a.width(), 0);
  return op.has("relu"_w) ? d.ite(d.slt(r, zero), zero, r) : r;
};
// The halves of a packed type are compared as their own kind.
constexpr auto packed_min_max = [](auto& d, const Opcode& op, auto a, auto b, auto f) {
  Opcode half = op;
  half.types[0] = op.type() == Type::s16x2 ? Type::s16 : Type::u16;
  return halves(d, a, b, [&](auto x, auto y) { return f(d, half, x, y); });
};

inline constexpr auto multiply_rows = std::make_tuple(
    row({"mul lo u16|u32|u64|s16|s32|s64", "d:t a:t b:t", {}, Action::compute, "9.7.1.3", "low half of a * b"},
        [](auto& d, const Opcode&, auto a, auto b) { return d.mul(a, b); }),
    row({"mul hi u16|u32|u64|s16|s32|s64", "d:t a:t b:t", {}, Action::compute, "9.7.1.3", "high half of a * b"},
        [](auto& d, const Opcode& op, auto a, auto b) { return multiply_high(d, op.type(), a, b); }),
    row({"mul wide u16|u32|s16|s32", "d:2t a:t b:t", {}, Action::compute, "9.7.1.3", "a * b, twice as wide"},
        [](auto& d, const Opcode& op, auto a, auto b) { return multiply_wide(d, op.type(), a, b); }),
    row({"mad lo u16|u32|u64|s16|s32|s64",
         "d:t a:t b:t c:t",
         {},
         Action::compute,
         "9.7.1.4",
         "low half of a * b, plus c"},
        [](auto& d, const Opcode&, auto a, auto b, auto c) { return d.add(d.mul(a, b), c); }),
    row({"mad hi u16|u32|u64|s16|s32|s64",
         "d:t a:t b:t c:t",
         {},
         Action::compute,
         "9.7.1.4",
         "high half of a * b, plus c"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) { return d.add(multiply_high(d, op.type(), a, b), c); }),
    row({"mad hi sat s32",
         "d:t a:t b:t c:t",
         {},
         Action::compute,
         "9.7.1.4",
         "high half of a * b, plus c, clamped to s32"},
        [](auto& d, const Opcode&, auto a, auto b, auto c) {
          return clamp_s32(d, d.add(d.sext(d.smulh(a, b), 64), d.sext(c, 64)));
        }),
    row({"mad wide u16|u32|s16|s32",
         "d:2t a:t b:t c:2t",
         {},
         Action::compute,
         "9.7.1.4",
         "a * b, twice as wide, plus c"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) { return d.add(multiply_wide(d, op.type(), a, b), c); }),
    row({"mul24 lo u32|s32", "d:t a:t b:t", {}, Action::compute, "9.7.1.5", "bits 31..0 of the 24-bit product"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.extract(multiply_24(d, op.type(), a, b), 0, 32); }),
    row({"mul24 hi u32|s32", "d:t a:t b:t", {}, Action::compute, "9.7.1.5", "bits 47..16 of the 24-bit product"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.extract(multiply_24(d, op.type(), a, b), 16, 32); }),
    row({"mad24 lo u32|s32",
         "d:t a:t b:t c:t",
         {},
         Action::compute,
         "9.7.1.6",
         "bits 31..0 of the 24-bit product, plus c"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return d.add(d.extract(multiply_24(d, op.type(), a, b), 0, 32), c);
        }),
    row({"mad24 hi u32|s32",
         "d:t a:t b:t c:t",
         {},
         Action::compute,
         "9.7.1.6",
         "bits 47..16 of the 24-bit product, plus c"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return d.add(d.extract(multiply_24(d, op.type(), a, b), 16, 32), c);
        }),
    row({"mad24 hi sat s32",
         "d:t a:t b:t c:t",
         {},
         Action::compute,
         "9.7.1.6",
         "bits 47..16 of the 24-bit product, plus c, clamped to s32"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          auto product = d.extract(multiply_24(d, op.type(), a, b), 16, 32);
          return clamp_s32(d, d.add(d.sext(product, 64), d.sext(c, 64)));
        }));

inline constexpr auto arithmetic_rows = std::make_tuple(
    row({"add u16|u32|u64|s16|s32|s64", "d:t a:t b:t", {}, Action::compute, "9.7.1.1", "a + b"},
        [](auto& d, const Opcode&, auto a, auto b) { return d.add(a, b); }),
    row({"add sat s32", "d:t a:t b:t", {}, Action::compute, "9.7.1.1", "a + b, clamped to s32"},
        [](auto& d, const Opcode&, auto a, auto b) { return clamp_s32(d, d.add(d.sext(a, 64), d.sext(b, 64))); }),
    row({"add u16x2|s16x2", "d:t a:t b:t", {80, 90}, Action::compute, "9.7.1.1", "a + b in each 16-bit half"},
        [](auto& d, const Opcode&, auto a, auto b) {
          return halves(d, a, b, [&](auto x, auto y) { return d.add(x, y); });
        }),
    row({"sub u16|u32|u64|s16|s32|s64", "d:t a:t b:t", {}, Action::compute, "9.7.1.2", "a - b"},
        [](auto& d, const Opcode&, auto a, auto b) { return d.sub(a, b); }),
    row({"sub sat s32", "d:t a:t b:t", {}, Action::compute, "9.7.1.2", "a - b, clamped to s32"},
        [](auto& d, const Opcode&, auto a, auto b) { return clamp_s32(d, d.sub(d.sext(a, 64), d.sext(b, 64))); }),
    row({"sad u16|u32|u64|s16|s32|s64", "d:t a:t b:t c:t", {}, Action::compute, "9.7.1.7", "c + |a - b|"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return d.add(c, d.ite(less(d, op.type(), a, b), d.sub(b, a), d.sub(a, b)));
        }),
    row({"div u16|u32|u64|s16|s32|s64",
         "d:t a:t b:t",
         {},
         Action::compute,
         "9.7.1.8",
         "a / b, towards zero; unspecified for b = 0"},
        [](auto& d, const Opcode& op, auto a, auto b) { return is_signed(op.type()) ? d.sdiv(a, b) : d.udiv(a, b); }),
    row({"rem u16|u32|u64|s16|s32|s64",
         "d:t a:t b:t",
         {},
         Action::compute,
         "9.7.1.9",
         "a - (a / b) * b; unspecified for b = 0"},
        [](auto& d, const Opcode& op, auto a, auto b) { return is_signed(op.type()) ? d.srem(a, b) : d.urem(a, b); }),
    row({"abs s16|s32|s64", "d:t a:t", {}, Action::compute, "9.7.1.10", "|a|, the least value staying itself"},
        [](auto& d, const Opcode&, auto a) { return d.ite(d.slt(a, d.constant(a.width(), 0)), d.neg(a), a); }),
    row({"neg s16|s32|s64", "d:t a:t", {}, Action::compute, "9.7.1.11", "-a"},
        [](auto& d, const Opcode&, auto a) { return d.neg(a); }),
    row({"min u16|u32|u64|s16|s32|s64", "d:t a:t b:t", {}, Action::compute, "9.7.1.12", "the lesser of a and b"},
        [](auto& d, const Opcode& op, auto a, auto b) { return integer_min(d, op, a, b); }),
    row({"min relu s32", "d:t a:t b:t", {80, 90}, Action::compute, "9.7.1.12", "the lesser of a and b, at least 0"},
        [](auto& d, const Opcode& op, auto a, auto b) { return integer_min(d, op, a, b); }),
    row({"min [relu] s16x2", "d:t a:t b:t", {80, 90}, Action::compute, "9.7.1.12", "the lesser in each 16-bit half"},
        [](auto& d, const Opcode& op, auto a, auto b) { return packed_min_max(d, op, a, b, integer_min); }),
    row({"min u16x2", "d:t a:t b:t", {80, 90}, Action::compute, "9.7.1.12", "the lesser in each 16-bit half"},
        [](auto& d, const Opcode& op, auto a, auto b) { return packed_min_max(d, op, a, b, integer_min); }),
    row({"max u16|u32|u64|s16|s32|s64", "d:t a:t b:t", {}, Action::compute, "9.7.1.13", "the greater of a and b"},
        [](auto& d, const Opcode& op, auto a, auto b) { return integer_max(d, op, a, b); }),
    row({"max relu s32", "d:t a:t b:t", {80, 90}, Action::compute, "9.7.1.13", "the greater of a and b, at least 0"},
        [](auto& d, const Opcode& op, auto a, auto b) { return integer_max(d, op, a, b); }),
    row({"max [relu] s16x2", "d:t a:t b:t", {80, 90}, Action::compute, "9.7.1.13", "the greater in each 16-bit half"},
        [](auto& d, const Opcode& op, auto a, auto b) { return packed_min_max(d, op, a, b, integer_max); }),
    row({"max u16x2", "d:t a:t b:t", {80, 90}, Action::compute, "9.7.1.13", "the greater in each 16-bit half"},
        [](auto& d, const Opcode& op, auto a, auto b) { return packed_min_max(d, op, a, b, integer_max); }));

}  // namespace ptxeq::ir::isa
