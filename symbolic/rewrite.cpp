// The normal form: TermStore::make. One function an operation; each rule is written  match  ->  result.
// Every rule holds for every input bit pattern; the tests check each against a solver and against apply().
#include <bit>
#include <utility>

#include "symbolic/division.h"
#include "symbolic/possible_ones.h"
#include "symbolic/term.h"

namespace ptxeq::sym {

namespace {

bool is_power_of_two(u64 v) { return std::has_single_bit(v); }
bool is_low_mask(u64 v) { return v != 0 && (v & (v + 1)) == 0; }

u64 low_zero_bits(u64 possible) { return possible == 0 ? 64 : u64(std::countr_zero(possible)); }

}  // namespace

// Rules on top of a store.
class Rewriter {
 public:
  explicit Rewriter(TermStore& store) : s(store) {}

  Term make(Op op, unsigned w, u8 attr, Term a, Term b, Term c) {
    switch (op) {
      case Op::add:
        return add(a, b);
      case Op::mul:
        return mul(a, b);
      case Op::neg:
        return mul(a, s.constant(w, mask(w)));
      case Op::udiv:
        return udiv(a, b);
      case Op::urem:
        return urem(a, b);
      case Op::sdiv:
      case Op::srem:
        return signed_division(op, a, b);
      case Op::umulh:
      case Op::smulh:
        return high_product(op, a, b);
      case Op::and_:
        return and_(a, b);
      case Op::or_:
        return or_(a, b);
      case Op::xor_:
        return xor_(a, b);
      case Op::not_:
        return not_(a);
      case Op::shl:
        return shl(a, b);
      case Op::lshr:
        return lshr(a, b);
      case Op::ashr:
        return ashr(a, b);
      case Op::popc:
      case Op::clz:
      case Op::brev:
        return bit_function(op, a);
      case Op::eq:
        return eq(a, b);
      case Op::ult:
        return ult(a, b);
      case Op::slt:
        return slt(a, b);
      case Op::ule:
        return not_(ult(b, a));  // ule(a, b) -> not ult(b, a)
      case Op::sle:
        return not_(slt(b, a));
      case Op::ite:
        return ite(a, b, c);
      case Op::extract:
        return extract(a, b, w);
      case Op::concat:
        return concat(a, b);
      case Op::zext:
        return zext(a, w);
      case Op::sext:
        return sext(a, w);
      case Op::approx:
        return node(op, w, attr, a, b, c);
      default:
        return floating(op, w, attr, a, b, c);
    }
  }

  // TermStore::new_fma (symbolic/fma.cpp) knows what these rules look at in an fma.
  Term floating(Op op, unsigned w, u8 attr, Term a, Term b, Term c) {
    if (s.is_constant(a) && (!b || s.is_constant(b)) && (!c || s.is_constant(c))) return fold(op, w, attr, a, b, c);
    const bool narrow = s.width(a) < 64;
    if (narrow && hides_payload(op)) {
      const bool bf16 = Attr::unpack(attr).bf16;
      a = same_number(a, bf16);
      if (b) b = same_number(b, bf16);
      if (c) c = same_number(c, bf16);
    }
    if (op == Op::fadd || op == Op::fsub || op == Op::fmul) attr = contraction(op, attr, a, b);
    // a op b -> b op a, sorted: a NaN result is canonical below 64 bits, and compares have none
    const bool commutes =
        ((op == Op::fadd || op == Op::fmul || op == Op::fma || op == Op::fmin || op == Op::fmax) && narrow) ||
        op == Op::feq;
    if (commutes && a > b) std::swap(a, b);
    return node(op, w, attr, a, b, c);
  }

 private:
  TermStore& s;

  bool constant(Term t) const { return s.is_constant(t); }
  u64 bits(Term t) const { return s.constant_bits(t); }
  unsigned width(Term t) const { return s.width(t); }
  Op op(Term t) const { return s[t].op; }
  Term number(unsigned w, u64 v) { return s.constant(w, v); }

