// Expected answers follow from the real numbers: reordered sums and products are equal, missing terms are not.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <map>

#include "checker/real_value.h"
#include "checker/sample.h"

using namespace ptxeq;
using namespace ptxeq::check;
using sym::Attr;
using sym::Op;
using sym::Term;

namespace {

// Terms over leaves x(0), x(1), ... with a value each.
struct World {
  explicit World(bool f64 = false) : width(f64 ? 64 : 32) {}
  unsigned width;
  sym::TermStore store{1 << 20};
  std::map<Term, u64> values;
  u32 leaves = 0;

  u64 bits(double v) const { return width == 64 ? std::bit_cast<u64>(v) : std::bit_cast<u32>(float(v)); }
  Term input(double v) { return input_bits(bits(v), width); }
  Term input_bits(u64 b, unsigned w) {
    const Term t = store.leaf({sym::LeafKind::memory, 0, leaves++}, w);
    values[t] = b;
    return t;
  }
  Term number(double v) { return store.constant(width, bits(v)); }
  Term binary(Op op, Term a, Term b, Attr attr = {}) {
    const unsigned w = op == Op::feq || op == Op::flt || op == Op::fle ? 1 : store.width(a);
    return store.make(op, w, attr.pack(), a, b);
  }
  Term add(Term a, Term b) { return binary(Op::fadd, a, b); }
  Term sub(Term a, Term b) { return binary(Op::fsub, a, b); }
  Term mul(Term a, Term b) { return binary(Op::fmul, a, b); }
  Term div(Term a, Term b) { return binary(Op::fdiv, a, b); }
  Term fma(Term a, Term b, Term c) { return store.make(Op::fma, width, 0, a, b, c); }
  Term ite(Term c, Term a, Term b) { return store.make(Op::ite, store.width(a), 0, c, a, b); }
  Term approx(const std::string& name, Term a, Term b = 0) {
    return store.make(Op::approx, store.width(a), 0, a, b, store.tag(name, false));
  }
  Term exp2(Term a) { return approx("ex2.approx.ftz.f32", a); }
  Term round(Term a, unsigned to, bool from_bf16 = false, bool to_bf16 = false) {
    return store.make(Op::fround, to, Attr{.bf16 = from_bf16, .flag = to_bf16}.pack(), a);
  }

  std::optional<bool> differ(Term a, Term ref, const LeafDomain& domain = {}) {
    const auto leaf_bits = [&](Term t) { return values.at(t); };
    const auto answer = differ_over_reals(store, {a, ref}, leaf_bits, [&](const sym::Leaf&) { return domain; });
    CHECK(answer == differ_over_reals(store, {ref, a}, leaf_bits, [&](const sym::Leaf&) { return domain; }));
    return answer;
  }
};

constexpr std::optional<bool> cannot_say = std::nullopt;

// Sign, 24 bits of significand and a scale within 2^-range .. 2^range.
double random_number(Random& random, int range) {
  const double v =
      std::ldexp(1 + double(random.below(1 << 23)) / (1 << 23), int(random.below(u64(2 * range + 1))) - range);
  return random.below(2) ? -v : v;
}

Term sum_tree(World& w, std::vector<Term> terms) {
  while (terms.size() > 1) {
    std::vector<Term> next;
    for (std::size_t i = 0; i + 1 < terms.size(); i += 2) next.push_back(w.add(terms[i], terms[i + 1]));
    if (terms.size() % 2) next.push_back(terms.back());
    terms = next;
  }
  return terms[0];
}

Term sum_chain(World& w, const std::vector<Term>& terms) {
  Term sum = terms.back();
  for (std::size_t i = terms.size() - 1; i-- > 0;) sum = w.add(sum, terms[i]);
  return sum;
}

}  // namespace

TEST_CASE("reordered sums are equal, whatever cancels") {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    World w(round % 2);
    std::vector<Term> terms;
    const unsigned n = 2 + unsigned(random.below(30));
    for (unsigned i = 0; i < n; ++i) {
      const double v = random_number(random, round % 5 * 12);
      terms.push_back(w.input(v));
      if (round % 3 == 0) terms.push_back(w.input(-v));
    }
    CHECK(w.differ(sum_tree(w, terms), sum_chain(w, terms)) == false);
  }
}

