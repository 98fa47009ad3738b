// The order in which things are tried: same term, samples, ring form, bounds, enumeration, solver.
#include "checker/obligation.h"

#include <algorithm>
#include <numeric>

#include "checker/obligation_bounds.h"
#include "checker/obligation_enumerate.h"
#include "checker/obligation_fuse.h"
#include "checker/obligation_judge.h"
#include "checker/obligation_ring.h"
#include "checker/obligation_sweep.h"
#include "checker/sample.h"
#include "checker/sample_run.h"
#include "checker/smt.h"

namespace ptxeq::check {
namespace {

using Clock = std::chrono::steady_clock;
using sym::Op;
using sym::Term;
using sym::TermStore;
using By = Decision::By;

constexpr std::size_t largest_cone = 8'000'000;  // nodes

// What is known of one shape.
struct Entry {
  Shape shape;
  bool decided = false;
  Decision decision;        // without its model
  std::vector<u64> leaves;  // the model's values
};

void settle(Entry& e, Outcome outcome, By by, ReasonCode why = ReasonCode::solver_unknown) {
  e.decided = true;
  e.decision.outcome = outcome;
  e.decision.by = by;
  e.decision.why = why;
}

bool is_zero(const Shape& shape, u32 slot) {
  return shape.code[slot].op == Op::constant && constant_bits(shape.code[slot]) == 0;
}

// Why an input that makes the sides differ in some reading is not a refutation.
ReasonCode reason_for_doubt(const Entry& e, const std::vector<u64>& leaves) {
  const u8 flags = u8(e.shape.flags(e.shape.roots[root_differ]) | e.shape.flags(e.shape.roots[root_unfused]));
  if (run_partial(e.shape, leaves)[root_unfused].unknown) {
    if (flags & (sym::has_unspecified | sym::has_undefined | sym::has_approx)) return ReasonCode::unspecified_result;
    if (flags & sym::has_address) return ReasonCode::address_unresolved;
    return ReasonCode::solver_unknown;
  }
  return ReasonCode::contractible_fp;
}

// Evaluates the shape on edge values and random ones, at least `tries`; `gives_up`: on doubt too. A telling refutation
// ends it; inputs that differ only for some meaning of what is uncertain end it too, since then nothing proves the
// shape.
void sample(Entry& e, u64 seed, std::size_t tries, bool gives_up) {
  const Shape& shape = e.shape;
  Sampler sampler(shape, seed);
  Runner runner(shape, 128);
  const Judge judge(shape);
  std::vector<std::vector<u64>> block(runner.lanes());
  std::optional<unsigned> best;
  std::vector<u64> doubtful;
  std::size_t judged = 0;
  for (std::size_t done = 0; done < tries && best != 0u; done += runner.lanes()) {
    for (unsigned lane = 0; lane < runner.lanes(); ++lane) {
      for (int retry = 0; retry < 8 && !sampler.next(block[lane]); ++retry) block[lane].clear();
      if (block[lane].empty() && !shape.leaves.empty()) return;
      for (u32 i = 0; i < block[lane].size(); ++i)
        if (runner.has_leaf(i)) runner.leaf(i)[lane] = block[lane][i];
    }
    runner.run();
    const u64* differs = runner.value(shape.roots[root_unfused]);
    for (unsigned lane = 0; lane < runner.lanes() && best != 0u && judged < 96; ++lane) {
      if (!differs[lane]) continue;
      ++judged;
      const auto rank = judge.rank(block[lane]);
      if (!rank) doubtful = block[lane];
      if (!rank || (best && *rank >= *best)) continue;
      best = rank;
      e.leaves = block[lane];
    }
    if (judged >= 96) break;
  }
  if (best) return settle(e, Outcome::refuted, By::evaluation);
  if (judged == 0 || !gives_up) return;
  e.leaves = std::move(doubtful);
  settle(e, Outcome::unknown, By::evaluation, reason_for_doubt(e, e.leaves));
}

void judge_model(Entry& e, std::vector<u64> leaves, By by) {
  const bool certain = Judge(e.shape).rank(leaves).has_value();
  const ReasonCode doubt = certain ? ReasonCode::solver_unknown : reason_for_doubt(e, leaves);
  e.leaves = std::move(leaves);
  settle(e, certain ? Outcome::refuted : Outcome::unknown, by, doubt);
}

// Proved or refuted by trying all, where the time is enough.
void enumerate_within(Entry& e, Deadline deadline, unsigned jobs) {
  const Enumeration all = enumerate(slice(e.shape, std::array{e.shape.roots[root_unfused]}), deadline, jobs);
  if (!all.complete) return;
  if (all.holds) return judge_model(e, *all.holds, By::enumeration);
  settle(e, Outcome::proved, By::enumeration);
}

void decide_cheaply(Entry& e, u64 seed) {
  if (is_zero(e.shape, e.shape.roots[root_unfused])) return settle(e, Outcome::proved, By::normal_form);
  sample(e, seed, 1, false);  // one block of lanes shows most differences
  if (!e.decided && never_holds_by_ring(e.shape)) settle(e, Outcome::proved, By::normal_form);
  if (!e.decided && never_holds_by_bounds(e.shape)) settle(e, Outcome::proved, By::normal_form);
  if (!e.decided) sample(e, seed, std::clamp<std::size_t>(16'000'000 / (e.shape.code.size() + 1), 48, 2048), true);
  if (!e.decided) enumerate_within(e, Clock::now() + std::chrono::milliseconds(20), 1);
}

// Is the difference there whatever uncertain nodes are? Their cone alone is left to the solver.
bool differs_for_certain(const Entry& e, const SmtOptions& options) {
  const u32 goal = e.shape.roots[root_differ];
  Shape agree = slice(e.shape, std::array{goal});
  agree.code.push_back({Op::not_, 1, 0, 0, agree.roots[0], no_slot, no_slot});
  agree.roots = {u32(agree.code.size() - 1)};
  std::vector<std::optional<u64>> fixed(e.leaves.size());
  for (u32 i = 0; i < fixed.size(); ++i)
    if (!is_uncertain(e.shape.leaves[i])) fixed[i] = e.leaves[i];
  return solve(agree, options, fixed).result == SmtResult::unsat;
}

// `goal`: equivalent to the shape's unfused root, on the same leaves.
void decide_by_solver(Entry& e, const Shape& goal, const SmtOptions& options) {
  const SmtAnswer answer = solve(goal, options);
  if (answer.result == SmtResult::unsat) return settle(e, Outcome::proved, By::solver);
  if (answer.result == SmtResult::unknown) return;
  judge_model(e, answer.leaves, By::solver);
  if (e.decision.outcome == Outcome::refuted) return;
  if (e.shape.roots[root_differ] != e.shape.roots[root_unfused]) {
    const SmtAnswer all = solve(slice(e.shape, std::array{e.shape.roots[root_differ]}), options);
    if (all.result == SmtResult::sat) judge_model(e, all.leaves, By::solver);
  } else if (differs_for_certain(e, options)) {
    e.decision.outcome = Outcome::refuted;
  }
}

// Enumeration where it is quick; a second for the solver, which decides most shapes at once; then enumeration that
// takes longer, equal parts are merged, and the solver again, until `deadline`.
void decide_thoroughly(Entry& e, Deadline deadline, const DischargeOptions& options, const std::string& dump) {
  Shape goal = slice(e.shape, std::array{e.shape.roots[root_unfused]});
  const auto within = [&](int ms) { return std::min(deadline, Clock::now() + std::chrono::milliseconds(ms)); };
  enumerate_within(e, within(300), options.jobs);
  if (e.decided) return;
  decide_by_solver(e, goal, {within(1000), options.jobs, dump});
  if (e.decided) return;
  enumerate_within(e, deadline, options.jobs);
  if (e.decided) return;
  if (auto merged = sweep(goal, options.seed, Clock::now() + (deadline - Clock::now()) / 2, options.jobs)) {
    goal = std::move(*merged);
    if (is_zero(goal, goal.roots[0]) || never_holds_by_ring(goal)) return settle(e, Outcome::proved, By::enumeration);
  }
  decide_by_solver(e, goal, {deadline, options.jobs, ""});
  if (e.decided) return;
  const bool late = Clock::now() >= deadline;
  settle(e, Outcome::unknown, By::solver, late ? ReasonCode::timeout : ReasonCode::solver_unknown);
}

// Shapes met so far, by content.
class Shapes {
 public:
  // The entry of this shape; new ones get the cheap steps.
  std::size_t find(const Shape& shape, u64 seed) {
    std::vector<std::size_t>& same_hash = by_hash_[hash(shape)];
    for (const std::size_t k : same_hash)
      if (entries[k].shape == shape) return k;
    same_hash.push_back(entries.size());
    entries.push_back({shape, false, {}, {}});
    decide_cheaply(entries.back(), seed);
    return entries.size() - 1;
  }
  std::vector<Entry> entries;

