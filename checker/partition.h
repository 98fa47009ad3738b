// The grid in groups of blocks that belong together, so that each can be proved by itself.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/setup.h"

namespace ptxeq::check {

// Linear numbers of the blocks of each group, ascending; group i of one side is compared with group i of the other.
// Every block of a side is in exactly one group (SOUNDNESS rule 19).
struct Partition {
  std::vector<BlockList> a, ref;
};

// Along each dimension both grids are cut into as many equal parts as both allow. One group, without its list, where
// a grid has so many blocks that listing them costs more than it saves.
Partition partition(const sym::Dim3& a, const sym::Dim3& ref);

}  // namespace ptxeq::check