TEST_CASE("a sum without one of its terms differs, one with a negligible term too many cannot be told") {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    World w;
    std::vector<Term> terms;
    for (int i = 0; i < 16; ++i) terms.push_back(w.input(random_number(random, 2)));
    std::vector<Term> fewer(terms.begin() + 1, terms.end());
    CHECK(w.differ(sum_tree(w, terms), sum_chain(w, fewer)) == true);
    terms.push_back(w.input(0x1p-40));
    CHECK(w.differ(sum_tree(w, terms), sum_chain(w, {terms.begin(), terms.end() - 1})) == cannot_say);
  }
}

TEST_CASE("cancellation does not make a rounded constant a difference") {
  World w;
  const Term x = w.input(1e6), y = w.input(-1.5e6 + 0.25);
  const Term a = w.add(w.mul(x, w.number(1.5)), y), ref = w.add(w.mul(x, w.number(1.5000001f)), y);
  CHECK(w.differ(a, ref) == cannot_say);  // 0.25 against 0.37 or so: of numbers a million times as large
}

TEST_CASE("products, fused and not") {
  World w;
  const Term x = w.input(1.1), y = w.input(-2.7), z = w.input(0.3);
  CHECK(w.differ(w.fma(x, y, z), w.add(w.mul(x, y), z)) == false);
  CHECK(w.differ(w.mul(x, w.add(y, z)), w.fma(x, y, w.mul(x, z))) == false);
  CHECK(w.differ(w.fma(x, y, z), w.fma(x, z, y)) == true);
  CHECK(w.differ(w.sub(x, y), w.sub(y, x)) == true);
  CHECK(w.differ(w.sub(x, y), w.store.make(Op::fneg, 32, 0, w.sub(y, x))) == false);
  CHECK(w.differ(w.div(x, y), w.mul(x, w.approx("rcp.approx.ftz.f32", y))) == false);
  CHECK(w.differ(w.div(x, y), w.approx("div.full.f32", x, y)) == false);
  CHECK(w.differ(w.div(x, y), w.approx("div.full.f32", y, x)) == true);
}

TEST_CASE("constants: a little beside cannot be told, further off differs, by the format's measure") {
  World w;
  const Term x = w.input(3);
  CHECK(w.differ(w.mul(x, w.number(1.5)), w.mul(x, w.number(1.5000001f))) == cannot_say);
  CHECK(w.differ(w.mul(x, w.number(1.5)), w.mul(x, w.number(1.5001))) == true);
  World d(true);
  const Term v = d.input(3);
  CHECK(d.differ(d.mul(v, d.number(1.5)), d.mul(v, d.number(1.5000001))) == true);
  CHECK(d.differ(d.mul(v, d.number(0.1)), d.mul(v, d.number(std::nextafter(0.1, 1)))) == cannot_say);
}

TEST_CASE("a sixteen-bit constant stands for what it was rounded from") {
  World w;
  const Term h = w.input_bits(0x4200, 16);  // 3
  const Term tenth = w.store.constant(16, 0x2e66);
  const Term a = w.binary(Op::fmul, h, tenth);
  const Term ref = w.round(w.mul(w.round(h, 32), w.number(0.1)), 16);
  CHECK(w.differ(a, ref) == cannot_say);
  CHECK(w.differ(w.binary(Op::fmul, h, h), w.round(w.mul(w.round(h, 32), w.round(h, 32)), 16)) == false);
  CHECK(w.differ(w.binary(Op::fmul, h, h), w.binary(Op::fadd, h, h)) == true);
}

