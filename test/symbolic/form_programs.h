// Random sequences of integer operations, as they stand in address computations: run by any domain, so that what the
// symbolic domain makes of launch symbols can be held against each of their values.
#pragma once

#include <algorithm>
#include <bit>
#include <random>
#include <span>
#include <vector>

#include "symbolic/symbolic_domain.h"

namespace ptxeq::sym::test {

enum class Do : u8 {
  constant,
  add,
  sub,
  mul,
  neg,
  not_,
  and_,
  or_,
  xor_,
  shl,
  lshr,
  ashr,
  udiv,
  urem,
  sdiv,
  srem,
  umulh,
  smulh,
  eq,
  ult,
  ule,
  slt,
  sle,
  ite,
  extract,
  concat,
  zext,
  sext
};

// One operation on earlier values, by number.
struct FormStep {
  Do what{};
  unsigned w = 0;  // of the result
  std::size_t a = 0, b = 0, c = 0;
  u64 number = 0;  // a constant, or extract's low bit
};

template <class Domain>
typename Domain::Value run_step(Domain& d, const FormStep& s, const std::vector<typename Domain::Value>& v) {
  const auto a = s.what == Do::constant ? d.constant(s.w, s.number) : v[s.a], b = s.what == Do::constant ? a : v[s.b];
  switch (s.what) {
    case Do::constant:
      return a;
    case Do::add:
      return d.add(a, b);
    case Do::sub:
      return d.sub(a, b);
    case Do::mul:
      return d.mul(a, b);
    case Do::neg:
      return d.neg(a);
    case Do::not_:
      return d.not_(a);
    case Do::and_:
      return d.and_(a, b);
    case Do::or_:
      return d.or_(a, b);
    case Do::xor_:
      return d.xor_(a, b);
    case Do::shl:
      return d.shl(a, b);
    case Do::lshr:
      return d.lshr(a, b);
    case Do::ashr:
      return d.ashr(a, b);
    case Do::udiv:
      return d.udiv(a, b);
    case Do::urem:
      return d.urem(a, b);
    case Do::sdiv:
      return d.sdiv(a, b);
    case Do::srem:
      return d.srem(a, b);
    case Do::umulh:
      return d.umulh(a, b);
    case Do::smulh:
      return d.smulh(a, b);
    case Do::eq:
      return d.eq(a, b);
    case Do::ult:
      return d.ult(a, b);
    case Do::ule:
      return d.ule(a, b);
    case Do::slt:
      return d.slt(a, b);
    case Do::sle:
      return d.sle(a, b);
    case Do::ite:
      return d.ite(v[s.c], a, b);
    case Do::extract:
      return d.extract(a, unsigned(s.number), s.w);
    case Do::concat:
      return d.concat(a, b);
    case Do::zext:
      return d.zext(a, s.w);
    case Do::sext:
      return d.sext(a, s.w);
  }
  return a;
}

// Makes sequences over inputs of the given widths.
class FormPrograms {
 public:
  explicit FormPrograms(u64 seed) : random_(seed) {}

  u64 below(u64 n) { return random_() % n; }

  // Small numbers, powers of two, ends of ranges, anything: of `w` bits.
  u64 number(unsigned w) {
    const u64 near = u64(1) << (below(3) ? below(w) : w - 1);
    switch (below(6)) {
      case 0:
        return below(17) & mask(w);
      case 1:
        return near;
      case 2:
        return (near - 1) & mask(w);
      case 3:
        return (near + below(5) - 2) & mask(w);
      case 4:
        return (0 - below(9)) & mask(w);
      default:
        return random_() & mask(w) >> below(w);
    }
  }

  std::vector<FormStep> make(const std::vector<unsigned>& inputs, unsigned operations) {
    widths_ = inputs, steps_.clear();
    for (unsigned i = 0; i < operations; ++i) operation();
    return steps_;
  }

 private:
  std::size_t append(FormStep s) {
    steps_.push_back(s), widths_.push_back(s.w);
    return widths_.size() - 1;
  }
  std::size_t any() {
    return below(3) ? widths_.size() - 1 - below(std::min<u64>(widths_.size(), 4)) : below(widths_.size());
  }
  std::size_t constant(unsigned w, u64 bits) { return append({Do::constant, w, 0, 0, 0, bits & mask(w)}); }
  // A value of that width: one there is, or a constant.
  std::size_t other(unsigned w) {
    for (unsigned i = 0; i < 4 && below(2); ++i)
      if (const std::size_t v = any(); widths_[v] == w) return v;
    return constant(w, number(w));
  }
  std::size_t integer() {
    for (unsigned i = 0; i < 8; ++i)
      if (const std::size_t v = any(); widths_[v] > 1) return v;
    return 0;
  }

