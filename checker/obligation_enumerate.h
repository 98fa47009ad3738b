// Exhaustive evaluation: a proof where the leaves have few values in all.
#pragma once

#include "checker/shape.h"

namespace ptxeq::check {

struct Enumeration {
  bool complete = false;                  // every assignment was tried, up to the first that holds
  std::optional<std::vector<u64>> holds;  // leaves at which the first root is 1
};
// Nothing is tried where the assignments are more than 2^32, where an approximate, unspecified or select node takes
// part (SOUNDNESS rule 11), or where the time would not do.
Enumeration enumerate(const Shape& shape, Deadline deadline, unsigned jobs);

}  // namespace ptxeq::check
