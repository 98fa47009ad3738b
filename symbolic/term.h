// Terms: a hash-consed DAG in normal form. Ids are 32 bits; equal ids mean equal values for every input.
//
// The normal form (symbolic/rewrite.cpp) and why:
//  - constants fold; a constant operand of a commutative operation stands second, so a rule looks in one place
//  - operands of commutative operations are sorted by id (f32, f16, bf16 too, since a NaN result is canonical on
//    the hardware; f64 not: payloads tell the operands apart)
//  - sub is add of neg; neg of a constant folds, so x - 1 and x + 0xffffffff are one term
//  - not_, ule, sle, ne are kept only where no smaller spelling exists (ule(a,b) = not ult(b,a))
//  - x / c for a constant c has one spelling, whether divided, multiplied with a reciprocal and shifted, or, signed and
//    by a power of two, biased and shifted (symbolic/division.h); x % c likewise
//  - a mask of high bits is the upper slice times a power of two; what a power of two shifts out is zero-extended
//  - extract, concat, zext, sext are pushed so that slicing what was joined gives the part back
//  - ite with equal arms, constant or negated condition is resolved; nested ite on one condition is merged
// A term's flags say what its cone holds, so that a verdict knows what it rests on without a walk.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "symbolic/ops.h"

namespace ptxeq::sym {

using Term = u32;  // id in one TermStore; 0 is no term

enum Flag : u8 {
  has_leaf = 1,          // depends on an input
  has_undefined = 2,     // on a value that nobody wrote
  has_approx = 4,        // on an approximate function
  has_unspecified = 8,   // on a result that the manual leaves open
  has_contraction = 16,  // holds a mul feeding an add that ptxas may fuse
  has_address = 32,      // on where an object lies
  has_launch = 64,       // on a launch symbol
};

struct Node {
  Op op{};
  u8 width = 0;
  u8 attr = 0;
  u8 flags = 0;
  u32 a = 0, b = 0, c = 0;
  static constexpr u64 flags_mask = 0xff000000;  // in the first of the node's two words
  bool same(const Node& o) const {               // the flags follow from the rest
    using Words = std::array<u64, 2>;
    const Words x = std::bit_cast<Words>(*this), y = std::bit_cast<Words>(o);
    return (((x[0] ^ y[0]) & ~flags_mask) | (x[1] ^ y[1])) == 0;
  }
};
static_assert(std::endian::native == std::endian::little && offsetof(Node, flags) == 3 && sizeof(Node) == 16);
// The terms that a node is made of, 0 where it has fewer: extract's b and approx's c are numbers.
inline std::array<Term, 3> operands(const Node& n) {
  if (n.op == Op::constant || n.op == Op::leaf) return {};
  return {n.a, n.op == Op::extract ? 0 : n.b, n.op == Op::approx ? 0 : n.c};
}

// Kinds of leaf; (kind, object, index) is the identity, rule 5.
enum class LeafKind : u8 {
  memory,     // element `index` (in units of the object's leaf width) of object's initial contents
  scalar,     // scalar argument number `object`; index: which 64-bit piece
  undefined,  // a value nobody wrote, fresh: number `index`
  address,    // where object `object` begins, 64 bits
  special,    // an unspecified special register (%clock ...): number `index`, fresh
  stale,      // what a load saw of the former contents of an `out` buffer: (object, index) as for memory
  launch,     // launch symbol number `object` (symbolic/form.h)
  loop,  // a loop's state: of a pass that is being looked at, or, object 1, bound by a Recurrence (symbolic/loop.h)
};
struct Leaf {
  LeafKind kind{};
  u32 object = 0;
  u64 index = 0;
  u32 form = 0;  // memory, stale: the tag of the form that the element's place has beside `index`; 0: none
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

class TermStore {
 public:
  explicit TermStore(u32 capacity = 1u << 28);  // most nodes; address space only, memory is taken as it is used
  TermStore(TermStore&&) noexcept;
  TermStore& operator=(TermStore&&) = delete;
  ~TermStore();

  const Node& operator[](Term t) const { return nodes_[t]; }
  u32 size() const { return count_; }  // ids run from 1 to size() - 1; operands have smaller ids
  unsigned width(Term t) const { return nodes_[t].width; }
  bool is_constant(Term t) const { return nodes_[t].op == Op::constant; }
  u64 constant_bits(Term t) const { return u64(nodes_[t].b) << 32 | nodes_[t].a; }
  Leaf leaf_of(Term t) const;  // of an Op::leaf node

  Term constant(unsigned width, u64 bits);
  Term leaf(const Leaf& leaf, unsigned width);
  // The normal form of op on operands (0 where unused). `width` is the result's. extract: b is the low bit as a
  // number, not a term. approx: c is the tag (see tag()).
  Term make(Op op, unsigned width, u8 attr, Term a, Term b = 0, Term c = 0);
  // The same for a floating operation of which not every operand is a constant: never a constant.
  Term make_float(Op op, unsigned width, u8 attr, Term a, Term b, Term c);
  Term make_fma(unsigned width, u8 attr, Term a, Term b, Term c);
  // One for each of `count` positions of the columns, in order; `result` may be one of them.
  void make_fmas(unsigned width, u8 attr, unsigned count, const u64* a, const u64* b, const u64* c, u64* result);

  // Names of uninterpreted functions: a tag is a small number for a spelled opcode ("ex2.approx.ftz.f32").
  // `body`: what the function's name stands for, so that applications have its flags and a walk finds what it holds.
  u32 tag(const std::string& name, bool unspecified, std::vector<Term> body = {});
  const std::string& tag_name(u32 tag) const { return tags_[tag].name; }
  const std::vector<Term>& tag_body(u32 tag) const { return tags_[tag].body; }

