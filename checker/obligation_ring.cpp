// A value is a polynomial over atoms with coefficients modulo 2^w, as sorted monomials with their coefficients.
//  - add, mul, neg, not, shl by a constant are ring operations: ~x = -x - 1
//  - one bit is the ring of integers modulo 2: xor is +, and is *, x * x = x; so logic is in algebraic normal form
//  - ite(p, x, y) is y + zext(p) * (x - y), with zext(p) * zext(p) = zext(p) and zext(~p) = 1 - zext(p)
//  - the low bits of a polynomial are the polynomial of the low bits
//  - everything else is an atom over the values of its operands, sorted where they commute
// A polynomial that would grow too large becomes an atom, which is always right.
#include "checker/obligation_ring.h"

#include <algorithm>
#include <map>

namespace ptxeq::check {
namespace {

using sym::mask;
using sym::Op;

__extension__ typedef unsigned __int128 u128;

constexpr std::size_t most_terms = 1024;      // of a product or choice; sums may be longer
constexpr std::size_t most_work = 4'000'000;  // terms in all; beyond, whatever is not a sum is an atom
constexpr std::size_t most_bits = 4;          // terms of a bit that becomes a number
constexpr u32 opaque = 0x80000000;            // in a key's head: operands as they stand, not a list

struct Term {
  u32 monomial = 0;
  u64 factor = 0;
  friend bool operator==(const Term&, const Term&) = default;
};
using Polynomial = std::vector<Term>;  // sorted by monomial, no factor 0
using Key = std::vector<u32>;

u64 hash_words(const u32* words, std::size_t n, u64 seed) {
  u64 h = seed;
  for (std::size_t i = 0; i < n; ++i) h = (h ^ words[i] ^ h >> 29) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 32;
}
struct KeyHash {
  std::size_t operator()(const Key& k) const { return hash_words(k.data(), k.size(), 1); }
};
struct Value {
  unsigned width = 0;
  Polynomial terms;
  friend bool operator==(const Value&, const Value&) = default;
};
struct ValueHash {
  std::size_t operator()(const Value& v) const {
    u64 h = v.width;
    for (const Term& t : v.terms) h = (h ^ t.factor ^ u64(t.monomial) << 40 ^ h >> 29) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 32;
  }
};

bool sorts_operands(const Instruction& i, unsigned from) {
  switch (i.op) {
    case Op::umulh:
    case Op::smulh:
    case Op::feq:
      return true;
    case Op::fadd:
    case Op::fmul:
    case Op::fma:
    case Op::fmin:
    case Op::fmax:
      return from < 64;  // f64 keeps the payload of one operand
    default:
      return false;
  }
}

class Ring {
 public:
  explicit Ring(const Shape& shape) : shape_(shape), form_{std::vector<u32>(shape.code.size(), no_slot), {}} {
    monomials_.push_back({});
    monomial_of_[{}] = 0;
    atoms_.push_back({});
  }

  RingForm run() {
    find_inlined();
    find_halved();
    for (u32 s = 0; s < shape_.code.size(); ++s)
      if (!inlined_[s]) form_.value[s] = value(s);
    form_.constant.resize(values_.size());
    for (u32 v = 0; v < values_.size(); ++v) form_.constant[v] = constant(v);
    return std::move(form_);
  }

 private:
  // Part of a sum: add, neg, not, or a product with or shift by a constant; one bit apart.
  bool is_linear(u32 s) const {
    const Instruction& i = shape_.code[s];
    if (i.width == 1) return false;
    if (i.op == Op::add || i.op == Op::neg || i.op == Op::not_) return true;
    return (i.op == Op::mul || i.op == Op::shl) && shape_.code[i.b].op == Op::constant;
  }
  // A linear node that only one other linear node reads is expanded there: long sums cost what they are long.
  void find_inlined() {
    std::vector<u32> uses(shape_.code.size()), user(shape_.code.size());
    for (u32 s = 0; s < shape_.code.size(); ++s)
      for (const u32 o : operands(shape_.code[s]))
        if (o != no_slot) ++uses[o], user[o] = s;
    for (const u32 root : shape_.roots) uses[root] += 2;
    inlined_.resize(shape_.code.size());
    for (u32 s = 0; s < shape_.code.size(); ++s) inlined_[s] = uses[s] == 1 && is_linear(s) && is_linear(user[s]);
  }