TEST_CASE("elementary functions") {
  World w;
  const Term x = w.input(0.7);
  const Term two = w.number(2), one = w.number(1);
  const auto square = [&](Term t) { return w.mul(t, t); };
  const Term s = w.approx("sin.approx.f32", x), c = w.approx("cos.approx.f32", x);
  CHECK(w.differ(w.add(square(s), square(c)), one) == false);
  CHECK(w.differ(w.approx("sin.approx.f32", w.mul(two, x)), w.mul(two, w.mul(s, c))) == false);
  CHECK(w.differ(s, c) == true);
  CHECK(w.differ(w.approx("lg2.approx.f32", w.exp2(x)), x) == false);
  CHECK(w.differ(square(w.approx("sqrt.approx.f32", x)), x) == false);
  CHECK(w.differ(w.mul(x, w.approx("rsqrt.approx.f32", x)), w.store.make(Op::fsqrt, 32, 0, x)) == false);
  // tanh x = (e^2x - 1) / (e^2x + 1), e^2x = 2^(x * 2 / ln 2): the constant is rounded
  const Term e = w.exp2(w.mul(x, w.number(2.88539008178)));
  const Term t = w.div(w.sub(e, one), w.add(e, one));
  CHECK(w.differ(w.approx("tanh.approx.f32", x), t) == cannot_say);
  CHECK(w.differ(w.approx("tanh.approx.f32", w.mul(x, two)), t) == true);
}

TEST_CASE("softmax with and without the maximum") {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    World w;
    std::vector<Term> x;
    for (int i = 0; i < 8; ++i) x.push_back(w.input(random_number(random, 2)));
    Term largest = w.number(-INFINITY), chosen = w.number(-INFINITY);
    for (const Term t : x) {
      largest = w.binary(Op::fmax, largest, t);
      chosen = w.ite(w.binary(Op::flt, chosen, t), t, chosen);
    }
    std::vector<Term> plain, shifted;
    for (const Term t : x) plain.push_back(w.exp2(t)), shifted.push_back(w.exp2(w.sub(t, chosen)));
    const Term a = w.div(plain[0], sum_tree(w, plain));
    CHECK(w.differ(a, w.div(shifted[0], sum_chain(w, shifted))) == false);
    CHECK(w.differ(largest, chosen) == false);
    shifted.pop_back();
    const Term ref = w.div(shifted[0], sum_chain(w, shifted));
    CHECK(w.differ(a, ref) != false);
    // Online: the sum so far is scaled when the maximum grows, beginning with an empty sum below everything.
    Term m = w.number(-INFINITY), sum = w.number(0);
    for (const Term t : x) {
      const Term next = w.binary(Op::fmax, m, t);
      sum = w.fma(sum, w.exp2(w.sub(m, next)), w.exp2(w.sub(t, next)));
      m = next;
    }
    CHECK(w.differ(a, w.div(w.exp2(w.sub(x[0], m)), sum)) == false);
  }
}

TEST_CASE("choices are made where they are clear, and harmless where they are continuous") {
  World w;
  const Term x = w.input(2), y = w.input(3), near = w.input(3 + 0x1p-21), one = w.number(1), zero = w.number(0);
  const Term sum = w.add(x, one);  // 3, as y
  CHECK(w.differ(w.ite(w.binary(Op::flt, x, y), x, y), w.binary(Op::fmin, x, y)) == false);
  CHECK(w.differ(w.ite(w.binary(Op::flt, sum, y), one, zero), one) == cannot_say);
  CHECK(w.differ(w.ite(w.binary(Op::flt, sum, y), sum, y), w.binary(Op::fmin, y, sum)) == false);
  CHECK(w.differ(w.ite(w.binary(Op::flt, y, near), one, zero), zero) == true);  // inputs are what they are
  CHECK(w.differ(w.binary(Op::feq, x, y), w.store.constant(1, 1)) == true);
}

TEST_CASE("clamps") {
  World w;
  const Term x = w.input(2), half = w.number(0.5), one = w.number(1);
  CHECK(w.differ(w.binary(Op::fmul, x, x, {.sat = true}), one) == false);
  CHECK(w.differ(w.binary(Op::fmul, x, half, {.sat = true}), w.mul(x, half)) == false);
  CHECK(w.differ(w.binary(Op::fmul, x, w.number(-1), {.relu = true}), w.number(0)) == false);
}

