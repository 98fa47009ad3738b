// Contraction: mul and add without a rounding modifier may be fused into an fma (PTX ISA, "add", "mul": "the
// optimizer may contract"), so a term with contractible marks stands for several functions.
#include "checker/obligation_fuse.h"

namespace ptxeq::check {
namespace {

using sym::Attr;
using sym::Node;
using sym::Op;
using sym::Term;
using sym::TermStore;

bool takes_mark(Op op) { return op == Op::fadd || op == Op::fsub || op == Op::fmul; }
bool is_contractible(const Node& n) { return takes_mark(n.op) && Attr::unpack(n.attr).contractible; }

Attr unmarked(sym::u8 bits) {
  Attr attr = Attr::unpack(bits);
  attr.contractible = false;
  return attr;
}

// A mul whose rounded result an fma can skip: not saturated, and flushing as the add does.
bool may_feed(const Node& mul, const Node& add) {
  if (mul.op != Op::fmul || !is_contractible(mul)) return false;
  const Attr m = Attr::unpack(mul.attr), a = Attr::unpack(add.attr);
  return !m.sat && !m.relu && m.ftz == a.ftz && m.bf16 == a.bf16;
}

}  // namespace

Term Contraction::operator()(Term root) {
  if (!root) return 0;
  if (made_.size() <= root) made_.resize(store_.size(), 0);
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    const Term t = stack.back();
    const std::size_t before = stack.size();
    if (!made_[t])
      for (const Term o : operands(store_[t]))
        if (o && !made_[o]) stack.push_back(o);
    if (stack.size() > before) continue;
    stack.pop_back();
    if (!made_[t]) made_[t] = rebuilt(t);
  }
  return made_[root];
}

Term Contraction::rebuilt(Term t) {
  const Node n = store_[t];
  if (n.op == Op::constant || n.op == Op::leaf) return t;
  bool same = !is_contractible(n);
  for (const Term o : operands(n)) same = same && (!o || made_[o] == o);
  if (same) return t;
  if (is_contractible(n) && n.op != Op::fmul && fuse_)
    if (const Term fma = contracted(n)) return fma;
  const auto get = [&](Term o) { return o ? made_[o] : 0; };
  const sym::u8 attr = takes_mark(n.op) ? unmarked(n.attr).pack() : n.attr;
  return store_.make(n.op, n.width, attr, get(n.a), n.op == Op::extract ? n.b : get(n.b),
                     n.op == Op::approx ? n.c : get(n.c));
}

// x*y + z, z + x*y, x*y - z and z - x*y as one fma; 0 where no operand is such a product.
Term Contraction::contracted(const Node& n) {
  const auto feeds = [&](Term t) { return may_feed(store_[t], n); };
  const bool first = may_be(store_, n.a, feeds);
  if (!first && !may_be(store_, n.b, feeds)) return 0;
  return sum_with(n, first ? n.a : n.b, first);
}

// The add or sub with the operand that may be a product: case by case where that is a choice.
Term Contraction::sum_with(const Node& n, Term operand, bool first) {
  const Node product = store_[operand];
  if (product.op == Op::ite && may_be(store_, operand, [&](Term t) { return may_feed(store_[t], n); }))
    return store_.make(Op::ite, n.width, 0, made_[product.a], sum_with(n, product.b, first),
                       sum_with(n, product.c, first));
  if (!may_feed(product, n))
    return store_.make(n.op, n.width, unmarked(n.attr).pack(), made_[first ? operand : n.a],
                       made_[first ? n.b : operand]);
  Term x = made_[product.a], z = made_[first ? n.b : n.a];
  if (n.op == Op::fsub) {
    Term& negated = first ? z : x;
    negated = store_.make(Op::fneg, n.width, Attr{.bf16 = Attr::unpack(n.attr).bf16}.pack(), negated);
  }
  return store_.make(Op::fma, n.width, unmarked(n.attr).pack(), x, made_[product.b], z);
}

Term unfused(TermStore& store, Term t) { return Contraction(store, false)(t); }
Term fused(TermStore& store, Term t) { return Contraction(store, true)(t); }

}  // namespace ptxeq::check
