// Which bytes all units of a box touch, as intervals; and what must hold of them over a whole grid (SOUNDNESS rule 18):
// no byte that one unit writes is touched by another.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "checker/box.h"

namespace ptxeq::check {

struct Interval {
  std::int64_t begin = 0, end = 0;  // bytes
  friend auto operator<=>(const Interval&, const Interval&) = default;
};

// What the units of one box touch of one object, seen from one form: `runs` moved by the form.
struct Section {
  std::vector<Interval> runs;  // sorted, not touching each other
  struct Step {
    std::int64_t stride = 0;
    std::uint64_t count = 1;
  };
  std::vector<Step> steps;  // of the form's symbols, and of those that do not move it (stride 0)
};

using Sections = std::map<sym::ObjectId, std::vector<Section>>;

struct Reach {
  Sections writes, reads;                  // reads: without what the same unit writes at the same place
  std::vector<sym::ObjectId> overlapping;  // objects that are no global memory and of which two views were used
};

// The runs seen from a form over the symbols.
Section section(const std::vector<Interval>& runs, const std::vector<sym::FormPart>& form,
                const std::vector<sym::LaunchSymbol>& symbols);
// Joins neighbours in a sorted list.
void merge_neighbours(std::vector<Interval>& runs);

// Of a side's run of a box whose symbols are those of the domain, in order.
Reach reach_of(const sym::World& world, sym::SideState& state, const sym::Forms& forms);
void append(Sections& to, const Sections& from);

// The intervals of all units, sorted and joined; nothing where two units share a byte, or where they are too many.
// `shared`: a byte that two units touch, where one is found.
struct Union {
  std::vector<Interval> intervals;
  std::optional<std::int64_t> shared;
  bool too_many = false;
};
Union joined(const std::vector<Section>& sections);
// A byte that is in both.
std::optional<std::int64_t> meeting(const Union& writes, const std::vector<Section>& reads, bool& too_many);

}  // namespace ptxeq::check
