// The instruction table's semantics as functions over lanes, one entry a row (Opcode::form).
#pragma once

#include <vector>

#include "symbolic/concrete.h"
#include "symbolic/symbolic_domain.h"

namespace ptxeq::sym {

inline constexpr unsigned max_sources = 6, max_results = 4;

// The lanes that an operation works on: `count` numbers at `index`, or the range that begins at `first`.
struct Lanes {
  const std::uint16_t* index = nullptr;  // nullptr: a range
  unsigned first = 0;
  unsigned count = 0;
  unsigned operator[](unsigned i) const { return index ? index[i] : first + i; }
};

struct ConcreteSource {
  const u64* bits = nullptr;  // by lane
  unsigned width = 0;
};
using ConcreteLoop = void (*)(ConcreteDomain& domain, const ir::Opcode& op, const Lanes& lanes,
                              const ConcreteSource* sources, u64* const* results);
// `in` holds `sources` values a lane, `out` `results` values a lane, for `count` lanes in order.
using SymbolicLoop = void (*)(SymbolicDomain& domain, const ir::Opcode& op, unsigned count, const Value* in,
                              Value* out);

struct Semantics {
  unsigned sources = 0, results = 0;
  ConcreteLoop concrete = nullptr;
  SymbolicLoop symbolic = nullptr;
};

// nullptr functions for rows that do not compute.
const std::vector<Semantics>& semantics();

}  // namespace ptxeq::sym