  Term node(Op o, unsigned w, u8 attr, Term a, Term b = 0, Term c = 0) {
    u8 flags = s[a].flags;
    if (b && o != Op::extract) flags = u8(flags | s[b].flags);
    if (c && o != Op::approx) flags = u8(flags | s[c].flags);
    if (o == Op::approx) {
      flags = u8(flags | (attr ? has_unspecified : has_approx));
      for (const Term t : s.tag_body(c)) flags = u8(flags | s[t].flags);
    }
    if ((o == Op::fadd || o == Op::fsub) && Attr::unpack(attr).contractible) flags |= has_contraction;
    return s.intern({o, u8(w), attr, flags, a, b, c});
  }
  Term fold(Op o, unsigned w, u8 attr, Term a, Term b = 0, Term c = 0) {
    return number(w, apply(o, attr, w, width(a), bits(a), b ? bits(b) : 0, c ? bits(c) : 0));
  }
  // Constants second, else the smaller id first.
  void sort(Term& a, Term& b) const {
    if (constant(a) || (!constant(b) && a > b)) std::swap(a, b);
  }
  // Does the operation see no more of a NaN below 64 bits than that it is one? Its own NaN result is canonical.
  static bool hides_payload(Op o) {
    return (o >= Op::fadd && o <= Op::fmax) || o == Op::feq || o == Op::flt || o == Op::fle || o == Op::fisnan;
  }
  // x + (-0), x - (+0), x * 1, rounded to nearest and not flushed -> x, for an operation that hides payloads.
  // `bf16`: as which of the 16-bit formats that operation reads its operands; the other one has other NaNs.
  Term same_number(Term t, bool bf16) const {
    const Op o = s[t].op;
    return o == Op::fadd || o == Op::fsub || o == Op::fmul ? without_neutral(t, bf16) : t;
  }
  Term without_neutral(Term t, bool bf16) const {
    for (;;) {
      const Node& n = s[t];
      if ((n.op != Op::fadd && n.op != Op::fsub && n.op != Op::fmul) || n.width >= 64) return t;
      const Attr attr = Attr::unpack(n.attr);
      if (n.width == 16 && attr.bf16 != bf16) return t;
      if (attr.rounding != Rounding::rn || attr.ftz || attr.sat || attr.relu) return t;
      const u64 sign = u64(1) << (n.width - 1);
      const u64 one = n.width == 32 ? 0x3f800000 : attr.bf16 ? 0x3f80 : 0x3c00;
      const u64 neutral = n.op == Op::fadd ? sign : n.op == Op::fsub ? 0 : one;
      if (constant(n.b) && bits(n.b) == neutral)
        t = n.a;
      else if (n.op != Op::fsub && constant(n.a) && bits(n.a) == neutral)
        t = n.b;
      else
        return t;
    }
  }
  // The mark stays on an add or sub only where an operand is, or may be, a mul that may fuse with it.
  u8 contraction(Op o, u8 attr, Term a, Term b) const {
    Attr x = Attr::unpack(attr);
    if (!x.contractible || o == Op::fmul) return attr;
    const auto marked = [this](Term t) { return op(t) == Op::fmul && Attr::unpack(s[t].attr).contractible; };
    x.contractible = may_be(s, a, marked) || may_be(s, b, marked);
    return x.pack();
  }

