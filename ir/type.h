// PTX data types. Source: PTX ISA 5.2 "Types", 5.2.3 "Alternate floating-point data formats".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ptxeq::ir {

// clang-format off: kinds by line
enum class Type : std::uint8_t {
  none, pred,
  b8, b16, b32, b64, b128,
  u8, u16, u32, u64, s8, s16, s32, s64,
  f16, bf16, f32, f64, tf32,
  f16x2, bf16x2, u16x2, s16x2, f32x2, u8x4, s8x4,
  e4m3, e5m2, e4m3x2, e5m2x2, e2m1x2, e2m3x2, e3m2x2, ue8m0x2,
  e4m3x4, e5m2x4, e2m1x4, e2m3x4, e3m2x4,
  e2m1, e2m3, e3m2, ue8m0, ue4m3, s4, u4, b1, b4, b6x16_p32, b4x16_p64,
  s2f6x2, texref, samplerref, surfref,
  count_
};
// clang-format on

enum class Kind : std::uint8_t { none, pred, bits, unsigned_, signed_, floating, packed, opaque };

struct TypeInfo {
  std::string_view name;  // as in PTX, without the dot
  std::uint16_t bits;     // width in bits; a packed type's whole width
  Kind kind;
};

// Width, kind and spelling of a type.
const TypeInfo& info(Type type);
inline unsigned bits(Type type) { return info(type).bits; }
inline Kind kind(Type type) { return info(type).kind; }
inline bool is_signed(Type type) { return kind(type) == Kind::signed_; }
// The type spelled `name` ("f32", no dot); nothing when there is none.
std::optional<Type> type_from_name(std::string_view name);

}  // namespace ptxeq::ir
