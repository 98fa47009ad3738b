// Fixed launches on which what was found for every launch may show: small ones first, then that of the model.
#pragma once

#include <string>
#include <vector>

#include "checker/grid.h"

namespace ptxeq::check {

std::vector<Problem> witnesses(const Problem& problem, const GridResult& grid);

// "shown    for n = 5, a 1×5 threads, ref 5×1": what of the open question the fixed one has chosen.
std::vector<std::string> launch_context(const Problem& problem, const Problem& fixed);

}  // namespace ptxeq::check
