#include "checker/watchdog.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace ptxeq::check {
namespace {
// Longest that a step may take to notice the deadline by itself; with it the run ends within a second.
constexpr auto grace = std::chrono::milliseconds(700);
}  // namespace

Watchdog::Watchdog(const Options& options) : options_(options), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  claim();
  thread_.join();
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  const auto limit =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.limits.timeout_s));
  if (wake_.wait_until(lock, options_.start + limit + grace, [this] { return done_; })) return;
  // The lock stays held: nobody else prints.
  Report report = failure(ReasonCode::timeout, fmt::format("not finished after {} s", options_.limits.timeout_s));
  report.verdict = Verdict::inconclusive;
  const Answer late = answer(std::move(report), options_);
  std::fputs(late.out.c_str(), stdout);
  std::fflush(stdout);
  std::_Exit(late.exit);
}

void Watchdog::claim() const {
  const std::lock_guard lock(mutex_);
  done_ = true;
  wake_.notify_all();
}

Answer Watchdog::finish(Report report, std::string err) const {
  claim();
  return answer(std::move(report), options_, std::move(err));
}

Answer Watchdog::finish(Answer answer) const {
  claim();
  return answer;
}

}  // namespace ptxeq::check
