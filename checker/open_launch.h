// Launches that are not fixed: the threads' index, the number of threads and what is known of them, as values over
// launch symbols. One-dimensional: a thread's index is ctaid.x * ntid.x + tid.x, below the number of threads. A fixed
// launch may be looked at in the same way, its numbers constants: then loops over all elements need not be unrolled.
#pragma once

#include <optional>
#include <vector>

#include "checker/box.h"
#include "checker/setup.h"

namespace ptxeq::check {

bool is_open(const PreparedSide& side);
// Is a side, or the size of a buffer?
bool is_open(const Setup& setup);
// No more threads than this are looked at: max_threads, else all that a GPU can launch; at least as many as elements.
std::int64_t most_threads(const Setup& setup, const PreparedSide& side);
// All thread indices below most_threads: one symbol; or, `by_blocks`, the block's and the thread's where the block is
// fixed, for kernels that do not go by the index alone.
Box open_box(const Setup& setup, const PreparedSide& side, bool by_blocks);

// The terms of one run's store.
class OpenLaunches {
 public:
  // Adds the launches' symbols to the domain's, after those of the box.
  OpenLaunches(const Setup& setup, sym::SymbolicDomain& domain, bool by_blocks);

  // Sizes that are numbers decide no access: where one leaves its buffer is a condition.
  void open_sizes();

  // What is known of scalars, sizes and numbers of threads, as one condition; 0: nothing. `failed`: cannot be said.
  sym::Term known() const { return known_; }
  const std::string& failed() const { return failed_; }
  const sym::Value& threads(Side side) const { return sides_[side == Side::a ? 0 : 1].threads; }  // 64 bits
  std::optional<std::uint32_t> threads_symbol(Side side) const { return sides_[side == Side::a ? 0 : 1].symbol; }
  std::int64_t threads_factor(Side side) const { return sides_[side == Side::a ? 0 : 1].factor; }

  // The thread whose block and place are these sums; `strided`: without asking that there is one.
  sym::ThreadId thread(Side side, const Linear& block, const Linear& thread, bool strided);
  Linear index(Side side, const Linear& block, const Linear& thread) const;

 private:
  struct One {
    const Launch* launch = nullptr;
    std::int64_t block = 0;  // its size, 0: any
    sym::Value threads, block_size, grid_size, place;
    std::optional<std::uint32_t> symbol;  // that the number of threads is a multiple of; none: that is fixed
    std::int64_t factor = 1;
    std::uint32_t size_symbol = 0;  // of the block, where any
  };
  void add_side(const Setup& setup, const PreparedSide& side, One& one);
  std::optional<sym::Value> value(const Expression& e);
  void require_order(const sym::Value& least, const sym::Value& most);
  void set_size(const Buffer& buffer, const sym::Value& count);
  sym::Value symbol(std::string name, std::int64_t low, std::int64_t high, unsigned width);

  const Setup& setup_;
  sym::SymbolicDomain& domain_;
  bool by_blocks_;
  One sides_[2];
  sym::Term known_ = 0;
  std::string failed_;
};

}  // namespace ptxeq::check
