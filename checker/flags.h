// A question asked by flags alone: what they leave out is inferred from the kernels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/spec.h"

namespace ptxeq::check {

// Flags as text; the empty string means not given.
struct SideFlags {
  std::string kernel, grid, block, shared, args;
};

struct LaunchFlags {
  SideFlags both, a, ref;            // --grid, --a-grid, --ref-grid
  std::vector<std::string> values;   // --arg NAME=VALUE
  std::vector<std::string> buffers;  // --buffer NAME=f32[1024]
  bool any() const;                  // was one given?
};

struct FlagsResult {
  Spec spec;
  std::vector<std::string> usage;  // what is wrong with the flags, or missing
  std::vector<Finding> findings;   // what does not fit between the kernels (param-mismatch)
};

// `ref` is null when one kernel is looked at.
FlagsResult read_flags(const LaunchFlags& flags, const ir::Module& a, const ir::Module* ref);

}  // namespace ptxeq::check
