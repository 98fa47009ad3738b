// Loops as functions: which recurrences give one term.
#include <doctest/doctest.h>

#include "symbolic/loop.h"

using namespace ptxeq::sym;

namespace {

struct Bench {
  TermStore store;
  Term pass = store.leaf({LeafKind::launch, 0, 0}, 32);
  Term n = store.leaf({LeafKind::scalar, 0, 0}, 32);
  u64 leaves = 0;

  Term leaf() { return store.leaf({LeafKind::loop, 0, leaves++}, 32); }
  Term op(Op o, Term a, Term b) { return store.make(o, o == Op::ult ? 1 : 32, 0, a, b); }
  Term number(u64 v) { return store.constant(32, v); }
  // x, y = y, x + y; and z counts, which nobody asks for. `order`: of the components.
  Recurrence fibonacci(std::array<unsigned, 3> order, u64 first = 0) {
    const Term x = leaf(), y = leaf(), z = leaf();
    const std::array<std::array<Term, 3>, 3> all = {
        {{x, y, number(first)}, {y, op(Op::add, x, y), number(1)}, {z, op(Op::add, z, x), number(5)}}};
    Recurrence out;
    out.pass = pass, out.goes_on = op(Op::ult, pass, n);
    for (const unsigned k : order)
      out.state.push_back(all[k][0]), out.next.push_back(all[k][1]), out.first.push_back(all[k][2]);
    return out;
  }
};

}  // namespace

TEST_CASE("a loop's function does not tell how its state is ordered or what else it computes") {
  Bench b;
  const Term x = state_after(b.store, b.fibonacci({0, 1, 2}), 0);
  CHECK(state_after(b.store, b.fibonacci({2, 1, 0}), 2) == x);
  CHECK(state_after(b.store, b.fibonacci({1, 0, 2}), 1) == x);
  CHECK(state_after(b.store, b.fibonacci({0, 1, 2}), 1) != x);
  CHECK(state_after(b.store, b.fibonacci({0, 1, 2}, 7), 0) != x);
  CHECK(b.store.width(x) == 32);
}

TEST_CASE("another count, another body or another limit is another function") {
  Bench b;
  const Recurrence loop = b.fibonacci({0, 1, 2});
  const Term x = state_after(b.store, loop, 0), passes = passes_made(b.store, loop);
  Recurrence count = loop;
  count.goes_on = b.op(Op::ult, b.pass, b.op(Op::add, b.n, b.number(1)));
  CHECK(state_after(b.store, count, 0) != x);
  CHECK(passes_made(b.store, count) != passes);
  Recurrence body = loop;
  body.next[1] = b.op(Op::add, body.next[1], b.pass);
  CHECK(state_after(b.store, body, 0) != x);
  CHECK(passes_made(b.store, body) == passes);
  Recurrence limit = loop;
  const Term other = b.store.leaf({LeafKind::launch, 1, 0}, 32);
  limit.pass = other, limit.goes_on = b.op(Op::ult, other, b.n);
  CHECK(state_after(b.store, limit, 0) != x);
}

TEST_CASE("a loop's function has its body's flags, and a walk finds what the body holds") {
  Bench b;
  Recurrence loop = b.fibonacci({0, 1, 2});
  const Term once = b.store.leaf({LeafKind::memory, 3, 4}, 32);
  constexpr u8 contractible = Attr{.contractible = true}.pack();
  loop.next[1] = b.store.make(Op::fadd, 32, contractible, b.store.make(Op::fmul, 32, contractible, once, once), once);
  const Term x = state_after(b.store, loop, 0);
  CHECK((b.store[x].flags & has_contraction) != 0);
  CHECK((b.store[x].flags & has_approx) != 0);
  CHECK(find_in_cone(b.store, x, 0, [&](Term t) { return t == once; }) == once);
  CHECK((b.store[state_after(b.store, loop, 2)].flags & has_contraction) != 0);  // which hangs on the others
}
