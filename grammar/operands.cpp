// Operands of instructions (PTX ISA 6).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grammar/lowering.h"
#include "grammar/tree.h"

namespace ptxeq::grammar {

using ir::Operand;
using OperandKind = ir::Operand::Kind;

namespace {

std::string special_hint(std::string_view name) {
  Nearest nearest(name);
  for (std::size_t i = 0; i < std::size_t(ir::Special::count_); ++i) nearest.offer(ir::info(ir::Special(i)).name);
  return nearest.hint();
}

}  // namespace

Lowering::Position Lowering::position(std::string_view mnemonic, std::size_t index, std::size_t count) const {
  if (mnemonic == "bra") return Position::label;
  if (mnemonic == "brx" && index + 1 == count) return Position::table;
  if (mnemonic == "call") return Position::call;
  if ((mnemonic == "ld" && index == 1) || (mnemonic == "st" && index == 0)) return Position::address;
  return Position::value;
}

std::optional<Operand> Lowering::operand(P::OperandContext& c, Position position) {
  if (auto* e = dynamic_cast<P::ExpressionContext*>(c.children[0])) return expression(*e, position);
  if (auto* m = dynamic_cast<P::MemoryContext*>(c.children[0])) return memory(*m);
  std::optional<Operand> first = vector(rule<P::VectorContext>(c.children[0]));
  if (!first || c.children.size() == 1) return first;
  return pair(std::move(*first), rule<P::ExpressionContext>(c.children[2]));
}

std::optional<Operand> Lowering::expression(P::ExpressionContext& c, Position position) {
  const auto starts_with_name = [](antlr4::tree::ParseTree* e) {
    return leaf_type(rule<P::ExpressionContext>(e).children[0]) == P::NAME;
  };
  const bool parenthesis = leaf(c.children[0]) && text(c.children[0]) == "(";
  if (position == Position::call && parenthesis && leaf_type(c.children[1]) != P::DOTNAME) return list(c);
  if (c.children.size() == 3 && !leaf(c.children[0]) && text(c.children[1]) == "|" && starts_with_name(c.children[0]) &&
      starts_with_name(c.children[2])) {
    std::optional<Operand> first = expression(rule<P::ExpressionContext>(c.children[0]), Position::value);
    return first ? pair(std::move(*first), rule<P::ExpressionContext>(c.children[2])) : first;
  }
  const std::optional<Value> v = evaluate(c, chunk_, out_);
  return v ? value(*v, position) : std::nullopt;
}

std::optional<Operand> Lowering::pair(Operand first, P::ExpressionContext& second) {
  std::optional<Operand> other = expression(second, Position::value);
  if (!other) return other;
  Operand result;
  result.kind = OperandKind::pair;
  result.at = first.at;
  result.parts.push_back(std::move(first));
  result.parts.push_back(std::move(*other));
  return result;
}

std::optional<Operand> Lowering::list(P::ExpressionContext& c) {
  Operand result;
  result.kind = OperandKind::list;
  result.at = place(c);
  bool good = true;
  each<P::ExpressionContext>(c, [&](P::ExpressionContext& e) {
    std::optional<Operand> part = expression(e, Position::value);
    good = good && part.has_value();
    if (part) result.parts.push_back(std::move(*part));
  });
  return good ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<Operand> Lowering::vector(P::VectorContext& c) {
  Operand result;
  result.kind = OperandKind::vector;
  result.at = place(c);
  bool good = true;
  each<P::OperandContext>(c, [&](P::OperandContext& o) {
    std::optional<Operand> part = operand(o, Position::value);
    good = good && part.has_value();
    if (part) result.parts.push_back(std::move(*part));
  });
  return good ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<Operand> Lowering::memory(P::MemoryContext& c) {
  Operand result;
  result.kind = OperandKind::memory;
  result.at = place(c);
  bool good = true;
  each<P::OperandContext>(c, [&](P::OperandContext& o) {
    std::optional<Operand> part = operand(o, Position::value);
    good = good && part.has_value();
    if (part) result.parts.push_back(std::move(*part));
  });
  if (!good) return std::nullopt;
  Operand& base = result.parts[0];
  const bool address =
      base.kind == OperandKind::reg || base.kind == OperandKind::symbol || base.kind == OperandKind::param;
  if (!address && base.kind != OperandKind::imm) {
    out_.error("operand-kind", base.at, "an address is a register, a variable or a parameter, perhaps plus a constant");
    return std::nullopt;
  }
  auto* first = dynamic_cast<P::ExpressionContext*>(rule<P::OperandContext>(c.children[1]).children[0]);
  if (first && first->children.size() == 4 && text(first->children[1]) == "[") {
    out_.error("syntax", base.at, "an array element is written without outer brackets, or as [symbol+bytes]");
    return std::nullopt;
  }
  if (address) std::swap(result.value, base.value);
  return result;
}

std::optional<Operand> Lowering::value(const Value& v, Position position) {
  if (v.kind == Value::Kind::name) return name(v, position);
  Operand o;
  o.kind = OperandKind::imm;
  o.at = v.at;
  o.value = v.bits;
  o.type = v.kind == Value::Kind::integer ? ir::Type::b64 : v.kind == Value::Kind::f32 ? ir::Type::f32 : ir::Type::f64;
  return o;
}

std::optional<Operand> Lowering::name(const Value& v, Position position) {
  Operand o;
  o.at = v.at;
  o.negated = v.inverted || v.minus;
  if (v.generic || v.mask_shift != 0xff) {
    out_.error("operand-kind", v.at, "generic() and mask operators belong to initial values; an instruction uses cvta");
    return std::nullopt;
  }
  if (v.name == "_" && v.component.empty() && v.bits == 0) {
    o.kind = OperandKind::sink;
    return o;
  }
  if (position == Position::label) {
    o.kind = OperandKind::label;
    waiting_.push_back({v.name, v.at, false, std::uint32_t(body_->function->body.size()), slot_});
    return o;
  }
  Entity* entity = scopes_.find(v.name);
  if (!entity) {
    if (const std::optional<ir::SpecialName> s = ir::find_special(v.name)) return special(v, *s);
    unknown(v, position);
    return std::nullopt;
  }
  const std::uint32_t index = entity->index;
  const auto bytes_of = [](const ir::Variable& variable) {
    return std::int64_t((ir::bits(variable.type) + 7) / 8 * variable.vector);
  };
  o.value = v.bits;
  o.index = index;
  switch (entity->kind) {
    case Entity::Kind::declared:
    case Entity::Kind::reg:
      o.kind = OperandKind::reg;
      o.index = use_register(v.name, *entity);
      if (v.indexed) {
        out_.error("operand-kind", v.at, fmt::format("'{}' is a register, not an array", v.name));
        return std::nullopt;
      }
      return select(v, o) ? std::optional(std::move(o)) : std::nullopt;
    case Entity::Kind::variable:
      o.kind = OperandKind::symbol;
      o.local = true;
      o.value += v.elements * bytes_of(body_->function->variables[index]);
      break;
    case Entity::Kind::module_variable:
      o.kind = OperandKind::symbol;
      o.value += v.elements * bytes_of(module_.variables[index]);
      break;
    case Entity::Kind::param:
      o.kind = OperandKind::param;
      break;
    case Entity::Kind::function:
      o.kind = OperandKind::function;
      break;
    case Entity::Kind::label:
      o.kind = OperandKind::label;
      if (position == Position::value || position == Position::address) {
        out_.error("operand-kind", v.at, fmt::format("'{}' is a label, which only a branch or call takes", v.name));
        return std::nullopt;
      }
      break;
  }
  if (v.component.empty() && !o.negated) {
    if (position != Position::address || !v.indexed) return o;
    Operand access;  // ld and st take array[3] as an address
    access.kind = OperandKind::memory;
    access.at = o.at;
    std::swap(access.value, o.value);
    access.parts.push_back(std::move(o));
    return access;
  }
  out_.error("operand-kind", v.at, fmt::format("'{}' is no register: it has no selector and no sign", v.name));
  return std::nullopt;
}

std::optional<Operand> Lowering::special(const Value& v, ir::SpecialName special) {
  Operand o;
  o.kind = OperandKind::special;
  o.at = v.at;
  o.negated = v.inverted || v.minus;
  o.index = std::uint32_t(special.special);
  o.value = special.member;
  if (v.bits != 0 || v.indexed) {
    out_.error("operand-kind", v.at, fmt::format("'{}' is a special register: nothing is added to it here", v.name));
    return std::nullopt;
  }
  const bool is_vector = ir::info(special.special).vector;
  if (is_vector) {
    const std::size_t xyzw =
        v.component.size() == 2 ? std::string_view("xyzw").find(v.component[1]) : std::string_view::npos;
    const std::size_t rgba =
        v.component.size() == 2 ? std::string_view("rgba").find(v.component[1]) : std::string_view::npos;
    if (!v.component.empty() && xyzw > 3 && rgba > 3) {
      out_.error("operand-kind", v.at,
                 fmt::format("'{}' has the components .x .y .z .w, not '{}'", v.name, v.component));
      return std::nullopt;
    }
    o.value = v.component.empty() ? -1 : std::int64_t(std::min(xyzw, rgba));
  } else if (!v.component.empty()) {
    out_.error("operand-kind", v.at, fmt::format("'{}' has no components", v.name));
    return std::nullopt;
  }
  return o;
}

// The selectors of registers: bytes and halves for the video instructions, components of a vector.
bool Lowering::select(const Value& v, Operand& o) {
  if (v.component.empty()) return true;
  constexpr std::array<std::string_view, 6> packed{".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
  const auto* at = std::find(packed.begin(), packed.end(), v.component);
  const ir::Register& r = body_->function->registers[o.index];
  if (at != packed.end()) {
    o.part = std::int8_t(at - packed.begin());
    return true;
  }
  if (r.vector > 1 && v.component.size() == 2) {
    const std::size_t part =
        std::min(std::string_view("xyzw").find(v.component[1]), std::string_view("rgba").find(v.component[1]));
    if (part < r.vector) {
      o.part = std::int8_t(8 + part);
      return true;
    }
  }
  out_.error("operand-kind", v.at, fmt::format("register '{}' has no part '{}'", v.name, v.component));
  return false;
}

void Lowering::unknown(const Value& v, Position position) {
  if (!body_->reported.insert(v.name).second) return;
  if (position == Position::table)
    return out_.error("unknown-label", v.at,
                      fmt::format("no list of targets '{}' stands above{}", v.name, scopes_.hint(v.name)));
  if (position == Position::call)
    return out_.error("unknown-symbol", v.at,
                      fmt::format("'{}' is no function or prototype declared above{}", v.name, scopes_.hint(v.name)));
  if (scopes_.find(v.name)) return out_.error("operand-kind", v.at, fmt::format("'{}' is no register", v.name));
  if (v.name[0] == '%') {
    std::string hint = scopes_.hint(v.name);
    if (hint.empty()) hint = special_hint(v.name);
    return out_.error("undeclared-register", v.at, fmt::format("register '{}' is not declared{}", v.name, hint));
  }
  out_.error("unknown-symbol", v.at,
             fmt::format("'{}' is no register, variable or parameter{}", v.name, scopes_.hint(v.name)));
}

std::uint32_t Lowering::use_register(std::string_view name, Entity& entity) {
  if (entity.kind == Entity::Kind::reg) return entity.index;
  const RegisterDeclaration& declaration = scopes_.declaration(entity.index);
  std::vector<ir::Register>& registers = body_->function->registers;
  entity = {Entity::Kind::reg, std::uint32_t(registers.size())};
  registers.push_back(
      {.name = unique(name), .type = declaration.type, .vector = declaration.vector, .at = declaration.at});
  return entity.index;
}

// A name that nothing else in the function has, so that its scopes can be flattened.
std::string Lowering::unique(std::string_view name) {
  std::string result(name);
  for (unsigned n = 1; scopes_.in_module(result) || !body_->names.insert(result).second; ++n)
    result = fmt::format("{}_{}", name, n);
  return result;
}

}  // namespace ptxeq::grammar
