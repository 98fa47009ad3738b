#include "checker/partition.h"

#include <numeric>

namespace ptxeq::check {

using sym::Dim3;

namespace {

constexpr std::uint64_t most_listed = std::uint64_t(1) << 20;

std::uint64_t blocks(const Dim3& grid) { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }

std::vector<BlockList> cut(const Dim3& grid, const Dim3& parts) {
  std::vector<BlockList> out(blocks(parts));
  std::uint64_t linear = 0;
  for (std::uint32_t z = 0; z < grid[2]; ++z)
    for (std::uint32_t y = 0; y < grid[1]; ++y)
      for (std::uint32_t x = 0; x < grid[0]; ++x, ++linear) {
        const auto part = [&](unsigned d, std::uint32_t i) { return std::uint64_t(i) * parts[d] / grid[d]; };
        out[part(0, x) + parts[0] * (part(1, y) + parts[1] * part(2, z))].push_back(linear);
      }
  return out;
}

}  // namespace

Partition partition(const Dim3& a, const Dim3& ref) {
  if (blocks(a) > most_listed || blocks(ref) > most_listed) return {{{}}, {{}}};
  const Dim3 parts{std::gcd(a[0], ref[0]), std::gcd(a[1], ref[1]), std::gcd(a[2], ref[2])};
  return {cut(a, parts), cut(ref, parts)};
}

}  // namespace ptxeq::check
