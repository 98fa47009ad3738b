#include "checker/sample.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace ptxeq::check {
namespace {

using sym::Format;
using sym::i64;
using sym::mask;

std::optional<Format> format_of(const LeafDomain& domain, unsigned width) {
  if (!domain.floating || width < 16) return std::nullopt;
  return sym::format_of(width, domain.bf16);
}

u64 width_of(Format format) { return format == Format::f64 ? 64 : format == Format::f32 ? 32 : 16; }
u64 to_double_bits(Format format, u64 bits) {
  sym::Attr attr;
  attr.bf16 = format == Format::bf16;
  return format == Format::f64 ? bits : sym::float_round(attr, unsigned(width_of(format)), 64, bits);
}
double to_double(Format format, u64 bits) { return std::bit_cast<double>(to_double_bits(format, bits)); }
u64 from_double(Format format, double value) {
  sym::Attr attr;
  attr.flag = format == Format::bf16;
  const u64 bits = std::bit_cast<u64>(value);
  return format == Format::f64 ? bits : sym::float_round(attr, 64, unsigned(width_of(format)), bits);
}

// Fraction bits of a format, the hidden one not among them.
unsigned fraction_bits(Format format) {
  constexpr std::array<unsigned, 4> bits = {10, 7, 23, 52};
  return bits[std::size_t(format)];
}

std::vector<u64> float_edges(Format format) {
  const unsigned fraction = fraction_bits(format);
  const u64 sign = u64(1) << (width_of(format) - 1), infinity = sign - (u64(1) << fraction);
  const u64 one = from_double(format, 1.0), quiet = u64(1) << (fraction - 1);
  const double ulp = std::ldexp(1.0, -int(fraction));
  std::vector<u64> out = {0,
                          one,
                          infinity,
                          infinity | quiet,
                          infinity | quiet | 1,
                          infinity | 1,
                          sign - 1,
                          one + 1,
                          one - 1,
                          1,
                          3,
                          (u64(1) << fraction) - 1,
                          u64(1) << fraction,
                          (u64(1) << fraction) + 1,
                          infinity - 1,
                          infinity - 2,
                          infinity - (u64(1) << fraction)};
  // Halfway pairs with 1 and around it, halves that round to even, and numbers at which integers stop being exact.
  for (const double v : {ulp,         ulp / 2, ulp / 4, ulp * 1.5, 0.5,     1.5,     2.0,          2.5,
                         3.0,         10.0,    0.1,     1 / 3.0,   127.0,   255.5,   1 / ulp,      2 / ulp,
                         1 / ulp + 1, 0x1p31,  0x1p32,  0x1p63,    1 - ulp, 1 + ulp, 1.0 + ulp * 3})
    out.push_back(from_double(format, v));
  const std::size_t positive = out.size();
  for (std::size_t i = 0; i < positive; ++i) out.push_back(out[i] | sign);
  return out;
}

std::vector<u64> integer_edges(unsigned width) {
  const u64 m = mask(width), sign = u64(1) << (width - 1);
  std::vector<u64> out = {0,  1,  m,  sign, sign - 1, sign + 1, m - 1, 2,   3,   5,  7,
                          10, 31, 32, 33,   63,       64,       65,    100, 255, 256};
  for (unsigned k = 0; k < width; ++k)
    for (const u64 v : {u64(1) << k, (u64(1) << k) - 1, -(u64(1) << k)}) out.push_back(v);
  for (u64& v : out) v &= m;
  return out;
}

void append(std::vector<u64>& to, const std::vector<u64>& from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

bool admits(const LeafDomain& domain, unsigned width, u64 bits) {
  if (const auto format = format_of(domain, width)) {
    if (!domain.finite && !domain.values) return true;
    const double v = to_double(*format, bits);
    if (domain.finite && !std::isfinite(v)) return false;
    return !domain.values || ((*domain.values)[0] <= v && v <= (*domain.values)[1]);
  }
  const i64 v = domain.is_signed ? sym::sign_extend(bits, width) : i64(bits);
  if (domain.integers) {
    const auto [low, high] = *domain.integers;
    if (v < low || v > high) return false;
    // An unsigned 64-bit value past the largest signed one is past every bound.
    if (!domain.is_signed && v < 0) return false;
  }
  return domain.multiple_of <= 1 ||
         (domain.is_signed ? v % i64(domain.multiple_of) == 0 : bits % domain.multiple_of == 0);
}

namespace {

// The least magnitude in [0, end) at which `holds`, which stays true from there on.
template <class Predicate>
u64 first_where(u64 end, Predicate holds) {
  u64 low = 0, high = end;
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if (holds(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// The positive and the negative numbers of a range: each a run of bit patterns, since magnitudes are ordered.
std::vector<Progression> float_progressions(const LeafDomain& domain, Format format) {
  const u64 sign = u64(1) << (width_of(format) - 1), infinity = sign - (u64(1) << fraction_bits(format));
  const auto [low, high] = domain.values.value_or(std::array{-HUGE_VAL, HUGE_VAL});
  const u64 end = domain.finite ? infinity : infinity + 1;
  std::vector<Progression> out;
  for (const bool negative : {false, true}) {
    const double least = negative ? -high : low, most = negative ? -low : high;
    const u64 first = first_where(end, [&](u64 m) { return to_double(format, m) >= least; });
    const u64 past = first_where(end, [&](u64 m) { return to_double(format, m) > most; });
    if (first < past) out.push_back({first | (negative ? sign : 0), 1, past - first});
  }
  return out;
}

}  // namespace

Progression any_value(unsigned width) { return {0, 1, width >= 64 ? 0 : u64(1) << width}; }

std::optional<std::vector<Progression>> progressions(const LeafDomain& domain, unsigned width) {
  using Runs = std::vector<Progression>;
  if (const auto format = format_of(domain, width)) {
    if (domain.finite || domain.values) return float_progressions(domain, *format);
    return Runs{any_value(width)};
  }
  const u64 step = std::max<u64>(domain.multiple_of, 1);
  if (!domain.integers) {
    if (step == 1) return Runs{any_value(width)};
    if (domain.is_signed) return std::nullopt;
    return Runs{{0, step, mask(width) / step + 1}};
  }
  auto [low, high] = *domain.integers;
  if (domain.is_signed) {
    low = std::max(low, sym::sign_extend(u64(1) << (width - 1), width));
    high = std::min(high, i64(mask(width - 1)));
  } else {
    low = std::max<i64>(low, 0);
    if (width < 64) high = std::min(high, i64(mask(width)));
  }
  if (step > u64(1) << 62) return std::nullopt;
  const i64 s = i64(step), remainder = ((low % s) + s) % s;
  if (low > high || (remainder != 0 && high - s < low - remainder)) return Runs{};
  if (remainder != 0) low += s - remainder;
  return Runs{{u64(low) & mask(width), step, (u64(high) - u64(low)) / step + 1}};
}

Sampler::Sampler(const Shape& shape, u64 seed) : shape_(shape), random_(seed) {
  std::vector<std::pair<unsigned, int>> seen;
  for (const ShapeLeaf& leaf : shape.leaves) {
    const auto format = format_of(leaf.domain, leaf.width);
    const std::pair<unsigned, int> key{leaf.width, format ? int(*format) : leaf.domain.width ? -1 : -2};
    const auto at = std::find(seen.begin(), seen.end(), key);
    kind_of_.push_back(u32(at - seen.begin()));
    if (at != seen.end()) continue;
    seen.push_back(key);
    Kind kind;
    if (format) {
      kind.edges = float_edges(*format);
      for (const double v : {0.0, 1.0, 2.0, 3.0, -1.0, 0.5}) kind.small.push_back(from_double(*format, v));
    } else {
      kind.edges = integer_edges(leaf.width);
      for (const u64 v : {0, 1, 2, 3, 4, 5, 6, 7}) kind.small.push_back(v & mask(leaf.width));
      // Of an unknown type: it may be a float as well.
      if (!leaf.domain.width && leaf.width == 64) append(kind.edges, float_edges(Format::f64));
      if (!leaf.domain.width && leaf.width == 32) append(kind.edges, float_edges(Format::f32));
      if (!leaf.domain.width && leaf.width == 16) append(kind.edges, float_edges(Format::f16));
    }
    // What the terms compare with, and its neighbours.
    for (const Instruction& i : shape.code)
      if (i.op == sym::Op::constant && i.width == leaf.width && kind.edges.size() < 4096)
        for (const u64 d : {u64(0), u64(1), ~u64(0)}) kind.edges.push_back((constant_bits(i) + d) & mask(i.width));
    kinds_.push_back(std::move(kind));
  }
}

std::optional<u64> Sampler::fit(u32 leaf, u64 bits) {
  const ShapeLeaf& l = shape_.leaves[leaf];
  bits &= mask(l.width);
  if (admits(l.domain, l.width, bits)) return bits;
  if (!l.domain.floating) {
    const auto runs = progressions(l.domain, l.width);
    if (!runs || runs->empty()) return std::nullopt;
    const Progression& run = runs->front();
    return (run.first + (run.count ? bits % run.count : bits) * run.step) & mask(l.width);
  }
  const auto format = format_of(l.domain, l.width);
  const std::array<double, 2> range = l.domain.values.value_or(std::array{-1.0, 1.0});
  const auto at = [&](double t) { return format ? from_double(*format, range[0] * (1 - t) + range[1] * t) : bits; };
  for (const double t : {double(bits % 1024) / 1023, double(random_.below(1u << 30)) * 0x1p-30, 0.5, 0.0, 1.0})
    if (const u64 v = at(t); admits(l.domain, l.width, v)) return v;
  for (int i = 0; i < 64; ++i)
    if (const u64 v = random_.next() & mask(l.width); admits(l.domain, l.width, v)) return v;
  return std::nullopt;
}

u64 Sampler::pick(u32 leaf, unsigned strategy, u64 shared) {
  const Kind& kind = kinds_[kind_of_[leaf]];
  const auto edge = [&](u64 k) { return kind.edges[k % kind.edges.size()]; };
  const auto small = [&](u64 k) { return kind.small[k % kind.small.size()]; };
  switch (strategy) {
    case 0:
      return edge(shared);  // one edge value everywhere
    case 1:
      return edge(random_.next());  // independent edge values
    case 2:
      return small(random_.next());  // small numbers
    case 3:
      return random_.next();  // any bits
    case 4:
      return random_.below(2) ? edge(shared) : small(shared + random_.below(3));
    case 5:
      return shared * 0x9e3779b97f4a7c15ull + random_.below(3) - 1;  // nearly equal values
    case 6:
      return random_.below(4) ? small(random_.next()) : edge(random_.next());
    default: {  // a float of moderate size, or an integer of any length
      const auto format = format_of(shape_.leaves[leaf].domain, shape_.leaves[leaf].width);
      const u64 r = random_.next();
      if (!format) return r >> r % 64;
      return from_double(*format, std::ldexp(double(i64(r)), int(r % 8) - 64));
    }
  }
}

bool Sampler::next(std::vector<u64>& leaves) {
  const unsigned strategy = unsigned(number_ % 8);
  const u64 shared = number_ / 8;
  ++number_;
  leaves.resize(shape_.leaves.size());
  for (u32 i = 0; i < leaves.size(); ++i) {
    const auto value = fit(i, pick(i, strategy, shared));
    if (!value) return false;
    leaves[i] = *value;
  }
  return true;
}

}  // namespace ptxeq::check
