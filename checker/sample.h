// Values to try: edge cases of a leaf's type, constants that the terms mention, small and random values, always
// inside the leaf's domain.
#pragma once

#include <optional>
#include <vector>

#include "checker/shape.h"

namespace ptxeq::check {

// Is `bits` a value that the domain allows for a leaf of this width?
bool admits(const LeafDomain& domain, unsigned width, u64 bits);
// The allowed bit patterns of a leaf as runs first, first + step, ... of `count` (0: 2^64), wrapping at its width.
// Nothing where they are no such runs.
struct Progression {
  u64 first = 0, step = 1, count = 0;
  friend bool operator==(const Progression&, const Progression&) = default;
};
Progression any_value(unsigned width);
std::optional<std::vector<Progression>> progressions(const LeafDomain& domain, unsigned width);

// splitmix64.
class Random {
 public:
  explicit Random(u64 seed) : state_(seed) {}
  u64 next() {
    u64 z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  u64 below(u64 n) { return next() % n; }

 private:
  u64 state_;
};

class Sampler {
 public:
  Sampler(const Shape& shape, u64 seed);
  // Assignment `number` (0, 1, ...): one value a leaf. Nothing where a domain is too narrow to be hit.
  bool next(std::vector<u64>& leaves);

 private:
  struct Kind {
    std::vector<u64> edges, small;
  };
  u64 pick(u32 leaf, unsigned strategy, u64 shared);
  std::optional<u64> fit(u32 leaf, u64 bits);
  const Shape& shape_;
  Random random_;
  std::vector<Kind> kinds_;   // distinct widths and formats
  std::vector<u32> kind_of_;  // a leaf
  u64 number_ = 0;
};

}  // namespace ptxeq::check
