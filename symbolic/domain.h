// What instruction semantics are written over. A domain D has a type D::Value (a bit-vector with a .width()) and
// the functions below; ConcreteDomain computes words, TermDomain builds terms. A condition is a Value of width 1,
// never a C++ bool: ite is the only way to branch on data. C++ control flow may depend on the Opcode alone.
//
//   d.constant(width, bits)
//   d.add d.sub d.mul d.neg d.and_ d.or_ d.xor_ d.not_           same width in and out, wrapping
//   d.shl d.lshr d.ashr (v, amount)                              amount of v's width, unsigned; >= width: 0 / sign
//   d.udiv d.urem d.sdiv d.srem (a, b)                           b = 0: an unspecified value, itself a function of a
//   d.umulh d.smulh (a, b)                                       high half of the product
//   d.popc d.clz d.brev (v)                                      of v's width
//   d.eq d.ne d.ult d.ule d.slt d.sle (a, b)                     width 1
//   d.ite(condition, a, b)
//   d.extract(v, low, width)  d.concat(high, low)  d.zext(v, width)  d.sext(v, width)   (zext/sext also narrow: low
//   bits) d.fadd d.fsub d.fmul d.fdiv d.fmin d.fmax (attr, a, b)  d.fma(attr, a, b, c)  d.fsqrt d.fneg d.fabs d.frint
//   (attr, a) d.feq d.flt d.fle (attr, a, b)  d.fisnan(attr, a)            width 1; Attr is in symbolic/ops.h
//   d.attr(op)                                               rounding, ftz, sat, contractible and bf16, as the opcode
//   says d.fround(attr, a, to_width)                                  attr.bf16: a is bf16; attr.flag: the result is
//   bf16 d.ftoi(attr, a, to_width)  d.itof(attr, a, to_width)         attr.flag: the integer is signed d.approx(op,
//   width, a[, b])                                  the approximate function that opcode `op` names d.unspecified(op,
//   width, a[, b])                             a value that the manual leaves open: a function of
//                                                                opcode and operands
// Interface only: the concept is checked by instantiating the table over both domains.
#pragma once
