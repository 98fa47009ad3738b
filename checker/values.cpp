#include "checker/values.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace ptxeq::check {
namespace {

struct FloatFormat {
  int exponent_bits, fraction_bits;
};

FloatFormat format_of(ir::Type type) {
  switch (type) {
    case ir::Type::f16:
      return {5, 10};
    case ir::Type::bf16:
      return {8, 7};
    case ir::Type::f32:
      return {8, 23};
    default:
      return {11, 52};
  }
}

std::uint64_t low_bits(unsigned width) { return width >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << width) - 1; }

std::optional<double> parse_double(std::string_view text) {
  const bool negative = text.starts_with('-');
  const auto digits = negative || text.starts_with('+') ? text.substr(1) : text;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::nullopt;
  return negative ? -value : value;
}

}  // namespace

bool is_float(ir::Type type) {
  return type == ir::Type::f16 || type == ir::Type::bf16 || type == ir::Type::f32 || type == ir::Type::f64;
}

std::array<std::int64_t, 2> integer_limits(ir::Type type) {
  const unsigned width = ir::bits(type);
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  if (ir::is_signed(type)) return {-std::int64_t(low_bits(width - 1)) - 1, std::int64_t(low_bits(width - 1))};
  return {0, width >= 64 ? most : std::int64_t(low_bits(width))};
}

std::uint64_t encode_float(ir::Type type, double value) {
  if (type == ir::Type::f64) return std::bit_cast<std::uint64_t>(value);
  const auto [exponent_bits, fraction_bits] = format_of(type);
  const std::uint64_t sign = std::uint64_t(std::signbit(value)) << (exponent_bits + fraction_bits);
  const std::uint64_t infinity = low_bits(unsigned(exponent_bits)) << fraction_bits;
  if (std::isnan(value)) return sign | infinity | std::uint64_t(1) << (fraction_bits - 1);
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  // Scaling by a power of two is exact, so nearbyint rounds once.
  const int exponent = std::max(std::ilogb(value), 1 - bias);
  const auto units = std::uint64_t(std::nearbyint(std::ldexp(std::fabs(value), fraction_bits - exponent)));
  // Adding lets a carry out of the fraction move into the exponent; subnormals have exponent field 0.
  const std::uint64_t rounded = (std::uint64_t(exponent + bias - 1) << fraction_bits) + units;
  return sign | std::min(rounded, infinity);
}

double decode_float(ir::Type type, std::uint64_t bits) {
  if (type == ir::Type::f64) return std::bit_cast<double>(bits);
  const auto [exponent_bits, fraction_bits] = format_of(type);
  const bool negative = bits >> (exponent_bits + fraction_bits) & 1;
  const auto field = int(bits >> fraction_bits & low_bits(unsigned(exponent_bits)));
  const auto fraction = double(bits & low_bits(unsigned(fraction_bits)));
  const int bias = (1 << (exponent_bits - 1)) - 1;
  double magnitude = 0;
  if (field == int(low_bits(unsigned(exponent_bits)))) {
    magnitude = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else if (field == 0) {
    magnitude = std::ldexp(fraction, 1 - bias - fraction_bits);
  } else {
    magnitude = std::ldexp(fraction + std::ldexp(1.0, fraction_bits), field - bias - fraction_bits);
  }
  return negative ? -magnitude : magnitude;
}

std::int64_t decode_integer(ir::Type type, std::uint64_t bits) {
  const unsigned width = ir::bits(type);
  bits &= low_bits(width);
  if (!ir::is_signed(type) || width >= 64) return std::int64_t(bits);
  return std::int64_t(bits << (64 - width)) >> (64 - width);
}

std::uint64_t encode_integer(ir::Type type, std::int64_t value) {
  return std::uint64_t(value) & low_bits(ir::bits(type));
}

std::optional<std::uint64_t> parse_bits(std::string_view text, unsigned width) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
  if (error != std::errc{} || end != text.data() + text.size() || (bits & ~low_bits(width))) return std::nullopt;
  return bits;
}

std::optional<std::uint64_t> parse_value(ir::Type type, std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return parse_bits(text, ir::bits(type));
  if (is_float(type)) {
    const auto value = parse_double(text);
    if (!value) return std::nullopt;
    return encode_float(type, *value);
  }
  if (!ir::is_signed(type) && !text.starts_with('-')) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || (value & ~low_bits(ir::bits(type))))
      return std::nullopt;
    return value;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto [low, high] = integer_limits(type);
  if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high) return std::nullopt;
  return encode_integer(type, value);
}

std::string format_value(ir::Type type, std::uint64_t bits) {
  if (!is_float(type)) {
    return ir::is_signed(type) ? fmt::format("{}", decode_integer(type, bits))
                               : fmt::format("{}", bits & low_bits(ir::bits(type)));
  }
  const double value = decode_float(type, bits);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (type == ir::Type::f64) return fmt::format("{}", value);
  if (type == ir::Type::f32) return fmt::format("{}", float(value));
  for (int digits = 1; digits < 9; ++digits) {
    const std::string text = fmt::format("{:.{}g}", value, digits);
    if (parse_value(type, text) == bits) return text;
  }
  return fmt::format("{:.9g}", value);
}

std::string format_bits(unsigned width, std::uint64_t bits) {
  return fmt::format("0x{:0{}x}", bits & low_bits(width), (width + 3) / 4);
}

bool has_float_between(ir::Type type, double low, double high) {
  if (!(low <= high)) return false;
  const std::uint64_t nearest = encode_float(type, low);
  const auto inside = [&](std::uint64_t bits) {
    const double value = decode_float(type, bits);
    return value >= low && value <= high;
  };
  // The smallest value >= low is the nearest one or its neighbour.
  return inside(nearest) || inside(nearest + 1) || inside(nearest - 1);
}

}  // namespace ptxeq::check
