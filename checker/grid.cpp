#include "checker/grid.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "checker/box_sweep.h"
#include "checker/grid_diagnose.h"

namespace ptxeq::check {
namespace {

constexpr std::size_t first_boxes = 64;  // whose writes the other side does not have, before a look at what all write

class GridProof {
 public:
  GridProof(const Setup& setup, const GroupOptions& options, Deadline last)
      : setup_(setup), options_(options), last_(last) {}

  GridResult run() {
    const Side driver = leader(), follower = driver == Side::a ? Side::ref : Side::a;

    const Swept of_follower = told(sweep(follower, nullptr));
    // A fault of the reference is told before one of the other kernel (rule 2).
    if (faulty_ && follower == Side::a) told(sweep(driver, nullptr));
    if (failed_ || faulty_) return finish();
    Round matched = sweep(driver, &of_follower);
    const bool unmatched = matched.unmatched;
    if (unmatched && !matched.faulty) {  // its own bytes may say why
      if (matched.found) matched.undecided.reset(), told(std::move(matched));
      patient_ = true;
      matched = sweep(driver, nullptr);
    }
    out_.boxes = matched.results.size();
    Swept of_driver = told(std::move(matched));
    if (failed_ || faulty_) return finish();
    const Swept &of_a = driver == Side::a ? of_driver : of_follower,
                &of_ref = driver == Side::a ? of_follower : of_driver;
    GroupOptions of_blocks = options_;
    of_blocks.deadline = last_;
    Diagnosis bytes = diagnose(setup_, of_blocks, of_a, of_ref, !found_);
    if (!bytes.shown.empty()) {
      out_.results = std::move(bytes.shown), out_.shown = found_ = true;
    } else if (found_ ? !bytes.harmless : !bytes.separate || (!bytes.same_bytes && !open())) {
      out_.reason = bytes.reason, failed_ = true;
    } else if (found_) {
      if (!open()) check_places(of_a, of_ref);
    } else {
      if (unmatched) of_driver = told(sweep(driver, &of_follower));
      check_missing(of_driver, of_follower);
      if (!bytes.same_bytes && !failed_ && !found_)  // what the follower alone writes may never come to be written
        check_missing(told(sweep(follower, &of_driver)), of_driver);
    }
    return finish();
  }

 private:
  // What a sweep came to: the boxes in order, up to the first with a fault, which is an answer by itself.
  struct Round {
    Swept swept;
    std::vector<GroupResult> results;
    std::vector<Split> splits;
    std::optional<Reason> undecided;
    bool found = false, faulty = false;  // a difference or a fault; a fault
    bool only_bits = false;              // a difference in bits alone: others may say more
    bool unmatched = false;              // the sides do not match in some boxes and some time
    bool strides = false;                // some box has a loop over steps of the whole launch
  };

  Swept told(Round round) {
    std::ranges::move(round.results, std::back_inserter(out_.results));
    std::ranges::move(round.splits, std::back_inserter(out_.splits));
    found_ |= round.found, faulty_ |= round.faulty, only_bits_ |= round.only_bits;
    if (round.undecided) out_.reason = *round.undecided, failed_ = true;
    return std::move(round.swept);
  }

  // The side that has fewer units leads: each of them then stands for whole ones of the other side.
  Side leader() const {
    const Units units_a = units_of(setup_.a), units_ref = units_of(setup_.ref);
    if (units_a != units_ref) return units_a == Units::blocks ? Side::a : Side::ref;
    return units_in_all(Side::a) <= units_in_all(Side::ref) ? Side::a : Side::ref;
  }

  Box whole(Side side) const {
    const PreparedSide& s = side == Side::a ? setup_.a : setup_.ref;
    if (is_open(s)) return open_box(setup_, s, options_.by_blocks);
    return units_of(s) == Units::threads ? all_threads(s.shapes[0]) : all_blocks(s.shapes[0]);
  }

  std::uint64_t units_in_all(Side side) const {
    const PreparedSide& s = side == Side::a ? setup_.a : setup_.ref;
    if (is_open(s)) return std::uint64_t(most_threads(setup_, s));
    return s.shapes[0].blocks() * (units_of(s) == Units::threads ? s.shapes[0].threads() : 1);
  }

  // Loops by steps of the whole launch show in a first sweep; what holds of them is found out in one that knows, of all
  // indices at once.
  Round sweep(Side side, const Swept* follower) {
    Round round = sweep_once(side, follower);
    bool& strided = strided_[side == Side::a ? 0 : 1];
    if (!round.strides || strided || round.faulty) return round;
    strided = true;
    round = sweep_once(side, nullptr);
    if (!follower || round.undecided || round.faulty) return round;
    told(std::move(round));
    return sweep_once(side, follower);
  }

