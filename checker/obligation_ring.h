// Integer terms as polynomials modulo 2^w: a normal form that sees through reassociated sums and products, choices and
// boolean logic, at a cost that is bounded.
#pragma once

#include "checker/shape.h"

namespace ptxeq::check {

// A number a slot; equal numbers (of one width) mean equal values for every input. Constants have one too.
struct RingForm {
  std::vector<u32> value;                    // a slot
  std::vector<std::optional<u64>> constant;  // a value: its bits where it is a constant
};
RingForm ring_form(const Shape& shape);

// Does the normal form show that the shape's first root is never 1?
bool never_holds_by_ring(const Shape& shape);

}  // namespace ptxeq::check
