// check A: can it be assembled, and does it race, leave its buffers or diverge at barriers?
#include <iterator>

#include "checker/command_input.h"
#include "checker/prove.h"
#include "checker/watchdog.h"

namespace ptxeq::check {

Answer command_check(const Options& options) {
  Watchdog watchdog(options);
  Input input(options);
  if (!input.read_module(Side::a)) {
    Report report = input.take_report();
    return watchdog.finish(std::move(report), input.take_messages());
  }
  const bool launch_known = !options.spec.empty() || options.launch.any();
  if (!launch_known) {
    Report report = input.take_report();
    report.title_a = options.a;
    report.context.push_back("launch   not known: --grid and --block let races, bounds and barriers be checked");
    return watchdog.finish(std::move(report));
  }
  const bool ready = input.read_question(false) && input.require_fixed_launch();
  Report known = input.take_report();
  if (!ready) return watchdog.finish(std::move(known), input.take_messages());

  Report report = check_behaviour(input.problem(), watchdog.limits());
  report.title_a = std::move(known.title_a);
  report.context.insert(report.context.begin(), known.context.begin(), known.context.end());
  std::move(known.findings.begin(), known.findings.end(), std::back_inserter(report.findings));
  report.cost.merge(known.cost);
  return watchdog.finish(std::move(report));
}

}  // namespace ptxeq::check
