// PTX ISA 9.7.6, 9.7.7: comparison and selection.
#pragma once

#include "ir/isa/shared.h"

namespace ptxeq::ir::isa {

constexpr auto compare_integers = [](auto& d, const Opcode& op, Type t, auto a, auto b) {
  auto below = [&](auto x, auto y) { return is_signed(t) ? d.slt(x, y) : d.ult(x, y); };
  if (op.has("eq"_w)) return d.eq(a, b);
  if (op.has("ne"_w)) return d.ne(a, b);
  if (op.has("lt"_w) || op.has("lo"_w)) return below(a, b);
  if (op.has("gt"_w) || op.has("hi"_w)) return below(b, a);
  if (op.has("le"_w) || op.has("ls"_w)) return d.not_(below(b, a));
  return d.not_(below(a, b));  // ge, hs
};

// 9.3.1.2: eq .. ge are false on NaN, equ .. geu true.
constexpr auto compare_floats = [](auto& d, const Opcode& op, Type t, auto a, auto b) {
  auto attr = d.attr(op);
  attr.bf16 = t == Type::bf16 || t == Type::bf16x2;
  if (op.has("eq"_w)) return d.feq(attr, a, b);
  if (op.has("lt"_w)) return d.flt(attr, a, b);
  if (op.has("le"_w)) return d.fle(attr, a, b);
  if (op.has("gt"_w)) return d.flt(attr, b, a);
  if (op.has("ge"_w)) return d.fle(attr, b, a);
  if (op.has("neu"_w)) return d.not_(d.feq(attr, a, b));
  if (op.has("ltu"_w)) return d.not_(d.fle(attr, b, a));
  if (op.has("leu"_w)) return d.not_(d.flt(attr, b, a));
  if (op.has("gtu"_w)) return d.not_(d.fle(attr, a, b));
  if (op.has("geu"_w)) return d.not_(d.flt(attr, a, b));
  auto unordered = d.or_(d.fisnan(attr, a), d.fisnan(attr, b));
  if (op.has("ne"_w)) return d.not_(d.or_(unordered, d.feq(attr, a, b)));
  if (op.has("equ"_w)) return d.or_(unordered, d.feq(attr, a, b));
  return op.has("nan"_w) ? unordered : d.not_(unordered);  // nan, num
};

constexpr auto compare = [](auto& d, const Opcode& op, Type t, auto a, auto b) {
  return kind(t) == Kind::floating || kind(t) == Kind::packed ? compare_floats(d, op, t, a, b)
                                                              : compare_integers(d, op, t, a, b);
};

// t BoolOp c.
constexpr auto combine = [](auto& d, const Opcode& op, auto t, auto c) {
  if (op.has("and"_w)) return d.and_(t, c);
  if (op.has("or"_w)) return d.or_(t, c);
  return d.xor_(t, c);
};

// What set writes for a true comparison, 9.7.6.1 and 9.7.7.1.
constexpr std::uint64_t true_pattern(Type t) {
  switch (t) {
    case Type::f32:
      return 0x3f800000;
    case Type::f16:
    case Type::f16x2:
      return 0x3c00;
    case Type::bf16:
    case Type::bf16x2:
      return 0x3f80;
    default:
      return 0xffffffff;
  }
}

// `condition` as set writes it to type `t`; `width` is that of one element.
constexpr auto truth = [](auto& d, Type t, unsigned width, auto condition) {
  const std::uint64_t ones = width == 16 ? 0xffff : 0xffffffff;
  return d.ite(condition, d.constant(width, true_pattern(t) & ones), d.constant(width, 0));
};

constexpr auto do_set = [](auto& d, const Opcode& op, auto a, auto b) {
  return truth(d, op.type(0), bits(op.type(0)), compare(d, op, op.type(1), a, b));
};
constexpr auto do_set_bool = [](auto& d, const Opcode& op, auto a, auto b, auto c) {
  return truth(d, op.type(0), bits(op.type(0)), combine(d, op, compare(d, op, op.type(1), a, b), c));
};
constexpr auto do_set_packed = [](auto& d, const Opcode& op, auto a, auto b) {
  return halves(d, a, b, [&](auto x, auto y) { return truth(d, op.type(0), 16, compare(d, op, op.type(1), x, y)); });
};
constexpr auto do_set_packed_bool = [](auto& d, const Opcode& op, auto a, auto b, auto c) {
  return halves(d, a, b, [&](auto x, auto y) {
    return truth(d, op.type(0), 16, combine(d, op, compare(d, op, op.type(1), x, y), c));
  });
};

constexpr auto do_setp = [](auto& d, const Opcode& op, auto a, auto b) {
  auto t = compare(d, op, op.type(), a, b);
  return std::array{t, d.not_(t)};
};
constexpr auto do_setp_bool = [](auto& d, const Opcode& op, auto a, auto b, auto c) {
  auto t = compare(d, op, op.type(), a, b);
  return std::array{combine(d, op, t, c), combine(d, op, d.not_(t), c)};
};
constexpr auto do_setp_half = [](auto& d, const Opcode& op, auto a, auto b) { return compare(d, op, op.type(), a, b); };
constexpr auto do_setp_half_bool = [](auto& d, const Opcode& op, auto a, auto b, auto c) {
  return combine(d, op, compare(d, op, op.type(), a, b), c);
};
// Packed: p of the low halves, q of the high ones.
constexpr auto do_setp_packed = [](auto& d, const Opcode& op, auto a, auto b) {
  auto half = [&](unsigned at) { return compare(d, op, op.type(), d.extract(a, at, 16), d.extract(b, at, 16)); };
  return std::array{half(0), half(16)};
};
constexpr auto do_setp_packed_bool = [](auto& d, const Opcode& op, auto a, auto b, auto c) {
  auto half = [&](unsigned at) {
    return combine(d, op, compare(d, op, op.type(), d.extract(a, at, 16), d.extract(b, at, 16)), c);
  };
  return std::array{half(0), half(16)};
};

inline constexpr auto setp_rows =
    std::make_tuple(row({"setp eq|ne b16|b32|b64",
                         "p[|q]:pred a:t b:t",
                         {},
                         Action::compute,
                         "9.7.6.2",
                         "p = a CmpOp b, q = !(a CmpOp b)"},
                        do_setp),
                    row({"setp eq|ne and|or|xor b16|b32|b64",
                         "p[|q]:pred a:t b:t c:pred",
                         {},
                         Action::compute,
                         "9.7.6.2",
                         "p = (a CmpOp b) BoolOp c, q = !(a CmpOp b) BoolOp c"},
                        do_setp_bool),
                    row({"setp eq|ne|lt|le|gt|ge s16|s32|s64",
                         "p[|q]:pred a:t b:t",
                         {},
                         Action::compute,
                         "9.7.6.2",
                         "p = a CmpOp b, q = !(a CmpOp b)"},
                        do_setp),
                    row({"setp eq|ne|lt|le|gt|ge and|or|xor s16|s32|s64",
                         "p[|q]:pred a:t b:t c:pred",
                         {},
                         Action::compute,
                         "9.7.6.2",
                         "p = (a CmpOp b) BoolOp c, q = !(a CmpOp b) BoolOp c"},
                        do_setp_bool),
                    row({"setp eq|ne|lt|le|gt|ge|lo|ls|hi|hs u16|u32|u64",
                         "p[|q]:pred a:t b:t",
                         {},
                         Action::compute,
                         "9.7.6.2",
                         "p = a CmpOp b, q = !(a CmpOp b)"},
                        do_setp),
                    row({"setp eq|ne|lt|le|gt|ge|lo|ls|hi|hs and|or|xor u16|u32|u64",
                         "p[|q]:pred a:t b:t c:pred",
                         {},
                         Action::compute,
                         "9.7.6.2",
                         "p = (a CmpOp b) BoolOp c, q = !(a CmpOp b) BoolOp c"},
                        do_setp_bool),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan [ftz] f32",
                         "p[|q]:pred a:t b:t",
                         {},
                         Action::compute,
                         "9.7.6.2",
                         "p = a CmpOp b, q = !(a CmpOp b)"},
                        do_setp),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor [ftz] f32",
                         "p[|q]:pred a:t b:t c:pred",
                         {},
                         Action::compute,
                         "9.7.6.2",
                         "p = (a CmpOp b) BoolOp c, q = !(a CmpOp b) BoolOp c"},
                        do_setp_bool),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan f64",
                         "p[|q]:pred a:t b:t",
                         {},
                         Action::compute,
                         "9.7.6.2",
                         "p = a CmpOp b, q = !(a CmpOp b)"},
                        do_setp),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor f64",
                         "p[|q]:pred a:t b:t c:pred",
                         {},
                         Action::compute,
                         "9.7.6.2",
                         "p = (a CmpOp b) BoolOp c, q = !(a CmpOp b) BoolOp c"},
                        do_setp_bool),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan [ftz] f16",
                         "p:pred a:t b:t",
                         {42, 53},
                         Action::compute,
                         "9.7.7.2",
                         "p = a CmpOp b"},
                        do_setp_half),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor [ftz] f16",
                         "p:pred a:t b:t c:pred",
                         {42, 53},
                         Action::compute,
                         "9.7.7.2",
                         "p = (a CmpOp b) BoolOp c"},
                        do_setp_half_bool),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan bf16",
                         "p:pred a:t b:t",
                         {78, 90},
                         Action::compute,
                         "9.7.7.2",
                         "p = a CmpOp b"},
                        do_setp_half),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor bf16",
                         "p:pred a:t b:t c:pred",
                         {78, 90},
                         Action::compute,
                         "9.7.7.2",
                         "p = (a CmpOp b) BoolOp c"},
                        do_setp_half_bool),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan [ftz] f16x2",
                         "p[|q]:pred a:t b:t",
                         {42, 53},
                         Action::compute,
                         "9.7.7.2",
                         "p compares the low halves, q the high ones"},
                        do_setp_packed),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor [ftz] f16x2",
                         "p[|q]:pred a:t b:t c:pred",
                         {42, 53},
                         Action::compute,
                         "9.7.7.2",
                         "p of the low halves BoolOp c, q of the high ones"},
                        do_setp_packed_bool),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan bf16x2",
                         "p[|q]:pred a:t b:t",
                         {78, 90},
                         Action::compute,
                         "9.7.7.2",
                         "p compares the low halves, q the high ones"},
                        do_setp_packed),
                    row({"setp eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor bf16x2",
                         "p[|q]:pred a:t b:t c:pred",
                         {78, 90},
                         Action::compute,
                         "9.7.7.2",
                         "p of the low halves BoolOp c, q of the high ones"},
                        do_setp_packed_bool));

