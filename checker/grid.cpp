#include "checker/grid.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for_each.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

namespace ptxeq::check {
namespace {

constexpr std::size_t most_boxes = 1024;

class GridProof {
 public:
  GridProof(const Setup& setup, const GroupOptions& options) : setup_(setup), options_(options) {}

  GridResult run() {
    // The side that has fewer units leads: each of them then stands for whole ones of the other side.
    const Units units_a = units_of(setup_.a), units_ref = units_of(setup_.ref);
    Side driver = Side::a;
    if (units_a != units_ref)
      driver = units_a == Units::blocks ? Side::a : Side::ref;
    else
      driver = units_in_all(Side::a) <= units_in_all(Side::ref) ? Side::a : Side::ref;
    const Side follower = driver == Side::a ? Side::ref : Side::a;

    const Swept of_follower = sweep(follower, nullptr);
    // A fault of the reference is told before one of the other kernel (rule 2).
    if (faulty_ && follower == Side::a) sweep(driver, nullptr);
    if (failed_ || faulty_) return finish();
    const Swept of_driver = sweep(driver, &of_follower);
    out_.boxes = of_driver.boxes.size();
    if (failed_ || faulty_) return finish();
    settle_reach(driver, of_driver.reach, follower, of_follower.reach);
    if (failed_ && out_.disjoint && !found_) {  // what the follower alone writes is a difference
      failed_ = false;
      sweep(follower, &of_driver);
      failed_ |= !found_;
    }
    check_places();
    return finish();
  }

 private:
  Box whole(Side side) const {
    const PreparedSide& s = side == Side::a ? setup_.a : setup_.ref;
    return units_of(s) == Units::threads ? all_threads(s.shapes[0]) : all_blocks(s.shapes[0]);
  }

  std::uint64_t units_in_all(Side side) const {
    const PreparedSide& s = side == Side::a ? setup_.a : setup_.ref;
    return s.shapes[0].blocks() * (units_of(s) == Units::threads ? s.shapes[0].threads() : 1);
  }

  struct Swept {
    std::vector<Box> boxes;
    std::vector<Piece> pieces;
    Reach reach;
  };

  // Every box of a side, cut as its runs ask for, compared with what the other side does there if that is given.
  Swept sweep(Side side, const Swept* follower) {
    Swept out;
    tbb::task_arena arena(int(std::max(1u, options_.limits.jobs)));
    GroupOptions options = options_;
    options.limits.jobs = 1;
    std::atomic<bool> stop = false;
    std::atomic<std::size_t> boxes = 1;
    arena.execute([&] {
      const std::vector<Box> first{whole(side)};
      tbb::parallel_for_each(first.begin(), first.end(), [&](const Box& box, tbb::feeder<Box>& feeder) {
        if (stop) return;
        std::unique_ptr<sym::TermStore>& store = stores_.local();
        if (!store) store = std::make_unique<sym::TermStore>();
        Group group(setup_, options, {}, *store);
        BoxWork work;
        work.box = &box, work.driver = side;
        if (follower) work.follower_boxes = &follower->boxes, work.follower_pieces = &follower->pieces;
        BoxOutcome outcome = group.execute(work);
        if (outcome.cut) {
          const std::vector<Box> parts = apart(box, *outcome.cut);
          if (parts.empty() || (boxes += parts.size() - 1) > most_boxes) {
            stop = true;
            fail(parts.empty() ? "a block cannot be told from the others" : "the grid falls into too many boxes", side,
                 outcome.why);
            return;
          }
          note_split(box, *outcome.cut, outcome.why);
          for (const Box& part : parts) feeder.add(part);
          return;
        }
        group.decide();
        if (!take(box, std::move(group.result), std::move(outcome), out)) stop = true;
      });
    });
    return out;
  }

  void note_split(const Box& box, const sym::Cut& cut, const std::string& why) {
    const std::lock_guard lock(mutex_);
    const std::string& name = box.symbols[cut.symbol].name;
    out_.splits.push_back(cut.kind == sym::Cut::Kind::split ? fmt::format("{} at {} for {}", name, cut.at, why)
                                                            : fmt::format("{} by {} for {}", name, cut.at, why));
  }

