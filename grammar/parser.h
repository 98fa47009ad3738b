// Runs ANTLR over a text, one statement at a time.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "PtxParser.h"
#include "grammar/diagnostics.h"
#include "grammar/prescan.h"

namespace ptxeq::grammar {

// Calls `statement` for each that parses. The tree dies after the call. A statement that does not parse becomes one
// finding; where it was a function's head, `lost_head` is told, so that the body has something to stand in.
struct ParserEvents {
  std::function<void(PtxParser::StatementContext&, std::string_view chunk)> statement;
  std::function<void(Location)> lost_head;
};
struct ParserStatistics {
  unsigned second_stage = 0;  // statements that SLL prediction did not take and LL did
};
ParserStatistics parse(std::string_view text, const std::vector<Chunk>& chunks, Diagnostics& out,
                       const ParserEvents& events);

}  // namespace ptxeq::grammar
