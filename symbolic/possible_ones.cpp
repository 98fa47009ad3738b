#include "symbolic/possible_ones.h"

#include <bit>

namespace ptxeq::sym {

u64 possible_ones(const TermStore& store, Term t, unsigned depth) {
  const Node& n = store[t];
  const u64 all = mask(n.width);
  if (n.op == Op::constant) return store.constant_bits(t);
  if (depth == 0) return all;
  const auto of = [&](Term x) { return possible_ones(store, x, depth - 1); };
  switch (n.op) {
    case Op::zext:
      return of(n.a);
    case Op::concat:
      return of(n.a) << store.width(n.b) | of(n.b);
    case Op::extract:
      return of(n.a) >> n.b & all;
    case Op::and_:
      return of(n.a) & of(n.b);
    case Op::or_:
    case Op::xor_:
      return of(n.a) | of(n.b);
    case Op::ite:
      return of(n.b) | of(n.c);
    case Op::mul:
      if (store.is_constant(n.b) && std::has_single_bit(store.constant_bits(n.b)))
        return of(n.a) << std::countr_zero(store.constant_bits(n.b)) & all;
      return all;
    case Op::udiv:
      if (!store.is_constant(n.b) || store.constant_bits(n.b) == 0) return all;
      return mask(unsigned(std::bit_width(of(n.a) / store.constant_bits(n.b))));  // a quotient by 0 is all ones
    case Op::urem:
      if (!store.is_constant(n.b) || store.constant_bits(n.b) == 0) return of(n.a);
      return mask(unsigned(std::bit_width(store.constant_bits(n.b) - 1)));
    case Op::popc:
    case Op::clz:
      return std::bit_ceil(u64(n.width) + 1) * 2 - 1;
    default:
      return all;
  }
}

}  // namespace ptxeq::sym
