// Reports as text for people and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "checker/prove.h"
#include "checker/report.h"
#include "ir/isa.h"

namespace ptxeq::check {

struct TextStyle {
  bool color = false;
  bool verbose = false;  // everything; else at most a screen
  bool quiet = false;    // the verdict's line alone
};

std::string print_text(const Report& report, const TextStyle& style);
std::string print_json(const Report& report);

// `run`: the buffers' contents after the launch.
std::string print_text(const Problem& problem, const RunResult& result, const TextStyle& style);
std::string print_json(const Problem& problem, const RunResult& result);

// `isa`: rows of the instruction table.
using IsaForms = std::vector<const ir::Form*>;
std::string print_isa_text(const IsaForms& forms);
std::string print_isa_json(const IsaForms& forms);

std::string print_spec_json(const std::string& toml);

// The head lines of a report on this problem: "grid     a 4×256 threads, ref 1×256".
std::vector<std::string> describe(const Problem& problem);

std::string_view version();  // ptxeq's own
std::string z3_version();

}  // namespace ptxeq::check
