// A problem made ready to run: all objects in one world, each launch's kernel compiled.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "checker/obligation.h"
#include "checker/problem.h"
#include "symbolic/machine.h"

namespace ptxeq::check {

struct PreparedSide {
  std::vector<sym::Program> programs;  // one a launch
  std::vector<sym::Shape> shapes;
  std::vector<sym::ObjectId> buffers;  // by Problem::buffers; a temp buffer differs between the sides
  const ProblemSide* problem = nullptr;
  bool by_index = false;  // its one launch is fixed, and looked at as one that is not (open_launch.h)
};

struct Setup {
  const Problem* problem = nullptr;
  sym::World world;
  PreparedSide a, ref;
  sym::Stop failed_a, failed_ref;       // a kernel that cannot be compiled
  std::vector<sym::ObjectId> unpaired;  // module variables that the other side does not have, or has otherwise
  std::vector<sym::ObjectId> compared;  // objects whose final bytes both sides must agree on
  std::vector<std::string> assumptions;
  std::set<sym::ObjectId> unknown;  // objects that hold anything by now, whatever the preconditions say
};

using BlockList = std::vector<std::uint64_t>;  // linear numbers of blocks
inline std::span<const BlockList> list_of(const BlockList* blocks) { return {blocks, blocks ? 1u : 0u}; }

Setup prepare(const Problem& problem);

// What a leaf may be, from the buffers' and scalars' preconditions.
LeafDomains leaf_domains(const Setup& setup);

// A side's state before its first launch. `initial` and `scalar` give concrete inputs, or nothing for symbols.
using ScalarBytes = std::function<std::optional<std::vector<std::uint8_t>>(std::uint32_t scalar)>;
void store_arguments(const Setup& setup, const PreparedSide& side, std::size_t launch, sym::SideState& state,
                     sym::SymbolicDomain& domain, const ScalarBytes& scalar);

// Runs blocks of a side, in order; `blocks`: by launch, empty: all.
void run_side(const Setup& setup, const PreparedSide& side, sym::SideState& state, sym::SymbolicDomain& domain,
              const sym::MachineOptions& options, const ScalarBytes& scalar, std::span<const BlockList> blocks = {});

sym::Dim3 block_at(const sym::Shape& shape, std::uint64_t linear);
std::uint64_t linear_block(const sym::Shape& shape, const sym::Dim3& block);

// A Stop as the report's reason.
Reason reason_of(const sym::Stop& stop, Side side, const std::string& file);

// Which file and function a side's locations are in.
const std::string& file_of(const PreparedSide& side);

}  // namespace ptxeq::check
