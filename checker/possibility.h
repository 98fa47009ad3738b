// What the machine asks while it runs: can a condition hold for some input? One answer a shape.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "checker/obligation.h"
#include "checker/shape.h"
#include "symbolic/machine.h"

namespace ptxeq::check {

class Possibilities {
 public:
  Possibilities(const LeafDomains& domains, const DischargeOptions& options) : domains_(domains), options_(options) {}
  // In the order of the conditions, each of 1 bit. A question takes half of the time that is left at most.
  std::vector<sym::Possibility> operator()(sym::TermStore& store, const std::vector<sym::Term>& conditions);

 private:
  sym::Possibility decide(sym::TermStore& store, sym::Term condition) const;
  const LeafDomains& domains_;
  DischargeOptions options_;
  const sym::TermStore* store_ = nullptr;  // that shaper_ works on
  std::optional<Shaper> shaper_;
  std::unordered_map<sym::u64, std::vector<std::pair<Shape, sym::Possibility>>> known_;  // by the shape's hash
};

}  // namespace ptxeq::check
