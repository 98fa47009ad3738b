// Divisions by constants, spelled as compilers do (Hacker's Delight, chapter 10): the normal form knows them, and takes
// nothing else for one.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "symbolic/term.h"

using namespace ptxeq::sym;

namespace {

__extension__ typedef unsigned __int128 u128;

// Terms over one leaf x.
class Terms {
 public:
  explicit Terms(unsigned w) : width(w), x(store.leaf({LeafKind::memory, 0, 0}, w)) {}
  Term number(u64 v) { return store.constant(width, v & mask(width)); }
  Term op(Op o, Term a, Term b) { return store.make(o, width, 0, a, b); }
  Term sub(Term a, Term b) { return op(Op::add, a, store.make(Op::neg, width, 0, b)); }
  u64 value(Term t, u64 at) {
    const Term root[] = {t};
    return evaluate(store, root, {[&](Term) { return at; }, [](const Node&, u64, u64) { return u64(0); }})[0];
  }
  TermStore store{1u << 24};
  unsigned width;
  Term x;
};

// The least reciprocal of w + 1 bits at most: factor and the shift beyond the high half.
struct Reciprocal {
  u128 factor = 0;
  unsigned shift = 0;
};
Reciprocal unsigned_reciprocal(u64 d, unsigned bits, unsigned w) {
  for (unsigned s = 0;; ++s) {
    const u128 power = u128(1) << (w + s), factor = (power - 1) / d + 1;
    if (factor * d - power <= (u128(1) << (w + s - bits))) return {factor, s};
  }
}

Term spell_udiv(Terms& t, u64 d) {
  const unsigned w = t.width;
  Reciprocal r = unsigned_reciprocal(d, w, w);
  if (!(r.factor >> w)) return t.op(Op::lshr, t.op(Op::umulh, t.x, t.number(u64(r.factor))), t.number(r.shift));
  const unsigned k = unsigned(std::countr_zero(d));
  if (k > 0) {
    r = unsigned_reciprocal(d >> k, w - k, w);
    const Term shifted = t.op(Op::lshr, t.x, t.number(k));
    return t.op(Op::lshr, t.op(Op::umulh, shifted, t.number(u64(r.factor))), t.number(r.shift));
  }
  const Term high = t.op(Op::umulh, t.x, t.number(u64(r.factor)));
  const Term half = t.op(Op::lshr, t.sub(t.x, high), t.number(1));
  return t.op(Op::lshr, t.op(Op::add, half, high), t.number(r.shift - 1));
}

Term spell_sdiv(Terms& t, u64 d, bool sign_of_product) {
  const unsigned w = t.width;
  unsigned s = 0;
  u128 factor = 0;
  for (;; ++s) {
    const u128 power = u128(1) << (w + s);
    factor = power / d + 1;
    if (factor * d - power < (u128(2) << s)) break;
  }
  Term high = t.op(Op::smulh, t.x, t.number(u64(factor)));
  if (factor >> (w - 1)) high = t.op(Op::add, high, t.x);
  const Term sign = t.op(Op::lshr, sign_of_product ? high : t.x, t.number(w - 1));
  return t.op(Op::add, t.op(Op::ashr, high, t.number(s)), sign);
}

std::vector<u64> divisors(unsigned w) {
  std::vector<u64> out;
  for (u64 d = 3; d < 130; ++d) out.push_back(d);
  std::mt19937_64 random(w);
  for (int k = 0; k < 300; ++k) out.push_back(random() >> (65 - w + random() % (w - 3)));
  for (const u64 d : {u64(641), u64(1000), u64(1000000007), (u64(1) << (w - 1)) - 1}) out.push_back(d);
  std::erase_if(out, [&](u64 d) { return d < 3 || std::has_single_bit(d) || d >= u64(1) << (w - 1); });
  return out;
}

}  // namespace

TEST_CASE("a product with a reciprocal is the division that it stands for") {
  for (const unsigned w : {8u, 16u, 32u, 64u}) {
    Terms t(w);
    for (const u64 d : divisors(w)) {
      const Term udiv = t.op(Op::udiv, t.x, t.number(d)), sdiv = t.op(Op::sdiv, t.x, t.number(d));
      const Term by_product = spell_udiv(t, d);
      CHECK_MESSAGE(by_product == udiv, "x / " << d << ", " << w << " bits");
      CHECK(t.sub(t.x, t.op(Op::mul, udiv, t.number(d))) == t.op(Op::urem, t.x, t.number(d)));
      CHECK(t.sub(t.x, t.op(Op::mul, sdiv, t.number(d))) == t.op(Op::srem, t.x, t.number(d)));
      for (const bool sign_of_product : {false, true})
        CHECK_MESSAGE(spell_sdiv(t, d, sign_of_product) == sdiv, "x / " << d << ", " << w << " bits, signed");
      for (const u64 at : {d - 1, d, u64(0), mask(w), mask(w) / d * d, mask(w) / d * d - 1, mask(w) >> 1})
        CHECK(t.value(by_product, at) == at / d);
    }
  }
}

