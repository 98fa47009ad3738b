// Loops of the two sides that run in step though their terms differ: proved by induction over the passes, the state's
// components being paired as the terms name them.
#pragma once

#include <map>
#include <set>

#include "checker/obligation.h"
#include "symbolic/loop.h"

namespace ptxeq::check {

// Replaces in each obligation's ref those loop functions that were proved to be a's by these. `entries`: the conditions
// under which the reference's loops are come to, by tag; elsewhere their values do not matter. `unfused` is set where a
// proof holds for pairs of mul and add that are not fused.
void relate_loops(sym::TermStore& store, std::vector<Obligation>& obligations,
                  const std::map<sym::u32, std::set<sym::Term>>& entries, const LeafDomains& domains,
                  const DischargeOptions& options, Evidence& evidence, bool& unfused);

}  // namespace ptxeq::check
