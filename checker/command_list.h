// One function a command.
#pragma once

#include "checker/cli.h"

namespace ptxeq::check {

Answer command_prove(const Options& options);
Answer command_check(const Options& options);
Answer command_run(const Options& options);
Answer command_spec(const Options& options);
Answer command_isa(const Options& options);
std::string_view isa_notation();  // explains what `isa` prints

// A report that says only why there is no answer.
Report failure(ReasonCode code, std::string message);
// The report as the options want it; `err` has findings already rendered for people.
Answer answer(Report report, const Options& options, std::string err = "");

}  // namespace ptxeq::check
