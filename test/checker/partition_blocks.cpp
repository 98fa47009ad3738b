#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "checker/partition.h"

using namespace ptxeq::check;
using ptxeq::sym::Dim3;

namespace {

// Each of n blocks once, each group ascending.
void check_covers(const std::vector<std::vector<std::uint64_t>>& groups, std::size_t n) {
  std::vector<std::uint64_t> all, every(n);
  std::iota(every.begin(), every.end(), std::uint64_t(0));
  for (const auto& g : groups) {
    CHECK(std::is_sorted(g.begin(), g.end()));
    CHECK(!g.empty());
    all.insert(all.end(), g.begin(), g.end());
  }
  std::sort(all.begin(), all.end());
  CHECK(all == every);
}

}  // namespace

TEST_CASE("a partition holds every block of both grids exactly once") {
  const Dim3 grids[] = {{1, 1, 1}, {4, 1, 1}, {6, 1, 1},  {1, 6, 1}, {4, 6, 2},
                        {6, 4, 3}, {7, 5, 2}, {64, 1, 1}, {12, 9, 4}};
  for (const Dim3& a : grids)
    for (const Dim3& ref : grids) {
      const Partition p = partition(a, ref);
      REQUIRE(p.a.size() == p.ref.size());
      check_covers(p.a, a[0] * a[1] * a[2]);
      check_covers(p.ref, ref[0] * ref[1] * ref[2]);
    }
}

TEST_CASE("groups are the same part of both grids") {
  // 4 x 2 blocks against 2 x 2: the left half of the upper row is one group.
  const Partition p = partition({4, 2, 1}, {2, 2, 1});
  REQUIRE(p.a.size() == 4);
  CHECK(p.a[0] == std::vector<std::uint64_t>{0, 1});
  CHECK(p.ref[0] == std::vector<std::uint64_t>{0});
  CHECK(p.a[3] == std::vector<std::uint64_t>{6, 7});
  CHECK(p.ref[3] == std::vector<std::uint64_t>{3});
}

TEST_CASE("the blocks of a huge grid are not listed") {
  const Partition p = partition({2147483647, 1, 1}, {2147483647, 1, 1});
  REQUIRE(p.a.size() == 1);
  CHECK(p.a[0].empty());
}
