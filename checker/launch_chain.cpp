#include "checker/launch_chain.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "checker/chain_rest.h"

namespace ptxeq::check {
namespace {

using sym::ObjectId;

class ChainProof {
 public:
  ChainProof(const Setup& setup, const GroupOptions& options)
      : setup_(setup), options_(options), jobs_(options.limits.jobs) {
    options_.terms /= 2;       // two stores at once
    options_.limits.jobs = 1;  // of each box
  }

  GridResult run() {
    for (const Side side : {Side::ref, Side::a})
      for (std::size_t k = 0; k < side_of(setup_, side).programs.size() && !failed_; ++k) sweep(side, k);
    if (!failed_) expect_same_bytes();
    driver_ = led_by();
    // The last launch first; earlier ones for what only they write.
    std::map<ObjectId, std::vector<Interval>> driven;
    for (std::size_t k = chain(driver_).size(); k-- > 0 && !failed_;) {
      if (!writes_more(chain(driver_)[k], driven)) continue;
      drive(k);
      for (const auto& [id, written] : chain(driver_)[k].written) driven[id] = united(driven[id], written);
    }
    out_.answer = failed_  ? GridResult::Answer::undecided
                  : found_ ? GridResult::Answer::found
                           : GridResult::Answer::proved;
    std::ranges::stable_sort(out_.results, {}, &GroupResult::at);
    return std::move(out_);
  }

 private:
  struct Stores {
    sym::TermStore results, scratch;
  };
  using ChainTask = std::function<std::optional<Obstacle>(const Box&, Stores&)>;

  Chain& chain(Side side) { return side == Side::a ? a_ : ref_; }

  void sweep_boxes(const std::vector<Box>& first, Side side, const ChainTask& task) {
    const auto with_stores = [&](const Box& box, std::size_t) -> std::optional<Obstacle> {
      if (failed_) return Obstacle{};
      std::unique_ptr<Stores>& stores = stores_.local();
      if (!stores) stores = std::make_unique<Stores>();
      return task(box, *stores);
    };
    if (const auto end = each_box(first, jobs_, with_stores, out_.splits); end && !end->why.empty())
      fail(end->why, side);
  }

  void fail(const std::string& message, std::optional<Side> side) {
    const std::lock_guard lock(mutex_);
    if (!failed_.exchange(true))
      out_.reason = {}, out_.reason.code = ReasonCode::address_unresolved, out_.reason.message = message,
      out_.reason.side = side;
  }

  void fail(const Reason& reason) {
    const std::lock_guard lock(mutex_);
    if (!failed_.exchange(true)) out_.reason = reason;
  }

  // The problem as a launch sees it: earlier launches may have left anything where they write, so that nothing that
  // is known of the contents before the first counts (SOUNDNESS rule 6).
  Setup seen_by(Side side, std::size_t launch) {
    Setup seen = setup_;
    for (std::size_t k = 0; k < launch; ++k)
      for (const auto& [id, written] : chain(side)[k].written) {
        sym::Object& object = seen.world.objects[id];
        object.contents = sym::Contents::input;
        object.bytes.clear(), object.addresses.clear();
        seen.unknown.insert(id);
      }
    return seen;
  }

  // Each launch by itself: no fault, no trap, no byte that two of its units touch and one writes (SOUNDNESS rule 18).
  void sweep(Side side, std::size_t k) {
    SweptLaunch& launch = chain(side).emplace_back();
    launch.setup = seen_by(side, k);
    const sym::Shape& shape = side_of(setup_, side).shapes[k];
    const bool threads = units_of(side_of(setup_, side), k) == Units::threads;
    sweep_boxes({threads ? all_threads(shape) : all_blocks(shape)}, side, [&](const Box& box, Stores& stores) {
      Group group(launch.setup, options_, {}, stores.results);
      BoxWork work;
      work.box = &box, work.driver = side, work.launch = k;
      BoxOutcome outcome = group.execute(work);
      if (outcome.cut) return std::optional(Obstacle{outcome.cut, outcome.why});
      group.decide();
      take_alone(box, std::move(group.result), std::move(outcome), side, launch);
      return std::optional<Obstacle>();
    });
    if (!failed_) settle_reach(side, launch);
  }

