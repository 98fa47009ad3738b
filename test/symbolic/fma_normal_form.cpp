// TermStore::make_fma is a fast way to what the rules make of an fma: two stores get the same requests, one by each.
#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "symbolic/term.h"

using namespace ptxeq::sym;

namespace {

u64 one(unsigned width, bool bf16) {
  return width == 64 ? u64(0x3ff) << 52 : width == 32 ? 0x3f800000 : bf16 ? 0x3f80 : 0x3c00;
}

class Twins {
 public:
  Twins(unsigned width, bool bf16, unsigned seed) : width_(width), bf16_(bf16), random_(seed) {
    for (u64 k = 0; k < 4; ++k)
      both([&](TermStore& s) { return s.leaf({k == 3 ? LeafKind::undefined : LeafKind::memory, 0, k}, width_); });
    for (const u64 v : {u64(0), u64(1) << (width_ - 1), one(width_, bf16_), one(width_, !bf16_), u64(5)})
      both([&](TermStore& s) { return s.constant(width_, v); });
  }

  void request() {
    const Term a = pick(), b = pick(), c = random_() % 3 ? pick() : terms_[0];  // the first gets many parents
    Attr attr;
    attr.bf16 = bf16_;
    attr.ftz = width_ == 32 && random_() % 4 == 0;
    if (random_() % 4 == 0) attr.rounding = Rounding::rz;
    switch (random_() % 5) {
      case 0:
        attr.contractible = random_() % 2;
        return both([&](TermStore& s) {
          return s.make(std::array{Op::fadd, Op::fsub, Op::fmul}[a % 3], width_, attr.pack(), a, b);
        });
      case 1:
        return both([&](TermStore& s) { return s.make(Op::ite, width_, 0, s.make(Op::eq, 1, 0, a, b), b, c); });
      default:
        if (by_rules_.is_constant(a) && by_rules_.is_constant(b) && by_rules_.is_constant(c)) return;
        const Term expected = by_rules_.make(Op::fma, width_, attr.pack(), a, b, c);
        const Term got = fast_.make_fma(width_, attr.pack(), a, b, c);
        REQUIRE(got == expected);
        CHECK(fast_.size() == by_rules_.size());
        CHECK(fast_[got].flags == by_rules_[got].flags);
        terms_.push_back(got);
    }
  }

  // One column of them, its results in the addends' place, some addends twice.
  void request_column() {
    std::vector<u64> a, b, c, expected;
    while (a.size() < 40) {
      const Term x = pick(), y = pick(), z = random_() % 3 ? terms_[random_() % terms_.size()] : pick();
      if (by_rules_.is_constant(x) && by_rules_.is_constant(y) && by_rules_.is_constant(z)) continue;
      a.push_back(x), b.push_back(y), c.push_back(z);
    }
    for (int again = 0; again < 2; ++again) {
      expected.clear();
      for (std::size_t i = 0; i < a.size(); ++i)
        expected.push_back(by_rules_.make(Op::fma, width_, 0, Term(a[i]), Term(b[i]), Term(c[i])));
      std::vector<u64> got = c;
      fast_.make_fmas(width_, 0, unsigned(a.size()), a.data(), b.data(), got.data(), got.data());
      REQUIRE(got == expected);
      REQUIRE(fast_.size() == by_rules_.size());
    }
    for (const u64 t : expected) {
      CHECK(fast_[Term(t)].flags == by_rules_[Term(t)].flags);
      terms_.push_back(Term(t));
    }
  }

 private:
  template <class F>
  void both(const F& make) {
    terms_.push_back(make(by_rules_));
    REQUIRE(make(fast_) == terms_.back());
  }
  Term pick() { return terms_[random_() % std::min<std::size_t>(terms_.size(), 30)]; }

  unsigned width_;
  bool bf16_;
  std::mt19937 random_;
  TermStore by_rules_{1u << 16}, fast_{1u << 16};
  std::vector<Term> terms_;  // the same ids in both
};

}  // namespace

TEST_CASE("the fast way to an fma leads to the node that the rules make") {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const auto& [width, bf16] : {std::pair{16u, false}, {16u, true}, {32u, false}, {64u, false}}) {
      CAPTURE(width);
      Twins twins(width, bf16, seed);
      for (int k = 0; k < 400; ++k) twins.request();
    }
}

TEST_CASE("a column of fmas holds the nodes that the rules make one by one") {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const auto& [width, bf16] : {std::pair{16u, false}, {32u, false}, {64u, false}}) {
      CAPTURE(width);
      Twins twins(width, bf16, seed);
      for (int k = 0; k < 20; ++k) twins.request();
      for (int k = 0; k < 20; ++k) twins.request_column();
    }
}

TEST_CASE("a column of fmas ends where no more terms may be made") {
  TermStore s(1u << 16);
  std::vector<u64> x;
  for (u64 k = 0; k < 8; ++k) x.push_back(s.leaf({LeafKind::memory, 0, k}, 32));
  s.limit(s.size() + 4);
  std::vector<u64> result(x.size());
  s.make_fmas(32, 0, unsigned(x.size()), x.data(), x.data(), x.data(), result.data());
  CHECK(s.exhausted());
  CHECK(s.size() == x.size() + 5);
}

TEST_CASE("factors of an fma are told apart only where a NaN's payload tells them apart") {
  TermStore s(1u << 16);
  for (const unsigned width : {16u, 32u, 64u}) {
    const Term x = s.leaf({LeafKind::memory, width, 0}, width), y = s.leaf({LeafKind::memory, width, 1}, width);
    CHECK((s.make_fma(width, 0, x, y, x) == s.make_fma(width, 0, y, x, x)) == (width < 64));
    Attr rounded;
    rounded.rounding = Rounding::rz;
    CHECK(s.make_fma(width, 0, x, y, x) != s.make_fma(width, rounded.pack(), x, y, x));
  }
}