inline constexpr auto set_rows =
    std::make_tuple(row({"set eq|ne u32|s32|f32 b16|b32|b64",
                         "d:t a:t1 b:t1",
                         {},
                         Action::compute,
                         "9.7.6.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne and|or|xor u32|s32|f32 b16|b32|b64",
                         "d:t a:t1 b:t1 c:pred",
                         {},
                         Action::compute,
                         "9.7.6.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge u32|s32|f32 s16|s32|s64",
                         "d:t a:t1 b:t1",
                         {},
                         Action::compute,
                         "9.7.6.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge and|or|xor u32|s32|f32 s16|s32|s64",
                         "d:t a:t1 b:t1 c:pred",
                         {},
                         Action::compute,
                         "9.7.6.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge|lo|ls|hi|hs u32|s32|f32 u16|u32|u64",
                         "d:t a:t1 b:t1",
                         {},
                         Action::compute,
                         "9.7.6.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge|lo|ls|hi|hs and|or|xor u32|s32|f32 u16|u32|u64",
                         "d:t a:t1 b:t1 c:pred",
                         {},
                         Action::compute,
                         "9.7.6.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan [ftz] u32|s32|f32 f32",
                         "d:t a:t1 b:t1",
                         {},
                         Action::compute,
                         "9.7.6.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor [ftz] u32|s32|f32 f32",
                         "d:t a:t1 b:t1 c:pred",
                         {},
                         Action::compute,
                         "9.7.6.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan u32|s32|f32 f64",
                         "d:t a:t1 b:t1",
                         {},
                         Action::compute,
                         "9.7.6.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor u32|s32|f32 f64",
                         "d:t a:t1 b:t1 c:pred",
                         {},
                         Action::compute,
                         "9.7.6.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne f16 b16|b32|b64",
                         "d:t a:t1 b:t1",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne and|or|xor f16 b16|b32|b64",
                         "d:t a:t1 b:t1 c:pred",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge f16 s16|s32|s64",
                         "d:t a:t1 b:t1",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge and|or|xor f16 s16|s32|s64",
                         "d:t a:t1 b:t1 c:pred",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge|lo|ls|hi|hs f16 u16|u32|u64",
                         "d:t a:t1 b:t1",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge|lo|ls|hi|hs and|or|xor f16 u16|u32|u64",
                         "d:t a:t1 b:t1 c:pred",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan [ftz] f16 f16|f32",
                         "d:t a:t1 b:t1",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor [ftz] f16 f16|f32",
                         "d:t a:t1 b:t1 c:pred",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan f16 f64",
                         "d:t a:t1 b:t1",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor f16 f64",
                         "d:t a:t1 b:t1 c:pred",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne bf16 b16|b32|b64",
                         "d:t a:t1 b:t1",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne and|or|xor bf16 b16|b32|b64",
                         "d:t a:t1 b:t1 c:pred",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge bf16 s16|s32|s64",
                         "d:t a:t1 b:t1",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge and|or|xor bf16 s16|s32|s64",
                         "d:t a:t1 b:t1 c:pred",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge|lo|ls|hi|hs bf16 u16|u32|u64",
                         "d:t a:t1 b:t1",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge|lo|ls|hi|hs and|or|xor bf16 u16|u32|u64",
                         "d:t a:t1 b:t1 c:pred",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan bf16 bf16|f16|f32|f64",
                         "d:t a:t1 b:t1",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor bf16 bf16|f16|f32|f64",
                         "d:t a:t1 b:t1 c:pred",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan [ftz] u16|s16|u32|s32 f16",
                         "d:t a:t1 b:t1",
                         {65, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor [ftz] u16|s16|u32|s32 f16",
                         "d:t a:t1 b:t1 c:pred",
                         {65, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan u16|s16|u32|s32 bf16",
                         "d:t a:t1 b:t1",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if a CmpOp b, else 0"},
                        do_set),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor u16|s16|u32|s32 bf16",
                         "d:t a:t1 b:t1 c:pred",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones if (a CmpOp b) BoolOp c, else 0"},
                        do_set_bool),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan [ftz] f16x2|u32|s32 f16x2",
                         "d:t a:t1 b:t1",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones in each half where a CmpOp b"},
                        do_set_packed),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor [ftz] f16x2|u32|s32 f16x2",
                         "d:t a:t1 b:t1 c:pred",
                         {42, 53},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones in each half where (a CmpOp b) BoolOp c"},
                        do_set_packed_bool),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan bf16x2|u32|s32 bf16x2",
                         "d:t a:t1 b:t1",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones in each half where a CmpOp b"},
                        do_set_packed),
                    row({"set eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor bf16x2|u32|s32 bf16x2",
                         "d:t a:t1 b:t1 c:pred",
                         {78, 90},
                         Action::compute,
                         "9.7.7.1",
                         "1.0 or all ones in each half where (a CmpOp b) BoolOp c"},
                        do_set_packed_bool));

inline constexpr auto select_rows = std::make_tuple(
    row({"selp b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64",
         "d:t a:t b:t c:pred",
         {},
         Action::compute,
         "9.7.6.3",
         "a where c, else b"},
        [](auto& d, const Opcode&, auto a, auto b, auto c) { return d.ite(c, a, b); }),
    row({"slct b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64 s32",
         "d:t a:t b:t c:t1",
         {},
         Action::compute,
         "9.7.6.4",
         "a where c >= 0, else b"},
        [](auto& d, const Opcode&, auto a, auto b, auto c) { return d.ite(d.slt(c, d.constant(32, 0)), b, a); }),
    row({"slct [ftz] b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64 f32",
         "d:t a:t b:t c:t1",
         {},
         Action::compute,
         "9.7.6.4",
         "a where c >= 0 (-0 counts), else b, for a NaN too"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return d.ite(d.fle(d.attr(op), d.constant(32, 0), c), a, b);
        }));

}  // namespace ptxeq::ir::isa