  void take_alone(const Box& box, GroupResult result, BoxOutcome outcome, Side side, SweptLaunch& to) {
    if (!result.reasons.empty()) return fail(result.reasons.front());
    if (!result.invalid.empty()) return fail(result.invalid.front().finding.message, side);
    if (result.unfinished || outcome.trapped) return fail("a launch may not run to its end", side);
    if (!outcome.reach.overlapping.empty())
      return fail(fmt::format("where blocks differ in what they access of {} is not followed",
                              setup_.world[outcome.reach.overlapping.front()].name),
                  side);
    const std::lock_guard lock(mutex_);
    to.boxes.push_back(box);
    for (Piece& p : outcome.pieces) {
      p.box = to.boxes.size() - 1;
      unsigned& granule = to.granule.try_emplace(p.object, p.size).first->second;
      granule = std::min(granule, p.size);
      to.pieces.push_back(std::move(p));
    }
    append(to.reach.writes, outcome.reach.writes, to.boxes.size() - 1);
    append(to.reach.reads, outcome.reach.reads, to.boxes.size() - 1);
    out_.results.push_back(std::move(result));
  }

  void settle_reach(Side side, SweptLaunch& launch) {
    for (const auto& [id, sections] : launch.reach.writes) {
      auto all = separate_bytes(sections);
      const auto reads = launch.reach.reads.find(id);
      if (!all || (reads != launch.reach.reads.end() && meet(sections, reads->second)))
        return fail(fmt::format("two blocks or threads may touch the same bytes of {}", setup_.world[id].name), side);
      launch.written[id] = std::move(*all);
    }
  }

  bool compared(ObjectId id) const {
    return std::find(setup_.compared.begin(), setup_.compared.end(), id) != setup_.compared.end();
  }

  void expect_same_bytes() {
    std::map<Side, std::map<ObjectId, std::vector<Interval>>> written;
    for (const Side side : {Side::a, Side::ref})
      for (const SweptLaunch& launch : chain(side))
        for (const auto& [id, all] : launch.written)
          if (compared(id)) written[side][id] = united(written[side][id], all);
    if (written[Side::a] != written[Side::ref]) fail("the sides write different bytes", {});
  }

  bool writes_more(const SweptLaunch& launch, const std::map<ObjectId, std::vector<Interval>>& driven) const {
    return std::any_of(launch.written.begin(), launch.written.end(), [&](const auto& w) {
      const auto known = driven.find(w.first);
      return compared(w.first) && (known == driven.end() || !without(w.second, known->second).empty());
    });
  }

  // The side whose last launch has the larger units, so that each stands for whole ones of the other.
  Side led_by() const {
    const auto last = [&](Side side) { return side_of(setup_, side).programs.size() - 1; };
    const auto kind = [&](Side side) { return units_of(side_of(setup_, side), last(side)); };
    if (kind(Side::a) != kind(Side::ref)) return kind(Side::a) == Units::blocks ? Side::a : Side::ref;
    const auto units = [&](Side side) {
      const sym::Shape& shape = side_of(setup_, side).shapes[last(side)];
      return shape.blocks() * (kind(side) == Units::threads ? shape.threads() : 1);
    };
    return units(Side::a) <= units(Side::ref) ? Side::a : Side::ref;
  }

  // Compares what one launch of the driver writes, as all launches leave it, over the boxes of its sweep.
  void drive(std::size_t k) {
    Sections driven;
    const SweptLaunch& launch = chain(driver_)[k];
    sweep_boxes(launch.boxes, driver_,
                [&](const Box& box, Stores& stores) { return drive_box(box, k, stores, driven); });
    if (failed_) return;
    for (const auto& [id, written] : launch.written)  // by the boxes of the sweep and by those driven
      if (compared(id) && separate_bytes(driven[id]) != written) fail("not all bytes were compared", driver_);
  }

