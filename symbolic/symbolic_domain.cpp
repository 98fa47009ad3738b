#include "symbolic/symbolic_domain.h"

#include <algorithm>
#include <bit>

#include "ir/isa.h"

namespace ptxeq::sym {

namespace {

// Index of an address leaf: the object's own window, or its generic address.
constexpr u64 window_index = 0, generic_index = 1;

bool has_own_window(const Object& object) { return object.space != ir::Space::global; }

}  // namespace

Value SymbolicDomain::fresh(LeafKind kind, unsigned width) {
  origins_.push_back(here);
  return {store_.leaf({kind, 0, origins_.size() - 1}, width), term_tag, width};
}

Value SymbolicDomain::pass_number(i64 limit) {
  const auto [at, first] = pass_numbers_.try_emplace(limit, u32(forms.symbols().size()));
  if (first) forms.add_symbol({"pass", 0, limit - 1});
  return {0, forms.make({concrete_tag, {{at->second, 1}}}, 64), 64};
}

bool SymbolicDomain::counts_passes(u32 symbol) const {
  return std::any_of(pass_numbers_.begin(), pass_numbers_.end(), [&](const auto& p) { return p.second == symbol; });
}

Value SymbolicDomain::element(ObjectId object, const Value& offset, unsigned width) {
  const u32 tag = store_.tag(world_[object].name + " #" + std::to_string(object), false);
  return value(store_.make(Op::approx, width, 0, term(offset), 0, tag));
}

Term SymbolicDomain::term(const Value& v) {
  if (v.tag == term_tag) return Term(v.bits);
  if (v.tag == concrete_tag) return store_.constant(v.w, v.bits);
  if (v.tag == undefined_tag) return Term(fresh(LeafKind::undefined, v.w).bits);
  if (v.tag == unspecified_tag) return Term(fresh(LeafKind::special, v.w).bits);
  if (is_form(v.tag)) return form_term(v);
  const u64 index = base_is_generic(v.tag) ? generic_index : window_index;
  Term base = store_.leaf({LeafKind::address, base_object(v.tag), index}, 64);
  if (v.w < 64) base = store_.make(Op::extract, v.w, 0, base, 0);
  return store_.make(Op::add, v.w, 0, base, store_.constant(v.w, v.bits));
}

// Low bits of an address, zero-extended or not, that the object's alignment decides.
std::optional<u64> SymbolicDomain::known_low_bits(Term t) const {
  if (store_[t].op == Op::zext) t = store_[t].a;
  const Node& n = store_[t];
  if (n.op != Op::extract) return std::nullopt;
  u64 offset = 0;
  Term base = n.a;
  if (const Node& sum = store_[base]; sum.op == Op::add && store_.is_constant(sum.b))
    base = sum.a, offset = store_.constant_bits(sum.b);
  if (store_[base].op != Op::leaf) return std::nullopt;
  const Leaf leaf = store_.leaf_of(base);
  const unsigned end = n.b + n.width;
  if (leaf.kind != LeafKind::address || end >= 64 || (u64(1) << end) > world_[leaf.object].align) return std::nullopt;
  return offset >> n.b & mask(n.width);
}

Value SymbolicDomain::value(Term t) {
  const Node n = store_[t];
  if (n.op == Op::constant) return {store_.constant_bits(t), concrete_tag, n.width};
  if (n.flags == has_launch && n.width > 1) return linear_value(t);
  if (n.flags & has_address) {
    if (const auto bits = known_low_bits(t)) return {*bits, concrete_tag, n.width};
    u64 offset = 0;
    Term base = t;
    if (n.op == Op::add && store_.is_constant(n.b)) base = n.a, offset = store_.constant_bits(n.b);
    const Node& b = store_[base];
    if (b.op == Op::extract && b.b == 0 && b.width == 32 && store_[b.a].op == Op::leaf) base = b.a;
    if (store_[base].op == Op::leaf) {
      const Leaf leaf = store_.leaf_of(base);
      const bool whole = n.width == 64 || (leaf.index == window_index && has_own_window(world_[leaf.object]));
      if (leaf.kind == LeafKind::address && whole)
        return {offset, base_tag(leaf.object, leaf.index == generic_index), n.width};
    }
  }
  return {t, term_tag, n.width};
}

// The address as base + constant + rest: the sum's parts with exactly one base of coefficient 1 (rule 14).
std::optional<Place> SymbolicDomain::place(const Value& address) {
  if (is_base(address.tag)) return Place{base_object(address.tag), address.bits, 0, base_is_generic(address.tag)};
  if (is_form(address.tag)) {
    const Tag base = forms[address.tag].base;
    if (base == concrete_tag) return std::nullopt;
    return Place{base_object(base), address.bits, 0, base_is_generic(base), address.tag};
  }
  if (address.tag != term_tag) return std::nullopt;
  Place out;
  bool found = false;
  std::vector<Term> parts{Term(address.bits)};
  while (!parts.empty()) {
    const Term t = parts.back();
    parts.pop_back();
    const Node n = store_[t];
    const bool low_half = n.op == Op::extract && n.b == 0 && n.width == 32;
    const Term inner = low_half ? n.a : t;
    if (n.op == Op::add) {
      parts.push_back(n.a), parts.push_back(n.b);
    } else if (n.op == Op::constant) {
      out.offset += store_.constant_bits(t);
    } else if (store_[inner].op == Op::leaf && store_.leaf_of(inner).kind == LeafKind::address) {
      const Leaf leaf = store_.leaf_of(inner);
      if (found || (low_half && !has_own_window(world_[leaf.object]))) return std::nullopt;
      found = true, out.object = leaf.object, out.generic = leaf.index == generic_index;
    } else if (n.flags & has_address) {
      return std::nullopt;
    } else {
      out.symbolic = out.symbolic ? store_.make(Op::add, n.width, 0, out.symbolic, t) : t;
    }
  }
  if (!found) return std::nullopt;
  return out;
}

bool SymbolicDomain::inside(const Value& address) const {
  const auto& size = world_[base_object(address.tag)].size;
  return size && address.bits <= *size;
}

Value SymbolicDomain::unary(Op op, unsigned w, const Value& a) {
  if (a.concrete()) return constant(w, apply(op, 0, w, a.w, a.bits, 0, 0));
  return value(store_.make(op, w, 0, term(a)));
}

Value SymbolicDomain::binary(Op op, unsigned w, const Value& a, const Value& b) {
  if (a.concrete() && b.concrete()) return constant(w, apply(op, 0, w, a.w, a.bits, b.bits, 0));
  const Term x = term(a), y = term(b);
  return value(store_.make(op, w, 0, x, y));
}

Value SymbolicDomain::add(Value a, Value b) {
  if (a.concrete() && b.concrete()) return constant(a.w, a.bits + b.bits);
  if (is_base(a.tag) && b.concrete()) return {(a.bits + b.bits) & mask(a.w), a.tag, a.w};
  if (is_base(b.tag) && a.concrete()) return {(a.bits + b.bits) & mask(a.w), b.tag, a.w};
  if (const auto v = linear_sum(a, b)) return *v;
  return binary(Op::add, a.w, a, b);
}

Value SymbolicDomain::sub(Value a, Value b) {
  if (a.concrete() && b.concrete()) return constant(a.w, a.bits - b.bits);
  if (is_base(a.tag) && b.concrete()) return {(a.bits - b.bits) & mask(a.w), a.tag, a.w};
  if (is_base(a.tag) && a.tag == b.tag) return constant(a.w, a.bits - b.bits);
  if (const auto v = linear_difference(a, b)) return *v;
  const Term x = term(a);
  const Term minus = store_.make(Op::neg, b.w, 0, term(b));
  return value(store_.make(Op::add, a.w, 0, x, minus));
}

// The object's alignment decides the low bits of an address.
Value SymbolicDomain::and_(Value a, Value b) {
  if (is_base(b.tag)) std::swap(a, b);
  if (is_base(a.tag) && b.concrete()) {
    const u64 low = world_[base_object(a.tag)].align - 1;
    if ((b.bits & ~low) == 0) return constant(a.w, a.bits & b.bits);
    const u64 cleared = mask(a.w) & ~b.bits;
    if ((cleared & ~low) == 0) return {(a.bits - (a.bits & cleared)) & mask(a.w), a.tag, a.w};
  }
  if (is_form(a.tag) || is_form(b.tag)) {
    if (is_form(b.tag)) std::swap(a, b);
    const Tag base = forms.base_of(a.tag);
    std::optional<Cut> ignored;
    if (b.concrete() && is_base(base) && b.bits < world_[base_object(base)].align &&
        forms.multiple_of(a.tag, std::bit_ceil(b.bits + 1), ignored))
      return constant(a.w, a.bits & b.bits);
    if (b.concrete() && base == concrete_tag)
      if (const auto v = linear_and(a, b.bits)) return *v;
  }
  return binary(Op::and_, a.w, a, b);
}

Value SymbolicDomain::mul(Value a, Value b) {
  if (const auto v = linear_product(a, b)) return *v;
  return binary(Op::mul, a.w, a, b);
}

Value SymbolicDomain::xor_(Value a, Value b) {
  if (a.concrete() && a.bits == mask(a.w)) return not_(b);
  if (b.concrete() && b.bits == mask(b.w)) return not_(a);
  if (const auto v = linear_disjoint(a, b)) return *v;
  return binary(Op::xor_, a.w, a, b);
}

Value SymbolicDomain::shl(Value a, Value n) {
  if (is_form(a.tag) && n.concrete() && n.bits < a.w)
    if (const auto v = linear_product(a, constant(a.w, u64(1) << n.bits))) return *v;
  return binary(Op::shl, a.w, a, n);
}

Value SymbolicDomain::shift_right(Op op, const Value& a, const Value& n) {
  if (is_form(a.tag) && n.concrete() && n.bits < a.w)
    if (const auto v = linear_quotient(a, i128(1) << n.bits, op == Op::ashr, false)) return *v;
  return binary(op, a.w, a, n);
}

Value SymbolicDomain::or_(Value a, Value b) {
  if (is_base(b.tag)) std::swap(a, b);
  if (is_base(a.tag) && b.concrete()) {
    const u64 low = world_[base_object(a.tag)].align - 1;
    if ((b.bits & ~low) == 0) return {(a.bits + (b.bits & ~a.bits)) & mask(a.w), a.tag, a.w};
  }
  if (const auto v = linear_disjoint(a, b)) return *v;
  return binary(Op::or_, a.w, a, b);
}

Value SymbolicDomain::compare(Op op, const Value& a, const Value& b) {
  if (a.concrete() && b.concrete()) return constant(1, apply(op, 0, 1, a.w, a.bits, b.bits, 0));
  if (is_base(a.tag) && a.tag == b.tag) {
    if (op == Op::eq) return constant(1, a.bits == b.bits);
    // Neither end of an object wraps, unsigned; the sign of an address is not known.
    if ((op == Op::ult || op == Op::ule) && inside(a) && inside(b))
      return constant(1, apply(op, 0, 1, 64, a.bits, b.bits, 0));
  }
  if (op == Op::eq) {  // an address in an object is not null
    const Value& p = is_base(a.tag) ? a : b;
    const Value& z = is_base(a.tag) ? b : a;
    if (is_base(p.tag) && z.concrete() && z.bits == 0 && p.w == 64 && inside(p) &&
        (base_is_generic(p.tag) || !has_own_window(world_[base_object(p.tag)])))
      return constant(1, 0);
  }
  if (const auto v = linear_compare(op, a, b)) return *v;
  return binary(op, 1, a, b);
}

Value SymbolicDomain::division(Op op, const Value& a, const Value& b) {
  if (b.concrete() && b.bits != 0) {
    if (is_form(a.tag)) {
      const bool is_signed = op == Op::sdiv || op == Op::srem, quotient = op == Op::udiv || op == Op::sdiv;
      if (!is_signed || i64(sign_extend(b.bits, b.w)) > 0)
        if (const auto v =
                quotient ? linear_quotient(a, b.bits, is_signed, is_signed) : linear_rest(a, b.bits, is_signed))
          return *v;
    }
    return binary(op, a.w, a, b);
  }
  static constexpr const char* names[] = {"udiv", "urem", "sdiv", "srem"};
  const u32 tag = store_.tag(std::string(names[unsigned(op) - unsigned(Op::udiv)]) + " by zero", true);
  const Term x = term(a), y = term(b);
  const Term open = store_.make(Op::approx, a.w, 1, x, 0, tag);
  const Term zero = store_.make(Op::eq, 1, 0, y, store_.constant(b.w, 0));
  return value(store_.make(Op::ite, a.w, 0, zero, open, store_.make(op, a.w, 0, x, y)));
}

Value SymbolicDomain::ite(Value p, Value a, Value b) {
  if (p.concrete()) return p.bits ? a : b;
  if (a.tag != undefined_tag && a.tag != unspecified_tag && a.same(b)) return a;
  const Term c = term(p), x = term(a), y = term(b);
  return value(store_.make(Op::ite, a.w, 0, c, x, y));
}

Value SymbolicDomain::extract(Value a, unsigned low, unsigned w) {
  if (a.concrete()) return constant(w, a.bits >> low);
  if (is_base(a.tag)) {
    const Object& object = world_[base_object(a.tag)];
    if (low + w < 64 && (u64(1) << (low + w)) <= object.align) return constant(w, a.bits >> low);
    // A window of shared, local or constant memory lies below 2^32.
    if (low == 0 && w == 32 && a.w == 64 && has_own_window(object) && !base_is_generic(a.tag))
      return {a.bits & mask(32), a.tag, 32};
  }
  if (const Tag base = forms.base_of(a.tag); is_form(a.tag) && is_base(base) && low == 0 && w == 32 && a.w == 64 &&
                                             has_own_window(world_[base_object(base)]) && !base_is_generic(base))
    return {a.bits & mask(32), forms.make(forms[a.tag], 32), 32};
  if (is_form(a.tag) && forms[a.tag].base == concrete_tag) {  // low bits of a sum are a sum
    const Value v = low ? shift_right(Op::lshr, a, constant(a.w, low)) : a;
    if (is_form(v.tag)) return {v.bits & mask(w), forms.make(forms[v.tag], w), w};
    if (v.concrete()) return constant(w, v.bits);
  }
  return value(store_.make(Op::extract, w, 0, term(a), low));
}

Value SymbolicDomain::concat(Value high, Value low) {
  const unsigned w = high.w + low.w;
  if (high.concrete() && low.concrete()) return constant(w, high.bits << low.w | low.bits);
  if (w <= 64 && (is_form(high.tag) || is_form(low.tag))) {
    const auto x = linear_extended(high, w, false), y = linear_extended(low, w, false);
    const auto shifted = x ? linear_product(*x, constant(w, u64(1) << low.w)) : std::nullopt;
    if (shifted && y)
      if (const auto v = linear_sum(*shifted, *y)) return *v;
  }
  const Term x = term(high), y = term(low);
  return value(store_.make(Op::concat, w, 0, x, y));
}

Value SymbolicDomain::zext(Value a, unsigned w) {
  if (a.concrete()) return constant(w, a.bits);
  if (w == a.w) return a;
  if (w < a.w) return extract(a, 0, w);
  if (is_base(a.tag) && a.w == 32 && w == 64 && inside(a)) return {a.bits, a.tag, 64};
  if (const auto v = linear_extended(a, w, false)) return *v;
  return value(store_.make(Op::zext, w, 0, term(a)));
}

Value SymbolicDomain::sext(Value a, unsigned w) {
  if (a.concrete()) return constant(w, u64(sign_extend(a.bits, a.w)));
  if (w == a.w) return a;
  if (w < a.w) return extract(a, 0, w);
  if (const auto v = linear_extended(a, w, true)) return *v;
  return value(store_.make(Op::sext, w, 0, term(a)));
}

Value SymbolicDomain::floating_mixed(Op op, Attr attr, unsigned w, const Value& a, const Value& b, const Value& c) {
  const bool concrete = a.concrete() && b.concrete() && c.concrete();
  if (concrete) return constant(w, apply(op, attr.pack(), w, a.w, a.bits, b.bits, c.bits));
  const Term x = term(a), y = b.w ? term(b) : 0, z = c.w ? term(c) : 0;
  return value(store_.make(op, w, attr.pack(), x, y, z));
}

Value SymbolicDomain::uninterpreted(const ir::Opcode& op, bool unspecified, unsigned w, const Value& a,
                                    const Value& b) {
  if (tag_ == no_tag) tag_ = store_.tag(ir::spell(op), unspecified);
  const Term x = a.w ? term(a) : store_.constant(1, 0), y = b.w ? term(b) : 0;
  return value(store_.make(Op::approx, w, unspecified, x, y, tag_));
}

}  // namespace ptxeq::sym
