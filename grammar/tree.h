// Reading ANTLR's trees: tokens as views into the text, places, children by number.
#pragma once

#include <string_view>

#include "PtxParser.h"
#include "ir/finding.h"

namespace ptxeq::grammar {

using Tree = antlr4::tree::ParseTree;
using Rule = antlr4::ParserRuleContext;

inline Location place(const antlr4::Token* token) {
  return {std::uint32_t(token->getLine()), std::uint32_t(token->getCharPositionInLine() + 1)};
}
inline Location place(const Rule& rule) { return place(rule.start); }

// The token at a leaf, or nullptr at a rule.
inline const antlr4::Token* leaf(Tree* tree) {
  auto* terminal = dynamic_cast<antlr4::tree::TerminalNode*>(tree);
  return terminal ? terminal->getSymbol() : nullptr;
}
inline std::size_t leaf_type(Tree* tree) {
  const antlr4::Token* token = leaf(tree);
  return token ? token->getType() : 0;
}
// The rule that a child is known to be.
template <class Context>
Context& rule(Tree* tree) {
  return static_cast<Context&>(*tree);
}
// Calls `f` for each child that is a `Context`.
template <class Context, class F>
void each(const Rule& parent, F f) {
  for (Tree* child : parent.children)
    if (auto* context = dynamic_cast<Context*>(child)) f(*context);
}

}  // namespace ptxeq::grammar
