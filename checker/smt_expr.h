// Expressions of Z3 as values: all are bit-vectors, a condition has one bit. Included by checker/smt*.cpp alone.
#pragma once

#include <z3++.h>

#include "checker/shape.h"

namespace ptxeq::check::smt {

// One operation on translated operands; is_float(op) alone.
z3::expr float_operation(const Instruction& i, unsigned from, const z3::expr& a, const z3::expr& b, const z3::expr& c);

// The leaf's domain as a condition (a Z3 bool) on its bits.
z3::expr domain_holds(const LeafDomain& domain, unsigned width, const z3::expr& bits);

inline z3::expr constant(z3::context& ctx, unsigned width, u64 bits) { return ctx.bv_val(bits, width); }
inline z3::expr bit(const z3::expr& condition) {
  return z3::ite(condition, condition.ctx().bv_val(1, 1), condition.ctx().bv_val(0, 1));
}
inline z3::expr is_set(const z3::expr& one_bit) { return one_bit == one_bit.ctx().bv_val(1, 1); }

// All instructions of a shape, in one context.
struct Translation {
  std::vector<z3::expr> leaves;
  z3::expr goal;  // the first root holds, and every leaf is in its domain
  bool has_functions = false, has_floats = false;
};
Translation translate(z3::context& ctx, const Shape& shape, const std::vector<std::optional<u64>>& fixed);

}  // namespace ptxeq::check::smt
