// Constant expressions (PTX ISA 4.5) and the names that may stand among them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "PtxParser.h"
#include "grammar/diagnostics.h"
#include "ir/type.h"

namespace ptxeq::grammar {

// What an expression comes to: a number, or one name with what is added to it.
struct Value {
  enum class Kind : std::uint8_t { integer, f32, f64, name } kind = Kind::integer;
  bool is_unsigned = false;  // integer: .u64, else .s64
  std::int64_t bits = 0;     // integer: the number; f32, f64: its encoding; name: the bytes added
  std::string_view name;
  std::string_view component;      // with its dot: ".x"
  bool indexed = false;            // name[3]
  std::int64_t elements = 0;       // name[3]
  bool inverted = false;           // !name
  bool minus = false;              // -name
  bool generic = false;            // generic(name)
  std::uint8_t mask_shift = 0xff;  // 0xff00(name): 8
  Location at;
};

// Nothing when the expression is in error; `out` then has the reason.
std::optional<Value> evaluate(PtxParser::ExpressionContext& expression, std::string_view chunk, Diagnostics& out);

// The encoding of a floating-point value in the format `type`, f32 or f64, rounded to nearest.
std::int64_t convert_float(const Value& value, ir::Type type);

// The number that an integer literal spells: decimal, 0x, 0b or octal, perhaps with U.
std::optional<Value> integer_literal(std::string_view text);

}  // namespace ptxeq::grammar