TEST_CASE("signed division by a power of two or a negative constant is its usual spelling") {
  for (const unsigned w : {8u, 16u, 32u, 64u}) {
    Terms t(w);
    for (unsigned k = 1; k < w - 1; ++k) {
      const Term sign = t.op(Op::ashr, t.x, t.number(w - 1));
      const Term biased = t.op(Op::add, t.x, t.op(Op::lshr, sign, t.number(w - k)));
      const u64 d = u64(1) << k;
      CHECK(t.op(Op::sdiv, t.x, t.number(d)) == t.op(Op::ashr, biased, t.number(k)));
      const Term whole = t.op(Op::and_, biased, t.number(-d));
      CHECK(t.op(Op::srem, t.x, t.number(d)) == t.sub(t.x, whole));
      CHECK(t.op(Op::sdiv, t.x, t.number(-d)) == t.sub(t.number(0), t.op(Op::ashr, biased, t.number(k))));
    }
  }
}

TEST_CASE("masks of high bits, shifted sign extensions and quotients cut to their size have one spelling") {
  Terms t(32);
  const Term shifted = t.op(Op::shl, t.op(Op::lshr, t.x, t.number(4)), t.number(4));
  CHECK(t.op(Op::and_, t.x, t.number(0xfffffff0)) == shifted);
  CHECK(t.op(Op::and_, t.x, t.number(0xfffffff1)) != shifted);
  const Term byte = t.store.make(Op::extract, 8, 0, t.x, 0);
  const auto times = [&](Op extension, unsigned k) {
    return t.op(Op::mul, t.store.make(extension, 32, 0, byte), t.number(u64(1) << k));
  };
  CHECK(times(Op::sext, 24) == times(Op::zext, 24));
  CHECK(times(Op::sext, 23) != times(Op::zext, 23));
  const Term quotient = t.op(Op::udiv, t.x, t.number(1000));  // below 2^23, and 2^22 - 1 is less than the largest
  const auto cut = [&](unsigned w) {
    return t.store.make(Op::zext, 32, 0, t.store.make(Op::extract, w, 0, quotient, 0));
  };
  CHECK(cut(23) == quotient);
  CHECK(cut(22) != quotient);
}

TEST_CASE("what divides by zero is not taken to be small") {
  Terms t(16);
  for (const Op op : {Op::udiv, Op::urem}) {
    const Term wide = t.store.make(Op::zext, 32, 0, t.op(op, t.x, t.number(0)));
    for (const u64 bound : {u64(0xfff9), u64(0x1fff9)}) {
      const Term below = t.store.make(Op::ult, 1, 0, wide, t.store.constant(32, bound));
      const Term equal = t.store.make(Op::eq, 1, 0, wide, t.store.constant(32, bound));
      for (const u64 at : {u64(0), u64(0xfff9), u64(0xffff)}) {
        const u64 value = op == Op::udiv ? 0xffff : at;
        CHECK(t.value(below, at) == (value < bound));
        CHECK(t.value(equal, at) == (value == bound));
      }
    }
  }
}

TEST_CASE("x - x is 0 where x is a quotient") {
  Terms t(32);
  for (const Op op : {Op::udiv, Op::sdiv}) {
    const Term q = t.op(op, t.x, t.number(3));
    CHECK(t.sub(q, q) == t.number(0));
  }
}

// Every product of 8 bits with a constant, and every sum of such a product with x: at every x the value that
// arithmetic gives.
TEST_CASE("what looks like a division has the value of the product, for every factor and shift of 8 bits") {
  unsigned recognised = 0, wrong = 0;
  const auto check = [&](Terms& t, Term made, const auto& expected) {
    recognised += made && (t.store[made].op == Op::udiv || t.store[made].op == Op::sdiv);
    for (u64 at = 0; at < 256; ++at) wrong += t.value(made, at) != (u64(expected(at)) & 255);
  };
  for (u64 c = 0; c < 256; ++c) {
    Terms t(8);
    const auto high = [&](u64 at) { return at * c >> 8; };
    const auto signed_high = [&](u64 at) { return sign_extend(at, 8) * sign_extend(c, 8) >> 8; };
    const Term u = t.op(Op::umulh, t.x, t.number(c)), s = t.op(Op::smulh, t.x, t.number(c));
    const Term half = t.op(Op::add, t.op(Op::lshr, t.sub(t.x, u), t.number(1)), u);
    const Term sum = t.op(Op::add, s, t.x), sign = t.op(Op::lshr, t.x, t.number(7));
    for (unsigned k = 0; k < 8; ++k) {
      const Term by = t.number(k);
      check(t, t.op(Op::lshr, u, by), [&](u64 at) { return high(at) >> k; });
      check(t, t.op(Op::lshr, half, by),
            [&](u64 at) { return (((((at - high(at)) & 255) >> 1) + high(at)) & 255) >> k; });
      check(t, t.op(Op::add, t.op(Op::ashr, s, by), sign),
            [&](u64 at) { return (signed_high(at) >> k) + i64(at >> 7); });
      check(t, t.op(Op::add, t.op(Op::ashr, sum, by), sign),
            [&](u64 at) { return (sign_extend((u64(signed_high(at)) + at) & 255, 8) >> k) + i64(at >> 7); });
      check(t, t.op(Op::add, t.op(Op::ashr, s, by), t.op(Op::lshr, s, t.number(7))),
            [&](u64 at) { return (signed_high(at) >> k) + (signed_high(at) < 0); });
    }
  }
  CHECK(wrong == 0);
  CHECK(recognised > 400);
}
