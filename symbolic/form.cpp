#include "symbolic/form.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ptxeq::sym {
namespace {

i128 floor_div(i128 a, i128 b) {  // b > 0
  const i128 q = a / b;
  return a % b < 0 ? q - 1 : q;
}
i128 ceil_div(i128 a, i128 b) { return -floor_div(-a, b); }
i128 magnitude(i128 v) { return v < 0 ? -v : v; }

i64 wrapped(u64 factor, unsigned width) { return i64(sign_extend(factor & mask(width), width)); }

bool linear(Tag tag) { return tag == concrete_tag || is_base(tag) || is_form(tag); }

}  // namespace

u32 Forms::add_symbol(LaunchSymbol s) {
  symbols_.push_back(std::move(s));
  return u32(symbols_.size() - 1);
}

void Forms::narrow(u32 symbol, i64 low, i64 high) {
  symbols_[symbol].low = low, symbols_[symbol].high = high;
  for (Entry& e : entries_) e.range = range_of_parts(e.form.parts);
}

Range Forms::range_of_parts(const std::vector<FormPart>& parts) const {
  Range r;
  for (const FormPart& p : parts) {
    const LaunchSymbol& s = symbols_[p.symbol];
    const i128 x = i128(p.factor) * s.low, y = i128(p.factor) * s.high;
    r.low += std::min(x, y), r.high += std::max(x, y);
  }
  return r;
}

Tag Forms::make(Form form, unsigned width) {
  for (FormPart& p : form.parts) p.factor = wrapped(u64(p.factor), width);
  std::erase_if(form.parts, [](const FormPart& p) { return p.factor == 0; });
  if (form.parts.empty()) return form.base;
  const auto [at, added] = index_.try_emplace(form, first_form + Tag(entries_.size()));
  if (added) {
    const Range range = range_of_parts(form.parts);
    entries_.push_back({std::move(form), range});
  }
  return at->second;
}

Form Forms::form_of(Tag tag) const { return is_form(tag) ? (*this)[tag] : Form{tag, {}}; }

std::optional<Tag> Forms::sum(Tag a, Tag b, unsigned width) {
  if (a == concrete_tag && linear(b)) return b;
  if (b == concrete_tag && linear(a)) return a;
  if (!linear(a) || !linear(b)) return std::nullopt;
  // Sums of 32 and of 64 bits are remembered; first_form is above the tags of objects, so that the top bit is free.
  const u64 key = u64(a) << 32 | b | (width == 64 ? 0 : u64(1) << 63);
  const bool remembered = width == 64 || width == 32;
  if (remembered)
    if (const auto at = sums_.find(key); at != sums_.end()) return at->second;
  Form x = form_of(a);
  const Form y = form_of(b);
  if (x.base != concrete_tag && y.base != concrete_tag) return std::nullopt;
  if (y.base != concrete_tag) x.base = y.base;
  for (const FormPart& p : y.parts) {
    const auto at = std::lower_bound(x.parts.begin(), x.parts.end(), p,
                                     [](const FormPart& l, const FormPart& r) { return l.symbol < r.symbol; });
    if (at != x.parts.end() && at->symbol == p.symbol)
      at->factor = i64(u64(at->factor) + u64(p.factor));
    else
      x.parts.insert(at, p);
  }
  const Tag made = make(std::move(x), width);
  if (remembered) sums_[key] = made;
  return made;
}

std::optional<Tag> Forms::scaled(Tag a, i64 factor, unsigned width) {
  if (a == concrete_tag) return a;
  if (!is_form(a) || (*this)[a].base != concrete_tag) return std::nullopt;
  Form x = (*this)[a];
  for (FormPart& p : x.parts) p.factor = i64(u64(p.factor) * u64(factor));
  return make(std::move(x), width);
}

std::optional<Tag> Forms::difference(Tag a, Tag b, unsigned width) {
  if (!linear(a) || !linear(b)) return std::nullopt;
  Form y = form_of(b);
  const Tag base = y.base;
  y.base = concrete_tag;
  const Tag rest = make(std::move(y), 64);
  const auto minus = scaled(rest, -1, width);
  if (base == concrete_tag) return sum(a, *minus, width);
  Form x = form_of(a);
  if (x.base != base) return std::nullopt;
  x.base = concrete_tag;
  return sum(make(std::move(x), 64), *minus, width);
}

std::optional<i128> Forms::exact(Tag tag, u64 bits, unsigned width, bool is_signed, std::optional<Cut>& cut) const {
  const Range r = range_of(tag);
  const i128 modulus = i128(1) << width, least = is_signed ? -(modulus / 2) : 0;
  const i128 low = r.low + bits, high = r.high + bits;
  const i128 turns = floor_div(low - least, modulus);
  if (turns == floor_div(high - least, modulus)) return i128(bits) - turns * modulus;
  cut = cut_at((*this)[tag].parts, (turns + 1) * modulus + least - bits);
  return std::nullopt;
}

std::optional<bool> Forms::negative(Tag tag, i128 offset, std::optional<Cut>& cut) const {
  const Range r = range_of(tag);
  if (r.high + offset < 0) return true;
  if (r.low + offset >= 0) return false;
  cut = cut_at((*this)[tag].parts, -offset);
  return std::nullopt;
}

