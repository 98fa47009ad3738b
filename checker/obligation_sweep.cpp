#include "checker/obligation_sweep.h"

#include <algorithm>

#include "checker/obligation_enumerate.h"
#include "checker/obligation_ring.h"
#include "checker/sample.h"
#include "checker/sample_run.h"
#include "checker/smt.h"

namespace ptxeq::check {
namespace {

using Clock = std::chrono::steady_clock;
using sym::Op;

constexpr std::size_t most_attempts = 64, largest_shape = 100'000, samples = 512, most_leaves = 4;

// Hashes of each slot's values on sampled inputs; empty where the domains give none.
std::vector<u64> signatures(const Shape& shape, u64 seed) {
  std::vector<u64> out(shape.code.size(), 0);
  Runner runner(shape, 64);
  Sampler sampler(shape, seed);
  std::vector<u64> leaves;
  for (std::size_t done = 0; done < samples; done += runner.lanes()) {
    for (unsigned lane = 0; lane < runner.lanes(); ++lane) {
      if (!sampler.next(leaves)) return {};
      for (u32 i = 0; i < leaves.size(); ++i)
        if (runner.has_leaf(i)) runner.leaf(i)[lane] = leaves[i];
    }
    runner.run();
    for (u32 slot = 0; slot < out.size(); ++slot)
      for (unsigned lane = 0; lane < runner.lanes(); ++lane)
        out[slot] = (out[slot] ^ runner.value(slot)[lane] ^ out[slot] >> 31) * 0x9e3779b97f4a7c15ull;
  }
  return out;
}

// The leaves that each slot depends on while they are few; nothing: many, or on an uninterpreted node.
using Support = std::optional<std::vector<u32>>;
std::vector<Support> supports(const Shape& shape) {
  std::vector<Support> out(shape.code.size());
  for (u32 slot = 0; slot < out.size(); ++slot) {
    const Instruction& i = shape.code[slot];
    if (i.op == Op::approx) continue;
    std::vector<u32> leaves;
    bool few = true;
    if (i.op == Op::leaf) leaves.push_back(i.a);
    for (const u32 o : operands(i)) {
      if (o == no_slot) continue;
      few = few && out[o];
      if (few) leaves.insert(leaves.end(), out[o]->begin(), out[o]->end());
    }
    std::sort(leaves.begin(), leaves.end());
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    if (few && leaves.size() <= most_leaves) out[slot] = std::move(leaves);
  }
  return out;
}

class Sweeper {
 public:
  Sweeper(const Shape& shape, Deadline deadline, unsigned jobs) : shape_(shape), deadline_(deadline), jobs_(jobs) {}

  std::optional<Shape> run(u64 seed) {
    const std::vector<u64> signature = signatures(shape_, seed);
    if (signature.empty()) return std::nullopt;
    const std::vector<Support> support = supports(shape_);
    const std::vector<u32> ring = ring_form(shape_).value;
    std::unordered_map<u64, std::vector<u32>> seen;
    bool merged = false;
    std::vector<u32> same(shape_.code.size());
    for (u32 slot = 0; slot < shape_.code.size() && Clock::now() < deadline_; ++slot) {
      same[slot] = slot;
      rewire(slot, same);
      if (!support[slot] || support[slot]->empty()) continue;
      std::vector<u32>& candidates = seen[signature[slot] ^ shape_.code[slot].width];
      for (const u32 other : candidates) {
        if (ring[slot] != no_slot && ring[slot] == ring[other]) continue;  // the ring form knows that already
        if (same[slot] != slot || *support[slot] != *support[other] || !proved(slot, other)) continue;
        same[slot] = other;
        merged = true;
      }
      if (same[slot] == slot && candidates.size() < 4) candidates.push_back(slot);
    }
    if (!merged) return std::nullopt;
    for (u32 slot = 0; slot < shape_.code.size(); ++slot)
      if (same[slot] == 0) same[slot] = slot;
    for (u32& root : shape_.roots) root = same[root];
    return slice(shape_, shape_.roots);
  }

 private:
  void rewire(u32 slot, const std::vector<u32>& same) {
    Instruction& i = shape_.code[slot];
    const auto in = operands(i);
    if (in[0] != no_slot) i.a = same[in[0]];
    if (in[1] != no_slot) i.b = same[in[1]];
    if (in[2] != no_slot) i.c = same[in[2]];
  }

  bool proved(u32 x, u32 y) {
    if (++attempts_ > most_attempts) return false;
    Shape question = slice(shape_, std::array{x, y});
    question.code.push_back({Op::eq, 1, 0, 0, question.roots[0], question.roots[1], no_slot});
    question.code.push_back({Op::not_, 1, 0, 0, u32(question.code.size() - 1), no_slot, no_slot});
    question.roots = {u32(question.code.size() - 1)};
    if (never_holds_by_ring(question)) return true;
    const auto now = Clock::now();
    const auto moment = std::min(deadline_, now + std::chrono::milliseconds(300));
    const SmtResult quick = solve(question, {moment, jobs_, ""}).result;
    if (quick != SmtResult::unknown) return quick == SmtResult::unsat;
    const Enumeration all = enumerate(question, deadline_, jobs_);
    return all.complete && !all.holds;
  }

  Shape shape_;
  Deadline deadline_;
  unsigned jobs_;
  std::size_t attempts_ = 0;
};

}  // namespace

std::optional<Shape> sweep(const Shape& shape, u64 seed, Deadline deadline, unsigned jobs) {
  if (shape.code.size() > largest_shape) return std::nullopt;
  return Sweeper(shape, deadline, jobs).run(seed);
}

}  // namespace ptxeq::check
