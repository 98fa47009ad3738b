#include "checker/obligation_judge.h"

#include <algorithm>

#include "checker/sample.h"
#include "checker/sample_run.h"

namespace ptxeq::check {
namespace {

using sym::Attr;
using sym::Op;

constexpr std::array<std::string_view, 5> classes = {"logic", "rounding", "denormal", "signed-zero", "nan-only"};

// The float format that a value has, where its operation says so.
std::optional<sym::Format> format_of(const Shape& shape, u32 slot) {
  for (int depth = 0; depth < 16; ++depth) {
    const Instruction& i = shape.code[slot];
    const Attr attr = Attr::unpack(i.attr);
    if (i.op == Op::ite) {
      slot = i.b;
      continue;
    }
    if (i.op == Op::leaf) {
      const LeafDomain& d = shape.leaves[i.a].domain;
      return d.floating && i.width >= 16 ? std::optional(sym::format_of(i.width, d.bf16)) : std::nullopt;
    }
    if (!sym::is_float(i.op) || i.op == Op::ftoi || i.width == 1) return std::nullopt;
    return sym::format_of(i.width, i.op == Op::fround ? attr.flag : attr.bf16);
  }
  return std::nullopt;
}

}  // namespace

Judge::Judge(const Shape& shape) : shape_(shape), format_(format_of(shape, shape.roots[root_a])) {
  if (!format_) format_ = format_of(shape, shape.roots[root_ref]);
}

std::optional<unsigned> Judge::rank(const std::vector<u64>& leaves) const {
  for (u32 i = 0; i < leaves.size(); ++i)
    if (!admits(shape_.leaves[i].domain, shape_.leaves[i].width, leaves[i])) return std::nullopt;
  const std::vector<Partial> roots = run_partial(shape_, leaves);
  const Partial differ = roots[root_differ];
  if (differ.unknown || differ.bits != 1) return std::nullopt;
  const std::string klass = difference_class(format_, roots[root_a].bits, roots[root_ref].bits);
  return unsigned(std::find(classes.begin(), classes.end(), klass) - classes.begin());
}

void Judge::shrink_leaf(std::vector<u64>& leaves, u32 i, unsigned worst) const {
  const u64 before = leaves[i];
  const ShapeLeaf& leaf = shape_.leaves[i];
  std::vector<u64> simpler = {0, 1, 2, 3, 4, 7, 8};
  if (leaf.width == 64) simpler.insert(simpler.begin(), {0, 0x3ff0000000000000, 0x4000000000000000});
  if (leaf.width == 32) simpler.insert(simpler.begin(), {0, 0x3f800000, 0x40000000});
  if (leaf.width == 16) simpler.insert(simpler.begin(), {0, 0x3c00, 0x4000});
  if (!leaf.domain.floating) {  // plain numbers first
    std::sort(simpler.begin(), simpler.end());
    simpler.insert(simpler.end(), {before & 0xff, before & 0xffff});
  }
  for (const u64 v : simpler) {
    if ((v & sym::mask(leaf.width)) == before) break;  // as simple as it is
    leaves[i] = v & sym::mask(leaf.width);
    if (const auto r = rank(leaves); r && *r <= worst) return;
  }
  leaves[i] = before;
}

void Judge::shrink(std::vector<u64>& leaves, Deadline deadline) const {
  const auto worst = rank(leaves);
  if (!worst) return;
  std::size_t budget = 20'000'000 / (shape_.code.size() + 1) + 16;  // evaluations
  const auto may_go_on = [&] { return budget-- > 1 && std::chrono::steady_clock::now() < deadline; };
  const std::size_t n = leaves.size();
  for (std::size_t chunk = n; chunk >= 2; chunk = (chunk + 1) / 2) {
    for (std::size_t from = 0; from < n; from += chunk) {
      std::vector<u64> trial = leaves;
      std::fill(trial.begin() + std::ptrdiff_t(from), trial.begin() + std::ptrdiff_t(std::min(n, from + chunk)), 0);
      if (trial == leaves) continue;
      if (!may_go_on()) return;
      if (const auto r = rank(trial); r && *r <= *worst) leaves = std::move(trial);
    }
    if (chunk == 2) break;
  }
  for (u32 i = 0; i < n && budget > 10; ++i) {
    if (leaves[i] == 0) continue;
    if (!may_go_on()) return;
    budget -= std::min<std::size_t>(budget - 1, 9);
    shrink_leaf(leaves, i, *worst);
  }
}

}  // namespace ptxeq::check
