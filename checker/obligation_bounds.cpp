// A term is an integer sum of products of variables where no step of it wraps, which the variables' ranges show. The
// goal's comparisons then are linear inequalities over such products; that they have no common solution is shown by
// eliminating one product after the other (Fourier and Motzkin). Each product of two variables comes with what their
// ranges say of it.
#include "checker/obligation_bounds.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace ptxeq::check {
namespace {

__extension__ using i128 = __int128;
using sym::Op;

constexpr std::size_t largest_shape = 4096, most_facts = 160, most_cases = 64, most_signs = 4;
constexpr i128 huge = i128(1) << 96;  // factors and ends beyond are not followed, so that nothing here wraps

i128 power(unsigned n) { return i128(1) << n; }
i128 magnitude(i128 v) { return v < 0 ? -v : v; }
i128 common_divisor(i128 a, i128 b) {
  while (b != 0) a = std::exchange(b, a % b);
  return magnitude(a);
}
i128 floor_of(i128 a, i128 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// A product of one or two variables; the second is 0 where there is one. Variables count from 1.
using Product = std::pair<u32, u32>;

struct Sum {
  i128 constant = 0;
  std::map<Product, i128> factors;  // none is 0
  bool number() const { return factors.empty(); }
};
struct Range {
  i128 low = 0, high = 0;
};

class Bounds {
 public:
  explicit Bounds(const Shape& shape) : shape_(shape), values_(shape.code.size()) {}

  bool never_holds() {
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = read(shape_.code[k]);
    return refuted({{shape_.roots[0], true}}, {}, choices_.size());
  }

 private:
  // What a slot is as an integer, read as unsigned or signed; nothing: no sum that is known not to wrap.
  struct Value {
    std::optional<Sum> plain, with_sign;
  };
  // A value that is one of two, by a condition.
  struct Choice {
    Sum value;  // a variable
    u32 condition = 0;
    Sum first, second;
  };
  struct Literal {
    u32 slot = 0;
    bool holds = true;
  };

  static Sum number(i128 v) { return {v, {}}; }
  static Sum scaled(const Sum& s, i128 by) {
    Sum out{s.constant * by, {}};
    for (const auto& [p, factor] : s.factors)
      if (by != 0) out.factors[p] = factor * by;
    return out;
  }
  static Sum added(Sum x, const Sum& y) {
    x.constant += y.constant;
    for (const auto& [p, factor] : y.factors)
      if ((x.factors[p] += factor) == 0) x.factors.erase(p);
    return x;
  }
  static Sum difference(const Sum& x, const Sum& y) { return added(x, scaled(y, -1)); }

  Range range_of(const Product& p) const {
    const Range x = ranges_[p.first - 1];
    if (p.second == 0) return x;
    const Range y = ranges_[p.second - 1];
    const auto ends = {x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high};
    return {std::min(ends), std::max(ends)};
  }
  // Nothing where the ends are too far out.
  std::optional<Range> range_of(const Sum& s) const {
    Range out{s.constant, s.constant};
    for (const auto& [p, factor] : s.factors) {
      const Range r = range_of(p);
      if (std::max(-r.low, r.high) > power(64) || magnitude(factor) > power(33)) return std::nullopt;
      out.low += factor * (factor > 0 ? r.low : r.high), out.high += factor * (factor > 0 ? r.high : r.low);
    }
    if (out.low < -huge || out.high > huge) return std::nullopt;
    return out;
  }

  Sum variable(Range r) {
    if (r.low == r.high) return number(r.low);
    ranges_.push_back(r);
    return {0, {{{u32(ranges_.size()), 0}, 1}}};
  }
  // The value whose bits are the sum's, modulo 2^width.
  void offer(Value& to, const Sum& s, unsigned width) const {
    const auto r = magnitude(s.constant) <= power(66) ? range_of(s) : std::nullopt;
    if (!r) return;
    if (!to.plain && r->low >= 0 && r->high < power(width)) to.plain = s;
    if (!to.with_sign && r->low >= -power(width - 1) && r->high < power(width - 1)) to.with_sign = s;
  }
  Value anything(unsigned width) {
    Value v;
    offer(v, variable({0, power(width) - 1}), width);
    return v;
  }

  Value leaf(const ShapeLeaf& l, unsigned width) {
    const LeafDomain& d = l.domain;
    if (d.floating || is_uncertain(l)) return anything(width);
    Range r = d.is_signed ? Range{-power(width - 1), power(width - 1) - 1} : Range{0, power(width) - 1};
    if (d.integers) r = {std::max<i128>(r.low, (*d.integers)[0]), std::min<i128>(r.high, (*d.integers)[1])};
    if (r.low > r.high) return anything(width);
    const i128 step = std::max<i128>(d.multiple_of, 1);
    if (step > power(32)) return anything(width);
    const i128 first = -floor_of(-r.low, step), last = floor_of(r.high, step);
    Value v;
    if (first <= last) offer(v, scaled(variable({first, last}), step), width);
    return v;
  }

  template <class F>
  Value of_both(u32 a, u32 b, unsigned width, F f) {
    Value out;
    for (const auto* x : {&values_[a].plain, &values_[a].with_sign})
      for (const auto* y : {&values_[b].plain, &values_[b].with_sign})
        if (*x && *y)
          if (const std::optional<Sum> s = f(**x, **y)) offer(out, *s, width);
    return out;
  }
  std::optional<Sum> product(const Sum& x, const Sum& y) const {
    if (magnitude(x.constant) > power(33) || magnitude(y.constant) > power(33)) return std::nullopt;
    Sum out = added(scaled(x, y.constant), scaled(y, x.constant));
    out.constant = x.constant * y.constant;
    for (const auto& [p, f] : x.factors)
      for (const auto& [q, g] : y.factors) {
        if (p.second || q.second || far(p.first) || far(q.first) || magnitude(f) > power(31) ||
            magnitude(g) > power(31))
          return std::nullopt;
        const Product both{std::max(p.first, q.first), std::min(p.first, q.first)};
        out = added(out, {0, {{both, f * g}}});
      }
    return out;
  }
  // Would a product with the variable leave what is followed?
  bool far(u32 variable) const {
    return std::max(magnitude(ranges_[variable - 1].low), magnitude(ranges_[variable - 1].high)) > power(44);
  }
  // floor(x / divisor) as a variable of its own, with what ties it to x.
  std::optional<Sum> quotient(const Sum& x, i128 divisor) {
    const auto r = range_of(x);
    if (!r || divisor > power(40)) return std::nullopt;
    const Sum q = variable({floor_of(r->low, divisor), floor_of(r->high, divisor)});
    const Sum rest = difference(x, scaled(q, divisor));
    facts_.push_back(rest), facts_.push_back(difference(number(divisor - 1), rest));
    return q;
  }
  std::optional<u64> constant_at(u32 slot) const {
    return slot != no_slot && shape_.code[slot].op == Op::constant ? std::optional(constant_bits(shape_.code[slot]))
                                                                   : std::nullopt;
  }

  // The slot's value in a reading: where only the other one is known not to wrap, that or 2^width away from it.
  std::optional<Sum> read_as(u32 slot, std::optional<Sum> Value::* wanted) {
    const bool plain = wanted == &Value::plain;
    const std::optional<Sum> other = plain ? values_[slot].with_sign : values_[slot].plain;
    if (values_[slot].*wanted || !other || signs_.size() == most_signs) return values_[slot].*wanted;
    const unsigned w = shape_.code[slot].width;
    const Sum v = variable(plain ? Range{0, power(w) - 1} : Range{-power(w - 1), power(w - 1) - 1});
    const Sum away = scaled(variable({0, 1}), plain ? power(w) : -power(w));
    signs_.push_back(u32(ranges_.size()));
    facts_.push_back(difference(v, added(*other, away))), facts_.push_back(difference(added(*other, away), v));
    return values_[slot].*wanted = v;
  }

  Value divided(u32 a, i128 divisor, unsigned width) {
    Value out;
    if (const auto x = read_as(a, &Value::plain))
      if (const auto q = quotient(*x, divisor)) offer(out, *q, width);
    return out;
  }
  Value rest(u32 a, i128 divisor, unsigned width) {
    const Sum r = variable({0, divisor - 1});
    if (const auto x = read_as(a, &Value::plain))
      if (const auto q = quotient(*x, divisor)) {
        const Sum whole = added(scaled(*q, divisor), r);
        facts_.push_back(difference(*x, whole)), facts_.push_back(difference(whole, *x));
      }
    Value out;
    offer(out, r, width);
    return out;
  }

  Value chosen(const Instruction& i, unsigned width) {
    Value out;
    for (const auto reading : {&Value::plain, &Value::with_sign}) {
      const auto x = values_[i.b].*reading, y = values_[i.c].*reading;
      const auto of_x = x ? range_of(*x) : std::nullopt, of_y = y ? range_of(*y) : std::nullopt;
      if (!of_x || !of_y) continue;
      const Sum v = variable({std::min(of_x->low, of_y->low), std::max(of_x->high, of_y->high)});
      if (!v.number()) choices_.push_back({v, i.a, *x, *y});
      offer(out, v, width);
      break;
    }
    return out;
  }

  Value read(const Instruction& i) {
    const unsigned w = i.width;
    const auto k = constant_at(operands(i)[1]);
    Value out;
    switch (i.op) {
      case Op::constant:
        out.plain = number(constant_bits(i)), out.with_sign = number(sym::sign_extend(constant_bits(i), w));
        return out;
      case Op::leaf:
        return leaf(shape_.leaves[i.a], w);
      case Op::add:
        out = of_both(i.a, i.b, w, [](const Sum& x, const Sum& y) { return std::optional(added(x, y)); });
        break;
      case Op::mul:
        out = of_both(i.a, i.b, w, [this](const Sum& x, const Sum& y) { return product(x, y); });
        break;
      case Op::neg:
        for (const auto* x : {&values_[i.a].plain, &values_[i.a].with_sign})
          if (*x) offer(out, scaled(**x, -1), w);
        break;
      case Op::shl:
        if (k && *k < 32)
          for (const auto* x : {&values_[i.a].plain, &values_[i.a].with_sign})
            if (*x) offer(out, scaled(**x, power(unsigned(*k))), w);
        break;
      case Op::zext:
        if (const auto x = read_as(i.a, &Value::plain)) offer(out, *x, w);
        break;
      case Op::sext:
        if (const auto x = read_as(i.a, &Value::with_sign)) offer(out, *x, w);
        break;
      case Op::extract:
        if (i.b == 0)
          for (const auto* x : {&values_[i.a].plain, &values_[i.a].with_sign})
            if (*x) offer(out, **x, w);
        if (i.b == 0 && !out.plain && !out.with_sign && w <= 32) out = rest(i.a, power(w), w);
        if (i.b != 0 && i.b + w == shape_.code[i.a].width) out = divided(i.a, power(i.b), w);
        break;
      case Op::udiv:
        if (k && *k) out = divided(i.a, *k, w);
        break;
      case Op::lshr:
        if (k && *k < w) out = divided(i.a, power(unsigned(*k)), w);
        break;
      case Op::urem:
        if (k && *k) out = rest(i.a, *k, w);
        break;
      case Op::ite:
        if (w > 1) out = chosen(i, w);
        break;
      case Op::and_:
        if (k && w > 1 && (*k & (*k + 1)) == 0) out = rest(i.a, i128(*k) + 1, w);
        break;
      default:
        break;
    }
    return out.plain || out.with_sign ? out : anything(w);
  }

  // Whether no input makes all literals and facts hold; case by case where a literal is a choice.
  bool refuted(std::vector<Literal> literals, std::vector<Sum> facts, std::size_t open) {
    if (++cases_ > most_cases) return false;
    while (!literals.empty()) {
      const Literal l = literals.back();
      literals.pop_back();
      const Instruction& i = shape_.code[l.slot];
      if (i.op == Op::not_ && i.width == 1) {
        literals.push_back({i.a, !l.holds});
      } else if ((i.op == Op::and_ && l.holds) || (i.op == Op::or_ && !l.holds && i.width == 1)) {
        literals.push_back({i.a, l.holds}), literals.push_back({i.b, l.holds});
      } else if ((i.op == Op::and_ || i.op == Op::or_) && i.width == 1) {
        auto other = literals;
        literals.push_back({i.a, l.holds}), other.push_back({i.b, l.holds});
        return refuted(std::move(literals), facts, open) && refuted(std::move(other), facts, open);
      } else if (i.op == Op::constant) {
        if (constant_bits(i) != u64(l.holds)) return true;
      } else if (i.op == Op::ult || i.op == Op::slt) {
        const auto wanted = i.op == Op::ult ? &Value::plain : &Value::with_sign;
        const auto x = read_as(i.a, wanted), y = read_as(i.b, wanted);
        if (x && y) facts.push_back(l.holds ? less(*x, *y) : difference(*x, *y));
      } else if (i.op == Op::eq && shape_.code[i.a].width > 1) {
        for (const auto& reading : {&Value::plain, &Value::with_sign}) {
          const auto &x = values_[i.a].*reading, &y = values_[i.b].*reading;
          if (!x || !y) continue;
          if (!l.holds) {
            auto above = facts;
            facts.push_back(less(*x, *y)), above.push_back(less(*y, *x));
            return refuted(literals, std::move(facts), open) && refuted(std::move(literals), std::move(above), open);
          }
          facts.push_back(difference(*x, *y)), facts.push_back(difference(*y, *x));
        }
      }
    }
    return contradictory(facts) || refuted_by_choice(std::move(facts), open);
  }
  // Case by case what the last of the first `open` values that are a choice is.
  bool refuted_by_choice(std::vector<Sum> facts, std::size_t open) {
    const auto uses = [&](const Choice& c) {
      const auto holds = [&](const Sum& s) { return s.factors.contains(c.value.factors.begin()->first); };
      return std::any_of(facts.begin(), facts.end(), holds) || std::any_of(facts_.begin(), facts_.end(), holds);
    };
    while (open > 0 && !uses(choices_[open - 1])) --open;
    if (open == 0) return false;
    const Choice c = choices_[open - 1];
    for (const bool first : {true, false}) {
      std::vector<Sum> more = facts;
      const Sum& is = first ? c.first : c.second;
      more.push_back(difference(c.value, is)), more.push_back(difference(is, c.value));
      if (!refuted({{c.condition, first}}, std::move(more), open - 1)) return false;
    }
    return true;
  }
  static Sum less(const Sum& x, const Sum& y) { return added(difference(y, x), number(-1)); }

  // What ranges say: each sum is at least 0.
  void add_ranges(std::vector<Sum>& facts) const {
    std::map<Product, bool> all;
    for (const Sum& s : facts)
      for (const auto& [p, factor] : s.factors) {
        all[p];
        if (p.second) all[{p.first, 0}], all[{p.second, 0}];
      }
    for (const auto& [p, unused] : all) {
      const Range r = range_of(p);
      facts.push_back({-r.low, {{p, 1}}}), facts.push_back({r.high, {{p, -1}}});
      if (p.second == 0 || p.first == p.second) continue;
      const Range x = ranges_[p.first - 1], y = ranges_[p.second - 1];
      // (x - end)(y - end), each factor of one sign, is at least 0 or at most 0.
      for (const i128 a : {x.low, x.high})
        for (const i128 b : {y.low, y.high}) {
          Sum s = added(added({a * b, {{p, 1}}}, scaled({0, {{{p.first, 0}, 1}}}, -b)),
                        scaled({0, {{{p.second, 0}, 1}}}, -a));
          facts.push_back(scaled(s, (a == x.low) == (b == y.low) ? 1 : -1));
        }
    }
  }
  // Integers: what divides all factors divides the constant, rounded down. False: too far out.
  static bool tighten(Sum& s) {
    i128 common = 0;
    for (const auto& [p, factor] : s.factors) {
      if (magnitude(factor) > huge) return false;
      common = common_divisor(common, factor);
    }
    if (magnitude(s.constant) > huge) return false;
    if (common > 1) {
      for (auto& [p, factor] : s.factors) factor /= common;
      s.constant = floor_of(s.constant, common);
    }
    return true;
  }
  static bool contradicts(const Sum& s) { return s.number() && s.constant < 0; }

  bool contradictory(std::vector<Sum> facts) {
    facts.insert(facts.end(), facts_.begin(), facts_.end());
    return contradictory(std::move(facts), 0);
  }
  // With the first signs fixed.
  bool contradictory(const std::vector<Sum>& facts, std::size_t fixed) {
    if (eliminated(facts)) return true;
    if (fixed == signs_.size() || ++cases_ > most_cases) return false;
    for (const i128 sign : {0, 1}) {
      std::vector<Sum> with_sign = facts;
      for (Sum& s : with_sign)
        if (const auto at = s.factors.find({signs_[fixed], 0}); at != s.factors.end()) {
          s.constant += sign * at->second;
          s.factors.erase(at);
        }
      if (!contradictory(with_sign, fixed + 1)) return false;
    }
    return true;
  }
  bool eliminated(std::vector<Sum> facts) const {
    add_ranges(facts);
    for (Sum& s : facts)
      if (!tighten(s)) return false;
    for (;;) {
      if (std::any_of(facts.begin(), facts.end(), contradicts)) return true;
      const auto p = cheapest(facts);
      if (!p || !eliminate(facts, *p)) return false;
    }
  }
  // The product whose elimination leaves the fewest facts; of those first that stand alone, for which it loses no
  // integers.
  static std::optional<Product> cheapest(const std::vector<Sum>& facts) {
    struct Use {
      bool scaled = false;
      std::array<std::size_t, 2> sides{};  // facts with a negative and with a positive factor
      std::pair<bool, std::size_t> cost() const { return {scaled, sides[0] * sides[1]}; }
    };
    std::map<Product, Use> uses;
    for (const Sum& s : facts)
      for (const auto& [p, factor] : s.factors) {
        Use& use = uses[p];
        use.scaled |= magnitude(factor) > 1, ++use.sides[factor > 0];
      }
    const auto best = std::min_element(uses.begin(), uses.end(),
                                       [](const auto& x, const auto& y) { return x.second.cost() < y.second.cost(); });
    return best == uses.end() ? std::nullopt : std::optional(best->first);
  }
  static bool eliminate(std::vector<Sum>& facts, const Product& p) {
    std::vector<Sum> above, below;
    std::map<std::map<Product, i128>, i128> out;  // by factors, the least constant: the strongest
    const auto keep = [&](Sum s) {
      const auto [at, fresh] = out.try_emplace(std::move(s.factors), s.constant);
      if (!fresh) at->second = std::min(at->second, s.constant);
    };
    for (Sum& s : facts) {
      const auto at = s.factors.find(p);
      if (at == s.factors.end())
        keep(std::move(s));
      else
        (at->second > 0 ? above : below).push_back(std::move(s));
    }
    for (const Sum& x : above)
      for (const Sum& y : below) {
        const i128 f = x.factors.at(p), g = -y.factors.at(p), common = common_divisor(f, g);
        if (f / common > power(26) || g / common > power(26)) return false;
        Sum s = added(scaled(x, g / common), scaled(y, f / common));
        if (!tighten(s)) return false;
        keep(std::move(s));
        if (out.size() > most_facts) return false;
      }
    facts.clear();
    for (auto& [factors, constant] : out) facts.push_back({constant, factors});
    return true;
  }

  const Shape& shape_;
  std::vector<Value> values_;
  std::vector<Range> ranges_;  // of variables
  std::vector<Choice> choices_;
  std::vector<u32> signs_;  // variables that tell whether a value and its other reading are apart
  std::vector<Sum> facts_;  // that hold in any case: each is at least 0
  std::size_t cases_ = 0;
};

}  // namespace

bool never_holds_by_bounds(const Shape& shape) {
  return shape.code.size() <= largest_shape && Bounds(shape).never_holds();
}

}  // namespace ptxeq::check
