// What a variable holds from the start (PTX ISA 5.4.4).
#include <fmt/format.h>

#include "grammar/lowering.h"
#include "grammar/tree.h"

namespace ptxeq::grammar {

using ir::Space;

void Lowering::initialise(ir::Variable& v, P::InitialiserContext& c) {
  if (v.space != Space::global && v.space != Space::const_)
    return out_.error("syntax", place(c), fmt::format("a .{} variable has no initial value", ir::name(v.space)));
  v.initialised = true;
  initialise_level(v, c, 0, 0);
  if (!v.dims.empty() && v.dims[0] == 0) {  // `[]` is as long as its list
    std::uint64_t length = 0;
    each<P::InitialiserContext>(c, [&](P::InitialiserContext&) { ++length; });
    v.dims[0] = length;
    v.count = length;
    for (std::size_t i = 1; i < v.dims.size(); ++i) v.count *= v.dims[i];
  }
}

// `level` counts the dimensions that are open; behind them comes a vector's.
void Lowering::initialise_level(ir::Variable& v, P::InitialiserContext& c, std::size_t level, std::uint64_t offset) {
  const std::size_t levels = v.dims.size() + (v.vector > 1 ? 1 : 0);
  auto* single = c.expression();
  if (c.children.size() == 3 && single)
    return out_.error("syntax", place(c), "'name = value' initialises a .samplerref, which is not read here");
  if (level == levels) {
    if (single) return initialise_element(v, *single, offset);
    return out_.error("syntax", place(c), "there are more braces than dimensions");
  }
  if (single) return out_.error("syntax", place(c), fmt::format("'{}' takes its values in braces", v.name));
  const std::uint64_t element = (ir::bits(v.type) + 7) / 8;
  std::uint64_t stride = element;
  if (level < v.dims.size()) stride *= v.vector;
  for (std::size_t i = level + 1; i < v.dims.size(); ++i) stride *= v.dims[i];
  const std::uint64_t length = level < v.dims.size() ? v.dims[level] : v.vector;
  const bool open = level == 0 && length == 0;
  std::uint64_t index = 0;
  each<P::InitialiserContext>(c, [&](P::InitialiserContext& item) {
    if (index == length && !open)
      out_.error("syntax", place(item), fmt::format("'{}' has {} elements here, not more", v.name, length));
    if (index < length || open) initialise_level(v, item, level + 1, offset + index * stride);
    ++index;
  });
}

void Lowering::initialise_element(ir::Variable& v, P::ExpressionContext& c, std::uint64_t offset) {
  const std::optional<Value> value = evaluate(c, chunk_, out_);
  if (!value) return;
  ir::Initial piece;
  piece.offset = offset;
  piece.size = std::uint8_t((ir::bits(v.type) + 7) / 8);
  piece.value = value->bits;
  const bool floating = ir::kind(v.type) == ir::Kind::floating;
  const auto wrong = [&](std::string_view why) {
    out_.error("type-mismatch", value->at, fmt::format("'{}' {}", v.name, why));
  };
  switch (value->kind) {
    case Value::Kind::name: {
      const Entity* entity = scopes_.find(value->name);
      const bool known =
          entity && (entity->kind == Entity::Kind::module_variable || entity->kind == Entity::Kind::function);
      if (!known || !value->component.empty() || value->inverted || value->minus)
        return out_.error(
            "unknown-symbol", value->at,
            fmt::format("'{}' is no variable or function declared above{}", value->name, scopes_.hint(value->name)));
      if (floating) return wrong("cannot hold an address");
      if (piece.size < 4 && value->mask_shift == 0xff)
        return wrong("is too small for an address; select a byte of it with 0xff(symbol)");
      piece.symbol = value->name;
      piece.generic = value->generic;
      piece.mask_shift = value->mask_shift;
      if (value->indexed) return wrong("is initialised with symbol + bytes, not symbol[index]");
      break;
    }
    case Value::Kind::integer:
      if (floating) return wrong("is floating-point and takes 1.0 or 0f3F800000, no integer");
      break;
    case Value::Kind::f32:
    case Value::Kind::f64:
      if (v.type != ir::Type::f32 && v.type != ir::Type::f64)
        return wrong("takes integers; write the bits, 0x3f800000");
      piece.value = convert_float(*value, v.type);
      break;
  }
  v.initial.push_back(std::move(piece));
}

}  // namespace ptxeq::grammar
