// PTX ISA 9.7.9.21: cvt between integers and f16, bf16, f32, f64 (narrower formats are in convert_narrow.h).
// Which combinations exist is what ptxas takes: a rounding exactly where a conversion can lose something.
#pragma once

#include "ir/isa/convert_narrow.h"

namespace ptxeq::ir::isa {

constexpr auto convert_integer = [](auto& d, const Opcode& op, auto a) { return widen(d, op.type(1), a, op.bits(0)); };

// Clamped to the destination's range; compared in the source's own width and signedness.
constexpr auto convert_integer_sat = [](auto& d, const Opcode& op, auto a) {
  const unsigned w = a.width(), to = op.bits(0);
  const bool from_signed = is_signed(op.type(1)), to_signed = is_signed(op.type(0));
  const unsigned largest_bits = to_signed ? to - 1 : to;
  auto r = convert_integer(d, op, a);
  if (largest_bits < (from_signed ? w - 1 : w)) {  // too large is possible
    auto largest = d.constant(w, (std::uint64_t(1) << largest_bits) - 1);
    auto above = from_signed ? d.slt(largest, a) : d.ult(largest, a);
    r = d.ite(above, d.constant(to, (std::uint64_t(1) << largest_bits) - 1), r);
  }
  if (!from_signed || (to_signed && to >= w)) return r;  // too small is not
  const std::uint64_t least = to_signed ? ~std::uint64_t(0) << (to - 1) : 0;
  return d.ite(d.slt(a, d.constant(w, least)), d.constant(to, least), r);
};

constexpr auto convert_to_integer = [](auto& d, const Opcode& op, auto a) {
  auto attr = d.attr(op);
  attr.bf16 = op.type(1) == Type::bf16;
  attr.flag = is_signed(op.type(0));
  return d.ftoi(attr, a, op.bits(0));
};
constexpr auto convert_from_integer = [](auto& d, const Opcode& op, auto a) {
  auto attr = d.attr(op);
  attr.bf16 = op.type(0) == Type::bf16;
  attr.flag = is_signed(op.type(1));
  return d.itof(attr, a, op.bits(0));
};
constexpr auto convert_to_integral = [](auto& d, const Opcode& op, auto a) {
  auto attr = d.attr(op);
  attr.bf16 = op.type(0) == Type::bf16;
  return d.frint(attr, a);
};

// Float to float; `a` has type `from`. On the hardware .ftz leaves an f32 alone that becomes an f16.
constexpr auto convert_float = [](auto& d, const Opcode& op, Type to, Type from, auto a) {
  auto attr = d.attr(op);
  attr.relu = op.has("relu"_w);
  attr.bf16 = from == Type::bf16;
  attr.flag = to == Type::bf16;
  if (to == Type::f16) attr.ftz = false;
  auto r = d.fround(attr, a, bits(to));
  if (!op.has("satfinite"_w)) return r;
  // What rounded to infinity becomes the largest finite number, next to it.
  auto infinite = d.eq(d.and_(r, d.constant(16, 0x7fff)), d.constant(16, attr.flag ? 0x7f80 : 0x7c00));
  return d.ite(infinite, d.sub(r, d.constant(16, 1)), r);
};
constexpr auto convert_scalar = [](auto& d, const Opcode& op, auto a) {
  return convert_float(d, op, op.type(0), op.type(1), a);
};
// Within one format there is nothing to round, and a NaN passes as it is.
constexpr auto convert_same = [](auto& d, const Opcode& op, auto a) {
  return op.has("ftz"_w) || op.has("sat"_w) ? convert_scalar(d, op, a) : a;
};
// The first source becomes the high half.
constexpr auto convert_pair = [](auto& d, const Opcode& op, auto a, auto b) {
  const Type half = op.type(0) == Type::bf16x2 ? Type::bf16 : Type::f16;
  auto high = convert_float(d, op, half, Type::f32, a);
  return d.concat(high, convert_float(d, op, half, Type::f32, b));
};

inline constexpr auto convert_integer_rows = std::make_tuple(
    row({"cvt u8|u16|u32|u64|s8|s16|s32|s64 u8|u16|u32|u64|s8|s16|s32|s64",
         "d:t a:t1",
         {},
         Action::compute,
         "9.7.9.21",
         "d = a, cut off or extended by a's sign"},
        convert_integer),
    row({"cvt sat u8 s8|s16|s32|s64|u16|u32|u64",
         "d:t a:t1",
         {},
         Action::compute,
         "9.7.9.21",
         "d = a, clamped to d's range"},
        convert_integer_sat),
    row({"cvt sat s8 u8|s16|s32|s64|u16|u32|u64",
         "d:t a:t1",
         {},
         Action::compute,
         "9.7.9.21",
         "d = a, clamped to d's range"},
        convert_integer_sat),
    row({"cvt sat u16 s8|s16|s32|s64|u32|u64",
         "d:t a:t1",
         {},
         Action::compute,
         "9.7.9.21",
         "d = a, clamped to d's range"},
        convert_integer_sat),
    row({"cvt sat s16 s32|s64|u16|u32|u64", "d:t a:t1", {}, Action::compute, "9.7.9.21", "d = a, clamped to d's range"},
        convert_integer_sat),
    row({"cvt sat u32 s8|s16|s32|s64|u64", "d:t a:t1", {}, Action::compute, "9.7.9.21", "d = a, clamped to d's range"},
        convert_integer_sat),
    row({"cvt sat s32 s64|u32|u64", "d:t a:t1", {}, Action::compute, "9.7.9.21", "d = a, clamped to d's range"},
        convert_integer_sat),
    row({"cvt sat u64 s8|s16|s32|s64", "d:t a:t1", {}, Action::compute, "9.7.9.21", "d = a, clamped to d's range"},
        convert_integer_sat),
    row({"cvt sat s64 u64", "d:t a:t1", {}, Action::compute, "9.7.9.21", "d = a, clamped to d's range"},
        convert_integer_sat));

// A NaN becomes 0, or 1 << (width - 1) where the source is f64 or the destination 64 bits wide.
inline constexpr auto float_to_integer_rows =
    std::make_tuple(row({"cvt rni|rzi|rmi|rpi [ftz] [sat] u8|u16|u32|u64|s8|s16|s32|s64 f32",
                         "d:t a:t1",
                         {},
                         Action::compute,
                         "9.7.9.21",
                         "d = a, rounded to an integer and clamped"},
                        convert_to_integer),
                    row({"cvt rni|rzi|rmi|rpi [sat] u8|u16|u32|u64|s8|s16|s32|s64 f16",
                         "d:t a:t1",
                         {},
                         Action::compute,
                         "9.7.9.21",
                         "d = a, rounded to an integer and clamped"},
                        convert_to_integer),
                    row({"cvt rni|rzi|rmi|rpi [sat] u8|u16|u32|u64|s8|s16|s32|s64 f64",
                         "d:t a:t1",
                         {10, 13},
                         Action::compute,
                         "9.7.9.21",
                         "d = a, rounded to an integer and clamped"},
                        convert_to_integer),
                    row({"cvt rni|rzi|rmi|rpi u16|u32|u64|s16|s32|s64 bf16",
                         "d:t a:t1",
                         {78, 90},
                         Action::compute,
                         "9.7.9.21",
                         "d = a, rounded to an integer and clamped"},
                        convert_to_integer));

inline constexpr auto integer_to_float_rows =
    std::make_tuple(row({"cvt rn|rz|rm|rp [ftz] [sat] f32 u8|u16|u32|u64|s8|s16|s32|s64",
                         "d:t a:t1",
                         {},
                         Action::compute,
                         "9.7.9.21",
                         "d = a, rounded"},
                        convert_from_integer),
                    row({"cvt rn|rz|rm|rp [sat] f16 u8|u16|u32|u64|s8|s16|s32|s64",
                         "d:t a:t1",
                         {},
                         Action::compute,
                         "9.7.9.21",
                         "d = a, rounded"},
                        convert_from_integer),
                    row({"cvt rn|rz|rm|rp [sat] f64 u8|u16|u32|u64|s8|s16|s32|s64",
                         "d:t a:t1",
                         {10, 13},
                         Action::compute,
                         "9.7.9.21",
                         "d = a, rounded"},
                        convert_from_integer),
                    row({"cvt rn|rz|rm|rp bf16 u16|u32|u64|s16|s32|s64",
                         "d:t a:t1",
                         {78, 90},
                         Action::compute,
                         "9.7.9.21",
                         "d = a, rounded"},
                        convert_from_integer));

inline constexpr auto float_to_integral_rows = std::make_tuple(row({"cvt rni|rzi|rmi|rpi [ftz] [sat] f32 f32",
                                                                    "d:t a:t1",
                                                                    {},
                                                                    Action::compute,
                                                                    "9.7.9.21",
                                                                    "d = a, rounded to an integral value"},
                                                                   convert_to_integral),
                                                               row({"cvt rni|rzi|rmi|rpi [sat] f16 f16",
                                                                    "d:t a:t1",
                                                                    {},
                                                                    Action::compute,
                                                                    "9.7.9.21",
                                                                    "d = a, rounded to an integral value"},
                                                                   convert_to_integral),
                                                               row({"cvt rni|rzi|rmi|rpi [sat] f64 f64",
                                                                    "d:t a:t1",
                                                                    {10, 13},
                                                                    Action::compute,
                                                                    "9.7.9.21",
                                                                    "d = a, rounded to an integral value"},
                                                                   convert_to_integral),
                                                               row({"cvt rni|rzi|rmi|rpi bf16 bf16",
                                                                    "d:t a:t1",
                                                                    {78, 90},
                                                                    Action::compute,
                                                                    "9.7.9.21",
                                                                    "d = a, rounded to an integral value"},
                                                                   convert_to_integral));

// A NaN keeps its payload to and from f64 and from bf16 to f32; else it becomes canonical.
inline constexpr auto float_to_float_rows = std::make_tuple(
    row({"cvt [ftz] [sat] f32 f32", "d:t a:t1", {}, Action::compute, "9.7.9.21", "d = a"}, convert_same),
    row({"cvt [sat] f64 f64", "d:t a:t1", {10, 13}, Action::compute, "9.7.9.21", "d = a"}, convert_same),
    row({"cvt [sat] f16 f16", "d:t a:t1", {}, Action::compute, "9.7.9.21", "d = a"}, convert_scalar),
    row({"cvt bf16 bf16", "d:t a:t1", {78, 90}, Action::compute, "9.7.9.21", "d = a"}, convert_scalar),
    row({"cvt [ftz] [sat] f32 f16", "d:t a:t1", {}, Action::compute, "9.7.9.21", "d = a, exact"}, convert_scalar),
    row({"cvt [ftz] [sat] f64 f32", "d:t a:t1", {10, 13}, Action::compute, "9.7.9.21", "d = a, exact"}, convert_scalar),
    row({"cvt [sat] f64 f16", "d:t a:t1", {10, 13}, Action::compute, "9.7.9.21", "d = a, exact"}, convert_scalar),
    row({"cvt [rn|rz|rm|rp] [ftz@78,90] f32 bf16", "d:t a:t1", {71, 80}, Action::compute, "9.7.9.21", "d = a, exact"},
        convert_scalar),
    row({"cvt [rn|rz|rm|rp] f64 bf16", "d:t a:t1", {78, 90}, Action::compute, "9.7.9.21", "d = a, exact"},
        convert_scalar),
    row({"cvt rn|rz|rm|rp [ftz] [sat] f16 f32",
         "d:t a:t1",
         {},
         Action::compute,
         "9.7.9.21",
         "d = a, rounded; .ftz keeps subnormals"},
        convert_scalar),
    row({"cvt rn|rz [relu@70,80] satfinite f16 f32",
         "d:t a:t1",
         {81},
         Action::compute,
         "9.7.9.21",
         "d = a, rounded, with .satfinite no infinity"},
        convert_scalar),
    row({"cvt rn|rz relu f16 f32",
         "d:t a:t1",
         {70, 80},
         Action::compute,
         "9.7.9.21",
         "d = a, rounded; negative becomes 0"},
        convert_scalar),
    row({"cvt rn|rz|rm|rp [sat] f16 f64", "d:t a:t1", {10, 13}, Action::compute, "9.7.9.21", "d = a, rounded"},
        convert_scalar),
    row({"cvt rn|rz|rm|rp [ftz] [sat] f32 f64", "d:t a:t1", {10, 13}, Action::compute, "9.7.9.21", "d = a, rounded"},
        convert_scalar),
    row({"cvt [rn|rz|rm|rp] f16 bf16", "d:t a:t1", {78, 90}, Action::compute, "9.7.9.21", "d = a, rounded"},
        convert_scalar),
    row({"cvt [rn|rz|rm|rp] bf16 f16", "d:t a:t1", {78, 90}, Action::compute, "9.7.9.21", "d = a, rounded"},
        convert_scalar),
    row({"cvt rn|rz|rm|rp [ftz] bf16 f32", "d:t a:t1", {70, 80}, Action::compute, "9.7.9.21", "d = a, rounded"},
        convert_scalar),
    row({"cvt rn|rz [relu] satfinite bf16 f32",
         "d:t a:t1",
         {81, 80},
         Action::compute,
         "9.7.9.21",
         "d = a, rounded, with .satfinite no infinity"},
        convert_scalar),
    row({"cvt rn|rz relu bf16 f32",
         "d:t a:t1",
         {70, 80},
         Action::compute,
         "9.7.9.21",
         "d = a, rounded; negative becomes 0"},
        convert_scalar),
    row({"cvt rn|rz|rm|rp bf16 f64", "d:t a:t1", {78, 90}, Action::compute, "9.7.9.21", "d = a, rounded"},
        convert_scalar),
    row({"cvt rn|rz [relu] [satfinite@81,80] f16x2|bf16x2 f32",
         "d:t a:t1 b:t1",
         {70, 80},
         Action::compute,
         "9.7.9.21",
         "d = {a, b} rounded, a in the high half"},
        convert_pair),
    row({"cvt rs [relu] [satfinite] f16x2|bf16x2 f32",
         "d:t a:t1 b:t1 e:b32",
         {87, 100, 'a', 103},
         Action::unmodelled,
         "9.7.9.21",
         "d = {a, b} rounded with the random bits e, a in the high half"}));

inline constexpr auto convert_rows =
    std::tuple_cat(convert_integer_rows, float_to_integer_rows, integer_to_float_rows, float_to_integral_rows,
                   float_to_float_rows, convert_narrow_rows, convert_pack_rows);

}  // namespace ptxeq::ir::isa
