#include "symbolic/program.h"

#include "ir/printer.h"
#include "symbolic/compiler.h"

namespace ptxeq::sym {

using namespace ir::literals;

std::string Program::text(const Step& step) const {
  return step.instruction ? ir::print(*module, *step.function, *step.instruction) : std::string();
}

Attr attributes(const ir::Opcode& op) {
  Attr a;
  const bool explicit_rounding = op.has("rn"_w) || op.has("rz"_w) || op.has("rm"_w) || op.has("rp"_w);
  if (op.has("rz"_w) || op.has("rzi"_w)) a.rounding = Rounding::rz;
  if (op.has("rm"_w) || op.has("rmi"_w)) a.rounding = Rounding::rm;
  if (op.has("rp"_w) || op.has("rpi"_w)) a.rounding = Rounding::rp;
  a.ftz = op.has("ftz"_w);
  a.sat = op.has("sat"_w);
  a.relu = op.has("relu"_w);
  const ir::Type t = op.type();
  a.bf16 = t == ir::Type::bf16 || t == ir::Type::bf16x2;
  const std::string_view name = ir::mnemonic(ir::form(op));
  a.contractible = !explicit_rounding && (name == "add" || name == "sub" || name == "mul");
  return a;
}

std::variant<Program, Stop> compile(const ir::Module& module, const ir::Function& kernel, World& world,
                                    const ModuleObjects& objects, u64 dynamic_shared) {
  try {
    return Compiler(module, kernel, world, objects, dynamic_shared).run();
  } catch (Compiler::Failure& failure) {
    return std::move(failure.stop);
  }
}

}  // namespace ptxeq::sym
