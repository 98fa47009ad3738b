#include "symbolic/division.h"

namespace ptxeq::sym {
namespace {

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

// floor(x * factor / 2^shift), exact: nothing of it wraps.
struct Scaled {
  Term x = 0;
  i128 factor = 0;
  unsigned shift = 0;
  bool is_signed = false;
};

// ext(x) * c
std::optional<Scaled> scaled_product(const TermStore& s, const Node& n) {
  if (!s.is_constant(n.b)) return std::nullopt;
  const Node& wide = s[n.a];
  if (wide.op != Op::zext && wide.op != Op::sext) return std::nullopt;
  const unsigned from = s.width(wide.a);
  const bool is_signed = wide.op == Op::sext;
  const u64 c = s.constant_bits(n.b);
  const i128 factor = is_signed ? i128(sign_extend(c, n.width)) : i128(c);
  const i128 largest = is_signed ? i128(1) << (from - 1) : i128(mask(from));  // |x|
  const i128 bound = i128(1) << (is_signed ? n.width - 1 : n.width);
  // sext(x) * c lies in [-bound, bound) where |x| * |c| stays below bound.
  if ((factor < 0 ? -factor : factor) * largest >= bound) return std::nullopt;
  return Scaled{wide.a, factor, 0, is_signed};
}

// A product with a constant, its high half, or its upper bits.
std::optional<Scaled> scaled_by_product(const TermStore& s, Term t) {
  const Node& n = s[t];
  if (n.op == Op::mul) return scaled_product(s, n);
  if (n.op == Op::extract) {
    const Node& whole = s[n.a];
    if (whole.op != Op::mul || n.b + n.width != whole.width) return std::nullopt;
    auto v = scaled_product(s, whole);
    if (v) v->shift = n.b;
    return v;
  }
  if ((n.op != Op::umulh && n.op != Op::smulh) || !s.is_constant(n.b)) return std::nullopt;
  const bool is_signed = n.op == Op::smulh;
  const u64 c = s.constant_bits(n.b);
  const bool extended = s[n.a].op == (is_signed ? Op::sext : Op::zext);
  return Scaled{extended ? s[n.a].a : n.a, is_signed ? i128(sign_extend(c, n.width)) : i128(c), n.width, is_signed};
}

// The high half of a product of x with a constant, as an operand of a sum: the term and what it is.
struct HighHalf {
  Term term = 0;
  Scaled value;
};
std::optional<HighHalf> high_half_in(TermStore& s, Term sum, unsigned depth = 2) {
  const Node n = s[sum];
  if (n.op != Op::add || depth == 0) return std::nullopt;
  for (const Term operand : {n.a, n.b}) {
    if (const auto v = scaled_by_product(s, operand); v && v->shift == n.width && s.width(v->x) == n.width)
      return HighHalf{operand, *v};
    if (s[operand].op == Op::add)
      if (const auto found = high_half_in(s, operand, depth - 1)) return found;
  }
  return std::nullopt;
}

// A factor of w + 1 bits does not fit the multiplication, so x * 2^w is added apart:
// unsigned ((x - h) >> 1) + h = floor((x + h) / 2), signed h + x, where h is the high half of x * (factor - 2^w).
std::optional<Scaled> scaled_sum(TermStore& s, Term t) {
  const auto high = high_half_in(s, t);
  if (!high) return std::nullopt;
  const unsigned w = s.width(t);
  Scaled v = high->value;
  const Term h = high->term;
  v.factor += i128(1) << w;
  if (v.is_signed) {
    if (v.factor >= i128(1) << w || s.make(Op::add, w, 0, h, v.x) != t) return std::nullopt;
    return v;
  }
  const Term difference = s.make(Op::add, w, 0, v.x, s.make(Op::neg, w, 0, h));
  const Term half = s.make(Op::lshr, w, 0, difference, s.constant(w, 1));
  if (s.make(Op::add, w, 0, half, h) != t) return std::nullopt;
  ++v.shift;
  return v;
}

// The same, or a sum that stands for a wider product, or the upper bits of one of these.
std::optional<Scaled> scaled(TermStore& s, Term t) {
  if (const auto v = scaled_by_product(s, t)) return v;
  const Node n = s[t];
  if (n.op == Op::add) return scaled_sum(s, t);
  if (n.op != Op::extract || n.b + n.width != s.width(n.a)) return std::nullopt;
  auto v = s[n.a].op == Op::add ? scaled_sum(s, n.a) : scaled_by_product(s, n.a);
  if (v) v->shift += n.b;
  return v;
}

// With d = factor^-1 * 2^shift rounded up, e = factor * d - 2^shift:
//   x * factor / 2^shift = x / d + x * e / (d * 2^shift)
// and the last term is below 1 / d, so that it changes no floor, where e * |x| < 2^shift.
// Signed, d is rounded up strictly (e > 0), so that negative x with an exact quotient go one further down.
std::optional<Quotient> quotient(const TermStore& s, const Scaled& v) {
  if (v.factor < 2 || v.shift == 0 || v.shift > 127) return std::nullopt;
  const unsigned w = s.width(v.x);
  const u128 power = u128(1) << v.shift, factor = u128(v.factor);
  const u128 d = v.is_signed ? power / factor + 1 : (power - 1) / factor + 1;
  const u128 largest = v.is_signed ? u128(1) << (w - 1) : u128(mask(w));
  if (d < 2 || d > (v.is_signed ? largest - 1 : largest)) return std::nullopt;
  const u128 excess = factor * d - power;
  if (excess > (power - 1) / largest) return std::nullopt;
  return Quotient{v.x, u64(d)};
}

}  // namespace

std::optional<Quotient> unsigned_quotient(TermStore& store, Term t, unsigned low) {
  auto v = scaled(store, t);
  if (!v || v->is_signed) return std::nullopt;
  v->shift += low;
  return quotient(store, *v);
}

std::optional<Quotient> signed_quotient(TermStore& store, Term t) {
  const Node n = store[t];
  const auto v = scaled(store, n.op == Op::sext ? n.a : t);
  if (!v || !v->is_signed || store.width(v->x) != n.width) return std::nullopt;
  return quotient(store, *v);
}

Term factor_with_sign_of(TermStore& store, Term t) {
  const auto v = scaled(store, t);
  return v && v->is_signed && v->factor > 0 ? v->x : 0;
}

}  // namespace ptxeq::sym
