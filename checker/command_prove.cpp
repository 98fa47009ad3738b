// prove A REF: do both leave the same memory behind?
#include <fmt/format.h>

#include <iterator>

#include "checker/command_input.h"
#include "checker/prove.h"
#include "checker/watchdog.h"

namespace ptxeq::check {
namespace {

// How much an answer is worth; more is stronger.
int rank(Strength strength) {
  return strength == Strength::bits ? 3 : strength == Strength::real ? 2 : strength == Strength::tested ? 1 : 0;
}

// By default what the question asks for, where `auto` is content with the reals.
Strength wanted(const Options& options, Float floats) {
  return options.min_strength.value_or(floats == Float::bits ? Strength::bits : Strength::real);
}

void demand(Report& report, Strength least) {
  const bool weak_proof = report.verdict == Verdict::equivalent && rank(report.strength) < rank(least);
  if (!weak_proof) return;
  report.verdict = Verdict::inconclusive;
  report.reason = Reason{
      ReasonCode::rounding_unbounded,
      fmt::format("proved with strength '{}'; '{}' is asked for (--min-strength)", name(report.strength), name(least)),
      std::nullopt, "", 0};
}

}  // namespace

Answer command_prove(const Options& options) {
  Watchdog watchdog(options);
  Input input(options);
  const bool read_a = input.read_module(Side::a);
  const bool read_ref = input.read_module(Side::ref);
  const bool ready = read_a && read_ref && input.read_question(true);
  Report known = input.take_report();
  if (!ready) return watchdog.finish(std::move(known), input.take_messages());

  Report report = prove(input.problem(), watchdog.limits());
  demand(report, wanted(options, input.problem().floats));
  report.title_a = std::move(known.title_a);
  report.title_ref = std::move(known.title_ref);
  report.context.insert(report.context.begin(), known.context.begin(), known.context.end());
  std::move(known.findings.begin(), known.findings.end(), std::back_inserter(report.findings));
  report.cost.merge(known.cost);
  return watchdog.finish(std::move(report));
}

}  // namespace ptxeq::check
