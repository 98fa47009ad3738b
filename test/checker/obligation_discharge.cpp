#include <doctest/doctest.h>

#include "checker/obligation.h"

using namespace ptxeq;
using namespace ptxeq::check;
using sym::Attr;
using sym::Op;
using sym::Term;
using sym::u64;

namespace {

using Clock = std::chrono::steady_clock;
using By = Decision::By;

constexpr sym::u8 contractible = Attr{.contractible = true}.pack();

struct Bench {
  sym::TermStore store;
  std::vector<LeafDomain> domains;
  Evidence evidence;
  double seconds = 100;

  Term x(unsigned width, LeafDomain domain = {}) {
    if (domain != LeafDomain{}) domain.width = width;
    domains.push_back(domain);
    return store.leaf({sym::LeafKind::memory, 0, domains.size() - 1}, width);
  }
  Term f(unsigned width) { return x(width, {.floating = true}); }
  Term n(unsigned width, u64 v) { return store.constant(width, v); }
  Term op(Op o, Term a, Term b = 0, Term c = 0, sym::u8 attr = 0) {
    const bool one_bit = o == Op::eq || o == Op::ult || o == Op::slt || o == Op::feq || o == Op::flt;
    return store.make(o, one_bit ? 1 : store.width(o == Op::ite ? b : a), attr, a, b, c);
  }
  Term approx(const char* name, Term a) {
    return store.make(Op::approx, store.width(a), 0, a, 0, store.tag(name, false));
  }

  LeafDomains lookup() {
    return [this](const sym::Leaf& leaf) {
      return leaf.kind == sym::LeafKind::memory && leaf.object == 0 ? domains.at(leaf.index) : LeafDomain{};
    };
  }
  DischargeOptions options() {
    DischargeOptions o;
    o.deadline = Clock::now() + std::chrono::milliseconds(int(seconds * 1000));
    o.jobs = 2;
    return o;
  }
  std::vector<Decision> decide(const std::vector<Obligation>& all) {
    return discharge(store, all, lookup(), options(), evidence);
  }
  Decision decide(Term a, Term ref, Term condition = 0) { return decide({Obligation{a, ref, condition}}).front(); }
};

}  // namespace

TEST_CASE("a reciprocal that is right on the stated range alone is proved by enumeration") {
  Bench b;
  const Term x = b.x(32, {.integers = std::array<std::int64_t, 2>{0, (1 << 28) - 1}});
  // 7 * 306783379 = 2^31 + 5, so x * 306783379 >> 31 is x / 7 where 5 * x < 2^31.
  const auto scaled = [&](u64 factor) {
    const Term product = b.store.make(Op::mul, 64, 0, b.store.make(Op::zext, 64, 0, x), b.n(64, factor));
    return b.store.make(Op::extract, 32, 0, product, 31);
  };
  const Decision d = b.decide(scaled(306783379), b.op(Op::udiv, x, b.n(32, 7)));
  CHECK(d.outcome == Outcome::proved);
  CHECK(d.by == Decision::By::enumeration);
  // One less shows at multiples of 7 only.
  CHECK(b.decide(scaled(306783378), b.op(Op::udiv, x, b.n(32, 7))).outcome == Outcome::refuted);
}

TEST_CASE("of a word of which a byte is read, the byte's values are tried") {
  Bench b;
  // gcd(x, y) of two bytes by at most 14 steps of Euclid's, forwards and with the operands swapped.
  const auto byte = [&](Term word) { return b.store.make(Op::zext, 32, 0, b.store.make(Op::extract, 8, 0, word, 16)); };
  const Term x = byte(b.x(32)), y = byte(b.x(32)), zero = b.n(32, 0);
  const auto gcd = [&](Term p, Term q, int steps) {
    for (int k = 0; k < steps; ++k) {
      const Term stop = b.op(Op::eq, q, zero);
      const Term next = b.op(Op::ite, stop, zero, b.op(Op::urem, p, b.op(Op::ite, stop, b.n(32, 1), q)));
      p = b.op(Op::ite, stop, p, q), q = next;
    }
    return p;
  };
  const Decision d = b.decide(gcd(x, y, 14), gcd(y, x, 14));
  CHECK(d.outcome == Outcome::proved);
  CHECK(d.by == By::enumeration);
  CHECK(b.decide(gcd(x, y, 14), gcd(y, x, 11)).outcome == Outcome::refuted);  // 233 and 144 take 12
}

