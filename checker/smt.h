// Solving by Z3, which only the files checker/smt*.cpp know.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/shape.h"

namespace ptxeq::check {

enum class SmtResult : std::uint8_t { sat, unsat, unknown };
struct SmtAnswer {
  SmtResult result = SmtResult::unknown;
  std::vector<u64> leaves;  // sat: their values
};

struct SmtOptions {
  Deadline deadline;
  unsigned jobs = 1;
  std::string dump;  // file for the query, empty: none
};

// Are there values of the leaves, each in its domain or as `fixed` says, and functions for the approximate and
// unspecified nodes, so that the shape's first root (1 bit wide) is 1? Anything but a clean answer is unknown
// (SOUNDNESS rule 20). A model is a hint: functions are not part of it, so it is evaluated before it counts.
SmtAnswer solve(const Shape& shape, const SmtOptions& options, const std::vector<std::optional<u64>>& fixed = {});

// The solver's version, for reports.
std::string smt_version();

}  // namespace ptxeq::check
