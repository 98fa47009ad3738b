// Spaces, addresses, loads and stores, barriers.
#include <algorithm>

#include "symbolic/compiler.h"

namespace ptxeq::sym {

using namespace ir::literals;
using ir::Action;
using ir::Operand;
using ir::Space;

namespace {

Space space_of(const ir::Opcode& op) {
  static constexpr std::pair<ir::Word, Space> words[] = {
      {"global"_w, Space::global},      {"shared"_w, Space::shared},    {"shared::cta"_w, Space::shared},
      {"local"_w, Space::local},        {"const"_w, Space::const_},     {"param"_w, Space::param},
      {"param::entry"_w, Space::param}, {"param::func"_w, Space::param}};
  for (const auto& [word, space] : words)
    if (op.has(word)) return space;
  return Space::generic;
}

}  // namespace

Access Compiler::access(const Frame& f, const ir::Instruction& i, const Operand& memory) {
  const ir::Opcode& op = i.op;
  if (op.has("shared::cluster"_w)) fail(i, "distributed shared memory is not modelled");
  Access a;
  a.space = space_of(op);
  a.bytes = u8((op.bits() + 7) / 8);
  if (ir::bits(op.type()) > 64) fail(i, "128-bit accesses are not modelled");
  a.sign = ir::is_signed(op.type());
  a.strong =
      op.has("volatile"_w) || op.has("relaxed"_w) || op.has("acquire"_w) || op.has("release"_w) || op.has("mmio"_w);
  a.read_only = op.has("nc"_w);
  const Operand& base = memory.parts.front();
  a.offset = u64(memory.value);
  switch (base.kind) {
    case Operand::Kind::reg:
      a.base = f.registers + base.index;
      break;
    case Operand::Kind::symbol:
    case Operand::Kind::param:
      a.object = object_of(f, i, base);
      a.offset += u64(base.value);
      break;
    case Operand::Kind::imm:
      a.base = constant(64, u64(base.value));
      break;
    default:
      fail(i, "this address is not modelled");
  }
  return a;
}

void Compiler::emit_access(const Frame& f, const ir::Instruction& i) {
  const bool store = ir::form(i.op).action == Action::store;
  Step s = start(f, i, store ? StepKind::store : StepKind::load);
  const Operand& data = i.operands[store ? 1 : 0];
  s.access = access(f, i, i.operands[store ? 0 : 1]);
  const auto add = [&](const Operand& o) {
    if (store)
      s.in.push_back(input(f, i, o, i.op.type()));
    else
      s.out.push_back(output(f, i, o, i.op.type()));
  };
  if (data.kind == Operand::Kind::vector)
    for (const Operand& o : data.parts) add(o);
  else
    add(data);
  s.access.count = u8(std::max(s.in.size(), s.out.size()));
  emit(std::move(s));
}

// cvta.to.space, cvta.space and isspacep.space; the space stands in `access`.
void Compiler::emit_address(const Frame& f, const ir::Instruction& i) {
  const bool question = ir::mnemonic(ir::form(i.op)) == "isspacep";
  Step s = start(f, i, question ? StepKind::is_space : i.op.has("to"_w) ? StepKind::to_space : StepKind::from_space);
  if (i.op.has("shared::cluster"_w)) fail(i, "distributed shared memory is not modelled");
  s.access.space = space_of(i.op);
  const ir::Type type = question ? ir::Type::b64 : i.op.type();
  s.out.push_back(output(f, i, i.operands[0], question ? ir::Type::pred : type));
  s.in.push_back(input(f, i, i.operands[1], type));
  emit(std::move(s));
}

void Compiler::emit_barrier(const Frame& f, const ir::Instruction& i) {
  const ir::Form& form = ir::form(i.op);
  if (form.action == Action::barrier_warp) {
    Step s = start(f, i, StepKind::barrier_warp);
    s.in.push_back(input(f, i, i.operands.front(), ir::Type::b32));
    emit(std::move(s));
    return;
  }
  Step s = start(f, i, StepKind::barrier);
  using Kind = BarrierInfo::Kind;
  s.barrier.aligned = ir::mnemonic(form) == "bar" || i.op.has("aligned"_w);
  const bool red = i.op.has("red"_w);
  s.barrier.kind = i.op.has("arrive"_w) ? Kind::arrive
                   : !red               ? Kind::sync
                   : i.op.has("popc"_w) ? Kind::red_popc
                   : i.op.has("and"_w)  ? Kind::red_and
                                        : Kind::red_or;
  std::size_t next = 0;
  if (red) s.out.push_back(output(f, i, i.operands[next++], i.op.has("popc"_w) ? ir::Type::u32 : ir::Type::pred));
  s.barrier.id = input(f, i, i.operands[next++], ir::Type::u32);
  const std::size_t numbers = i.operands.size() - (red ? 1 : 0);
  if (next < numbers) s.barrier.count = input(f, i, i.operands[next++], ir::Type::u32);
  if (red) s.barrier.predicate = input(f, i, i.operands.back(), ir::Type::pred);
  emit(std::move(s));
}

}  // namespace ptxeq::sym
