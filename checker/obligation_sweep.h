// Sweeping: parts of a shape that are equal without looking it, found by their values on samples, proved equal one by
// one on their own leaves, and merged. A quotient by multiplication deep inside an index is so decided on its 32 bits,
// whatever else the index holds.
#pragma once

#include "checker/shape.h"

namespace ptxeq::check {

// An equivalent shape with proved equalities merged; nothing where there were none. Stops at the deadline.
std::optional<Shape> sweep(const Shape& shape, u64 seed, Deadline deadline, unsigned jobs);

}  // namespace ptxeq::check