  // Inputs of which a half is read are sums of their halves: products of pieces then meet the product of the whole.
  void find_halved() {
    halved_.resize(shape_.code.size());
    for (const Instruction& i : shape_.code) {
      if (i.op != Op::extract || shape_.code[i.a].op != Op::leaf) continue;
      const unsigned whole = shape_.code[i.a].width;
      if (2u * i.width == whole && i.width > 1 && (i.b == 0 || i.b == i.width)) halved_[i.a] = true;
    }
  }
  u32 sum_of_halves(u32 whole) {
    const unsigned w = values_[whole].width, half = w / 2;
    const u32 low = atom(half, {head(Op::extract, half), 0, whole});
    const u32 high = atom(half, {head(Op::extract, half), half, whole});
    return sum(atom(w, {head(Op::zext, w), low}), atom(w, {head(Op::zext, w), high}), u64(1) << half);
  }

  u32 intern(Value v) {
    std::sort(v.terms.begin(), v.terms.end(), [](const Term& x, const Term& y) { return x.monomial < y.monomial; });
    std::size_t n = 0;
    for (std::size_t i = 0; i < v.terms.size();) {
      Term t = v.terms[i];
      for (++i; i < v.terms.size() && v.terms[i].monomial == t.monomial; ++i) t.factor += v.terms[i].factor;
      t.factor &= mask(v.width);
      if (t.factor) v.terms[n++] = t;
    }
    v.terms.resize(n);
    work_ += n + 1;
    const auto [at, fresh] = value_of_.try_emplace(v, u32(values_.size()));
    if (fresh) values_.push_back(std::move(v));
    return at->second;
  }
  u32 number(unsigned width, u64 bits) { return intern({width, {{0, bits}}}); }
  std::optional<u64> constant(u32 v) const {
    const Polynomial& p = values_[v].terms;
    if (p.empty()) return 0;
    return p.size() == 1 && p[0].monomial == 0 ? std::optional(p[0].factor) : std::nullopt;
  }

  u32 monomial(Key atoms) {
    std::sort(atoms.begin(), atoms.end());
    const auto repeated = [&](u32 x, u32 y) { return x == y && idempotent_[x]; };
    atoms.erase(std::unique(atoms.begin(), atoms.end(), repeated), atoms.end());
    const auto [at, fresh] = monomial_of_.try_emplace(std::move(atoms), u32(monomials_.size()));
    if (fresh) monomials_.push_back(at->first);
    return at->second;
  }
  // The value that is this atom alone.
  u32 atom(unsigned width, Key key, bool idempotent = false) {
    const auto [at, fresh] = atom_of_.try_emplace(std::move(key), u32(atoms_.size()));
    if (fresh) {
      atoms_.push_back(at->first);
      idempotent_.resize(atoms_.size());
      idempotent_[at->second] = idempotent || width == 1;
      width_.resize(atoms_.size());
      width_[at->second] = width;
    }
    return intern({width, {{monomial({at->second}), 1}}});
  }
  static u32 head(Op op, unsigned width, u8 attr = 0) { return u32(op) | u32(width) << 8 | u32(attr) << 16; }

  u32 sum(u32 a, u32 b, u64 factor_b = 1) {
    Value out = values_[a];
    for (const Term& t : values_[b].terms) out.terms.push_back({t.monomial, t.factor * factor_b});
    return intern(std::move(out));
  }
  // Nothing: too large.
  std::optional<u32> product(u32 a, u32 b) {
    const Polynomial x = values_[a].terms, y = values_[b].terms;
    if (x.size() * y.size() > most_terms) return std::nullopt;
    Value out{values_[a].width, {}};
    for (const Term& s : x)
      for (const Term& t : y) {
        Key atoms = monomials_[s.monomial];
        atoms.insert(atoms.end(), monomials_[t.monomial].begin(), monomials_[t.monomial].end());
        if (atoms.size() > 64) return std::nullopt;
        out.terms.push_back({monomial(std::move(atoms)), s.factor * t.factor});
      }
    return intern(std::move(out));
  }

