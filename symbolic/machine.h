// The machine: runs all threads of a block over arrays of lanes. Lanes that part become strands of their own; the
// strand that is furthest behind (by Step::rank) runs first, and strands that meet are joined. A branch on a term is
// taken both ways, each under its condition, on registers of its own; where the ways meet, values become ite terms.
// Lanes wait at barriers; when nobody can run, a barrier is released by its number (SOUNDNESS rule 17).
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "symbolic/memory.h"
#include "symbolic/program.h"
#include "symbolic/registers.h"

namespace ptxeq::sym {

using Dim3 = std::array<u32, 3>;

struct Shape {
  Dim3 grid{1, 1, 1}, block{1, 1, 1};
  u64 dynamic_shared = 0;
  u64 threads() const { return u64(block[0]) * block[1] * block[2]; }
  u64 blocks() const { return u64(grid[0]) * grid[1] * grid[2]; }
};

// Which thread a lane is: its block and its place there, as numbers or as forms over launch symbols, of 32 bits.
struct ThreadId {
  std::array<Value, 3> block{}, thread{};
  std::array<Value, 3> block_size{}, grid_size{};
  Term exists = 0;  // condition under which there is such a thread; 0: always
};

// A loop over all elements by steps of the whole launch (i = index; i < n; i += threads), of which one pass was run,
// for every index: `head` says when the first pass is reached, `next` when one more is, both over the index's symbols.
struct StrideLoop {
  Term head = 0, next = 0;  // 0: always
};

// A finding that makes the kernel invalid where `condition` holds; 0: always.
struct Fault {
  Term condition = 0;
  Finding finding;
  bool of_any_pass = false;  // the condition speaks of a loop's state that may never come about
};

// One access to a watched byte.
struct Sighting {
  Dim3 block{}, thread{};
  const Program* program = nullptr;
  u32 step = 0;
  bool write = false;
  u32 time = 0;
  u64 offset = 0;
  unsigned size = 0;
};
struct Watch {
  ObjectId object = 0;
  u64 begin = 0, end = 0;  // bytes
  std::vector<Sighting> seen;
};

// What one thread executed, in order, with concrete operands.
struct TraceStep {
  const Program* program = nullptr;
  u32 step = 0;
  std::vector<u64> in, out;
};
struct Trace {
  u32 thread = 0;  // global number
  std::vector<TraceStep> steps;
};

// A conflict between two accesses that nothing orders.
struct Race {
  ObjectId object = 0;
  u64 offset = 0;
  unsigned size = 0;
  u32 first = 0, second = 0;  // global thread numbers
  bool first_writes = false, second_writes = false;
  bool certain = false;  // neither access conditional, no partial synchronisation in between
};

// What one side's run leaves behind; lives over its blocks and launches.
struct SideState {
  explicit SideState(SymbolicDomain& domain, InitialElement initial) : memory(domain, std::move(initial)) {}
  Memory memory;
  Stop stop;
  std::vector<Fault> faults;   // conditional ones, or the one that stopped the run
  std::vector<Finding> notes;  // info and warnings
  std::optional<Race> race;
  Term trapped = 0;      // condition under which some thread has trapped; 0: never
  u64 instructions = 0;  // executed, by thread
  u32 time = 1, launch_start = 1;
  u32 threads_before = 0;  // of earlier launches and blocks, for global thread numbers
  Watch* watch = nullptr;
  Trace* trace = nullptr;
  std::vector<StrideLoop> stride_loops;
  // Loops replaced by functions of their first state (symbolic/loop.h), and the conditions under which they are come
  // to: elsewhere their values are of no use.
  std::map<u32, std::set<Term>> loops;  // by tag; 0: always
  unsigned summarised_loops = 0;
  std::set<ObjectId> read_anywhere;                      // at places that are no number: nobody may write these objects
  std::set<std::pair<const Program*, u32>> approximate;  // steps that called an approximate function
  bool unspecified_hit = false;                          // a concrete run used a result that the manual leaves open
};

enum class Possibility : u8 { never, possible, unknown };

struct MachineOptions {
  unsigned unroll = 4096;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  bool concrete = false;       // every input is known: approximate functions are computed, not left open
  bool summarise = false;      // loops whose count depends on scalars (machine_summary.cpp)
  bool reads_anywhere = true;  // a load at a place that depends on data is a function of the place
  // Whether each of these conditions of the store can hold for an input; asked when a loop with a data-dependent count
  // goes on, and when two threads store values that are not the same term. Without it nothing is known.
  std::function<std::vector<Possibility>(TermStore&, const std::vector<Term>&)> possible;
  // The number of threads of a launch, a form or a number, and the form that a thread's index is: then loops over all
  // elements are found (StrideLoop) and only their first pass is run.
  std::optional<std::pair<Value, Value>> threads_and_index;
};

class Machine {
 public:
  Machine(const Program& program, const Shape& shape, SideState& state, SymbolicDomain& domain,
          const MachineOptions& options);
  ~Machine();
  // Runs one block to its end; false when state.stop says why not.
  bool run(const Dim3& block_id);
  // The same for a block whose number is a form: for all blocks that its symbols stand for.
  bool run(const std::array<Value, 3>& block_id);
  // Runs threads that may be of different blocks, of a kernel whose threads do not wait for each other.
  bool run(std::span<const ThreadId> threads);
  // Has the run stopped at a cut, before a step that can be done again as if it had not been begun?
  bool can_go_on() const { return can_go_on_; }
  // Goes on from there, with symbols that have been narrowed meanwhile: for a part of the blocks or threads.
  bool go_on();