TEST_CASE("equal parts of a larger term are found and merged") {
  Bench b;
  const Term x = b.x(32, {.is_signed = true, .integers = std::array<std::int64_t, 2>{-100'000, 100'000}});
  const Term y = b.x(32), z = b.x(32);
  // 3 * 5592406 = 2^24 + 2, so that this is a division by 3, less 1 where x < 0, for |x| < 2^23 only.
  const Term product = b.store.make(Op::mul, 64, 0, b.store.make(Op::sext, 64, 0, x), b.n(64, 5592406));
  const Term high = b.store.make(Op::extract, 32, 0, product, 24);
  const Term third = b.op(Op::add, high, b.op(Op::lshr, x, b.n(32, 31)));
  const auto with = [&](Term q) { return b.op(Op::umulh, b.op(Op::mul, q, y), b.op(Op::xor_, z, q)); };
  const Decision d = b.decide(with(third), with(b.op(Op::sdiv, x, b.n(32, 3))));
  CHECK(d.outcome == Outcome::proved);
  CHECK(b.decide(with(high), with(b.op(Op::sdiv, x, b.n(32, 3)))).outcome == Outcome::refuted);
}

TEST_CASE("u32 arithmetic wraps") {
  Bench b;
  const Term x = b.x(32);
  const Term half = b.op(Op::udiv, b.op(Op::mul, x, b.n(32, 2)), b.n(32, 2));
  const Decision d = b.decide(half, x);
  REQUIRE(d.outcome == Outcome::refuted);
  const u64 v = d.model.at(x);
  CHECK(((2 * v & 0xffffffff) / 2) != v);
  // Where the value is known to be small, it does not.
  const Term y = b.x(32, {.integers = std::array<std::int64_t, 2>{0, 1000}});
  const Decision small = b.decide(b.op(Op::udiv, b.op(Op::mul, y, b.n(32, 6)), b.n(32, 6)), y);
  CHECK(small.outcome == Outcome::proved);
}

TEST_CASE("integer sums and products may be reordered") {
  Bench b;
  std::vector<Term> xs;
  for (int k = 0; k < 64; ++k) xs.push_back(b.x(32));
  Term up = xs[0], down = xs[63];
  for (int k = 1; k < 64; ++k) up = b.op(Op::add, up, xs[k]), down = b.op(Op::add, down, xs[63 - k]);
  const Decision d = b.decide(b.op(Op::mul, up, down), b.op(Op::mul, up, up));
  CHECK(d.outcome == Outcome::proved);
  CHECK(d.by == By::normal_form);
  // (x + y)^2 = x^2 + 2xy + y^2
  const Term s = b.op(Op::add, xs[0], xs[1]), square = b.op(Op::mul, s, s);
  const Term twice = b.op(Op::mul, b.op(Op::mul, xs[0], xs[1]), b.n(32, 2));
  const Term expanded = b.op(Op::add, b.op(Op::add, b.op(Op::mul, xs[0], xs[0]), twice), b.op(Op::mul, xs[1], xs[1]));
  CHECK(b.decide(square, expanded).outcome == Outcome::proved);
}

TEST_CASE("float sums may not be reordered, and the difference is called rounding") {
  Bench b;
  const Term x = b.f(32), y = b.f(32), z = b.f(32);
  const Decision d = b.decide(b.op(Op::fadd, b.op(Op::fadd, x, y), z), b.op(Op::fadd, x, b.op(Op::fadd, y, z)));
  CHECK(d.outcome == Outcome::refuted);
  CHECK(b.decide(b.op(Op::fadd, x, y), b.op(Op::fadd, y, x)).outcome == Outcome::proved);
}

