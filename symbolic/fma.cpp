// Making fma nodes, which long sums consist of: one by one, and over columns.
#include <algorithm>
#include <array>
#include <bit>

#include "symbolic/term.h"

namespace ptxeq::sym {

// The rules leave an fma alone, its factors in order, where no operand is a constant or an operation whose neutral
// element they know.
Term TermStore::new_fma(Node node) {
  const Node &x = nodes_[node.a], &y = nodes_[node.b], &z = nodes_[node.c];
  const auto plain = [](const Node& n) {
    return n.op != Op::constant && n.op != Op::fadd && n.op != Op::fsub && n.op != Op::fmul;
  };
  if (!plain(x) || !plain(y) || !plain(z)) return make_float(Op::fma, node.width, node.attr, node.a, node.b, node.c);
  node.flags = u8(x.flags | y.flags | z.flags);
  return intern(node);
}

// Mostly the newest nodes on the addends are those asked for, or there are none yet: a loop for each. Nodes go through
// registers in them as their two words.
void TermStore::make_fmas(unsigned width, u8 attr, unsigned count, const u64* a, const u64* b, const u64* c,
                          u64* result) {
  using Words = std::array<u64, 2>;
  Node* const nodes = nodes_;
  u32* const newest = newest_parent_;
  const u64 first = std::bit_cast<Words>(Node{Op::fma, u8(width), attr, 0, 0, 0, 0})[0];
  const auto wanted = [&](unsigned i) {
    const Term x = Term(a[i]), y = Term(b[i]);
    const bool swap = x > y && width < 64;
    return Words{first | u64(swap ? y : x) << 32, u64(swap ? x : y) | c[i] << 32};
  };
  const auto find = [&](unsigned i) {
    constexpr unsigned ahead = 16;
    for (; i < count; ++i) {
      if (i + ahead < count) prefetch_parent(Term(c[i + ahead]));
      const Words node = wanted(i);
      const u32 head = newest[Term(c[i])] & ~popular;
      const Words there = std::bit_cast<Words>(nodes[head]);
      if (((node[0] ^ there[0]) & ~Node::flags_mask) | (node[1] ^ there[1])) break;
      result[i] = head;
    }
    return i;
  };
  const auto create = [&](unsigned i) {
    constexpr auto bit = [](Op op) { return u64(1) << unsigned(op); };
    constexpr u64 with_rules = bit(Op::constant) | bit(Op::fadd) | bit(Op::fsub) | bit(Op::fmul);  // see new_fma
    static_assert(unsigned(Op::count_) <= 64);
    const unsigned end = unsigned(std::min<u64>(count, u64(i) + (limit_ - std::min(limit_, count_))));
    u32 next = count_;
    for (; i < end; ++i) {
      const Term z = Term(c[i]);
      const u64 x = std::bit_cast<Words>(nodes[a[i]])[0], y = std::bit_cast<Words>(nodes[b[i]])[0],
                addend = std::bit_cast<Words>(nodes[z])[0];
      const bool rules = (with_rules >> (x & 63) | with_rules >> (y & 63) | with_rules >> (addend & 63)) & 1;
      if (newest[z] || rules) break;
      const Words node = wanted(i);
      nodes[next] = std::bit_cast<Node>(Words{node[0] | ((x | y | addend) & Node::flags_mask), node[1]});
      sibling_[next] = 0;
      newest[z] = next;
      result[i] = next++;
    }
    count_ = next;
    return i;
  };
  for (unsigned i = 0; i < count;) {
    i = create(find(i));
    if (i == count) break;
    result[i] = make_fma(width, attr, Term(a[i]), Term(b[i]), Term(c[i]));
    ++i;
  }
}

}  // namespace ptxeq::sym