TEST_CASE("roundings to an integer") {
  World w;
  const Term x = w.input(2.75), three = w.number(3);
  const auto to_int = [&](Term t, sym::Rounding mode) {
    return w.store.make(Op::ftoi, 32, Attr{.rounding = mode, .flag = true}.pack(), t);
  };
  const Term five = w.add(x, w.number(2.25));
  CHECK(w.differ(to_int(w.mul(x, three), sym::Rounding::rz), w.store.constant(32, 8)) == false);
  CHECK(w.differ(to_int(w.mul(x, three), sym::Rounding::rp), w.store.constant(32, 8)) == true);
  CHECK(w.differ(to_int(five, sym::Rounding::rz), w.store.constant(32, 5)) == cannot_say);
  CHECK(w.differ(to_int(five, sym::Rounding::rn), w.store.constant(32, 5)) == false);
  const Term huge = w.mul(w.mul(x, w.number(-1e20f)), three);
  CHECK(w.differ(to_int(huge, sym::Rounding::rz), w.store.constant(32, 0x80000000)) == false);
  const Term floor = w.store.make(Op::frint, 32, Attr{.rounding = sym::Rounding::rm}.pack(), w.mul(x, three));
  CHECK(w.differ(floor, w.number(8)) == false);
  const Term back =
      w.store.make(Op::itof, 32, Attr{.flag = true}.pack(), to_int(w.mul(x, w.number(-3)), sym::Rounding::rz));
  CHECK(w.differ(back, w.number(-8)) == false);
}

TEST_CASE("what cannot be said") {
  World w;
  const Term x = w.input(2), y = w.input(5);
  const Term nan = w.input(NAN), infinite = w.input(INFINITY), zero = w.input(0);
  CHECK(w.differ(w.add(x, nan), y) == cannot_say);
  CHECK(w.differ(w.add(x, infinite), y) == cannot_say);
  CHECK(w.differ(w.div(x, zero), y) == cannot_say);
  CHECK(w.differ(w.store.make(Op::fsqrt, 32, 0, w.sub(x, y)), y) == cannot_say);
  CHECK(w.differ(w.store.make(Op::add, 32, 0, w.mul(x, y), w.store.constant(32, 1)), y) == cannot_say);
  const Term undefined = w.store.leaf({sym::LeafKind::undefined, 0, 1}, 32);
  w.values[undefined] = 0;
  CHECK(w.differ(w.add(x, undefined), y) == cannot_say);
  const Term open = w.store.make(Op::approx, 32, 1, x, 0, w.store.tag("shfl.sync.idx.b32", true));
  CHECK(w.differ(w.add(x, open), y) == cannot_say);
}

TEST_CASE("integer cones are exact, and words are compared as what they are") {
  World w;
  const Term i = w.input_bits(0x40400000, 32), one = w.store.constant(32, 1);
  const Term next = w.store.make(Op::add, 32, 0, i, one);
  const LeafDomain integer{.width = 32, .is_signed = true}, floating{.width = 32, .floating = true};
  CHECK(w.differ(next, i, integer) == true);
  CHECK(w.differ(next, i, floating) == cannot_say);  // 3 and the float beside it
  CHECK(w.differ(next, i) == cannot_say);
  CHECK(w.differ(w.store.make(Op::xor_, 32, 0, i, w.store.constant(32, 0x80000000)), i, floating) == true);
  CHECK(w.differ(w.store.constant(32, 0x3f800000), w.store.constant(32, 0x40000000)) == true);
  CHECK(w.differ(w.store.constant(32, 0x80000000), w.store.constant(32, 0)) == cannot_say);
}

