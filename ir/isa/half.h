// PTX ISA 9.7.4: half-precision arithmetic (comparisons are in compare.h). An x2 type is two values side by side.
#pragma once

#include "ir/isa/float.h"

namespace ptxeq::ir::isa {

inline bool is_half_pair(const Opcode& op, unsigned slot = 0) {
  return op.type(slot) == Type::f16x2 || op.type(slot) == Type::bf16x2;
}

// f on an f16 or bf16, or on both halves of a pair.
constexpr auto each_half = [](auto& d, const Opcode& op, auto f, auto... v) {
  if (!is_half_pair(op)) return f(v...);
  auto high = f(d.extract(v, 16, 16)...);
  return d.concat(high, f(d.extract(v, 0, 16)...));
};

// `op` on one half: what an approximate function of a pair does to each element is the scalar function.
constexpr Opcode scalar_opcode(Opcode op) {
  for (unsigned i = 0; i < op.order_count; ++i) {
    if (op.order[i] == word_count + std::size_t(Type::f16x2)) op.order[i] = word_count + std::size_t(Type::f16);
    if (op.order[i] == word_count + std::size_t(Type::bf16x2)) op.order[i] = word_count + std::size_t(Type::bf16);
  }
  if (op.types[0] == Type::f16x2) op.types[0] = Type::f16;
  if (op.types[0] == Type::bf16x2) op.types[0] = Type::bf16;
  return op;
}
constexpr auto approx_half = [](auto& d, const Opcode& op, auto a) {
  const Opcode scalar = scalar_opcode(op);
  return each_half(d, op, [&](auto x) { return d.approx(scalar, 16, x); }, a);
};
constexpr auto half_fma = [](auto& d, const Opcode& op, auto a, auto b, auto c) {
  auto attr = d.attr(op);
  attr.relu = op.has("relu"_w);
  return each_half(d, op, [&](auto x, auto y, auto z) { return d.fma(attr, x, y, z); }, a, b, c);
};

// The out-of-bounds NaN is 0x7ff7 with either sign, in f16 and in bf16; as c it is a NaN like others.
constexpr auto half_fma_oob = [](auto& d, const Opcode& op, auto a, auto b, auto c) {
  auto attr = d.attr(op);
  attr.relu = op.has("relu"_w);
  auto is_oob = [&](auto v) { return d.eq(d.and_(v, d.constant(16, 0x7fff)), d.constant(16, 0x7ff7)); };
  auto one = [&](auto x, auto y, auto z) {
    return d.ite(d.or_(is_oob(x), is_oob(y)), d.constant(16, 0), d.fma(attr, x, y, z));
  };
  return each_half(d, op, one, a, b, c);
};

inline constexpr auto half_arithmetic_rows = std::make_tuple(
    row({"add [rn] [ftz] [sat] f16|f16x2", "d:t a:t b:t", {42, 53}, Action::compute, "9.7.4.1", "d = a + b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          return each_half(d, op, [&](auto x, auto y) { return d.fadd(d.attr(op), x, y); }, a, b);
        }),
    row({"add [rn] bf16|bf16x2", "d:t a:t b:t", {78, 90}, Action::compute, "9.7.4.1", "d = a + b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          return each_half(d, op, [&](auto x, auto y) { return d.fadd(d.attr(op), x, y); }, a, b);
        }),
    row({"sub [rn] [ftz] [sat] f16|f16x2", "d:t a:t b:t", {42, 53}, Action::compute, "9.7.4.2", "d = a - b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          return each_half(d, op, [&](auto x, auto y) { return d.fsub(d.attr(op), x, y); }, a, b);
        }),
    row({"sub [rn] bf16|bf16x2", "d:t a:t b:t", {78, 90}, Action::compute, "9.7.4.2", "d = a - b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          return each_half(d, op, [&](auto x, auto y) { return d.fsub(d.attr(op), x, y); }, a, b);
        }),
    row({"mul [rn] [ftz] [sat] f16|f16x2", "d:t a:t b:t", {42, 53}, Action::compute, "9.7.4.3", "d = a * b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          return each_half(d, op, [&](auto x, auto y) { return d.fmul(d.attr(op), x, y); }, a, b);
        }),
    row({"mul [rn] bf16|bf16x2", "d:t a:t b:t", {78, 90}, Action::compute, "9.7.4.3", "d = a * b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          return each_half(d, op, [&](auto x, auto y) { return d.fmul(d.attr(op), x, y); }, a, b);
        }),
    row({"fma rn [ftz] [sat|relu@70,80] f16|f16x2",
         "d:t a:t b:t c:t",
         {42, 53},
         Action::compute,
         "9.7.4.4",
         "d = a * b + c, rounded once; .relu makes what is negative 0"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) { return half_fma(d, op, a, b, c); }),
    row({"fma rn [relu] bf16|bf16x2",
         "d:t a:t b:t c:t",
         {70, 80},
         Action::compute,
         "9.7.4.4",
         "d = a * b + c, rounded once; .relu makes what is negative 0"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) { return half_fma(d, op, a, b, c); }),
    row({"fma rn oob [relu] f16|f16x2|bf16|bf16x2",
         "d:t a:t b:t c:t",
         {81, 90},
         Action::compute,
         "9.7.4.4",
         "d = a * b + c, but 0 where a or b is the NaN that a tensor copy writes for what is out of bounds"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) { return half_fma_oob(d, op, a, b, c); }),
    row({"neg [ftz] f16|f16x2", "d:t a:t", {60, 53}, Action::compute, "9.7.4.5", "d = -a"},
        [](auto& d, const Opcode& op, auto a) {
          return each_half(d, op, [&](auto x) { return d.fneg(d.attr(op), x); }, a);
        }),
    row({"neg bf16|bf16x2", "d:t a:t", {70, 80}, Action::compute, "9.7.4.5", "d = -a"},
        [](auto& d, const Opcode& op, auto a) {
          return each_half(d, op, [&](auto x) { return d.fneg(d.attr(op), x); }, a);
        }),
    row({"abs [ftz] f16|f16x2", "d:t a:t", {65, 53}, Action::compute, "9.7.4.6", "d = |a|"},
        [](auto& d, const Opcode& op, auto a) {
          return each_half(d, op, [&](auto x) { return d.fabs(d.attr(op), x); }, a);
        }),
    row({"abs bf16|bf16x2", "d:t a:t", {70, 80}, Action::compute, "9.7.4.6", "d = |a|"},
        [](auto& d, const Opcode& op, auto a) {
          return each_half(d, op, [&](auto x) { return d.fabs(d.attr(op), x); }, a);
        }));

constexpr auto half_min = [](auto& d, const Opcode& op, auto a, auto b) {
  return each_half(d, op, [&](auto x, auto y) { return float_min(d, op, x, y); }, a, b);
};
constexpr auto half_max = [](auto& d, const Opcode& op, auto a, auto b) {
  return each_half(d, op, [&](auto x, auto y) { return float_max(d, op, x, y); }, a, b);
};

inline constexpr auto half_extreme_rows =
    std::make_tuple(row({"min [ftz] [NaN] f16|f16x2",
                         "d:t a:t b:t",
                         {70, 80},
                         Action::compute,
                         "9.7.4.7",
                         "d = the smaller, -0 below +0; a NaN only if both are, or with .NaN if one is"},
                        [](auto& d, const Opcode& op, auto a, auto b) { return half_min(d, op, a, b); }),
                    row({"min [NaN] bf16|bf16x2",
                         "d:t a:t b:t",
                         {70, 80},
                         Action::compute,
                         "9.7.4.7",
                         "d = the smaller, -0 below +0; a NaN only if both are, or with .NaN if one is"},
                        [](auto& d, const Opcode& op, auto a, auto b) { return half_min(d, op, a, b); }),
                    row({"min [ftz] [NaN] xorsign abs f16|f16x2",
                         "d:t a:t b:t",
                         {72, 86},
                         Action::compute,
                         "9.7.4.7",
                         "d = the smaller magnitude, with the product's sign"},
                        [](auto& d, const Opcode& op, auto a, auto b) { return half_min(d, op, a, b); }),
                    row({"min [NaN] xorsign abs bf16|bf16x2",
                         "d:t a:t b:t",
                         {72, 86},
                         Action::compute,
                         "9.7.4.7",
                         "d = the smaller magnitude, with the product's sign"},
                        [](auto& d, const Opcode& op, auto a, auto b) { return half_min(d, op, a, b); }),
                    row({"max [ftz] [NaN] f16|f16x2",
                         "d:t a:t b:t",
                         {70, 80},
                         Action::compute,
                         "9.7.4.8",
                         "d = the larger, -0 below +0; a NaN only if both are, or with .NaN if one is"},
                        [](auto& d, const Opcode& op, auto a, auto b) { return half_max(d, op, a, b); }),
                    row({"max [NaN] bf16|bf16x2",
                         "d:t a:t b:t",
                         {70, 80},
                         Action::compute,
                         "9.7.4.8",
                         "d = the larger, -0 below +0; a NaN only if both are, or with .NaN if one is"},
                        [](auto& d, const Opcode& op, auto a, auto b) { return half_max(d, op, a, b); }),
                    row({"max [ftz] [NaN] xorsign abs f16|f16x2",
                         "d:t a:t b:t",
                         {72, 86},
                         Action::compute,
                         "9.7.4.8",
                         "d = the larger magnitude, with the product's sign"},
                        [](auto& d, const Opcode& op, auto a, auto b) { return half_max(d, op, a, b); }),
                    row({"max [NaN] xorsign abs bf16|bf16x2",
                         "d:t a:t b:t",
                         {72, 86},
                         Action::compute,
                         "9.7.4.8",
                         "d = the larger magnitude, with the product's sign"},
                        [](auto& d, const Opcode& op, auto a, auto b) { return half_max(d, op, a, b); }));

inline constexpr auto half_approx_rows =
    std::make_tuple(row({"tanh approx f16|f16x2",
                         "d:t a:t",
                         {70, 75},
                         Action::compute,
                         "9.7.4.9",
                         "d = hyperbolic tangent of a, absolute error 2^-10.987"},
                        [](auto& d, const Opcode& op, auto a) { return approx_half(d, op, a); }),
                    row({"tanh approx bf16|bf16x2",
                         "d:t a:t",
                         {78, 90},
                         Action::compute,
                         "9.7.4.9",
                         "d = hyperbolic tangent of a, absolute error 2^-8"},
                        [](auto& d, const Opcode& op, auto a) { return approx_half(d, op, a); }),
                    row({"ex2 approx f16|f16x2",
                         "d:t a:t",
                         {70, 75},
                         Action::compute,
                         "9.7.4.10",
                         "d = 2 to the a, relative error 2^-9.9"},
                        [](auto& d, const Opcode& op, auto a) { return approx_half(d, op, a); }),
                    row({"ex2 approx ftz bf16|bf16x2",
                         "d:t a:t",
                         {78, 90},
                         Action::compute,
                         "9.7.4.10",
                         "d = 2 to the a, relative error 2^-7"},
                        [](auto& d, const Opcode& op, auto a) { return approx_half(d, op, a); }));

inline constexpr auto half_rows = std::tuple_cat(half_arithmetic_rows, half_extreme_rows, half_approx_rows);

}  // namespace ptxeq::ir::isa
