// Every node of the two cones is computed once, operands first. A floating result is two intervals: `value` holds the
// real result, so narrow that only its own roundings show; `reach` holds whatever it could have been had each input
// and constant been another number that rounds to nearly the same float. What the reaches separate is different
// beyond doubt, also after cancellation, since they grow with the largest numbers that went into a sum; choices are
// made only where the reaches agree on them.
#include "checker/real_value.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "checker/real_interval.h"
#include "symbolic/float_exact.h"

namespace ptxeq::check {
namespace {

using sym::Attr;
using sym::Format;
using sym::mask;
using sym::Node;
using sym::Op;
using sym::Term;
using sym::TermStore;
using sym::u32;
using sym::u64;

constexpr mpfr_prec_t value_precision = 512, reach_precision = 64;

// How far apart, relative to its size, two constants may be that stand for one real number: some bits more than the
// format's last place, so that a constant computed with a few roundings still does.
int slack_exponent(Format format) { return format == Format::f64 ? -45 : format == Format::f32 ? -18 : -8; }

// The same for a number made of a float's bits: they may have been narrowed, to bf16 at the most.
constexpr int rough_exponent = -6;

unsigned width_of(Format format) { return sym::layout(format).width(); }

struct Real {
  Interval value, reach;
};
using RealPtr = std::shared_ptr<const Real>;

// What a word's bits mean, as far as its inputs say.
enum class Reading : sym::u8 { any, integer, floating };

struct Value {
  enum class Kind : sym::u8 { unknown, word, real, joined } kind = Kind::unknown;
  sym::u8 width = 0;
  Format format{};                 // of a real, and of a word that is read as floating
  Reading reading = Reading::any;  // of a word
  bool constant = false;           // a word that stands in the program
  bool rough = false;              // a word made of the bits of what may be a float
  u64 bits = 0;                    // of a word
  RealPtr real;
  std::shared_ptr<const std::vector<Value>> parts;  // joined: low first, none of them unknown or joined
};

Value word(unsigned width, u64 bits, Reading reading) {
  Value v;
  v.kind = Value::Kind::word, v.width = sym::u8(width), v.bits = bits & mask(width), v.reading = reading;
  return v;
}

Value real(Format format, RealPtr r) {
  Value v;
  v.kind = Value::Kind::real, v.width = sym::u8(width_of(format)), v.format = format, v.real = std::move(r);
  return v;
}

bool is_word(const Value& v) { return v.kind == Value::Kind::word; }
bool is_real(const Value& v) { return v.kind == Value::Kind::real; }
bool is_unknown(const Value& v) { return v.kind == Value::Kind::unknown; }
bool has_format(const Value& v) { return is_real(v) || (is_word(v) && v.reading == Reading::floating); }

bool is_finite(Format format, u64 bits) {
  const sym::Layout& f = sym::layout(format);
  return !sym::is_nan(f, bits) && !sym::is_infinite(f, bits);
}

// A result to go on with: no range of magnitudes that no format has, and infinity only as such.
RealPtr usable(Real r) {
  const Interval& v = r.value;
  if (v.is_infinite() ? !v.is_point() : v.is_far()) return nullptr;
  return std::make_shared<const Real>(std::move(r));
}

// The number that a word spells. An infinite input is none; an infinite constant may begin a maximum or mask an
// exponential.
RealPtr decode(Format format, const Value& v, int slack) {
  const sym::Layout& f = sym::layout(format);
  if (is_finite(format, v.bits)) {
    const sym::Exact x = sym::unpack(f, v.bits);
    const auto number = [&](mpfr_prec_t p) { return Interval::number(p, x.negative, u64(x.significand), x.exponent); };
    return usable({number(value_precision), number(reach_precision).widened(slack)});
  }
  if (sym::is_nan(f, v.bits) || !v.constant) return nullptr;
  const bool negative = sym::is_negative(f, v.bits);
  return usable({Interval::infinity(value_precision, negative), Interval::infinity(reach_precision, negative)});
}

// --- parts of words

void append_part(std::vector<Value>& out, const Value& v) {
  if (v.kind == Value::Kind::joined)
    out.insert(out.end(), v.parts->begin(), v.parts->end());
  else
    out.push_back(v);
}

Value join(std::vector<Value> parts) {
  if (parts.size() == 1) return parts[0];
  Value out;
  out.kind = Value::Kind::joined;
  for (const Value& p : parts) out.width = sym::u8(out.width + p.width);
  out.parts = std::make_shared<const std::vector<Value>>(std::move(parts));
  return out;
}

Reading common(const Value& x, const Value& y) {
  const bool integer = (x.reading == Reading::integer || x.constant) && (y.reading == Reading::integer || y.constant);
  return integer ? Reading::integer : Reading::any;
}

Value concat(const Value& high, const Value& low) {
  if (is_unknown(high) || is_unknown(low)) return {};
  if (is_word(high) && is_word(low)) {
    Value out = word(high.width + low.width, high.bits << low.width | low.bits, common(high, low));
    out.rough = high.rough || low.rough;
    return out;
  }
  std::vector<Value> parts;
  append_part(parts, low), append_part(parts, high);
  return join(std::move(parts));
}

// Bits [low, low + width) of v: of computed floats only whole ones.
Value extract(const Value& v, unsigned low, unsigned width) {
  if (low == 0 && width == v.width) return v;
  if (is_word(v)) {
    Value out = word(width, v.bits >> low, v.reading == Reading::integer ? Reading::integer : Reading::any);
    const bool magnitude = low == 0 && width + 1 == v.width;  // all but the sign
    out.constant = v.constant, out.rough = v.rough || (v.reading == Reading::floating && !magnitude);
    return out;
  }
  if (v.kind != Value::Kind::joined) return {};
  std::vector<Value> parts;
  unsigned at = 0;
  for (const Value& p : *v.parts) {
    const unsigned from = std::max(at, low), to = std::min(at + p.width, low + width);
    if (from < to) {
      parts.push_back(extract(p, from - at, to - from));
      if (is_unknown(parts.back())) return {};
    }
    at += p.width;
  }
  return join(std::move(parts));
}

// --- functions of the real numbers

using RealFunction = Interval (*)(const Interval&, const Interval&, const Interval&);
using Operand = const Interval&;

struct Operation {
  Op op;
  unsigned operands;
  RealFunction f;
};
constexpr Operation operations[] = {
    {Op::fadd, 2, [](Operand x, Operand y, Operand) { return x + y; }},
    {Op::fsub, 2, [](Operand x, Operand y, Operand) { return x + -y; }},
    {Op::fmul, 2, [](Operand x, Operand y, Operand) { return x * y; }},
    {Op::fdiv, 2, [](Operand x, Operand y, Operand) { return x / y; }},
    {Op::fma, 3, [](Operand x, Operand y, Operand z) { return x * y + z; }},
    {Op::fsqrt, 1, [](Operand x, Operand, Operand) { return sqrt(x); }},
    {Op::fmin, 2, [](Operand x, Operand y, Operand) { return min(x, y); }},
    {Op::fmax, 2, [](Operand x, Operand y, Operand) { return max(x, y); }},
    {Op::fneg, 1, [](Operand x, Operand, Operand) { return -x; }},
    {Op::fabs, 1, [](Operand x, Operand, Operand) { return abs(x); }},
    {Op::fround, 1, [](Operand x, Operand, Operand) { return x; }},
};

Interval reciprocal(const Interval& x) { return Interval::number(x.precision(), false, 1, 0) / x; }

// By the mnemonics of PTX ISA 9.7.3 and 9.7.4, which stand first in a tag.
struct Approximation {
  std::string_view mnemonic;
  unsigned operands;
  RealFunction f;
};
constexpr Approximation approximations[] = {
    {"ex2", 1, [](Operand x, Operand, Operand) { return exp2(x); }},
    {"lg2", 1, [](Operand x, Operand, Operand) { return log2(x); }},
    {"rcp", 1, [](Operand x, Operand, Operand) { return reciprocal(x); }},
    {"sqrt", 1, [](Operand x, Operand, Operand) { return sqrt(x); }},
    {"rsqrt", 1, [](Operand x, Operand, Operand) { return reciprocal(sqrt(x)); }},
    {"sin", 1, [](Operand x, Operand, Operand) { return sin(x); }},
    {"cos", 1, [](Operand x, Operand, Operand) { return cos(x); }},
    {"tanh", 1, [](Operand x, Operand, Operand) { return tanh(x); }},
    {"div", 2, [](Operand x, Operand y, Operand) { return x / y; }},
};

const Approximation* approximation(std::string_view tag) {
  const std::string_view mnemonic = tag.substr(0, tag.find('.'));
  for (const Approximation& a : approximations)
    if (a.mnemonic == mnemonic) return &a;
  return nullptr;
}

Format approximation_format(unsigned width, std::string_view tag) {
  return sym::format_of(width, tag.find(".bf16") != tag.npos);
}

// .sat and .relu.
Interval clamped(Attr attr, const Interval& x) {
  const Interval zero(x.precision());
  if (attr.sat) return max(zero, min(x, Interval::number(x.precision(), false, 1, 0)));
  return attr.relu ? max(zero, x) : x;
}

// The format that node n's floating operands have.
Format operand_format(const TermStore& store, const Node& n) {
  return sym::format_of(store.width(n.a), Attr::unpack(n.attr).bf16);
}

// The narrowest format in which something is computed or to which it is rounded; widening is neither.
Format narrower(const TermStore& store, const Node& n, Format narrowest) {
  if (n.op == Op::fround || n.op == Op::itof) {
    const Attr attr = Attr::unpack(n.attr);
    return std::min(narrowest, sym::format_of(n.width, n.op == Op::fround ? attr.flag : attr.bf16));
  }
  if (n.op == Op::approx)
    return n.width >= 16 ? std::min(narrowest, approximation_format(n.width, store.tag_name(n.c))) : narrowest;
  return sym::is_float(n.op) ? std::min(narrowest, operand_format(store, n)) : narrowest;
}

// --- the values of nodes

class Evaluation {
 public:
  using LeafBits = std::function<u64(Term)>;
  Evaluation(const TermStore& store, const LeafBits& leaf_bits, const LeafDomains& domains)
      : store_(store), leaf_bits_(leaf_bits), domains_(domains) {}

