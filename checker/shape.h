// Shapes: a cone of terms as a flat straight-line program, with its leaves numbered in order of first appearance.
// Two obligations have one shape iff their programs are equal word for word: operations, widths, attributes,
// constants, the repetition pattern of leaves and each leaf's kind and domain (SOUNDNESS rules 6 and 7). Whatever is
// decided about a shape holds for all of them. Evaluation, enumeration and the solvers work on shapes, never on terms.
#pragma once

#include <span>
#include <vector>

#include "checker/obligation.h"
#include "symbolic/term.h"

namespace ptxeq::check {

using sym::u32;
using sym::u64;
using sym::u8;

inline constexpr u32 no_slot = ~u32(0);

// One operation on earlier slots. constant: bits in a | b << 32; leaf: a is its number in Shape::leaves, attr its kind;
// extract: b is the low bit; approx: c is the tag. Operands that an operation does not have are no_slot.
struct Instruction {
  sym::Op op{};
  u8 width = 0, attr = 0, flags = 0;
  u32 a = no_slot, b = no_slot, c = no_slot;
  friend bool operator==(const Instruction&, const Instruction&) = default;
};
constexpr u64 constant_bits(const Instruction& i) { return u64(i.b) << 32 | i.a; }

struct ShapeLeaf {
  sym::LeafKind kind{};
  unsigned width = 0;
  LeafDomain domain;
  friend bool operator==(const ShapeLeaf&, const ShapeLeaf&) = default;
};
// A leaf whose value is nobody's to choose: a difference may not rest on it. So is one whose domain is not known.
bool is_uncertain(const ShapeLeaf& leaf);

struct Shape {
  std::vector<Instruction> code;
  std::vector<ShapeLeaf> leaves;
  std::vector<u32> roots;  // slots
  friend bool operator==(const Shape&, const Shape&) = default;
  u8 flags(u32 slot) const { return code[slot].flags; }
};
u64 hash(const Shape& shape);

// The slots that an instruction reads, no_slot where it has fewer.
std::array<u32, 3> operands(const Instruction& i);

// Makes shapes of terms. The cost of one is linear in its cone.
class Shaper {
 public:
  Shaper(const sym::TermStore& store, LeafDomains domains) : store_(store), domains_(std::move(domains)) {}
  // `leaves` gets the term of each leaf of the shape. False: the cone has more than `limit` nodes.
  bool shape(std::span<const sym::Term> roots, Shape& out, std::vector<sym::Term>& leaves, std::size_t limit);

 private:
  void append(sym::Term t, Shape& out, std::vector<sym::Term>& leaves);
  const sym::TermStore& store_;
  LeafDomains domains_;
  std::vector<u32> slot_;  // of a term in the shape being made, else no_slot
  std::vector<sym::Term> order_, stack_;
};

// What of a shape `roots` need, with the same leaves.
Shape slice(const Shape& shape, std::span<const u32> roots);

}  // namespace ptxeq::check
