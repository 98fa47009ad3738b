#include "checker/match.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace ptxeq::check {

using sym::Cut;
using sym::FormPart;
using sym::LaunchSymbol;
using i64 = std::int64_t;

namespace {

i64 floor_div(i64 a, i64 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// The least and the greatest value of a sum over a box's symbols.
std::pair<i64, i64> span_of(const std::vector<FormPart>& parts, const Box& box) {
  i64 low = 0, high = 0;
  for (const FormPart& p : parts) {
    const i64 x = p.factor * box.symbols[p.symbol].low, y = p.factor * box.symbols[p.symbol].high;
    low += std::min(x, y), high += std::max(x, y);
  }
  return {low, high};
}

}  // namespace

const Matcher::Plan& Matcher::plan(const Box& driver, const Piece& piece, const std::vector<FormPart>& form) {
  for (const auto& [key, known] : plans_)
    if (key.first == &piece && key.second == form) return known;
  Plan plan;
  plan.possible = true;
  const Box& box = boxes_[piece.box];
  for (const FormPart& p : piece.parts) plan.digits.push_back({p.symbol, p.factor, {}, 0, 0, 0, 0});
  std::sort(plan.digits.begin(), plan.digits.end(),
            [](const auto& x, const auto& y) { return std::abs(x.factor) > std::abs(y.factor); });
  const auto span = [&](std::uint32_t symbol) { return driver.symbols[symbol].high - driver.symbols[symbol].low; };
  const auto divide = [&](std::uint32_t symbol, i64 by) {
    if (by < 2 || span(symbol) < by) return;
    if (!plan.cut || by < plan.cut->at) plan.cut = Cut{Cut::Kind::divide, symbol, by};
  };
  std::optional<Cut> halves;
  for (const FormPart& p : form) {
    i64 left = p.factor;
    for (auto& d : plan.digits) {
      if (const i64 times = left / d.factor) d.of.push_back({p.symbol, times}), left -= times * d.factor;
    }
    if (left == 0) continue;
    plan.possible = false;
    for (const auto& d : plan.digits) divide(p.symbol, std::abs(d.factor) / std::gcd(d.factor, p.factor));
    halves = Cut{Cut::Kind::split, p.symbol, driver.symbols[p.symbol].low + (span(p.symbol) + 1) / 2};
  }
  for (std::size_t i = 0; i < plan.digits.size(); ++i) {
    auto& d = plan.digits[i];
    const LaunchSymbol& s = box.symbols[d.symbol];
    const auto [low, high] = span_of(d.of, driver);
    d.least = s.low - low, d.most = s.high - high;
    d.some_least = s.low - high, d.some_most = s.high - low;
    if (d.least <= d.most) continue;
    plan.possible = false;  // it runs over into the next larger digit
    for (const FormPart& p : d.of) {
      const i64 step = std::abs(p.factor * d.factor);
      if (i > 0 && std::abs(plan.digits[i - 1].factor) % step == 0)
        divide(p.symbol, std::abs(plan.digits[i - 1].factor) / step);
      if (span(p.symbol) > 0)
        halves = Cut{Cut::Kind::split, p.symbol, driver.symbols[p.symbol].low + (span(p.symbol) + 1) / 2};
    }
  }
  if (!plan.possible && !plan.cut) plan.cut = halves;
  plans_.emplace_back(std::pair{&piece, form}, std::move(plan));
  return plans_.back().second;
}

bool Matcher::solve(const Piece& piece, const Plan& plan, std::size_t at, i64 rest, bool everywhere,
                    std::vector<i64>& q) const {
  const auto least = [&](const Digit& x) { return everywhere ? x.least : x.some_least; };
  const auto most = [&](const Digit& x) { return everywhere ? x.most : x.some_most; };
  if (at == plan.digits.size()) return piece.offsets.contains(rest);
  const auto& d = plan.digits[at];
  // What the later digits and the offsets can add.
  i64 low = piece.low, high = piece.high;
  for (std::size_t i = at + 1; i < plan.digits.size(); ++i) {
    const auto& e = plan.digits[i];
    const i64 x = e.factor * least(e), y = e.factor * most(e);
    low += std::min(x, y), high += std::max(x, y);
  }
  i64 first = d.factor > 0 ? -floor_div(high - rest, d.factor) : -floor_div(rest - low, -d.factor);
  i64 last = d.factor > 0 ? floor_div(rest - low, d.factor) : floor_div(high - rest, -d.factor);
  first = std::max(first, least(d)), last = std::min(last, most(d));
  for (i64 v = first; v <= last; ++v) {
    q[d.symbol] = v;
    if (solve(piece, plan, at + 1, rest - v * d.factor, everywhere, q)) return true;
  }
  return false;
}

// Can any unit write any of the places at all?
bool Matcher::in_reach(const Box& driver, sym::ObjectId object, const std::vector<FormPart>& form, i64 offset) const {
  const auto [low, high] = span_of(form, driver);
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& p) {
    const auto [from, to] = span_of(p.parts, boxes_[p.box]);
    return p.object == object && low + offset < to + p.high + i64(p.size) && from + p.low <= high + offset;
  });
}

