#include "checker/shape.h"

namespace ptxeq::check {
namespace {

using sym::Op;

constexpr u64 mix(u64 h, u64 v) {
  h = (h ^ v) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 29;
}

}  // namespace

bool is_uncertain(const ShapeLeaf& leaf) {
  if (leaf.domain.width != 0 && leaf.domain.width != leaf.width) return true;
  return leaf.kind != sym::LeafKind::memory && leaf.kind != sym::LeafKind::scalar && leaf.kind != sym::LeafKind::launch;
}

std::array<u32, 3> operands(const Instruction& i) {
  if (i.op == Op::constant || i.op == Op::leaf) return {no_slot, no_slot, no_slot};
  return {i.a, i.op == Op::extract ? no_slot : i.b, i.op == Op::approx ? no_slot : i.c};
}

u64 hash(const Shape& shape) {
  u64 h = shape.leaves.size();
  for (const Instruction& i : shape.code) {
    h = mix(h, u64(i.op) | u64(i.width) << 8 | u64(i.attr) << 16 | u64(i.c) << 32);
    h = mix(h, u64(i.a) | u64(i.b) << 32);
  }
  for (const u32 root : shape.roots) h = mix(h, root);
  return h;
}

void Shaper::append(sym::Term t, Shape& out, std::vector<sym::Term>& leaves) {
  const sym::Node& n = store_[t];
  Instruction i{n.op, n.width, n.attr, n.flags, n.a, n.b, n.c};
  if (n.op == Op::leaf) {
    const sym::Leaf leaf = store_.leaf_of(t);
    i.a = u32(leaves.size()), i.b = i.c = no_slot;
    out.leaves.push_back({leaf.kind, n.width, domains_ ? domains_(leaf) : LeafDomain{}});
    leaves.push_back(t);
  } else if (n.op != Op::constant) {
    const auto slot = [&](sym::Term operand) { return operand ? slot_[operand] : no_slot; };
    i.a = slot(n.a);
    i.b = n.op == Op::extract ? n.b : slot(n.b);
    i.c = n.op == Op::approx ? n.c : slot(n.c);
  }
  slot_[t] = u32(out.code.size());
  order_.push_back(t);
  out.code.push_back(i);
}

bool Shaper::shape(std::span<const sym::Term> roots, Shape& out, std::vector<sym::Term>& leaves, std::size_t limit) {
  out.code.clear(), out.leaves.clear(), out.roots.clear(), leaves.clear(), order_.clear(), stack_.clear();
  if (slot_.size() < store_.size()) slot_.resize(store_.size(), no_slot);
  for (const sym::Term root : roots) {
    stack_.push_back(root);
    while (!stack_.empty() && out.code.size() <= limit) {
      const sym::Term t = stack_.back();
      const std::size_t before = stack_.size();
      if (slot_[t] == no_slot) {
        const auto needs = operands(store_[t]);
        for (auto o = needs.rbegin(); o != needs.rend(); ++o)
          if (*o && slot_[*o] == no_slot) stack_.push_back(*o);
        if (stack_.size() > before) continue;
        append(t, out, leaves);
      }
      stack_.pop_back();
    }
    if (!stack_.empty()) break;
    out.roots.push_back(slot_[root]);
  }
  for (const sym::Term t : order_) slot_[t] = no_slot;
  return out.roots.size() == roots.size();
}

Shape slice(const Shape& shape, std::span<const u32> roots) {
  std::vector<u32> moved(shape.code.size(), no_slot);
  for (const u32 root : roots) moved[root] = 0;
  for (std::size_t i = shape.code.size(); i-- > 0;)
    if (moved[i] != no_slot)
      for (const u32 o : operands(shape.code[i]))
        if (o != no_slot) moved[o] = 0;
  Shape out;
  out.leaves = shape.leaves;
  for (std::size_t i = 0; i < shape.code.size(); ++i) {
    if (moved[i] == no_slot) continue;
    moved[i] = u32(out.code.size());
    Instruction copy = shape.code[i];
    const auto needs = operands(copy);
    if (needs[0] != no_slot) copy.a = moved[needs[0]];
    if (needs[1] != no_slot) copy.b = moved[needs[1]];
    if (needs[2] != no_slot) copy.c = moved[needs[2]];
    out.code.push_back(copy);
  }
  for (const u32 root : roots) out.roots.push_back(moved[root]);
  return out;
}

}  // namespace ptxeq::check
