// A question with every name resolved: which kernels, launched how, on which buffers. Specs and flags both end
// here (checker/spec.h, checker/flags.h); proving, running and checking start here.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/module.h"

namespace ptxeq::check {

enum class Role : std::uint8_t { in, out, inout, temp };

struct Buffer {
  std::string name;
  ir::Type type = ir::Type::b8;
  std::optional<std::uint64_t> count;  // elements; nothing: unknown size, bounds unchecked
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

struct Launch {
  const ir::Function* kernel = nullptr;  // in its side's module
  Dim3 grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared = 0;    // dynamic shared memory, bytes
  std::vector<Argument> args;  // one a parameter
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
