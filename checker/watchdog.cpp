#include "checker/watchdog.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "checker/command_input.h"

namespace ptxeq::check {
namespace {
// Longest that a step may take to notice the deadline by itself; with it the run ends within a second.
constexpr auto grace = std::chrono::milliseconds(700);
constexpr auto memory_period = std::chrono::milliseconds(10);

std::uint64_t resident_mib() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0, resident = 0;  // in pages
  file >> size >> resident;
  return resident * std::uint64_t(sysconf(_SC_PAGESIZE)) >> 20;
}
}  // namespace

Watchdog::Watchdog(const Options& options) : options_(options), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  claim();
  thread_.join();
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  const auto& limits = options_.limits;
  const auto allowed = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.timeout_s));
  const auto end = options_.start + allowed + grace;
  for (;;) {
    const auto next = limits.memory_mib ? std::min(Clock::now() + memory_period, end) : end;
    if (wake_.wait_until(lock, next, [this] { return done_; })) return;
    if (Clock::now() >= end)
      speak(ReasonCode::timeout, fmt::format("not finished after {} s (--timeout), {}", limits.timeout_s, stage_));
    if (limits.memory_mib && resident_mib() > limits.memory_mib)
      speak(ReasonCode::memory, fmt::format("more than {} MiB are needed (--memory), {}", limits.memory_mib, stage_));
  }
}

// Called with the lock held, so nobody else prints.
void Watchdog::speak(ReasonCode code, std::string message) {
  Report report = failure(code, std::move(message));
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

Limits Watchdog::limits() {
  Limits limits = remaining(options_);
  limits.stage = [this](std::string what) {
    const std::lock_guard lock(mutex_);
    stage_ = std::move(what);
  };
  return limits;
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
