// Integer reasoning with bounds: comparisons of sums and products that do not wrap, as linear inequalities.
#pragma once

#include "checker/shape.h"

namespace ptxeq::check {

// Do inequalities show that the shape's first root is never 1? At a cost that is bounded.
bool never_holds_by_bounds(const Shape& shape);

}  // namespace ptxeq::check
