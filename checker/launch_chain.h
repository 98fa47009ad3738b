// The proof over whole grids (grid.h) for sides of several launches: a fused kernel against those that it replaces.
// Each launch is swept alone first, for who writes what; then one side is run box by box. What a unit reads of an
// earlier launch, the units that wrote it have to have written on the same memory before: they are found from the last
// launch back, and run from the first on.
#pragma once

#include "checker/grid.h"

namespace ptxeq::check {

bool suits_chain(const Setup& setup);

// Proves, or finds a difference that a run of all blocks has to show; never tells a fault.
GridResult prove_chain(const Setup& setup, const GroupOptions& options);

}  // namespace ptxeq::check