std::optional<Cut> Matcher::carry(const Box& driver, const Piece& piece, const Plan& plan,
                                  const std::vector<i64>& q) const {
  for (const Digit& d : plan.digits) {
    const i64 number = q[d.symbol];
    if ((d.least <= number && number <= d.most) || d.of.size() != 1) continue;
    const LaunchSymbol &s = boxes_[piece.box].symbols[d.symbol], &by = driver.symbols[d.of[0].symbol];
    const i64 factor = d.of[0].factor;
    // factor * symbol + number has to be at least s.low, and less than s.high + 1.
    for (const i64 bound : {s.low - number, s.high + 1 - number}) {
      const i64 at = factor > 0 ? -floor_div(-bound, factor) : floor_div(bound, factor) + 1;
      if (at > by.low && at <= by.high) return Cut{Cut::Kind::split, d.of[0].symbol, at};
    }
  }
  return std::nullopt;
}

std::optional<Mapped> Matcher::writer(const Box& driver, sym::ObjectId object, const std::vector<FormPart>& form,
                                      i64 offset, std::optional<Cut>& cut) {
  std::optional<Cut> wanted, carried;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const std::size_t number = (last_ + k) % pieces_.size();
    const Piece& piece = pieces_[number];
    if (piece.object != object) continue;
    const Plan& how = plan(driver, piece, form);
    const Box& box = boxes_[piece.box];
    if (!how.possible) {
      if (how.cut && (!wanted || (wanted->kind == Cut::Kind::split && how.cut->kind == Cut::Kind::divide)))
        wanted = how.cut;
      continue;
    }
    std::vector<i64> q(box.symbols.size(), 0);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = box.symbols[i].low;  // of symbols that do not move the place
    if (!solve(piece, how, 0, offset, true, q)) {
      if (!carried && solve(piece, how, 0, offset, false, q)) carried = carry(driver, piece, how, q);
      continue;
    }
    last_ = number;
    const auto mapped = [&](const Linear& sum) {
      Linear out;
      out.constant = sum.constant;
      std::vector<i64> factors(driver.symbols.size(), 0);
      for (const FormPart& p : sum.parts) {
        out.constant += p.factor * q[p.symbol];
        for (const auto& d : how.digits)
          if (d.symbol == p.symbol)
            for (const FormPart& of : d.of) factors[of.symbol] += p.factor * of.factor;
      }
      for (std::uint32_t i = 0; i < factors.size(); ++i)
        if (factors[i]) out.parts.push_back({i, factors[i]});
      return out;
    };
    Mapped m;
    for (unsigned c = 0; c < 3; ++c) m.block[c] = mapped(box.block[c]), m.thread[c] = mapped(box.thread[c]);
    return m;
  }
  if (!in_reach(driver, object, form, offset)) return std::nullopt;
  if (!wanted || wanted->kind == Cut::Kind::split) wanted = carried ? carried : wanted;
  if (!wanted) {  // some of the places may be written: look at fewer at once
    std::uint32_t widest = 0;
    i64 most = 0;
    for (const FormPart& p : form)
      if (const i64 span = driver.symbols[p.symbol].high - driver.symbols[p.symbol].low; span > most)
        widest = p.symbol, most = span;
    if (most > 0) wanted = Cut{Cut::Kind::split, widest, driver.symbols[widest].low + (most + 1) / 2};
  }
  cut = wanted;
  return std::nullopt;
}

}  // namespace ptxeq::check
