// A linear look at the text before it is parsed: what no parser should have to see, and where it may be cut.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grammar/diagnostics.h"
#include "grammar/reader.h"

namespace ptxeq::grammar {

// A run of whole statements, ending behind a ';' outside brackets that are no block's.
struct Chunk {
  std::size_t begin = 0, end = 0;  // offsets into the text
  Location at;                     // of `begin`
};

struct Prescan {
  bool usable = true;  // else nothing is parsed; the findings say why
  std::vector<Chunk> chunks;
};

Prescan prescan(std::string_view text, const Limits& limits, Diagnostics& out);

}  // namespace ptxeq::grammar
