#include "checker/box.h"

#include <algorithm>

namespace ptxeq::check {

using sym::Cut;
using sym::LaunchSymbol;

namespace {

void add_component(Box& box, Linear& to, std::string name, std::uint32_t extent) {
  if (extent <= 1) return;
  to.parts.push_back({std::uint32_t(box.symbols.size()), 1});
  box.symbols.push_back({std::move(name), 0, std::int64_t(extent) - 1});
}

template <class F>
void each_sum(Box& box, F f) {
  for (auto* component : {&box.block, &box.thread})
    for (Linear& sum : *component) f(sum);
}

// A symbol of one value becomes a constant; the later ones move down.
void fold_points(Box& box) {
  for (std::uint32_t i = std::uint32_t(box.symbols.size()); i-- > 0;) {
    const LaunchSymbol& s = box.symbols[i];
    if (s.low != s.high) continue;
    each_sum(box, [&](Linear& sum) {
      for (auto& p : sum.parts)
        if (p.symbol == i) sum.constant += p.factor * s.low;
      std::erase_if(sum.parts, [&](const sym::FormPart& p) { return p.symbol == i; });
      for (auto& p : sum.parts) p.symbol -= p.symbol > i;
    });
    box.symbols.erase(box.symbols.begin() + i);
  }
}

Box narrowed(Box box, std::uint32_t symbol, std::int64_t low, std::int64_t high) {
  box.symbols[symbol].low = low, box.symbols[symbol].high = high;
  fold_points(box);
  return box;
}

// The symbol, whose range is [divisor * first, divisor * last + divisor - 1], as divisor * quotient + rest.
Box divided(Box box, std::uint32_t symbol, std::int64_t divisor, std::int64_t first, std::int64_t last) {
  const std::uint32_t rest = std::uint32_t(box.symbols.size());
  const std::string name = box.symbols[symbol].name;
  box.symbols.push_back({name + "%" + std::to_string(divisor), 0, divisor - 1});
  box.symbols[symbol] = {name + "/" + std::to_string(divisor), first, last};
  each_sum(box, [&](Linear& sum) {
    for (std::size_t i = 0; i < sum.parts.size(); ++i)
      if (sum.parts[i].symbol == symbol) {
        sum.parts.push_back({rest, sum.parts[i].factor});
        sum.parts[i].factor *= divisor;
        break;
      }
  });
  fold_points(box);
  return box;
}

}  // namespace

std::uint64_t Box::units() const {
  std::uint64_t n = 1;
  for (const LaunchSymbol& s : symbols) n *= std::uint64_t(s.high - s.low + 1);
  return n;
}

Box all_blocks(const sym::Shape& shape) {
  Box box;
  for (unsigned c = 0; c < 3; ++c) add_component(box, box.block[c], std::string("ctaid.") + "xyz"[c], shape.grid[c]);
  return box;
}

Box all_threads(const sym::Shape& shape) {
  Box box = all_blocks(shape);
  for (unsigned c = 0; c < 3; ++c) add_component(box, box.thread[c], std::string("tid.") + "xyz"[c], shape.block[c]);
  return box;
}

std::vector<Box> apart(const Box& box, const Cut& cut) {
  std::vector<Box> out;
  if (cut.symbol >= box.symbols.size()) return out;
  const LaunchSymbol& s = box.symbols[cut.symbol];
  if (cut.kind == Cut::Kind::split) {
    if (cut.at <= s.low || cut.at > s.high) return out;
    out.push_back(narrowed(box, cut.symbol, s.low, cut.at - 1));
    out.push_back(narrowed(box, cut.symbol, cut.at, s.high));
    return out;
  }
  const std::int64_t d = cut.at;
  if (d < 2 || s.low < 0 || s.high - s.low < d) return out;
  const std::int64_t first = (s.low + d - 1) / d, last = (s.high + 1) / d - 1;  // whole quotients
  if (first > last) {  // none: the range is taken apart where the quotient changes
    out.push_back(narrowed(box, cut.symbol, s.low, first * d - 1));
    out.push_back(narrowed(box, cut.symbol, first * d, s.high));
    return out;
  }
  if (s.low < first * d) out.push_back(narrowed(box, cut.symbol, s.low, first * d - 1));
  out.push_back(divided(box, cut.symbol, d, first, last));
  if (s.high > last * d + d - 1) out.push_back(narrowed(box, cut.symbol, (last + 1) * d, s.high));
  return out;
}

sym::Value value_of(const Linear& sum, sym::Forms& forms, unsigned width) {
  sym::Form form;
  form.parts = sum.parts;
  std::sort(form.parts.begin(), form.parts.end());
  return {std::uint64_t(sum.constant) & sym::mask(width), forms.make(std::move(form), width), width};
}

Unit unit_at(const Box& box, const std::vector<std::int64_t>& symbols) {
  const auto at = [&](const Linear& sum) {
    std::int64_t v = sum.constant;
    for (const auto& p : sum.parts) v += p.factor * symbols[p.symbol];
    return std::uint32_t(v);
  };
  Unit u;
  for (unsigned c = 0; c < 3; ++c) u.block[c] = at(box.block[c]), u.thread[c] = at(box.thread[c]);
  return u;
}

std::vector<std::int64_t> corner(const Box& box) {
  std::vector<std::int64_t> out;
  for (const LaunchSymbol& s : box.symbols) out.push_back(s.low);
  return out;
}

BoxOrder order_of(const Box& box) {
  const auto least = [&](const Linear& sum) {
    std::int64_t v = sum.constant;
    for (const auto& [symbol, factor] : sum.parts)
      v += factor * (factor < 0 ? box.symbols[symbol].high : box.symbols[symbol].low);
    return v;
  };
  return {least(box.block[2]),  least(box.block[1]),  least(box.block[0]),
          least(box.thread[2]), least(box.thread[1]), least(box.thread[0])};
}

}  // namespace ptxeq::check
