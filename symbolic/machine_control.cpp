// Guards, branches, exits and barriers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "symbolic/machine_impl.h"

namespace ptxeq::sym {

namespace {
constexpr unsigned warp_size = 32;
constexpr unsigned most_warps = 32;   // of a block
constexpr unsigned prune_period = 8;  // loop passes under a condition between questions to the solver

bool leaves(const Step& step) { return step.kind == StepKind::exit || step.kind == StepKind::trap; }
bool jumps(const Step& step) { return step.kind == StepKind::jump || step.kind == StepKind::jump_indexed; }

// Lanes of a block, a mask for each warp.
class LaneSet {
 public:
  void add(unsigned lane) { masks_[lane / warp_size] |= u32(1) << lane % warp_size; }
  void add(const std::vector<std::uint16_t>& lanes) {
    for (const std::uint16_t lane : lanes) add(lane);
  }
  u32 operator[](unsigned warp) const { return masks_[warp]; }
  unsigned count() const {
    unsigned n = 0;
    for (const u32 m : masks_) n += unsigned(std::popcount(m));
    return n;
  }
  unsigned warps() const { return most_warps - unsigned(std::count(masks_.begin(), masks_.end(), 0u)); }

 private:
  std::array<u32, most_warps> masks_{};
};
}  // namespace

// Does the value hold one that nobody wrote?
bool Machine::depends_on_nobody(const Value& v) {
  return v.tag == undefined_tag || (v.tag == term_tag && (domain_.store()[Term(v.bits)].flags & has_undefined));
}

// Which lanes the guard lets through; false when none. A lane whose guard is a term comes with that term.
bool Machine::select_guarded(Strand& s, const Step& step, Active& out) {
  out.lanes = s.view();
  out.activity = s.activity.empty() ? nullptr : s.activity.data();
  out.guards = nullptr;
  if (step.guard == no_slot) return true;
  const u64 wanted = step.guard_negated ? 0 : 1;
  const u64* bits = s.registers->bits(step.guard);
  if (s.registers->common(step.guard, out.lanes) == concrete_tag) {
    unsigned passing = 0;
    for (unsigned i = 0; i < out.lanes.count; ++i) passing += bits[out.lanes[i]] == wanted;
    if (passing == out.lanes.count) return true;
    if (passing == 0) return false;
  }
  out.index.clear(), out.activity_storage.clear(), out.guard_storage.clear();
  bool any_guard = false;
  for (std::size_t i = 0; i < s.lanes.size(); ++i) {
    const std::uint16_t lane = s.lanes[i];
    Value g = s.registers->get(step.guard, lane, 1);
    if (g.tag == undefined_tag) {
      fault(step, lane, s.condition(i), "predicate-unset", "the guard's predicate was never set");
      if (state_.stop) return false;
      continue;
    }
    if (g.concrete() && g.bits != wanted) continue;
    out.index.push_back(lane);
    out.activity_storage.push_back(s.condition(i));
    out.guard_storage.push_back(g.concrete() ? 0 : domain_.term(step.guard_negated ? domain_.not_(g) : g));
    any_guard |= out.guard_storage.back() != 0;
  }
  if (out.index.empty()) return false;
  const bool range = unsigned(out.index.back() - out.index.front()) + 1 == out.index.size();
  out.lanes = {range ? nullptr : out.index.data(), out.index.front(), unsigned(out.index.size())};
  if (out.activity) out.activity = out.activity_storage.data();
  if (any_guard) out.guards = out.guard_storage.data();
  return true;
}

// The lanes that the guard lets through and those that it does not; a lane whose guard is a term is in both.
std::pair<Machine::Way, Machine::Way> Machine::split(const Strand& s, const Active& active) {
  Way in, out;
  unsigned at = 0;
  for (const std::uint16_t lane : s.lanes) {
    const bool selected = at < active.lanes.count && active.lanes[at] == lane;
    const Term guard = selected ? active.guard(at) : 0;
    if (selected) in.emplace_back(lane, guard);
    if (!selected) out.emplace_back(lane, 0);
    if (guard) out.emplace_back(lane, domain_.store().make(Op::not_, 1, 0, guard));
    at += selected;
  }
  return {std::move(in), std::move(out)};
}

// The strand goes on as the first way; each further way becomes a strand. A lane that goes several ways has a
// condition for each, and registers of its own on all but the first.
void Machine::fork(Strand& s, const std::vector<std::pair<u32, Way>>& ways) {
  const std::vector<std::uint16_t> lanes = std::move(s.lanes);
  const std::vector<Term> activity = std::move(s.activity);
  std::vector<unsigned> uses(lanes_, 0);
  std::vector<bool> placed(lanes_, false);
  for (const auto& [pc, way] : ways)
    for (const auto& [lane, condition] : way) ++uses[lane];
  const bool copies = std::any_of(uses.begin(), uses.end(), [](unsigned n) { return n > 1; });
  const auto registers = s.registers;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    Strand* to = &s;
    if (w > 0) {
      strands_.push_back(std::make_unique<Strand>());
      to = strands_.back().get();
      to->registers = copies ? std::make_shared<Registers>(*registers) : registers;
      to->loops = s.loops;
      to->forked = s.forked;
    }
    to->pc = ways[w].first;
    to->lanes.clear(), to->activity.clear();
    bool conditional = false;
    for (const auto& [lane, condition] : ways[w].second) {
      const auto at = std::lower_bound(lanes.begin(), lanes.end(), lane) - lanes.begin();
      const Term before = activity.empty() ? 0 : activity[std::size_t(at)];
      const Term now = both(before, condition);
      if (now && domain_.store().is_constant(now)) continue;  // never: both() leaves no other constant
      placed[lane] = true;
      to->lanes.push_back(lane);
      to->activity.push_back(now);
      conditional |= now != 0;
      to->forked |= condition != 0;
    }
    if (!conditional) to->activity.clear();
  }
  // A lane that is here for certain and had several ways must have gone one of them.
  for (std::size_t i = 0; i < lanes.size() && ways.size() > 1; ++i)
    if (uses[lanes[i]] && !placed[lanes[i]] && (activity.empty() || !activity[i]))
      stop(Stop::Why::address_unresolved, program_.steps[ways.front().first],
           "a thread has no way on from the branch before this place");
}

