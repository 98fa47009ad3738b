// Element values as text and back: decimal numbers and bit patterns of the types that a spec may name.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/type.h"

namespace ptxeq::check {

bool is_float(ir::Type type);  // f16 bf16 f32 f64
// Smallest and largest value of an integer type; the largest of u64 is cut to int64's.
std::array<std::int64_t, 2> integer_limits(ir::Type type);

// The bit pattern nearest to `value` (ties to even, overflow to infinity) in a floating type.
std::uint64_t encode_float(ir::Type type, double value);
double decode_float(ir::Type type, std::uint64_t bits);
std::int64_t decode_integer(ir::Type type, std::uint64_t bits);
std::uint64_t encode_integer(ir::Type type, std::int64_t value);

// "0x3f800000" as the bits of a `width`-bit value; nothing when it is malformed or too wide.
std::optional<std::uint64_t> parse_bits(std::string_view text, unsigned width);
// A decimal number ("-1.5", "nan", "inf" for floating types) or a bit pattern; nothing when it does not fit.
std::optional<std::uint64_t> parse_value(ir::Type type, std::string_view text);

std::string format_value(ir::Type type, std::uint64_t bits);  // the shortest text that reads back to it
std::string format_bits(unsigned width, std::uint64_t bits);  // "0x3f800000"

// Is there a value of the floating type in [low, high]?
bool has_float_between(ir::Type type, double low, double high);

}  // namespace ptxeq::check
