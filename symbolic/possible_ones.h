// Which bits of a term can be one: what rules about masks, slices and sums without carries rest on.
#pragma once

#include "symbolic/term.h"

namespace ptxeq::sym {

// A bit that is 0 here is 0 in t for every input. Looks `depth` nodes deep; below, every bit can be one.
u64 possible_ones(const TermStore& store, Term t, unsigned depth = 4);

}  // namespace ptxeq::sym
