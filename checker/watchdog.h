// Keeps the promises of --timeout and --memory even where a step does not look: a while after the deadline, or past
// the memory limit, it answers "inconclusive" itself and ends the program.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "checker/command_list.h"

namespace ptxeq::check {

class Watchdog {
 public:
  explicit Watchdog(const Options& options);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // The limits for what is left of the time; they tell the watchdog what is being done.
  Limits limits();

  // The command's own answer. From here on the watchdog is silent; if it has spoken, this does not return.
  Answer finish(Report report, std::string err = "") const;
  Answer finish(Answer answer) const;

 private:
  void watch();
  [[noreturn]] void speak(ReasonCode code, std::string message);
  void claim() const;

  const Options& options_;
  mutable std::mutex mutex_;
  mutable std::condition_variable wake_;
  mutable bool done_ = false;
  std::string stage_ = "reading the files";
  std::thread thread_;
};

}  // namespace ptxeq::check
