// Loops as functions. A loop is a recurrence: a state, what one pass makes of it, and whether pass number `pass` is
// made. What it leaves is an uninterpreted function of the first state, named by the recurrence in a canonical form: of
// the state only what the value asked for hangs on, in order of appearance, as bound leaves. So two loops that run in
// step give one term, however their registers are named and their counters run.
#pragma once

#include <optional>
#include <vector>

#include "symbolic/term.h"

namespace ptxeq::sym {

struct Recurrence {
  Term goes_on = 0;                      // 1 bit, over `pass` alone: is the pass made?
  Term pass = 0;                         // the leaf that is the number of a pass, from 0 on
  std::vector<Term> state, next, first;  // leaves before a pass; after it; before the first pass
};

// Component k of the state when no further pass is made, and how many were made (of the width of `pass`).
Term state_after(TermStore& store, const Recurrence& loop, std::size_t k);
Term passes_made(TermStore& store, const Recurrence& loop);

// What a tag stands for, if for a loop: component 0 of its state, whose leaves are bound_state(0), ...; or, where it
// has none, how many passes were made.
struct LoopFunction {
  Term pass = 0, goes_on = 0;
  std::vector<Term> next;
};
std::optional<LoopFunction> loop_function(const TermStore& store, u32 tag);
u32 loop_tag(TermStore& store, const LoopFunction& f);
Term bound_state(TermStore& store, std::size_t k, unsigned width);

}  // namespace ptxeq::sym