TEST_CASE("floats are moved whole") {
  World w;
  const Term x = w.input(2), y = w.input(5), z = w.input(7);
  const auto pair = [&](Term high, Term low) { return w.store.make(Op::concat, 64, 0, high, low); };
  const Term a = pair(w.add(w.add(x, y), z), w.mul(x, y)), ref = pair(w.add(x, w.add(y, z)), w.mul(x, y));
  CHECK(w.differ(a, ref) == false);
  CHECK(w.differ(a, pair(w.mul(x, y), w.mul(x, y))) == true);
  CHECK(w.differ(w.store.make(Op::extract, 16, 0, a, 40), w.store.make(Op::extract, 16, 0, ref, 40)) == cannot_say);
  // A bf16 above sixteen zeros is an f32.
  const Term narrow = w.round(w.add(x, y), 16, false, true);
  const Term wide = w.store.make(Op::concat, 32, 0, narrow, w.store.constant(16, 0));
  CHECK(w.differ(w.mul(wide, z), w.mul(w.round(narrow, 32, true), z)) == false);
}

// What symbolic/float.cpp computes is within a few roundings of the real result: a node against its own rounded value
// never differs, and differs from one well beside it unless something was lost to cancellation or a choice.
TEST_CASE("no term differs from its rounded value") {
  Random random(4);
  int told = 0;
  for (int round = 0; round < 3000; ++round) {
    World w(round % 2);
    std::vector<Term> terms;
    for (int i = 0; i < 4; ++i) terms.push_back(w.input(random_number(random, 3)));
    terms.push_back(w.number(random_number(random, 1)));
    const auto any = [&] { return terms[random.below(terms.size())]; };
    for (int i = 0; i < 12; ++i) {
      static constexpr Op ops[] = {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::fmin, Op::fmax};
      const u64 pick = random.below(12);
      const Term x = any(), y = any(), z = any();
      if (pick < 6) terms.push_back(w.binary(ops[pick], x, y, {.sat = random.below(16) == 0}));
      if (pick == 6) terms.push_back(w.fma(x, y, z));
      if (pick == 7) terms.push_back(w.store.make(Op::fabs, w.width, 0, x));
      if (pick == 8) terms.push_back(w.store.make(Op::fsqrt, w.width, 0, w.store.make(Op::fabs, w.width, 0, x)));
      if (pick == 9) terms.push_back(w.ite(w.binary(Op::flt, x, y), z, x));
      if (pick == 10) terms.push_back(w.ite(w.binary(Op::feq, x, y), z, y));
      if (pick == 11) terms.push_back(w.store.make(Op::frint, w.width, Attr{.rounding = sym::Rounding::rm}.pack(), x));
    }
    const Term root = terms.back();
    const u64 bits = evaluate(w.store, {&root, 1}, {[&](Term t) { return w.values.at(t); }, {}})[0];
    const double value = w.width == 64 ? std::bit_cast<double>(bits) : double(std::bit_cast<float>(u32(bits)));
    if (!std::isfinite(value)) continue;
    CHECK(w.differ(root, w.input_bits(bits, w.width)) != true);
    CHECK(w.differ(root, w.number(value + std::fabs(value) / 8 + 1)) != false);
    told += w.differ(root, w.number(value + std::fabs(value) / 8 + 1)) == true;
  }
  CHECK(told > 2000);
}

TEST_CASE("a condition is one over the reals") {
  World w;
  const Term x = w.input(1), y = w.input(0x1p-24), zero = w.number(0), one = w.number(1);
  const Term sum = w.add(w.add(x, y), y);  // 1 in bits, more over the reals
  const auto leaf_bits = [&](Term t) { return w.values.at(t); };
  const auto differ_where = [&](Term condition) {
    return differ_over_reals(w.store, {one, zero, condition}, leaf_bits, [](const sym::Leaf&) { return LeafDomain{}; });
  };
  const auto less = [&](Term a, Term b) { return w.store.make(Op::flt, 1, 0, a, b); };
  CHECK(differ_where(less(w.number(0.5), sum)) == true);
  CHECK(differ_where(less(sum, w.number(0.5))) == false);
  CHECK(differ_where(less(one, sum)) == cannot_say);
}

TEST_CASE("no input is flushed in a comparison over the reals") {
  World w;
  const Term x = w.input(0x1p-130), y = w.input(0x1.8p-130);
  const Term less = w.store.make(Op::flt, 1, Attr{.ftz = true}.pack(), x, y);
  CHECK(w.differ(less, w.store.constant(1, 1)) == false);
  CHECK(w.differ(less, w.store.constant(1, 0)) == true);
}

