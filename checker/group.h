// One proof context: some blocks of each side, run in one store of terms and compared.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/compare.h"
#include "checker/footprint.h"
#include "checker/match.h"
#include "checker/open_launch.h"
#include "checker/possibility.h"
#include "checker/section.h"

namespace ptxeq::check {

// A concrete input, as far as it matters: element bits by (object, index), 8-byte pieces of scalars by (scalar, piece).
struct InputModel {
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> elements, scalars;
};

// The bytes where a difference shows, and an input under which it does.
struct Refutation {
  sym::ObjectId object = 0;
  std::uint64_t offset = 0;
  unsigned size = 0;
  bool trap = false;       // one side traps
  bool only_bits = false;  // the same over the reals, or not known to differ there
  InputModel input;
  // Found for many blocks at once: the ones that write these bytes, by linear number, if any. Else all have to be run.
  bool partial = false;
  std::vector<std::uint64_t> blocks_a, blocks_ref;
  std::array<std::int64_t, 2> threads{};            // of a and ref, where the launch is not fixed
  std::vector<BlockList> launches_a, launches_ref;  // the same by launch, where a side has several
};

// What a run of units of a kernel is: its blocks, all lanes together; or, where threads do not wait for each other and
// share nothing, its threads.
enum class Units : std::uint8_t { blocks, threads };
Units units_of(const PreparedSide& side, std::size_t launch = 0);
bool loops(const PreparedSide& side, std::size_t launch = 0);

// One part of a launch run with launch symbols: the driver's box, and what the follower writes where.
struct BoxWork {
  const Box* box = nullptr;
  Side driver = Side::a;
  const std::vector<Box>* follower_boxes = nullptr;  // empty: only the driver is run
  const std::vector<Piece>* follower_pieces = nullptr;
  std::array<bool, 2> strided{};  // by side: every index is visited, by a loop over steps of the whole launch
  std::size_t launch = 0;         // of the driver
  bool chained = false;           // launches are run one after the other (launch_chain.h)
  bool alone() const { return !follower_boxes && !chained; }
};
struct BoxOutcome {
  std::optional<sym::Cut> cut;  // the box has to be taken apart, nothing else holds then
  std::string why;              // the cut's reason: place and instruction
  Reach reach;                  // of the driver
  std::vector<Piece> pieces;    // of the driver
  bool strides = false;         // the driver has a loop over steps of the whole launch
  bool uncovered = false;       // the driver writes what no unit of the follower is found to write
  Sections missing;             // those bytes: compared with what was there before
  bool trapped = false;         // run alone: some thread may trap
};

struct Blocks {  // linear numbers; nullptr: all of every launch
  const BlockList* a = nullptr;
  const BlockList* ref = nullptr;
};

struct Invalid {
  Side side = Side::a;
  Finding finding;
  std::optional<std::uint64_t> block = {};  // found for many blocks at once: one where it should show, linear
  InputModel input = {};                    // and where the launch is not fixed, for which
  std::array<std::int64_t, 2> threads = {};
};

struct Bytes {
  sym::ObjectId object = 0;
  std::int64_t begin = 0, end = 0;
};

struct GroupOptions {
  Limits limits;
  Deadline deadline;
  std::uint32_t terms = 0;    // most terms
  bool by_blocks = false;     // open launches: see open_box
  bool summarise = false;     // loops whose count depends on scalars are functions of their first state
  bool anew = false;          // every box is run from the start, none goes on with the run of a wider one
  bool only_a = false;        // there is no reference
  std::optional<Bytes> only;  // no other bytes are compared
};

struct GroupResult {
  BoxOrder at{};  // the box that was run, if one was
  std::vector<Invalid> invalid;
  std::optional<Refutation> refutation;
  std::vector<Reason> reasons;  // why it is not decided, the weightiest first
  Evidence evidence;
  Footprint footprint_a, footprint_ref;
  std::vector<Finding> findings;  // warnings and notes
  std::set<std::string> approximations;
  bool unfinished = false;  // a run did not end, or may have ended in a fault: a difference would be no answer
  bool same_cells = true, contraction = false, writes_a = false, writes_ref = false;
  unsigned summarised_loops = 0;
  std::uint64_t instructions = 0;
  std::map<std::string, double> cost;
};

class Group {
 public:
  // Clears the store and works in it.
  Group(const Setup& setup, const GroupOptions& options, const Blocks& blocks, sym::TermStore& store);
  // Runs both sides (the reference first) and compares them; obligations are not looked at yet.
  void execute();
  // The same for a box of units, which has to be taken apart where `outcome.cut` says so.
  BoxOutcome execute(const BoxWork& work);
  // Is the driver's run stopped where it can go on in a part of its box that has all the box's symbols?
  bool can_go_on() const;
  // Goes on there. What was found out for the box holds for the part (SOUNDNESS rule 6), though a run from the start
  // may find out more: where the end is no clean one, that is what counts.
  BoxOutcome go_on(const Box& part);
  // The same step by step: launches one after the other on one memory, then a comparison of the places.
  void begin(const BoxWork& work);
  bool run_launch(Side name, std::size_t launch, const std::vector<Mapped>& units);  // false: stopped
  Accesses accesses(Side name);                                                      // of the side's last launch
  void compare_at(const Places& places);
  const sym::Stop& stopped(Side name) const { return (name == Side::a ? a_ : ref_).stop; }
  bool trapped(Side name) const { return (name == Side::a ? a_ : ref_).trapped != 0; }
  std::optional<sym::Cut> cut_wanted(Side name) const;  // where that is why it stopped
  // Decides what is left, and what the runs found. `result` is complete then. Faults alone: where it is no proof
  // anyway.
  enum class Decide : std::uint8_t { all, faults };
  void decide(Decide what = Decide::all);