 private:
  struct Strand;
  struct Active;
  class Summary;
  using Way = std::vector<std::pair<std::uint16_t, Term>>;  // lanes that go it, each with its condition; 0: certain

  // machine.cpp: strands
  void start();
  void set_special(Registers& registers, u32 slot, const SlotInit& init);
  bool run_to_end();
  bool run_strands();
  void name_block();
  bool undone(const Step& step, const Active& active) const;
  void settle(Strand& s);
  bool advance();
  void run_strand(Strand& s, u32 limit);
  Strand* next_strand(u32& limit);
  void join(Strand& into, Strand& from);
  bool can_join(const Strand& into, const Strand& from) const;
  void stop(Stop::Why why, const Step& step, std::string message);
  void fault(const Step& step, unsigned lane, Term condition, std::string code, std::string message);
  void tick(const Step& step);
  void undecided_by_ranges(const Step& step);
  std::vector<Possibility> ask(const Step& step, const std::vector<Term>& conditions);
  std::string thread_name(unsigned lane) const;

  // machine_control.cpp: branches and barriers
  bool select_guarded(Strand& s, const Step& step, Active& out);
  void jump(Strand& s, const Step& step);
  void jump_indexed(Strand& s, const Step& step);
  std::pair<Way, Way> split(const Strand& s, const Active& active);
  void fork(Strand& s, const std::vector<std::pair<u32, Way>>& ways);
  bool prune(Strand& s, const Step& step);
  // machine_loop.cpp: loops by steps of the whole launch
  void note_head(const Strand& s);
  bool summarised(const Strand& s, u32 head);
  bool strides(const Value& before, const Value& now) const;
  bool depends_on_index(const Value& v) const;
  bool is_all(u32 head) const;
  bool reads_place(const Step& step) const;
  // machine_summary.cpp: loops whose count depends on scalars
  bool summarised_by_scalars(Strand& s, u32 head);
  void leave(Strand& s, const Step& step, bool trap);
  void arrive(Strand& s, const Step& step);
  bool release_barrier();
  void report_deadlock();
  void reduce(const std::vector<Strand*>& waiting);
  std::vector<bool> ways_from(u32 pc) const;
  std::vector<bool> reachable(u32 pc) const;
  bool meet_again(u32 a, u32 b) const;
  bool depends_on_nobody(const Value& v);
  u32 next_time();
  bool whole_warps(const Strand& s, const Step& step);
  bool check_aligned(const std::vector<Strand*>& waiting);
  void warp_barrier(const Step& step, const Active& active, Strand& s);

  // machine_compute.cpp
  void compute(Strand& s, const Step& step, const Active& active);
  void compute_symbolic(Strand& s, const Step& step, const Active& active);
  bool compute_terms(Strand& s, const Step& step, const Active& active);
  SymbolicSource gather(const Strand& s, const Step& step, const Active& active, std::size_t k, unsigned first,
                        unsigned count);
  void write(Strand& s, const Step& step, const Input& out, const Active& active, unsigned i, Value v);
  void pack(Strand& s, const Step& step, const Active& active);
  void unpack(Strand& s, const Step& step, const Active& active);
  void convert_space(Strand& s, const Step& step, const Active& active);
  Value read(const Strand& s, const Input& in, unsigned lane);
  Value given(Value v, Term condition);

