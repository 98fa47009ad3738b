// Floating-point operations in SMT: arithmetic by the theory of floats, everything about NaNs, signs, flushing and
// order on the bits. Follows symbolic/float.cpp, against which it is tested.
#include "checker/smt_expr.h"
#include "symbolic/float_exact.h"

namespace ptxeq::check::smt {
namespace {

using sym::Attr;
using sym::Layout;
using sym::Op;
using sym::Rounding;
using z3::expr;
using z3::ite;

expr make(z3::context& ctx, Z3_ast ast) {
  ctx.check_error();
  return expr(ctx, ast);
}

// A format, its bit patterns and its sort.
class Float {
 public:
  Float(z3::context& ctx, const Layout& layout) : c(ctx), f(layout), w(layout.width()) {}

  z3::sort sort() const { return c.fpa_sort(w - unsigned(f.precision), unsigned(f.precision)); }
  expr number(u64 bits) const { return constant(c, w, bits); }
  expr value(const expr& bits) const { return make(c, Z3_mk_fpa_to_fp_bv(c, bits, sort())); }
  expr bits(const expr& value) const { return make(c, Z3_mk_fpa_to_ieee_bv(c, value)); }  // of no NaN

  expr magnitude(const expr& v) const { return v & number(f.sign() - 1); }
  expr is_nan(const expr& v) const { return z3::ugt(magnitude(v), number(f.infinity())); }
  expr is_negative(const expr& v) const { return is_set(v.extract(w - 1, w - 1)); }
  expr is_zero(const expr& v) const { return magnitude(v) == number(0); }
  expr is_small(const expr& v) const { return z3::ult(magnitude(v), number(f.min_normal())); }
  expr only_sign(const expr& v) const { return v & number(f.sign()); }
  expr flush(bool ftz, const expr& v) const { return ftz ? ite(is_small(v), only_sign(v), v) : v; }
  // Orders all but NaNs as signed integers, -0 below +0.
  expr order(const expr& v) const { return ite(is_negative(v), ~magnitude(v), v); }

