// The primitive operations that every domain offers and every term is built of, and their value on concrete bits.
// This is the one definition that the interpreter, constant folding and the evaluation of terms share; the SMT
// translation is tested against it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace ptxeq::sym {

using u64 = std::uint64_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;

// Widths are 1..64 bits; a value is kept zero-extended. Booleans are 1 bit wide.
enum class Op : u8 {
  // leaves
  constant,  // a | b << 32
  leaf,      // an input: see TermStore::leaf
  // bit-vectors, all operands and the result of one width unless said otherwise
  add,
  mul,
  neg,
  udiv,
  urem,
  sdiv,
  srem,  // by zero: all ones (sdiv: 1 where a < 0), and a; Domain::udiv & co guard it
  umulh,
  smulh,  // high half of the double-width product
  and_,
  or_,
  xor_,
  not_,
  shl,
  lshr,
  ashr,  // amount of the same width; >= width gives 0, or all sign bits
  popc,
  clz,
  brev,  // result of the operand's width
  eq,
  ult,
  slt,
  ule,
  sle,      // result 1 bit
  ite,      // a is 1 bit
  extract,  // bits [b, b + width) of a
  concat,   // a high, b low
  zext,
  sext,
  // floating point; Attr says format and rounding, the width says the size
  fadd,
  fsub,
  fmul,
  fdiv,
  fma,
  fsqrt,
  fmin,
  fmax,
  fneg,
  fabs,
  feq,
  flt,
  fle,  // IEEE: false when an operand is NaN; result 1 bit
  fisnan,
  fround,  // float to float of another (or the same) format
  frint,   // to an integral value in the same format
  ftoi,    // float to integer of the term's width, saturating, NaN as cvt
  itof,    // integer to float
  // uninterpreted
  approx,  // approximate or unspecified function number Attr-free `tag` of up to two operands
  count_
};

// Rounding of a floating operation.
enum class Rounding : u8 { rn, rz, rm, rp };
// Formats by name; bf16 and f16 are both 16 bits wide.
enum class Format : u8 { f16, bf16, f32, f64 };

// What distinguishes the variants of a floating (or conversion) operation; one byte in a term.
//  fadd..fsqrt, fround, frint, itof: rounding, ftz, sat   fmin/fmax: ftz, nan (propagate)   compares: ftz
//  ftoi: rounding, ftz, is_signed                         itof: is_signed
struct Attr {
  Rounding rounding = Rounding::rn;  // 2 bits
  bool ftz = false;                  // subnormal inputs and results become zero of the same sign
  bool sat = false;                  // result clamped to [0, 1], NaN to +0
  bool bf16 = false;                 // a 16-bit operand or result is bf16, not f16 (the result of fround: see bf16_to)
  bool contractible = false;         // mul/add/sub without a rounding modifier: ptxas may fuse it
  bool flag = false;                 // fmin/fmax: .NaN;  ftoi/itof: the integer is signed;  fround: the result is bf16
  bool relu = false;                 // negative results become +0, NaN stays (canonical)
  constexpr u8 pack() const {
    return u8(u8(rounding) | ftz << 2 | sat << 3 | bf16 << 4 | contractible << 5 | flag << 6 | relu << 7);
  }
  static constexpr Attr unpack(u8 b) {
    return {Rounding(b & 3), bool(b & 4), bool(b & 8), bool(b & 16), bool(b & 32), bool(b & 64), bool(b & 128)};
  }
  friend bool operator==(const Attr&, const Attr&) = default;
};

constexpr u64 mask(unsigned width) { return width >= 64 ? ~u64(0) : (u64(1) << width) - 1; }
constexpr i64 sign_extend(u64 v, unsigned width) {
  return width >= 64 ? i64(v) : i64(v << (64 - width)) >> (64 - width);
}

std::string_view name(Op op);
constexpr bool is_float(Op op) { return op >= Op::fadd && op <= Op::itof; }

// Format of a floating operand of `width` bits under `attr`.
constexpr Format format_of(unsigned width, bool bf16) {
  return width == 64 ? Format::f64 : width == 32 ? Format::f32 : bf16 ? Format::bf16 : Format::f16;
}

// --- floating point on concrete bits (symbolic/float.cpp). NaN results follow the hardware (H200): f16, bf16 and
// f32 arithmetic gives the canonical NaN 0x7fff / 0x7fffffff; f64 keeps a payload, see SOUNDNESS rule 9 in docs.
// `width` is that of the operands for arithmetic and compares.
u64 float_binary(Op op, Attr attr, unsigned width, u64 a, u64 b);  // fadd fsub fmul fdiv fmin fmax
u64 float_fma(Attr attr, unsigned width, u64 a, u64 b, u64 c);
u64 float_unary(Op op, Attr attr, unsigned width, u64 a);            // fsqrt fneg fabs frint
bool float_compare(Op op, Attr attr, unsigned width, u64 a, u64 b);  // feq flt fle; fisnan looks at a
u64 float_round(Attr attr, unsigned from, unsigned to, u64 a);       // fround
u64 float_to_int(Attr attr, unsigned from, unsigned to, u64 a);      // ftoi, `to` 8..64
u64 int_to_float(Attr attr, unsigned from, unsigned to, u64 a);      // itof

// Value of any operation but leaf and approx on concrete operands. `width` is the result's; `wa` the width
// of operand a (extract, zext, compares and conversions need it).
u64 apply(Op op, u8 attr, unsigned width, unsigned wa, u64 a, u64 b, u64 c);

}  // namespace ptxeq::sym
