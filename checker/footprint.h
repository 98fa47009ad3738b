// Which bytes of global memory a group of blocks touched, so that groups can be checked against each other: no byte
// that one writes is read or written by another (SOUNDNESS rule 18).
#pragma once

#include <tuple>
#include <vector>

#include "checker/setup.h"

namespace ptxeq::check {

struct Touched {
  sym::ObjectId object = 0;
  std::uint64_t begin = 0, end = 0;  // bytes
  std::uint32_t group = 0;
  friend bool operator<(const Touched& x, const Touched& y) {
    return std::tie(x.object, x.begin, x.end, x.group) < std::tie(y.object, y.begin, y.end, y.group);
  }
};

struct Footprint {
  std::vector<Touched> reads, writes;
  void add(const sym::World& world, const sym::SideState& state, std::uint32_t group);
  void add(const Footprint& other);
};

// Does a group write what another touches?
bool conflict(Footprint& footprint);

}  // namespace ptxeq::check
