// The final memories of two sides, byte for byte.
#pragma once

#include <vector>

#include "checker/places.h"
#include "checker/setup.h"

namespace ptxeq::check {

// Bytes [offset, offset + size) of an object whose final values the two sides may not agree on.
struct Mismatch {
  sym::ObjectId object = 0;
  std::uint64_t offset = 0;
  unsigned size = 0;
  sym::Value a, ref;
  sym::Tag form = sym::concrete_tag;  // of the view that `offset` counts in
};

struct Comparison {
  std::uint64_t compared = 0;        // cells that a side wrote
  std::vector<Mismatch> mismatches;  // those that are not the same value at sight
  std::vector<Mismatch> doubtful;    // the same, but resting on what nobody wrote or on where an object lies
  bool same_cells = true;            // both sides wrote the same bytes
  bool contraction = false;          // a value that is the same holds a mul/add pair that may be fused
};

// Compares the objects in `setup.compared`. Splits cells where the sides' differ in size. With `written_by` only what
// that side wrote, with `only` what lies there.
Comparison compare(const Setup& setup, sym::SideState& a, sym::SideState& ref, sym::SymbolicDomain& domain,
                   std::optional<Side> written_by = {}, const Places* only = nullptr);

}  // namespace ptxeq::check