TEST_CASE("identities that fail on NaNs or signed zeros alone are refuted there") {
  Bench b;
  const Term x = b.f(32);
  const Decision times_one = b.decide(b.op(Op::fmul, x, b.n(32, 0x3f800000)), x);
  REQUIRE(times_one.outcome == Outcome::refuted);
  CHECK((times_one.model.at(x) & 0x7fffffff) > 0x7f800000);
  const Decision plus_zero = b.decide(b.op(Op::fadd, x, b.n(32, 0)), b.op(Op::fmul, x, b.n(32, 0x3f800000)));
  REQUIRE(plus_zero.outcome == Outcome::refuted);
  CHECK(plus_zero.model.at(x) == 0x80000000);
  // Finite inputs have no NaN: proved by trying all.
  const Term y = b.x(32, {.floating = true, .finite = true});
  const Decision finite = b.decide(b.op(Op::fmul, y, b.n(32, 0x3f800000)), y);
  CHECK(finite.outcome == Outcome::proved);
  const Term z = b.x(32, {.floating = true, .values = std::array{1.0, 2.0}});
  CHECK(b.decide(b.op(Op::fadd, z, b.n(32, 0)), z).outcome == Outcome::proved);
}

TEST_CASE("approximate functions are functions of their operands and no more") {
  Bench b;
  const Term x = b.x(32), y = b.x(32);
  const Term sum = b.op(Op::add, x, y),
             sum2 = b.op(Op::add, b.op(Op::add, y, b.op(Op::neg, x)), b.op(Op::mul, x, b.n(32, 2)));
  CHECK(b.decide(b.approx("ex2.approx.f32", sum), b.approx("ex2.approx.f32", sum2)).outcome == Outcome::proved);
  const Decision other = b.decide(b.approx("ex2.approx.f32", x), b.approx("lg2.approx.f32", x));
  CHECK(other.outcome == Outcome::unknown);
  CHECK(other.why == ReasonCode::unspecified_result);
  // A sure difference, whatever the function gives.
  const Term e = b.approx("ex2.approx.f32", x);
  CHECK(b.decide(e, b.op(Op::xor_, e, b.n(32, 4))).outcome == Outcome::refuted);
  CHECK(b.decide(b.op(Op::or_, e, b.n(32, 1)), b.op(Op::and_, e, b.n(32, ~1u))).outcome == Outcome::refuted);
  // f(x) + 1 and f(x) + 2 differ for every f, though no bit of either is known.
  CHECK(b.decide(b.op(Op::add, e, b.n(32, 1)), b.op(Op::add, e, b.n(32, 2))).outcome == Outcome::refuted);
}

TEST_CASE("nothing is refuted on a value that nobody wrote") {
  Bench b;
  const Term x = b.x(32), u = b.store.leaf({sym::LeafKind::undefined, 0, 1}, 32);
  const Decision d = b.decide(b.op(Op::add, x, u), x);
  CHECK(d.outcome == Outcome::unknown);
  CHECK(d.why == ReasonCode::unspecified_result);
  CHECK(b.decide(b.op(Op::and_, u, b.n(32, 0xff)), b.n(32, 0x100)).outcome == Outcome::refuted);
  CHECK(b.decide(b.op(Op::add, b.op(Op::add, x, u), b.op(Op::neg, u)), x).outcome == Outcome::proved);
}

TEST_CASE("a product and a sum that may be fused") {
  Bench b;
  const Term x = b.f(32), y = b.f(32), z = b.f(32);
  const Term loose = b.op(Op::fadd, b.op(Op::fmul, x, y, 0, contractible), z, 0, contractible);
  const Term strict = b.op(Op::fadd, b.op(Op::fmul, x, y), z);
  const Term fma = b.op(Op::fma, x, y, z);
  CHECK(unfused(b.store, loose) == strict);
  CHECK(fused(b.store, loose) == fma);
  CHECK(unfused(b.store, strict) == strict);
  const Decision d = b.decide(loose, strict);
  CHECK(d.outcome == Outcome::proved);
  CHECK(d.assumed_unfused);
  const Decision might = b.decide(loose, fma);
  CHECK(might.outcome == Outcome::unknown);
  CHECK(might.why == ReasonCode::contractible_fp);
  const Decision never = b.decide(loose, b.op(Op::fadd, b.op(Op::fmul, x, y), b.op(Op::fmul, z, z)));
  CHECK(never.outcome == Outcome::refuted);
  // An fma is what it is.
  const Decision rounded = b.decide(strict, fma);
  CHECK(rounded.outcome == Outcome::refuted);
  // A product alone has a mark, but nothing to fuse with.
  const Decision product = b.decide(b.op(Op::fmul, x, y, 0, contractible), b.op(Op::fmul, x, y));
  CHECK(product.outcome == Outcome::proved);
  CHECK_FALSE(product.assumed_unfused);
}

