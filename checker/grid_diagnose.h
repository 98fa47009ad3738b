// What the bytes that all units of both sides touch say about a grid: that no two units meet and both sides write the
// same bytes; or which few blocks, run one by one, may show a race or a difference.
#pragma once

#include <vector>

#include "checker/group.h"

namespace ptxeq::check {

// All units of a side, by boxes.
struct Swept {
  std::vector<Box> boxes;
  std::vector<Piece> pieces;
  Reach reach;
  Sections missing;  // bytes for which no unit of the other side was found, and that were compared as if it has none
};

struct Diagnosis {
  bool separate = false;           // no two units of a side touch what one of them writes
  bool harmless = false;           // or if so, they store the same, and nobody reads it
  bool same_bytes = false;         // both sides write the same bytes
  Reason reason;                   // why not
  std::vector<GroupResult> shown;  // a fault or a difference that some blocks, run one by one, have
};

// `differences`: bytes that one side alone writes are looked into, too. A launch that is not fixed has no blocks to
// run: then nothing is shown.
Diagnosis diagnose(const Setup& setup, const GroupOptions& options, const Swept& a, const Swept& ref, bool differences);

// Does no unit of the side write any of these bytes?
bool nobody_writes(const Swept& side, const Sections& bytes);

// Does no unit write the byte?
bool nobody_writes(const Swept& side, sym::ObjectId object, std::int64_t byte);

}  // namespace ptxeq::check
