// Which bytes all units of a box touch, as intervals that its symbols move; and questions about these bytes over a
// whole grid (SOUNDNESS rule 18): no byte that one unit writes is touched by another.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "checker/box.h"

namespace ptxeq::check {

struct Interval {
  std::int64_t begin = 0, end = 0;  // bytes
  friend auto operator<=>(const Interval&, const Interval&) = default;
};

// What the units of one box touch of one object, seen from one form: `runs` moved by the form.
struct Section {
  std::size_t box = 0;         // index into the side's boxes
  std::vector<Interval> runs;  // sorted, not touching each other
  struct Step {
    std::int64_t stride = 0;
    std::uint64_t count = 1;
    std::int64_t first = 0;  // the symbol's value without a step,
    bool down = false;       // and whether it falls with each
  };
  std::vector<Step> steps;  // by symbol of the box; those that do not move it have stride 0
};

using Sections = std::map<sym::ObjectId, std::vector<Section>>;

struct Reach {
  Sections writes, reads;                  // reads: without what the same unit writes at the same place
  std::vector<sym::ObjectId> overlapping;  // objects that are no global memory and of which two views were used
  bool reads_back = false;                 // a unit may read global bytes that it also writes
  bool traps = false;                      // a unit may trap
};

// The runs seen from a form over the symbols.
Section section(const std::vector<Interval>& runs, const std::vector<sym::FormPart>& form,
                std::span<const sym::LaunchSymbol> symbols);
// Joins neighbours in a sorted list.
void merge_neighbours(std::vector<Interval>& runs);

// Of a side's run of a box whose symbols are the first of the domain, in order. Places that others move: `overlapping`.
Reach reach_of(const sym::World& world, sym::SideState& state, const sym::Forms& forms, std::size_t symbols);
void append(Sections& to, const Sections& from, std::size_t box);

// Calls `see` with every range of bytes that `wanted` holds for, until it gives false. `wanted` is told in how many
// units of each list a byte is. The answer is false where the bytes are too scattered to tell.
using Wanted = bool (*)(std::uint64_t first, std::uint64_t second);
struct SearchLimits {
  std::uint64_t few = 1u << 14, most = 4'000'000;  // intervals that are looked at one by one: gladly, at most
};
bool each_range(const std::vector<Section>& first, const std::vector<Section>& second, Wanted wanted,
                const std::function<bool(Interval)>& see, const SearchLimits& limits = {});

// May a byte be in both? Also where that is too scattered to tell.
bool meet(const std::vector<Section>& first, const std::vector<Section>& second);
// All bytes, sorted and joined; nothing where two units may share one.
std::optional<std::vector<Interval>> separate_bytes(const std::vector<Section>& sections);

// A unit that touches a byte: its box's index and symbols; and the end of the run that the byte is in.
struct Toucher {
  std::size_t box = 0;
  std::vector<std::int64_t> symbols;
  std::int64_t end = 0;
};
struct Touchers {
  std::vector<Toucher> units;
  bool all = true;  // no more than these
};
// The units that touch the byte, at most `most` of them.
Touchers touchers(const std::vector<Section>& sections, std::int64_t byte, std::size_t most);

}  // namespace ptxeq::check
