// PTX ISA 9.7.9.21, 9.7.9.22: cvt to and from formats of 8 bits and less and tf32; cvt.pack.
#pragma once

#include "ir/isa/shared.h"

namespace ptxeq::ir::isa {

// tf32 is an f32 whose low 13 bits are zero. The hardware's .rna cuts a NaN off like a number (so it can become an
// infinity); .rn and .rz give the canonical one.
constexpr auto convert_tf32 = [](auto& d, const Opcode& op, auto a) {
  auto constant = [&](std::uint64_t v) { return d.constant(32, v); };
  auto cut = [&](auto v) { return d.and_(v, constant(0xffffe000)); };
  auto magnitude = d.and_(a, constant(0x7fffffff));
  auto infinity = constant(0x7f800000);
  if (op.has("rna"_w)) return cut(d.ite(d.ult(magnitude, infinity), d.add(a, constant(0x1000)), a));
  auto even = d.zext(d.extract(a, 13, 1), 32);
  auto r = op.has("rn"_w) ? cut(d.add(a, d.add(constant(0xfff), even))) : cut(a);
  if (op.has("relu"_w)) r = d.ite(d.slt(a, constant(0)), constant(0), r);
  return d.ite(d.ult(infinity, magnitude), constant(0x7fffe000), r);
};

// e5m2 is the upper byte of an f16; e4m3 has an f16's layout one bit lower, and exponents larger by 8.
constexpr auto fp8_to_f16 = [](auto& d, const Opcode& op, auto a) {
  decltype(d.attr(op)) attr{};
  attr.relu = op.has("relu"_w);
  if (op.type(1) == Type::e5m2x2) return d.fround(attr, d.concat(a, d.constant(8, 0)), 16);
  auto magnitude = d.extract(a, 0, 7);
  auto bits = d.concat(d.concat(d.extract(a, 7, 1), d.constant(1, 0)), d.concat(magnitude, d.constant(7, 0)));
  auto value = d.fround(attr, d.fmul(decltype(attr){}, bits, d.constant(16, 0x5c00)), 16);  // times 2^8, exact
  return d.ite(d.eq(magnitude, d.constant(7, 0x7f)), d.constant(16, 0x7fff), value);
};

// An f32 to e5m2 or e4m3, to nearest, what is too large to the largest finite number: first to an f16 (for e4m3
// 2^8 times smaller) by truncation, its last bit sticky, then to the few bits kept.
constexpr auto f32_to_fp8 = [](auto& d, const Opcode& op, auto a) {
  const bool e5m2 = op.type(0) == Type::e5m2x2;
  const unsigned dropped = e5m2 ? 8 : 7;
  decltype(d.attr(op)) nearest{}, truncating{};
  truncating.rounding = decltype(truncating.rounding)(1);  // rz
  auto scaled = e5m2 ? a : d.fmul(nearest, a, d.constant(32, 0x3b800000));
  auto cut = d.fround(truncating, scaled, 16);
  auto sticky = d.zext(d.not_(d.feq(nearest, d.fround(nearest, cut, 32), scaled)), 16);
  auto magnitude = d.or_(d.and_(cut, d.constant(16, 0x7fff)), sticky);
  auto odd = d.zext(d.extract(magnitude, dropped, 1), 16);
  auto rounded = d.add(magnitude, d.add(d.constant(16, (1u << (dropped - 1)) - 1), odd));
  auto kept = d.zext(d.extract(rounded, dropped, 16 - dropped), 8);
  auto largest = d.constant(8, e5m2 ? 0x7b : 0x7e);
  kept = d.ite(d.ult(largest, kept), largest, kept);
  auto negative = d.extract(a, 31, 1);
  auto r = op.has("relu"_w) ? d.ite(negative, d.constant(8, 0), kept) : d.concat(negative, d.extract(kept, 0, 7));
  return d.ite(d.fisnan(nearest, a), d.constant(8, 0x7f), r);
};
constexpr auto f16_to_fp8 = [](auto& d, const Opcode& op, auto a) {
  return f32_to_fp8(d, op, d.fround(decltype(d.attr(op)){}, a, 32));
};

inline constexpr auto convert_narrow_rows = std::make_tuple(
    row({"cvt rna tf32 f32", "d:b32 a:t1", {70, 80}, Action::compute, "9.7.9.21", "d = a, rounded, ties away from 0"},
        convert_tf32),
    row({"cvt rna satfinite tf32 f32",
         "d:b32 a:t1",
         {81, 80},
         Action::unmodelled,
         "9.7.9.21",
         "d = a, rounded, ties away from 0, no infinity"}),
    row({"cvt rn|rz [relu] tf32 f32", "d:b32 a:t1", {78, 90}, Action::compute, "9.7.9.21", "d = a, rounded"},
        convert_tf32),
    row({"cvt rn|rz [relu] satfinite tf32 f32",
         "d:b32 a:t1",
         {86, 100},
         Action::unmodelled,
         "9.7.9.21",
         "d = a, rounded, no infinity"}),
    row({"cvt rn satfinite [relu] e4m3x2|e5m2x2 f32",
         "d:b16 a:t1 b:t1",
         {78, 89},
         Action::compute,
         "9.7.9.21",
         "d = {a, b} rounded, a in the high byte"},
        [](auto& d, const Opcode& op, auto a, auto b) { return d.concat(f32_to_fp8(d, op, a), f32_to_fp8(d, op, b)); }),
    row({"cvt rn satfinite [relu] e4m3x2|e5m2x2 f16x2",
         "d:b16 a:b32",
         {78, 89},
         Action::compute,
         "9.7.9.21",
         "both halves rounded, the high one to the high byte"},
        [](auto& d, const Opcode& op, auto a) {
          return d.concat(f16_to_fp8(d, op, d.extract(a, 16, 16)), f16_to_fp8(d, op, d.extract(a, 0, 16)));
        }),
    row({"cvt rn satfinite [relu] e4m3x2|e5m2x2 bf16x2",
         "d:b16 a:b32",
         {91, 100, 'f'},
         Action::unmodelled,
         "9.7.9.21",
         "both halves rounded, the high one to the high byte"}),
    row({"cvt rn [relu] f16x2 e4m3x2|e5m2x2",
         "d:b32 a:b16",
         {78, 89},
         Action::compute,
         "9.7.9.21",
         "both bytes, exact, the high one to the high half"},
        [](auto& d, const Opcode& op, auto a) {
          return d.concat(fp8_to_f16(d, op, d.extract(a, 8, 8)), fp8_to_f16(d, op, d.extract(a, 0, 8)));
        }),
    row({"cvt rs [relu] satfinite e4m3x4|e5m2x4|e2m3x4|e3m2x4 f32",
         "d:b32 a:{b32} e:b32",
         {87, 100, 'a', 103},
         Action::unmodelled,
         "9.7.9.21",
         "four elements rounded with random bits"}),
    row({"cvt rs [relu] satfinite e2m1x4 f32",
         "d:b16 a:{b32} e:b32",
         {87, 100, 'a', 103},
         Action::unmodelled,
         "9.7.9.21",
         "four elements rounded with random bits"}),
    row({"cvt rn satfinite [relu] e2m1x2 f32",
         "d:b8 a:t1 b:t1",
         {86, 100, 'f'},
         Action::unmodelled,
         "9.7.9.21",
         "d = {a, b} rounded, a in the high half"}),
    row({"cvt rn satfinite [relu] e2m1x2 f16x2|bf16x2",
         "d:b8 a:b32",
         {91, 100, 'f'},
         Action::unmodelled,
         "9.7.9.21",
         "both halves rounded"}),
    row({"cvt rn [relu] f16x2 e2m1x2",
         "d:b32 a:b8",
         {86, 100, 'f'},
         Action::unmodelled,
         "9.7.9.21",
         "both elements, exact"}),
    row({"cvt rn satfinite [relu] e2m3x2|e3m2x2 f32",
         "d:b16 a:t1 b:t1",
         {86, 100, 'f'},
         Action::unmodelled,
         "9.7.9.21",
         "d = {a, b} rounded, a in the high byte"}),
    row({"cvt rn satfinite [relu] e2m3x2|e3m2x2 f16x2|bf16x2",
         "d:b16 a:b32",
         {91, 100, 'f'},
         Action::unmodelled,
         "9.7.9.21",
         "both halves rounded"}),
    row({"cvt rn [relu] f16x2 e2m3x2|e3m2x2",
         "d:b32 a:b16",
         {86, 100, 'f'},
         Action::unmodelled,
         "9.7.9.21",
         "both elements, exact"}),
    row({"cvt rz|rp [satfinite] ue8m0x2 f32",
         "d:b16 a:t1 b:t1",
         {86, 100, 'f'},
         Action::unmodelled,
         "9.7.9.21",
         "the powers of two of {a, b}"}),
    row({"cvt rz|rp [satfinite] ue8m0x2 bf16x2",
         "d:b16 a:b32",
         {86, 100, 'f'},
         Action::unmodelled,
         "9.7.9.21",
         "the powers of two of both halves"}),
    row({"cvt rn bf16x2 ue8m0x2",
         "d:b32 a:b16",
         {86, 100, 'f'},
         Action::unmodelled,
         "9.7.9.21",
         "both powers of two, exact"}));

// Two s32 clamped to fields of a few bits; where a third operand is there, it fills the rest from above.
constexpr auto clamp_to_field = [](auto& d, auto v, unsigned width, bool is_signed_field) {
  const std::uint64_t largest = (std::uint64_t(1) << (is_signed_field ? width - 1 : width)) - 1;
  auto high = d.constant(32, largest);
  auto low = d.constant(32, is_signed_field ? ~largest : 0);
  auto clamped = d.ite(d.slt(v, low), low, d.ite(d.slt(high, v), high, v));
  return d.extract(clamped, 0, width);
};
constexpr auto pack_fields = [](auto& d, auto a, auto b, unsigned width, bool is_signed_field) {
  return d.concat(clamp_to_field(d, a, width, is_signed_field), clamp_to_field(d, b, width, is_signed_field));
};

inline constexpr auto convert_pack_rows = std::make_tuple(
    row({"cvt pack sat u16|s16 s32",
         "d:b32 a:t1 b:t1",
         {65, 72},
         Action::compute,
         "9.7.9.22",
         "d = {a, b} clamped, a in the high half"},
        [](auto& d, const Opcode& op, auto a, auto b) { return pack_fields(d, a, b, 16, is_signed(op.type())); }),
    row({"cvt pack sat u8|s8 s32 b32",
         "d:b32 a:t1 b:t1 c:t2",
         {65, 72},
         Action::compute,
         "9.7.9.22",
         "d = {c, a, b}, a and b clamped to bytes"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return d.concat(d.extract(c, 0, 16), pack_fields(d, a, b, 8, is_signed(op.type())));
        }),
    row({"cvt pack sat u4|s4 s32 b32",
         "d:b32 a:t1 b:t1 c:t2",
         {65, 75},
         Action::compute,
         "9.7.9.22",
         "d = {c, a, b}, a and b clamped to 4 bits"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return d.concat(d.extract(c, 0, 24), pack_fields(d, a, b, 4, op.type() == Type::s4));
        }),
    row({"cvt pack sat u2|s2 s32 b32",
         "d:b32 a:t b:t c:t1",
         {65, 75},
         Action::compute,
         "9.7.9.22",
         "d = {c, a, b}, a and b clamped to 2 bits"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) {
          return d.concat(d.extract(c, 0, 28), pack_fields(d, a, b, 2, op.has("s2"_w)));
        }));

}  // namespace ptxeq::ir::isa