  std::optional<Obstacle> drive_box(const Box& box, std::size_t k, Stores& stores, Sections& driven) {
    const Side follower = driver_ == Side::a ? Side::ref : Side::a;
    ChainRest of_driver(chain(driver_), driver_, box, options_, stores.scratch),
        of_follower(chain(follower), follower, box, options_, stores.scratch);
    of_driver.add(k, {box.block, box.thread});
    Places places = of_driver.foreseen(k).writes;
    std::erase_if(places, [&](const auto& p) { return !compared(p.first.first); });
    for (ChainRest* rest : {&of_driver, &of_follower}) {
      if (!of_driver.obstacle()) rest->require(chain(rest == &of_driver ? driver_ : follower).size(), places);
      if (!of_driver.obstacle()) rest->close();
      if (rest->obstacle()) return rest->obstacle();
    }
    Group group(setup_, options_, {}, stores.results);
    BoxWork work;
    work.box = &box, work.driver = driver_, work.launch = k, work.chained = true;
    group.begin(work);
    for (auto [side, rest] : {std::pair{driver_, &of_driver}, std::pair{follower, &of_follower}})
      if (auto obstacle = run_chain(group, side, *rest, places)) return obstacle;
    group.compare_at(places);
    group.decide();
    const std::lock_guard lock(mutex_);
    for (const auto& [view, list] : places) driven[view.first].push_back(section(list, view.second, box.symbols));
    take(std::move(group.result));
    return std::nullopt;
  }

  // The units of each launch on one memory, and whether what they read, and what lies at the places in the end, is
  // what the launches leave there.
  std::optional<Obstacle> run_chain(Group& group, Side side, ChainRest& rest, const Places& places) {
    const std::size_t launches = chain(side).size();
    std::vector<Places> written(launches);
    for (std::size_t k = 0; k < launches; ++k) {
      if (rest.units(k).empty()) continue;
      if (!group.run_launch(side, k, rest.units(k)))
        return Obstacle{group.cut_wanted(side), group.stopped(side).message};
      if (group.trapped(side)) return Obstacle{std::nullopt, "a launch may not run to its end"};
      Accesses seen = group.accesses(side);
      // Views that the launch's own sweep has not told apart could overlap.
      if (k > 0 && (!without(seen.writes, rest.foreseen(k).writes).empty() ||
                    !without(seen.reads, rest.foreseen(k).reads).empty()))
        return Obstacle{std::nullopt, "where a launch reads or writes depends on what an earlier one wrote"};
      if (!settled(rest, seen.reads, k, written))
        return Obstacle{std::nullopt, "who wrote what a launch reads was not found"};
      written[k] = std::move(seen.writes);
    }
    if (!settled(rest, places, launches, written)) return Obstacle{std::nullopt, "who writes some bytes was not found"};
    return std::nullopt;
  }

  // Does memory hold at the places what the launches before `before` leave there? Each byte has to have been written
  // by the last of them that can write it: what that one kept of earlier contents counts as read by it.
  static bool settled(const ChainRest& rest, Places places, std::size_t before, const std::vector<Places>& written) {
    for (std::size_t k = before; k-- > 0;) {
      places = without(places, written[k]);
      for (const auto& [view, list] : places)
        if (rest.may_write(k, view, list)) return false;
    }
    return true;
  }

  void take(GroupResult result) {  // under the lock
    ++out_.boxes;
    found_ |= result.refutation.has_value();
    const bool open = !result.invalid.empty() || (!result.refutation && (!result.reasons.empty() || result.unfinished));
    if (open && !failed_.exchange(true)) {
      out_.reason = {}, out_.reason.code = ReasonCode::unspecified_result;
      out_.reason.message = "a result may depend on a value that nobody wrote";
      if (!result.reasons.empty()) out_.reason = result.reasons.front();
    }
    out_.results.push_back(std::move(result));
  }

  const Setup& setup_;
  GroupOptions options_;
  unsigned jobs_;
  Side driver_ = Side::a;
  Chain a_, ref_;
  tbb::enumerable_thread_specific<std::unique_ptr<Stores>> stores_;
  std::mutex mutex_;
  std::atomic<bool> failed_ = false;
  bool found_ = false;
  GridResult out_;
};

}  // namespace

bool suits_chain(const Setup& setup) {
  std::uint64_t largest_grid = 0;
  for (const PreparedSide* side : {&setup.a, &setup.ref}) {
    if (side->programs.empty()) return false;
    for (const sym::Shape& shape : side->shapes) largest_grid = std::max(largest_grid, shape.blocks());
  }
  return setup.a.programs.size() + setup.ref.programs.size() > 2 && largest_grid > 1;
}

GridResult prove_chain(const Setup& setup, const GroupOptions& options) { return ChainProof(setup, options).run(); }

}  // namespace ptxeq::check
