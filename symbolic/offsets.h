// The values that a term can have, where they are few.
#pragma once

#include <optional>
#include <vector>

#include "symbolic/term.h"

namespace ptxeq::sym {

// Every value that t can have, perhaps with some that it cannot; nothing when that would be more than `limit`.
std::optional<std::vector<u64>> possible_values(const TermStore& store, Term t, std::size_t limit);

}  // namespace ptxeq::sym