// Drops lanes whose condition cannot hold, now and then, in a loop that goes on under a condition of its own making.
bool Machine::prune(Strand& s, const Step& step) {
  if (s.activity.empty() || !s.forked) return true;
  s.forked = false;
  if (++s.loops > options_.unroll) {
    stop(Stop::Why::unroll_limit, step,
         fmt::format("a loop whose count depends on data went past {} passes (--unroll)", options_.unroll));
    return false;
  }
  if (s.loops % prune_period != 0) return true;
  std::vector<Term> conditions;
  for (const Term t : s.activity)
    if (t) conditions.push_back(t);
  const std::vector<Possibility> possible = ask(step, conditions);
  std::size_t next = 0, kept = 0;
  for (std::size_t i = 0; i < s.lanes.size(); ++i) {
    if (s.activity[i] && possible[next++] == Possibility::never) continue;
    s.lanes[kept] = s.lanes[i], s.activity[kept++] = s.activity[i];
  }
  s.lanes.resize(kept), s.activity.resize(kept);
  return kept > 0;
}

void Machine::jump(Strand& s, const Step& step) {
  const u32 target = step.targets[0];
  const bool backward = program_.steps[target].rank <= step.rank;
  Active active;
  if (!select_guarded(s, step, active)) {
    if (!state_.stop) ++s.pc;
    return;
  }
  for (unsigned i = 0; active.guards && i < active.lanes.count; ++i)
    if (active.guard(i) && depends_on_nobody({active.guard(i), term_tag, 1}))
      return stop(Stop::Why::unspecified_result, step, "this branch depends on a value that nobody wrote");
  const bool everyone = active.lanes.count == s.lanes.size() && !active.guards;
  if (everyone) {
    s.pc = target;
  } else {
    const auto [taken, passed] = split(s, active);
    fork(s, {{target, taken}, {s.pc + 1, passed}});
  }
  if (!backward || s.lanes.empty()) return;
  if (passing_ != Passing::no) {
    if (target != pass_head_ && !s.activity.empty() && s.forked)
      stop(Stop::Why::unroll_limit, step, "a loop in a loop whose counts both depend on data");
    return;
  }
  if (options_.threads_and_index && summarised(s, target)) {
    s.lanes.clear(), s.activity.clear();  // the one pass stands for the later ones
    return;
  }
  if (options_.summarise && (summarised_by_scalars(s, target) || state_.stop)) return;
  prune(s, step);
}

