#include "checker/infer.h"

#include <algorithm>
#include <cstddef>

#include "ir/isa.h"

namespace ptxeq::check {
namespace {

using ir::Action;
using ir::Operand;
using Set = std::vector<bool>;  // of parameters

// The parameters whose value may have become (part of) a register's address.
class Flow {
 public:
  explicit Flow(const ir::Function& kernel)
      : kernel_(kernel), reach_(kernel.registers.size(), Set(kernel.params.size())) {}

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
    return Set(kernel_.params.size());
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
    if (from.kind != Operand::Kind::memory || from.parts.empty() || from.parts[0].kind != Operand::Kind::param)
      return false;
    if (to.kind == Operand::Kind::vector) return false;
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

  bool add(const Operand& to, std::size_t param) {
    if (to.kind != Operand::Kind::reg || to.index >= reach_.size() || reach_[to.index][param]) return false;
    reach_[to.index][param] = true;
    return true;
  }

  const ir::Function& kernel_;
  std::vector<Set> reach_;
};

bool is_access(Action action) {
  return action == Action::load || action == Action::store || action == Action::prefetch;
}

// Params whose value is in `set` become pointers: surely when there is one, perhaps when several are summed.
void mark(const Set& set, std::vector<ParamUse>& uses) {
  const auto many = std::count(set.begin(), set.end(), true);
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (!set[i]) continue;
    auto& pointer = uses[i].pointer;
    pointer = std::max(pointer, many == 1 ? ParamUse::Pointer::yes : ParamUse::Pointer::maybe);
  }
}

void note_access(const ir::Instruction& instruction, const Set& set, std::vector<ParamUse>& uses) {
  const auto& form = ir::form(instruction.op);
  const auto opcode = ir::mnemonic(form);
  const bool atomic = opcode == "atom" || opcode == "red";
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (!set[i]) continue;
    uses[i].loaded |= atomic || form.action == Action::load;
    uses[i].stored |= atomic || form.action == Action::store;
    if (uses[i].element == ir::Type::none && instruction.op.type_count > 0)
      uses[i].element = instruction.op.type(instruction.op.type_count - 1u);
  }
}

}  // namespace

std::vector<ParamUse> infer_params(const ir::Function& kernel) {
  std::vector<ParamUse> uses(kernel.params.size());
  Flow flow(kernel);
  flow.run();
  for (const auto& instruction : kernel.body) {
    const auto& form = ir::form(instruction.op);
    // cvta.to makes a generic address a global one: its operand is a pointer whatever happens to it.
    if (ir::mnemonic(form) == "cvta" && instruction.operands.size() > 1) mark(flow.of(instruction.operands[1]), uses);
    for (const auto& operand : instruction.operands) {
      if (operand.kind != Operand::Kind::memory) continue;
      const Set set = flow.of(operand);
      mark(set, uses);
      if (is_access(form.action) || form.action == Action::compute) note_access(instruction, set, uses);
    }
  }
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (kernel.params[i].bytes() != 8)
      uses[i].pointer = ParamUse::Pointer::no;
    else if (kernel.params[i].pointer)
      uses[i].pointer = ParamUse::Pointer::yes;
  }
  // Where one summand surely is the pointer, the others are offsets.
  for (const auto& instruction : kernel.body) {
    for (const auto& operand : instruction.operands) {
      if (operand.kind != Operand::Kind::memory) continue;
      const Set set = flow.of(operand);
      const auto surely = [&](std::size_t i) { return set[i] && uses[i].pointer == ParamUse::Pointer::yes; };
      bool any = false;
      for (std::size_t i = 0; i < set.size(); ++i) any |= surely(i);
      for (std::size_t i = 0; any && i < set.size(); ++i)
        if (set[i] && !surely(i)) uses[i].pointer = ParamUse::Pointer::no;
    }
  }
  return uses;
}

}  // namespace ptxeq::check
