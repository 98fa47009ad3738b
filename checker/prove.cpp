// From a problem to its questions, one for each block of a list, and to what is told of their answers; and
// preconditions under which the kernels would be equivalent.
#include "checker/prove.h"

#include <algorithm>

#include "checker/elapsed.h"
#include "checker/precondition.h"
#include "checker/prove_one.h"
#include "checker/witness_launch.h"

namespace ptxeq::check {

namespace {

void add_texts(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& text : from)
    if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
}

// The weightier report, with what the other one rests on.
Report merged(Report x, Report y) {
  if (weight(y) > weight(x)) std::swap(x, y);
  if (weight(y) == 0) return x;
  Evidence& e = x.evidence;
  const Evidence& f = y.evidence;
  e.boxes += f.boxes, e.splits += f.splits, e.obligations += f.obligations, e.by_normal_form += f.by_normal_form;
  e.by_evaluation += f.by_evaluation, e.by_enumeration += f.by_enumeration, e.by_solver += f.by_solver;
  e.shapes += f.shapes, e.summarised_loops += f.summarised_loops;
  add_texts(x.assumptions, y.assumptions), add_texts(x.approximations, y.approximations);
  for (const Finding& g : y.findings)
    if (g.severity != Severity::critical && std::none_of(x.findings.begin(), x.findings.end(), [&](const Finding& h) {
          return h.code == g.code && h.side == g.side && h.at == g.at;
        }))
      x.findings.push_back(g);
  for (const auto& [stage, seconds] : y.cost) x.cost[stage] += seconds;
  return x;
}

// A list of blocks is as many questions.
Report prove_each(const Problem& problem, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Problem> questions = one_block_each(problem);
  std::optional<Report> report;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    Limits share = limits;
    share.timeout_s = (limits.timeout_s - seconds_since(start)) / double(questions.size() - i);
    Report next = prove_one(questions[i], share);
    report = report ? merged(std::move(*report), std::move(next)) : std::move(next);
  }
  return *report;
}

bool proves_each(const Problem& problem, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Problem> questions = one_block_each(problem);
  return std::all_of(questions.begin(), questions.end(), [&](const Problem& q) {
    Limits left = limits;
    left.timeout_s -= seconds_since(start);
    return is_proved(q, left);
  });
}

bool undecided(const Report& r) {
  return r.verdict == Verdict::inconclusive && r.reason->code != ReasonCode::unsupported &&
         r.reason->code != ReasonCode::spec;
}

// May launches have so many threads that no index of 32 bits tells them apart?
bool unbounded(const Problem& problem) {
  for (const ProblemSide* side : {&problem.a, &problem.ref})
    for (const Launch& l : side->launches)
      if (l.open && l.open->any_grid && !l.open->max_threads) return true;
  return false;
}

}  // namespace

// Without a verdict, or with one that speaks against the kernels, a precondition is looked for under which they are
// equivalent. Where launches are not bounded that comes first: it tells how long a proof may take that there seldom is.
Report prove(const Problem& problem, const Limits& limits) {
  const double patience = std::max(2.5 + 0.5 * double(one_block_each(problem).size()), limits.timeout_s / 16);  // s
  if (open_part(problem).empty()) return prove_one(problem, limits);
  const auto start = std::chrono::steady_clock::now();
  const auto left = [&] { return limits.timeout_s - seconds_since(start); };
  Limits share = limits;
  Preconditions more(problem, [&](const Problem& question, double seconds) {
    share.timeout_s = seconds;
    return proves_each(question, share);
  });
  const auto within = [&](double seconds) {
    Limits some = limits;
    some.timeout_s = std::min(left(), seconds);
    return prove_each(problem, some);
  };
  const bool wide = unbounded(problem);
  const auto took = wide ? more.hold(std::min(limits.timeout_s / 4, patience)) : std::nullopt;
  std::optional<Report> report;
  if (wide) report = within(std::max(4 * took.value_or(0) + 1, limits.timeout_s / 32));
  if (!report || (undecided(*report) && !took)) report = within(std::max(left() * 3 / 4, left() - patience));
  if (undecided(*report) || report->verdict == Verdict::different || report->verdict == Verdict::invalid)
    report->precondition = more.needed(std::min({left(), limits.timeout_s / 6, patience}));
  return std::move(*report);
}

}  // namespace ptxeq::check
