// A question with every name resolved: which kernels, launched how, on which buffers. Specs and flags both end
// here (checker/spec.h, checker/flags.h); proving, running and checking start here.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/expression.h"
#include "ir/module.h"

namespace ptxeq::check {

enum class Role : std::uint8_t { in, out, inout, temp };

struct Buffer {
  std::string name;
  ir::Type type = ir::Type::b8;
  std::optional<std::uint64_t> count;  // elements; nothing beside no count_of: unknown size, bounds unchecked
  std::optional<Expression> count_of;  // elements where they depend on scalars without value; then there is no count
  Role role = Role::inout;
  std::uint64_t align = 256;                                  // bytes
  bool finite = false;                                        // values = "finite"
  std::optional<std::array<double, 2>> values;                // inclusive range of every element, no NaN
  std::optional<std::array<std::int64_t, 2>> integer_values;  // the same for integer types, exact
  std::vector<std::uint64_t> init;  // element bit patterns for `run` and `test`; empty: from the seed
  std::vector<std::uint64_t> shape, strides;
  bool from_spec = true;  // false: made up for a bare pointer
};

struct Scalar {
  std::string name;
  ir::Type type = ir::Type::u32;
  std::uint64_t size = 4;                          // bytes; differs from the type's for b8[N]
  std::optional<std::vector<std::uint8_t>> value;  // little-endian bytes; nothing: a symbol
  std::optional<std::array<std::int64_t, 2>> range;
  std::uint64_t multiple_of = 1;
};

struct Argument {
  enum class Kind : std::uint8_t { buffer, scalar, literal } kind = Kind::literal;
  std::uint32_t index = 0;   // into Problem::buffers or scalars
  std::uint64_t offset = 0;  // bytes, buffers only
  std::uint64_t value = 0;   // literal
};

using Dim3 = std::array<std::uint32_t, 3>;
inline constexpr Dim3 most_blocks{0x7fffffff, 65535,
                                  65535};  // of a grid (CUDA C++ Programming Guide, compute capabilities)
inline constexpr std::uint64_t most_block_threads = 1024;
inline constexpr std::int64_t most_buffer_bytes = std::int64_t(1) << 40;  // more than a device has

// What of a launch is not fixed: the question is about every launch that the kernel allows (.maxntid, the GPU's limits)
// and that keeps to all of this. Scalars in bounds are those without value.
struct OpenLaunch {
  bool any_grid = false, any_block = false;            // one of them; the other one is as the launch says
  std::vector<Dim3> blocks;                            // those that any_block allows; empty: all
  std::optional<Expression> min_threads, max_threads;  // of the whole grid, both included
};

struct Launch {
  const ir::Function* kernel = nullptr;  // in its side's module
  Dim3 grid{1, 1, 1}, block{1, 1, 1};
  std::optional<OpenLaunch> open;  // nothing: grid and block are fixed
  std::uint64_t shared = 0;        // dynamic shared memory, bytes
  std::vector<Argument> args;      // one a parameter
};

struct ProblemSide {
  const ir::Module* module = nullptr;
  std::vector<Launch> launches;  // in order; memory persists between them
};

enum class Float : std::uint8_t { auto_, bits, real };

struct Problem {
  std::vector<Buffer> buffers;
  std::vector<Scalar> scalars;
  ProblemSide a, ref;  // ref has no launches when only one kernel is looked at
  Float floats = Float::auto_;
};

// The first launch or size that is not fixed, as a message says it (`grid = "any"`); empty when all are.
std::string open_part(const Problem& problem);
// The integer scalars without value that the side's kernels are given.
std::set<std::uint32_t> free_integers(const Problem& problem, const ProblemSide& side);
// As it would stand in a spec.
std::string to_text(const Problem& problem, const Expression& expression);

struct Limits {
  double timeout_s = 60;         // whole run
  std::uint64_t memory_mib = 0;  // 0: no limit
  unsigned jobs = 0;             // threads; 0: all cores
  std::uint64_t seed = 0;
  unsigned unroll = 4096;        // iterations of a loop with a data-dependent count
  bool concrete_blocks = false;  // each block of the grid runs on its own: no block id is a symbol
  std::string dump_smt2;         // folder, empty: none
  bool verbose = false;
  std::function<void(std::string)> stage;  // told what is being done, from any thread; may be empty
};

}  // namespace ptxeq::check
