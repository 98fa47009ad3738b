// Floating-point operations on concrete bits, as NVIDIA hardware computes them.
#include <optional>

#include "symbolic/float_exact.h"
#include "symbolic/float_fast.h"

namespace ptxeq::sym {
namespace {

bool is_f64(const Layout& f) { return f.precision == 53; }

// What an operation without a NaN operand gives when it has no number to give.
u64 invalid(const Layout& f) { return is_f64(f) ? 0xfff8'0000'0000'0000 : f.sign() - 1; }
// The result where operand `v` is a NaN: f64 passes its payload on.
u64 propagate(const Layout& f, u64 v) { return is_f64(f) ? v | f.quiet_bit() : f.sign() - 1; }
// Of two operands, at least one a NaN.
u64 propagate(const Layout& f, u64 preferred, u64 other) {
  return propagate(f, is_nan(f, preferred) ? preferred : other);
}

u64 flush(Attr attr, const Layout& f, u64 v) { return attr.ftz && magnitude(f, v) < f.min_normal() ? v & f.sign() : v; }

// .sat and .relu on a rounded result.
u64 clamp(Attr attr, const Layout& f, u64 v) {
  if (attr.sat) {
    if (is_nan(f, v) || is_negative(f, v)) return 0;
    return v > f.one() ? f.one() : v;
  }
  if (attr.relu && !is_nan(f, v) && is_negative(f, v)) return 0;
  return v;
}

u64 finish(Attr attr, const Layout& f, const Exact& x) {
  const u64 rounded = round(f, x, attr.rounding);
  return clamp(attr, f, attr.ftz && is_tiny(f, x, attr.rounding) ? rounded & f.sign() : rounded);
}

// x + y, where an exact zero takes its sign from the rounding mode.
Exact sum_signed(const Exact& x, const Exact& y, Rounding mode) {
  Exact r = sum(x, y);
  if (r.significand == 0) r.negative = x.negative == y.negative ? x.negative : mode == Rounding::rm;
  return r;
}

u64 add(Attr attr, const Layout& f, u64 a, u64 b) {
  if (is_nan(f, a) || is_nan(f, b)) return clamp(attr, f, propagate(f, b, a));
  if (is_infinite(f, a) && is_infinite(f, b) && a != b) return clamp(attr, f, invalid(f));
  if (is_infinite(f, a)) return clamp(attr, f, a);
  if (is_infinite(f, b)) return clamp(attr, f, b);
  return finish(attr, f, sum_signed(unpack(f, a), unpack(f, b), attr.rounding));
}

u64 mul(Attr attr, const Layout& f, u64 a, u64 b) {
  const u64 sign = (a ^ b) & f.sign();
  if (is_nan(f, a) || is_nan(f, b)) return clamp(attr, f, propagate(f, b, a));
  if (is_infinite(f, a) || is_infinite(f, b))
    return clamp(attr, f, is_zero(f, a) || is_zero(f, b) ? invalid(f) : sign | f.infinity());
  return finish(attr, f, product(unpack(f, a), unpack(f, b)));
}

u64 div(Attr attr, const Layout& f, u64 a, u64 b) {
  const u64 sign = (a ^ b) & f.sign();
  if (is_nan(f, a) || is_nan(f, b)) return clamp(attr, f, propagate(f, a, b));
  if ((is_infinite(f, a) && is_infinite(f, b)) || (is_zero(f, a) && is_zero(f, b))) return clamp(attr, f, invalid(f));
  if (is_infinite(f, a) || is_zero(f, b)) return clamp(attr, f, sign | f.infinity());
  if (is_infinite(f, b)) return clamp(attr, f, sign);
  return finish(attr, f, quotient(unpack(f, a), unpack(f, b)));
}

// Key that orders all but NaNs, -0 below +0.
i64 order(const Layout& f, u64 v) { return is_negative(f, v) ? -i64(magnitude(f, v)) - 1 : i64(v); }

u64 min_or_max(Attr attr, const Layout& f, u64 a, u64 b, bool max) {
  if (is_nan(f, a) || is_nan(f, b)) {
    if (attr.flag || (is_nan(f, a) && is_nan(f, b))) return propagate(f, b, a);
    return is_nan(f, a) ? b : a;
  }
  return (order(f, a) < order(f, b)) == max ? b : a;
}

// What the host's unit computes to nearest, unless it is a NaN or .ftz may have to flush it: a result that only the
// coarser rounding of subnormal numbers brings to the smallest normal one is flushed.
template <class F, class... V>
std::optional<u64> on_host(Attr attr, unsigned width, F f, V... v) {
  if (attr.rounding != Rounding::rn || width < 32) return {};
  const Layout& l = layout_of(width, false);
  u64 r = 0;
  if (!(width == 32 ? host_result<float>(f, r, v...) : host_result<double>(f, r, v...))) return {};
  if (attr.ftz && !is_zero(l, r) && magnitude(l, r) <= l.min_normal()) return {};
  return clamp(attr, l, r);
}

std::optional<u64> binary_on_host(Op op, Attr attr, unsigned width, u64 a, u64 b) {
  switch (op) {
    case Op::fadd:
      return on_host(attr, width, [](auto x, auto y) { return x + y; }, a, b);
    case Op::fsub:
      return on_host(attr, width, [](auto x, auto y) { return x - y; }, a, b);
    case Op::fmul:
      return on_host(attr, width, [](auto x, auto y) { return x * y; }, a, b);
    case Op::fdiv:
      return on_host(attr, width, [](auto x, auto y) { return x / y; }, a, b);
    default:
      return {};
  }
}

}  // namespace

u64 float_binary(Op op, Attr attr, unsigned width, u64 a, u64 b) {
  const Layout& f = layout_of(width, attr.bf16);
  a = flush(attr, f, a), b = flush(attr, f, b);
  if (const auto r = binary_on_host(op, attr, width, a, b)) return *r;
  switch (op) {
    case Op::fadd:
      return add(attr, f, a, b);
    case Op::fsub:
      return add(attr, f, a, is_nan(f, b) ? b : b ^ f.sign());
    case Op::fmul:
      return mul(attr, f, a, b);
    case Op::fdiv:
      return div(attr, f, a, b);
    case Op::fmin:
      return clamp(attr, f, min_or_max(attr, f, a, b, false));
    default:
      return clamp(attr, f, min_or_max(attr, f, a, b, true));
  }
}

u64 float_fma(Attr attr, unsigned width, u64 a, u64 b, u64 c) {
  const Layout& f = layout_of(width, attr.bf16);
  a = flush(attr, f, a), b = flush(attr, f, b), c = flush(attr, f, c);
  const auto host_fma = [](auto x, auto y, auto z) { return std::fma(x, y, z); };
  if (const auto r = on_host(attr, width, host_fma, a, b, c)) return *r;
  // Of several NaNs f64 passes on b's, then c's.
  if (is_nan(f, b)) return clamp(attr, f, propagate(f, b));
  if (is_nan(f, c) || is_nan(f, a)) return clamp(attr, f, propagate(f, c, a));
  const u64 sign = (a ^ b) & f.sign();
  if (is_infinite(f, a) || is_infinite(f, b)) {
    const bool no_number = is_zero(f, a) || is_zero(f, b) || (is_infinite(f, c) && (c & f.sign()) != sign);
    return clamp(attr, f, no_number ? invalid(f) : sign | f.infinity());
  }
  if (is_infinite(f, c)) return clamp(attr, f, c);
  return finish(attr, f, sum_signed(product(unpack(f, a), unpack(f, b)), unpack(f, c), attr.rounding));
}

u64 float_unary(Op op, Attr attr, unsigned width, u64 a) {
  const Layout& f = layout_of(width, attr.bf16);
  a = flush(attr, f, a);
  if (op == Op::fneg || op == Op::fabs) {
    if (is_nan(f, a)) return propagate(f, a);  // its sign stays
    return op == Op::fneg ? a ^ f.sign() : magnitude(f, a);
  }
  if (is_nan(f, a)) return clamp(attr, f, propagate(f, a));
  if (op == Op::fsqrt) {
    if (const auto r = on_host(attr, width, [](auto x) { return std::sqrt(x); }, a)) return *r;
    if (is_zero(f, a)) return clamp(attr, f, a);
    if (is_negative(f, a)) return clamp(attr, f, invalid(f));
    return is_infinite(f, a) ? clamp(attr, f, a) : finish(attr, f, root(unpack(f, a)));
  }
  return is_infinite(f, a) ? clamp(attr, f, a) : finish(attr, f, integral(unpack(f, a), attr.rounding));  // frint
}

bool float_compare(Op op, Attr attr, unsigned width, u64 a, u64 b) {
  const Layout& f = layout_of(width, attr.bf16);
  if (op == Op::fisnan) return is_nan(f, a);
  if (is_nan(f, a) || is_nan(f, b)) return false;
  a = flush(attr, f, a), b = flush(attr, f, b);
  if (is_zero(f, a) && is_zero(f, b)) return op != Op::flt;
  const i64 x = order(f, a), y = order(f, b);
  return op == Op::feq ? x == y : op == Op::flt ? x < y : x <= y;
}

namespace {

// f64 exchanges payloads with every format, bf16 is the upper half of an f32; all else is canonical, and so is what
// went through an f32 addition to be flushed.
u64 convert_nan(Attr attr, unsigned from, unsigned to, u64 a) {
  const Layout& source = layout_of(from, attr.bf16);
  const Layout& target = layout_of(to, attr.flag);
  if (from == 16 && attr.bf16 && to == 32 && !attr.ftz) return a << 16;
  if (from != 64 && to != 64) return target.sign() - 1;
  if (attr.ftz && from == 32) a = propagate(source, a);
  const u64 sign = is_negative(source, a) ? target.sign() : 0;
  const u64 payload = a & (source.min_normal() - 1);
  const int up = target.precision - source.precision;
  return sign | target.infinity() | target.quiet_bit() | (up > 0 ? payload << up : payload >> -up);
}

}  // namespace

// .ftz is about f32: f16 and f64 subnormals stay.
u64 float_round(Attr attr, unsigned from, unsigned to, u64 a) {
  const Layout& source = layout_of(from, attr.bf16);
  const Layout& target = layout_of(to, attr.flag);
  Attr result = attr;
  result.ftz = attr.ftz && to == 32;
  if (attr.ftz && from == 32) a = flush(attr, source, a);
  const u64 sign = is_negative(source, a) ? target.sign() : 0;
  if (is_nan(source, a)) return clamp(result, target, convert_nan(attr, from, to, a));
  if (is_infinite(source, a)) return clamp(result, target, sign | target.infinity());
  return finish(result, target, unpack(source, a));
}

u64 float_to_int(Attr attr, unsigned from, unsigned to, u64 a) {
  const Layout& f = layout_of(from, attr.bf16);
  if (from == 32) a = flush(attr, f, a);
  const bool negative = is_negative(f, a);
  if (is_nan(f, a)) return from == 64 || to == 64 ? u64(1) << (to - 1) : 0;
  const u64 largest = mask(attr.flag ? to - 1 : to), least = attr.flag ? u64(1) << (to - 1) : 0;
  if (is_infinite(f, a)) return negative ? least : largest;
  const Exact x = integral(unpack(f, a), attr.rounding);
  const bool huge = x.exponent + bit_length(x.significand) > 64;
  const u64 v = huge ? 0 : u64(x.significand << x.exponent);
  if (negative) return huge || v > least ? least : -v & mask(to);
  return huge || v > largest ? largest : v;
}

u64 int_to_float(Attr attr, unsigned from, unsigned to, u64 a) {
  const bool negative = attr.flag && (a >> (from - 1) & 1);
  return finish(attr, layout_of(to, attr.bf16), {negative, 0, negative ? 0 - u64(sign_extend(a, from)) : a});
}

}  // namespace ptxeq::sym
