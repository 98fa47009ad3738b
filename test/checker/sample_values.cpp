#include <doctest/doctest.h>

#include <algorithm>

#include "checker/obligation_enumerate.h"
#include "checker/sample.h"
#include "checker/sample_run.h"

using namespace ptxeq;
using namespace ptxeq::check;
using sym::Op;

namespace {

Shape leaves_only(std::vector<LeafDomain> domains) {
  Shape s;
  for (const LeafDomain& d : domains) {
    s.code.push_back({Op::leaf, sym::u8(d.width), 0, 0, u32(s.leaves.size()), no_slot, no_slot});
    s.leaves.push_back({sym::LeafKind::memory, d.width, d});
  }
  s.roots = {0};
  return s;
}
std::vector<Progression> runs(const LeafDomain& d) { return progressions(d, d.width).value(); }
u64 count(const LeafDomain& d) {
  u64 n = 0;
  for (const Progression& run : runs(d)) n += run.count;
  return n;
}

}  // namespace

TEST_CASE("samples lie in their domain") {
  const std::vector<LeafDomain> domains = {
      {.width = 32, .integers = std::array<std::int64_t, 2>{10, 99}, .multiple_of = 4},
      {.width = 32, .is_signed = true, .integers = std::array<std::int64_t, 2>{-5, 5}},
      {.width = 32, .floating = true, .values = std::array{-1.0, 0.1}},
      {.width = 16, .floating = true, .bf16 = true, .finite = true},
      {.width = 64, .floating = true, .values = std::array{3.0, 3.0}},
      {.width = 64, .multiple_of = 256}};
  const Shape shape = leaves_only(domains);
  Sampler sampler(shape, 1);
  std::vector<u64> values;
  for (int k = 0; k < 2000; ++k) {
    REQUIRE(sampler.next(values));
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(admits(domains[i], domains[i].width, values[i]));
    CHECK(values[0] % 4 == 0);
    CHECK((values[0] >= 12 && values[0] <= 96));
    CHECK(values[4] == 0x4008000000000000);
  }
}

TEST_CASE("an undescribed float leaf meets zeros, infinities, NaNs with payload and subnormals") {
  const Shape shape = leaves_only({{.width = 32, .floating = true}});
  Sampler sampler(shape, 1);
  std::vector<u64> seen, values;
  for (int k = 0; k < 2048; ++k) {
    REQUIRE(sampler.next(values));
    seen.push_back(values[0]);
  }
  for (const u64 v : {0x00000000u, 0x80000000u, 0x3f800000u, 0x7f800000u, 0xff800000u, 0x7fffffffu, 0x7f800001u,
                      0x00000001u, 0x007fffffu, 0x00800000u, 0x7f7fffffu, 0x3f800001u, 0x33800000u})
    CHECK_MESSAGE(std::find(seen.begin(), seen.end(), v) != seen.end(), v);
}

TEST_CASE("a domain's values as runs of bit patterns") {
  CHECK(count({.width = 8}) == 256);
  CHECK(count({.width = 8, .is_signed = true, .integers = std::array<std::int64_t, 2>{-3, 1000}}) == 131);
  CHECK(count({.width = 8, .integers = std::array<std::int64_t, 2>{-3, 1000}}) == 256);
  CHECK(count({.width = 32, .integers = std::array<std::int64_t, 2>{5, 5}, .multiple_of = 4}) == 0);
  CHECK(count({.width = 16, .floating = true, .finite = true}) == 2 * 0x7c00);
  // f32 in [1, 2]: 2^23 numbers below 2, and 2.
  CHECK(count({.width = 32, .floating = true, .values = std::array{1.0, 2.0}}) == (1u << 23) + 1);
  CHECK(count({.width = 32, .floating = true, .values = std::array{-0.0, 0.0}}) == 2);
  // All patterns against the definition.
  for (const LeafDomain& d :
       {LeafDomain{.width = 16, .floating = true, .values = std::array{-2.5, 0.75}},
        LeafDomain{.width = 16, .floating = true, .bf16 = true, .finite = true, .values = std::array{0.1, 1e30}},
        LeafDomain{
            .width = 16, .is_signed = true, .integers = std::array<std::int64_t, 2>{-100, 50}, .multiple_of = 7}}) {
    u64 admitted = 0;
    for (u64 v = 0; v < 65536; ++v) admitted += admits(d, 16, v);
    CHECK(count(d) == admitted);
    for (const Progression& run : runs(d))
      for (u64 k = 0; k < run.count; ++k) CHECK(admits(d, 16, (run.first + k * run.step) & 0xffff));
  }
}

TEST_CASE("enumeration tries every assignment, and no more than fit") {
  const LeafDomain three{.width = 8, .integers = std::array<std::int64_t, 2>{7, 9}};
  Shape s = leaves_only({three, {.width = 8, .is_signed = true, .integers = std::array<std::int64_t, 2>{-2, 2}}});
  s.code.push_back({Op::add, 8, 0, 0, 0, 1, no_slot});
  const auto equals = [&](u64 v) {
    Shape out = s;
    out.code.push_back({Op::constant, 8, 0, 0, u32(v), 0, 0});
    out.code.push_back({Op::eq, 1, 0, 0, 2, 3, no_slot});
    out.roots = {4};
    return enumerate(out, std::chrono::steady_clock::now() + std::chrono::seconds(5), 2);
  };
  CHECK(equals(5).holds == std::vector<u64>{7, 254});
  CHECK(equals(11).holds == std::vector<u64>{9, 2});
  CHECK_FALSE(equals(4).holds);
  CHECK(equals(12).complete);
  CHECK_FALSE(equals(12).holds);
  // Two leaves of 32 bits are too many, also where their product overflows a count.
  Shape wide = leaves_only({{.width = 32}, {.width = 32}});
  wide.code.push_back({Op::eq, 1, 0, 0, 0, 1, no_slot});
  wide.roots = {2};
  CHECK_FALSE(enumerate(wide, std::chrono::steady_clock::now() + std::chrono::seconds(1), 1).complete);
}

TEST_CASE("unknown bits stay unknown and no more") {
  // ite(u, x | 1, x | 3) for an undefined u: bit 0 is known.
  Shape s;
  s.leaves = {{sym::LeafKind::undefined, 1, {}}, {sym::LeafKind::memory, 8, {}}};
  s.code = {{Op::leaf, 1, 0, 0, 0, no_slot, no_slot},
            {Op::leaf, 8, 0, 0, 1, no_slot, no_slot},
            {Op::constant, 8, 0, 0, 1, 0, 0},
            {Op::constant, 8, 0, 0, 3, 0, 0},
            {Op::or_, 8, 0, 0, 1, 2, no_slot},
            {Op::or_, 8, 0, 0, 1, 3, no_slot},
            {Op::ite, 8, 0, 0, 0, 4, 5}};
  s.roots = {6};
  const Partial p = run_partial(s, std::array<u64, 2>{0, 0x10})[0];
  CHECK(p.unknown == 2);
  CHECK((p.bits & ~p.unknown) == 0x11);
}
