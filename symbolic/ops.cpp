#include "symbolic/ops.h"

#include <algorithm>
#include <array>

namespace ptxeq::sym {
namespace {

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

constexpr std::array<std::string_view, std::size_t(Op::count_)> names = {
    "constant", "leaf", "add",  "mul",  "neg",    "udiv",   "urem",  "sdiv",    "srem",   "umulh",
    "smulh",    "and",  "or",   "xor",  "not",    "shl",    "lshr",  "ashr",    "popc",   "clz",
    "brev",     "eq",   "ult",  "slt",  "ule",    "sle",    "ite",   "extract", "concat", "zext",
    "sext",     "fadd", "fsub", "fmul", "fdiv",   "fma",    "fsqrt", "fmin",    "fmax",   "fneg",
    "fabs",     "feq",  "flt",  "fle",  "fisnan", "fround", "frint", "ftoi",    "itof",   "approx"};
static_assert(!names.back().empty());

u64 reversed(u64 v, unsigned width) {
  u64 r = 0;
  for (unsigned i = 0; i < width; ++i) r |= (v >> i & 1) << (width - 1 - i);
  return r;
}

u64 apply_float(Op op, Attr attr, unsigned width, unsigned wa, u64 a, u64 b, u64 c) {
  switch (op) {
    case Op::fma:
      return float_fma(attr, width, a, b, c);
    case Op::fsqrt:
    case Op::fneg:
    case Op::fabs:
    case Op::frint:
      return float_unary(op, attr, width, a);
    case Op::feq:
    case Op::flt:
    case Op::fle:
    case Op::fisnan:
      return float_compare(op, attr, wa, a, b);
    case Op::fround:
      return float_round(attr, wa, width, a);
    case Op::ftoi:
      return float_to_int(attr, wa, width, a);
    case Op::itof:
      return int_to_float(attr, wa, width, a);
    default:
      return float_binary(op, attr, width, a, b);
  }
}

}  // namespace

std::string_view name(Op op) { return names[std::size_t(op)]; }

u64 apply(Op op, u8 attr, unsigned width, unsigned wa, u64 a, u64 b, u64 c) {
  if (is_float(op)) return apply_float(op, Attr::unpack(attr), width, wa, a, b, c);
  const auto s = [wa](u64 v) { return sign_extend(v, wa); };  // where a's width is not the result's
  const auto n = [width](u64 v) { return sign_extend(v, width); };
  const u64 m = mask(width);
  switch (op) {
    case Op::constant:
      return (a | b << 32) & m;
    case Op::add:
      return (a + b) & m;
    case Op::mul:
      return (a * b) & m;
    case Op::neg:
      return -a & m;
    // By zero, which domains keep apart with an ite: as SMT-LIB says.
    case Op::udiv:
      return b ? a / b : m;
    case Op::urem:
      return b ? a % b : a;
    // The least integer by -1 wraps to itself, remainder 0.
    case Op::sdiv:
      if (b == 0) return n(a) < 0 ? 1 : m;
      return (n(b) == -1 ? -a : u64(n(a) / n(b))) & m;
    case Op::srem:
      if (b == 0) return a;
      return (n(b) == -1 ? 0 : u64(n(a) % n(b))) & m;
    case Op::umulh:
      return u64(u128(a) * b >> width) & m;
    case Op::smulh:
      return u64(u128(i128(n(a)) * n(b)) >> width) & m;
    case Op::and_:
      return a & b;
    case Op::or_:
      return a | b;
    case Op::xor_:
      return a ^ b;
    case Op::not_:
      return ~a & m;
    case Op::shl:
      return b >= width ? 0 : (a << b) & m;
    case Op::lshr:
      return b >= width ? 0 : a >> b;
    case Op::ashr:
      return u64(n(a) >> std::min<u64>(b, width - 1)) & m;
    case Op::popc:
      return u64(std::popcount(a));
    case Op::clz:
      return u64(std::countl_zero(a)) - (64 - width);
    case Op::brev:
      return reversed(a, width);
    case Op::eq:
      return a == b;
    case Op::ult:
      return a < b;
    case Op::slt:
      return s(a) < s(b);
    case Op::ule:
      return a <= b;
    case Op::sle:
      return s(a) <= s(b);
    case Op::ite:
      return a ? b : c;
    case Op::extract:
      return (a >> b) & m;
    case Op::concat:
      return a << (width - wa) | b;
    case Op::zext:
      return a & m;
    case Op::sext:
      return u64(s(a)) & m;
    default:
      return 0;
  }
}

}  // namespace ptxeq::sym
