// Boxes one after the other and side by side, taken apart until each is done with.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checker/box.h"

namespace ptxeq::check {

struct Obstacle;
// Nothing: the box is done with. `boxes`: how many there are by now.
using BoxTask = std::function<std::optional<Obstacle>(const Box& box, std::size_t boxes)>;

// Why a box cannot be decided as it is.
struct Obstacle {
  std::optional<sym::Cut> cut;  // it has to be taken apart; without, the sweep ends
  std::string why;              // the place and the instruction
  bool unmatched = false;       // the other side is not found to write what this one does
  BoxTask go_on{};              // of a split: goes on with the box's run in a part with all its symbols; empty: cannot
};

// Does the task for every box and for the parts of those that it wants taken apart, on `jobs` threads. The largest part
// goes on with the box's run where that can be. Nothing: all are done; else why not. `splits` gets each cut with its
// reason, in the boxes' order, the wider first.
struct SweepEnd {
  std::string why;  // empty: the task has ended it without a word
  bool unmatched = false;
};
struct Split {
  BoxOrder at{};
  std::uint64_t units = 0;  // of the box that was taken apart
  std::string text;
  friend bool operator==(const Split&, const Split&) = default;
};
std::optional<SweepEnd> each_box(const Box& first, unsigned jobs, const BoxTask& task, std::vector<Split>& splits);
std::optional<SweepEnd> each_box(const std::vector<Box>& first, unsigned jobs, const BoxTask& task,
                                 std::vector<Split>& splits);

}  // namespace ptxeq::check
