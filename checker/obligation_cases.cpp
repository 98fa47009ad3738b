#include "checker/obligation_cases.h"

namespace ptxeq::check {
namespace {

using sym::Op;
using sym::Term;
using sym::TermStore;

constexpr std::size_t most_cases = 12;  // of a value; those beyond stay choices

struct Case {
  Term value = 0, condition = 0;
};

std::vector<Case> cases(TermStore& store, Term t) {
  std::vector<Case> out{{t, 0}};
  for (std::size_t k = 0; k < out.size() && out.size() < most_cases;) {
    const Case c = out[k];
    const sym::Node n = store[c.value];
    if (n.op != Op::ite) {
      ++k;
      continue;
    }
    out[k] = {n.b, conjunction(store, c.condition, n.a)};
    out.push_back({n.c, conjunction(store, c.condition, store.make(Op::not_, 1, 0, n.a))});
  }
  return out;
}

}  // namespace

std::vector<Obligation> by_cases(sym::TermStore& store, const Obligation& o) {
  std::vector<Obligation> out{{o.ref, o.ref, o.condition}};
  for (const Case& a : cases(store, o.a))
    for (const Case& ref : cases(store, o.ref))
      if (a.value != ref.value)
        out.push_back(
            {a.value, ref.value, conjunction(store, o.condition, conjunction(store, a.condition, ref.condition))});
  return out;
}

}  // namespace ptxeq::check
