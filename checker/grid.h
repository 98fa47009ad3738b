// A proof over a whole grid with block ids as symbols: cost follows the block, not the grid (DESIGN idea 8). One side,
// the driver, is run box by box; for each, those units of the other that write the same bytes are run and compared.
#pragma once

#include <string>
#include <vector>

#include "checker/box_sweep.h"
#include "checker/group.h"

namespace ptxeq::check {

struct GridResult {
  enum class Answer : std::uint8_t {
    proved,     // both sides leave the same, and no two units touch what one of them writes
    found,      // `results` holds a refutation or a fault that one concrete run should show
    undecided,  // `reason` says why symbols did not do
  } answer = Answer::undecided;
  Reason reason;
  std::vector<GroupResult> results;
  std::uint64_t boxes = 0;
  std::vector<Split> splits;
  bool shown = false;  // what was found was found by running blocks one by one
};

// Does the question have the form that this proof is for: one launch a side, and more than one block?
bool suits_grid(const Setup& setup);

// And of launches or sizes that are not fixed: independent threads where the launch is open?
bool suits_open(const Setup& setup);

// Fixed launches in one dimension of threads that loop, perhaps as often as a scalar without value says, are looked at
// as launches that are not fixed. Is there one?
bool look_by_index(Setup& setup);

// `last`: the end of the time for blocks that are run to show what was found, later than that for the proof.
GridResult prove_grid(const Setup& setup, const GroupOptions& options, Deadline last);

}  // namespace ptxeq::check