  Term add(Term a, Term b) {
    sort(a, b);
    const unsigned w = width(a);
    if (w == 1) return xor_(a, b);  // add on one bit -> xor
    if (const Term t = division(a, b)) return t;
    if (constant(b)) {
      if (constant(a)) return fold(Op::add, w, 0, a, b);
      if (bits(b) == 0) return a;  // x + 0 -> x
      if (op(a) == Op::add && constant(s[a].b))
        return add(s[a].a, number(w, bits(s[a].b) + bits(b)));  // (x+c)+d -> x+(c+d)
    } else {
      // (x + c) + y -> (x + y) + c: constants move outwards
      if (op(a) == Op::add && constant(s[a].b)) return add(add(s[a].a, b), s[a].b);
      if (op(b) == Op::add && constant(s[b].b)) return add(add(a, s[b].a), s[b].b);
      // c*x + d*x -> (c+d)*x
      const auto [xa, ca] = scaled(a);
      const auto [xb, cb] = scaled(b);
      if (xa == xb) return mul(xa, number(w, ca + cb));
      if (const Term joined = join(a, b)) return joined;
    }
    return node(Op::add, w, 0, a, b);
  }
  // x * reciprocal, shifted, + sign bit of x -> x / c;  x + (x / c) * -c -> x % c;  0: neither
  Term division(Term a, Term b) {
    const unsigned w = width(a);
    for (int side = 0; side < 2; ++side, std::swap(a, b)) {
      const Node n = s[b];
      if (n.op == Op::zext && width(n.a) == 1 && op(n.a) == Op::extract) {
        const auto q = signed_quotient(s, a);
        if (q && extract(q->x, w - 1, 1) == n.a) return signed_division(Op::sdiv, q->x, number(w, q->divisor));
      }
      if (n.op != Op::mul || !constant(n.b) || !(bits(n.b) >> (w - 1))) continue;
      if (bits(n.b) == mask(w)) continue;  // x - y
      const Term divisor = number(w, -bits(n.b));
      const Op kind = op(n.a) == Op::zext ? op(s[n.a].a) : op(n.a);
      if (kind == Op::udiv && udiv(a, divisor) == n.a) return urem(a, divisor);
      if (kind == Op::sdiv && signed_division(Op::sdiv, a, divisor) == n.a)
        return signed_division(Op::srem, a, divisor);
    }
    return 0;
  }
  std::pair<Term, u64> scaled(Term t) const {
    return op(t) == Op::mul && constant(s[t].b) ? std::pair{s[t].a, bits(s[t].b)} : std::pair{t, u64(1)};
  }
  // x + y or x | y where x ends in zeros that cover y -> concat; 0 where not
  Term join(Term a, Term b) {
    const unsigned w = width(a);
    for (int side = 0; side < 2; ++side, std::swap(a, b)) {
      const u64 high = possible_ones(s, a), low = possible_ones(s, b);
      if (high & low) return 0;
      const unsigned cut = unsigned(std::bit_width(low));
      if (cut > 0 && cut < w && low_zero_bits(high) >= cut && high != 0)
        return concat(extract(a, cut, w - cut), extract(b, 0, cut));
    }
    return 0;
  }

  Term mul(Term a, Term b) {
    sort(a, b);
    const unsigned w = width(a);
    if (w == 1) return and_(a, b);  // mul on one bit -> and
    if (constant(b)) {
      if (constant(a)) return fold(Op::mul, w, 0, a, b);
      if (bits(b) == 0) return b;  // x * 0 -> 0
      if (bits(b) == 1) return a;  // x * 1 -> x
      if (op(a) == Op::mul && constant(s[a].b))
        return mul(s[a].a, number(w, bits(s[a].b) * bits(b)));               // (x*c)*d -> x*(c*d)
      if (op(a) == Op::sext && width(s[a].a) + low_zero_bits(bits(b)) >= w)  // the repeated sign bits are shifted out
        return mul(zext(s[a].a, w), b);
      if (op(a) == Op::add && constant(s[a].b))  // (x + c) * d -> x*d + c*d
        return add(mul(s[a].a, b), number(w, bits(s[a].b) * bits(b)));
    } else if (op(a) == Op::mul && constant(s[a].b)) {
      return mul(mul(s[a].a, b), s[a].b);  // (x*c) * y -> (x*y) * c
    } else if (op(b) == Op::mul && constant(s[b].b)) {
      return mul(mul(a, s[b].a), s[b].b);
    }
    return node(Op::mul, w, 0, a, b);
  }