TEST_CASE("a difference of products that may be fused on either side of the minus") {
  Bench b;
  const Term x = b.f(32), y = b.f(32), z = b.f(32);
  const Term product = b.op(Op::fmul, x, y, 0, contractible);
  const sym::u8 attr = contractible;
  CHECK(fused(b.store, b.op(Op::fsub, product, z, 0, attr)) == b.op(Op::fma, x, y, b.op(Op::fneg, z)));
  CHECK(fused(b.store, b.op(Op::fsub, z, product, 0, attr)) == b.op(Op::fma, b.op(Op::fneg, x), y, z));
}

TEST_CASE("obligations under a condition") {
  Bench b;
  const Term x = b.x(32), y = b.x(32);
  CHECK(b.decide(x, y, b.op(Op::eq, x, y)).outcome == Outcome::proved);
  const Decision d =
      b.decide(b.op(Op::add, x, y), b.op(Op::or_, x, y), b.op(Op::ult, b.op(Op::and_, x, y), b.n(32, 1)));
  CHECK(d.outcome == Outcome::proved);
  CHECK(d.by == By::solver);
  const Decision no = b.decide(x, y, b.op(Op::ult, x, b.op(Op::and_, y, b.n(32, 15))));
  REQUIRE(no.outcome == Outcome::refuted);
  CHECK(no.model.at(x) < (no.model.at(y) & 15));
}

TEST_CASE("a needle that only a solver or a full search finds") {
  Bench b;
  const Term x = b.x(32), y = b.x(64);
  const Term odd = b.op(Op::mul, b.op(Op::xor_, x, b.n(32, 0x5bd1e995)), b.n(32, 0x9e3779b1));
  const Decision d =
      b.decide(b.op(Op::ite, b.op(Op::eq, odd, b.n(32, 0x12345678)), b.n(32, 1), b.n(32, 0)), b.n(32, 0));
  REQUIRE(d.outcome == Outcome::refuted);
  CHECK(((d.model.at(x) ^ 0x5bd1e995) * 0x9e3779b1 & 0xffffffff) == 0x12345678);
  const Term odd64 = b.op(Op::mul, b.op(Op::xor_, y, b.n(64, 0x5bd1e995)), b.n(64, 0x9e3779b97f4a7c15));
  const Decision e = b.decide(b.op(Op::ite, b.op(Op::eq, odd64, b.n(64, 77)), b.n(32, 1), b.n(32, 0)), b.n(32, 0));
  REQUIRE(e.outcome == Outcome::refuted);
  CHECK((d.by == By::enumeration || d.by == By::solver));
  CHECK(e.by == By::solver);
}