  void run(const std::vector<Term>& roots);  // 0: none
  const Value& value(Term t) const { return values_[index_.at(t)]; }
  RealPtr as_real(const Value& v, Format format) const;

 private:
  void order(std::vector<Term> stack);
  Value compute(Term t) const;
  Value leaf(Term t) const;
  Value integer(const Node& n) const;
  Value shifted(const Node& n) const;
  Value choice(const Value& condition, const Value& x, const Value& y) const;
  Value floating(const Node& n) const;
  Value apply(RealFunction f, unsigned count, Attr attr, const Node& n, Format from, Format to) const;
  Value compare(const Node& n) const;
  Value to_integral(const Node& n) const;
  Value from_integer(const Node& n) const;

  const TermStore& store_;
  const LeafBits& leaf_bits_;
  const LeafDomains& domains_;
  std::vector<Term> order_;              // operands have smaller ids, so this is by id
  std::unordered_map<Term, u32> index_;  // into order_ and values_
  std::vector<Value> values_;
  Format narrowest_ = Format::f64;
};

void Evaluation::order(std::vector<Term> stack) {
  while (!stack.empty()) {
    const Term t = stack.back();
    stack.pop_back();
    if (t == 0 || !index_.emplace(t, 0).second) continue;
    order_.push_back(t);
    for (const Term o : operands(store_[t])) stack.push_back(o);
  }
  std::sort(order_.begin(), order_.end());
  for (u32 i = 0; i < order_.size(); ++i) index_[order_[i]] = i;
}

// Values go with their last use: a cone may be far larger than what is alive at one time.
void Evaluation::run(const std::vector<Term>& roots) {
  order(roots);
  values_.resize(order_.size());
  std::vector<u32> last_use(order_.size(), 0);
  for (u32 i = 0; i < order_.size(); ++i) {
    narrowest_ = narrower(store_, store_[order_[i]], narrowest_);
    for (const Term o : operands(store_[order_[i]]))
      if (o) last_use[index_[o]] = i;
  }
  for (const Term root : roots)
    if (root) last_use[index_[root]] = u32(order_.size());
  for (u32 i = 0; i < order_.size(); ++i) {
    values_[i] = compute(order_[i]);
    for (const Term o : operands(store_[order_[i]]))
      if (o && last_use[index_[o]] == i) values_[index_[o]] = {};
  }
}

// Constants take the slack of the narrowest format around: 0.1 may have come by way of an f16. Inputs are what they
// are, and take that of the operation that reads them.
RealPtr Evaluation::as_real(const Value& v, Format format) const {
  if (v.width != width_of(format)) return nullptr;
  if (is_real(v)) return v.format == format ? v.real : nullptr;
  if (is_word(v)) {
    const int slack = slack_exponent(v.constant ? std::min(narrowest_, format) : format);
    return decode(format, v, v.rough ? std::max(slack, rough_exponent) : slack);
  }
  // A bf16 above sixteen zeros is the f32 of that value.
  if (v.kind == Value::Kind::joined && format == Format::f32 && v.parts->size() == 2) {
    const Value &low = (*v.parts)[0], &high = (*v.parts)[1];
    if (is_word(low) && low.bits == 0 && is_real(high) && high.format == Format::bf16) return high.real;
  }
  return nullptr;
}

Value Evaluation::compute(Term t) const {
  const Node& n = store_[t];
  switch (n.op) {
    case Op::constant: {
      Value v = word(n.width, store_.constant_bits(t), Reading::any);
      v.constant = true;
      return v;
    }
    case Op::leaf:
      return leaf(t);
    case Op::extract:
      return extract(value(n.a), n.b, n.width);
    case Op::concat:
      return concat(value(n.a), value(n.b));
    case Op::ite:
      return choice(value(n.a), value(n.b), value(n.c));
    case Op::zext:
      if (!is_word(value(n.a))) return concat(word(n.width - store_.width(n.a), 0, Reading::any), value(n.a));
      return integer(n);
    case Op::mul:
      return is_word(value(n.a)) ? integer(n) : shifted(n);
    default:
      return n.op == Op::approx || sym::is_float(n.op) ? floating(n) : integer(n);
  }
}

Value Evaluation::leaf(Term t) const {
  const Node& n = store_[t];
  const sym::Leaf leaf = store_.leaf_of(t);
  if (leaf.kind == sym::LeafKind::launch) return word(n.width, leaf_bits_(t), Reading::integer);
  if (leaf.kind != sym::LeafKind::memory && leaf.kind != sym::LeafKind::scalar) return {};
  const LeafDomain domain = domains_ ? domains_(leaf) : LeafDomain{};
  Value v = word(n.width, leaf_bits_(t), Reading::any);
  if (domain.width == 0) return v;
  if (!domain.floating) {
    v.reading = Reading::integer;
  } else if (domain.width == n.width && n.width >= 16) {
    v.reading = Reading::floating, v.format = sym::format_of(n.width, domain.bf16);
  }
  return v;
}

// Does the operation leave a float whole: its sign changed, or its bits moved and none lost?
bool keeps_whole(const Node& n, u64 a, u64 b) {
  const u64 sign = u64(1) << (n.width - 1), signs = n.width == 32 ? 0x80008000 : sign;  // of one or of a pair
  const auto either = [&](u64 v) { return a == v || b == v; };
  switch (n.op) {
    case Op::zext:
      return true;
    case Op::xor_:
    case Op::or_:
      return either(sign) || either(signs);
    case Op::and_:
      return either(mask(n.width) ^ sign) || either(mask(n.width) ^ signs);
    case Op::mul:  // x << k in normal form
      return std::has_single_bit(b) && (a * b & mask(n.width)) / b == a;
    default:
      return false;
  }
}

Value Evaluation::integer(const Node& n) const {
  u64 bits[3] = {};
  bool integers = true, rough = false;
  const auto terms = operands(n);
  for (unsigned i = 0; i < 3; ++i) {
    if (!terms[i]) continue;
    const Value& v = value(terms[i]);
    if (!is_word(v)) return {};
    bits[i] = v.bits, rough |= v.rough;
    integers = integers && (v.reading == Reading::integer || v.constant);
  }
  if (rough && n.width == 1) return {};  // too close to call
  const u64 result = sym::apply(n.op, n.attr, n.width, store_.width(n.a), bits[0], bits[1], bits[2]);
  Value out = word(n.width, result, integers ? Reading::integer : Reading::any);
  out.rough = rough || !(integers || n.width == 1 || keeps_whole(n, bits[0], bits[1]));
  return out;
}

// x * 2^k of no word: parts above zeros.
Value Evaluation::shifted(const Node& n) const {
  if (!store_.is_constant(n.b) || !std::has_single_bit(store_.constant_bits(n.b))) return {};
  const unsigned by = unsigned(std::countr_zero(store_.constant_bits(n.b)));
  return by == 0 ? value(n.a) : concat(extract(value(n.a), 0, n.width - by), word(by, 0, Reading::any));
}

Value Evaluation::choice(const Value& condition, const Value& x, const Value& y) const {
  if (is_word(condition)) return condition.bits ? x : y;
  if (is_word(x) && is_word(y) && x.bits == y.bits) return x;
  // Too close to call: either, which is harmless where the two are as close (a maximum spelled as a choice).
  if (!has_format(x) && !has_format(y)) return {};
  const Format format = has_format(x) ? x.format : y.format;
  const RealPtr p = as_real(x, format), q = as_real(y, format);
  if (!p || !q) return {};
  RealPtr both = usable({hull(p->value, q->value), hull(p->reach, q->reach)});
  return both ? real(format, std::move(both)) : Value{};
}

Value Evaluation::apply(RealFunction f, unsigned count, Attr attr, const Node& n, Format from, Format to) const {
  static constexpr unsigned most = 3;
  const Term terms[most] = {n.a, n.b, n.c};
  std::array<RealPtr, most> in;
  for (unsigned i = 0; i < count; ++i)
    if (in[i] = as_real(value(terms[i]), from); !in[i]) return {};
  for (unsigned i = count; i < most; ++i) in[i] = in[0];  // not looked at
  RealPtr result = usable({clamped(attr, f(in[0]->value, in[1]->value, in[2]->value)),
                           clamped(attr, f(in[0]->reach, in[1]->reach, in[2]->reach))});
  return result ? real(to, std::move(result)) : Value{};
}

Value Evaluation::floating(const Node& n) const {
  if (n.op == Op::approx) {
    const std::string_view tag = store_.tag_name(n.c);
    const Approximation* f = approximation(tag);
    const bool unspecified = n.attr;
    if (!f || unspecified || n.width < 16) return {};
    const Format format = approximation_format(n.width, tag);
    return apply(f->f, f->operands, {}, n, format, format);
  }
  const Attr attr = Attr::unpack(n.attr);
  for (const Operation& o : operations)
    if (o.op == n.op) {
      const Format from = operand_format(store_, n);
      return apply(o.f, o.operands, attr, n, from, n.op == Op::fround ? sym::format_of(n.width, attr.flag) : from);
    }
  if (n.op == Op::itof) return from_integer(n);
  return n.op == Op::ftoi || n.op == Op::frint ? to_integral(n) : compare(n);
}

Value Evaluation::compare(const Node& n) const {
  const Format format = operand_format(store_, n);
  const auto answer = [](bool b) { return word(1, b, Reading::integer); };
  const Value& x = value(n.a);
  if (n.op == Op::fisnan) return as_real(x, format) ? answer(false) : Value{};
  const Value& y = value(n.b);
  const RealPtr p = as_real(x, format), q = as_real(y, format);
  if (!p || !q) return {};
  if (p->reach.below(q->reach)) return answer(n.op != Op::feq);
  if (q->reach.below(p->reach)) return answer(false);
  if (n.op == Op::flt && q->reach.not_above(p->reach)) return answer(false);
  if (n.op == Op::fle && p->reach.not_above(q->reach)) return answer(true);
  if (p->reach.is_point() && q->reach.is_point()) return answer(n.op != Op::flt);
  // Two inputs are as they are; a constant may stand for a number beside it.
  if (!is_word(x) || !is_word(y) || x.constant || y.constant || x.rough || y.rough) return {};
  Attr attr = Attr::unpack(n.attr);
  attr.ftz = false;
  return answer(sym::float_compare(n.op, attr, x.width, x.bits, y.bits));
}

// ftoi and frint, where all that the operand could be rounds to one integer. An input is what it is.
Value Evaluation::to_integral(const Node& n) const {
  const Attr attr = Attr::unpack(n.attr);
  const Format format = operand_format(store_, n);
  const Value& x = value(n.a);
  const RealPtr p = as_real(x, format);
  if (!p || p->value.is_infinite()) return {};
  const bool exact = is_word(x) && !x.constant && !x.rough;
  const Interval integer = (exact ? p->value : p->reach).rounded(attr.rounding);
  if (n.op == Op::ftoi) {
    const auto bits = integer.saturated(n.width, attr.flag);
    return bits ? word(n.width, *bits, Reading::integer) : Value{};
  }
  if (!integer.is_point() || integer.is_infinite()) return {};
  RealPtr result = usable({clamped(attr, integer.in(value_precision)), clamped(attr, integer.in(reach_precision))});
  return result ? real(format, std::move(result)) : Value{};
}

Value Evaluation::from_integer(const Node& n) const {
  const Attr attr = Attr::unpack(n.attr);
  const Value& x = value(n.a);
  if (!is_word(x)) return {};
  const bool negative = attr.flag && sym::sign_extend(x.bits, x.width) < 0;
  const u64 size = negative ? 0 - u64(sym::sign_extend(x.bits, x.width)) : x.bits;
  const Format format = sym::format_of(n.width, attr.bf16);
  const auto number = [&](mpfr_prec_t p) { return clamped(attr, Interval::number(p, negative, size, 0)); };
  const int slack = x.rough ? std::max(slack_exponent(format), rough_exponent) : slack_exponent(format);
  return real(format, usable({number(value_precision), number(reach_precision).widened(slack)}));
}

// --- the verdict

// Equal to this many bits of what the operands could have been, or else of their own size.
constexpr int equal_exponent = -200;

std::optional<bool> differ(const Real& a, const Real& ref) {
  if (a.value.is_infinite() || ref.value.is_infinite()) return std::nullopt;
  if (a.reach.below(ref.reach) || ref.reach.below(a.reach)) return true;
  const Interval both = hull(a.value, ref.value), reach = hull(a.reach, ref.reach);
  const Interval scale = reach.is_infinite() ? both.magnitude() : reach.width().in(value_precision);
  if (both.width().not_above(scale.scaled(equal_exponent))) return false;
  return std::nullopt;
}

// Words of which nobody says what they are: they differ if they do however they are read, packed formats included.
bool differ_in_every_reading(unsigned width, u64 a, u64 ref, bool rough) {
  for (const Format format : {Format::f16, Format::bf16, Format::f32, Format::f64}) {
    if (width_of(format) != width) continue;
    const int slack = rough ? rough_exponent : slack_exponent(format);
    const RealPtr p = decode(format, word(width, a, Reading::any), slack),
                  q = decode(format, word(width, ref, Reading::any), slack);
    if (p && q ? !differ(*p, *q).value_or(false) : !p && !q) return false;
  }
  if (width <= 16) return true;
  const unsigned half = width / 2;
  const auto halves_differ = [&](unsigned low) {
    return differ_in_every_reading(half, a >> low & mask(half), ref >> low & mask(half), rough);
  };
  return halves_differ(0) || halves_differ(half);
}

std::optional<bool> differ_as_words(const Value& a, const Value& ref) {
  if (a.bits == ref.bits) return false;
  if (common(a, ref) == Reading::integer && (a.reading == Reading::integer || ref.reading == Reading::integer))
    return true;
  if (differ_in_every_reading(a.width, a.bits, ref.bits, a.rough || ref.rough)) return true;
  return std::nullopt;
}

std::optional<bool> differ_as_parts(const Evaluation& e, const Value& a, const Value& ref) {
  if (is_unknown(a) || is_unknown(ref)) return std::nullopt;
  if (is_word(a) && is_word(ref) && a.bits == ref.bits) return false;
  if (!has_format(a) && !has_format(ref)) return is_word(a) && is_word(ref) ? differ_as_words(a, ref) : std::nullopt;
  const Format format = has_format(a) ? a.format : ref.format;
  const RealPtr p = e.as_real(a, format), q = e.as_real(ref, format);
  return p && q ? differ(*p, *q) : std::nullopt;
}

// Part by part, cut where either side is joined.
std::optional<bool> differ(const Evaluation& e, const Value& a, const Value& ref) {
  if (const auto whole = differ_as_parts(e, a, ref)) return whole;
  if (is_unknown(a) || is_unknown(ref)) return std::nullopt;
  std::vector<unsigned> cuts{a.width};
  for (const Value* side : {&a, &ref}) {
    unsigned at = 0;
    if (side->kind == Value::Kind::joined)
      for (const Value& p : *side->parts) cuts.push_back(at += p.width);
  }
  std::sort(cuts.begin(), cuts.end());
  std::optional<bool> result = false;
  unsigned at = 0;
  for (const unsigned cut : cuts) {
    if (cut == at) continue;
    const auto part = differ_as_parts(e, extract(a, at, cut - at), extract(ref, at, cut - at));
    if (part == true) return true;
    if (!part) result = std::nullopt;
    at = cut;
  }
  return result;
}

struct CacheRelease {
  ~CacheRelease() { mpfr_free_cache(); }  // this thread's constants
};

}  // namespace

std::optional<bool> differ_over_reals(const TermStore& store, const Obligation& o,
                                      const std::function<u64(Term leaf)>& leaf_bits, const LeafDomains& domains) {
  if (o.a == o.ref) return false;
  const CacheRelease release;
  Evaluation evaluation(store, leaf_bits, domains);
  evaluation.run({o.a, o.ref, o.condition});
  if (o.condition) {
    const auto& condition = evaluation.value(o.condition);
    if (!is_word(condition)) return std::nullopt;
    if (condition.bits == 0) return false;
  }
  return differ(evaluation, evaluation.value(o.a), evaluation.value(o.ref));
}

}  // namespace ptxeq::check