  Term udiv(Term a, Term b) {
    const unsigned w = width(a);
    if (constant(a) && constant(b)) return fold(Op::udiv, w, 0, a, b);
    if (constant(b) && bits(b) != 0) {
      const unsigned k = unsigned(std::countr_zero(bits(b)));
      if (is_power_of_two(bits(b))) return lshr(a, number(w, k));  // x / 2^k -> x >> k
      if (k > 0)                                                   // x / (c * 2^k) -> (x >> k) / c
        return zext(udiv(extract(a, k, w - k), number(w - k, bits(b) >> k)), w);
    }
    return node(Op::udiv, w, 0, a, b);
  }
  Term urem(Term a, Term b) {
    const unsigned w = width(a);
    if (constant(a) && constant(b)) return fold(Op::urem, w, 0, a, b);
    if (constant(b) && is_power_of_two(bits(b))) return and_(a, number(w, bits(b) - 1));  // x % 2^k -> x & (2^k - 1)
    return node(Op::urem, w, 0, a, b);
  }
  Term signed_division(Op o, Term a, Term b) {
    const unsigned w = width(a);
    if (constant(a) && constant(b)) return fold(o, w, 0, a, b);
    if (!constant(b) || w == 1) return node(o, w, 0, a, b);
    const u64 d = bits(b), sign = u64(1) << (w - 1);
    if (d == 1) return o == Op::sdiv ? a : number(w, 0);  // x / 1 -> x, x % 1 -> 0
    if (d > sign) {                                       // x / -c -> -(x / c), x % -c -> x % c
      const Term t = signed_division(o, a, number(w, -d));
      return o == Op::sdiv ? mul(t, number(w, mask(w))) : t;
    }
    if (!is_power_of_two(d) || d == sign) return node(o, w, 0, a, b);
    // x / 2^k -> (x + (2^k - 1 where x < 0)) >> k;  x % 2^k -> x - x / 2^k * 2^k
    const unsigned k = unsigned(std::countr_zero(d));
    const Term bias = zext(sext(extract(a, w - 1, 1), k), w);
    const Term quotient = ashr(add(a, bias), number(w, k));
    return o == Op::sdiv ? quotient : add(a, mul(quotient, number(w, -d)));
  }
  Term high_product(Op o, Term a, Term b) {
    sort(a, b);
    const unsigned w = width(a);
    if (constant(a) && constant(b)) return fold(o, w, 0, a, b);
    if (constant(b) && bits(b) == 0) return b;  // hi(x * 0) -> 0
    if (w <= 32) {                              // hi(x * y) -> upper half of the double-width product
      const auto wide = [&](Term t) { return o == Op::umulh ? zext(t, 2 * w) : sext(t, 2 * w); };
      return extract(mul(wide(a), wide(b)), w, w);
    }
    const Term t = node(o, w, 0, a, b);
    if (o == Op::umulh)
      if (const auto q = unsigned_quotient(s, t, 0)) return zext(udiv(q->x, number(width(q->x), q->divisor)), w);
    return t;
  }

  Term and_(Term a, Term b) {
    sort(a, b);
    const unsigned w = width(a);
    if (a == b) return a;  // x & x -> x
    if (w == 1)
      if (const Term t = absorbed(Op::and_, Op::or_, a, b)) return t;
    if (constant(b)) {
      const u64 m = bits(b);
      if (constant(a)) return number(w, bits(a) & m);
      if (m == 0) return b;                           // x & 0 -> 0
      if ((possible_ones(s, a) & ~m) == 0) return a;  // x & m -> x where m covers all bits that x can have
      if (op(a) == Op::and_ && constant(s[a].b))
        return and_(s[a].a, number(w, bits(s[a].b) & m));  // (x & c) & d -> x & (c & d)
      if (is_low_mask(~m & mask(w))) {                     // x & -(2^k) -> the upper bits of x above zeros
        const unsigned k = unsigned(std::countr_zero(m));
        return mul(zext(extract(a, k, w - k), w), number(w, u64(1) << k));
      }
      if (is_low_mask(m))
        return zext(extract(a, 0, unsigned(std::bit_width(m))), w);  // x & (2^k - 1) -> low k bits of x
    } else if (is_not(a, b) || (possible_ones(s, a) & possible_ones(s, b)) == 0) {
      return number(w, 0);  // x & ~x -> 0, and where no bit can be in both
    }
    return node(Op::and_, w, 0, a, b);
  }
  // Rules on truth values that keep path conditions short; `o` is & and `dual` |, or the other way round. 0: none.
  Term absorbed(Op o, Op dual, Term a, Term b) {
    for (int side = 0; side < 2; ++side, std::swap(a, b)) {
      const Node n = s[b];
      if (n.op == o) {
        if (n.a == a || n.b == a) return b;                                    // x & (x & y) -> x & y
        if (is_not(n.a, a) || is_not(n.b, a)) return number(1, o == Op::or_);  // x & (~x & y) -> 0
        // (x & y) & z -> x & w where y & z -> w by one of these rules
        if (const Term t = complementary(o, n.b, a)) return make(o, 1, 0, n.a, t, 0);
        if (const Term t = complementary(o, n.a, a)) return make(o, 1, 0, n.b, t, 0);
      }
      if (n.op == dual && (n.a == a || n.b == a)) return a;  // x & (x | y) -> x
    }
    return complementary(o, a, b);
  }
  // (x | y) & (x | ~y) -> x, and the dual; 0 where it does not fit
  Term complementary(Op o, Term a, Term b) const {
    const Op dual = o == Op::and_ ? Op::or_ : Op::and_;
    const Node &x = s[a], &y = s[b];
    if (x.op != dual || y.op != dual) return 0;
    if (x.a == y.a && is_not(x.b, y.b)) return x.a;
    if (x.a == y.b && is_not(x.b, y.a)) return x.a;
    if (x.b == y.a && is_not(x.a, y.b)) return x.b;
    if (x.b == y.b && is_not(x.a, y.a)) return x.b;
    return 0;
  }
  bool is_not(Term a, Term b) const { return (op(a) == Op::not_ && s[a].a == b) || (op(b) == Op::not_ && s[b].a == a); }

