// What some bytes rest on: the units of a side's launches that write them, and those that write what these read.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "checker/box_sweep.h"
#include "checker/group.h"

namespace ptxeq::check {

// A launch swept alone.
struct SweptLaunch {
  Setup setup;  // as the launch finds memory: what earlier launches write is anything
  std::vector<Box> boxes;
  std::vector<Piece> pieces;
  Reach reach;
  std::map<sym::ObjectId, std::vector<Interval>> written;
  std::map<sym::ObjectId, unsigned> granule;  // of the pieces, bytes
};
using Chain = std::vector<SweptLaunch>;

class ChainRest {
 public:
  // The chain and the box outlive it. `scratch`: a store for runs whose results are not used.
  ChainRest(const Chain& chain, Side side, const Box& box, const GroupOptions& options, sym::TermStore& scratch);

  void add(std::size_t launch, const Mapped& unit);
  // Units for what launches before `before` leave at the places, the latest launch first.
  void require(std::size_t before, const Places& places);
  void close();  // units for what the units found so far read
  // What the launch's units access when earlier launches may have left anything.
  const Accesses& foreseen(std::size_t launch);
  // Can the launch write one of the places, for some values of the box's symbols?
  bool may_write(std::size_t launch, const View& view, const std::vector<Interval>& places) const;

  const std::vector<Mapped>& units(std::size_t launch) const { return launches_[launch].units; }
  const std::optional<Obstacle>& obstacle() const { return obstacle_; }

 private:
  struct Found {
    Matcher matcher;
    std::vector<Mapped> units;
    std::set<std::vector<std::int64_t>> keys;
    std::size_t foreseen_of = 0;  // how many units
    Accesses foreseen;
  };
  void require(std::size_t before, const View& view, std::vector<Interval> places);

  const Chain& chain_;
  Side side_;
  const Box& box_;
  const GroupOptions& options_;
  sym::TermStore& scratch_;
  std::vector<Found> launches_;
  std::optional<Obstacle> obstacle_;
};

const PreparedSide& side_of(const Setup& setup, Side side);

}  // namespace ptxeq::check