  // More nodes were asked for than the capacity; terms made since are meaningless and no verdict may use them.
  bool exhausted() const { return exhausted_; }
  void limit(u32 nodes) { limit_ = nodes < capacity_ ? nodes : capacity_; }

  // Empty again; memory that was taken stays, so that the next use does not fault it in anew.
  void clear();

  // The newest node that has t as its key operand is about to be asked for.
  void prefetch_parent(Term t) const { __builtin_prefetch(&nodes_[newest_parent_[t] & ~popular]); }
  // The node as it is, without rules; for Rewriter (symbolic/rewrite.cpp) only.
  Term intern(const Node& node);

 private:
  struct Tag {
    std::string name;
    bool unspecified;
    std::vector<Term> body;
  };
  static constexpr u32 popular = 0x80000000u;  // in newest_parent_: the parents are in the hash table
  static constexpr unsigned longest_list = 8;
  static Term key_of(const Node& n) {
    if (n.op == Op::fma || n.op == Op::ite) return n.c;
    return n.op == Op::extract || n.a > n.b ? n.a : n.b;
  }
  Term new_fma(Node node);
  Term append(const Node& node) {
    if (count_ >= limit_) {
      exhausted_ = true;
      return limit_ > 1 ? limit_ - 1 : 0;
    }
    nodes_[count_] = node;
    return count_++;
  }
  // Leaves of memory by object and index: their neighbours are found without hashing.
  static constexpr unsigned leaves_a_run = 256;
  using LeafRun = std::array<Term, leaves_a_run>;  // 0: not made yet
  LeafRun& leaf_run(u64 key);
  Term intern_hashed(const Node& node);
  Term intern_popular(const Node& node, Term key);
  void grow_table();
  Node* nodes_ = nullptr;
  u32* newest_parent_ = nullptr;  // per node: head of the list of nodes keyed on it, or `popular`
  u32* sibling_ = nullptr;        // per node: next in that list
  u32 count_ = 1, capacity_ = 0, limit_ = 0;
  bool exhausted_ = false;
  std::vector<u32> table_;
  u32 table_used_ = 0;
  std::unordered_map<u64, LeafRun> leaf_runs_;
  struct RecentRun {
    u64 key = ~u64(0);
    LeafRun* run = nullptr;
  };
  std::array<RecentRun, 64> recent_runs_;  // by key: found without the map
  std::vector<Tag> tags_;
  std::unordered_map<std::string, u32> tag_of_;  // by name
  // Objects seen from a form, as numbers from first_view on in a leaf's place for the object.
  static constexpr u32 first_view = 1u << 23;
  std::vector<std::pair<u32, u32>> views_;  // object, form
  u32 view(u32 object, u32 form);
};

inline Term TermStore::intern(const Node& node) {
  if (node.op == Op::constant || node.op == Op::leaf) return intern_hashed(node);
  const Term key = key_of(node);
  const u32 head = newest_parent_[key];
  if (head == popular) return intern_hashed(node);
  unsigned length = 0;
  for (u32 id = head; id; id = sibling_[id], ++length)
    if (nodes_[id].same(node)) return id;
  if (length >= longest_list) return intern_popular(node, key);
  const Term made = append(node);
  if (exhausted_) return made;
  sibling_[made] = head;
  newest_parent_[key] = made;
  return made;
}

// Long sums are made of these. What is stored is in normal form, so that the rules would lead to the same node.
[[gnu::always_inline]] inline Term TermStore::make_fma(unsigned width, u8 attr, Term a, Term b, Term c) {
  if (a > b && width < 64) std::swap(a, b);
  const Node node{Op::fma, u8(width), attr, 0, a, b, c};
  const u32 head = newest_parent_[c];
  if (head != popular)
    for (u32 id = head; id; id = sibling_[id])
      if (nodes_[id].same(node)) return id;
  return new_fma(node);
}

// A term of t's cone, loop bodies included, that `wanted` holds for; only terms that have one of `flags` are looked at
// (0: all). 0: there is none.
Term find_in_cone(const TermStore& store, Term t, u8 flags, const std::function<bool(Term)>& wanted);

// Both conditions, where 0 stands for "always".
inline Term conjunction(TermStore& store, Term x, Term y) {
  return x && y ? store.make(Op::and_, 1, 0, x, y) : x ? x : y;
}

// Does `wanted` hold for one of the values that t is by choice? Choices in choices are followed a few deep.
template <class F>
bool may_be(const TermStore& store, Term t, const F& wanted, unsigned depth = 4) {
  if (wanted(t)) return true;
  const Node& n = store[t];
  return n.op == Op::ite && depth > 0 &&
         (may_be(store, n.b, wanted, depth - 1) || may_be(store, n.c, wanted, depth - 1));
}

// t with some of its terms replaced by others, in normal form.
Term substitute(TermStore& store, Term t, const std::unordered_map<Term, Term>& by);

// Values of `roots` when leaf t has the value leaf_value(t); approx nodes take approx_value(node, a, b).
struct Assignment {
  std::function<u64(Term leaf)> leaf_value;
  std::function<u64(const Node& node, u64 a, u64 b)> approx_value;
};
std::vector<u64> evaluate(const TermStore& store, std::span<const Term> roots, const Assignment& assignment);

// As text, for people and tests: add(x[3], 0x5). `name` spells a leaf.
std::string to_string(const TermStore& store, Term t, const std::function<std::string(const Leaf&)>& name = {});

}  // namespace ptxeq::sym