// PTX ISA, "cvt": .tf32 keeps 10 bits of the significand, .bf16 7; a narrowing is none over the reals.
TEST_CASE("a float that was narrowed on its bits is not told from itself") {
  World w;
  LeafDomain domain;
  domain.width = 32, domain.floating = true;
  const Term x = w.input(1.7292278);
  const auto masked = [&](u64 bits) { return w.store.make(Op::and_, 32, 0, x, w.store.constant(32, bits)); };
  CHECK(w.differ(masked(0xffffe000), x, domain) == cannot_say);
  CHECK(w.differ(masked(0xffff0000), x, domain) == cannot_say);
  CHECK(w.differ(masked(0xff800000), x, domain) == true);  // the exponent alone: 1 for 1.73
}

// bf16 by rounding on bits: add half of the last place, clear what is below it.
TEST_CASE("what is chosen by a float that was narrowed on its bits cannot be said") {
  World w;
  const LeafDomain domain{.width = 32, .floating = true};
  const Term x = w.input(99.903), y = w.input(100);
  const auto bits = [&](u64 v) { return w.store.constant(32, v); };
  const Term added = w.store.make(Op::add, 32, 0, x, bits(0x8000));
  const Term narrow = w.store.make(Op::and_, 32, 0, added, bits(0xffff0000));  // 100
  const Term one = w.number(1), two = w.number(2);
  const auto chosen = [&](Term condition) { return w.ite(condition, one, two); };
  CHECK(w.differ(chosen(w.binary(Op::flt, narrow, y)), two, domain) == cannot_say);
  CHECK(w.differ(chosen(w.binary(Op::flt, narrow, w.number(50))), one, domain) == true);
  CHECK(w.differ(chosen(w.store.make(Op::slt, 1, 0, narrow, w.store.make(Op::xor_, 32, 0, y, x))), one, domain) ==
        cannot_say);
  const Attr down{.rounding = sym::Rounding::rm};
  CHECK(w.differ(w.store.make(Op::frint, 32, down.pack(), narrow), w.number(99), domain) == cannot_say);
  CHECK(w.differ(w.store.make(Op::itof, 32, 0, narrow), w.store.make(Op::itof, 32, 0, added), domain) == cannot_say);
}

TEST_CASE("a float whose sign is changed on its bits, or that is moved whole, is as exact as before") {
  World w;
  const LeafDomain domain{.width = 32, .floating = true};
  const Term x = w.input(3), more = w.input(3.03);
  const auto bits = [&](u64 v) { return w.store.constant(32, v); };
  for (const auto& [op, with] : {std::pair{Op::xor_, 0x80000000u}, {Op::or_, 0x80000000u}, {Op::and_, 0x7fffffffu}})
    CHECK(w.differ(w.store.make(op, 32, 0, x, bits(with)), w.store.make(op, 32, 0, more, bits(with)), domain) == true);
  const LeafDomain half{.width = 16, .floating = true, .bf16 = true};
  const Term h = w.input_bits(0x4040, 16);  // 3 as bf16
  const Term wide = w.store.make(Op::shl, 32, 0, w.store.make(Op::zext, 32, 0, h), bits(16));
  CHECK(w.differ(w.mul(wide, w.number(1.01)), wide, half) == true);
  const Term computed = w.round(w.add(w.number(1), w.number(2)), 16, false, true);
  const Term above = w.store.make(Op::shl, 32, 0, w.store.make(Op::zext, 32, 0, computed), bits(16));
  CHECK(w.differ(w.mul(above, wide), w.mul(wide, w.number(3.03)), half) == true);
}

TEST_CASE("a cone of a hundred thousand nodes") {
  World w;
  std::vector<Term> terms;
  for (int i = 0; i < 50000; ++i) terms.push_back(w.input(i % 1000 - 499.5));
  CHECK(w.differ(sum_tree(w, terms), sum_chain(w, terms)) == false);
}
