#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "checker/sample.h"
#include "checker/section.h"

using namespace ptxeq::check;
using i64 = std::int64_t;

namespace {

// Strides are mostly multiples of one another, as those of a matrix are.
std::vector<Section> random_sections(Random& random) {
  std::vector<Section> out(1 + random.below(3));
  for (std::size_t k = 0; k < out.size(); ++k) {
    Section& s = out[k];
    s.box = k;
    i64 at = i64(random.below(60)) - 20;
    for (std::size_t n = 1 + random.below(3); n-- > 0;) {
      const i64 length = 1 + i64(random.below(6));
      s.runs.push_back({at, at + length});
      at += length + 1 + i64(random.below(6));
    }
    for (std::size_t n = random.below(4); n-- > 0;) {
      static constexpr i64 strides[] = {0, 1, 3, 4, 8, 16, 24, 48, 50};
      const std::uint64_t count = 2 + random.below(6);
      s.steps.push_back({strides[random.below(9)], count, 0, random.below(4) == 0});
      if (s.steps.back().down) s.steps.back().first = i64(count) - 1;
    }
  }
  return out;
}

// Every unit of a section, as its symbols and how far it moves the runs.
template <class F>
void each_unit(const Section& s, F f) {
  std::vector<std::uint64_t> at(s.steps.size(), 0);
  for (;;) {
    std::vector<i64> symbols;
    i64 moved = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
      moved += s.steps[k].stride * i64(at[k]);
      symbols.push_back(s.steps[k].first + (s.steps[k].down ? -i64(at[k]) : i64(at[k])));
    }
    f(symbols, moved);
    std::size_t k = 0;
    while (k < at.size() && ++at[k] == s.steps[k].count) at[k++] = 0;
    if (k == at.size()) return;
  }
}

std::map<i64, std::uint64_t> units_by_byte(const std::vector<Section>& sections) {
  std::map<i64, std::uint64_t> out;
  for (const Section& s : sections)
    each_unit(s, [&](const std::vector<i64>&, i64 moved) {
      for (const Interval& r : s.runs)
        for (i64 b = r.begin; b < r.end; ++b) ++out[b + moved];
    });
  return out;
}

}  // namespace

TEST_CASE("bytes that units share, or that one side alone touches, are found as by looking at each of them") {
  static constexpr Wanted questions[] = {
      [](std::uint64_t x, std::uint64_t) { return x > 1; },
      [](std::uint64_t x, std::uint64_t y) { return x && y; },
      [](std::uint64_t x, std::uint64_t y) { return x && !y; },
  };
  Random random(7);
  unsigned told = 0;
  for (unsigned round = 0; round < 1000; ++round) {
    const std::vector<Section> first = random_sections(random), second = random_sections(random);
    const auto in_first = units_by_byte(first), in_second = units_by_byte(second);
    const auto count = [](const auto& units, i64 b) {
      const auto at = units.find(b);
      return at == units.end() ? std::uint64_t(0) : at->second;
    };
    for (const Wanted wanted : questions)
      for (const SearchLimits limits : {SearchLimits{}, SearchLimits{4, 4}, SearchLimits{0, 1u << 20}}) {
        std::map<i64, unsigned> found;
        const bool all = each_range(
            first, second, wanted,
            [&](Interval i) {
              for (i64 b = i.begin; b < i.end; ++b) ++found[b];
              return true;
            },
            limits);
        CHECK((all || limits.most == 4));
        told += all && limits.most == 4;
        for (const auto& [b, times] : found) REQUIRE((times == 1 && wanted(count(in_first, b), count(in_second, b))));
        for (const auto& [b, n] : in_first) REQUIRE((!all || !wanted(n, count(in_second, b)) || found.contains(b)));
      }
  }
  CHECK(told > 20);  // by residues alone
}

TEST_CASE("a search that is stopped tells nothing more") {
  Section s;
  s.runs = {{0, 4}}, s.steps = {{8, 1000}, {0, 2}};
  for (const std::uint64_t few : {0u, 100000u}) {
    unsigned times = 0;
    CHECK(each_range(
        {s}, {}, [](auto x, auto) { return x > 1; }, [&](Interval) { return ++times < 3; }, SearchLimits{few, 100000}));
    CHECK(times == 3);
  }
}

TEST_CASE("billions of units in scattered boxes are told apart") {
  // One of the 256 threads of each block by itself, and its block once more.
  const std::uint64_t blocks = std::uint64_t(1) << 40;
  const Section rest{0, {{0, 308}, {312, 1024}}, {{1024, blocks}}}, one{1, {{308, 312}}, {{1024, blocks}}};
  const auto shared = [](std::uint64_t x, std::uint64_t) { return x > 1; };
  const auto none = [](Interval) -> bool { throw 1; };
  CHECK(each_range({rest, one}, {}, shared, none));
  const Section again{2, {{308 + 1024 * 77, 310 + 1024 * 77}}, {}};
  std::vector<Interval> found;
  CHECK(each_range({rest, one, again}, {}, shared, [&](Interval i) { return found.push_back(i), true; }));
  CHECK(found == again.runs);
  const Touchers by = touchers({rest, one, again}, again.runs[0].begin, 5);
  REQUIRE(by.units.size() == 2);
  CHECK((by.units[0].box == 1 && by.units[0].symbols == std::vector<i64>{77} && by.units[0].end == 312 + 1024 * 77));
  CHECK((by.all && by.units[1].box == 2));
}

TEST_CASE("the units that touch a byte are found as by looking at each of them") {
  Random random(8);
  for (unsigned round = 0; round < 1000; ++round) {
    const std::vector<Section> sections = random_sections(random);
    const i64 byte = i64(random.below(200)) - 10;
    std::vector<std::pair<std::size_t, std::vector<i64>>> expected, found;
    for (const Section& s : sections)
      each_unit(s, [&](const std::vector<i64>& symbols, i64 moved) {
        for (const Interval& r : s.runs)
          if (r.begin + moved <= byte && byte < r.end + moved) expected.emplace_back(s.box, symbols);
      });
    const Touchers all = touchers(sections, byte, 100000), some = touchers(sections, byte, 2);
    for (const Toucher& t : all.units) found.emplace_back(t.box, t.symbols);
    std::sort(expected.begin(), expected.end()), std::sort(found.begin(), found.end());
    REQUIRE(all.all);
    REQUIRE(found == expected);
    REQUIRE(some.units.size() == std::min<std::size_t>(2, expected.size()));
    REQUIRE(some.all == (expected.size() <= 2));
  }
}
