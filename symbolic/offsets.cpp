#include "symbolic/offsets.h"

#include <algorithm>
#include <bit>

#include "symbolic/possible_ones.h"

namespace ptxeq::sym {
namespace {

using Values = std::optional<std::vector<u64>>;

Values tidy(std::vector<u64> v, std::size_t limit) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  if (v.size() > limit) return std::nullopt;
  return v;
}

// Every way to choose from the bits that can be one.
Values subsets(u64 possible, std::size_t limit) {
  if (std::popcount(possible) >= 63 || (u64(1) << std::popcount(possible)) > limit) return std::nullopt;
  std::vector<u64> out;
  u64 v = 0;
  do {
    out.push_back(v);
    v = (v - possible) & possible;
  } while (v != 0);
  return tidy(std::move(out), limit);
}

template <class F>
Values combine(const Values& a, const Values& b, std::size_t limit, F f) {
  if (!a || !b || a->size() * b->size() > limit * 4) return std::nullopt;
  std::vector<u64> out;
  for (const u64 x : *a)
    for (const u64 y : *b) out.push_back(f(x, y));
  return tidy(std::move(out), limit);
}

Values values(const TermStore& store, Term t, std::size_t limit, unsigned depth) {
  const Node& n = store[t];
  if (n.op == Op::constant) return std::vector<u64>{store.constant_bits(t)};
  if (depth == 0) return subsets(possible_ones(store, t), limit);
  const auto of = [&](Term x) { return values(store, x, limit, depth - 1); };
  Values out;
  switch (n.op) {
    case Op::zext:
      return of(n.a);
    case Op::sext: {
      const unsigned inner = store.width(n.a);
      out = of(n.a);
      if (out)
        for (u64& v : *out) v = u64(sign_extend(v, inner)) & mask(n.width);
      return out;
    }
    case Op::ite: {
      const Values x = of(n.b), y = of(n.c);
      if (!x || !y) break;
      std::vector<u64> all = *x;
      all.insert(all.end(), y->begin(), y->end());
      return tidy(std::move(all), limit);
    }
    case Op::add:
      out = combine(of(n.a), of(n.b), limit, [&](u64 x, u64 y) { return (x + y) & mask(n.width); });
      break;
    case Op::mul:
      out = combine(of(n.a), of(n.b), limit, [&](u64 x, u64 y) { return (x * y) & mask(n.width); });
      break;
    case Op::concat:
      out = combine(of(n.a), of(n.b), limit, [&](u64 x, u64 y) { return x << store.width(n.b) | y; });
      break;
    default:
      break;
  }
  return out ? out : subsets(possible_ones(store, t, 8), limit);
}

}  // namespace

std::optional<std::vector<u64>> possible_values(const TermStore& store, Term t, std::size_t limit) {
  return values(store, t, limit, 8);
}

}  // namespace ptxeq::sym
