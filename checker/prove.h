// The proof engine's front: decides a Problem.
#pragma once

#include "checker/problem.h"
#include "checker/report.h"

namespace ptxeq::check {

// Proves, refutes or rejects; never throws. Fills everything in the report but titles, context, time and memory.
Report prove(const Problem& problem, const Limits& limits);

// One kernel's own behaviour (problem.a): races, bounds, alignment, uninitialised reads. verdict is `none` when
// nothing critical was found, `invalid` or `inconclusive` otherwise.
Report check_behaviour(const Problem& problem, const Limits& limits);

struct RunResult {
  std::vector<std::vector<std::uint64_t>> buffers;  // element bit patterns, one vector a Problem::buffers entry
  std::uint64_t instructions = 0;                   // thread-instructions
  double time_s = 0;
  std::optional<Reason> reason;  // why it did not finish
  std::vector<Finding> findings;
};
// Executes problem.a concretely on the buffers' `init` or on values made from the seed.
RunResult run(const Problem& problem, const Limits& limits);

}  // namespace ptxeq::check