  Term or_(Term a, Term b) {
    sort(a, b);
    const unsigned w = width(a);
    if (a == b) return a;                         // x | x -> x
    if (is_not(a, b)) return number(w, mask(w));  // x | ~x -> all ones
    if (w == 1)
      if (const Term t = absorbed(Op::or_, Op::and_, a, b)) return t;
    if (constant(b)) {
      if (constant(a)) return number(w, bits(a) | bits(b));
      if (bits(b) == 0) return a;        // x | 0 -> x
      if (bits(b) == mask(w)) return b;  // x | ones -> ones
      if (op(a) == Op::or_ && constant(s[a].b))
        return or_(s[a].a, number(w, bits(s[a].b) | bits(b)));              // (x|c)|d -> x|(c|d)
      if (w > 1 && (possible_ones(s, a) & bits(b)) == 0) return add(a, b);  // x | c -> x + c where no bit is in both
    } else if (w > 1) {
      if (const Term joined = join(a, b)) return joined;
      if ((possible_ones(s, a) & possible_ones(s, b)) == 0) return add(a, b);  // x | y -> x + y, likewise
    }
    return node(Op::or_, w, 0, a, b);
  }

  Term xor_(Term a, Term b) {
    sort(a, b);
    const unsigned w = width(a);
    if (a == b) return number(w, 0);  // x ^ x -> 0
    if (is_not(a, b)) return number(w, mask(w));
    if (constant(b)) {
      if (constant(a)) return number(w, bits(a) ^ bits(b));
      if (bits(b) == 0) return a;              // x ^ 0 -> x
      if (bits(b) == mask(w)) return not_(a);  // x ^ ones -> ~x
      if (op(a) == Op::xor_ && constant(s[a].b))
        return xor_(s[a].a, number(w, bits(s[a].b) ^ bits(b)));  // (x^c)^d -> x^(c^d)
    }
    if (op(a) == Op::not_) return not_(xor_(s[a].a, b));  // ~x ^ y -> ~(x ^ y)
    if (op(b) == Op::not_) return not_(xor_(a, s[b].a));
    if (w > 1 && !constant(b) && (possible_ones(s, a) & possible_ones(s, b)) == 0) return or_(a, b);
    // (x ^ y) ^ x -> y
    if (op(a) == Op::xor_ && (s[a].a == b || s[a].b == b)) return s[a].a == b ? s[a].b : s[a].a;
    if (op(b) == Op::xor_ && (s[b].a == a || s[b].b == a)) return s[b].a == a ? s[b].b : s[b].a;
    return node(Op::xor_, w, 0, a, b);
  }

  Term not_(Term a) {
    const unsigned w = width(a);
    if (constant(a)) return number(w, ~bits(a));
    if (op(a) == Op::not_) return s[a].a;  // ~~x -> x
    return node(Op::not_, w, 0, a);
  }

