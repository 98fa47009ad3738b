// Random operations on random operands, for the tests that compare two ways to compute one thing.
#pragma once

#include <optional>
#include <vector>

#include "checker/sample.h"
#include "checker/shape.h"

namespace ptxeq::check::test {

using sym::Attr;
using sym::Op;

// An operation with the widths of its operands.
struct Form {
  Op op{};
  unsigned width = 0;
  u8 attr = 0;
  unsigned a = 0, b = 0, c = 0;  // operand widths, 0: none
  unsigned low = 0;              // extract
};

inline const std::vector<unsigned>& widths() {
  static const std::vector<unsigned> all = {1, 8, 16, 32, 64};
  return all;
}

inline std::vector<Form> integer_forms() {
  std::vector<Form> out;
  for (const unsigned w : widths()) {
    for (const Op op : {Op::add, Op::mul, Op::udiv, Op::urem, Op::sdiv, Op::srem, Op::umulh, Op::smulh, Op::and_,
                        Op::or_, Op::xor_, Op::shl, Op::lshr, Op::ashr})
      out.push_back({op, w, 0, w, w});
    for (const Op op : {Op::neg, Op::not_, Op::brev}) out.push_back({op, w, 0, w});
    for (const Op op : {Op::popc, Op::clz})
      if (w > 1) out.push_back({op, w, 0, w});
    for (const Op op : {Op::eq, Op::ult, Op::slt, Op::ule, Op::sle}) out.push_back({op, 1, 0, w, w});
    out.push_back({Op::ite, w, 0, 1, w, w});
    for (const unsigned from : widths()) {
      if (from < w) out.push_back({Op::zext, w, 0, from}), out.push_back({Op::sext, w, 0, from});
      if (from > w)
        for (const unsigned low : {0u, 1u, 7u, from - w})
          if (low + w <= from) out.push_back({Op::extract, w, 0, from, 0, 0, low});
      if (from < w)
        out.push_back({Op::concat, w, 0, from, w - from}), out.push_back({Op::concat, w, 0, w - from, from});
    }
  }
  return out;
}

// Every floating operation under the attributes that mean something for it.
inline std::vector<Form> float_forms(bool every_rounding) {
  std::vector<Form> out;
  const std::vector<u8> modes = every_rounding ? std::vector<u8>{0, 1, 2, 3} : std::vector<u8>{0};
  struct Type {
    unsigned width;
    bool bf16;
  };
  const std::vector<Type> types = {{16, false}, {16, true}, {32, false}, {64, false}};
  for (const auto& [w, bf16] : types) {
    for (const u8 mode : modes)
      for (const bool ftz : {false, true})
        for (const bool sat : {false, true}) {
          if (ftz && (w == 64 || bf16)) continue;
          const u8 attr = Attr{.rounding = sym::Rounding(mode), .ftz = ftz, .sat = sat, .bf16 = bf16}.pack();
          for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv}) out.push_back({op, w, attr, w, w});
          out.push_back({Op::fma, w, attr, w, w, w});
          for (const Op op : {Op::fsqrt, Op::frint}) out.push_back({op, w, attr, w});
          for (const auto& [to, to_bf16] : types) {
            Attr x = Attr::unpack(attr);
            x.flag = to_bf16;
            out.push_back({Op::fround, to, x.pack(), w});
          }
          for (const unsigned n : {8u, 16u, 32u, 64u})
            for (const bool is_signed : {false, true}) {
              Attr x = Attr::unpack(attr);
              x.flag = is_signed;
              if (!ftz) out.push_back({Op::itof, w, x.pack(), n});
              x.sat = false;
              if (!sat) out.push_back({Op::ftoi, n, x.pack(), w});
            }
        }
    for (const bool ftz : {false, true}) {
      if (ftz && w != 32) continue;
      for (const bool flag : {false, true})
        for (const Op op : {Op::fmin, Op::fmax})
          out.push_back({op, w, Attr{.ftz = ftz, .bf16 = bf16, .flag = flag}.pack(), w, w});
      for (const Op op : {Op::fneg, Op::fabs}) out.push_back({op, w, Attr{.ftz = ftz, .bf16 = bf16}.pack(), w});
      for (const Op op : {Op::feq, Op::flt, Op::fle})
        out.push_back({op, 1, Attr{.ftz = ftz, .bf16 = bf16}.pack(), w, w});
    }
    out.push_back({Op::fisnan, 1, Attr{.bf16 = bf16}.pack(), w});
    out.push_back({Op::fma, w, Attr{.bf16 = bf16, .relu = true}.pack(), w, w, w});
  }
  return out;
}

// One instruction on leaves of its operands' widths; with `expected`, its root says that the result is another.
inline Shape one_instruction(const Form& f, std::optional<u64> expected = {}) {
  Shape s;
  const auto leaf = [&](unsigned w) {
    if (!w) return no_slot;
    LeafDomain any;
    s.leaves.push_back({sym::LeafKind::memory, w, any});
    s.code.push_back({Op::leaf, u8(w), 0, 0, u32(s.leaves.size() - 1), no_slot, no_slot});
    return u32(s.code.size() - 1);
  };
  Instruction i{f.op, u8(f.width), f.attr, 0, no_slot, no_slot, no_slot};
  i.a = leaf(f.a), i.b = leaf(f.b), i.c = leaf(f.c);
  if (f.op == Op::extract) i.b = f.low;
  s.code.push_back(i);
  u32 root = u32(s.code.size() - 1);
  if (expected) {
    s.code.push_back({Op::constant, u8(f.width), 0, 0, u32(*expected), u32(*expected >> 32), 0});
    s.code.push_back({Op::eq, 1, 0, 0, root, root + 1, no_slot});
    s.code.push_back({Op::not_, 1, 0, 0, root + 2, no_slot, no_slot});
    root += 3;
  }
  s.roots = {root};
  return s;
}

inline u64 value_of(const Form& f, u64 a, u64 b, u64 c) {
  return sym::apply(f.op, f.attr, f.width, f.a, a, f.op == Op::extract ? f.low : b, c);
}

inline std::string describe(const Form& f) {
  return std::string(sym::name(f.op)) + " width " + std::to_string(f.width) + " attr " + std::to_string(f.attr) +
         " of " + std::to_string(f.a);
}

}  // namespace ptxeq::check::test
