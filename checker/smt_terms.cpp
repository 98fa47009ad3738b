// Bit-vector operations and whole shapes in SMT.
#include <fmt/format.h>

#include "checker/smt_expr.h"

namespace ptxeq::check::smt {
namespace {

using sym::Op;
using z3::expr;

unsigned width(const expr& e) { return e.get_sort().bv_size(); }

expr high_product(const expr& a, const expr& b, bool is_signed) {
  const unsigned w = width(a);
  const auto wide = [&](const expr& e) { return is_signed ? z3::sext(e, w) : z3::zext(e, w); };
  return (wide(a) * wide(b)).extract(2 * w - 1, w);
}

expr population(const expr& a) {
  expr sum = constant(a.ctx(), width(a), 0);
  for (unsigned i = 0; i < width(a); ++i) {
    const expr one = a.extract(i, i);
    sum = sum + (width(a) > 1 ? z3::zext(one, width(a) - 1) : one);
  }
  return sum;
}
expr leading_zeros(const expr& a) {
  const unsigned w = width(a);
  expr out = constant(a.ctx(), w, w);
  for (unsigned i = 0; i < w; ++i) out = z3::ite(is_set(a.extract(i, i)), constant(a.ctx(), w, w - 1 - i), out);
  return out;
}
expr reversed(const expr& a) {
  expr out = a.extract(0, 0);
  for (unsigned i = 1; i < width(a); ++i) out = z3::concat(out, a.extract(i, i));
  return out;
}

// SMT-LIB shifts agree with ours: an amount of the width or more gives 0 or all sign bits.
expr integer_operation(const Instruction& i, const expr& a, const expr& b, const expr& c) {
  switch (i.op) {
    case Op::add:
      return a + b;
    case Op::mul:
      return a * b;
    case Op::neg:
      return -a;
    case Op::udiv:
      return z3::udiv(a, b);
    case Op::urem:
      return z3::urem(a, b);
    case Op::sdiv:
      return a / b;
    case Op::srem:
      return z3::srem(a, b);
    case Op::umulh:
      return high_product(a, b, false);
    case Op::smulh:
      return high_product(a, b, true);
    case Op::and_:
      return a & b;
    case Op::or_:
      return a | b;
    case Op::xor_:
      return a ^ b;
    case Op::not_:
      return ~a;
    case Op::shl:
      return z3::shl(a, b);
    case Op::lshr:
      return z3::lshr(a, b);
    case Op::ashr:
      return z3::ashr(a, b);
    case Op::popc:
      return population(a);
    case Op::clz:
      return leading_zeros(a);
    case Op::brev:
      return reversed(a);
    case Op::eq:
      return bit(a == b);
    case Op::ult:
      return bit(z3::ult(a, b));
    case Op::slt:
      return bit(z3::slt(a, b));
    case Op::ule:
      return bit(z3::ule(a, b));
    case Op::sle:
      return bit(z3::sle(a, b));
    case Op::ite:
      return z3::ite(is_set(a), b, c);
    case Op::extract:
      return a.extract(i.b + i.width - 1, i.b);
    case Op::concat:
      return z3::concat(a, b);
    case Op::zext:
      return i.width > width(a) ? z3::zext(a, i.width - width(a)) : a.extract(i.width - 1, 0);
    case Op::sext:
      return i.width > width(a) ? z3::sext(a, i.width - width(a)) : a.extract(i.width - 1, 0);
    default:
      throw z3::exception("an operation that has no translation");
  }
}

// An approximate or unspecified function: any function of its operands.
expr application(z3::context& ctx, const Instruction& i, const z3::expr_vector& operands) {
  z3::sort_vector sorts(ctx);
  std::string name = fmt::format("approx{}.{}", i.c, i.attr);
  for (unsigned k = 0; k < operands.size(); ++k) {
    sorts.push_back(operands[int(k)].get_sort());
    name += fmt::format(".{}", width(operands[int(k)]));
  }
  name += fmt::format(".{}", i.width);
  return ctx.function(name.c_str(), sorts, ctx.bv_sort(i.width))(operands);
}

}  // namespace

Translation translate(z3::context& ctx, const Shape& shape, const std::vector<std::optional<u64>>& fixed) {
  Translation out{{}, ctx.bool_val(true), false, false};
  std::vector<expr> slots;
  slots.reserve(shape.code.size());
  out.leaves.resize(shape.leaves.size(), ctx.bv_val(0, 1));
  for (const Instruction& i : shape.code) {
    if (i.op == Op::constant) {
      slots.push_back(constant(ctx, i.width, constant_bits(i)));
      continue;
    }
    if (i.op == Op::leaf) {
      const expr leaf = ctx.bv_const(fmt::format("leaf{}", i.a).c_str(), i.width);
      const bool is_fixed = i.a < fixed.size() && fixed[i.a];
      out.leaves[i.a] = leaf;
      out.goal = out.goal && (is_fixed ? leaf == constant(ctx, i.width, *fixed[i.a])
                                       : domain_holds(shape.leaves[i.a].domain, i.width, leaf));
      slots.push_back(leaf);
      continue;
    }
    const auto in = operands(i);
    if (i.op == Op::approx) {
      z3::expr_vector args(ctx);
      for (const u32 o : in)
        if (o != no_slot) args.push_back(slots[o]);
      out.has_functions = true;
      slots.push_back(application(ctx, i, args));
      continue;
    }
    const expr& a = slots[in[0]];
    const expr& b = in[1] == no_slot ? a : slots[in[1]];
    const expr& c = in[2] == no_slot ? a : slots[in[2]];
    out.has_floats = out.has_floats || sym::is_float(i.op);
    slots.push_back(sym::is_float(i.op) ? float_operation(i, shape.code[in[0]].width, a, b, c)
                                        : integer_operation(i, a, b, c));
  }
  out.goal = out.goal && is_set(slots[shape.roots[0]]);
  return out;
}

}  // namespace ptxeq::check::smt