  Term shl(Term a, Term b) {
    const unsigned w = width(a);
    if (constant(b)) return bits(b) >= w ? number(w, 0) : mul(a, number(w, u64(1) << bits(b)));  // x << k -> x * 2^k
    return node(Op::shl, w, 0, a, b);
  }
  Term lshr(Term a, Term b) {
    const unsigned w = width(a);
    if (constant(b)) return bits(b) >= w ? number(w, 0) : zext(extract(a, unsigned(bits(b)), w - unsigned(bits(b))), w);
    return node(Op::lshr, w, 0, a, b);  // x >> k -> the upper w - k bits of x
  }
  Term ashr(Term a, Term b) {
    const unsigned w = width(a);
    if (constant(b)) {
      const unsigned k = unsigned(bits(b) >= w ? w - 1 : bits(b));
      return sext(extract(a, k, w - k), w);
    }
    return node(Op::ashr, w, 0, a, b);
  }
  Term bit_function(Op o, Term a) {
    const unsigned w = width(a);
    if (constant(a)) return fold(o, w, 0, a);
    if (o == Op::brev && op(a) == Op::brev) return s[a].a;  // brev(brev(x)) -> x
    return node(o, w, 0, a);
  }

  Term eq(Term a, Term b) {
    sort(a, b);
    const unsigned w = width(a);
    if (a == b) return number(1, 1);
    if (constant(b)) {
      const u64 v = bits(b);
      if (constant(a)) return number(1, bits(a) == v);
      if (w == 1) return v ? a : not_(a);
      if (v & ~possible_ones(s, a)) return number(1, 0);  // x == c -> false where c has a bit that x cannot have
      const Node n = s[a];
      if (n.op == Op::zext) return eq(n.a, number(width(n.a), v));                     // zext(x) == c -> x == c
      if (n.op == Op::add && constant(n.b)) return eq(n.a, number(w, v - bits(n.b)));  // x + c == d -> x == d - c
      if (n.op == Op::not_) return eq(n.a, number(w, ~v));
      if (n.op == Op::concat) return eq_by_parts(a, b);
      if (n.op == Op::xor_ && constant(n.b)) return eq(n.a, number(w, v ^ bits(n.b)));
      if (n.op == Op::ite && constant(n.b) && constant(n.c)) {  // ite(p, c, d) == e -> p, ~p, true or false
        const bool first = bits(n.b) == v, second = bits(n.c) == v;
        return first && second ? number(1, 1) : first ? n.a : second ? not_(n.a) : number(1, 0);
      }
    } else {
      if (w == 1) return not_(xor_(a, b));
      if ((op(a) == Op::zext || op(a) == Op::sext) && op(a) == op(b) && width(s[a].a) == width(s[b].a))
        return eq(s[a].a, s[b].a);  // zext(x) == zext(y) -> x == y
      if (op(a) == Op::concat || op(b) == Op::concat) return eq_by_parts(a, b);
      if (op(a) == Op::add && op(b) == Op::add && s[a].b == s[b].b)
        return eq(s[a].a, s[b].a);  // x + z == y + z -> x == y
    }
    return node(Op::eq, 1, 0, a, b);
  }

  // concat(x, y) == z -> x == upper bits of z, and y == lower bits of z
  Term eq_by_parts(Term a, Term b) {
    if (op(a) != Op::concat) std::swap(a, b);
    const unsigned cut = width(s[a].b), w = width(a);
    const Term low = eq(s[a].b, extract(b, 0, cut));
    return and_(low, eq(s[a].a, extract(b, cut, w - cut)));
  }

