// Evaluation with unknown bits.
#include <algorithm>
#include <bit>

#include "checker/sample_run.h"

namespace ptxeq::check {
namespace {

using sym::mask;
using sym::Op;

bool known(const Partial& p) { return p.unknown == 0; }
u64 sure_zeros(const Partial& p) { return ~(p.bits | p.unknown); }
u64 sure_ones(const Partial& p) { return p.bits & ~p.unknown; }

// Carries run upwards: the bits below the lowest unknown one are known.
u64 from_lowest(u64 unknown, u64 m) { return unknown == 0 ? 0 : ~mask(unsigned(std::countr_zero(unknown))) & m; }

// What is not known of the result; its bits are computed with unknown bits taken as they stand.
u64 unknown_bits(const Instruction& n, unsigned wa, const Partial& a, const Partial& b, const Partial& c) {
  const u64 m = mask(n.width), either = a.unknown | b.unknown;
  switch (n.op) {
    case Op::and_:
      return either & ~sure_zeros(a) & ~sure_zeros(b);
    case Op::or_:
      return either & ~sure_ones(a) & ~sure_ones(b);
    case Op::xor_:
      return either;
    case Op::not_:
      return a.unknown;
    case Op::add:
    case Op::mul:
    case Op::neg:
      return from_lowest(either, m);
    case Op::extract:
      return a.unknown >> n.b & m;
    case Op::concat:
      return a.unknown << (n.width - wa) | b.unknown;
    case Op::zext:
      return a.unknown & m;
    case Op::sext:
      return u64(sym::sign_extend(a.unknown, wa)) & m;
    case Op::ite:
      if (known(a)) return a.bits ? b.unknown : c.unknown;
      return b.unknown | c.unknown | (b.bits ^ c.bits);
    case Op::eq:
      return ((sure_ones(a) & sure_zeros(b)) | (sure_zeros(a) & sure_ones(b))) & mask(wa) ? 0 : either != 0;
    default:
      return either | c.unknown ? m : 0;
  }
}

}  // namespace

PartialRunner::PartialRunner(const Shape& shape)
    : shape_(shape), operands_(shape.code.size()), values_(shape.code.size() + 1) {
  const u32 none = u32(shape.code.size());  // its value stays 0
  for (u32 slot = 0; slot < none; ++slot) {
    operands_[slot] = operands(shape.code[slot]);
    for (u32& o : operands_[slot])
      if (o == no_slot) o = none;
  }
}

void PartialRunner::run(std::span<const u64> leaves) {
  for (u32 slot = 0; slot < shape_.code.size(); ++slot) {
    const Instruction& n = shape_.code[slot];
    Partial& out = values_[slot];
    if (n.op == Op::constant) {
      out.bits = constant_bits(n);
    } else if (n.op == Op::leaf) {
      out = {leaves[n.a] & mask(n.width), is_uncertain(shape_.leaves[n.a]) ? mask(n.width) : 0};
    } else if (n.op == Op::approx) {
      out.unknown = mask(n.width);
    } else {
      const auto& in = operands_[slot];
      const Partial a = values_[in[0]], b = values_[in[1]], c = values_[in[2]];
      const unsigned wa = shape_.code[in[0]].width;
      const u64 low = n.op == Op::extract ? n.b : b.bits;
      out = {sym::apply(n.op, n.attr, n.width, wa, a.bits, low, c.bits), unknown_bits(n, wa, a, b, c)};
      // Two values that differ in a sure bit are not equal, whatever their other bits say.
      if (n.op == Op::eq && known(out) && (a.unknown | b.unknown)) out.bits = 0;
    }
  }
}

std::vector<Partial> run_partial(const Shape& shape, std::span<const u64> leaves) {
  PartialRunner runner(shape);
  runner.run(leaves);
  std::vector<Partial> out;
  for (const u32 root : shape.roots) out.push_back(runner.value(root));
  return out;
}

}  // namespace ptxeq::check
