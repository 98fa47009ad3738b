#include "checker/infer.h"

#include <algorithm>
#include <cstddef>

#include "ir/isa.h"

namespace ptxeq::check {
namespace {

using ir::Action;
using ir::Operand;

// Where an address may come from: a bit a parameter, and two for what is none.
using Set = std::vector<bool>;
std::size_t variable_bit(const ir::Function& kernel) { return kernel.params.size(); }    // a variable's address
std::size_t loaded_bit(const ir::Function& kernel) { return kernel.params.size() + 1; }  // a value out of memory
Set nothing(const ir::Function& kernel) { return Set(kernel.params.size() + 2); }

// The parameters whose value may have become (part of) a register's address.
class Flow {
 public:
  explicit Flow(const ir::Function& kernel) : kernel_(kernel), reach_(kernel.registers.size(), nothing(kernel)) {}

  // To a fixed point; sets only grow, so it ends.
  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& instruction : kernel_.body) changed |= step(instruction);
    }
  }

  Set of(const Operand& operand) const {
    if (operand.kind == Operand::Kind::memory && !operand.parts.empty()) return of(operand.parts[0]);
    if (operand.kind == Operand::Kind::reg && operand.index < reach_.size()) return reach_[operand.index];
    Set set = nothing(kernel_);
    set[variable_bit(kernel_)] = operand.kind == Operand::Kind::symbol;
    return set;
  }

 private:
  bool step(const ir::Instruction& instruction) {
    const auto& operands = instruction.operands;
    if (operands.size() < 2) return false;
    const auto& form = ir::form(instruction.op);
    const auto opcode = ir::mnemonic(form);
    if (form.action == Action::load) return load(operands[0], operands[1]);
    if (opcode == "mov" || opcode == "cvta") return join(operands[0], operands[1]);
    if (opcode == "add" || opcode == "sub")
      return join(operands[0], operands[1]) |
             (operands.size() > 2 && opcode == "add" && join(operands[0], operands[2]));
    if (opcode == "mad" && operands.size() > 3) return join(operands[0], operands[3]);
    if (opcode == "selp" && operands.size() > 2) return join(operands[0], operands[1]) | join(operands[0], operands[2]);
    return false;
  }

  bool load(const Operand& to, const Operand& from) {
    if (from.kind != Operand::Kind::memory || from.parts.empty()) return false;
    if (from.parts[0].kind != Operand::Kind::param) return add(to, loaded_bit(kernel_));
    const auto param = from.parts[0].index;
    if (param >= kernel_.params.size() || kernel_.params[param].bytes() != 8 || from.value != 0) return false;
    return add(to, param);
  }

  bool join(const Operand& to, const Operand& from) {
    bool changed = false;
    const Set set = of(from);
    for (std::size_t i = 0; i < set.size(); ++i) changed |= set[i] && add(to, i);
    return changed;
  }

  bool add(const Operand& to, std::size_t bit) {
    if (to.kind != Operand::Kind::reg || to.index >= reach_.size() || reach_[to.index][bit]) return false;
    reach_[to.index][bit] = true;
    return true;
  }

  const ir::Function& kernel_;
  std::vector<Set> reach_;
};

// Params whose value is in `set` become pointers: surely when there is one, perhaps when several are summed.
void mark(const Set& set, std::vector<ParamUse>& uses) {
  const auto many = std::count(set.begin(), set.end(), true);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (!set[i]) continue;
    auto& pointer = uses[i].pointer;
    pointer = std::max(pointer, many == 1 ? ParamUse::Pointer::yes : ParamUse::Pointer::maybe);
  }
}

// The type of what is moved: the opcode's, or for .b32 and its like a float register's.
ir::Type accessed_type(const ir::Function& kernel, const ir::Instruction& instruction) {
  if (instruction.op.type_count == 0) return ir::Type::none;
  const auto type = instruction.op.type(instruction.op.type_count - 1u);
  if (ir::kind(type) != ir::Kind::bits) return type;
  for (const auto& operand : instruction.operands) {
    const auto& one = operand.kind == Operand::Kind::vector && !operand.parts.empty() ? operand.parts[0] : operand;
    if (one.kind != Operand::Kind::reg) continue;
    const auto of_register = kernel.registers[one.index].type;
    if (ir::kind(of_register) == ir::Kind::floating && ir::bits(of_register) == ir::bits(type)) return of_register;
  }
  return type;
}

void note_access(const ir::Function& kernel, const ir::Instruction& instruction, const Set& set,
                 std::vector<ParamUse>& uses) {
  const auto& form = ir::form(instruction.op);
  const auto opcode = ir::mnemonic(form);
  const bool atomic = opcode == "atom" || opcode == "red";
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (!set[i]) continue;
    uses[i].loaded |= atomic || form.action == Action::load;
    uses[i].stored |= atomic || form.action == Action::store;
    const auto type = accessed_type(kernel, instruction);
    auto& element = uses[i].element;
    const bool untyped = ir::kind(element) == ir::Kind::bits && ir::kind(type) != ir::Kind::bits;
    if (element == ir::Type::none || (untyped && ir::bits(element) == ir::bits(type))) element = type;
  }
}

// Every memory operand, with the parameters that its address may come from.
template <class Visit>
void each_address(const ir::Function& kernel, const Flow& flow, Visit visit) {
  for (const auto& instruction : kernel.body)
    for (const auto& operand : instruction.operands)
      if (operand.kind == Operand::Kind::memory) visit(instruction, flow.of(operand));
}

// Where one summand surely is the pointer, the others are offsets.
void drop_offsets(const Set& set, std::vector<ParamUse>& uses) {
  const auto surely = [&](std::size_t i) { return set[i] && uses[i].pointer == ParamUse::Pointer::yes; };
  bool any = set[uses.size()];  // a variable is
  for (std::size_t i = 0; i < uses.size(); ++i) any |= surely(i);
  for (std::size_t i = 0; any && i < uses.size(); ++i)
    if (set[i] && !surely(i)) uses[i].pointer = ParamUse::Pointer::no;
}

}  // namespace

std::vector<ParamUse> infer_params(const ir::Function& kernel) {
  std::vector<ParamUse> uses(kernel.params.size());
  Flow flow(kernel);
  flow.run();
  for (const auto& instruction : kernel.body) {
    // cvta.to makes a generic address a global one: its operand is a pointer whatever happens to it.
    if (instruction.operands.size() > 1 && ir::mnemonic(ir::form(instruction.op)) == "cvta")
      mark(flow.of(instruction.operands[1]), uses);
  }
  each_address(kernel, flow, [&](const ir::Instruction& instruction, const Set& set) {
    mark(set, uses);
    note_access(kernel, instruction, set, uses);
  });
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (kernel.params[i].bytes() != 8)
      uses[i].pointer = ParamUse::Pointer::no;
    else if (kernel.params[i].pointer)
      uses[i].pointer = ParamUse::Pointer::yes;
  }
  each_address(kernel, flow, [&](const ir::Instruction&, const Set& set) { drop_offsets(set, uses); });
  return uses;
}

}  // namespace ptxeq::check
