#include "checker/fusion_choices.h"

#include <algorithm>
#include <set>
#include <vector>

#include "checker/sample.h"

namespace ptxeq::check {
namespace {

using sym::Attr;
using sym::Node;
using sym::Op;
using sym::Term;
using sym::u64;

constexpr std::size_t most_combinations = 1024, random_tries = 200;

// One term's cone as a program whose contractible adds can be evaluated in several ways.
class Choices {
 public:
  Choices(const sym::TermStore& store, Term root, const std::function<u64(Term)>& leaf_bits) : store_(store) {
    std::vector<Term> stack{root};
    std::set<Term> seen;
    while (!stack.empty()) {
      const Term t = stack.back();
      stack.pop_back();
      if (!t || !seen.insert(t).second) continue;
      for (const Term o : operands(store[t])) stack.push_back(o);
    }
    cone_.assign(seen.begin(), seen.end());  // operands have smaller ids
    value_.resize(cone_.size());
    ways_.assign(cone_.size(), 1);
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      const Node& n = store[cone_[i]];
      if (n.op == Op::leaf) value_[i] = leaf_bits(cone_[i]) & sym::mask(n.width);
      if (n.op == Op::constant) value_[i] = store.constant_bits(cone_[i]);
      if (n.op == Op::fadd || n.op == Op::fsub) ways_[i] += unsigned(may_feed(n.a, n)) + unsigned(may_feed(n.b, n));
    }
  }

  // Values over the choices that are tried.
  std::set<u64> values() {
    std::vector<std::size_t> open;
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < cone_.size(); ++i)
      if (ways_[i] > 1) open.push_back(i), combinations = std::min(combinations * ways_[i], most_combinations + 1);
    std::vector<unsigned> choice(cone_.size(), 0);
    std::set<u64> out{evaluate(choice)};
    if (combinations <= most_combinations) {
      for (std::size_t i = 0; i < open.size();) {  // count in mixed radix
        if (++choice[open[i]] < ways_[open[i]])
          out.insert(evaluate(choice)), i = 0;
        else
          choice[open[i++]] = 0;
      }
      return out;
    }
    for (unsigned last = 0; last < 2; ++last) {
      for (const std::size_t i : open) choice[i] = last ? ways_[i] - 1 : 1;
      out.insert(evaluate(choice));
    }
    Random random(1);
    for (std::size_t k = 0; k < random_tries; ++k) {
      for (const std::size_t i : open) choice[i] = unsigned(random.below(ways_[i]));
      out.insert(evaluate(choice));
    }
    std::fill(choice.begin(), choice.end(), 0);
    for (std::size_t k = 0; k < std::min(open.size(), random_tries); ++k)
      for (unsigned way = 1; way < ways_[open[k]]; ++way) {
        choice[open[k]] = way;
        out.insert(evaluate(choice));
        choice[open[k]] = 0;
      }
    return out;
  }

 private:
  bool feeds(Term t, const Node& add) const {
    const Node& mul = store_[t];
    const Attr m = Attr::unpack(mul.attr), a = Attr::unpack(add.attr);
    return mul.op == Op::fmul && m.contractible && a.contractible && !m.sat && !m.relu && m.ftz == a.ftz &&
           m.bf16 == a.bf16;
  }
  bool may_feed(Term t, const Node& add) const {
    return may_be(store_, t, [&](Term x) { return feeds(x, add); });
  }
  // What t is, where that is a choice.
  Term chosen(Term t) const {
    while (store_[t].op == Op::ite) t = at(store_[t].a) ? store_[t].b : store_[t].c;
    return t;
  }
  u64 at(Term t) const {
    if (!t) return 0;
    return value_[std::size_t(std::lower_bound(cone_.begin(), cone_.end(), t) - cone_.begin())];
  }
  u64 evaluate(const std::vector<unsigned>& choice) {
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      const Node& n = store_[cone_[i]];
      if (n.op == Op::constant || n.op == Op::leaf) continue;
      if (choice[i]) {
        value_[i] = fused(n, choice[i]);
        continue;
      }
      value_[i] =
          sym::apply(n.op, n.attr, n.width, store_.width(n.a), at(n.a), n.op == Op::extract ? n.b : at(n.b), at(n.c));
    }
    return value_.back();
  }
  // x*y + z, x*y - z and z - x*y rounded once.
  u64 fused(const Node& n, unsigned choice) const {
    const bool first = may_feed(n.a, n) && choice == 1;
    const Term operand = chosen(first ? n.a : n.b);
    if (!feeds(operand, n)) return sym::apply(n.op, n.attr, n.width, n.width, at(n.a), at(n.b), 0);
    const Node& product = store_[operand];
    const Attr attr = Attr::unpack(n.attr);
    u64 x = at(product.a), z = at(first ? n.b : n.a);
    if (n.op == Op::fsub) {
      u64& negated = first ? z : x;
      negated = sym::float_unary(Op::fneg, Attr{.bf16 = attr.bf16}, n.width, negated);
    }
    return sym::float_fma(attr, n.width, x, at(product.b), z);
  }

  const sym::TermStore& store_;
  std::vector<Term> cone_;
  std::vector<u64> value_;
  std::vector<unsigned> ways_;
};

}  // namespace

bool differ_however_fused(const sym::TermStore& store, Term a, Term ref, const std::function<u64(Term)>& leaf_bits) {
  if ((store[a].flags | store[ref].flags) & (sym::has_approx | sym::has_unspecified)) return true;
  const std::set<u64> x = Choices(store, a, leaf_bits).values(), y = Choices(store, ref, leaf_bits).values();
  return std::none_of(x.begin(), x.end(), [&](u64 v) { return y.count(v) > 0; });
}

}  // namespace ptxeq::check