void Machine::jump_indexed(Strand& s, const Step& step) {
  if (step.guard != no_slot) return stop(Stop::Why::unsupported, step, "a guarded brx.idx is not modelled");
  state_.instructions += s.lanes.size();
  std::map<u32, Way> ways;
  TermStore& store = domain_.store();
  const u32 n = u32(step.targets.size());
  for (std::size_t i = 0; i < s.lanes.size(); ++i) {
    const std::uint16_t lane = s.lanes[i];
    const Value index = read(s, step.in[0], lane);
    if (index.tag == undefined_tag) {
      fault(step, lane, s.condition(i), "uninitialised-read", "the index of the branch was never set");
      if (state_.stop) return;
      left_[lane] = true;
      continue;
    }
    if (index.concrete()) {
      if (index.bits >= n) {
        fault(step, lane, s.condition(i), "unspecified-result",
              fmt::format("index {} is outside the list of {} targets", index.bits, n));
        if (state_.stop) return;
        left_[lane] = true;
        continue;
      }
      ways[step.targets[index.bits]].emplace_back(lane, 0);
      continue;
    }
    if (depends_on_nobody(index))
      return stop(Stop::Why::unspecified_result, step, "this branch depends on a value that nobody wrote");
    const Term t = domain_.term(index);
    std::map<u32, Term> conditions;
    for (u32 k = 0; k < n; ++k) {
      const Term here = store.make(Op::eq, 1, 0, t, store.constant(index.w, k));
      Term& all = conditions[step.targets[k]];
      all = all ? store.make(Op::or_, 1, 0, all, here) : here;
    }
    for (const auto& [target, condition] : conditions)
      if (!store.is_constant(condition) || store.constant_bits(condition)) ways[target].emplace_back(lane, condition);
    if (index.w < 32 && n >> index.w) continue;
    const Term outside = store.make(Op::ule, 1, 0, store.constant(index.w, n), t);
    if (store.is_constant(outside) && !store.constant_bits(outside)) continue;
    left_[lane] = true;
    fault(step, lane, both(s.condition(i), outside), "unspecified-result",
          "the index can be outside the list of targets");
  }
  fork(s, {ways.begin(), ways.end()});
}

void Machine::leave(Strand& s, const Step& step, bool trap) {
  Active active;
  if (!select_guarded(s, step, active)) {
    if (!state_.stop) ++s.pc;
    return;
  }
  state_.instructions += active.lanes.count;
  TermStore& store = domain_.store();
  if (trap)
    for (unsigned i = 0; i < active.lanes.count; ++i) {
      const Term c = both(active.activity ? active.activity[i] : 0, active.guard(i));
      const Term now = c ? c : store.constant(1, 1);
      state_.trapped = state_.trapped ? store.make(Op::or_, 1, 0, state_.trapped, now) : now;
    }
  for (unsigned i = 0; i < active.lanes.count; ++i) left_[active.lanes[i]] = true;
  fork(s, {{s.pc + 1, split(s, active).second}});
}

