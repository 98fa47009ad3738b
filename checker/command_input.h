// What commands have in common: reading the files, binding spec or flags, and answering with a report.
#pragma once

#include <optional>
#include <string>

#include "checker/command_list.h"
#include "checker/spec.h"
#include "ir/module.h"

namespace ptxeq::check {

// Files read so far, and everything that was wrong with them. Modules stay put: problems point into them.
class Input {
 public:
  explicit Input(const Options& options) : options_(options) {}
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // Each is false when there is an error to report.
  bool read_module(Side side);
  bool read_question(bool pair);  // --spec or flags, bound to the modules
  bool require_fixed_launch();    // of the question, for commands that look at one launch

  const ir::Module& module(Side side) const { return side == Side::a ? *a_ : *ref_; }
  const Spec& spec() const { return spec_; }
  const Problem& problem() const { return problem_; }
  // Findings, costs and, after an error, the reason; messages are the findings as people read them.
  Report take_report() { return std::move(report_); }
  std::string take_messages() { return std::move(messages_); }

 private:
  bool read_spec_file();
  bool read_launch_flags(const ir::Module* ref);
  bool note(std::vector<Finding> findings, ReasonCode code, const std::vector<std::string>& lines);
  bool fail(ReasonCode code, std::string message);
  const std::vector<std::string>& lines_of(const Finding& finding) const;

  const Options& options_;
  std::optional<ir::Module> a_, ref_;
  Spec spec_;
  Problem problem_;
  Report report_;
  std::string messages_;
};

// Limits with what is left of --timeout.
Limits remaining(const Options& options);

}  // namespace ptxeq::check