  std::uint32_t terms() const { return store_.size(); }
  GroupResult result;

 private:
  sym::MachineOptions machine_options(Possibilities& possibilities) const;
  void finish_run(const PreparedSide& side, sym::SideState& state, Side name);
  void expect_unwritten(sym::SideState& state) const;
  void run_threads(Side name, std::size_t launch, const std::vector<Mapped>& units);
  sym::ThreadId thread_id(Side name, std::size_t launch, const Mapped& unit);
  void settle_strides(Side name);
  void settle_known();
  bool speaks_of_launch(sym::Term t, Side name) const;
  bool rests_on_former(sym::Term t) const;
  void settle_shared(const Mismatch& m);
  bool exists(Side name, const Mapped& unit) const;
  bool strided(Side name) const { return box_ && box_->strided[name == Side::a ? 0 : 1]; }
  std::array<std::int64_t, 2> threads_at(const std::unordered_map<sym::Term, sym::u64>& model) const;
  sym::Term known(sym::Term condition);
  struct Run {  // of the units that were run last
    Run(const Group& group, const PreparedSide& side, std::size_t launch, sym::SideState& state,
        sym::SymbolicDomain& domain);
    Possibilities possibilities;
    sym::MachineOptions options;
    sym::Machine machine;
  };
  void run_units(Side name, std::size_t launch, const std::vector<Mapped>& units);
  BoxOutcome conclude();
  void note_cost(Side name, std::chrono::steady_clock::time_point since);
  void expect_one_view_each(Side name);
  bool cut_found(Side name, BoxOutcome& out);
  std::vector<Mapped> followers(Side driver, Matcher& matcher, BoxOutcome& out);
  std::vector<Piece> pieces(Side name);
  const PreparedSide& prepared(Side name) const { return name == Side::a ? setup_.a : setup_.ref; }
  sym::SideState& state(Side name) { return name == Side::a ? a_ : ref_; }
  LeafDomain launch_domain(const sym::Leaf& leaf) const;
  std::optional<std::uint64_t> block_of(Side name, const std::unordered_map<sym::Term, sym::u64>& model) const;
  std::vector<std::int64_t> point_of(const std::unordered_map<sym::Term, sym::u64>& model) const;
  std::int64_t at_point(sym::Tag form, const std::vector<std::int64_t>& point) const;
  std::vector<BlockList> blocks_run(Side name, const std::vector<std::int64_t>& point) const;
  void place(Refutation& r, const Mismatch& m, const std::unordered_map<sym::Term, sym::u64>& model);
  void run(const PreparedSide& side, sym::SideState& state, const BlockList* blocks, Side name);
  void settle_faults(const PreparedSide& side, sym::SideState& state, Side name);
  void settle_doubtful(const Mismatch& m);
  struct Questions {
    std::vector<Obligation> obligations;
    std::vector<const Mismatch*> of;  // nullptr: whether a thread traps
  };
  Questions pose_questions();
  void settle_rest(bool alone);
  void settle_obligations();
  void blame_undefined(const Questions& questions, const std::vector<Decision>& decisions);
  bool refuted_however_fused(const Obligation& o, const Decision& d);
  Refutation refutation(const Obligation& o, const Mismatch* m, const Decision& d);
  void doubt(const Obligation& o, const Mismatch* m, ReasonCode why);
  bool rests_on_address(const Obligation& o) const;
  bool looking(std::size_t looks) const;
  void take(const Questions& questions, const std::vector<Decision>& decisions);
  bool holds_loop(sym::Term t) const;
  void settle_loops(std::vector<Obligation>& obligations, std::vector<const Mismatch*>& of);
  std::vector<Obligation> by_condition(const Obligation& o);
  std::function<sym::u64(sym::Term)> leaf_bits(const Decision& d) const;
  bool depends_on_undefined(sym::Term t) const;
  Finding uninitialised(const PreparedSide& side, sym::SideState& state, sym::Term t, const Mismatch& m) const;
  InputModel model_of(const std::unordered_map<sym::Term, sym::u64>& model) const;
  std::string describe(const InputModel& input) const;
  void stage(std::string what) const;
  void note_doubt(ReasonCode code, std::string message, std::optional<Side> side = {});
  DischargeOptions discharge_options() const;

  const Setup& setup_;
  const GroupOptions& options_;
  Blocks blocks_;
  LeafDomains domains_;
  sym::TermStore& store_;
  sym::SymbolicDomain domain_;
  sym::SideState a_, ref_;
  Comparison comparison_;
  std::optional<OpenLaunches> open_;  // of one whose launch is not fixed
  std::optional<BoxWork> box_;        // of a run with launch symbols
  std::unique_ptr<Run> run_;
  std::map<Side, std::vector<std::vector<Mapped>>> ran_;  // units by launch, where launches are run one by one
};

// Does the unit lie inside the launch wherever the box's symbols are?
bool within_launch(const sym::Shape& shape, const Box& box, const Mapped& unit);
// Tells units apart: the same numbers as sums over the same symbols.
std::vector<std::int64_t> key_of(const Mapped& m, bool threads);

// A value that the leaf may have, zero where that is one.
std::uint64_t default_value(const LeafDomain& domain, unsigned width);

// The finding of a race with both its accesses, found by running the side again with an eye on the byte.
Finding race_finding(const Setup& setup, const PreparedSide& side, const sym::MachineOptions& options,
                     const sym::SideState& state, const BlockList* blocks, std::uint32_t terms);

}  // namespace ptxeq::check
