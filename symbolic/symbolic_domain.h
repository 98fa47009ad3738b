// The symbolic domain: values are concrete bits, an address on an object's base, a linear form over launch symbols, or
// a term. Each operation stays with the cheapest kind that holds the result (forms: symbolic/form_domain.cpp).
#pragma once

#include "symbolic/concrete.h"
#include "symbolic/form.h"

namespace ptxeq::sym {

// Where an undefined or unspecified value came into being: a step of a program, and a thread by its global number.
struct Origin {
  const void* program = nullptr;
  u32 step = 0, thread = 0;
};

class SymbolicDomain {
 public:
  using Value = sym::Value;

  SymbolicDomain(TermStore& store, const World& world) : store_(store), world_(world) {}

  // Of each fresh leaf, by Leaf::index; the machine sets `here` before it reads an operand.
  const Origin& origin(u64 index) const { return origins_[index]; }
  Origin here;

  // The opcode attributes of the instruction that the next calls belong to.
  void begin(Attr attr) { attr_ = attr, tag_ = no_tag; }
  Attr attr(const ir::Opcode&) const { return attr_; }

  Term term(const Value& v);  // any value as a term; an undefined one becomes a fresh leaf
  Value value(Term t);        // a term as the cheapest kind of value
  Value fresh(LeafKind kind, unsigned width);
  std::optional<Place> place(const Value& address);  // nothing: not one object's address
  // Linear forms over this run's launch symbols. An operation that the symbols' ranges cannot decide leaves in `cut`
  // what would; its result is then of no use.
  Forms forms;
  std::optional<Cut> cut;
  bool uncut = false;  // relations that the ranges do not decide stay conditions instead
  // A question about them has been left a term, which fewer values of theirs may have answered.
  bool left_open = false;
  // A launch symbol stands for fewer values from now on, and what could not be decided may be: no cut is left. What was
  // found out before stays true (SOUNDNESS rule 6).
  void narrow(u32 symbol, i64 low, i64 high);
  // The product of two launch symbols, where that is known as a form (ctaid * ntid).
  void define_product(u32 x, u32 y, const Value& product) { products_[std::minmax(x, y)] = product; }

  // The same for a launch symbol and a number, and so for the number's multiples (ctaid * 192).
  void define_multiple(u32 x, u64 number, const Value& product) { multiples_[x] = {number, product}; }

  // How often a loop's pass has been made, below `limit`: a launch symbol of its own, the same for all loops with the
  // limit. 64 bits.
  Value pass_number(i64 limit);
  bool counts_passes(u32 symbol) const;

  // The initial contents of the object at a place that is no number.
  Value element(ObjectId object, const Value& offset, unsigned width);

  // The bytes of an object, where they are no number: 64 bits, signed.
  void set_size(ObjectId object, const Value& bytes) { sizes_[object] = bytes; }
  const Value* size(ObjectId object) const {
    const auto at = sizes_.find(object);
    return at == sizes_.end() ? nullptr : &at->second;
  }

  TermStore& store() { return store_; }
  const World& world() const { return world_; }

  // The bits of v when they are concrete: a form whose control word is known then becomes its few operations.
  static std::optional<u64> known(const Value& v) { return v.concrete() ? std::optional(v.bits) : std::nullopt; }

  static Value constant(unsigned w, u64 bits) { return {bits & mask(w), concrete_tag, w}; }
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value neg(Value a) { return is_form(a.tag) ? sub(constant(a.w, 0), a) : unary(Op::neg, a.w, a); }
  Value and_(Value a, Value b);
  Value or_(Value a, Value b);
  Value xor_(Value a, Value b);
  Value not_(Value a) { return is_form(a.tag) ? sub(constant(a.w, mask(a.w)), a) : unary(Op::not_, a.w, a); }
  Value shl(Value a, Value n);
  Value lshr(Value a, Value n) { return shift_right(Op::lshr, a, n); }
  Value ashr(Value a, Value n) { return shift_right(Op::ashr, a, n); }
  Value udiv(Value a, Value b) { return division(Op::udiv, a, b); }
  Value urem(Value a, Value b) { return division(Op::urem, a, b); }
  Value sdiv(Value a, Value b) { return division(Op::sdiv, a, b); }
  Value srem(Value a, Value b) { return division(Op::srem, a, b); }
  Value umulh(Value a, Value b) { return binary(Op::umulh, a.w, a, b); }
  Value smulh(Value a, Value b) { return binary(Op::smulh, a.w, a, b); }
  Value popc(Value a) { return unary(Op::popc, a.w, a); }
  Value clz(Value a) { return unary(Op::clz, a.w, a); }
  Value brev(Value a) { return unary(Op::brev, a.w, a); }
  Value eq(Value a, Value b) { return compare(Op::eq, a, b); }
  Value ne(Value a, Value b) { return not_(eq(a, b)); }
  Value ult(Value a, Value b) { return compare(Op::ult, a, b); }
  Value ule(Value a, Value b) { return compare(Op::ule, a, b); }
  Value slt(Value a, Value b) { return compare(Op::slt, a, b); }
  Value sle(Value a, Value b) { return compare(Op::sle, a, b); }
  Value ite(Value p, Value a, Value b);
  Value extract(Value a, unsigned low, unsigned w);
  Value concat(Value high, Value low);
  Value zext(Value a, unsigned w);
  Value sext(Value a, unsigned w);