// The strand's lanes that reach the barrier wait there; the others go on.
void Machine::arrive(Strand& s, const Step& step) {
  const u32 here = s.pc;
  Active active;
  if (!select_guarded(s, step, active)) {
    if (!state_.stop) ++s.pc;
    return;
  }
  if (active.lanes.count != s.lanes.size() || active.guards) {
    const auto [in, out] = split(s, active);
    fork(s, {{here, in}, {here + 1, out}});
    if (s.lanes.empty()) return;
  }
  state_.instructions += s.lanes.size();
  const auto number = [&](const Input& in, u32& out) {
    if (in.slot == no_slot) return true;
    const Value first = read(s, in, s.lanes[0]);
    for (const std::uint16_t lane : s.lanes)
      if (!read(s, in, lane).same(first)) return false;
    out = u32(first.bits);
    return first.concrete();
  };
  u32 id = 0, count = 0;
  if (!number(step.barrier.id, id) || !number(step.barrier.count, count))
    return stop(Stop::Why::unsupported, step,
                "a barrier whose number or count differs between threads is not modelled");
  const bool bad_count = step.barrier.count.slot != no_slot && (count == 0 || count % warp_size);
  if ((id >= arrived_.size() || bad_count) && !s.activity.empty())
    return stop(Stop::Why::schedule_dependent, step,
                "whether this barrier, which is no valid one, is reached depends on data");
  if (id >= arrived_.size())
    return fault(step, s.lanes[0], s.condition(0), "barrier-count",
                 fmt::format("barrier {} does not exist: there are 16", id));
  if (bad_count)
    return fault(step, s.lanes[0], s.condition(0), "barrier-count",
                 fmt::format("the thread count {} is no multiple of the warp size", count));
  if (step.barrier.kind == BarrierInfo::Kind::arrive) {
    if (!s.activity.empty())
      return stop(Stop::Why::schedule_dependent, step, "whether threads arrive at this barrier depends on data");
    if (arrived_[id] && arrived_count_[id] != count)
      return fault(step, s.lanes[0], 0, "barrier-count",
                   fmt::format("barrier {} is arrived at for {} threads and for {}", id, arrived_count_[id], count));
    arrived_[id] += u32(s.lanes.size());
    arrived_count_[id] = count;
    partial_sync_ = true;
    ++s.pc;
    return;
  }
  if (step.barrier.aligned && !whole_warps(s, step)) return;
  s.waiting = true, s.wait_step = here, s.wait_id = id, s.wait_count = count;
}

// Steps that may run after `pc`.
std::vector<bool> Machine::ways_from(u32 pc) const {
  std::vector<bool> seen(program_.steps.size(), false);
  std::vector<u32> stack{pc};
  while (!stack.empty()) {
    const u32 at = stack.back();
    stack.pop_back();
    if (at >= seen.size() || seen[at]) continue;
    seen[at] = true;
    const Step& step = program_.steps[at];
    stack.insert(stack.end(), step.targets.begin(), step.targets.end());
    if ((!leaves(step) && !jumps(step)) || step.guard != no_slot) stack.push_back(at + 1);
  }
  return seen;
}

// Those that are more than the way to an exit.
std::vector<bool> Machine::reachable(u32 pc) const {
  std::vector<bool> out = ways_from(pc);
  for (u32 at = 0; at < out.size(); ++at) {
    const Step& step = program_.steps[at];
    out[at] = out[at] && !leaves(step) && !jumps(step) && step.kind != StepKind::nothing;
  }
  return out;
}

// Do the ways from two steps share one that does something?
bool Machine::meet_again(u32 a, u32 b) const {
  const std::vector<bool> x = reachable(a), y = reachable(b);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] && y[i]) return true;
  return false;
}

// An aligned barrier is for whole warps (PTX ISA 9.7.13.1): lanes of these warps that have parted from the strand and
// run on, to a place that these come to as well, make its result undefined. Lanes on their way to an end of their own
// count as exited, however the blocks are laid out.
bool Machine::whole_warps(const Strand& s, const Step& step) {
  for (const auto& other : strands_) {
    if (other.get() == &s || other->waiting || other->pc == s.pc) continue;
    for (std::size_t i = 0, k = 0; i < s.lanes.size() && k < other->lanes.size();) {
      const unsigned here = s.lanes[i] / warp_size, there = other->lanes[k] / warp_size;
      if (here == there) {
        if (!meet_again(s.pc, other->pc)) break;  // those lanes end without coming back to these
        if (s.condition(i) || other->condition(k)) {
          stop(Stop::Why::schedule_dependent, step, "whether a warp reaches this barrier together depends on data");
        } else {
          fault(step, s.lanes[i], 0, "divergent-barrier",
                fmt::format("only part of a warp comes to this barrier: {} does, {} has gone on to line {}",
                            thread_name(s.lanes[i]), thread_name(other->lanes[k]),
                            program_.at(program_.steps[other->pc]).line));
        }
        return false;
      }
      (here < there ? i : k)++;
    }
  }
  return true;
}

