#include "ir/type.h"

#include <algorithm>
#include <iterator>

namespace ptxeq::ir {
namespace {

// In the order of Type. Widths of the alternate formats: PTX ISA 5.2.3; a sub-byte element counts its own bits.
constexpr TypeInfo types[] = {
    {"none", 0, Kind::none},       {"pred", 1, Kind::pred},          {"b8", 8, Kind::bits},
    {"b16", 16, Kind::bits},       {"b32", 32, Kind::bits},          {"b64", 64, Kind::bits},
    {"b128", 128, Kind::bits},     {"u8", 8, Kind::unsigned_},       {"u16", 16, Kind::unsigned_},
    {"u32", 32, Kind::unsigned_},  {"u64", 64, Kind::unsigned_},     {"s8", 8, Kind::signed_},
    {"s16", 16, Kind::signed_},    {"s32", 32, Kind::signed_},       {"s64", 64, Kind::signed_},
    {"f16", 16, Kind::floating},   {"bf16", 16, Kind::floating},     {"f32", 32, Kind::floating},
    {"f64", 64, Kind::floating},   {"tf32", 32, Kind::floating},     {"f16x2", 32, Kind::packed},
    {"bf16x2", 32, Kind::packed},  {"u16x2", 32, Kind::packed},      {"s16x2", 32, Kind::packed},
    {"f32x2", 64, Kind::packed},   {"u8x4", 32, Kind::packed},       {"s8x4", 32, Kind::packed},
    {"e4m3", 8, Kind::floating},   {"e5m2", 8, Kind::floating},      {"e4m3x2", 16, Kind::packed},
    {"e5m2x2", 16, Kind::packed},  {"e2m1x2", 8, Kind::packed},      {"e2m3x2", 16, Kind::packed},
    {"e3m2x2", 16, Kind::packed},  {"ue8m0x2", 16, Kind::packed},    {"e4m3x4", 32, Kind::packed},
    {"e5m2x4", 32, Kind::packed},  {"e2m1x4", 16, Kind::packed},     {"e2m3x4", 32, Kind::packed},
    {"e3m2x4", 32, Kind::packed},  {"e2m1", 4, Kind::floating},      {"e2m3", 6, Kind::floating},
    {"e3m2", 6, Kind::floating},   {"ue8m0", 8, Kind::floating},     {"ue4m3", 8, Kind::floating},
    {"s4", 4, Kind::signed_},      {"u4", 4, Kind::unsigned_},       {"b1", 1, Kind::bits},
    {"b4", 4, Kind::bits},         {"b6x16_p32", 128, Kind::packed}, {"b4x16_p64", 128, Kind::packed},
    {"s2f6x2", 16, Kind::packed},  {"texref", 64, Kind::opaque},     {"samplerref", 64, Kind::opaque},
    {"surfref", 64, Kind::opaque},
};
static_assert(std::size(types) == std::size_t(Type::count_));

struct Entry {
  std::string_view name;
  Type type = Type::none;
};

// The names, sorted, without "none".
constexpr auto by_name = [] {
  std::array<Entry, std::size(types) - 1> entries;
  for (std::size_t i = 1; i < std::size(types); ++i) entries[i - 1] = {types[i].name, Type(i)};
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}();

}  // namespace

const TypeInfo& info(Type type) { return types[std::size_t(type)]; }

std::optional<Type> type_from_name(std::string_view name) {
  const auto* at = std::lower_bound(by_name.begin(), by_name.end(), name,
                                    [](const Entry& entry, std::string_view text) { return entry.name < text; });
  if (at == by_name.end() || at->name != name) return std::nullopt;
  return at->type;
}

}  // namespace ptxeq::ir