  Term ult(Term a, Term b) {
    const unsigned w = width(a);
    if (a == b) return number(1, 0);
    if (constant(a) && constant(b)) return number(1, bits(a) < bits(b));
    if (constant(b)) {
      if (bits(b) == 0) return number(1, 0);                   // x < 0 -> false
      if (possible_ones(s, a) < bits(b)) return number(1, 1);  // x < c -> true where x cannot reach c
      if (bits(b) == 1) return eq(a, number(w, 0));            // x < 1 -> x == 0
      if (bits(b) == mask(w)) return not_(eq(a, b));           // x < ones -> x != ones
      if (op(a) == Op::zext)
        return ult(s[a].a, number(width(s[a].a), bits(b)));  // zext(x) < c -> x < c (c fits: see above)
    }
    if (constant(a)) {
      if (bits(a) >= possible_ones(s, b)) return number(1, 0);  // c < x -> false, likewise
      if (bits(a) == 0) return not_(eq(b, a));                  // 0 < x -> x != 0
      if (op(b) == Op::zext) return ult(number(width(s[b].a), bits(a)), s[b].a);
    }
    if (op(a) == Op::zext && op(b) == Op::zext && width(s[a].a) == width(s[b].a)) return ult(s[a].a, s[b].a);
    if (w == 1) return and_(not_(a), b);
    return node(Op::ult, 1, 0, a, b);
  }
  Term slt(Term a, Term b) {
    const unsigned w = width(a);
    if (a == b) return number(1, 0);
    if (constant(a) && constant(b)) return number(1, sign_extend(bits(a), w) < sign_extend(bits(b), w));
    const u64 sign = u64(1) << (w - 1);
    if (((possible_ones(s, a) | possible_ones(s, b)) & sign) == 0)
      return ult(a, b);  // slt -> ult where no sign bit can be set
    if (w == 1) return and_(a, not_(b));
    if (op(a) == Op::sext && op(b) == Op::sext && width(s[a].a) == width(s[b].a)) return slt(s[a].a, s[b].a);
    return node(Op::slt, 1, 0, a, b);
  }

  Term ite(Term p, Term x, Term y) {
    if (constant(p)) return bits(p) ? x : y;
    if (x == y) return x;                             // ite(p, x, x) -> x
    if (op(p) == Op::not_) return ite(s[p].a, y, x);  // ite(~p, x, y) -> ite(p, y, x)
    // ite(p, ite(p, x, _), y) -> ite(p, x, y)
    if (op(x) == Op::ite && s[x].a == p) return ite(p, s[x].b, y);
    if (op(y) == Op::ite && s[y].a == p) return ite(p, x, s[y].c);
    if (width(x) == 1) {  // a choice between bits -> logic
      if (constant(x)) return bits(x) ? or_(p, y) : and_(not_(p), y);
      if (constant(y)) return bits(y) ? or_(not_(p), x) : and_(p, x);
      if (x == p) return or_(p, y);
      if (y == p) return and_(p, x);
    }
    // ite(p, x, ite(q, x, y)) -> ite(p | q, x, y);  ite(p, ite(q, x, y), y) -> ite(p & q, x, y)
    if (op(y) == Op::ite && s[y].b == x) return ite(or_(p, s[y].a), x, s[y].c);
    if (op(x) == Op::ite && s[x].c == y) return ite(and_(p, s[x].a), s[x].b, y);
    return node(Op::ite, width(x), 0, p, x, y);
  }