  bool keeps_payload() const { return f.precision == 53; }
  expr invalid() const { return number(keeps_payload() ? 0xfff8'0000'0000'0000 : f.sign() - 1); }
  expr quieted(const expr& v) const { return keeps_payload() ? v | number(f.quiet_bit()) : number(f.sign() - 1); }

  expr clamp(Attr attr, const expr& v) const {
    if (attr.sat) {
      const expr one = number(f.one());
      return ite(is_nan(v) || is_negative(v), number(0), ite(z3::ugt(v, one), one, v));
    }
    if (attr.relu) return ite(!is_nan(v) && is_negative(v), number(0), v);
    return v;
  }

  z3::context& c;
  const Layout& f;
  unsigned w;
};

expr rounding_mode(z3::context& c, Rounding mode) {
  switch (mode) {
    case Rounding::rz:
      return make(c, Z3_mk_fpa_rtz(c));
    case Rounding::rm:
      return make(c, Z3_mk_fpa_rtn(c));
    case Rounding::rp:
      return make(c, Z3_mk_fpa_rtp(c));
    default:
      return make(c, Z3_mk_fpa_rne(c));
  }
}

// An exact conversion to a sort that holds the value.
expr in(const z3::sort& sort, const expr& value) {
  if (z3::eq(value.get_sort(), sort)) return value;
  z3::context& c = value.ctx();
  return make(c, Z3_mk_fpa_to_fp_float(c, rounding_mode(c, Rounding::rn), value, sort));
}

// A rounded result as bits: NaN as `nan`, then .ftz on what is below the least normal number once rounded with no bound
// on the exponent (one more bit of it will do), then .sat and .relu. `operation` computes in a given sort.
template <class Operation>
expr finish(const Float& f, Attr attr, const expr& nan, Operation operation) {
  const expr mode = rounding_mode(f.c, attr.rounding);
  const expr value = operation(mode, f.sort());
  expr bits = f.bits(value);
  if (attr.ftz) {
    const z3::sort wide = f.c.fpa_sort(f.w - unsigned(f.f.precision) + 1, unsigned(f.f.precision));
    const expr magnitude = make(f.c, Z3_mk_fpa_abs(f.c, operation(mode, wide)));
    const expr least = in(wide, f.value(f.number(f.f.min_normal())));
    bits = ite(make(f.c, Z3_mk_fpa_lt(f.c, magnitude, least)), f.only_sign(bits), bits);
  }
  const expr is_nan = make(f.c, Z3_mk_fpa_is_nan(f.c, value));
  return f.clamp(attr, ite(is_nan, nan, bits));
}

// The NaN that an operation passes on: its first NaN operand in order of preference.
expr nan_of(const Float& f, std::initializer_list<expr> preferred) {
  expr out = f.invalid();
  if (f.keeps_payload())
    for (auto v = std::rbegin(preferred); v != std::rend(preferred); ++v) out = ite(f.is_nan(*v), f.quieted(*v), out);
  return out;
}

expr arithmetic(Op op, Attr attr, const Float& f, expr a, expr b) {
  z3::context& c = f.c;
  a = f.flush(attr.ftz, a), b = f.flush(attr.ftz, b);
  const expr x = f.value(a), y = f.value(b);
  const expr nan = op == Op::fdiv ? nan_of(f, {a, b}) : nan_of(f, {b, a});
  return finish(f, attr, nan, [&](const expr& mode, const z3::sort& sort) {
    switch (op) {
      case Op::fadd:
        return make(c, Z3_mk_fpa_add(c, mode, in(sort, x), in(sort, y)));
      case Op::fsub:
        return make(c, Z3_mk_fpa_sub(c, mode, in(sort, x), in(sort, y)));
      case Op::fmul:
        return make(c, Z3_mk_fpa_mul(c, mode, in(sort, x), in(sort, y)));
      default:
        return make(c, Z3_mk_fpa_div(c, mode, in(sort, x), in(sort, y)));
    }
  });
}

expr min_or_max(Op op, Attr attr, const Float& f, expr a, expr b) {
  a = f.flush(attr.ftz, a), b = f.flush(attr.ftz, b);
  const expr less = z3::slt(f.order(a), f.order(b)), nan_a = f.is_nan(a), nan_b = f.is_nan(b);
  const expr number = op == Op::fmin ? ite(less, a, b) : ite(less, b, a);
  const expr nan = ite(nan_b, f.quieted(b), f.quieted(a));
  const expr with_nan = attr.flag ? nan : ite(nan_a && nan_b, nan, ite(nan_a, b, a));
  return f.clamp(attr, ite(nan_a || nan_b, with_nan, number));
}

expr fused(Attr attr, const Float& f, expr a, expr b, expr c) {
  a = f.flush(attr.ftz, a), b = f.flush(attr.ftz, b), c = f.flush(attr.ftz, c);
  return finish(f, attr, nan_of(f, {b, c, a}), [&](const expr& mode, const z3::sort& sort) {
    return make(f.c, Z3_mk_fpa_fma(f.c, mode, in(sort, f.value(a)), in(sort, f.value(b)), in(sort, f.value(c))));
  });
}

expr unary(Op op, Attr attr, const Float& f, expr a) {
  a = f.flush(attr.ftz, a);
  if (op == Op::fneg || op == Op::fabs) {
    return ite(f.is_nan(a), f.quieted(a), op == Op::fneg ? a ^ f.number(f.f.sign()) : f.magnitude(a));
  }
  const expr x = f.value(a);
  if (op == Op::frint) attr.ftz = false;  // an integer is never tiny
  return finish(f, attr, nan_of(f, {a}), [&](const expr& mode, const z3::sort& sort) {
    return make(f.c, op == Op::fsqrt ? Z3_mk_fpa_sqrt(f.c, mode, in(sort, x))
                                     : Z3_mk_fpa_round_to_integral(f.c, mode, in(sort, x)));
  });
}

expr compare(Op op, Attr attr, const Float& f, expr a, expr b) {
  if (op == Op::fisnan) return bit(f.is_nan(a));
  const expr ordered = !f.is_nan(a) && !f.is_nan(b);
  a = f.flush(attr.ftz, a), b = f.flush(attr.ftz, b);
  const expr zeros = f.is_zero(a) && f.is_zero(b), x = f.order(a), y = f.order(b);
  if (op == Op::feq) return bit(ordered && (zeros || x == y));
  if (op == Op::flt) return bit(ordered && !zeros && z3::slt(x, y));
  return bit(ordered && (zeros || z3::sle(x, y)));
}

// f64 exchanges payloads with every format, bf16 is the upper half of an f32; all else is canonical.
expr converted_nan(Attr attr, const Float& from, const Float& to, const expr& a) {
  if (from.f.precision == 8 && to.w == 32 && !attr.ftz) return z3::concat(a, constant(to.c, 16, 0));
  if (from.w != 64 && to.w != 64) return to.number(to.f.sign() - 1);
  const bool through_addition = attr.ftz && from.w == 32;
  const expr source = through_addition ? from.quieted(a) : a;
  const int up = to.f.precision - from.f.precision;
  const unsigned fraction = unsigned(from.f.precision) - 1;
  const expr payload = source.extract(fraction - 1, 0);
  const expr moved = up > 0   ? z3::concat(payload, constant(to.c, unsigned(up), 0))
                     : up < 0 ? payload.extract(fraction - 1, unsigned(-up))
                              : payload;
  const expr sign = ite(from.is_negative(source), to.number(to.f.sign()), to.number(0));
  return sign | to.number(to.f.infinity() | to.f.quiet_bit()) | z3::zext(moved, to.w - unsigned(to.f.precision) + 1);
}

// .ftz is about f32 on either side.
expr round_to(Attr attr, const Float& from, const Float& to, expr a) {
  a = from.flush(attr.ftz && from.w == 32, a);
  Attr result = attr;
  result.ftz = attr.ftz && to.w == 32;
  const expr x = from.value(a);
  return finish(to, result, converted_nan(attr, from, to, a), [&](const expr& mode, const z3::sort& sort) {
    return make(to.c, Z3_mk_fpa_to_fp_float(to.c, mode, x, sort));
  });
}

// Every format and every bound is exact in f64, so saturation is a comparison there.
expr to_int(Attr attr, const Float& from, unsigned width, expr a) {
  z3::context& c = from.c;
  if (from.w == 32) a = from.flush(attr.ftz, a);
  const z3::sort wide = c.fpa_sort(11, 53);
  const expr mode = rounding_mode(c, attr.rounding), toward_zero = rounding_mode(c, Rounding::rz);
  const expr x = make(c, Z3_mk_fpa_to_fp_float(c, toward_zero, from.value(a), wide));
  const expr whole = make(c, Z3_mk_fpa_round_to_integral(c, mode, x));
  const auto power = [&](int k, bool negative) {
    return make(c, Z3_mk_fpa_to_fp_bv(c, constant(c, 64, u64(1023 + k) << 52 | u64(negative) << 63), wide));
  };
  const u64 largest = attr.flag ? sym::mask(width - 1) : sym::mask(width),
            least = attr.flag ? u64(1) << (width - 1) : 0;
  const expr too_large = make(c, Z3_mk_fpa_geq(c, whole, power(int(attr.flag ? width - 1 : width), false)));
  const expr zero = make(c, Z3_mk_fpa_zero(c, wide, false));
  const expr too_small =
      make(c, attr.flag ? Z3_mk_fpa_lt(c, whole, power(int(width) - 1, true)) : Z3_mk_fpa_lt(c, whole, zero));
  const expr integer = make(
      c, attr.flag ? Z3_mk_fpa_to_sbv(c, toward_zero, whole, width) : Z3_mk_fpa_to_ubv(c, toward_zero, whole, width));
  const u64 nan = from.w == 64 || width == 64 ? u64(1) << (width - 1) : 0;
  const expr number = ite(too_large, constant(c, width, largest), ite(too_small, constant(c, width, least), integer));
  return ite(from.is_nan(a), constant(c, width, nan), number);
}

expr from_int(Attr attr, const Float& to, const expr& a) {
  attr.ftz = false;  // an integer is never tiny
  return finish(to, attr, to.invalid(), [&](const expr& mode, const z3::sort& sort) {
    return make(
        to.c, attr.flag ? Z3_mk_fpa_to_fp_signed(to.c, mode, a, sort) : Z3_mk_fpa_to_fp_unsigned(to.c, mode, a, sort));
  });
}

}  // namespace

expr float_operation(const Instruction& i, unsigned from, const expr& a, const expr& b, const expr& c) {
  const Attr attr = Attr::unpack(i.attr);
  if (i.op == Op::itof) return from_int(attr, {a.ctx(), sym::layout_of(i.width, attr.bf16)}, a);
  const Float f(a.ctx(), sym::layout_of(from, attr.bf16));
  switch (i.op) {
    case Op::fma:
      return fused(attr, f, a, b, c);
    case Op::fsqrt:
    case Op::fneg:
    case Op::fabs:
    case Op::frint:
      return unary(i.op, attr, f, a);
    case Op::fmin:
    case Op::fmax:
      return min_or_max(i.op, attr, f, a, b);
    case Op::feq:
    case Op::flt:
    case Op::fle:
    case Op::fisnan:
      return compare(i.op, attr, f, a, b);
    case Op::fround:
      return round_to(attr, f, {a.ctx(), sym::layout_of(i.width, attr.flag)}, a);
    case Op::ftoi:
      return to_int(attr, f, i.width, a);
    default:
      return arithmetic(i.op, attr, f, a, b);
  }
}

expr domain_holds(const LeafDomain& domain, unsigned width, const expr& bits) {
  z3::context& c = bits.ctx();
  expr holds = c.bool_val(true);
  if (domain.floating && width >= 16) {
    const Float f(c, sym::layout_of(width, domain.bf16));
    if (domain.finite) holds = z3::ult(f.magnitude(bits), f.number(f.f.infinity()));
    if (domain.values) {
      const z3::sort wide = c.fpa_sort(11, 53);
      const expr x = make(c, Z3_mk_fpa_to_fp_float(c, rounding_mode(c, Rounding::rz), f.value(bits), wide));
      const auto bound = [&](double v) {
        return make(c, Z3_mk_fpa_to_fp_bv(c, constant(c, 64, std::bit_cast<u64>(v)), wide));
      };
      holds = holds && make(c, Z3_mk_fpa_leq(c, bound((*domain.values)[0]), x)) &&
              make(c, Z3_mk_fpa_leq(c, x, bound((*domain.values)[1])));
    }
    return holds;
  }
  if (domain.integers) {  // in one bit more than any value needs
    const unsigned wide = std::max(width, 64u) + 1;
    const expr x = domain.is_signed ? z3::sext(bits, wide - width) : z3::zext(bits, wide - width);
    const auto bound = [&](sym::i64 v) { return z3::sext(constant(c, 64, u64(v)), wide - 64); };
    holds = z3::sle(bound((*domain.integers)[0]), x) && z3::sle(x, bound((*domain.integers)[1]));
  }
  if (domain.multiple_of > 1 && domain.multiple_of <= sym::mask(width)) {
    const expr m = constant(c, width, domain.multiple_of);
    holds = holds && (domain.is_signed ? z3::srem(bits, m) : z3::urem(bits, m)) == constant(c, width, 0);
  }
  return holds;
}

}  // namespace ptxeq::check::smt
