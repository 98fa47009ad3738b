// A lane's value: bits and a tag that says what the bits are.
#pragma once

#include "ir/module.h"
#include "symbolic/object.h"
#include "symbolic/term.h"

namespace ptxeq::sym {

// 0: the bits are the value. 1: a term's id. 2: nobody wrote it. 3: the hardware's choice (%clock). From first_base
// on: an address, base plus bits, where the base is an object's beginning in its own window or as a generic address
// (the same for global memory). From first_form on: a linear form over launch symbols, perhaps on such a base, plus
// bits (symbolic/form.h).
using Tag = u32;
inline constexpr Tag concrete_tag = 0, term_tag = 1, undefined_tag = 2, unspecified_tag = 3, first_base = 8;

inline Tag base_tag(ObjectId object, bool generic) { return first_base + object * 2 + Tag(generic); }
inline constexpr Tag first_form = Tag(1) << 28;
inline constexpr Tag mixed_tag = ~Tag(0);  // of a register whose lanes disagree; no value has it
inline bool is_base(Tag tag) { return tag >= first_base && tag < first_form; }
inline bool is_form(Tag tag) { return tag >= first_form && tag != mixed_tag; }
inline ObjectId base_object(Tag tag) { return (tag - first_base) / 2; }
inline bool base_is_generic(Tag tag) { return (tag - first_base) & 1; }

struct Value {
  u64 bits = 0;
  Tag tag = concrete_tag;
  unsigned w = 0;
  unsigned width() const { return w; }
  bool concrete() const { return tag == concrete_tag; }
  bool same(const Value& o) const { return bits == o.bits && tag == o.tag; }
};

// Where an address points.
struct Place {
  ObjectId object = 0;
  u64 offset = 0;     // concrete part, modulo 2^64
  Term symbolic = 0;  // added to it, 64 bits; 0: none
  bool generic = false;
  Tag form = concrete_tag;  // added to it, where a launch symbol moves the address
};

}  // namespace ptxeq::sym
