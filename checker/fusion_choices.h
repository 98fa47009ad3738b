// What ptxas may make of mul and add without rounding modifier (SOUNDNESS rule 12), at one input.
#pragma once

#include <functional>

#include "symbolic/term.h"

namespace ptxeq::check {

// Do the two terms' values differ whichever of their contractible pairs become one fma, an add of two products either
// way? Exact for up to about a thousand choices a side; beyond that none, all, each alone and some at random are tried.
// True without looking where a cone holds functions that are left open: their refutation is another's business.
bool differ_however_fused(const sym::TermStore& store, sym::Term a, sym::Term ref,
                          const std::function<sym::u64(sym::Term leaf)>& leaf_bits);

}  // namespace ptxeq::check
