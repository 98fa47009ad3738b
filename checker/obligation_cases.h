// Obligations taken apart by the conditions under which values are chosen: solvers are good at them alone.
#pragma once

#include "checker/obligation.h"

namespace ptxeq::check {

// The obligation as one for each pair of values that the two sides may take, under the conditions for which they do.
// The first compares ref with itself: it says what the value rests on.
std::vector<Obligation> by_cases(sym::TermStore& store, const Obligation& o);

}  // namespace ptxeq::check
