// Fixed launches on which what was found for every launch may show: small ones first, then that of the model.
#pragma once

#include <string>
#include <vector>

#include "checker/grid.h"

namespace ptxeq::check {

std::vector<Problem> witnesses(const Problem& problem, const GridResult& grid);

// "n = 5, a 1×5 threads, ref 5×1": what of the open question the fixed one has chosen.
std::string launch_text(const Problem& problem, const Problem& fixed);
void add_scalars(const Problem& problem, const Problem& fixed, Counterexample& to);

// The question for a few values of the scalars that could count a loop, and what they are.
std::vector<Problem> with_few_scalars(const Problem& problem);
std::string scalars_text(const Problem& problem, const Problem& fixed);

// A question for each of the blocks that a launch allows, where they are listed.
std::vector<Problem> one_block_each(const Problem& problem);

}  // namespace ptxeq::check
