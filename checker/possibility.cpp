#include "checker/possibility.h"

#include <algorithm>
#include <array>

namespace ptxeq::check {

using sym::Possibility;
using sym::Term;
using sym::TermStore;

namespace {
constexpr std::size_t largest_cone = 1'000'000;  // nodes
}

std::vector<Possibility> Possibilities::operator()(TermStore& store, const std::vector<Term>& conditions) {
  std::vector<Possibility> out;
  if (store_ != &store) store_ = &store, shaper_.emplace(store, domains_);
  Shape shape;
  std::vector<Term> leaves;
  for (const Term c : conditions) {
    if (std::chrono::steady_clock::now() >= options_.deadline ||
        !shaper_->shape(std::array{c}, shape, leaves, largest_cone)) {
      out.push_back(Possibility::unknown);
      continue;
    }
    auto& same_hash = known_[hash(shape)];
    auto at = std::find_if(same_hash.begin(), same_hash.end(), [&](const auto& k) { return k.first == shape; });
    if (at == same_hash.end()) at = same_hash.insert(at, {shape, decide(store, c)});
    out.push_back(at->second);
  }
  return out;
}

Possibility Possibilities::decide(TermStore& store, Term condition) const {
  const auto now = std::chrono::steady_clock::now();
  DischargeOptions share = options_;
  if (options_.deadline > now) share.deadline = now + (options_.deadline - now) / 2;
  Evidence ignored;
  const Obligation never{condition, store.constant(1, 0), 0};
  const Decision d = discharge(store, {never}, domains_, share, ignored).front();
  const bool fusible = store[condition].flags & sym::has_contraction;  // it may hold one way and not the other
  if (d.outcome == Outcome::refuted && !fusible) return Possibility::possible;
  if (d.outcome == Outcome::proved && !d.assumed_unfused) return Possibility::never;
  return Possibility::unknown;
}

}  // namespace ptxeq::check