  // Is a slice of t likely to become simpler than a slice?
  bool slices_well(Term t) const {
    const Op o = op(t);
    return o == Op::constant || o == Op::zext || o == Op::sext || o == Op::concat || o == Op::extract;
  }
  Term extract(Term a, unsigned low, unsigned w) {
    const Node n = s[a];
    if (low == 0 && w == n.width) return a;
    if (n.op == Op::constant) return number(w, bits(a) >> low);
    if (n.op == Op::extract) return extract(n.a, low + n.b, w);  // a slice of a slice
    if (n.op == Op::concat) {                                    // a slice of a join: of one part, or a join of slices
      const unsigned cut = width(n.b);
      if (low >= cut) return extract(n.a, low - cut, w);
      if (low + w <= cut) return extract(n.b, low, w);
      return concat(extract(n.a, 0, low + w - cut), extract(n.b, low, cut - low));
    }
    if (n.op == Op::zext || n.op == Op::sext) {
      const unsigned inner = width(n.a);
      if (low + w <= inner) return extract(n.a, low, w);
      if (n.op == Op::zext) return low >= inner ? number(w, 0) : zext(extract(n.a, low, inner - low), w);
      if (low < inner) return sext(extract(n.a, low, inner - low), w);
      return sext(extract(n.a, inner - 1, 1), w);  // beyond x, sext(x) repeats the sign bit
    }
    const bool bitwise = n.op == Op::and_ || n.op == Op::or_ || n.op == Op::xor_;
    const bool from_low = low == 0 && (n.op == Op::add || n.op == Op::mul);
    // low bits of a sum or product, any bits of a bitwise operation: of the sliced operands
    if ((bitwise || from_low) && slices_well(n.a) && slices_well(n.b))
      return make(n.op, w, 0, extract(n.a, low, w), extract(n.b, low, w), 0);
    if (from_low && n.op == Op::mul && constant(n.b)) return mul(extract(n.a, 0, w), number(w, bits(n.b)));
    if (n.op == Op::mul && constant(n.b) &&
        is_power_of_two(bits(n.b))) {  // a slice of x * 2^k: of x, or x's low bits above zeros
      const unsigned k = unsigned(std::countr_zero(bits(n.b)));
      if (low >= k) return extract(n.a, low - k, w);
    }
    if (low + w == n.width) {
      if (const auto q = unsigned_quotient(s, a, low)) return zext(udiv(q->x, number(width(q->x), q->divisor)), w);
      if (w == 1)
        if (const Term x = factor_with_sign_of(s, a)) return extract(x, width(x) - 1, 1);
    }
    if (n.op == Op::not_ && slices_well(n.a)) return not_(extract(n.a, low, w));
    if (n.op == Op::ite && constant(n.b) && constant(n.c)) return ite(n.a, extract(n.b, low, w), extract(n.c, low, w));
    if (n.op == Op::ite && slices_well(n.b) && slices_well(n.c))
      return ite(n.a, extract(n.b, low, w), extract(n.c, low, w));
    return node(Op::extract, w, 0, a, low);
  }

  Term concat(Term a, Term b) {
    const unsigned w = width(a) + width(b);
    if (constant(a) && bits(a) == 0) return zext(b, w);  // concat(0, x) -> zext(x)
    if (constant(a) && constant(b)) return number(w, bits(a) << width(b) | bits(b));
    if (op(a) == Op::concat) return concat(s[a].a, concat(s[a].b, b));  // joins lean to the right
    if (op(a) == Op::zext) {                                            // concat(zext(x), y) -> zext(concat(x, y))
      return zext(concat(s[a].a, b), w);
    }
    if (const Term joined = adjacent(a, b)) return joined;
    if (op(b) == Op::concat)
      if (const Term joined = adjacent(a, s[b].a)) return concat(joined, s[b].b);
    return node(Op::concat, w, 0, a, b);
  }
  // Two slices of one term that touch, as one slice; 0 where they are not.
  Term adjacent(Term a, Term b) {
    if (op(a) != Op::extract) return 0;
    const Term whole = s[a].a;
    if (op(b) == Op::extract && s[b].a == whole && s[a].b == s[b].b + width(b))
      return extract(whole, s[b].b, width(a) + width(b));
    return 0;
  }

  Term zext(Term a, unsigned w) {
    if (w == width(a)) return a;
    if (w < width(a)) return extract(a, 0, w);
    if (constant(a)) return number(w, bits(a));
    if (op(a) == Op::zext) return zext(s[a].a, w);
    if (op(a) == Op::extract && s[a].b == 0 && (possible_ones(s, s[a].a) & ~mask(width(a))) == 0)
      return zext(s[a].a, w);  // the bits that were cut off are 0
    return node(Op::zext, w, 0, a);
  }
  Term sext(Term a, unsigned w) {
    if (w == width(a)) return a;
    if (w < width(a)) return extract(a, 0, w);
    if (constant(a)) return number(w, u64(sign_extend(bits(a), width(a))));
    if (op(a) == Op::sext) return sext(s[a].a, w);
    if ((possible_ones(s, a) >> (width(a) - 1) & 1) == 0) return zext(a, w);  // no sign bit to repeat
    return node(Op::sext, w, 0, a);
  }
};

Term TermStore::make(Op op, unsigned width, u8 attr, Term a, Term b, Term c) {
  return Rewriter(*this).make(op, width, attr, a, b, c);
}

Term TermStore::make_float(Op op, unsigned width, u8 attr, Term a, Term b, Term c) {
  return Rewriter(*this).floating(op, width, attr, a, b, c);
}

}  // namespace ptxeq::sym
