// Reads PTX text into IR. ANTLR stays inside this folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module.h"

namespace ptxeq::grammar {

struct Limits {
  std::size_t bytes = std::size_t(32) << 20;  // longest input
  unsigned nesting = 256;                     // deepest { } ( ) [ ]
  unsigned errors = 20;                       // critical findings after which reading stops
};

struct Result {
  std::optional<ir::Module> module;  // nothing when the text has no usable structure
  std::vector<Finding> findings;     // sorted by place; `side` is left at Side::a
  unsigned second_stage = 0;         // statements that needed full LL prediction: none should
  bool ok() const;                   // a module and no critical finding
};

// `file` names the text in messages. Never throws on bad input.
Result read(std::string_view text, std::string file, const Limits& limits = {});
// Reads the file at `path`, "-" being standard input.
Result read_file(const std::string& path, const Limits& limits = {});

// A finding as people read it: "a.ptx:12:9: error: message [code]", the line and a caret.
std::string render(const Finding& finding, const std::vector<std::string>& lines);

}  // namespace ptxeq::grammar