 private:
  std::unordered_map<u64, std::vector<std::size_t>> by_hash_;
};

// The four roots of an obligation (Root).
class Goals {
 public:
  explicit Goals(TermStore& store) : store_(store), unfused_(store, false), fused_(store, true) {}

  std::array<Term, 4> of(const Obligation& o) {
    const Term a = unfused_(o.a), ref = unfused_(o.ref), condition = unfused_(o.condition);
    const Term plain = both(condition, differ(a, ref));
    if (store_.is_constant(plain) || !has_contraction(o)) return {plain, plain, a, ref};
    const Term fused_a = fused_(o.a), fused_ref = fused_(o.ref);
    Term all = both(plain, fused_(o.condition));
    all = both(all, both(differ(a, fused_ref), both(differ(fused_a, ref), differ(fused_a, fused_ref))));
    return {plain, all, a, ref};
  }
  bool has_contraction(const Obligation& o) const {
    const u8 condition = o.condition ? store_[o.condition].flags : 0;
    return (store_[o.a].flags | store_[o.ref].flags | condition) & sym::has_contraction;
  }

 private:
  Term differ(Term a, Term b) { return store_.make(Op::not_, 1, 0, store_.make(Op::eq, 1, 0, a, b)); }
  Term both(Term p, Term q) { return conjunction(store_, p, q); }
  TermStore& store_;
  Contraction unfused_, fused_;
};

// The undecided shapes, smaller first, each with its share of the time that is left.
void decide_the_rest(std::vector<Entry>& entries, const DischargeOptions& options) {
  std::vector<std::size_t> open;
  bool refuted = false;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (!entries[k].decided) open.push_back(k);
    refuted = refuted || entries[k].decision.outcome == Outcome::refuted;
  }
  std::sort(open.begin(), open.end(), [&](std::size_t x, std::size_t y) {
    const auto key = [&](std::size_t k) { return std::pair(entries[k].shape.code.size(), k); };
    return key(x) < key(y);
  });
  for (std::size_t i = 0; i < open.size(); ++i) {
    Entry& e = entries[open[i]];
    const auto now = Clock::now();
    if (refuted || now >= options.deadline) {
      settle(e, Outcome::unknown, By::solver, ReasonCode::timeout);
      continue;
    }
    const auto share = (options.deadline - now) / Clock::rep(open.size() - i);
    const std::string dump =
        options.dump_smt2.empty() ? "" : options.dump_smt2 + "/shape-" + std::to_string(open[i]) + ".smt2";
    decide_thoroughly(e, now + share, options, dump);
    refuted = e.decision.outcome == Outcome::refuted;
  }
}

// A candidate that rests on uncertain nodes may still be a difference whatever they are.
void confirm_doubtful(std::vector<Entry>& entries, const DischargeOptions& options) {
  const auto is_refuted = [](const Entry& e) { return e.decision.outcome == Outcome::refuted; };
  for (Entry& e : entries) {
    if (std::any_of(entries.begin(), entries.end(), is_refuted)) return;
    const bool doubtful = e.decided && e.decision.outcome == Outcome::unknown && !e.leaves.empty();
    if (!doubtful || e.decision.by != By::evaluation || e.decision.why == ReasonCode::contractible_fp) continue;
    const auto limit = std::min(options.deadline, Clock::now() + std::chrono::milliseconds(500));
    if (differs_for_certain(e, {limit, options.jobs, ""})) settle(e, Outcome::refuted, By::solver);
  }
}

void count(Evidence& evidence, const Decision& d) {
  ++evidence.obligations;
  if (d.outcome == Outcome::unknown) return;
  std::uint64_t* const counters[] = {&evidence.by_normal_form, &evidence.by_evaluation, &evidence.by_enumeration,
                                     &evidence.by_solver};
  ++*counters[std::size_t(d.by)];
}

}  // namespace

