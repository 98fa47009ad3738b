// Inside of compile(), for program.cpp and compiler*.cpp alone: puts a kernel's bodies into one Program, step by step.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "symbolic/program.h"

namespace ptxeq::sym {

class Compiler {
 public:
  Compiler(const ir::Module& module, const ir::Function& kernel, World& world, const ModuleObjects& objects,
           u64 dynamic_shared);
  Program run();

  struct Failure {  // thrown here, caught here and in compile()
    Stop stop;
  };

 private:
  // One body that is being put into the program.
  struct Frame {
    const ir::Function* function = nullptr;
    unsigned depth = 0;                                            // of calls
    u32 registers = 0;                                             // slot of register 0
    std::vector<ObjectId> variables;                               // by Function::variables
    std::vector<ObjectId> params;                                  // by Function::param index
    std::vector<u32> step_of;                                      // by body index
    std::vector<std::pair<u32, const ir::Instruction*>> branches;  // their steps; targets are set when all are known
    std::vector<u32> returns;                                      // likewise
  };
  // The hardware has one flag for the carry of add and mad and the borrow of sub, and the two are not each other's
  // meaning: each kind has its slot, and what one leaves in the other's is open (measured; docs/soundness.md).
  enum CarryKind : u8 { of_sums, of_differences };

  [[noreturn]] static void fail(const ir::Instruction& i, std::string message) {
    throw Failure{{Stop::Why::unsupported, std::move(message), i.at}};
  }
  static unsigned width_of(ir::Type t) { return t == ir::Type::pred ? 1 : std::min(ir::bits(t), 64u); }

  // compiler.cpp: bodies
  Frame enter(const ir::Function& f, unsigned depth);
  Step start(const Frame& f, const ir::Instruction& i, StepKind kind) const;
  Step& emit(Step s);
  void emit_body(Frame& f);
  void resolve_branch(const Frame& f, Step& s, const ir::Instruction& i) const;
  void emit_instruction(Frame& f, const ir::Instruction& i);
  void emit_compute(const Frame& f, const ir::Instruction& i);
  void emit_vector_move(const Frame& f, const ir::Instruction& i, Step s);

  // compiler_operand.cpp: slots and objects
  Input input(const Frame& f, const ir::Instruction& i, const ir::Operand& o, ir::Type type);
  Input output(const Frame& f, const ir::Instruction& i, const ir::Operand& o, ir::Type type);
  Input special(const ir::Instruction& i, const ir::Operand& o);
  u32 prefilled(unsigned width, SlotInit init);
  u32 constant(unsigned width, u64 bits);
  u32 temporary(unsigned width);
  static CarryKind carry_kind(const ir::Instruction& i);
  u32 carry(CarryKind kind);
  void forget_carry(const Frame& f, const ir::Instruction& i, CarryKind kind);
  ObjectId object_of(const Frame& f, const ir::Instruction& i, const ir::Operand& o);
  ObjectId variable(const ir::Variable& v);
  ObjectId module_variable(u32 index);
  ObjectId dynamic_shared();

  // compiler_memory.cpp
  Access access(const Frame& f, const ir::Instruction& i, const ir::Operand& memory);
  void emit_access(const Frame& f, const ir::Instruction& i);
  void emit_address(const Frame& f, const ir::Instruction& i);
  void emit_barrier(const Frame& f, const ir::Instruction& i);

  // compiler_call.cpp
  void emit_call(const Frame& f, const ir::Instruction& i);
  const ir::Function& definition(const ir::Function& named) const;
  void bind(const Frame& f, const ir::Instruction& i, Frame& inner, const std::vector<ir::Param>& formals,
            const ir::Operand* actuals, bool in);
  void move(const ir::Instruction& i, const Frame& f, StepKind kind, Input value, ObjectId object);
  void copy(const ir::Instruction& i, const Frame& f, Input to, Input from);

  const ir::Module& module_;
  World& world_;
  const ModuleObjects& module_objects_;
  u64 dynamic_shared_;
  Program program_;
  std::optional<ObjectId> dynamic_object_;
  std::map<u32, ObjectId> module_shared_;
  std::map<std::tuple<unsigned, SlotInit::Kind, u64, ObjectId, ir::Special, u8>, u32> prefilled_;
  std::array<u32, 2> carry_{no_slot, no_slot};
  std::array<bool, 2> reads_carry_{};  // does any function of the module?
};

}  // namespace ptxeq::sym