  Value fadd(Attr t, Value a, Value b) { return floating(Op::fadd, t, a.w, a, b); }
  Value fsub(Attr t, Value a, Value b) { return floating(Op::fsub, t, a.w, a, b); }
  Value fmul(Attr t, Value a, Value b) { return floating(Op::fmul, t, a.w, a, b); }
  Value fdiv(Attr t, Value a, Value b) { return floating(Op::fdiv, t, a.w, a, b); }
  Value fmin(Attr t, Value a, Value b) { return floating(Op::fmin, t, a.w, a, b); }
  Value fmax(Attr t, Value a, Value b) { return floating(Op::fmax, t, a.w, a, b); }
  [[gnu::always_inline]] Value fma(Attr t, Value a, Value b, Value c) {  // in the innermost of all loops
    if (a.tag != term_tag || b.tag != term_tag || c.tag != term_tag) return floating_mixed(Op::fma, t, a.w, a, b, c);
    return {store_.make_fma(a.w, t.pack(), Term(a.bits), Term(b.bits), Term(c.bits)), term_tag, a.w};
  }
  Value fsqrt(Attr t, Value a) { return floating(Op::fsqrt, t, a.w, a); }
  Value fneg(Attr t, Value a) { return floating(Op::fneg, t, a.w, a); }
  Value fabs(Attr t, Value a) { return floating(Op::fabs, t, a.w, a); }
  Value frint(Attr t, Value a) { return floating(Op::frint, t, a.w, a); }
  Value feq(Attr t, Value a, Value b) { return floating(Op::feq, t, 1, a, b); }
  Value flt(Attr t, Value a, Value b) { return floating(Op::flt, t, 1, a, b); }
  Value fle(Attr t, Value a, Value b) { return floating(Op::fle, t, 1, a, b); }
  Value fisnan(Attr t, Value a) { return floating(Op::fisnan, t, 1, a); }
  Value fround(Attr t, Value a, unsigned w) { return floating(Op::fround, t, w, a); }
  Value ftoi(Attr t, Value a, unsigned w) { return floating(Op::ftoi, t, w, a); }
  Value itof(Attr t, Value a, unsigned w) { return floating(Op::itof, t, w, a); }

  Value approx(const ir::Opcode& op, unsigned w, Value a, Value b = {}) { return uninterpreted(op, false, w, a, b); }
  Value unspecified(const ir::Opcode& op, unsigned w, Value a = {}, Value b = {}) {
    return uninterpreted(op, true, w, a, b);
  }

 private:
  static constexpr u32 no_tag = ~u32(0);
  Value unary(Op op, unsigned w, const Value& a);
  Value binary(Op op, unsigned w, const Value& a, const Value& b);
  Value compare(Op op, const Value& a, const Value& b);
  Value division(Op op, const Value& a, const Value& b);
  Value floating(Op op, Attr attr, unsigned w, const Value& a, const Value& b = {}, const Value& c = {}) {
    // Unused operands have the concrete tag and width 0.
    if (a.tag == term_tag && (b.w == 0 || b.tag == term_tag) && (c.w == 0 || c.tag == term_tag))
      return {store_.make_float(op, w, attr.pack(), Term(a.bits), b.w ? Term(b.bits) : 0, c.w ? Term(c.bits) : 0),
              term_tag, w};
    return floating_mixed(op, attr, w, a, b, c);
  }
  Value floating_mixed(Op op, Attr attr, unsigned w, const Value& a, const Value& b, const Value& c);
  Value uninterpreted(const ir::Opcode& op, bool unspecified, unsigned w, const Value& a, const Value& b);
  // form_domain.cpp; nothing where the general way has to be taken. Concrete values and bases count as forms.
  std::optional<Value> linear_sum(const Value& a, const Value& b);
  std::optional<Value> linear_difference(const Value& a, const Value& b);
  std::optional<Value> linear_product(const Value& a, const Value& b);
  std::optional<Value> known_multiple(const Value& form, u64 number);
  std::optional<Value> linear_quotient(const Value& a, i128 divisor, bool is_signed, bool toward_zero);
  std::optional<Value> linear_rest(const Value& a, u64 divisor, bool is_signed);
  std::optional<Value> linear_and(const Value& a, u64 bits);
  std::optional<Value> linear_disjoint(const Value& a, const Value& b);
  std::optional<Value> linear_or(const Value& v, u64 bits);
  std::optional<u64> common_bits(const Value& v, unsigned low, unsigned count);
  std::optional<Value> linear_compare(Op op, const Value& a, const Value& b);
  std::optional<Value> linear_extended(const Value& a, unsigned w, bool is_signed);
  Value shift_right(Op op, const Value& a, const Value& n);
  Term form_term(const Value& v);
  std::optional<Value> narrow_sum(const Value& v, u64& times);
  Value linear_value(Term t);
  Value linear_operation(const Node& n);
  std::optional<i128> exact(const Value& v, bool is_signed);

  std::optional<u64> known_low_bits(Term t) const;
  bool inside(const Value& address) const;  // offset within [0, size]

  TermStore& store_;
  const World& world_;
  Attr attr_;
  u32 tag_ = no_tag;
  std::vector<Origin> origins_;
  std::map<std::pair<u32, u32>, Value> products_;
  std::map<u32, std::pair<u64, Value>> multiples_;
  std::map<ObjectId, Value> sizes_;
  std::map<i64, u32> pass_numbers_;         // by limit
  std::unordered_map<Term, Value> linear_;  // what a term over launch symbols alone is
};

}  // namespace ptxeq::sym
