// run A: executes one kernel on the spec's contents and shows what it leaves behind.
#include "checker/command_input.h"
#include "checker/print.h"
#include "checker/prove.h"
#include "checker/watchdog.h"

namespace ptxeq::check {
namespace {

// Why this problem cannot be run; empty when it can.
std::string not_runnable(const Problem& problem) {
  for (const auto& buffer : problem.buffers)
    if (!buffer.count)
      return "the size of '" + buffer.name + "' is not known: give --buffer " + buffer.name +
             "=TYPE[COUNT], or count in the spec";
  for (const auto& scalar : problem.scalars)
    if (!scalar.value)
      return "the scalar '" + scalar.name + "' has no value: give --arg " + scalar.name +
             "=VALUE, or value in the spec";
  return "";
}

}  // namespace

Answer command_run(const Options& options) {
  Watchdog watchdog(options);
  Input input(options);
  const bool ready = input.read_module(Side::a) && input.read_question(false) && input.require_fixed_launch();
  Report known = input.take_report();
  if (!ready) return watchdog.finish(std::move(known), input.take_messages());
  const auto& problem = input.problem();
  if (const auto why = not_runnable(problem); !why.empty())
    return watchdog.finish(failure(options.spec.empty() ? ReasonCode::usage : ReasonCode::spec, why));

  RunResult result = run(problem, watchdog.limits());
  bool critical = false;
  for (const auto& finding : result.findings) critical |= finding.severity == Severity::critical;
  if (result.reason || critical) {
    known.verdict = critical ? Verdict::invalid : Verdict::inconclusive;
    known.reason = std::move(result.reason);
    known.findings.insert(known.findings.begin(), result.findings.begin(), result.findings.end());
    return watchdog.finish(std::move(known));
  }
  Answer answer;
  answer.out = options.json ? print_json(problem, result)
                            : print_text(problem, result, {options.color, options.limits.verbose, options.quiet});
  return watchdog.finish(std::move(answer));
}

}  // namespace ptxeq::check
