// Rebuilding terms without contractible marks, remembered from call to call.
#pragma once

#include <vector>

#include "checker/obligation.h"

namespace ptxeq::check {

class Contraction {
 public:
  // fuse: every contractible mul/add pair becomes one fma; else each is rounded twice.
  Contraction(sym::TermStore& store, bool fuse) : store_(store), fuse_(fuse) {}
  sym::Term operator()(sym::Term root);

 private:
  sym::Term rebuilt(sym::Term t);
  sym::Term contracted(const sym::Node& n);
  sym::Term sum_with(const sym::Node& n, sym::Term operand, bool first);
  sym::TermStore& store_;
  bool fuse_;
  std::vector<sym::Term> made_;  // a term: what became of it, 0: not yet known
};

}  // namespace ptxeq::check
