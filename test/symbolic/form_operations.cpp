// The symbolic domain's operations on linear forms against the interpreter's: at every value of the launch symbols, a
// result is what plain numbers give; or a cut is named that the box can be taken apart by.
#include <doctest/doctest.h>

#include <limits>

#include "test/symbolic/form_programs.h"

using namespace ptxeq::sym;
using test::Do;
using test::FormPrograms;
using test::FormStep;

namespace {

struct Input {
  Form form;
  u64 number = 0;
  unsigned w = 0;
};

struct FormCase {
  std::vector<LaunchSymbol> symbols;
  std::vector<Input> inputs;
  std::vector<FormStep> steps;
};

struct Counts {
  unsigned long forms = 0, numbers = 0, terms = 0, cuts = 0, narrowed = 0;
};

LaunchSymbol random_symbol(FormPrograms& r) {
  LaunchSymbol s;
  const i64 span = i64(1 + (r.below(8) ? r.below(9) : r.number(31) & mask(31)));
  s.low = i64(r.below(3) ? r.below(12) : r.below(2) ? (r.number(32) >> 1) : 0);
  s.high = s.low + span;
  return s;
}

FormCase random_case(FormPrograms& r) {
  FormCase c;
  for (u64 n = 1 + r.below(3); n > 0; --n) c.symbols.push_back(random_symbol(r));
  for (u32 i = 0; i < c.symbols.size(); ++i) c.inputs.push_back({{concrete_tag, {{i, 1}}}, 0, 32});
  static constexpr unsigned widths[] = {8, 16, 32, 32, 64};
  const unsigned w = widths[r.below(5)];
  for (u64 n = 1 + r.below(2); n > 0; --n) {  // sums of them, with factors of all kinds
    Input sum{{}, r.number(w), w};
    for (u32 i = 0; i < c.symbols.size(); ++i)
      if (r.below(3)) sum.form.parts.push_back({i, sign_extend(r.number(w), w)});
    c.inputs.push_back(sum);
  }
  std::vector<unsigned> of_inputs;
  for (const Input& i : c.inputs) of_inputs.push_back(i.w);
  c.steps = r.make(of_inputs, 1 + unsigned(r.below(7)));
  return c;
}

// Every point of the symbols' ranges, or some, the corners' neighbours among them, where they are many.
std::vector<std::vector<i64>> points(const FormCase& c, FormPrograms& r) {
  std::vector<std::vector<i64>> out{{}};
  for (const LaunchSymbol& s : c.symbols) {
    std::vector<i64> values;
    if (s.high - s.low < 10)
      for (i64 v = s.low; v <= s.high; ++v) values.push_back(v);
    else
      values = {s.low, s.low + 1, s.high - 1, s.high, s.low + i64(r.below(u64(s.high - s.low)))};
    std::vector<std::vector<i64>> longer;
    for (const auto& p : out)
      for (const i64 v : values) longer.push_back(p), longer.back().push_back(v);
    out = std::move(longer);
  }
  return out;
}

std::vector<ConcreteValue> inputs_at(const FormCase& c, const std::vector<i64>& point) {
  std::vector<ConcreteValue> out;
  for (const Input& i : c.inputs) {
    u64 sum = i.number;
    for (const FormPart& p : i.form.parts) sum += u64(p.factor) * u64(point[p.symbol]);
    out.push_back(ConcreteDomain::make(i.w, sum));
  }
  return out;
}

// What checker/box.cpp takes a box apart by: both parts of a split have a value, and a divisor at least one period.
bool applicable(const Cut& cut, const std::vector<LaunchSymbol>& symbols) {
  if (cut.symbol >= symbols.size()) return false;
  const LaunchSymbol& s = symbols[cut.symbol];
  if (cut.kind == Cut::Kind::split) return cut.at > s.low && cut.at <= s.high;
  return cut.at >= 2 && s.low >= 0 && s.high - s.low >= cut.at;
}

std::string spelled(const FormCase& c) {
  std::string out;
  for (const LaunchSymbol& s : c.symbols)
    out += "symbol " + std::to_string(s.low) + ".." + std::to_string(s.high) + "\n";
  for (const Input& i : c.inputs) {
    out += "input u" + std::to_string(i.w) + " " + std::to_string(i.number);
    for (const FormPart& p : i.form.parts) out += " + " + std::to_string(p.factor) + "*s" + std::to_string(p.symbol);
    out += "\n";
  }
  for (std::size_t i = 0; i < c.steps.size(); ++i) {
    const FormStep& s = c.steps[i];
    out += "v" + std::to_string(i + c.inputs.size()) + " = do" + std::to_string(unsigned(s.what)) + " u" +
           std::to_string(s.w) + " v" + std::to_string(s.a) + " v" + std::to_string(s.b) + " v" + std::to_string(s.c) +
           " " + std::to_string(s.number) + "\n";
  }
  return out;
}

// The part of a split that has more than one value, if there is one.
std::optional<LaunchSymbol> part_of(const Cut& cut, const LaunchSymbol& s) {
  if (cut.kind != Cut::Kind::split) return std::nullopt;
  if (cut.at < s.high) return LaunchSymbol{s.name, cut.at, s.high};
  return cut.at - 1 > s.low ? std::optional(LaunchSymbol{s.name, s.low, cut.at - 1}) : std::nullopt;
}

// False where something is wrong, which is told. At a split it goes on with a part of the points.
bool check_case(const FormCase& c, TermStore& store, FormPrograms& r, Counts& counts) {
  auto where = points(c, r);
  std::vector<std::vector<ConcreteValue>> right;
  for (const auto& p : where) {
    ConcreteDomain d;
    right.push_back(inputs_at(c, p));
    for (const FormStep& s : c.steps) right.back().push_back(run_step(d, s, right.back()));
    if (d.unspecified_hit) return true;  // a division by zero
  }
  const World world;
  store.clear();
  SymbolicDomain d(store, world);
  for (const LaunchSymbol& s : c.symbols) d.forms.add_symbol(s);
  std::vector<Value> values;
  unsigned times = 0;
  for (const Input& i : c.inputs) values.push_back({i.number, d.forms.make(i.form, i.w), i.w});
  for (std::size_t k = 0; k < c.steps.size(); ++k) {
    const Value v = run_step(d, c.steps[k], values);
    CAPTURE(k + c.inputs.size());
    if (d.cut) {
      ++counts.cuts;
      const Cut cut = *d.cut;
      const bool can = applicable(cut, d.forms.symbols());
      INFO("symbol ", cut.symbol, " kind ", int(cut.kind), " at ", cut.at);
      CHECK(can);
      const auto part = can ? part_of(cut, d.forms.symbols()[cut.symbol]) : std::nullopt;
      if (!part || ++times > 4) return can;
      ++counts.narrowed;
      d.narrow(cut.symbol, part->low, part->high);
      for (std::size_t i = where.size(); i-- > 0;)
        if (const i64 at = where[i][cut.symbol]; at < part->low || at > part->high)
          where.erase(where.begin() + std::ptrdiff_t(i)), right.erase(right.begin() + std::ptrdiff_t(i));
      --k;  // the step is done again
      continue;
    }
    if (c.steps[k].what != Do::constant)
      ++(v.concrete() ? counts.numbers : is_form(v.tag) ? counts.forms : counts.terms);
    bool same = v.w == c.steps[k].w && (v.tag == term_tag || (v.bits & ~mask(v.w)) == 0);
    for (std::size_t i = 0; i < where.size() && same; ++i)
      same = test::value_at(d, v, where[i]) == right[i][values.size()].bits;
    CHECK(same);
    if (!same) return false;
    values.push_back(v);
  }
  return true;
}

}  // namespace

