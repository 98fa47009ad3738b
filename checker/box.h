// Boxes: parts of a launch whose blocks, or threads, are run as one. A box has launch symbols, each with a range, and
// gives every component of a block's and a thread's number as a sum over them. Each point of the ranges is one unit:
// a block, or a thread. Boxes partition what they were cut from (SOUNDNESS rule 19).
#pragma once

#include <array>
#include <vector>

#include "symbolic/machine.h"

namespace ptxeq::check {

struct Linear {
  std::int64_t constant = 0;
  std::vector<sym::FormPart> parts;  // by symbol of the box
};

struct Box {
  std::vector<sym::LaunchSymbol> symbols;  // each has at least two values
  std::array<Linear, 3> block, thread;
  std::uint64_t units() const;
};

// All blocks of a launch, or all its threads.
Box all_blocks(const sym::Shape& shape);
Box all_threads(const sym::Shape& shape);

// The box in parts that together are it: two halves, or the symbol as divisor * quotient + rest with whole quotients
// in the middle part and the ends apart. Empty where the cut is none of this box.
std::vector<Box> apart(const Box& box, const sym::Cut& cut);

// The box's sum as a value of `width` bits, its symbols being those of `forms` in order.
sym::Value value_of(const Linear& sum, sym::Forms& forms, unsigned width);

// The unit where each symbol has the given value.
struct Unit {
  sym::Dim3 block{}, thread{};
};
Unit unit_at(const Box& box, const std::vector<std::int64_t>& symbols);
std::vector<std::int64_t> corner(const Box& box);  // the least value of each symbol

// The order in which boxes are told: by the least number of a block (z, y, x), then of a thread. That of a part is
// never before that of the whole.
using BoxOrder = std::array<std::int64_t, 6>;
BoxOrder order_of(const Box& box);

}  // namespace ptxeq::check
