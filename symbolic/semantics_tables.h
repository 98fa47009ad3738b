// The two halves of the table of semantics, built in translation units of their own.
#pragma once

#include "symbolic/semantics.h"

namespace ptxeq::sym {

struct SymbolicEntry {
  unsigned sources = 0, results = 0;
  SymbolicLoop loop = nullptr;
  TermLoop terms = nullptr;
};
std::vector<ConcreteLoop> concrete_loops();
std::vector<SymbolicEntry> symbolic_loops();

}  // namespace ptxeq::sym
