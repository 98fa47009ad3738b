// The proof for launches and sizes that are not fixed, and for fixed launches that are looked at in the same way: one
// thread stands for all.
#pragma once

#include "checker/grid.h"

namespace ptxeq::check {

// For a setup that suits_open.
GridResult prove_open(const Setup& setup, GroupOptions options);

}  // namespace ptxeq::check
