// Inequalities against all values of small variables.
#include <doctest/doctest.h>

#include "checker/obligation_bounds.h"
#include "checker/sample.h"

using namespace ptxeq;
using namespace ptxeq::check;
using sym::Op;
using sym::Term;
using sym::u64;

namespace {

struct Goal {
  sym::TermStore store;
  std::vector<LeafDomain> domains;
  std::vector<Term> variables;

  Term variable(unsigned width, LeafDomain d = {}) {
    d.width = width;
    domains.push_back(d);
    variables.push_back(store.leaf({sym::LeafKind::memory, 0, domains.size() - 1}, width));
    return variables.back();
  }
  Term op(Op o, Term a, Term b = 0, unsigned width = 0) {
    const bool bit = o == Op::eq || o == Op::ult || o == Op::slt || o == Op::ule || o == Op::sle;
    return store.make(o, bit ? 1 : width ? width : store.width(a), 0, a, b);
  }
  Term n(unsigned width, u64 v) { return store.constant(width, v); }
  Shape shape(Term goal) {
    Shape out;
    std::vector<Term> leaves;
    Shaper shaper(store, [this](const sym::Leaf& leaf) { return domains[leaf.index]; });
    REQUIRE(shaper.shape(std::array{goal}, out, leaves, 100000));
    return out;
  }
  bool never(Term goal) { return never_holds_by_bounds(shape(goal)); }
};

LeafDomain integers(std::int64_t low, std::int64_t high, bool is_signed = false) {
  LeafDomain d;
  d.integers = {low, high}, d.is_signed = is_signed;
  return d;
}

}  // namespace

TEST_CASE("what the inequalities refute holds for no values") {
  Random random(7);
  unsigned refuted = 0;
  for (unsigned round = 0; round < 8000; ++round) {
    Goal g;
    constexpr unsigned w = 6;
    const auto some = [&](unsigned n) { return unsigned(random.below(n)); };
    std::array<std::array<std::int64_t, 2>, 2> ranges;
    for (auto& [low, high] : ranges) {
      low = std::int64_t(some(12)), high = low + std::int64_t(some(20)) + 1;
      g.variable(w, integers(low, high, some(2)));
    }
    std::vector<Term> values = g.variables;
    for (unsigned k = 0; k < 6; ++k) {
      const Term a = values[some(unsigned(values.size()))], b = values[some(unsigned(values.size()))];
      const Term c = g.n(w, some(4) ? some(8) : some(64));
      const Term narrow = g.op(Op::extract, a, some(2), w - 2);
      const Term made[] = {g.op(Op::add, a, b),
                           g.op(Op::add, a, c),
                           g.op(Op::mul, a, b),
                           g.op(Op::mul, a, c),
                           g.op(Op::neg, a),
                           g.op(Op::udiv, a, g.n(w, 1 + some(7))),
                           g.op(Op::urem, a, g.n(w, 1 + some(7))),
                           g.op(Op::lshr, a, g.n(w, some(4))),
                           g.op(Op::and_, a, c),
                           g.op(Op::sext, narrow, 0, w),
                           g.op(Op::zext, narrow, 0, w)};
      const Term either = g.store.make(Op::ite, w, 0, g.op(some(2) ? Op::ult : Op::slt, a, c), b, c);
      values.push_back(some(6) ? made[some(std::size(made))] : either);
    }
    Term goal = g.n(1, 1);
    for (unsigned k = 0; k < 4; ++k) {
      constexpr Op relations[] = {Op::ult, Op::slt, Op::eq, Op::ule, Op::sle};
      Term t = g.op(relations[some(5)], values[some(8)], values[some(8)]);
      if (some(2)) t = g.op(Op::not_, t);
      goal = g.op(k && some(4) == 0 ? Op::or_ : Op::and_, goal, t);
    }
    if (g.store.is_constant(goal) || !g.never(goal)) continue;
    ++refuted;
    for (auto x = ranges[0][0]; x <= ranges[0][1]; ++x)
      for (auto y = ranges[1][0]; y <= ranges[1][1]; ++y) {
        sym::Assignment at;
        at.leaf_value = [&](Term leaf) { return u64(leaf == g.variables[0] ? x : y); };
        REQUIRE(sym::evaluate(g.store, std::array{goal}, at)[0] == 0);
      }
  }
  CHECK(refuted > 500);
}

TEST_CASE("a place in row-major order is inside") {
  Goal g;
  const Term row = g.variable(32, integers(0, 63)), k = g.variable(32, integers(0, 65535)),
             n = g.variable(32, integers(1, 65536, true));
  const auto wide = [&](Term t) { return g.op(Op::sext, t, 0, 64); };
  const Term at = wide(g.op(Op::add, g.op(Op::mul, row, n), k));
  const auto beyond = [&](u64 rows) { return g.op(Op::sle, g.op(Op::mul, wide(n), g.n(64, rows)), at); };
  const Term inside = g.op(Op::slt, k, n);
  CHECK(g.never(g.op(Op::and_, inside, beyond(64))));
  CHECK_FALSE(g.never(g.op(Op::and_, inside, beyond(63))));
  CHECK_FALSE(g.never(beyond(64)));
  CHECK(g.never(g.op(Op::and_, inside, g.op(Op::slt, at, g.n(64, 0)))));
}

TEST_CASE("a number that is read with another sign") {
  Goal g;
  const Term n = g.variable(32, integers(0, 1000, true));
  const Term last = g.op(Op::add, n, g.n(32, ~u64(1)));  // n - 2
  const Term j = g.variable(32, integers(0, 65535));
  const Term reached = g.op(Op::and_, g.op(Op::slt, g.n(32, 1), n), g.op(Op::ule, j, last));
  CHECK(g.never(g.op(Op::and_, reached, g.op(Op::ule, n, j))));
  CHECK_FALSE(g.never(g.op(Op::and_, g.op(Op::ule, j, last), g.op(Op::ule, n, j))));  // n - 2 wraps
}

TEST_CASE("four at a time, up to a multiple of four") {
  Goal g;
  const Term n = g.variable(32, integers(0, 65536, true)), j = g.variable(32, integers(0, 65536));
  const Term rest = g.op(Op::zext, g.op(Op::extract, n, 0, 2), 0, 32);
  const Term fours = g.op(Op::add, n, g.op(Op::neg, rest));
  const Term last = g.op(Op::udiv, g.op(Op::add, fours, g.n(32, ~u64(7))), g.n(32, 4));  // (n - n % 4 - 8) / 4
  const Term some =
      g.op(Op::and_, g.op(Op::sle, g.n(32, 1), n), g.op(Op::ule, g.n(32, 3), g.op(Op::add, n, g.n(32, ~u64(0)))));
  const Term more = g.op(Op::not_, g.op(Op::eq, fours, g.n(32, 4)));
  const Term made = g.op(Op::and_, g.op(Op::and_, some, more), g.op(Op::ule, j, last));
  const Term beyond = g.op(Op::slt, n, g.op(Op::add, g.op(Op::mul, j, g.n(32, 4)), g.n(32, 8)));  // 4 j + 8 > n
  CHECK(g.never(g.op(Op::and_, made, beyond)));
  CHECK_FALSE(g.never(g.op(Op::and_, g.op(Op::ule, j, last), beyond)));
}
