#include "checker/prove_open.h"

namespace ptxeq::check {
namespace {

bool proved(const GridResult& grid) { return grid.answer == GridResult::Answer::proved; }

bool has_fixed_blocks(const PreparedSide& side) {
  const auto& open = side.problem->launches[0].open;
  return open && !open->any_block;
}

}  // namespace

// By the threads' index; where that does not do and a block is fixed, by block and thread.
GridResult prove_open(const Setup& setup, GroupOptions options) {
  const auto now = std::chrono::steady_clock::now();
  options.deadline = now + (options.deadline - now) / 2;
  GridResult grid = prove_grid(setup, options, options.deadline);
  if (proved(grid) || (!has_fixed_blocks(setup.a) && !has_fixed_blocks(setup.ref))) return grid;
  options.by_blocks = true;
  GridResult other = prove_grid(setup, options, options.deadline);
  return proved(other) ? other : grid;
}

}  // namespace ptxeq::check
