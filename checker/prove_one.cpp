// From a problem to a verdict: the grid in groups of blocks that belong together, each proved in its own store of
// terms; or everything in one store where the groups do not match.
#include "checker/prove_one.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <ranges>

#include "checker/elapsed.h"
#include "checker/grid.h"
#include "checker/launch_chain.h"
#include "checker/partition.h"
#include "checker/prove.h"
#include "checker/prove_open.h"
#include "checker/replay.h"
#include "checker/witness_launch.h"

namespace ptxeq::check {

namespace {

constexpr std::uint64_t small_launch = 1u << 16;  // threads of both sides that are replayed all
constexpr std::uint32_t small_job = 1u << 20;     // terms in all below which one store is quicker than several

// Threads that are asked for (0: all), and no more than there are.
unsigned workers(unsigned jobs) {
  const unsigned most = unsigned(std::max(1, tbb::info::default_concurrency()));
  return jobs == 0 ? most : std::min(jobs, most);
}

std::uint32_t most_terms(const Limits& limits, unsigned stores) {
  constexpr std::uint64_t bytes_a_term = 24, machine_share = 2;  // of physical memory, half
  std::uint64_t bytes = std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGE_SIZE)) / machine_share;
  if (limits.memory_mib) bytes = std::min(bytes, limits.memory_mib << 20);
  return std::uint32_t(std::min<std::uint64_t>(bytes / bytes_a_term / std::max(1u, stores), 1u << 28));
}

