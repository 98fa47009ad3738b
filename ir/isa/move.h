// PTX ISA 9.7.9.3, 9.7.9.4, 9.7.9.7: moves and byte permutes.
#pragma once

#include "ir/isa/shared.h"

namespace ptxeq::ir::isa {

// 9.7.9.7, "more specialized form": the source byte of d's bytes 3, 2, 1, 0 as hex digits, by c[1:0].
inline std::array<unsigned, 4> permute_table(const Opcode& op) {
  if (op.has("f4e"_w)) return {0x3210, 0x4321, 0x5432, 0x6543};
  if (op.has("b4e"_w)) return {0x5670, 0x6701, 0x7012, 0x0123};
  if (op.has("rc8"_w)) return {0x0000, 0x1111, 0x2222, 0x3333};
  if (op.has("ecl"_w)) return {0x3210, 0x3211, 0x3222, 0x3333};
  if (op.has("ecr"_w)) return {0x0000, 0x1110, 0x2210, 0x3210};
  return {0x1010, 0x3232, 0x1010, 0x3232};  // rc16
}

// The bytes of b:a that the four hex digits of `selector` pick; bit 3 of a digit spreads the byte's sign.
constexpr auto permute_known = [](auto& d, unsigned selector, auto a, auto b) {
  auto byte = [&](unsigned i) {
    const unsigned s = selector >> 4 * i & 0xf;
    auto from = s & 4 ? b : a;
    return s & 8 ? d.sext(d.extract(from, (s & 3) * 8 + 7, 1), 8) : d.extract(from, (s & 3) * 8, 8);
  };
  return d.concat(d.concat(byte(3), byte(2)), d.concat(byte(1), byte(0)));
};

constexpr auto permute_bytes = [](auto& d, auto a, auto b, auto c) {
  if (auto selector = known(d, c)) return permute_known(d, unsigned(*selector & 0xffff), a, b);
  auto source = d.concat(b, a);
  auto byte = [&](unsigned i) {
    auto shift = d.shl(d.zext(d.extract(c, 4 * i, 3), 64), d.constant(64, 3));
    auto picked = d.extract(d.lshr(source, shift), 0, 8);
    return d.ite(d.extract(c, 4 * i + 3, 1), d.sext(d.extract(picked, 7, 1), 8), picked);
  };
  return d.concat(d.concat(byte(3), byte(2)), d.concat(byte(1), byte(0)));
};

constexpr auto permute_by_mode = [](auto& d, const Opcode& op, auto a, auto b, auto c) {
  const auto table = permute_table(op);
  if (auto selector = known(d, c)) return permute_known(d, table[*selector & 3], a, b);
  auto of = [&](unsigned i) { return permute_known(d, table[i], a, b); };
  auto low = d.extract(c, 0, 1), high = d.extract(c, 1, 1);
  return d.ite(high, d.ite(low, of(3), of(2)), d.ite(low, of(1), of(0)));
};

inline constexpr auto move_rows = std::make_tuple(
    row({"mov pred|b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64|b128@83,70",
         "d:{t} a:any",
         {},
         Action::compute,
         "9.7.9.3",
         "d = a; a vector packs its elements, the first one lowest, into d, or takes a apart; the name of a variable "
         "gives its address in its state space"},
        [](auto&, const Opcode&, auto a) { return a; }),
    row({"prmt b32",
         "d:t a:t b:t c:t",
         {20, 20},
         Action::compute,
         "9.7.9.7",
         "four bytes of b:a, as the four hex digits of c say; digit bit 3 spreads the byte's sign"},
        [](auto& d, const Opcode&, auto a, auto b, auto c) { return permute_bytes(d, a, b, c); }),
    row({"prmt b32 f4e|b4e|rc8|ecl|ecr|rc16",
         "d:t a:t b:t c:t",
         {20, 20},
         Action::compute,
         "9.7.9.7",
         "four bytes of b:a, as the mode and c's two low bits say"},
        [](auto& d, const Opcode& op, auto a, auto b, auto c) { return permute_by_mode(d, op, a, b, c); }));

}  // namespace ptxeq::ir::isa
