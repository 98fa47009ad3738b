// Approximate instructions on concrete bits: within the manual's bound by way of the host's double functions, with
// subnormals flushed where the instruction says so. Source of the bounds: PTX ISA 9.7.3.
#include <bit>
#include <cmath>

#include "ir/isa.h"
#include "symbolic/concrete.h"

namespace ptxeq::sym {

using namespace ir::literals;

namespace {

double compute(std::string_view name, double x, double y) {
  if (name == "rcp") return 1 / x;
  if (name == "sqrt") return std::sqrt(x);
  if (name == "rsqrt") return x == 0 ? std::copysign(INFINITY, x) : 1 / std::sqrt(x);
  if (name == "sin") return std::sin(x);
  if (name == "cos") return std::cos(x);
  if (name == "lg2") return std::log2(x);
  if (name == "ex2") return std::exp2(x);
  if (name == "tanh") return std::tanh(x);
  // div.approx: for |y| in (2^126, 2^128) the result is 0, or NaN where x is infinite
  return x / y;
}

u64 widen(unsigned width, bool bf16, u64 bits) {
  Attr to_double;
  to_double.bf16 = bf16;
  return width == 64 ? bits : float_round(to_double, width, 64, bits);
}

}  // namespace

u64 approximate(const ir::Opcode& op, unsigned width, u64 a, u64 b) {
  const bool bf16 = op.type() == ir::Type::bf16 || op.type() == ir::Type::bf16x2;
  Attr flush;
  flush.ftz = op.has("ftz"_w);
  // x + (-0) keeps x and flushes a subnormal where ftz is set.
  if (flush.ftz && width == 32) {
    a = float_binary(Op::fadd, flush, 32, a, 0x80000000u);
    b = float_binary(Op::fadd, flush, 32, b, 0x80000000u);
  }
  const std::string_view name = ir::mnemonic(ir::form(op));
  const double x = std::bit_cast<double>(widen(width, bf16, a)), y = std::bit_cast<double>(widen(width, bf16, b));
  double result = compute(name, x, y);
  if (name == "div" && op.has("approx"_w) && width == 32 && std::isfinite(y) && std::fabs(y) > 0x1p126)
    result = std::isinf(x) ? NAN : std::copysign(0.0, x) * std::copysign(1.0, y);
  if (width == 64) {
    if (std::isnan(result)) return 0x7fffffffffffffffull;
    u64 bits = std::bit_cast<u64>(result);
    if (name == "rcp" || name == "rsqrt") bits &= ~u64(0xffffffff);  // only the upper half is computed
    return bits;
  }
  Attr narrow;
  narrow.bf16 = false;
  narrow.flag = bf16;
  u64 bits = float_round(narrow, 64, width, std::bit_cast<u64>(result));
  if (std::isnan(result)) bits = width == 32 ? 0x7fffffff : 0x7fff;
  return flush.ftz && width == 32 ? float_binary(Op::fadd, flush, 32, bits, 0x80000000u) : bits;
}

}  // namespace ptxeq::sym
