// Values of a shape's instructions on concrete leaves: many assignments at a time, and one with unknown parts.
#pragma once

#include "checker/shape.h"

namespace ptxeq::check {

// Evaluates a shape on blocks of assignments. Division by zero, which a term guards, gives what SMT-LIB says.
// Approximate and unspecified nodes become pseudo-random functions of their operands.
class Runner {
 public:
  explicit Runner(const Shape& shape, unsigned most_lanes = 256);
  unsigned lanes() const { return lanes_; }                  // assignments in a block
  u64* leaf(u32 number) { return row(leaf_slot_[number]); }  // to be filled in before run()
  bool has_leaf(u32 number) const { return leaf_slot_[number] != no_slot; }
  void run();
  const u64* value(u32 slot) const { return values_.data() + std::size_t(slot) * lanes_; }

 private:
  u64* row(u32 slot) { return values_.data() + std::size_t(slot) * lanes_; }
  const Shape& shape_;
  unsigned lanes_;
  std::vector<u64> values_;
  std::vector<u32> leaf_slot_;
};

// A value of which some bits are not known.
struct Partial {
  u64 bits = 0, unknown = 0;
};
// Evaluation of a shape on one assignment after another where uncertain leaves and approximate and unspecified
// nodes may be anything: a known bit of a root has that value whatever they are (SOUNDNESS rules 10 and 11).
class PartialRunner {
 public:
  explicit PartialRunner(const Shape& shape);
  void run(std::span<const u64> leaves);
  const Partial& value(u32 slot) const { return values_[slot]; }

 private:
  const Shape& shape_;
  std::vector<std::array<u32, 3>> operands_;
  std::vector<Partial> values_;
};
// The values of a shape's roots by it.
std::vector<Partial> run_partial(const Shape& shape, std::span<const u64> leaves);

}  // namespace ptxeq::check
