// The symbolic domain's operations on linear forms.
#include <algorithm>
#include <bit>
#include <numeric>

#include "symbolic/symbolic_domain.h"

namespace ptxeq::sym {
namespace {

bool any_form(const Value& a, const Value& b) { return is_form(a.tag) || is_form(b.tag); }
bool linear(const Value& v) { return v.concrete() || is_form(v.tag); }

// Do the factors of such a form's difference with another one fit 64 bits?
bool small_factors(const Forms& forms, Tag tag) {
  constexpr i64 most = i64(1) << 62;
  return !is_form(tag) ||
         std::ranges::all_of(
             forms[tag].parts, [](i64 factor) { return -most < factor && factor < most; }, &FormPart::factor);
}

u64 low_bits(i128 v, unsigned w) { return u64(v) & mask(w); }

}  // namespace

void SymbolicDomain::narrow(u32 symbol, i64 low, i64 high) {
  forms.narrow(symbol, low, high);
  std::erase_if(linear_, [](const auto& known) { return known.second.tag == term_tag; });  // those may be forms now
  cut.reset();
}

// The integer that v is, as its form plus this; v is linear and has no base.
std::optional<i128> SymbolicDomain::exact(const Value& v, bool is_signed) {
  if (is_form(v.tag) && forms[v.tag].base != concrete_tag) return std::nullopt;
  std::optional<Cut> wanted;
  const auto out = forms.exact(v.tag, v.bits, v.w, is_signed, wanted);
  if (!out && !cut) cut = wanted;
  return out;
}

std::optional<Value> SymbolicDomain::linear_sum(const Value& a, const Value& b) {
  if (!any_form(a, b)) return std::nullopt;
  const auto tag = forms.sum(a.tag, b.tag, a.w);
  if (!tag) return std::nullopt;
  return Value{(a.bits + b.bits) & mask(a.w), *tag, a.w};
}

std::optional<Value> SymbolicDomain::linear_difference(const Value& a, const Value& b) {
  if (!any_form(a, b)) return std::nullopt;
  const auto tag = forms.difference(a.tag, b.tag, a.w);
  if (!tag) return std::nullopt;
  return Value{(a.bits - b.bits) & mask(a.w), *tag, a.w};
}

std::optional<Value> SymbolicDomain::linear_product(const Value& a, const Value& b) {
  if (!any_form(a, b)) return std::nullopt;
  const Value &f = is_form(a.tag) ? a : b, &k = is_form(a.tag) ? b : a;
  if (k.concrete()) {
    if (const auto known = known_multiple(f, k.bits)) return known;
    const auto tag = forms.scaled(f.tag, i64(k.bits), a.w);
    if (!tag) return std::nullopt;
    return Value{(f.bits * k.bits) & mask(a.w), *tag, a.w};
  }
  if (!is_form(k.tag) || a.bits != 0 || b.bits != 0) return std::nullopt;
  const Form &x = forms[a.tag], &y = forms[b.tag];
  if (x.base != concrete_tag || y.base != concrete_tag || x.parts.size() != 1 || y.parts.size() != 1)
    return std::nullopt;
  const auto at = products_.find(std::minmax(x.parts[0].symbol, y.parts[0].symbol));
  if (at == products_.end()) return std::nullopt;
  const u64 factor = u64(x.parts[0].factor) * u64(y.parts[0].factor);
  const Value product = extract(at->second, 0, a.w);
  return factor == 1 ? product : linear_product(product, constant(a.w, factor));
}

std::optional<Value> SymbolicDomain::known_multiple(const Value& form, u64 number) {
  const Form& f = forms[form.tag];
  if (multiples_.empty() || form.bits != 0 || f.base != concrete_tag || f.parts.size() != 1) return std::nullopt;
  const auto at = multiples_.find(f.parts[0].symbol);
  if (at == multiples_.end() || number == 0 || number % at->second.first != 0) return std::nullopt;
  const Value product = extract(at->second.second, 0, form.w);
  const u64 times = number / at->second.first * u64(f.parts[0].factor);
  return times == 1 ? product : linear_product(product, constant(form.w, times));
}

// floor(a / divisor), or rounded to zero where a is not negative.
std::optional<Value> SymbolicDomain::linear_quotient(const Value& a, i128 divisor, bool is_signed, bool toward_zero) {
  const auto offset = exact(a, is_signed);
  if (!offset) return std::nullopt;
  std::optional<Cut> wanted;
  if (toward_zero) {
    const auto negative = forms.negative(a.tag, *offset, wanted);
    if (!negative && !cut) cut = wanted;
    if (negative.value_or(true)) return std::nullopt;
  }
  const auto q = forms.quotient(a.tag, *offset, divisor, wanted);
  if (!q) {
    if (!cut) cut = wanted;
    return std::nullopt;
  }
  return Value{low_bits(q->offset, a.w), forms.make(q->form, a.w), a.w};
}

std::optional<Value> SymbolicDomain::linear_rest(const Value& a, u64 divisor, bool is_signed) {
  const auto q = linear_quotient(a, divisor, is_signed, is_signed);
  if (!q) return std::nullopt;
  return sub(a, mul(*q, constant(a.w, divisor)));
}

// A mask of neighbouring ones: bits [low, low + count).
std::optional<Value> SymbolicDomain::linear_and(const Value& a, u64 bits) {
  if (bits == 0) return constant(a.w, 0);
  const unsigned low = unsigned(std::countr_zero(bits)), count = unsigned(std::popcount(bits));
  if (bits >> low != mask(count)) return std::nullopt;
  Value v = a;
  if (low) {
    const auto q = linear_quotient(a, i128(1) << low, false, false);
    if (!q) return std::nullopt;
    v = *q;
  }
  if (low + count < a.w) {
    const auto r = linear(v) ? linear_rest(v, u64(1) << count, false) : std::nullopt;
    if (!r) return std::nullopt;
    v = *r;
  }
  return low ? mul(v, constant(a.w, u64(1) << low)) : v;
}

// a | b and a ^ b are a + b where one is a multiple of a power of two and the other below it.
std::optional<Value> SymbolicDomain::linear_disjoint(const Value& a, const Value& b) {
  if (!any_form(a, b) || !linear(a) || !linear(b)) return std::nullopt;
  for (const Value* v : {&a, &b})  // where an object lies is no number
    if (forms.base_of(v->tag) != concrete_tag) return std::nullopt;
  for (const auto& [high, low] : {std::pair{a, b}, std::pair{b, a}}) {
    u64 all = high.bits;
    for (const FormPart& p : forms.form_of(high.tag).parts) all |= u64(p.factor);
    const unsigned zeros = all == 0 ? high.w : unsigned(std::countr_zero(all));
    if (zeros == 0) continue;
    std::optional<Cut> ignored;
    const auto offset = forms.exact(low.tag, low.bits, low.w, false, ignored);
    if (offset && forms.range_of(low.tag).high + *offset < (i128(1) << zeros)) return linear_sum(a, b);
  }
  std::optional<Value> sum;
  if (a.concrete() || b.concrete()) sum = a.concrete() ? linear_or(b, a.bits) : linear_or(a, b.bits);
  left_open |= !sum;
  return sum;
}

// Bits [low, low + count) of v, where they are the same for all values of the symbols.
std::optional<u64> SymbolicDomain::common_bits(const Value& v, unsigned low, unsigned count) {
  std::optional<Cut> ignored;
  const auto offset = forms.exact(v.tag, v.bits, v.w, false, ignored);
  if (!offset) return std::nullopt;
  const auto above = [&](unsigned n) { return forms.quotient(v.tag, *offset, i128(1) << n, ignored); };
  const auto from = above(low), beyond = above(low + count);
  if (!from || !beyond) return std::nullopt;
  const auto taken = forms.scaled(forms.make(beyond->form, 64), i64(1) << count, 64);
  if (!taken || forms.make(from->form, 64) != *taken) return std::nullopt;
  return u64(from->offset - (beyond->offset << count));
}

// v | bits is their sum where v has none of the bits.
std::optional<Value> SymbolicDomain::linear_or(const Value& v, u64 bits) {
  for (u64 left = bits; left;) {
    const unsigned low = unsigned(std::countr_zero(left)), count = unsigned(std::countr_one(left >> low));
    if (low + count >= 62 || common_bits(v, low, count) != u64(0)) return std::nullopt;
    left &= ~(mask(count) << low);
  }
  return linear_sum(v, constant(v.w, bits));
}

std::optional<Value> SymbolicDomain::linear_compare(Op op, const Value& a, const Value& b) {
  if (!any_form(a, b)) return std::nullopt;
  const bool equality = op == Op::eq, is_signed = op == Op::slt || op == Op::sle;
  const auto tag = forms.difference(a.tag, b.tag, 64);
  if (!tag || forms.base_of(*tag) != concrete_tag) return std::nullopt;
  std::optional<Cut> wanted;
  i128 offset = 0;
  const Tag base_a = forms.base_of(a.tag);
  if (base_a != concrete_tag) {  // two places in one object
    const Range r = forms.range_of(*tag);
    if (!equality || a.w != 64 || r.low < -(i128(1) << 62) || r.high > i128(1) << 62) return std::nullopt;
    offset = i128(i64(a.bits - b.bits));
  } else {
    if (!small_factors(forms, a.tag) || !small_factors(forms, b.tag)) return std::nullopt;
    const auto x = exact(a, is_signed), y = exact(b, is_signed);
    if (!x || !y) return std::nullopt;
    offset = *x - *y;
  }
  // a < b: the difference is negative; a <= b: it is below 1.
  const auto answer = equality ? forms.zero(*tag, offset, wanted)
                               : forms.negative(*tag, op == Op::ule || op == Op::sle ? offset - 1 : offset, wanted);
  if (answer) return constant(1, *answer);
  // No one cut decides a relation between symbols that weigh about the same: that stays a condition.
  if (uncut || (is_form(*tag) && !forms.graded(*tag))) {
    left_open = true;
    return std::nullopt;
  }
  if (!cut) cut = wanted;
  return std::nullopt;
}

std::optional<Value> SymbolicDomain::linear_extended(const Value& a, unsigned w, bool is_signed) {
  if (a.concrete()) return constant(w, is_signed ? u64(sign_extend(a.bits, a.w)) : a.bits);
  if (!is_form(a.tag)) return std::nullopt;
  const auto offset = exact(a, is_signed);
  if (!offset) return std::nullopt;
  return Value{low_bits(*offset, w), forms.make(forms[a.tag], w), w};
}

// A sum of 64 bits as a multiple of one of 32, where that does not wrap: what a kernel computes in 32 bits and then
// widens is the same term then.
std::optional<Value> SymbolicDomain::narrow_sum(const Value& v, u64& times) {
  Form form = forms.form_of(v.tag);
  if (v.w != 64 || form.base != concrete_tag || form.parts.size() < 2) return std::nullopt;
  const auto magnitude = [](i64 x) { return x < 0 ? -u64(x) : u64(x); };
  times = magnitude(i64(v.bits));
  for (const FormPart& p : form.parts) times = std::gcd(times, magnitude(p.factor));
  const i128 offset = i64(v.bits), low = forms.range_of(v.tag).low + offset, high = forms.range_of(v.tag).high + offset;
  if (times == 0 || times >> 32 || low < 0 || high / i128(times) >= i128(1) << 32) return std::nullopt;
  for (FormPart& p : form.parts) p.factor /= i64(times);
  return Value{u64(i64(v.bits) / i64(times)) & mask(32), forms.make(std::move(form), 32), 32};
}

Term SymbolicDomain::form_term(const Value& v) {
  const Form form = forms[v.tag];
  if (u64 times = 1; const auto narrow = narrow_sum(v, times)) {
    const Term wide = store_.make(Op::zext, 64, 0, form_term(*narrow));
    const Term sum = store_.make(Op::mul, 64, 0, wide, store_.constant(64, times));
    return linear_[sum] = v, sum;
  }
  Term sum = form.base == concrete_tag ? store_.constant(v.w, v.bits) : term({v.bits, form.base, v.w});
  for (const FormPart& p : form.parts) {
    const unsigned width = forms.symbols()[p.symbol].leaf_width();
    Term t = store_.leaf({LeafKind::launch, p.symbol, 0}, width);
    if (width < v.w) t = store_.make(Op::zext, v.w, 0, t);
    if (width > v.w) t = store_.make(Op::extract, v.w, 0, t, 0);
    sum = store_.make(Op::add, v.w, 0, sum,
                      store_.make(Op::mul, v.w, 0, t, store_.constant(v.w, u64(p.factor) & mask(v.w))));
  }
  if (form.base == concrete_tag) linear_[sum] = v;
  return sum;
}

// A term over launch symbols alone, as a form where it is one: what rules have made of a division is one again.
Value SymbolicDomain::linear_value(Term t) {
  if (const auto at = linear_.find(t); at != linear_.end()) return at->second;
  const Node n = store_[t];
  linear_[t] = {t, term_tag, n.width};  // while its operands are looked at, and where it is none
  const Value v = linear_operation(n);
  if (linear(v)) linear_[t] = v;
  return linear_[t];
}

Value SymbolicDomain::linear_operation(const Node& n) {
  const Value none{0, undefined_tag, n.width};
  if (n.op == Op::leaf || n.width > 64) return none;
  const Value a = value(n.a);
  const Value b = n.b && n.op != Op::extract ? value(n.b) : Value{};
  if (!linear(a) || !linear(b)) return none;
  switch (n.op) {
    case Op::add:
      return linear_sum(a, b).value_or(none);
    case Op::mul:
      return linear_product(a, b).value_or(none);
    case Op::udiv:
      return b.concrete() && b.bits ? linear_quotient(a, b.bits, false, false).value_or(none) : none;
    case Op::urem:
      return b.concrete() && b.bits ? linear_rest(a, b.bits, false).value_or(none) : none;
    case Op::sdiv:
      return b.concrete() && i64(sign_extend(b.bits, b.w)) > 0 ? linear_quotient(a, b.bits, true, true).value_or(none)
                                                               : none;
    case Op::srem:
      return b.concrete() && i64(sign_extend(b.bits, b.w)) > 0 ? linear_rest(a, b.bits, true).value_or(none) : none;
    case Op::zext:
      return linear_extended(a, n.width, false).value_or(none);
    case Op::sext:
      return linear_extended(a, n.width, true).value_or(none);
    case Op::extract:
      if (n.b == 0 && is_form(a.tag)) return {a.bits & mask(n.width), forms.make(forms[a.tag], n.width), n.width};
      return none;
    default:
      return none;
  }
}

}  // namespace ptxeq::sym
