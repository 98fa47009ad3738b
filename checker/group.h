// One proof context: some blocks of each side, run in one store of terms and compared.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/compare.h"
#include "checker/footprint.h"

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
};

struct Blocks {  // linear numbers; nullptr: all of every launch
  const std::vector<std::uint32_t>* a = nullptr;
  const std::vector<std::uint32_t>* ref = nullptr;
};

struct Invalid {
  Side side = Side::a;
  Finding finding;
};

struct GroupOptions {
  Limits limits;
  Deadline deadline;
  std::uint32_t terms = 0;  // most terms
  bool only_a = false;      // there is no reference
};

struct GroupResult {
  std::vector<Invalid> invalid;
  std::optional<Refutation> refutation;
  std::vector<Reason> reasons;  // why it is not decided, the weightiest first
  Evidence evidence;
  Footprint footprint_a, footprint_ref;
  std::vector<Finding> findings;  // warnings and notes
  std::set<std::string> approximations;
  bool unfinished = false;  // a run did not end, or may have ended in a fault: a difference would be no answer
  bool same_cells = true, contraction = false, writes_a = false, writes_ref = false;
  std::uint64_t instructions = 0;
  std::map<std::string, double> cost;
};

class Group {
 public:
  // Clears the store and works in it.
  Group(const Setup& setup, const GroupOptions& options, const Blocks& blocks, sym::TermStore& store);
  // Runs both sides (the reference first) and compares them; obligations are not looked at yet.
  void execute();
  // Decides what is left, and what the runs found. `result` is complete then.
  void decide();

  std::uint32_t terms() const { return store_.size(); }
  GroupResult result;

 private:
  void run(const PreparedSide& side, sym::SideState& state, const std::vector<std::uint32_t>* blocks, Side name);
  void settle_faults(const PreparedSide& side, sym::SideState& state, Side name);
  void settle_doubtful(const Mismatch& m);
  void settle_obligations();
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
};

// A value that the leaf may have, zero where that is one.
std::uint64_t default_value(const LeafDomain& domain, unsigned width);

// The finding of a race with both its accesses, found by running the side again with an eye on the byte.
Finding race_finding(const Setup& setup, const PreparedSide& side, const sym::MachineOptions& options,
                     const sym::SideState& state, const std::vector<std::uint32_t>* blocks, std::uint32_t terms);

}  // namespace ptxeq::check
