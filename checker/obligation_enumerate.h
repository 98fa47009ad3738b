// Exhaustive evaluation: a proof where the leaves have few values in all.
#pragma once

#include "checker/shape.h"

namespace ptxeq::check {

struct Enumeration {
  bool complete = false;                  // every assignment was tried, up to the first that holds
  std::optional<std::vector<u64>> holds;  // leaves at which the first root is 1
};
// Nothing is tried where the assignments are more than 2^32 or where the time would not do. Approximate and unspecified
// nodes are open: it is a proof only where the root is the same whatever they are (SOUNDNESS rule 11).
Enumeration enumerate(const Shape& shape, Deadline deadline, unsigned jobs);

}  // namespace ptxeq::check
