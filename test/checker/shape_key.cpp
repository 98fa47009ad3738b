#include <doctest/doctest.h>

#include "checker/shape.h"

using namespace ptxeq;
using namespace ptxeq::check;
using sym::Op;
using sym::Term;

namespace {

struct Cone {
  Shape shape;
  std::vector<Term> leaves;
};
Cone cone(const sym::TermStore& store, std::vector<Term> roots, const LeafDomains& domains = {}) {
  Cone out;
  REQUIRE(Shaper(store, domains).shape(roots, out.shape, out.leaves, 1000));
  return out;
}
Term leaf(sym::TermStore& s, unsigned k, unsigned width = 32) { return s.leaf({sym::LeafKind::memory, 0, k}, width); }

}  // namespace

TEST_CASE("a shape keeps which leaves repeat and forgets which they are") {
  sym::TermStore s;
  const Term a = leaf(s, 0), b = leaf(s, 1), c = leaf(s, 2);
  const auto sum = [&](Term x, Term y) { return s.make(Op::add, 32, 0, x, y); };
  const Cone ab = cone(s, {sum(a, b)}), bc = cone(s, {sum(b, c)}), twice = cone(s, {s.make(Op::mul, 32, 0, a, a)});
  CHECK(ab.shape == bc.shape);
  CHECK(hash(ab.shape) == hash(bc.shape));
  CHECK(ab.leaves == std::vector{a, b});
  CHECK(bc.leaves == std::vector{b, c});
  CHECK_FALSE(cone(s, {s.make(Op::mul, 32, 0, a, b)}).shape == twice.shape);
}

TEST_CASE("constants, widths, kinds and domains are part of a shape") {
  sym::TermStore s;
  const Term a = leaf(s, 0), n = leaf(s, 1, 64), u = s.leaf({sym::LeafKind::undefined, 0, 0}, 32);
  const auto times = [&](Term x, sym::u64 k) { return s.make(Op::mul, s.width(x), 0, x, s.constant(s.width(x), k)); };
  const Shape three = cone(s, {times(a, 3)}).shape;
  CHECK_FALSE(three == cone(s, {times(a, 5)}).shape);
  CHECK_FALSE(three == cone(s, {times(n, 3)}).shape);
  CHECK_FALSE(three == cone(s, {times(u, 3)}).shape);
  const LeafDomains small = [](const sym::Leaf&) {
    return LeafDomain{.width = 32, .integers = std::array<std::int64_t, 2>{0, 9}};
  };
  CHECK_FALSE(three == cone(s, {times(a, 3)}, small).shape);
}

TEST_CASE("a slice computes the same with less code") {
  sym::TermStore s;
  const Term a = leaf(s, 0), b = leaf(s, 1);
  const Term product = s.make(Op::mul, 32, 0, a, b), both = s.make(Op::xor_, 32, 0, product, b);
  const Shape whole = cone(s, {both, product}).shape;
  const Shape part = slice(whole, std::array{whole.roots[1]});
  CHECK(part.code.size() == 3);
  CHECK(part.leaves == whole.leaves);
  CHECK(part.code[part.roots[0]].op == Op::mul);
}

TEST_CASE("a cone beyond the limit is refused") {
  sym::TermStore s;
  Term t = leaf(s, 0);
  for (unsigned k = 1; k < 100; ++k) t = s.make(Op::xor_, 32, 0, t, leaf(s, k));
  Shape out;
  std::vector<Term> leaves;
  Shaper shaper(s, {});
  CHECK_FALSE(shaper.shape(std::array{t}, out, leaves, 50));
  CHECK(shaper.shape(std::array{t}, out, leaves, 1000));
  CHECK(leaves.size() == 100);
}
