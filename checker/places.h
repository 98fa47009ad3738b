// Bytes of a run with launch symbols, by object and by the form that moves them: what a launch read and wrote.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "checker/section.h"

namespace ptxeq::check {

using View = std::pair<sym::ObjectId, std::vector<sym::FormPart>>;
using Places = std::map<View, std::vector<Interval>>;  // sorted, not touching each other

struct Accesses {
  Places writes;
  // With what was written under a condition: where that fails, what was there before stays.
  Places reads;
};
// Of all global objects, from the time on.
Accesses accesses_since(const sym::World& world, const sym::SideState& state, const sym::Forms& forms,
                        std::uint32_t time);

bool meets(const std::vector<Interval>& list, const Interval& i);
std::vector<Interval> united(std::vector<Interval> a, const std::vector<Interval>& b);
std::vector<Interval> without(const std::vector<Interval>& from, const std::vector<Interval>& what);
Places without(const Places& from, const Places& what);

}  // namespace ptxeq::check