TEST_CASE("thousands of obligations of one shape are decided once") {
  Bench b;
  std::vector<Obligation> all;
  for (int k = 0; k < 5000; ++k) {
    const Term x = b.x(32), y = b.x(32);
    all.push_back({b.op(Op::add, b.op(Op::and_, x, y), b.op(Op::or_, x, y)), b.op(Op::add, x, y), 0});
  }
  const auto start = Clock::now();
  const std::vector<Decision> d = b.decide(all);
  CHECK(std::all_of(d.begin(), d.end(), [](const Decision& one) { return one.outcome == Outcome::proved; }));
  CHECK(b.evidence.shapes == 1);
  CHECK(b.evidence.obligations == 5000);
  CHECK(b.evidence.by_solver == 5000);
  CHECK(Clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("leaves that repeat, or have other domains, make another shape") {
  Bench b;
  const Term x = b.x(32), y = b.x(32), z = b.x(32, {.integers = std::array<std::int64_t, 2>{0, 9}});
  const auto lt = [&](Term p, Term q) { return b.op(Op::zext, b.op(Op::ult, p, q)); };
  const std::vector<Decision> d = b.decide({{b.op(Op::sdiv, x, b.n(32, 3)), b.op(Op::udiv, x, b.n(32, 3)), 0},
                                            {b.op(Op::sdiv, z, b.n(32, 3)), b.op(Op::udiv, z, b.n(32, 3)), 0},
                                            {b.op(Op::xor_, lt(x, y), lt(y, x)), b.n(1, 1), 0}});
  CHECK(d[0].outcome == Outcome::refuted);
  CHECK(d[1].outcome == Outcome::proved);
  CHECK(d[2].outcome == Outcome::refuted);
  CHECK(d[2].model.at(x) == d[2].model.at(y));
}

TEST_CASE("the deadline is kept") {
  Bench b;
  b.seconds = 1;
  const Term x = b.x(64), y = b.x(64), z = b.x(64);
  // Associativity of the high product's full form is far beyond a solver's second.
  const Term left = b.op(Op::umulh, b.op(Op::mul, x, y), b.op(Op::xor_, z, x));
  const Term right = b.op(Op::umulh, b.op(Op::mul, y, x),
                          b.op(Op::xor_, x, b.op(Op::xor_, z, b.op(Op::urem, y, b.op(Op::or_, z, b.n(64, 1))))));
  const Term never =
      b.op(Op::eq, b.op(Op::mul, b.op(Op::umulh, x, y), b.op(Op::umulh, y, z)), b.n(64, 0xdeadbeef12345679));
  const auto start = Clock::now();
  b.decide(b.op(Op::ite, never, left, right), right);
  CHECK(Clock::now() - start < std::chrono::milliseconds(1500));
}

TEST_CASE("a difference is shown on small numbers") {
  Bench b;
  std::vector<Term> xs;
  for (int k = 0; k < 40; ++k) xs.push_back(b.x(32));
  Term sum = xs[0];
  for (int k = 1; k < 40; ++k) sum = b.op(Op::add, sum, xs[k]);
  const Decision d = b.decide(sum, b.op(Op::add, sum, xs[7]));
  REQUIRE(d.outcome == Outcome::refuted);
  for (const Term x : xs) CHECK(d.model.at(x) == (x == xs[7] ? 1 : 0));
}

TEST_CASE("satisfiable") {
  Bench b;
  const Term x = b.x(32), y = b.x(32, {.integers = std::array<std::int64_t, 2>{5, 9}});
  const auto ask = [&](Term t) { return satisfiable(b.store, t, b.lookup(), b.options()); };
  const Decision yes = ask(b.op(Op::eq, b.op(Op::mul, x, x), b.n(32, 1'000'001 * 1'000'001ull & 0xffffffff)));
  REQUIRE(yes.outcome == Outcome::proved);
  const u64 v = yes.model.at(x);
  CHECK((v * v & 0xffffffff) == (1'000'001 * 1'000'001ull & 0xffffffff));
  CHECK(ask(b.op(Op::eq, b.op(Op::mul, x, x), b.n(32, 2))).outcome == Outcome::refuted);
  CHECK(ask(b.op(Op::ult, y, b.n(32, 5))).outcome == Outcome::refuted);
  CHECK(ask(b.op(Op::ult, y, b.n(32, 6))).model.at(y) == 5);
  CHECK(ask(b.n(1, 0)).outcome == Outcome::refuted);
  CHECK(ask(b.n(1, 1)).outcome == Outcome::proved);
}

TEST_CASE("classes of difference") {
  const auto f32 = [](u64 a, u64 b) { return difference_class(sym::Format::f32, a, b); };
  CHECK(f32(0x3f800000, 0x40000000) == "logic");     // 1 and 2
  CHECK(f32(0x3f800000, 0x3f800001) == "rounding");  // neighbours
  CHECK(f32(0x3f7fffff, 0x3f800000) == "rounding");  // across a power of two
  CHECK(f32(0x7f7fffff, 0x7f800000) == "rounding");  // the largest number and infinity
  CHECK(f32(0x7fffffff, 0x7fc00000) == "nan-only");
  CHECK(f32(0x7fffffff, 0) == "logic");
  CHECK(f32(0, 0x80000000) == "signed-zero");
  CHECK(f32(0x00000001, 0) == "denormal");
  CHECK(f32(0x3f800000, 0xbf800000) == "logic");
  CHECK(difference_class(std::nullopt, 1, 2) == "logic");
  CHECK(difference_class(sym::Format::bf16, 0x3f80, 0x3f81) == "rounding");
  CHECK(difference_class(sym::Format::f64, 0x3ff0000000000000, 0x3ff0000000000001) == "rounding");
}
