#include <fmt/format.h>

#include "grammar/lowering.h"
#include "grammar/tree.h"
#include "ir/isa.h"

namespace ptxeq::grammar {

// The opcode as one view; blanks before a modifier ("ld .global") are legal, so it may have to be put together.
std::string_view Lowering::opcode(P::InstructionContext& c, std::size_t first) {
  std::size_t last = first;
  while (last + 1 < c.children.size() && dynamic_cast<P::ModifierContext*>(c.children[last + 1])) ++last;
  const std::size_t begin = leaf(c.children[first])->getStartIndex();
  std::size_t end = begin, length = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const antlr4::Token* token = i == first ? leaf(c.children[i]) : rule<P::ModifierContext>(c.children[i]).start;
    end = token->getStopIndex() + 1;
    length += end - token->getStartIndex();
  }
  const std::string_view whole = chunk_.substr(begin, end - begin);
  if (whole.size() == length) return whole;
  opcode_.clear();
  for (std::size_t i = first; i <= last; ++i)
    opcode_ += i == first ? text(c.children[i]) : text(rule<P::ModifierContext>(c.children[i]).start);
  return opcode_;
}

bool Lowering::guard(P::GuardContext& c, ir::Guard& guard) {
  const std::string_view name = text(c.children.back());
  guard.present = true;
  guard.negated = c.children.size() == 3;
  Value value;
  value.kind = Value::Kind::name;
  value.name = name;
  value.at = place(leaf(c.children.back()));
  Entity* entity = scopes_.find(name);
  if (!entity || (entity->kind != Entity::Kind::declared && entity->kind != Entity::Kind::reg)) {
    unknown(value, Position::value);
    return false;
  }
  guard.reg = use_register(name, *entity);
  const ir::Register& r = body_->function->registers[guard.reg];
  if (r.type == ir::Type::pred) return true;
  out_.error("type-mismatch", value.at,
             fmt::format("a guard is a predicate, but '{}' is .{}", name, ir::info(r.type).name));
  return false;
}

void Lowering::instruction(P::InstructionContext& c) {
  ir::Instruction instruction;
  instruction.at = place(c);
  instruction.source_file = body_->file;
  instruction.source_line = body_->line;
  std::size_t first = 0;
  bool good = true;
  if (auto* g = dynamic_cast<P::GuardContext*>(c.children[0])) {
    good = guard(*g, instruction.guard);
    first = 1;
  }
  const Location at = place(leaf(c.children[first]));
  instruction.at = at;
  const std::string_view opcode_text = opcode(c, first);
  const std::string_view mnemonic = opcode_text.substr(0, opcode_text.find('.'));
  std::size_t count = 0;
  each<P::OperandContext>(c, [&](P::OperandContext&) { ++count; });

  const ir::Match match = ir::match(opcode_text, count);
  if (!match.ok) {
    out_.error(match.code, at, match.error);
    good = false;
  }
  instruction.op = match.op;
  instruction.operands.reserve(count);
  waiting_.clear();
  each<P::OperandContext>(c, [&](P::OperandContext& o) {
    slot_ = std::uint32_t(instruction.operands.size());
    std::optional<ir::Operand> one = operand(o, position(mnemonic, slot_, count));
    good = good && one.has_value();
    instruction.operands.push_back(one ? std::move(*one) : ir::Operand());
  });
  if (!good) return;
  std::vector<Pending>& pending = body_->pending.back();
  pending.insert(pending.end(), waiting_.begin(), waiting_.end());
  body_->function->body.push_back(std::move(instruction));
}

}  // namespace ptxeq::grammar
