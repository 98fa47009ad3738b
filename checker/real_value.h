// Terms over the real numbers at one input: sums may have been reordered, so that a difference in bits says nothing.
#pragma once

#include <functional>
#include <optional>

#include "checker/obligation.h"
#include "symbolic/term.h"

namespace ptxeq::check {

// Do the obligation's terms differ at one input, when every floating operation is the real one? Rounding, .ftz and
// narrowing are the identity, approximate functions are the functions that they approximate.
//  true     its condition holds, and they do by more than can be explained by rounded constants (0.1f, log2 e), by
//           narrowings done on bits, and by the evaluation's own error
//  false    they are equal, to far more digits than any format has, or the condition does not hold
//  nothing  cannot say: a NaN or an infinity among the inputs, a choice (compare, rounding to an integer) too close to
//           call, bits of a computed float taken apart, a value that nobody wrote, or a difference in between
std::optional<bool> differ_over_reals(const sym::TermStore& store, const Obligation& o,
                                      const std::function<sym::u64(sym::Term leaf)>& leaf_bits,
                                      const LeafDomains& domains);

}  // namespace ptxeq::check
