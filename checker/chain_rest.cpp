#include "checker/chain_rest.h"

namespace ptxeq::check {

const PreparedSide& side_of(const Setup& setup, Side side) { return side == Side::a ? setup.a : setup.ref; }

ChainRest::ChainRest(const Chain& chain, Side side, const Box& box, const GroupOptions& options,
                     sym::TermStore& scratch)
    : chain_(chain), side_(side), box_(box), options_(options), scratch_(scratch) {
  for (const SweptLaunch& l : chain) launches_.push_back({Matcher(l.boxes, l.pieces), {}, {}, 0, {}});
}

void ChainRest::add(std::size_t launch, const Mapped& unit) {
  const bool threads = units_of(side_of(chain_[launch].setup, side_), launch) == Units::threads;
  if (launches_[launch].keys.insert(key_of(unit, threads)).second) launches_[launch].units.push_back(unit);
}

bool ChainRest::may_write(std::size_t launch, const View& view, const std::vector<Interval>& places) const {
  const auto written = chain_[launch].reach.writes.find(view.first);
  if (written == chain_[launch].reach.writes.end() || places.empty()) return false;
  return meet(written->second, {section(places, view.second, box_.symbols)});
}

void ChainRest::require(std::size_t before, const View& view, std::vector<Interval> places) {
  for (std::size_t k = before; k-- > 0 && !places.empty();) {
    const SweptLaunch& launch = chain_[k];
    const auto granule = launch.granule.find(view.first);
    if (granule == launch.granule.end()) continue;
    const std::int64_t step = granule->second;
    std::vector<Interval> left;
    std::optional<sym::Cut> cut;
    for (const Interval& i : places)
      for (std::int64_t at = i.begin - ((i.begin % step) + step) % step; at < i.end; at += step) {
        std::optional<sym::Cut> wanted;
        const auto unit = launches_[k].matcher.writer(box_, view.first, view.second, at, wanted);
        if (unit && within_launch(side_of(launch.setup, side_).shapes[k], box_, *unit)) {
          add(k, *unit);
          continue;
        }
        if (!cut) cut = wanted;
        left.push_back({std::max(at, i.begin), std::min(at + step, i.end)});
      }
    if (may_write(k, view, left)) {
      obstacle_ = {cut, "what an earlier launch writes"};
      return;
    }
    places = std::move(left);
  }
}

void ChainRest::require(std::size_t before, const Places& places) {
  for (const auto& [view, list] : places) {
    if (obstacle_) return;
    require(before, view, list);
  }
}

void ChainRest::close() {
  for (std::size_t k = chain_.size(); k-- > 1 && !obstacle_;)
    if (!launches_[k].units.empty()) require(k, foreseen(k).reads);
}

const Accesses& ChainRest::foreseen(std::size_t launch) {
  Found& of = launches_[launch];
  if (of.foreseen_of == of.units.size()) return of.foreseen;
  Group group(chain_[launch].setup, options_, {}, scratch_);
  BoxWork work;
  work.box = &box_, work.driver = side_, work.launch = launch, work.chained = true;
  group.begin(work);
  of.foreseen_of = of.units.size();
  if (group.run_launch(side_, launch, of.units))
    of.foreseen = group.accesses(side_);
  else
    obstacle_ = {group.cut_wanted(side_), group.stopped(side_).message};
  return of.foreseen;
}

}  // namespace ptxeq::check