// Threads of a warp wait at an aligned barrier together or the kernel is wrong.
bool Machine::check_aligned(const std::vector<Strand*>& waiting) {
  std::array<const Strand*, most_warps> at{};
  for (const Strand* s : waiting) {
    const Step& step = program_.steps[s->wait_step];
    if (!step.barrier.aligned) continue;
    for (std::size_t i = 0; i < s->lanes.size(); ++i) {
      const Strand*& first = at[s->lanes[i] / warp_size];
      if (!first) first = s;
      if (first->wait_step == s->wait_step) continue;
      const Strand& other = *first;
      if (!s->activity.empty() || !other.activity.empty()) {
        stop(Stop::Why::schedule_dependent, step, "whether a warp reaches this barrier together depends on data");
        return false;
      }
      fault(step, s->lanes[i], 0, "divergent-barrier",
            fmt::format("threads of one warp wait at different barriers: {} here, {} at line {}",
                        thread_name(s->lanes[i]), thread_name(other.lanes[0]),
                        program_.at(program_.steps[other.wait_step]).line));
      return false;
    }
  }
  return true;
}

// Nobody can run: a barrier whose threads have all come is released. False when the block is done or stuck.
bool Machine::release_barrier() {
  if (strands_.empty()) return false;
  for (const auto& s : strands_) settle(*s);
  std::map<u32, std::vector<Strand*>> by_id;
  LaneSet live;
  for (const auto& s : strands_) {
    by_id[s->wait_id].push_back(s.get());
    live.add(s->lanes);
  }
  for (const auto& [id, waiting] : by_id) {
    LaneSet here;
    u32 count = 0;
    bool mixed_counts = false;
    for (const Strand* s : waiting) {
      here.add(s->lanes);
      mixed_counts |= s != waiting.front() && s->wait_count != count;
      count = s->wait_count;
    }
    if (mixed_counts) continue;
    const bool everyone = by_id.size() == 1;
    const u64 threads = here.warps() * warp_size + arrived_[id];  // arrival counts whole warps
    if (count == 0 ? !everyone : threads < count) continue;
    if (count != 0 && threads > count) {
      fault(program_.steps[waiting.front()->wait_step], waiting.front()->lanes[0], 0, "barrier-count",
            fmt::format("{} threads come to barrier {}, which waits for {}", threads, id, count));
      return false;
    }
    if (!check_aligned(waiting)) return false;
    const bool conditional =
        std::any_of(waiting.begin(), waiting.end(), [](const Strand* s) { return !s->activity.empty(); });
    if (conditional && count != 0) {  // exited threads do not come: the count may never be reached
      stop(Stop::Why::schedule_dependent, program_.steps[waiting.front()->wait_step],
           "whether the threads that this barrier counts all come depends on data");
      return false;
    }
    if (arrived_[id] && arrived_count_[id] != count) {
      fault(program_.steps[waiting.front()->wait_step], waiting.front()->lanes[0], 0, "barrier-count",
            fmt::format("barrier {} is waited at for {} threads and arrived at for {}", id, count, arrived_count_[id]));
      return false;
    }
    reduce(waiting);
    if (everyone && here.count() == live.count() && arrived_[id] == 0) {
      last_sync_ = next_time();
    } else {
      if (conditional) {
        stop(Stop::Why::schedule_dependent, program_.steps[waiting.front()->wait_step],
             "who waits at this barrier depends on data");
        return false;
      }
      partial_sync_ = true;
    }
    arrived_[id] = 0;
    for (Strand* s : waiting) s->waiting = false, ++s->pc;
    return !state_.stop;
  }
  report_deadlock();
  return false;
}