TEST_CASE("operations on forms are what they are at every point") {
  FormPrograms random(20);
  TermStore store(1u << 20);
  Counts counts;
  unsigned wrong = 0;
  for (unsigned i = 0; i < 30'000 && wrong < 3; ++i) {
    const FormCase c = random_case(random);
    CAPTURE(i);
    INFO(spelled(c));
    wrong += !check_case(c, store, random, counts);
  }
  // Each outcome is common, so that it has been looked at.
  CHECK(counts.forms > 15'000);
  CHECK(counts.numbers > 25'000);
  CHECK(counts.terms > 15'000);
  CHECK(counts.cuts > 3'000);
  CHECK(counts.narrowed > 1'000);
}

// A term of which no form could be made is one that can, once the symbol is cut.
TEST_CASE("what a narrower range decides is looked at again") {
  TermStore store(1u << 16);
  const World world;
  SymbolicDomain d(store, world);
  d.forms.add_symbol({"s", 0, 8});
  const Term s = d.term({5, d.forms.make({concrete_tag, {{0, 1}}}, 32), 32});
  const auto eleventh = [&] { return d.value(store.make(Op::udiv, 32, 0, s, store.constant(32, 11))); };
  eleventh();
  REQUIRE(d.cut);
  CHECK(d.cut->at == 6);
  d.narrow(0, 6, 8);
  CHECK(eleventh().same(d.constant(32, 1)));
  CHECK(!d.cut);
}

// The difference of two forms has factors that may not fit 64 bits: -2^63 * s <= s, for s = 0 and 1.
TEST_CASE("a comparison of forms with the largest factors") {
  TermStore store(1u << 16);
  const World world;
  SymbolicDomain d(store, world);
  d.forms.add_symbol({"s", 0, 1});
  const Value steep{0, d.forms.make({concrete_tag, {{0, std::numeric_limits<i64>::min()}}}, 64), 64};
  const Value s{0, d.forms.make({concrete_tag, {{0, 1}}}, 64), 64};
  const Value less = d.slt(steep, s);
  for (const i64 at : {0, 1})
    if (!d.cut) CHECK(test::value_at(d, less, std::vector<i64>{at}) == u64(at));
}

// A divisor above 2^63: what a factor leaves of it does not fit a signed word.
TEST_CASE("a quotient of a form by the largest divisors") {
  TermStore store(1u << 16);
  const World world;
  for (const u64 divisor : {mask(64), mask(64) - 1, (u64(1) << 63) + 5}) {
    SymbolicDomain d(store, world);
    d.forms.add_symbol({"s", 0, 3});
    const Value falling{mask(64) - 1, d.forms.make({concrete_tag, {{0, -(i64(1) << 62)}}}, 64), 64};
    const Value q = d.udiv(falling, d.constant(64, divisor));
    for (const i64 at : {0, 1, 2, 3})
      if (!d.cut) CHECK(test::value_at(d, q, std::vector<i64>{at}) == (mask(64) - 1 - (u64(at) << 62)) / divisor);
  }
}
