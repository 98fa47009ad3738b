// Loops of the two sides that run in step though their terms differ: proved by induction over the passes, the state's
// components being paired as the terms name them.
#pragma once

#include <map>
#include <set>

#include "checker/obligation.h"
#include "symbolic/loop.h"

namespace ptxeq::check {

struct LoopPair {
  sym::Term a = 0, ref = 0;  // values that the loops lead to
};

// For each pair, ref with those loop functions that were proved to be a's replaced by these. `entries`: the conditions
// under which the reference's loops are come to, by tag; elsewhere their values do not matter. `unfused` is set where
// a proof holds for pairs of mul and add that are not fused.
std::vector<sym::Term> relate_loops(sym::TermStore& store, const std::vector<LoopPair>& pairs,
                                    const std::map<sym::u32, std::set<sym::Term>>& entries, const LeafDomains& domains,
                                    const DischargeOptions& options, Evidence& evidence, bool& unfused);

// The obligation as one for each pair of values that the two sides may take, by the conditions under which they do.
std::vector<Obligation> by_cases(sym::TermStore& store, const Obligation& o);

}  // namespace ptxeq::check