std::optional<bool> Forms::zero(Tag tag, i128 offset, std::optional<Cut>& cut) const {
  if (!is_form(tag)) return offset == 0;
  const Range r = range(tag);
  if (r.high + offset < 0 || r.low + offset > 0) return false;
  u64 step = 0;
  for (const FormPart& p : (*this)[tag].parts) step = std::gcd(step, u64(magnitude(p.factor)));
  if (offset % i128(step) != 0) return false;
  cut = cut_at((*this)[tag].parts, r.low + offset == 0 ? -offset + 1 : -offset);
  return std::nullopt;
}

bool Forms::multiple_of(Tag tag, u64 divisor, std::optional<Cut>& cut) const {
  if (!is_form(tag)) return true;
  for (const FormPart& p : (*this)[tag].parts) {
    const u64 rest = u64(p.factor) & (divisor - 1);
    if (rest == 0) continue;
    const i64 period = i64(divisor / std::gcd(rest, divisor));
    const LaunchSymbol& s = symbols_[p.symbol];
    cut = s.high - s.low >= period ? Cut{Cut::Kind::divide, p.symbol, period}
                                   : Cut{Cut::Kind::split, p.symbol, s.low + 1};
    return false;
  }
  return true;
}

// The part that weighs most, taken apart where the sum passes the boundary: so that all values on one side of the cut
// are on one side of the boundary, else in the middle.
Cut Forms::cut_at(const std::vector<FormPart>& parts, i128 boundary) const {
  const auto weight = [&](const FormPart& p) {
    return magnitude(p.factor) * (i128(symbols_[p.symbol].high) - symbols_[p.symbol].low);
  };
  const auto heaviest =
      std::max_element(parts.begin(), parts.end(), [&](auto& x, auto& y) { return weight(x) < weight(y); });
  const LaunchSymbol& s = symbols_[heaviest->symbol];
  const i128 factor = heaviest->factor;
  std::vector<FormPart> others(parts);
  others.erase(others.begin() + (heaviest - parts.begin()));
  const Range rest = range_of_parts(others);
  for (const i128 other : {rest.high, rest.low}) {
    const i128 left = boundary - other;  // factor * symbol has to reach it
    const i128 at = factor > 0 ? ceil_div(left, factor) : floor_div(-left, -factor) + 1;
    if (at > s.low && at <= s.high) return {Cut::Kind::split, heaviest->symbol, i64(at)};
  }
  return {Cut::Kind::split, heaviest->symbol, i64((i128(s.low) + s.high + 1) / 2)};
}

bool Forms::graded(Tag tag) const {
  std::vector<FormPart> parts = (*this)[tag].parts;
  std::sort(parts.begin(), parts.end(),
            [](const FormPart& x, const FormPart& y) { return magnitude(x.factor) > magnitude(y.factor); });
  i128 below = 0;
  for (std::size_t i = parts.size(); i-- > 0;) {
    if (i + 1 < parts.size() && magnitude(parts[i].factor) < below) return false;
    below += magnitude(parts[i].factor) * (i128(symbols_[parts[i].symbol].high) - symbols_[parts[i].symbol].low);
  }
  return true;
}

namespace {

// The number of values of a symbol after which factor * symbol / divisor has grown by an integer, or so nearly that the
// quotient's rest stays small over `span` values: among the convergents of the fraction. 0: none up to span.
i128 period(i128 factor, i128 divisor, i128 span) {
  const i128 start = magnitude(factor) % divisor;
  i128 a = start, b = divisor, q = 0, q_before = 1;
  while (b != 0) {
    const i128 whole = a / b, next = whole * q + q_before;
    q_before = q, q = next;
    if (q > span) return 0;
    const i128 beyond = start * q % divisor, rest = std::min(beyond, divisor - beyond);
    if (q > 1 && rest * (span / q + 1) <= divisor / q) return q;
    const i128 remainder = a % b;
    a = b, b = remainder;
  }
  return 0;
}

}  // namespace

std::optional<Forms::Quotient> Forms::quotient(Tag tag, i128 offset, i128 divisor, std::optional<Cut>& cut) const {
  Quotient out;
  if (!is_form(tag)) {
    out.offset = floor_div(offset, divisor);
    return out;
  }
  // Each factor as a multiple of the divisor and a rest; the rests' sum has to keep one quotient.
  std::vector<FormPart> rests;
  for (const FormPart& p : (*this)[tag].parts) {
    const i128 span = i128(symbols_[p.symbol].high) - symbols_[p.symbol].low;
    i128 whole = floor_div(p.factor, divisor), rest = p.factor - whole * divisor;
    // Hardly below the next multiple, or too large for a factor.
    if ((divisor - rest) * span < rest || rest > std::numeric_limits<i64>::max()) ++whole, rest -= divisor;
    if (whole != 0) out.form.parts.push_back({p.symbol, i64(whole)});
    if (rest != 0) rests.push_back({p.symbol, i64(rest)});
  }
  const Range r = range_of_parts(rests);
  const i128 low = floor_div(r.low + offset, divisor);
  if (low == floor_div(r.high + offset, divisor)) {
    out.offset = low;
    return out;
  }
  for (const FormPart& p : rests) {
    const i128 span = i128(symbols_[p.symbol].high) - symbols_[p.symbol].low;
    if (const i128 d = period(p.factor, divisor, span); d > 0) {
      cut = Cut{Cut::Kind::divide, p.symbol, i64(d)};
      return std::nullopt;
    }
  }
  cut = cut_at(rests, (low + 1) * divisor - offset);
  return std::nullopt;
}

}  // namespace ptxeq::sym
