// The concrete domain: values are words. The loops of the interpreter are instruction semantics over this domain.
#pragma once

#include <bit>
#include <cmath>

#include "ir/opcode.h"
#include "symbolic/ops.h"

namespace ptxeq::sym {

// An approximate function on concrete bits (symbolic/approx.cpp): within the manual's bound, special values exact.
u64 approximate(const ir::Opcode& op, unsigned width, u64 a, u64 b);

struct ConcreteValue {
  u64 bits = 0;
  unsigned w = 0;
  unsigned width() const { return w; }
};

class ConcreteDomain {
 public:
  using Value = ConcreteValue;

  explicit ConcreteDomain(Attr attr = {}) : attr_(attr) {}

  Attr attr(const ir::Opcode&) const { return attr_; }
  // What the last operations rested on; sticky.
  bool approximated = false, unspecified_hit = false;

  static Value make(unsigned w, u64 bits) { return {bits & mask(w), w}; }
  static Value truth(bool b) { return {b, 1}; }
  static i64 sx(Value v) { return sign_extend(v.bits, v.w); }

  Value constant(unsigned w, u64 bits) const { return make(w, bits); }
  Value add(Value a, Value b) const { return make(a.w, a.bits + b.bits); }
  Value sub(Value a, Value b) const { return make(a.w, a.bits - b.bits); }
  Value mul(Value a, Value b) const { return make(a.w, a.bits * b.bits); }
  Value neg(Value a) const { return make(a.w, 0 - a.bits); }
  Value and_(Value a, Value b) const { return {a.bits & b.bits, a.w}; }
  Value or_(Value a, Value b) const { return {a.bits | b.bits, a.w}; }
  Value xor_(Value a, Value b) const { return {a.bits ^ b.bits, a.w}; }
  Value not_(Value a) const { return make(a.w, ~a.bits); }
  Value shl(Value a, Value n) const { return make(a.w, n.bits >= a.w ? 0 : a.bits << (n.bits & 63)); }
  Value lshr(Value a, Value n) const { return {n.bits >= a.w ? 0 : a.bits >> (n.bits & 63), a.w}; }
  Value ashr(Value a, Value n) const { return make(a.w, u64(sx(a) >> (n.bits >= a.w ? a.w - 1 : n.bits))); }
  // b = 0 is unspecified; all ones is what an H200 gives for division (docs/verdicts.md).
  Value udiv(Value a, Value b) { return b.bits ? Value{a.bits / b.bits, a.w} : open(a.w); }
  Value urem(Value a, Value b) { return b.bits ? Value{a.bits % b.bits, a.w} : open(a.w); }
  Value sdiv(Value a, Value b) {
    return b.bits ? make(a.w, apply(Op::sdiv, 0, a.w, a.w, a.bits, b.bits, 0)) : open(a.w);
  }
  Value srem(Value a, Value b) {
    return b.bits ? make(a.w, apply(Op::srem, 0, a.w, a.w, a.bits, b.bits, 0)) : open(a.w);
  }
  Value umulh(Value a, Value b) const { return {apply(Op::umulh, 0, a.w, a.w, a.bits, b.bits, 0), a.w}; }
  Value smulh(Value a, Value b) const { return {apply(Op::smulh, 0, a.w, a.w, a.bits, b.bits, 0), a.w}; }
  Value popc(Value a) const { return {u64(std::popcount(a.bits)), a.w}; }
  Value clz(Value a) const { return {u64(std::countl_zero(a.bits)) - (64 - a.w), a.w}; }
  Value brev(Value a) const { return {apply(Op::brev, 0, a.w, a.w, a.bits, 0, 0), a.w}; }
  Value eq(Value a, Value b) const { return truth(a.bits == b.bits); }
  Value ne(Value a, Value b) const { return truth(a.bits != b.bits); }
  Value ult(Value a, Value b) const { return truth(a.bits < b.bits); }
  Value ule(Value a, Value b) const { return truth(a.bits <= b.bits); }
  Value slt(Value a, Value b) const { return truth(sx(a) < sx(b)); }
  Value sle(Value a, Value b) const { return truth(sx(a) <= sx(b)); }
  Value ite(Value p, Value a, Value b) const { return {p.bits ? a.bits : b.bits, a.w}; }
  Value extract(Value a, unsigned low, unsigned w) const { return make(w, a.bits >> low); }
  Value concat(Value high, Value low) const { return {high.bits << low.w | low.bits, high.w + low.w}; }
  Value zext(Value a, unsigned w) const { return make(w, a.bits); }
  Value sext(Value a, unsigned w) const { return make(w, u64(sx(a))); }

  Value fadd(Attr t, Value a, Value b) const { return {float_binary(Op::fadd, t, a.w, a.bits, b.bits), a.w}; }
  Value fsub(Attr t, Value a, Value b) const { return {float_binary(Op::fsub, t, a.w, a.bits, b.bits), a.w}; }
  Value fmul(Attr t, Value a, Value b) const { return {float_binary(Op::fmul, t, a.w, a.bits, b.bits), a.w}; }
  Value fdiv(Attr t, Value a, Value b) const { return {float_binary(Op::fdiv, t, a.w, a.bits, b.bits), a.w}; }
  Value fmin(Attr t, Value a, Value b) const { return {float_binary(Op::fmin, t, a.w, a.bits, b.bits), a.w}; }
  Value fmax(Attr t, Value a, Value b) const { return {float_binary(Op::fmax, t, a.w, a.bits, b.bits), a.w}; }
  Value fma(Attr t, Value a, Value b, Value c) const { return {float_fma(t, a.w, a.bits, b.bits, c.bits), a.w}; }
  Value fsqrt(Attr t, Value a) const { return {float_unary(Op::fsqrt, t, a.w, a.bits), a.w}; }
  Value fneg(Attr t, Value a) const { return {float_unary(Op::fneg, t, a.w, a.bits), a.w}; }
  Value fabs(Attr t, Value a) const { return {float_unary(Op::fabs, t, a.w, a.bits), a.w}; }
  Value frint(Attr t, Value a) const { return {float_unary(Op::frint, t, a.w, a.bits), a.w}; }
  Value feq(Attr t, Value a, Value b) const { return truth(float_compare(Op::feq, t, a.w, a.bits, b.bits)); }
  Value flt(Attr t, Value a, Value b) const { return truth(float_compare(Op::flt, t, a.w, a.bits, b.bits)); }
  Value fle(Attr t, Value a, Value b) const { return truth(float_compare(Op::fle, t, a.w, a.bits, b.bits)); }
  Value fisnan(Attr t, Value a) const { return truth(float_compare(Op::fisnan, t, a.w, a.bits, 0)); }
  Value fround(Attr t, Value a, unsigned w) const { return {float_round(t, a.w, w, a.bits), w}; }
  Value ftoi(Attr t, Value a, unsigned w) const { return make(w, float_to_int(t, a.w, w, a.bits)); }
  Value itof(Attr t, Value a, unsigned w) const { return {int_to_float(t, a.w, w, a.bits), w}; }

  Value approx(const ir::Opcode& op, unsigned w, Value a, Value b = {}) {
    approximated = true;
    return make(w, approximate(op, w, a.bits, b.bits));
  }
  Value unspecified(const ir::Opcode&, unsigned w, Value = {}, Value = {}) { return open(w); }

 private:
  Value open(unsigned w) {
    unspecified_hit = true;
    return make(w, ~u64(0));
  }
  Attr attr_;
};

}  // namespace ptxeq::sym
