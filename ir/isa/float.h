// PTX ISA 9.7.3 and 9.7.5: floating-point instructions. What NaNs, .ftz and .sat do is in symbolic/float.cpp.
#pragma once

#include "ir/isa/shared.h"

namespace ptxeq::ir::isa {

// Layout of f32 and f64 values as bits.
struct FloatBits {
  std::uint64_t sign, infinity, min_normal, one;
};
constexpr FloatBits float_bits(unsigned width) {
  return width == 64 ? FloatBits{0x8000000000000000, 0x7ff0000000000000, 0x0010000000000000, 0x3ff0000000000000}
                     : FloatBits{0x80000000, 0x7f800000, 0x00800000, 0x3f800000};
}

// f on both elements of an f32x2.
constexpr auto pair_of_f32 = [](auto& d, auto f, auto... v) {
  auto high = f(d.extract(v, 32, 32)...);
  return d.concat(high, f(d.extract(v, 0, 32)...));
};

// A scalar fma: long sums are made of these, and the symbolic domain has a loop of its own for them.
constexpr auto one_fma = [](auto& d, const Opcode& op, auto a, auto b, auto c) { return d.fma(d.attr(op), a, b, c); };

// min or max as the manual's two_inputs_min: .NaN, .xorsign and .abs around `choose`.
constexpr auto float_extreme = [](auto& d, const Opcode& op, auto a, auto b, auto choose) {
  auto attr = d.attr(op);
  attr.flag = op.has("NaN"_w);
  if (!op.has("xorsign"_w)) return choose(attr, a, b);
  auto sign = d.constant(a.width(), std::uint64_t(1) << (a.width() - 1));
  auto rest = d.not_(sign);
  auto r = choose(attr, d.and_(a, rest), d.and_(b, rest));
  return d.ite(d.fisnan(attr, r), r, d.or_(r, d.and_(d.xor_(a, b), sign)));
};
constexpr auto float_min = [](auto& d, const Opcode& op, auto a, auto b) {
  return float_extreme(d, op, a, b, [&](auto attr, auto x, auto y) { return d.fmin(attr, x, y); });
};
constexpr auto float_max = [](auto& d, const Opcode& op, auto a, auto b) {
  return float_extreme(d, op, a, b, [&](auto attr, auto x, auto y) { return d.fmax(attr, x, y); });
};
// Of three inputs, .abs makes all of them positive first.
constexpr auto float_extreme3 = [](auto& d, const Opcode& op, auto a, auto b, auto c, auto choose) {
  auto attr = d.attr(op);
  attr.flag = op.has("NaN"_w);
  auto rest = d.constant(32, op.has("abs"_w) ? 0x7fffffff : 0xffffffff);
  return choose(attr, choose(attr, d.and_(a, rest), d.and_(b, rest)), d.and_(c, rest));
};

// The f32 that an f16 or bf16 operand of type `t` stands for; exact.
constexpr auto half_to_f32 = [](auto& d, const Opcode& op, Type t, auto v) {
  decltype(d.attr(op)) attr{};
  attr.bf16 = t == Type::bf16;
  return d.fround(attr, v, 32);
};

constexpr auto test_property = [](auto& d, const Opcode& op, auto a) {
  const unsigned w = a.width();
  const FloatBits f = float_bits(w);
  auto magnitude = d.and_(a, d.constant(w, f.sign - 1));
  auto infinity = d.constant(w, f.infinity);
  auto least = d.constant(w, f.min_normal);
  auto zero = d.eq(magnitude, d.constant(w, 0));
  if (op.has("finite"_w)) return d.ult(magnitude, infinity);
  if (op.has("infinite"_w)) return d.eq(magnitude, infinity);
  if (op.has("number"_w)) return d.ule(magnitude, infinity);
  if (op.has("notanumber"_w)) return d.ult(infinity, magnitude);
  auto subnormal = d.and_(d.ult(magnitude, least), d.not_(zero));
  if (op.has("subnormal"_w)) return subnormal;
  return d.and_(d.ult(magnitude, infinity), d.not_(subnormal));  // .normal holds for zeros too
};

inline constexpr auto float_arithmetic_rows = std::make_tuple(
    row({"testp finite|infinite|number|notanumber|normal|subnormal f32|f64",
         "p:pred a:t",
         {20, 20},
         Action::compute,
         "9.7.3.1",
         "p = whether a has the property; zeros are normal"},
        [](auto& d, const Opcode& op, auto a) { return test_property(d, op, a); }),
    row({"copysign f32|f64", "d:t a:t b:t", {20, 20}, Action::compute, "9.7.3.2", "d = b with the sign of a"},
        [](auto& d, const Opcode&, auto a, auto b) {
          auto sign = d.constant(a.width(), float_bits(a.width()).sign);
          return d.or_(d.and_(a, sign), d.and_(b, d.not_(sign)));
        }),
    row({"add [rn|rz|rm|rp] [ftz] [sat] f32", "d:t a:t b:t", {}, Action::compute, "9.7.3.3", "d = a + b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.fadd(d.attr(op), a, b); }),
    row({"add [rn|rz|rm|rp] f64", "d:t a:t b:t", {10, 13}, Action::compute, "9.7.3.3", "d = a + b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.fadd(d.attr(op), a, b); }),
    row({"add [rn|rz|rm|rp] [ftz] f32x2",
         "d:t a:t b:t",
         {86, 100},
         Action::compute,
         "9.7.3.3",
         "both elements: d = a + b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          return pair_of_f32(d, [&](auto x, auto y) { return d.fadd(d.attr(op), x, y); }, a, b);
        }),
    row({"sub [rn|rz|rm|rp] [ftz] [sat] f32", "d:t a:t b:t", {}, Action::compute, "9.7.3.4", "d = a - b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.fsub(d.attr(op), a, b); }),
    row({"sub [rn|rz|rm|rp] f64", "d:t a:t b:t", {10, 13}, Action::compute, "9.7.3.4", "d = a - b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.fsub(d.attr(op), a, b); }),
    row({"sub [rn|rz|rm|rp] [ftz] f32x2",
         "d:t a:t b:t",
         {86, 100},
         Action::compute,
         "9.7.3.4",
         "both elements: d = a - b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          return pair_of_f32(d, [&](auto x, auto y) { return d.fsub(d.attr(op), x, y); }, a, b);
        }),
    row({"mul [rn|rz|rm|rp] [ftz] [sat] f32", "d:t a:t b:t", {}, Action::compute, "9.7.3.5", "d = a * b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.fmul(d.attr(op), a, b); }),
    row({"mul [rn|rz|rm|rp] f64", "d:t a:t b:t", {10, 13}, Action::compute, "9.7.3.5", "d = a * b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.fmul(d.attr(op), a, b); }),
    row({"mul [rn|rz|rm|rp] [ftz] f32x2",
         "d:t a:t b:t",
         {86, 100},
         Action::compute,
         "9.7.3.5",
         "both elements: d = a * b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) {
          return pair_of_f32(d, [&](auto x, auto y) { return d.fmul(d.attr(op), x, y); }, a, b);
        }),
    row({"fma rn|rz|rm|rp [ftz] [sat] f32",
         "d:t a:t b:t c:t",
         {20, 20},
         Action::compute,
         "9.7.3.6",
         "d = a * b + c, rounded once"},
        one_fma),
    row({"fma rn|rz|rm|rp f64", "d:t a:t b:t c:t", {14, 13}, Action::compute, "9.7.3.6", "d = a * b + c, rounded once"},
        one_fma),
    row({"fma rn|rz|rm|rp [ftz] f32x2",
         "d:t a:t b:t c:t",
         {86, 100},
         Action::compute,
         "9.7.3.6",
         "both elements: d = a * b + c, rounded once"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return pair_of_f32(d, [&](auto x, auto y, auto z) { return d.fma(d.attr(op), x, y, z); }, a, b, c);
        }),
    row({"mad rn|rz|rm|rp [ftz] [sat] f32", "d:t a:t b:t c:t", {20, 20}, Action::compute, "9.7.3.7", "the same as fma"},
        one_fma),
    row({"mad rn|rz|rm|rp f64", "d:t a:t b:t c:t", {14, 13}, Action::compute, "9.7.3.7", "the same as fma"}, one_fma),
    row({"abs [ftz] f32", "d:t a:t", {}, Action::compute, "9.7.3.9", "d = |a|"},
        [](auto& d, const Opcode& op, auto a) { return d.fabs(d.attr(op), a); }),
    row({"abs f64", "d:t a:t", {10, 13}, Action::compute, "9.7.3.9", "d = |a|; a NaN keeps its sign"},
        [](auto& d, const Opcode& op, auto a) { return d.fabs(d.attr(op), a); }),
    row({"neg [ftz] f32", "d:t a:t", {}, Action::compute, "9.7.3.10", "d = -a"},
        [](auto& d, const Opcode& op, auto a) { return d.fneg(d.attr(op), a); }),
    row({"neg f64", "d:t a:t", {10, 13}, Action::compute, "9.7.3.10", "d = -a; a NaN keeps its sign"},
        [](auto& d, const Opcode& op, auto a) { return d.fneg(d.attr(op), a); }));

inline constexpr auto float_extreme_rows = std::make_tuple(
    row({"min [ftz] [NaN@70,80] f32",
         "d:t a:t b:t",
         {},
         Action::compute,
         "9.7.3.11",
         "d = the smaller, -0 below +0; a NaN only if both are, or with .NaN if one is"},
        [](auto& d, const Opcode& op, auto a, auto b) { return float_min(d, op, a, b); }),
    row({"min [ftz] [NaN] xorsign abs f32",
         "d:t a:t b:t",
         {72, 86},
         Action::compute,
         "9.7.3.11",
         "d = the smaller magnitude, with the product's sign"},
        [](auto& d, const Opcode& op, auto a, auto b) { return float_min(d, op, a, b); }),
    row({"min [ftz] [NaN] [abs] f32",
         "d:t a:t b:t c:t",
         {88, 100},
         Action::compute,
         "9.7.3.11",
         "d = the smallest of three (with .abs: of the magnitudes)"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return float_extreme3(d, op, a, b, c, [&](auto t, auto x, auto y) { return d.fmin(t, x, y); });
        }),
    row({"min f64", "d:t a:t b:t", {10, 13}, Action::compute, "9.7.3.11", "d = the smaller, -0 below +0"},
        [](auto& d, const Opcode& op, auto a, auto b) { return float_min(d, op, a, b); }),
    row({"max [ftz] [NaN@70,80] f32",
         "d:t a:t b:t",
         {},
         Action::compute,
         "9.7.3.12",
         "d = the larger, -0 below +0; a NaN only if both are, or with .NaN if one is"},
        [](auto& d, const Opcode& op, auto a, auto b) { return float_max(d, op, a, b); }),
    row({"max [ftz] [NaN] xorsign abs f32",
         "d:t a:t b:t",
         {72, 86},
         Action::compute,
         "9.7.3.12",
         "d = the larger magnitude, with the product's sign"},
        [](auto& d, const Opcode& op, auto a, auto b) { return float_max(d, op, a, b); }),
    row({"max [ftz] [NaN] [abs] f32",
         "d:t a:t b:t c:t",
         {88, 100},
         Action::compute,
         "9.7.3.12",
         "d = the largest of three (with .abs: of the magnitudes)"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return float_extreme3(d, op, a, b, c, [&](auto t, auto x, auto y) { return d.fmax(t, x, y); });
        }),
    row({"max f64", "d:t a:t b:t", {10, 13}, Action::compute, "9.7.3.12", "d = the larger, -0 below +0"},
        [](auto& d, const Opcode& op, auto a, auto b) { return float_max(d, op, a, b); }));

// Division and roots: exact ones round, the others are functions of their own.
inline constexpr auto float_quotient_rows = std::make_tuple(
    row({"div rn|rz|rm|rp [ftz] f32", "d:t a:t b:t", {14, 20}, Action::compute, "9.7.3.8", "d = a / b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.fdiv(d.attr(op), a, b); }),
    row({"div rn|rz|rm|rp f64", "d:t a:t b:t", {14, 13}, Action::compute, "9.7.3.8", "d = a / b, rounded"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.fdiv(d.attr(op), a, b); }),
    row({"div approx|full [ftz] f32", "d:t a:t b:t", {14}, Action::compute, "9.7.3.8", "d = a / b, within 2 ulp"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.approx(op, 32, a, b); }),
    row({"rcp rn|rz|rm|rp [ftz] f32", "d:t a:t", {14, 20}, Action::compute, "9.7.3.13", "d = 1 / a, rounded"},
        [](auto& d, const Opcode& op, auto a) { return d.fdiv(d.attr(op), d.constant(32, float_bits(32).one), a); }),
    row({"rcp rn|rz|rm|rp f64", "d:t a:t", {14, 13}, Action::compute, "9.7.3.13", "d = 1 / a, rounded"},
        [](auto& d, const Opcode& op, auto a) { return d.fdiv(d.attr(op), d.constant(64, float_bits(64).one), a); }),
    row({"rcp approx [ftz] f32", "d:t a:t", {14}, Action::compute, "9.7.3.13", "d = 1 / a, within 1 ulp"},
        [](auto& d, const Opcode& op, auto a) { return d.approx(op, 32, a); }),
    row({"rcp approx ftz f64",
         "d:t a:t",
         {21, 20},
         Action::compute,
         "9.7.3.14",
         "d = 1 / a from the upper word of a, lower word of d zero"},
        [](auto& d, const Opcode& op, auto a) { return d.approx(op, 64, a); }),
    row({"sqrt rn|rz|rm|rp [ftz] f32",
         "d:t a:t",
         {14, 20},
         Action::compute,
         "9.7.3.15",
         "d = square root of a, rounded"},
        [](auto& d, const Opcode& op, auto a) { return d.fsqrt(d.attr(op), a); }),
    row({"sqrt rn|rz|rm|rp f64", "d:t a:t", {14, 13}, Action::compute, "9.7.3.15", "d = square root of a, rounded"},
        [](auto& d, const Opcode& op, auto a) { return d.fsqrt(d.attr(op), a); }),
    row({"sqrt approx [ftz] f32",
         "d:t a:t",
         {14},
         Action::compute,
         "9.7.3.15",
         "d = square root of a, relative error 2^-23"},
        [](auto& d, const Opcode& op, auto a) { return d.approx(op, 32, a); }),
    row({"rsqrt approx [ftz] f32",
         "d:t a:t",
         {14},
         Action::compute,
         "9.7.3.16",
         "d = 1 / square root of a, relative error 2^-22.9"},
        [](auto& d, const Opcode& op, auto a) { return d.approx(op, 32, a); }),
    row({"rsqrt approx f64", "d:t a:t", {14, 13}, Action::compute, "9.7.3.16", "d = 1 / square root of a"},
        [](auto& d, const Opcode& op, auto a) { return d.approx(op, 64, a); }),
    row({"rsqrt approx ftz f64",
         "d:t a:t",
         {40, 20},
         Action::compute,
         "9.7.3.17",
         "d = 1 / square root of a from the upper word of a, lower word of d zero"},
        [](auto& d, const Opcode& op, auto a) { return d.approx(op, 64, a); }));

inline constexpr auto float_approx_rows = std::make_tuple(
    row({"sin approx [ftz] f32",
         "d:t a:t",
         {14},
         Action::compute,
         "9.7.3.18",
         "d = sine of a, absolute error 2^-20.5 in [-2 pi, 2 pi]"},
        [](auto& d, const Opcode& op, auto a) { return d.approx(op, 32, a); }),
    row({"cos approx [ftz] f32",
         "d:t a:t",
         {14},
         Action::compute,
         "9.7.3.19",
         "d = cosine of a, absolute error 2^-20.5 in [-2 pi, 2 pi]"},
        [](auto& d, const Opcode& op, auto a) { return d.approx(op, 32, a); }),
    row({"lg2 approx [ftz] f32",
         "d:t a:t",
         {14},
         Action::compute,
         "9.7.3.20",
         "d = base-2 logarithm of a, error 2^-22 (absolute in (0.5, 2), else relative)"},
        [](auto& d, const Opcode& op, auto a) { return d.approx(op, 32, a); }),
    row({"ex2 approx [ftz] f32", "d:t a:t", {14}, Action::compute, "9.7.3.21", "d = 2 to the a, within 2 ulp"},
        [](auto& d, const Opcode& op, auto a) { return d.approx(op, 32, a); }),
    row({"tanh approx f32",
         "d:t a:t",
         {70, 75},
         Action::compute,
         "9.7.3.22",
         "d = hyperbolic tangent of a, relative error 2^-11"},
        [](auto& d, const Opcode& op, auto a) { return d.approx(op, 32, a); }));

inline constexpr auto mixed_precision_rows = std::make_tuple(
    row({"add [rn|rz|rm|rp] [sat] f32 f16|bf16",
         "d:t a:t1 c:t",
         {86, 100},
         Action::compute,
         "9.7.5.1",
         "d = a as f32 + c, rounded"},
        [](auto& d, const Opcode& op, auto a, auto c) {
          return d.fadd(d.attr(op), half_to_f32(d, op, op.type(1), a), c);
        }),
    row({"sub [rn|rz|rm|rp] [sat] f32 f16|bf16",
         "d:t a:t1 c:t",
         {86, 100},
         Action::compute,
         "9.7.5.2",
         "d = a as f32 - c, rounded"},
        [](auto& d, const Opcode& op, auto a, auto c) {
          return d.fsub(d.attr(op), half_to_f32(d, op, op.type(1), a), c);
        }),
    row({"fma rn|rz|rm|rp [sat] f32 f16|bf16",
         "d:t a:t1 b:t1 c:t",
         {86, 100},
         Action::compute,
         "9.7.5.3",
         "d = a as f32 * b as f32 + c, rounded once"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return d.fma(d.attr(op), half_to_f32(d, op, op.type(1), a), half_to_f32(d, op, op.type(1), b), c);
        }));

inline constexpr auto float_rows = std::tuple_cat(float_arithmetic_rows, float_extreme_rows, float_quotient_rows,
                                                  float_approx_rows, mixed_precision_rows);

}  // namespace ptxeq::ir::isa