  u32 value(u32 s) {
    const Instruction& i = shape_.code[s];
    if (i.op == Op::constant) return number(i.width, constant_bits(i));
    if (i.op == Op::leaf) {
      const u32 whole = atom(i.width, {head(Op::leaf, i.width), i.a});
      return halved_[s] ? sum_of_halves(whole) : whole;
    }
    if (is_linear(s)) return linear(s);
    const auto in = operands(i);
    const auto get = [&](u32 o) { return o == no_slot ? no_slot : form_.value[o]; };
    const u32 a = get(in[0]), b = get(in[1]), c = get(in[2]);
    if (work_ > most_work) return general(i, a, b, c);
    const std::optional<u32> ring = i.width == 1 ? logic(i, a, b, c) : arithmetic(i, a, b, c);
    return ring ? *ring : general(i, a, b, c);
  }

  u32 linear(u32 root) {
    const unsigned w = shape_.code[root].width;
    Value out{w, {}};
    std::vector<std::pair<u32, u64>> stack{{root, 1}};
    while (!stack.empty()) {
      const auto [s, k] = stack.back();
      stack.pop_back();
      if (s != root && !inlined_[s]) {
        for (const Term& t : values_[form_.value[s]].terms) out.terms.push_back({t.monomial, t.factor * k});
        continue;
      }
      const Instruction& i = shape_.code[s];
      const u64 c = i.op == Op::mul || i.op == Op::shl ? constant_bits(shape_.code[i.b]) : 0;
      const u64 factor = i.op == Op::add   ? 1
                         : i.op == Op::mul ? c
                         : i.op == Op::shl ? (c >= w ? 0 : u64(1) << c)
                                           : ~u64(0);
      stack.push_back({i.a, k * factor});
      if (i.op == Op::add) stack.push_back({i.b, k});
      if (i.op == Op::not_) out.terms.push_back({0, -k});
    }
    return intern(std::move(out));
  }

  std::optional<u32> logic(const Instruction& i, u32 a, u32 b, u32 c) {
    const u32 one = number(1, 1);
    const bool bits = a != no_slot && values_[a].width == 1;
    switch (i.op) {
      case Op::not_:
      case Op::neg:
        return i.op == Op::neg ? a : sum(a, one);
      case Op::add:
      case Op::xor_:
        return sum(a, b);
      case Op::mul:
      case Op::and_:
        return product(a, b);
      case Op::or_:
        if (const auto both = product(a, b)) return sum(sum(a, b), *both);
        return std::nullopt;
      case Op::ite:
        return choice(a, b, c);
      case Op::eq:
        return bits ? sum(sum(a, b), one) : equal(a, b);
      case Op::ult:
      case Op::slt:
        return a == b ? number(1, 0) : below(i, a, b);
      case Op::extract:
        return i.b == 0 ? low_bits(i, a) : high_bits(i, a);
      default:
        return std::nullopt;
    }
  }
  // x < c iff not c - 1 < x
  std::optional<u32> below(const Instruction& i, u32 a, u32 b) {
    const auto limit = constant(b);
    if (!limit || constant(a)) return std::nullopt;
    const unsigned w = values_[b].width;
    if (*limit == (i.op == Op::slt ? u64(1) << (w - 1) : 0)) return number(1, 0);
    return sum(general(i, number(w, *limit - 1), a, no_slot), number(1, 1));
  }
  // p ? x : y
  std::optional<u32> choice(u32 p, u32 x, u32 y) {
    if (const auto known = constant(p)) return *known ? x : y;
    const auto chosen = product(zext_bit(p, values_[x].width), sum(x, y, ~u64(0)));
    if (!chosen) return std::nullopt;
    return sum(*chosen, y);
  }
  // A bit as a number of width w: of p xor q, p + q - 2pq; of p and q, pq.
  u32 zext_bit(u32 p, unsigned w) {
    if (w == 1) return p;
    if (const auto known = constant(p)) return number(w, *known);
    const Polynomial terms = values_[p].terms;
    std::optional<u32> all = number(w, 0);
    for (std::size_t k = 0; k < terms.size() && all && terms.size() <= most_bits; ++k) {
      std::optional<u32> one = number(w, 1);
      for (const u32 bit : Key(monomials_[terms[k].monomial]))
        if (one) one = product(*one, zext_atom(bit, w));
      const auto both = one ? product(*all, *one) : std::nullopt;
      all = both ? std::optional(sum(sum(*all, *one), *both, ~u64(1))) : std::nullopt;
    }
    return all && terms.size() <= most_bits ? *all : atom(w, {head(Op::zext, w), p}, true);
  }
  u32 zext_atom(u32 bit, unsigned w) { return atom(w, {head(Op::zext, w), intern({1, {{monomial({bit}), 1}}})}, true); }
  // a == b iff a - b == 0 iff b - a == 0
  u32 equal(u32 a, u32 b) {
    const u32 difference = sum(a, b, ~u64(0));
    if (const auto known = constant(difference)) return number(1, *known == 0);
    const u32 opposite = sum(b, a, ~u64(0));
    return atom(1, {head(Op::eq, values_[a].width), std::min(difference, opposite)});
  }