std::vector<Decision> discharge(TermStore& store, const std::vector<Obligation>& obligations,
                                const LeafDomains& domains, const DischargeOptions& options, Evidence& evidence) {
  std::vector<Decision> out(obligations.size());
  std::vector<std::size_t> entry_of(obligations.size(), std::size_t(-1));
  std::vector<std::array<Term, 4>> roots(obligations.size());
  Goals goals(store);
  Shapes shapes;
  Shaper shaper(store, domains);
  Shape shape;
  std::vector<Term> leaves;
  const Deadline soon = std::min(options.deadline, Clock::now() + std::chrono::milliseconds(200));
  bool refuted = false;  // whatever is fused and wherever objects lie
  for (std::size_t k = 0; k < obligations.size(); ++k) {
    const Obligation& o = obligations[k];
    Decision& d = out[k];
    d.assumed_unfused = goals.has_contraction(o);
    if (o.a == o.ref) {
      d.outcome = Outcome::proved;
      continue;
    }
    if (Clock::now() >= (refuted ? soon : options.deadline)) {
      d.why = ReasonCode::timeout;
      continue;
    }
    roots[k] = goals.of(o);
    if (store.exhausted() || !shaper.shape(roots[k], shape, leaves, largest_cone)) {
      d.why = ReasonCode::memory;
      continue;
    }
    entry_of[k] = shapes.find(shape, options.seed);
    const bool solid = !goals.has_contraction(o) && !((store[o.a].flags | store[o.ref].flags) & sym::has_address);
    refuted |= solid && shapes.entries[entry_of[k]].decision.outcome == Outcome::refuted;
  }
  confirm_doubtful(shapes.entries, options);
  decide_the_rest(shapes.entries, options);
  for (Entry& e : shapes.entries)
    if (e.decision.outcome == Outcome::refuted)
      Judge(e.shape).shrink(e.leaves, std::min(options.deadline, Clock::now() + std::chrono::milliseconds(300)));
  for (std::size_t k = 0; k < obligations.size(); ++k) {
    Decision& d = out[k];
    if (entry_of[k] != std::size_t(-1)) {
      const Entry& e = shapes.entries[entry_of[k]];
      const bool assumed = d.assumed_unfused;
      d = e.decision;
      d.assumed_unfused = assumed;
      d.shape = entry_of[k];
      if (!e.leaves.empty() && shaper.shape(roots[k], shape, leaves, largest_cone))
        for (std::size_t i = 0; i < leaves.size(); ++i) d.model[leaves[i]] = e.leaves[i];
    }
    d.assumed_unfused = d.assumed_unfused && d.outcome == Outcome::proved;
    count(evidence, d);
  }
  evidence.shapes += shapes.entries.size();
  return out;
}

Decision satisfiable(TermStore& store, Term condition, const LeafDomains& domains, const DischargeOptions& options) {
  // The condition differs from false.
  Evidence ignored;
  const Obligation o{condition, store.constant(1, 0), 0};
  Decision d = discharge(store, {o}, domains, options, ignored).front();
  if (d.outcome != Outcome::unknown) d.outcome = d.outcome == Outcome::proved ? Outcome::refuted : Outcome::proved;
  return d;
}

}  // namespace ptxeq::check
