// One question: launches with one block size each, as they stand in the problem.
#pragma once

#include "checker/problem.h"
#include "checker/report.h"

namespace ptxeq::check {

// As prove, without a search for preconditions. No launch has a list of blocks.
Report prove_one(const Problem& problem, const Limits& limits);
// Is the answer yes, whatever is fused? Nothing is said of why not.
bool is_proved(const Problem& problem, const Limits& limits);

}  // namespace ptxeq::check