  std::optional<u32> arithmetic(const Instruction& i, u32 a, u32 b, u32 c) {
    switch (i.op) {
      case Op::mul:
        return product(a, b);
      case Op::ite:
        return choice(a, b, c);
      case Op::and_:
      case Op::or_:
      case Op::xor_:
        return bitwise(i, a, b);
      case Op::zext:
      case Op::sext:
        if (i.width <= values_[a].width) return std::nullopt;
        if (values_[a].width == 1) {
          const u32 bit = zext_bit(a, i.width);
          return i.op == Op::zext ? bit : sum(number(i.width, 0), bit, ~u64(0));
        }
        if (const auto known = constant(a))
          return number(i.width, i.op == Op::zext ? *known : u64(sym::sign_extend(*known, values_[a].width)));
        return std::nullopt;
      case Op::extract:
        return i.b == 0 ? low_bits(i, a) : high_bits(i, a);
      default:
        return std::nullopt;
    }
  }

  // The operands of a nested and, or, xor: one list, sorted.
  std::optional<u32> bitwise(const Instruction& i, u32 a, u32 b) {
    const u64 m = mask(i.width), neutral = i.op == Op::and_ ? m : 0;
    const u32 kind = head(i.op, i.width);
    u64 folded = neutral;
    Key parts;
    for (const u32 v : {a, b}) {
      const Polynomial& p = values_[v].terms;
      const bool alone = p.size() == 1 && p[0].factor == 1 && monomials_[p[0].monomial].size() == 1;
      const Key* nested = alone ? &atoms_[monomials_[p[0].monomial][0]] : nullptr;
      if (nested && (*nested)[0] == kind)
        parts.insert(parts.end(), nested->begin() + 1, nested->end());
      else
        parts.push_back(v);
    }
    Key rest;
    for (const u32 v : parts)
      if (const auto k = constant(v))
        folded = sym::apply(i.op, 0, i.width, i.width, folded, *k, 0);
      else
        rest.push_back(v);
    if ((i.op == Op::and_ && folded == 0) || (i.op == Op::or_ && folded == m)) return number(i.width, folded);
    std::sort(rest.begin(), rest.end());
    if (i.op == Op::xor_)
      cancel_pairs(rest);
    else
      rest.erase(std::unique(rest.begin(), rest.end()), rest.end());
    if (rest.empty()) return number(i.width, folded);
    if (folded != neutral) rest.push_back(number(i.width, folded));
    if (rest.size() == 1) return rest[0];
    if (rest.size() > most_terms) return std::nullopt;
    rest.insert(rest.begin(), kind);
    return atom(i.width, std::move(rest));
  }
  static void cancel_pairs(Key& sorted) {
    Key out;
    for (const u32 v : sorted)
      if (!out.empty() && out.back() == v)
        out.pop_back();
      else
        out.push_back(v);
    sorted.swap(out);
  }

