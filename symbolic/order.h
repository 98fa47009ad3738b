// Control-flow facts of a program: the rank in which lanes that have parted run, and liveness.
#pragma once

#include "symbolic/program.h"

namespace ptxeq::sym {

// Sets Step::rank, head and live. Ranks are a weak topological order (Bourdoncle): a loop's steps are consecutive and
// come before what follows the loop, so lanes that wait at a higher rank are met again as early as possible, at the
// post-dominator at the latest.
void order(Program& program);

}  // namespace ptxeq::sym
