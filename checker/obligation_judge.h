// When an input counts as a difference, how telling it is, and how small it can be made.
#pragma once

#include "checker/shape.h"

namespace ptxeq::check {

// The roots of an obligation's shape.
enum Root : u8 {
  root_unfused,  // 1 bit: the sides differ where nothing is fused and the condition holds
  root_differ,   // 1 bit: they differ for every choice of fusion
  root_a,
  root_ref,
};

class Judge {
 public:
  explicit Judge(const Shape& shape);
  // Does the input make root_differ 1 whatever uncertain leaves and approximate or unspecified nodes are, inside all
  // domains (SOUNDNESS rules 10 to 12)? Then how telling the difference is: 0 logic, 1 rounding, ...; else nothing.
  std::optional<unsigned> rank(const std::vector<u64>& leaves) const;
  // A difference with fewer and simpler values, no less telling: zeros in halves, then small numbers.
  void shrink(std::vector<u64>& leaves, Deadline deadline) const;

 private:
  void shrink_leaf(std::vector<u64>& leaves, u32 i, unsigned worst) const;
  const Shape& shape_;
  std::optional<sym::Format> format_;
};

}  // namespace ptxeq::check
