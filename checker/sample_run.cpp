#include "checker/sample_run.h"

#include <algorithm>
#include <cmath>

// GCC compiles the loops over a block once for each of these targets and chooses when the program is loaded; not under
// the address sanitizer, which is not there yet at that time.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define PTXEQ_VECTORISED \
  [[gnu::optimize("O3"), gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), gnu::flatten]]
#else
#define PTXEQ_VECTORISED
#endif

namespace ptxeq::check {
namespace {

using sym::Attr;
using sym::mask;
using sym::Op;
using sym::sign_extend;

struct Rows {
  u64* out;
  const u64 *a, *b, *c;
  unsigned lanes;
};

// Loops over a block; inlined into run_one so that they are compiled for each of its targets.
template <class F>
[[gnu::always_inline]] inline void each1(const Rows& r, F f) {
  for (unsigned i = 0; i < r.lanes; ++i) r.out[i] = f(r.a[i]);
}
template <class F>
[[gnu::always_inline]] inline void each2(const Rows& r, F f) {
  for (unsigned i = 0; i < r.lanes; ++i) r.out[i] = f(r.a[i], r.b[i]);
}

float f32(u64 v) { return std::bit_cast<float>(u32(v)); }
u64 bits(float v) { return std::bit_cast<u32>(v); }
u64 magnitude(u64 v) { return v & 0x7fffffff; }
constexpr u64 f32_min_normal = 0x00800000, f32_nan = 0x7fffffff;

u64 pseudo_random(u64 tag, u64 a, u64 b) {
  u64 h = tag * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull;
  for (const u64 v : {a, b, u64(0)}) h = (h ^ v ^ h >> 31) * 0xd6e8feb86659fd93ull;
  return h ^ h >> 32;
}

// Host arithmetic for f32 in round-to-nearest. False: not an operation that it computes.
// With .ftz a result at or below the least normal number is left to `exact`, which knows what was tiny before rounding.
template <class Exact>
bool run_f32(Op op, Attr attr, const Rows& r, Exact exact) {
  if (attr.rounding != sym::Rounding::rn || attr.sat || attr.relu) return false;
  const auto flush = [&](u64 v) { return attr.ftz && magnitude(v) < f32_min_normal ? v & 0x80000000 : v; };
  // Loops without calls, so that they vectorise; what .ftz may have to flush is looked at afterwards.
  const auto all = [&](auto f) {
    for (unsigned i = 0; i < r.lanes; ++i) {
      const float v = f(i);
      r.out[i] = v != v ? f32_nan : bits(v);
    }
    if (!attr.ftz) return true;
    for (unsigned i = 0; i < r.lanes; ++i)
      if (magnitude(r.out[i]) <= f32_min_normal) r.out[i] = exact(i);
    return true;
  };
  const auto x = [&](unsigned i) { return f32(flush(r.a[i])); };
  const auto y = [&](unsigned i) { return f32(flush(r.b[i])); };
  const auto z = [&](unsigned i) { return f32(flush(r.c[i])); };
  switch (op) {
    case Op::fadd:
      return all([&](unsigned i) { return x(i) + y(i); });
    case Op::fsub:
      return all([&](unsigned i) { return x(i) - y(i); });
    case Op::fmul:
      return all([&](unsigned i) { return x(i) * y(i); });
    case Op::fdiv:
      return all([&](unsigned i) { return x(i) / y(i); });
    case Op::fma:
      return all([&](unsigned i) { return std::fma(x(i), y(i), z(i)); });
    case Op::fsqrt:
      return all([&](unsigned i) { return std::sqrt(x(i)); });
    case Op::fneg:
      each1(r, [&](u64 a) { return magnitude(a) > 0x7f800000 ? f32_nan : flush(a) ^ 0x80000000; });
      return true;
    case Op::fabs:
      each1(r, [&](u64 a) { return magnitude(a) > 0x7f800000 ? f32_nan : magnitude(flush(a)); });
      return true;
    default:
      return false;
  }
}
bool compare_f32(Op op, Attr attr, const Rows& r) {
  if (attr.ftz) return false;
  switch (op) {
    case Op::feq:
      each2(r, [](u64 a, u64 b) { return f32(a) == f32(b); });
      return true;
    case Op::flt:
      each2(r, [](u64 a, u64 b) { return f32(a) < f32(b); });
      return true;
    case Op::fle:
      each2(r, [](u64 a, u64 b) { return f32(a) <= f32(b); });
      return true;
    case Op::fisnan:
      each1(r, [](u64 a) { return magnitude(a) > 0x7f800000; });
      return true;
    default:
      return false;
  }
}

// f64 in round-to-nearest, but NaNs: `exact` knows whose payload they carry.
template <class Exact>
bool run_f64(Op op, Attr attr, const Rows& r, Exact exact) {
  if (attr.rounding != sym::Rounding::rn || attr.sat || attr.relu || attr.ftz) return false;
  const auto f64 = [](u64 v) { return std::bit_cast<double>(v); };
  const auto all = [&](auto f) {
    for (unsigned i = 0; i < r.lanes; ++i) {
      const double v = f(i);
      r.out[i] = v != v ? exact(i) : std::bit_cast<u64>(v);
    }
    return true;
  };
  switch (op) {
    case Op::fadd:
      return all([&](unsigned i) { return f64(r.a[i]) + f64(r.b[i]); });
    case Op::fsub:
      return all([&](unsigned i) { return f64(r.a[i]) - f64(r.b[i]); });
    case Op::fmul:
      return all([&](unsigned i) { return f64(r.a[i]) * f64(r.b[i]); });
    case Op::fdiv:
      return all([&](unsigned i) { return f64(r.a[i]) / f64(r.b[i]); });
    case Op::fma:
      return all([&](unsigned i) { return std::fma(f64(r.a[i]), f64(r.b[i]), f64(r.c[i])); });
    case Op::fsqrt:
      return all([&](unsigned i) { return std::sqrt(f64(r.a[i])); });
    default:
      return false;
  }
}

// Conversions between f32 and integers of up to 32 bits or f64 that the host does in one exact or rounded step.
template <class Exact>
bool convert(Op op, Attr attr, unsigned width, unsigned from, const Rows& r, Exact exact) {
  const bool nearest = attr.rounding == sym::Rounding::rn;
  if (attr.ftz || attr.sat || attr.relu) return false;
  if (op == Op::itof && nearest && width == 32 && from <= 32) {
    each1(r, [&](u64 a) { return bits(float(attr.flag ? sign_extend(a, from) : sym::i64(a))); });
    return true;
  }
  if (op == Op::ftoi && from == 32 && width == 32 && (nearest || attr.rounding == sym::Rounding::rz)) {
    const float least = attr.flag ? -0x1p31f : 0.0f, limit = attr.flag ? 0x1p31f : 0x1p32f;
    for (unsigned i = 0; i < r.lanes; ++i) {
      const float v = f32(r.a[i]);
      if (v >= least && v < limit)
        r.out[i] = u64(nearest ? std::llrint(v) : static_cast<long long>(v)) & mask(32);
      else
        r.out[i] = exact(i);
    }
    return true;
  }
  if (op == Op::fround && from == 32 && width == 64) {
    for (unsigned i = 0; i < r.lanes; ++i) {
      const double v = f32(r.a[i]);
      r.out[i] = v != v ? exact(i) : std::bit_cast<u64>(v);
    }
    return true;
  }
  if (op == Op::fround && from == 64 && width == 32 && nearest) {
    for (unsigned i = 0; i < r.lanes; ++i) {
      const float v = float(std::bit_cast<double>(r.a[i]));
      r.out[i] = v != v ? exact(i) : bits(v);
    }
    return true;
  }
  return false;
}

bool run_float(const Instruction& n, unsigned from, const Rows& r) {
  const Attr attr = Attr::unpack(n.attr);
  const auto exact = [&](unsigned i) { return sym::apply(n.op, n.attr, n.width, from, r.a[i], r.b[i], r.c[i]); };
  if (n.op == Op::fround || n.op == Op::ftoi || n.op == Op::itof) return convert(n.op, attr, n.width, from, r, exact);
  if (from == 64) return run_f64(n.op, attr, r, exact);
  if (from != 32) return false;
  return n.width == 1 ? compare_f32(n.op, attr, r) : run_f32(n.op, attr, r, exact);
}

// Of numbers below 2^32: a / b is nearer to its floor than a double's rounding could carry it, unless it is whole.
u64 quotient(u64 a, u64 b) { return u64(sym::i64(double(sym::i64(a)) / double(sym::i64(b ? b : 1)))); }

bool run_integer(const Instruction& n, unsigned wa, const Rows& r) {
  const u64 m = mask(n.width);
  const unsigned w = n.width;
  switch (n.op) {
    case Op::add:
      each2(r, [m](u64 a, u64 b) { return (a + b) & m; });
      return true;
    case Op::mul:
      each2(r, [m](u64 a, u64 b) { return (a * b) & m; });
      return true;
    case Op::neg:
      each1(r, [m](u64 a) { return -a & m; });
      return true;
    case Op::and_:
      each2(r, [](u64 a, u64 b) { return a & b; });
      return true;
    case Op::or_:
      each2(r, [](u64 a, u64 b) { return a | b; });
      return true;
    case Op::xor_:
      each2(r, [](u64 a, u64 b) { return a ^ b; });
      return true;
    case Op::not_:
      each1(r, [m](u64 a) { return ~a & m; });
      return true;
    case Op::shl:
      each2(r, [m, w](u64 a, u64 b) { return b >= w ? 0 : (a << b) & m; });
      return true;
    case Op::lshr:
      each2(r, [w](u64 a, u64 b) { return b >= w ? 0 : a >> b; });
      return true;
    case Op::eq:
      each2(r, [](u64 a, u64 b) { return u64(a == b); });
      return true;
    case Op::ult:
      each2(r, [](u64 a, u64 b) { return u64(a < b); });
      return true;
    case Op::ule:
      each2(r, [](u64 a, u64 b) { return u64(a <= b); });
      return true;
    case Op::slt:
      each2(r, [wa](u64 a, u64 b) { return u64(sign_extend(a, wa) < sign_extend(b, wa)); });
      return true;
    case Op::sle:
      each2(r, [wa](u64 a, u64 b) { return u64(sign_extend(a, wa) <= sign_extend(b, wa)); });
      return true;
    case Op::extract:
      each1(r, [m, low = n.b](u64 a) { return a >> low & m; });
      return true;
    case Op::concat:
      each2(r, [k = w - wa](u64 a, u64 b) { return a << k | b; });
      return true;
    case Op::zext:
      each1(r, [m](u64 a) { return a & m; });
      return true;
    case Op::sext:
      each1(r, [m, wa](u64 a) { return u64(sign_extend(a, wa)) & m; });
      return true;
    case Op::ite:
      for (unsigned i = 0; i < r.lanes; ++i) r.out[i] = r.a[i] ? r.b[i] : r.c[i];
      return true;
    case Op::udiv:
      if (w > 32) break;
      each2(r, [m](u64 a, u64 b) { return b ? quotient(a, b) : m; });
      return true;
    case Op::urem:
      if (w > 32) break;
      each2(r, [](u64 a, u64 b) { return b ? a - quotient(a, b) * b : a; });
      return true;
    default:
      break;
  }
  return false;
}

PTXEQ_VECTORISED void run_one(const Instruction& n, unsigned wa, const Rows& r) {
  if (n.op == Op::approx) {
    for (unsigned i = 0; i < r.lanes; ++i)
      r.out[i] = pseudo_random(n.c, r.a[i], n.b == no_slot ? 0 : r.b[i]) & mask(n.width);
    return;
  }
  if (sym::is_float(n.op) ? run_float(n, wa, r) : run_integer(n, wa, r)) return;
  for (unsigned i = 0; i < r.lanes; ++i) r.out[i] = sym::apply(n.op, n.attr, n.width, wa, r.a[i], r.b[i], r.c[i]);
}

unsigned lanes_for(std::size_t instructions, unsigned most) {
  constexpr std::size_t words = 1 << 19;  // what a block may hold: 4 MiB
  return unsigned(std::clamp<std::size_t>(words / std::max<std::size_t>(instructions, 1), 1, most));
}

}  // namespace

Runner::Runner(const Shape& shape, unsigned most_lanes)
    : shape_(shape),
      lanes_(lanes_for(shape.code.size(), most_lanes)),
      values_(shape.code.size() * lanes_),
      leaf_slot_(shape.leaves.size(), no_slot) {
  for (u32 slot = 0; slot < shape.code.size(); ++slot) {
    const Instruction& n = shape.code[slot];
    if (n.op == Op::leaf) leaf_slot_[n.a] = slot;
    if (n.op == Op::constant) std::fill_n(row(slot), lanes_, constant_bits(n));
  }
}

void Runner::run() {
  for (u32 slot = 0; slot < shape_.code.size(); ++slot) {
    const Instruction& n = shape_.code[slot];
    if (n.op == Op::constant || n.op == Op::leaf) continue;
    const auto in = operands(n);
    const auto source = [&](u32 s) { return s == no_slot ? row(in[0]) : row(s); };
    run_one(n, shape_.code[in[0]].width, {row(slot), row(in[0]), source(in[1]), source(in[2]), lanes_});
  }
}

}  // namespace ptxeq::check
