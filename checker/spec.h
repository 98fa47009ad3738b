// A question as people write it: kernels, buffers and arguments by name. A file (spec_read.cpp) or flags (flags.cpp)
// make one; spec_resolve.cpp binds it to the modules and gives the Problem.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/problem.h"
#include "ir/finding.h"

namespace ptxeq::check {

struct LaunchSpec {
  Location at;                      // of its table
  std::string kernel;               // empty: the module's only one
  std::optional<Dim3> grid, block;  // nothing when open; no block that is not open either: the kernel's .reqntid
  OpenLaunch open;                  // "any", a list of blocks, and bounds that a fixed launch keeps to as well
  std::uint64_t shared = 0;
  std::vector<std::string> args;  // "x", "x+256", "0"
  bool has_args = false;
};

struct Spec {
  std::string file;                // empty: made from flags
  std::vector<std::string> lines;  // its text, for carets
  std::string title, family, expect;
  std::vector<std::string> accept;
  Float floats = Float::auto_;
  std::vector<Buffer> buffers;
  std::vector<Scalar> scalars;
  std::map<std::string, Location, std::less<>> places;  // where each buffer and scalar is described
  std::vector<LaunchSpec> a, ref;
};

struct SpecResult {
  Spec spec;
  std::vector<Finding> findings;  // critical ones mean that the spec is in error
};

SpecResult read_spec(std::string_view text, std::string file);

struct Resolution {
  Problem problem;
  std::vector<Finding> findings;  // critical ones mean that there is no problem to look at
};

// Binds a spec to the modules, which must outlive the problem; `ref` is null when one kernel is looked at.
Resolution resolve(const Spec& spec, const ir::Module& a, const ir::Module* ref);

// The kernel called `name`, or the only one when `name` is empty; else `error` says which there are.
const ir::Function* find_kernel(const ir::Module& module, std::string_view name, std::string& error);
// The block that .reqntid demands.
std::optional<Dim3> required_block(const ir::Function& kernel);
// Most threads that a block of it may have: .maxntid's, or what any GPU takes.
std::uint64_t most_threads(const ir::Function& kernel);
// Why a GPU would refuse this launch; empty when it would not.
std::string launch_error(const ir::Function& kernel, const Dim3& grid, const Dim3& block);

// The candidate that a misspelt word most likely means; nothing when none is close.
std::optional<std::string_view> nearest(std::string_view word, const std::vector<std::string_view>& candidates);
// " (did you mean 'count'?)" or "".
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);
// "a, b or c"
std::string one_of(const std::vector<std::string_view>& words);

// Types that a buffer or scalar may have, by the names that a spec uses.
const std::vector<std::string_view>& spec_type_names();
std::optional<ir::Type> spec_type(std::string_view name);

}  // namespace ptxeq::check