  struct Taken {
    GroupResult result;
    std::optional<Reason> undecided;
    bool strides = false;
  };
  struct Sweep {
    Side side = Side::a;
    const Swept* follower = nullptr;
    GroupOptions options;
    Deadline patience;
    Round round;
    std::mutex mutex;  // of what follows and of the round
    std::vector<Taken> taken;
    std::optional<BoxOrder> last;   // the first box with a fault: none after it matters
    std::optional<BoxOrder> doubt;  // the first box that is not decided: after it faults alone matter

    bool matters(const Box& box) {
      const std::lock_guard lock(mutex);
      return !last || order_of(box) <= *last;
    }
    Group::Decide wanted(const Box& box) {
      const std::lock_guard lock(mutex);
      return doubt && order_of(box) > *doubt ? Group::Decide::faults : Group::Decide::all;
    }
  };

  // Every box of a side, cut as its runs ask for, compared with what the other side does there if that is given.
  Round sweep_once(Side side, const Swept* follower) {
    const auto now = std::chrono::steady_clock::now();
    Sweep sweep;
    sweep.side = side, sweep.follower = follower, sweep.options = options_;
    sweep.patience = now + (options_.deadline - now) / 8;
    sweep.options.limits.jobs = 1;
    Round& round = sweep.round;
    const auto task = [&](const Box& box, std::size_t boxes) { return run_box(sweep, box, boxes); };
    const auto end = each_box(whole(side), options_.limits.jobs, task, round.splits);
    const auto beyond = [&](const auto& r) { return sweep.last && r.at > *sweep.last; };
    std::ranges::stable_sort(sweep.taken, {}, [](const Taken& t) { return t.result.at; });
    for (Taken& t : sweep.taken) {
      if (beyond(t.result)) break;
      round.faulty |= !t.result.invalid.empty();
      round.found |= round.faulty || (t.result.refutation && !t.result.refutation->only_bits);
      round.only_bits |= t.result.refutation && t.result.refutation->only_bits;
      round.strides |= t.strides;
      if (t.undecided && !round.undecided) round.undecided = std::move(t.undecided);
      round.results.push_back(std::move(t.result));
    }
    std::erase_if(round.splits, beyond);
    if (end) round.unmatched = end->unmatched;
    if (end && !round.undecided) round.undecided = undecided(end->why, side);
    return std::move(round);
  }

  std::optional<Obstacle> run_box(Sweep& sweep, const Box& box, std::size_t boxes) {
    if (!sweep.matters(box)) return std::nullopt;
    std::unique_ptr<sym::TermStore>& store = stores_.local();
    if (!store) store = std::make_unique<sym::TermStore>();
    const auto group = std::make_shared<Group>(setup_, sweep.options, Blocks{}, *store);
    BoxWork work;
    work.box = &box, work.driver = sweep.side, work.strided = strided_;
    if (sweep.follower) work.follower_boxes = &sweep.follower->boxes, work.follower_pieces = &sweep.follower->pieces;
    BoxOutcome outcome = group->execute(work);
    if (outcome.cut) return obstacle(sweep, group, outcome, boxes);
    group->decide(sweep.wanted(box));
    take(sweep, box, std::move(group->result), std::move(outcome));
    return std::nullopt;
  }

  // The same for a part of the box that the group has run so far. Another end than a proof is no answer: run from the
  // start, the part may know more.
  std::optional<Obstacle> go_on(Sweep& sweep, const std::shared_ptr<Group>& group, const Box& part, std::size_t boxes) {
    if (!sweep.matters(part)) return std::nullopt;
    BoxOutcome outcome = group->go_on(part);
    if (outcome.cut) return obstacle(sweep, group, outcome, boxes);
    group->decide(sweep.wanted(part));
    if (!clean(group->result, outcome)) return run_box(sweep, part, boxes);
    take(sweep, part, std::move(group->result), std::move(outcome));
    return std::nullopt;
  }

  Obstacle obstacle(Sweep& sweep, const std::shared_ptr<Group>& group, const BoxOutcome& outcome, std::size_t boxes) {
    const bool late = boxes > first_boxes || std::chrono::steady_clock::now() > sweep.patience;
    if (outcome.uncovered && !patient_ && late) return {std::nullopt, "the sides do not match in " + outcome.why, true};
    Obstacle out{outcome.cut, outcome.why, outcome.uncovered};
    if (group->can_go_on() && !options_.anew)
      out.go_on = [this, &sweep, group](const Box& part, std::size_t n) { return go_on(sweep, group, part, n); };
    return out;
  }

  static bool clean(const GroupResult& r, const BoxOutcome& o) {
    return r.invalid.empty() && !r.refutation && r.reasons.empty() && !r.unfinished && !o.trapped &&
           o.reach.overlapping.empty() && o.missing.empty();
  }

  static Reason undecided(std::string message, std::optional<Side> side,
                          ReasonCode code = ReasonCode::address_unresolved) {
    Reason reason;
    reason.code = code, reason.message = std::move(message), reason.side = side;
    return reason;
  }
  void fail(std::string message, Side side) { out_.reason = undecided(std::move(message), side), failed_ = true; }