  // machine_memory.cpp: the quick way, and races; machine_places.cpp: the general way
  void load(Strand& s, const Step& step, const Active& active);
  void store(Strand& s, const Step& step, const Active& active);
  struct Plain {
    ObjectId object = 0;
    u32 view = 0;
  };
  std::optional<Plain> plain_places(const Strand& s, const Step& step, const Active& active, bool write);
  template <bool tracked>
  bool fetch_column(const Step& step, const Active& active, const Plain& at, unsigned e);
  bool load_column(Strand& s, const Step& step, const Active& active, const Plain& at, unsigned e);
  bool load_fast(Strand& s, const Step& step, const Active& active);
  bool store_fast(Strand& s, const Step& step, const Active& active);
  void load_lane(Strand& s, const Step& step, const Active& active, unsigned i);
  void store_lane(Strand& s, const Step& step, const Active& active, unsigned i);
  Value load_element(const Step& step, unsigned lane, const Place& place, u64 offset, Term condition);
  void store_element(Strand& s, const Step& step, unsigned lane, const Place& place, u64 offset, Value v,
                     Term condition);
  std::optional<std::vector<std::pair<u64, Term>>> candidates(const Step& step, const Place& place);
  bool unresolved(const Strand& s, const Step& step, unsigned lane, Term condition);
  std::optional<Place> resolve(const Strand& s, const Step& step, unsigned lane, Term condition);
  bool accessible(const Step& step, unsigned lane, const Place& place, u64 offset, Term condition, bool write);
  bool within(const Step& step, unsigned lane, const Place& place, u64 offset, Term condition, bool write);
  bool within_symbolic(const Step& step, unsigned lane, const Value& first, ObjectId object, Term condition,
                       const Value& bytes);
  Value offset_value(const Place& place);
  bool fits_space(const Step& step, unsigned lane, const Place& place, Term condition, bool write);
  // machine_reads.cpp: loads at places that are no number
  bool reads_by_function(const Place& place) const;
  bool moves_by_pass(const Place& place) const;
  bool has_input(const Place& place) const;
  std::optional<std::vector<Value>> load_anywhere(const Step& step, unsigned lane, const Place& place, Term condition);
  bool anywhere_allowed(const Step& step, unsigned lane, const Place& place, const Value& first, Term condition);
  void load_unknown(Strand& s, const Step& step, const Active& active);
  bool aligned(const Step& step, unsigned lane, const Place& place, u64 offset, Term condition);
  u32 instance(const Place& place, unsigned lane);
  bool read_only_holds(const Step& step, unsigned lane, ObjectId object, u64 offset, const Memory::Cells& cells,
                       Term condition);
  Touch touch_of(const Step& step, unsigned lane, bool conditional) const;
  bool note_read(const Touch& now, Cell& cell) const;
  void note_another_read(Touch now, Cell& cell) const;
  void touch_read(const Step& step, unsigned lane, ObjectId object, u64 offset, const Memory::Cells& cells,
                  bool conditional);
  bool touch_write(const Step& step, unsigned lane, ObjectId object, u64 offset, const Memory::Cells& cells,
                   bool conditional, const Value& before, const Value& value);
  Possibility can_differ(const Step& step, const Value& v, const Value& w);
  bool conflicts(const Touch& t, unsigned lane) const;
  void race(const Step& step, ObjectId object, u64 offset, unsigned size, const Touch& other, bool other_writes,
            unsigned lane, bool writes, bool conditional);
  void sight(const Step& step, unsigned lane, ObjectId object, u64 offset, unsigned size, bool write);
  Term both(Term a, Term b);
  Term either(Term a, Term b);

  void locate(const Step& step, unsigned lane);
  void trace(const Strand& s, const Step& step, const Active& active, bool before);

  u32 thread_number(unsigned lane) const { return state_.threads_before + lane + 1; }
  Dim3 thread_index(unsigned lane) const;

  const Program& program_;
  const Shape& shape_;
  SideState& state_;
  SymbolicDomain& domain_;
  const MachineOptions& options_;
  unsigned lanes_;
  Dim3 block_id_{};  // where it is a form: one of the blocks
  std::array<Value, 3> block_value_{};
  std::span<const ThreadId> threads_;  // at the start; empty: the lanes are the block's threads, in order
  struct Head {                        // the state when a loop's first step was first come to
    Registers registers;
    std::vector<std::uint16_t> lanes;
    std::vector<Term> activity;
    bool summarised = false;  // nobody may come to it again
  };
  std::map<u32, Head> heads_;
  // A pass of a loop from a state of symbols, to see what it does; or to see whether an access can be a fault.
  enum class Passing : u8 { no, without_loads, for_values, for_faults } passing_ = Passing::no;
  u32 pass_head_ = 0;
  std::set<u32> refused_;  // heads of loops that could not be summarised
  std::vector<std::unique_ptr<Strand>> strands_;
  std::shared_ptr<Registers> registers_;  // of the block before, used again
  u32 block_start_ = 0, last_sync_ = 0;
  std::vector<u32> warp_sync_;
  bool partial_sync_ = false;
  std::vector<bool> left_;                           // by lane: it has ended, or some way of it has
  std::array<u32, 16> arrived_{}, arrived_count_{};  // by barrier: threads that came without waiting, and for how many
  static constexpr unsigned lanes_at_once = 64;      // that compute_symbolic gathers
  std::array<u64, lanes_at_once * max_sources> source_bits_;
  std::array<Tag, lanes_at_once * max_sources> source_tags_;
  std::array<u64, lanes_at_once * max_results> result_bits_;
  std::array<Tag, lanes_at_once * max_results> result_tags_;
  std::vector<u64> offsets_, loaded_;
  std::vector<Tag> tags_;
  unsigned until_tick_ = 0;
  bool can_go_on_ = false;
  bool effects_ = false;  // the step that is being done has left something that it would find if done again
};

}  // namespace ptxeq::sym