  void operation() {
    const std::size_t a = integer();
    const unsigned w = widths_[a];
    static constexpr unsigned sizes[] = {8, 16, 32, 64};
    switch (below(10)) {
      case 0:
      case 1:
      case 2: {
        static constexpr Do ops[] = {Do::add,  Do::sub,  Do::mul,  Do::and_, Do::or_,   Do::xor_,
                                     Do::udiv, Do::urem, Do::sdiv, Do::srem, Do::umulh, Do::smulh};
        const Do op = ops[below(std::size(ops))];
        const std::size_t b = other(w);
        append(below(8) ? FormStep{op, w, a, b} : FormStep{op, w, b, a});
        return;
      }
      case 3: {
        static constexpr Do ops[] = {Do::shl, Do::lshr, Do::ashr};
        append({ops[below(3)], w, a, constant(w, below(w + 2))});
        return;
      }
      case 4:
        append({below(2) ? Do::neg : Do::not_, w, a, a});
        return;
      case 5: {
        static constexpr Do ops[] = {Do::eq, Do::ult, Do::ule, Do::slt, Do::sle};
        const std::size_t b = other(w);
        const std::size_t p = below(2) ? append({ops[below(5)], 1, a, b}) : append({ops[below(5)], 1, b, a});
        if (below(2)) append({Do::ite, w, a, b, p});  // min, max and their like
        return;
      }
      case 6: {
        const unsigned to = sizes[below(4)];
        append({below(2) ? Do::zext : Do::sext, to, a, a});
        return;
      }
      case 7: {
        const unsigned to = sizes[below(4)];
        if (to < w) append({Do::extract, to, a, a, 0, below(2) ? 0 : below(w - to + 1)});
        return;
      }
      case 8:
        if (w < 64)
          for (const unsigned i : {0u, 1u})
            if (const std::size_t b = i || below(2) ? constant(w, number(w)) : any(); widths_[b] == w) {
              append(below(2) ? FormStep{Do::concat, 2 * w, a, b} : FormStep{Do::concat, 2 * w, b, a});
              return;
            }
        return;
      default:
        magic(a);
    }
  }

  // A division by a constant as compilers spell it: with a reciprocal of one word, right or one off.
  void magic(std::size_t a) {
    const unsigned w = widths_[a];
    if (w != 32) return;
    const u64 d = 2 + below(below(2) ? 40 : 100000);
    const unsigned shift = unsigned(std::bit_width(d)) - 1;
    u64 factor = ((u64(1) << (32 + shift)) / d + 1) & mask(32);
    if (below(16) == 0) --factor;
    switch (below(3)) {
      case 0: {
        const std::size_t high = append({Do::umulh, w, a, constant(w, factor)});
        append({Do::lshr, w, high, constant(w, shift)});
        return;
      }
      case 1: {
        const std::size_t wide = append({Do::zext, 64, a, a}), k = constant(64, factor);
        const std::size_t product = append({Do::mul, 64, wide, k});
        const std::size_t shifted = append({Do::lshr, 64, product, constant(64, 32 + shift)});
        append({Do::zext, 32, shifted, shifted});
        return;
      }
      default: {  // signed: the half of the reciprocal, and one more where a is negative
        const std::size_t high = append({Do::smulh, w, a, constant(w, factor >> 1)});
        const std::size_t q = append({Do::ashr, w, high, constant(w, shift ? shift - 1 : 0)});
        const std::size_t sign = append({Do::lshr, w, a, constant(w, 31)});
        append({Do::add, w, q, sign});
      }
    }
  }

  std::mt19937_64 random_;
  std::vector<unsigned> widths_;
  std::vector<FormStep> steps_;
};

// What a value of the symbolic domain is where the launch symbols have these values.
inline u64 value_at(SymbolicDomain& d, const Value& v, std::span<const i64> point) {
  if (v.concrete()) return v.bits;
  if (is_form(v.tag)) {
    u64 sum = v.bits;
    for (const FormPart& p : d.forms[v.tag].parts) sum += u64(p.factor) * u64(point[p.symbol]);
    return sum & mask(v.w);
  }
  const Term root[] = {Term(v.bits)};
  const auto leaf = [&](Term t) { return u64(point[d.store().leaf_of(t).object]) & mask(d.store().width(t)); };
  return evaluate(d.store(), root, {leaf, [](const Node&, u64, u64) { return u64(0); }})[0];
}

}  // namespace ptxeq::sym::test
