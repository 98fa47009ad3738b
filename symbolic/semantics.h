// The instruction table's semantics as functions over lanes, one entry a row (Opcode::form).
#pragma once

#include <algorithm>
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
  // Between an array by lane and one by position, for `n` positions from `from` on.
  void gather(const u64* by_lane, unsigned from, unsigned n, u64* by_position) const {
    if (!index) {
      std::copy_n(by_lane + first + from, n, by_position);
      return;
    }
    for (unsigned i = 0; i < n; ++i) by_position[i] = by_lane[index[from + i]];
  }
  void scatter(const u64* by_position, unsigned from, unsigned n, u64* by_lane) const {
    if (!index) {
      std::copy_n(by_position, n, by_lane + first + from);
      return;
    }
    for (unsigned i = 0; i < n; ++i) by_lane[index[from + i]] = by_position[i];
  }
};

struct ConcreteSource {
  const u64* bits = nullptr;  // by lane
  unsigned width = 0;
};
using ConcreteLoop = void (*)(ConcreteDomain& domain, const ir::Opcode& op, const Lanes& lanes,
                              const ConcreteSource* sources, u64* const* results);

// Columns of values, one a lane. All values of a column have one width, which ir/typing.cpp sees to.
struct SymbolicSource {
  const u64* bits = nullptr;
  const Tag* tags = nullptr;  // nullptr: all have `tag`
  Tag tag = concrete_tag;
  unsigned width = 0;
  Value operator[](unsigned i) const { return {bits[i], tags ? tags[i] : tag, width}; }
};
struct SymbolicResult {
  u64* bits = nullptr;
  Tag* tags = nullptr;
  unsigned width = 0;  // set by the loop
};
using SymbolicLoop = void (*)(SymbolicDomain& domain, const ir::Opcode& op, unsigned count,
                              const SymbolicSource* sources, SymbolicResult* results);
// The same where every operand is a term in all lanes and so is the result, of their width. The result's column may be
// an operand's.
using TermLoop = void (*)(TermStore& store, Attr attr, unsigned width, unsigned count, const u64* const* sources,
                          u64* result);

struct Semantics {
  unsigned sources = 0, results = 0;
  ConcreteLoop concrete = nullptr;
  SymbolicLoop symbolic = nullptr;
  TermLoop terms = nullptr;  // of a few rows
};

// nullptr functions for rows that do not compute.
const std::vector<Semantics>& semantics();

}  // namespace ptxeq::sym