  // Reduction modulo a smaller power of two goes through sums and products.
  std::optional<u32> low_bits(const Instruction& i, u32 a) {
    Value out{i.width, {}};
    const Polynomial terms = values_[a].terms;
    for (const Term& t : terms) {
      if ((t.factor & mask(i.width)) == 0) continue;
      std::optional<u32> term = number(i.width, t.factor);
      const Key atoms = monomials_[t.monomial];
      for (const u32 x : atoms) {
        term = product(*term, low_atom(x, i.width));
        if (!term) return std::nullopt;
      }
      const Polynomial& p = values_[*term].terms;
      out.terms.insert(out.terms.end(), p.begin(), p.end());
    }
    return intern(std::move(out));
  }
  // The upper bits of 2^k * x + y from bit k on are the low bits of x, plus the upper bits of y.
  std::optional<u32> high_bits(const Instruction& i, u32 a) {
    const unsigned k = i.b, w = values_[a].width;
    if (k + i.width != w) return std::nullopt;
    Value shifted{w, {}}, rest{w, {}};
    for (const Term& t : values_[a].terms)
      if (t.factor & mask(k))
        rest.terms.push_back(t);
      else
        shifted.terms.push_back({t.monomial, t.factor >> k});
    if (shifted.terms.empty()) return std::nullopt;
    const auto above = low_bits({Op::extract, i.width, 0, 0, no_slot, 0, no_slot}, intern(std::move(shifted)));
    if (!above) return std::nullopt;
    const bool carries = largest(rest) >> k != 0;
    const u32 y = intern(std::move(rest));
    return carries ? sum(*above, atom(i.width, {head(Op::extract, i.width), k, y})) : *above;
  }
  // A bound of the sum, as a number that does not wrap; all ones: none.
  u64 largest(const Value& v) const {
    u128 total = 0;
    for (const Term& t : v.terms) {
      u128 product = t.factor;
      for (const u32 x : monomials_[t.monomial]) {
        const Key& key = atoms_[x];
        const bool extended = Op(key[0] & 255) == Op::zext;
        product *= mask(extended ? values_[key[1]].width : width_[x]);
        if (product >> 64) return ~u64(0);
      }
      total += product;
      if (total >> 64) return ~u64(0);
    }
    return u64(total);
  }
  u32 low_atom(u32 x, unsigned w) {
    const auto at = low_of_.find({x, w});
    if (at != low_of_.end()) return at->second;
    const u32 low = new_low_atom(x, w);
    low_of_[{x, w}] = low;
    return low;
  }
  u32 new_low_atom(u32 x, unsigned w) {
    const Key key = atoms_[x];
    const Op op = Op(key[0] & 255);
    if (op == Op::zext || op == Op::sext) {
      const unsigned inner = values_[key[1]].width;
      if (inner == w) return key[1];
      if (inner == 1) return op == Op::zext ? zext_bit(key[1], w) : sum(number(w, 0), zext_bit(key[1], w), ~u64(0));
      if (inner < w) return atom(w, {head(op, w), key[1]});
      if (depth_ < 32) {
        ++depth_;
        const auto low = low_bits({Op::extract, u8(w), 0, 0, no_slot, 0, no_slot}, key[1]);
        --depth_;
        if (low) return *low;
      }
    }
    const u32 whole = intern({width_[x], {{monomial({x}), 1}}});
    return atom(w, {head(Op::extract, w), 0, whole});
  }

  u32 general(const Instruction& i, u32 a, u32 b, u32 c) {
    Key key{head(i.op, i.width, i.attr)};
    if (i.op == Op::extract) {
      key.insert(key.end(), {i.b, a});
    } else if (i.op == Op::zext || i.op == Op::sext) {
      key.push_back(a);
    } else {
      const unsigned from = values_[a].width;
      if (sorts_operands(i, from) && a > b) std::swap(a, b);
      // Operands' widths are part of the values; an approximate function is named by its tag.
      key[0] |= opaque;
      key.insert(key.end(), {a, b, i.op == Op::approx ? i.c : c});
    }
    return atom(i.width, std::move(key));
  }

  const Shape& shape_;
  RingForm form_;
  std::size_t work_ = 0;
  std::vector<bool> inlined_, halved_;
  std::vector<Value> values_;
  std::unordered_map<Value, u32, ValueHash> value_of_;
  std::vector<Key> monomials_, atoms_;
  std::unordered_map<Key, u32, KeyHash> monomial_of_, atom_of_;
  std::vector<bool> idempotent_{false};
  std::vector<unsigned> width_{0};
  std::map<std::pair<u32, unsigned>, u32> low_of_;
  unsigned depth_ = 0;
};

}  // namespace

RingForm ring_form(const Shape& shape) { return Ring(shape).run(); }

bool never_holds_by_ring(const Shape& shape) {
  const RingForm form = ring_form(shape);
  return form.constant[form.value[shape.roots[0]]] == u64(0);
}

}  // namespace ptxeq::check
