// Inside of the machine, for machine*.cpp alone.
#pragma once

#include "symbolic/machine.h"

namespace ptxeq::sym {

inline constexpr std::size_t most_candidates = 256;  // places that one data-dependent address may have

// Can two threads meet at the object?
inline bool raced(const Object& object) { return !object.per_thread && !object.read_only; }

// Lanes that stand at one step together.
struct Machine::Strand {
  u32 pc = 0;
  std::shared_ptr<Registers> registers;  // shared with strands of other lanes; a forked lane has a copy of its own
  std::vector<std::uint16_t> lanes;      // sorted
  std::vector<Term> activity;            // condition under which each lane is here; empty: all certain; 0: certain
  bool waiting = false;                  // at the barrier `wait_step`
  u32 wait_step = 0, wait_id = 0, wait_count = 0;  // count 0: all threads
  unsigned loops = 0;                              // backward jumps under a condition that the loop itself made
  bool forked = false;                             // since the last backward jump

  Lanes view() const {
    const bool range = unsigned(lanes.back() - lanes.front()) + 1 == lanes.size();
    return {range ? nullptr : lanes.data(), lanes.front(), unsigned(lanes.size())};
  }
  Term condition(std::size_t i) const { return activity.empty() ? 0 : activity[i]; }
};

// The lanes of a strand that execute a step: those whose guard holds, or may hold.
struct Machine::Active {
  Lanes lanes;
  const Term* activity = nullptr;  // by position; nullptr: all certain
  const Term* guards = nullptr;    // likewise, of a guard that is a term
  std::vector<std::uint16_t> index;
  std::vector<Term> activity_storage, guard_storage;
  Term guard(unsigned i) const { return guards ? guards[i] : 0; }
};

}  // namespace ptxeq::sym