  // Why the box is no proof, if it is none for another reason than a difference or a fault.
  std::optional<Reason> doubt(const GroupResult& result, const BoxOutcome& outcome) const {
    if (!outcome.reach.overlapping.empty())
      return undecided("where blocks differ in what they access of " +
                           setup_.world[outcome.reach.overlapping.front()].name + " is not followed",
                       std::nullopt);
    // A unit that traps may write nothing, and so be matched by none of the other side.
    if (outcome.trapped) return undecided("a block may trap", std::nullopt, ReasonCode::unsupported);
    if (!result.invalid.empty() || result.refutation) return std::nullopt;
    if (!result.reasons.empty()) return result.reasons.front();
    return result.unfinished ? std::optional(Reason{}) : std::nullopt;
  }

  void take(Sweep& sweep, const Box& box, GroupResult result, BoxOutcome outcome) {
    auto undecided = doubt(result, outcome);
    const std::lock_guard lock(sweep.mutex);
    const auto note = [&](std::optional<BoxOrder>& first) { first = std::min(first.value_or(result.at), result.at); };
    if (!result.invalid.empty()) note(sweep.last);
    if (undecided) note(sweep.doubt);
    Swept& to = sweep.round.swept;
    to.boxes.push_back(box);
    for (Piece& p : outcome.pieces) {
      p.box = to.boxes.size() - 1;
      to.pieces.push_back(std::move(p));
    }
    append(to.reach.writes, outcome.reach.writes, to.boxes.size() - 1);
    append(to.reach.reads, outcome.reach.reads, to.boxes.size() - 1);
    append(to.missing, outcome.missing, to.boxes.size() - 1);
    to.reach.reads_back |= outcome.reach.reads_back, to.reach.traps |= outcome.reach.traps;
    sweep.taken.push_back({std::move(result), std::move(undecided), outcome.strides});
  }

  bool open() const { return is_open(setup_); }

  void check_missing(const Swept& driver, const Swept& follower) {
    if (!failed_ && !nobody_writes(follower, driver.missing)) fail("who writes some bytes was not found", Side::a);
  }

  // A refutation that names no block of a side rests on nobody of that side writing the bytes.
  void check_places(const Swept& a, const Swept& ref) {
    for (const GroupResult& r : out_.results) {
      if (!r.refutation || !r.refutation->partial) continue;
      if (a.reach.traps && ref.reach.traps) return fail("both sides may trap elsewhere", Side::a);
      for (const Side side : {Side::a, Side::ref}) {
        if (!(side == Side::a ? r.refutation->blocks_a : r.refutation->blocks_ref).empty()) continue;
        for (unsigned k = 0; k < r.refutation->size; ++k)
          if (!nobody_writes(side == Side::a ? a : ref, r.refutation->object, std::int64_t(r.refutation->offset) + k))
            return fail("who writes some bytes was not found", side);
      }
    }
  }

  GridResult finish() {
    const bool found = faulty_ || (!failed_ && (found_ || only_bits_));
    out_.answer = found     ? GridResult::Answer::found
                  : failed_ ? GridResult::Answer::undecided
                            : GridResult::Answer::proved;
    return std::move(out_);
  }

  const Setup& setup_;
  const GroupOptions& options_;
  const Deadline last_;
  tbb::enumerable_thread_specific<std::unique_ptr<sym::TermStore>> stores_;
  bool failed_ = false, found_ = false, faulty_ = false, only_bits_ = false;
  std::array<bool, 2> strided_{};
  bool patient_ = false;  // all boxes and time may be used for matching
  GridResult out_;
};

bool of_threads_in_a_row(const PreparedSide& side) {
  const Launch& l = side.problem->launches[0];
  const bool flat = l.grid[1] == 1 && l.grid[2] == 1 && l.block[1] == 1 && l.block[2] == 1;
  return flat && units_of(side) == Units::threads;
}

}  // namespace

bool suits_grid(const Setup& setup) {
  if (setup.a.programs.size() != 1 || setup.ref.programs.size() != 1) return false;
  for (const PreparedSide* side : {&setup.a, &setup.ref})
    if (is_open(*side)) return true;
  return setup.a.shapes[0].blocks() > 1 || setup.ref.shapes[0].blocks() > 1;
}

bool suits_open(const Setup& setup) {
  for (const PreparedSide* side : {&setup.a, &setup.ref})
    if (side->programs.size() != 1 || (is_open(*side) && !of_threads_in_a_row(*side))) return false;
  return true;
}

bool look_by_index(Setup& setup) {
  if (setup.a.programs.size() != 1 || setup.ref.programs.size() != 1) return false;
  for (PreparedSide* side : {&setup.a, &setup.ref})
    side->by_index = !is_open(*side) && of_threads_in_a_row(*side) && loops(*side) &&
                     !free_integers(*setup.problem, *side->problem).empty();
  return setup.a.by_index || setup.ref.by_index;
}

GridResult prove_grid(const Setup& setup, const GroupOptions& options, Deadline last) {
  return GridProof(setup, options, last).run();
}

}  // namespace ptxeq::check