void Machine::report_deadlock() {
  const Strand& s = *strands_.front();
  const Step& step = program_.steps[s.wait_step];
  const bool conditional =
      std::any_of(strands_.begin(), strands_.end(), [](const auto& t) { return !t->activity.empty(); });
  if (conditional)
    return stop(Stop::Why::schedule_dependent, step, "whether all threads reach this barrier depends on data");
  std::string who = fmt::format("{} waits at barrier {}", thread_name(s.lanes[0]), s.wait_id);
  for (const auto& other : strands_)
    if (other->wait_id != s.wait_id) {
      who += fmt::format(", {} at barrier {} (line {})", thread_name(other->lanes[0]), other->wait_id,
                         program_.at(program_.steps[other->wait_step]).line);
      break;
    }
  if (s.wait_count)
    return fault(step, s.lanes[0], 0, "barrier-count",
                 fmt::format("barrier {} waits for {} threads and fewer come", s.wait_id, s.wait_count));
  fault(step, s.lanes[0], 0, "deadlock", who + ": nobody can go on");
}

// barrier.red: every waiting thread gets the count, conjunction or disjunction of all predicates.
void Machine::reduce(const std::vector<Strand*>& waiting) {
  using Kind = BarrierInfo::Kind;
  const Kind kind = program_.steps[waiting.front()->wait_step].barrier.kind;
  for (const Strand* s : waiting)
    if (program_.steps[s->wait_step].barrier.kind != kind)
      return stop(Stop::Why::unsupported, program_.steps[s->wait_step],
                  "different kinds of barrier instruction meet at one barrier");
  if (kind == Kind::sync) return;
  Value total = SymbolicDomain::constant(kind == Kind::red_popc ? 32 : 1, kind == Kind::red_and);
  for (Strand* s : waiting) {
    const Step& step = program_.steps[s->wait_step];
    if (!s->activity.empty())
      return stop(Stop::Why::schedule_dependent, step, "who takes part in this reduction depends on data");
    for (const std::uint16_t lane : s->lanes) {
      const Value p = read(*s, step.barrier.predicate, lane);
      if (depends_on_nobody(p))
        return stop(Stop::Why::unspecified_result, step, "this reduction depends on a value that nobody wrote");
      total = kind == Kind::red_popc  ? domain_.add(total, domain_.zext(p, 32))
              : kind == Kind::red_and ? domain_.and_(total, p)
                                      : domain_.or_(total, p);
    }
  }
  for (Strand* s : waiting) {
    const Step& step = program_.steps[s->wait_step];
    if (step.out[0].slot != no_slot)
      for (const std::uint16_t lane : s->lanes) s->registers->set(step.out[0].slot, lane, total);
  }
}

// bar.warp.sync orders the memory of the lanes named; only that of a whole warp is known to be ordered here.
void Machine::warp_barrier(const Step& step, const Active& active, Strand& s) {
  if (active.activity || active.guards)
    return stop(Stop::Why::schedule_dependent, step, "who waits at this barrier depends on data");
  const u32 now = next_time();
  LaneSet here, live;
  for (const auto& strand : strands_) live.add(strand->lanes);
  for (unsigned i = 0; i < active.lanes.count; ++i) here.add(active.lanes[i]);
  for (unsigned i = 0; i < active.lanes.count; ++i) {
    const unsigned lane = active.lanes[i], warp = lane / warp_size;
    const Value members = read(s, step.in[0], lane);
    const unsigned size = std::min(warp_size, lanes_ - warp * warp_size);
    const u32 all = u32(mask(size)), named = u32(members.bits) & all;
    // Lanes that come here apart would have to wait for each other, which is not followed.
    if (!members.concrete() || !(named >> lane % warp_size & 1) || (named & live[warp] & ~here[warp]))
      return stop(Stop::Why::schedule_dependent, step,
                  "the lanes that the mask names do not come to this barrier together");
    if (named == all && here[warp] == all)
      warp_sync_[warp] = now;
    else
      partial_sync_ = true;
  }
}

}  // namespace ptxeq::sym