  void fail(std::string message, Side side, const std::string& why) {
    const std::lock_guard lock(mutex_);
    out_.reason.code = ReasonCode::address_unresolved;
    out_.reason.message = why.empty() ? message : fmt::format("{} ({})", message, why);
    out_.reason.side = side;
    failed_ = true;
  }

  // False: an answer, or none to be had.
  bool take(const Box& box, GroupResult result, BoxOutcome outcome, Swept& to) {
    const std::lock_guard lock(mutex_);
    faulty_ |= !result.invalid.empty();
    found_ |= faulty_ || result.refutation;
    if (result.invalid.empty() && !result.refutation && (!result.reasons.empty() || result.unfinished)) {
      failed_ = true;
      if (!result.reasons.empty()) out_.reason = result.reasons.front();
    }
    if (outcome.trapped) {  // a unit that traps may write nothing, and so be matched by none of the other side
      failed_ = true;
      out_.reason.code = ReasonCode::unsupported, out_.reason.message = "a block may trap";
    }
    if (!outcome.reach.overlapping.empty()) {
      failed_ = true;
      out_.reason.code = ReasonCode::address_unresolved;
      out_.reason.message = "where blocks differ in what they access of " +
                            setup_.world[outcome.reach.overlapping.front()].name + " is not followed";
    }
    to.boxes.push_back(box);
    for (Piece& p : outcome.pieces) {
      p.box = to.boxes.size() - 1;
      to.pieces.push_back(std::move(p));
    }
    append(to.reach.writes, outcome.reach.writes);
    append(to.reach.reads, outcome.reach.reads);
    out_.results.push_back(std::move(result));
    return !failed_ && !faulty_;
  }

  // Rule 18 for each side, and that both write the same bytes.
  void settle_reach(Side driver, const Reach& of_driver, Side follower, const Reach& of_follower) {
    for (const auto& [side, reach] : {std::pair{driver, &of_driver}, std::pair{follower, &of_follower}})
      for (const auto& [id, sections] : reach->writes) {
        const Union all = joined(sections);
        bool too_many = all.too_many;
        const auto reads = reach->reads.find(id);
        std::optional<std::int64_t> shared = all.shared;
        if (!shared && !too_many && reads != reach->reads.end()) shared = meeting(all, reads->second, too_many);
        if (shared || too_many)
          return fail(shared ? fmt::format("two blocks or threads may touch {}+{}", setup_.world[id].name, *shared)
                             : "what the blocks write is too scattered",
                      side, "");
        written_[side][id] = all;
      }
    out_.disjoint = true;
    for (const sym::ObjectId id : setup_.compared)
      if (written_[Side::a][id].intervals != written_[Side::ref][id].intervals)
        return fail("the sides write different bytes", driver, "");
  }

  // A refutation that names no block of a side rests on nobody of that side writing the bytes.
  void check_places() {
    for (const GroupResult& r : out_.results) {
      if (!r.refutation || !r.refutation->partial) continue;
      for (const Side side : {Side::a, Side::ref}) {
        if (!(side == Side::a ? r.refutation->blocks_a : r.refutation->blocks_ref).empty()) continue;
        for (const Interval& i : written_[side][r.refutation->object].intervals)
          if (i.begin <= std::int64_t(r.refutation->offset) && std::int64_t(r.refutation->offset) < i.end)
            return fail("who writes some bytes was not found", side, "");
      }
    }
  }

  GridResult finish() {
    out_.answer = failed_  ? GridResult::Answer::undecided
                  : found_ ? GridResult::Answer::found
                           : GridResult::Answer::proved;
    return std::move(out_);
  }

  const Setup& setup_;
  const GroupOptions& options_;
  tbb::enumerable_thread_specific<std::unique_ptr<sym::TermStore>> stores_;
  std::mutex mutex_;
  bool failed_ = false, found_ = false, faulty_ = false;
  std::map<Side, std::map<sym::ObjectId, Union>> written_;
  GridResult out_;
};

}  // namespace

bool suits_grid(const Setup& setup) {
  if (setup.a.programs.size() != 1 || setup.ref.programs.size() != 1) return false;
  return setup.a.shapes[0].blocks() > 1 || setup.ref.shapes[0].blocks() > 1;
}

GridResult prove_grid(const Setup& setup, const GroupOptions& options) { return GridProof(setup, options).run(); }

}  // namespace ptxeq::check