class Prover {
 public:
  Prover(const Problem& problem, const Limits& limits, bool summarise = false) : problem_(problem) {
    options_.limits = limits, options_.summarise = summarise;
    options_.limits.jobs = workers(options_.limits.jobs);
    options_.deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(limits.timeout_s));
  }

  Report run() {
    const auto start = std::chrono::steady_clock::now();
    setup_ = prepare(problem_);
    report_.cost["prepare"] = seconds_since(start);
    for (const auto& [stop, side] : {std::pair{&setup_.failed_ref, Side::ref}, std::pair{&setup_.failed_a, Side::a}})
      if (*stop) {
        report_.verdict = Verdict::inconclusive;
        report_.reason = reason_of(*stop, side, file_of(side == Side::a ? setup_.a : setup_.ref));
        return std::move(report_);
      }
    if (const auto open = open_part(problem_); !open.empty()) return every_launch(open);
    if (options_.summarise)
      if (auto report = every_pass()) return std::move(*report);
    if (in_one()) return conclude();
    // With loops as functions, single blocks would show no more.
    if (options_.summarise && undecided_) return inconclusive(*undecided_);
    if (!in_groups()) whole();
    return conclude();
  }

  // Is the question's answer yes, whatever is fused? What is found else is not shown.
  bool proves() {
    if (open_part(problem_).empty()) {
      const Report r = run();
      return r.verdict == Verdict::equivalent &&
             std::none_of(r.findings.begin(), r.findings.end(), [](auto& f) { return f.code == "contractible-fp"; });
    }
    setup_ = prepare(problem_);
    if (setup_.failed_a || setup_.failed_ref || !suits_open(setup_)) return false;
    look_by_index(setup_);
    const GridResult grid = for_one();
    return grid.answer == GridResult::Answer::proved &&
           std::none_of(grid.results.begin(), grid.results.end(), [](auto& r) { return r.contraction; });
  }

 private:
  Report every_launch(const std::string& open) {
    Reason reason;
    reason.code = ReasonCode::unsupported, reason.side = Side::spec;
    reason.message = fmt::format(
        "{}: only one launch a side in one dimension is decided, of a kernel whose threads do not wait for each other",
        open);
    if (!suits_open(setup_)) return inconclusive(reason);
    const bool by_index = look_by_index(setup_);
    if (auto report = for_all(reason)) return std::move(*report);
    if (by_index) {
      setup_.a.by_index = setup_.ref.by_index = false;
      GridResult grid = for_one();
      if (grid.answer == GridResult::Answer::proved) return proved(grid);
      if (grid.answer == GridResult::Answer::undecided) reason = std::move(grid.reason);
    }
    return inconclusive(reason);
  }

  // Fixed launches whose threads loop as often as a scalar without value says; a part of the time is for that.
  std::optional<Report> every_pass() {
    if (options_.limits.concrete_blocks || !look_by_index(setup_)) return std::nullopt;
    const Deadline all = options_.deadline;
    const auto now = std::chrono::steady_clock::now();
    options_.deadline = now + (all - now) / 4;
    Reason ignored;
    auto report = for_all(ignored);
    options_.deadline = all, setup_.a.by_index = setup_.ref.by_index = false;
    return report;
  }

  GridResult for_one() {
    options_.terms = most_terms(options_.limits, options_.limits.jobs);
    return prove_open(setup_, options_);
  }

  Report proved(GridResult& grid) {
    note_grid(grid);
    results_ = std::move(grid.results);
    if (problem_.a.launches[0].open || problem_.ref.launches[0].open)
      report_.assumptions.push_back("launches are one-dimensional");
    return conclude();
  }

  // Proved for one thread that stands for all; what is found is shown on fixed launches of a fixed size.
  std::optional<Report> for_all(Reason& reason) {
    GridResult grid = for_one();
    if (grid.answer == GridResult::Answer::proved) return proved(grid);
    for (const Problem& fixed : witnesses(problem_, grid)) {
      Limits limits = options_.limits;
      limits.timeout_s = -seconds_since(options_.deadline) / 2;
      if (limits.timeout_s <= 0) break;
      Report shown = prove_one(fixed, limits);
      if (shown.verdict != Verdict::different && shown.verdict != Verdict::invalid) continue;
      shown.launch = launch_text(problem_, fixed);
      if (shown.counterexample) add_scalars(problem_, fixed, *shown.counterexample);
      return shown;
    }
    reason = grid.reason;
    if (grid.answer == GridResult::Answer::found) {
      const bool only_bits = std::ranges::all_of(grid.results, [](const GroupResult& r) {
        return r.invalid.empty() && (!r.refutation || r.refutation->only_bits);
      });
      reason = only_bits ? bits_alone() : Reason{};
      if (!only_bits) reason.code = ReasonCode::solver_unknown;
      if (!only_bits) reason.message = "a difference was found that no fixed launch shows";
    }
    return std::nullopt;
  }

  void note_grid(GridResult& grid) {
    for (const auto& [side, name] : {std::pair{&setup_.a, "a"}, std::pair{&setup_.ref, "ref"}})
      report_.evidence.blocks.push_back(side->problem->launches[0].open
                                            ? fmt::format("{} every launch", name)
                                            : fmt::format("{} {} blocks", name, side->shapes.back().blocks()));
    report_.evidence.mode = "symbolic";
    report_.evidence.boxes = grid.boxes, report_.evidence.splits = grid.splits.size();
    for (Split& s : grid.splits) report_.evidence.split_reasons.push_back(std::move(s.text));
  }

  // Block ids as symbols. False when that does not answer, and blocks have to be run one by one.
  bool in_one() {
    const bool chain = suits_chain(setup_);
    if (options_.limits.concrete_blocks || (!chain && !suits_grid(setup_))) return false;
    const auto start = std::chrono::steady_clock::now();
    GroupOptions options = options_;
    options.terms = most_terms(options_.limits, options_.limits.jobs);
    options.deadline = start + (options_.deadline - start) / 2;
    GridResult grid = chain ? prove_chain(setup_, options) : prove_grid(setup_, options, options_.deadline);
    report_.cost["grid"] = seconds_since(start);
    if (grid.answer == GridResult::Answer::undecided) {
      report_.evidence.one_by_one = grid.reason.message;
      undecided_ = grid.reason;
      return false;
    }
    if (grid.answer == GridResult::Answer::found && !confirmed(grid)) return false;
    if (grid.answer == GridResult::Answer::proved) results_ = std::move(grid.results);
    note_grid(grid);
    return true;
  }

  // What was found for many blocks at once has to show in one. The result is that block's own.
  bool confirmed(GridResult& grid) {
    bool writes_a = false, writes_ref = false;  // some block, not only the one that shows it
    for (const GroupResult& r : grid.results) writes_a |= r.writes_a, writes_ref |= r.writes_ref;
    for (GroupResult& r : grid.results) r.writes_a = writes_a, r.writes_ref = writes_ref;
    if (grid.shown && !grid.results.front().invalid.empty()) {
      results_ = std::move(grid.results);
      return true;
    }
    for (const Side side : {Side::ref, Side::a})
      for (const GroupResult& r : grid.results)
        for (const Invalid& i : r.invalid)
          if (i.side == side && i.block && invalid_block(side, *i.block)) return true;
    const auto refuted = [&](bool only_bits) {
      return grid.results | std::views::filter([=](const GroupResult& r) {
               return r.refutation && r.refutation->only_bits == only_bits && r.invalid.empty();
             });
    };
    const auto show = [&](GroupResult& r) { return take_shown(r); };
    if (!refuted(false).empty()) return std::ranges::any_of(refuted(false), show);
    return std::ranges::any_of(refuted(true), show);
  }

  // The result is the one to tell, if its difference shows in a replay or is one in bits alone.
  bool take_shown(GroupResult& r) {
    std::uint64_t threads = 0;
    for (const PreparedSide* side : {&setup_.a, &setup_.ref})
      for (const sym::Shape& shape : side->shapes) threads += shape.blocks() * shape.threads();
    if (threads <= small_launch) r.refutation->partial = false;
    Reason reason;
    if (!r.refutation->only_bits) counterexample_ = replay(setup_, *r.refutation, options_, reason);
    if (!r.refutation->only_bits && !counterexample_) return false;
    results_.push_back(std::move(r));
    return true;
  }

  bool invalid_block(Side side, std::uint64_t block) {
    const BlockList only{block}, none;
    options_.terms = most_terms(options_.limits, 1);
    sym::TermStore store;
    Group group(setup_, options_, {side == Side::a ? &only : &none, side == Side::a ? &none : &only}, store);
    group.execute();
    group.decide();
    if (group.result.invalid.empty()) return false;
    results_.push_back(std::move(group.result));
    return true;
  }

  // False when the groups do not match, or when there is but one.
  bool in_groups() {
    if (setup_.a.programs.size() != 1 || setup_.ref.programs.size() != 1) return false;
    const Partition parts = partition(setup_.a.shapes[0].grid, setup_.ref.shapes[0].grid);
    const std::size_t n = parts.a.size();
    if (n < 2) return false;
    options_.terms = most_terms(options_.limits, options_.limits.jobs);
    const unsigned jobs = options_.limits.jobs;
    options_.limits.jobs = 1;
    const auto finish = [&](bool matched) {
      options_.limits.jobs = jobs;
      return matched;
    };
    tbb::enumerable_thread_specific<std::unique_ptr<sym::TermStore>> stores(
        [] { return std::make_unique<sym::TermStore>(); });
    auto first = std::make_unique<Group>(setup_, options_, Blocks{&parts.a[0], &parts.ref[0]}, *stores.local());
    first->execute();
    if (!first->result.same_cells || std::uint64_t(first->terms()) * n < small_job) return finish(false);
    std::vector<GroupResult> results(n);
    std::atomic<bool> matched = true;
    first->decide();
    results[0] = std::move(first->result);
    first.reset();
    // What a group throws, such as std::bad_alloc, parallel_for ends with and throws here.
    tbb::task_arena arena(static_cast<int>(jobs));
    arena.execute([&] {
      tbb::parallel_for(std::size_t(1), n, [&](std::size_t i) {
        if (!matched) return;
        Group group(setup_, options_, {&parts.a[i], &parts.ref[i]}, *stores.local());
        group.execute();
        if (!group.result.same_cells) {
          matched = false;
          return;
        }
        group.decide();
        results[i] = std::move(group.result);
      });
    });
    if (!matched) return finish(false);
    Footprint a, ref;
    for (std::size_t i = 0; i < n; ++i) {
      for (Footprint* f : {&results[i].footprint_a, &results[i].footprint_ref})
        for (auto* list : {&f->reads, &f->writes})
          for (Touched& t : *list) t.group = std::uint32_t(i);
      a.add(results[i].footprint_a), ref.add(results[i].footprint_ref);
    }
    // Blocks of different groups meet: the machine that sees all blocks says what that means.
    if (conflict(a) || conflict(ref)) return finish(false);
    results_ = std::move(results);
    return finish(true);
  }

  void whole() {
    options_.terms = most_terms(options_.limits, 1);
    sym::TermStore store;
    Group group(setup_, options_, {}, store);
    group.execute();
    group.decide();
    results_.clear();
    results_.push_back(std::move(group.result));
  }

  void collect(const GroupResult& r) {
    Evidence& e = report_.evidence;
    e.obligations += r.evidence.obligations, e.by_normal_form += r.evidence.by_normal_form;
    e.by_evaluation += r.evidence.by_evaluation, e.by_enumeration += r.evidence.by_enumeration;
    e.by_solver += r.evidence.by_solver, e.shapes += r.evidence.shapes;
    e.summarised_loops += r.summarised_loops;
    for (const Finding& f : r.findings)
      if (std::none_of(report_.findings.begin(), report_.findings.end(), [&](const Finding& g) {
            return g.code == f.code && g.side == f.side && g.message == f.message;
          })) {
        report_.findings.push_back(f);
        if (f.code == "alignment-assumed") report_.assumptions.push_back(f.message);
      }
    for (const std::string& a : r.approximations)
      if (std::find(report_.approximations.begin(), report_.approximations.end(), a) == report_.approximations.end())
        report_.approximations.push_back(a);
    for (const auto& [stage, seconds] : r.cost) report_.cost[stage] += seconds;
  }

  const Invalid* first_invalid() const {
    for (const Side side : {Side::ref, Side::a})
      for (const GroupResult& r : results_)
        for (const Invalid& i : r.invalid)
          if (i.side == side) return &i;
    return nullptr;
  }

  Report conclude() {
    for (const GroupResult& r : results_) collect(r);
    if (report_.evidence.mode.empty()) {
      report_.evidence.mode = "concrete";
      for (const sym::Shape& s : setup_.a.shapes) report_.evidence.boxes += s.blocks();
    }
    report_.assumptions.insert(report_.assumptions.end(), setup_.assumptions.begin(), setup_.assumptions.end());
    assume_separate_buffers();
    if (const Invalid* invalid = first_invalid()) {
      report_.verdict = Verdict::invalid;
      for (const Side side : {Side::ref, Side::a})
        for (const GroupResult& r : results_)
          for (const Invalid& i : r.invalid)
            if (i.side == side &&
                (&i == invalid || (i.side != invalid->side && i.finding.code == invalid->finding.code)))
              add_once(i.finding);
      return std::move(report_);
    }
    warn_of_silence();
    for (const GroupResult& r : results_)
      if (r.unfinished) return inconclusive(r.reasons.front());
    for (const GroupResult& r : results_)
      if (r.refutation && !r.refutation->only_bits) return refute(*r.refutation);
    if (std::ranges::any_of(results_, [](const GroupResult& r) { return r.refutation.has_value(); }))
      return inconclusive(bits_alone());
    for (const GroupResult& r : results_)
      if (!r.reasons.empty()) return inconclusive(r.reasons.front());
    report_.verdict = Verdict::equivalent;
    report_.strength = Strength::bits;
    if (std::any_of(results_.begin(), results_.end(), [](const GroupResult& r) { return r.contraction; }))
      assume_contraction();
    return std::move(report_);
  }

  void add_once(const Finding& f) {
    if (std::none_of(report_.findings.begin(), report_.findings.end(),
                     [&](const Finding& g) { return g.code == f.code && g.side == f.side && g.at == f.at; }))
      report_.findings.push_back(f);
  }

  Report inconclusive(const Reason& reason) {
    report_.verdict = Verdict::inconclusive;
    report_.reason = reason;
    if (reason.code == ReasonCode::contractible_fp) add_contractible(Severity::warning);
    return std::move(report_);
  }

  // The question is over the reals, and that the bits differ does not answer it.
  static Reason bits_alone() {
    Reason reason;
    reason.code = ReasonCode::rounding_unbounded;
    reason.message =
        "the results differ in bits, perhaps by rounding alone; whether they agree over the reals is not decided "
        "(--float bits asks for bits)";
    return reason;
  }

  Report refute(const Refutation& refutation) {
    Reason reason;
    const auto start = std::chrono::steady_clock::now();
    auto counterexample = counterexample_ ? std::move(counterexample_) : replay(setup_, refutation, options_, reason);
    report_.cost["replay"] = seconds_since(start);
    if (!counterexample) return inconclusive(reason);
    report_.verdict = Verdict::different;
    report_.counterexample = std::move(counterexample);
    return std::move(report_);
  }

  void add_contractible(Severity severity) {
    Finding f;
    f.code = "contractible-fp", f.severity = severity, f.file = file_of(setup_.a);
    f.message =
        "a mul and an add without rounding modifier can become one fma when ptxas assembles them; .rn on both forbids "
        "it";
    add_once(f);
  }
  void assume_contraction() {
    add_contractible(Severity::info);
    report_.assumptions.push_back("mul and add without rounding modifier are not fused, or fused alike on both sides");
  }

  void assume_separate_buffers() {
    std::string names;
    std::size_t count = 0;
    for (const Buffer& b : problem_.buffers) {
      if (b.role == Role::temp) continue;
      names += (names.empty() ? "" : ", ") + b.name;
      ++count;
      if (!b.count && !b.count_of)
        report_.assumptions.push_back(fmt::format("accesses to {} stay inside it (its size is unknown)", b.name));
    }
    if (count > 1) report_.assumptions.push_back(names + " do not overlap");
  }

  void warn_of_silence() {
    // A run that did not end may have had its writes still to come.
    if (std::any_of(results_.begin(), results_.end(), [](const GroupResult& r) { return r.unfinished; })) return;
    for (const auto& [side, writes] :
         {std::pair{Side::a, &GroupResult::writes_a}, std::pair{Side::ref, &GroupResult::writes_ref}}) {
      if (std::any_of(results_.begin(), results_.end(), [w = writes](const GroupResult& r) { return r.*w; })) continue;
      Finding f;
      f.code = "writes-nothing", f.severity = Severity::warning, f.side = side;
      f.file = file_of(side == Side::a ? setup_.a : setup_.ref);
      f.message = "the kernel writes nothing that can be seen after it";
      report_.findings.push_back(std::move(f));
    }
  }

  const Problem& problem_;
  GroupOptions options_;
  Setup setup_;
  std::vector<GroupResult> results_;
  std::optional<Counterexample> counterexample_;  // replayed already
  std::optional<Reason> undecided_;               // of the whole grid at once
  Report report_;
};

// A few values of the scalars that show a fault or a difference. The first is not always the one that is told: for a
// moment more the others are looked at.
std::optional<Report> shown_by_few(const Problem& problem, Limits limits, const std::function<double()>& left) {
  constexpr double moment = 0.5;  // seconds
  std::optional<Report> out;
  double end = 0;
  for (const Problem& fixed : with_few_scalars(problem)) {
    if (out && left() < end) break;
    limits.timeout_s = left() / 8;
    Report r = Prover(fixed, limits).run();
    if ((r.verdict != Verdict::different && r.verdict != Verdict::invalid) || (out && weight(r) <= weight(*out)))
      continue;
    if (r.counterexample) add_scalars(problem, fixed, *r.counterexample);
    r.launch = scalars_text(problem, fixed);
    if (!out) end = left() - moment;
    out = std::move(r);
  }
  return out;
}

}  // namespace

// Loops whose count depends on scalars are first taken as functions of their first state. Where that does not answer,
// scalars of a few values may show why; and at last the loops are run, pass by pass.
Report prove_one(const Problem& problem, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  const auto left = [&] { return limits.timeout_s - seconds_since(start); };
  const bool counts = !free_integers(problem, problem.a).empty() || !free_integers(problem, problem.ref).empty();
  if (!counts || !open_part(problem).empty()) return Prover(problem, limits, counts).run();
  Limits share = limits;
  share.timeout_s = limits.timeout_s / 2;
  Report report = Prover(problem, share, true).run();
  if (report.verdict != Verdict::inconclusive) return report;
  if (auto shown = shown_by_few(problem, limits, left)) return std::move(*shown);
  share.timeout_s = left();
  Report unrolled = Prover(problem, share).run();
  return unrolled.verdict != Verdict::inconclusive ? unrolled : report;
}

bool is_proved(const Problem& problem, const Limits& limits) { return Prover(problem, limits, true).proves(); }

Report check_behaviour(const Problem& problem, const Limits& limits) {
  Report report;
  const Setup setup = prepare(problem);
  if (setup.failed_a) {
    report.verdict = Verdict::inconclusive;
    report.reason = reason_of(setup.failed_a, Side::a, file_of(setup.a));
    return report;
  }
  GroupOptions options;
  options.limits = limits;
  options.limits.jobs = workers(options.limits.jobs);
  options.deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                            std::chrono::duration<double>(limits.timeout_s));
  options.terms = most_terms(limits, 1);
  options.only_a = true;
  sym::TermStore store;
  Group group(setup, options, {}, store);
  group.execute();
  group.decide();
  report.findings = group.result.findings;
  report.approximations.assign(group.result.approximations.begin(), group.result.approximations.end());
  report.cost = group.result.cost;
  for (const Invalid& i : group.result.invalid) report.findings.push_back(i.finding), report.verdict = Verdict::invalid;
  if (report.verdict == Verdict::none && !group.result.reasons.empty()) {
    report.verdict = Verdict::inconclusive;
    report.reason = group.result.reasons.front();
  }
  return report;
}

}  // namespace ptxeq::check
