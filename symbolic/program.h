// A kernel made ready to run: calls inlined, operands resolved to register slots and objects, branches to steps.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ir/isa.h"
#include "symbolic/object.h"
#include "symbolic/stop.h"
#include "symbolic/value.h"

namespace ptxeq::sym {

inline constexpr u32 no_slot = ~u32(0);

struct Input {
  u32 slot = no_slot;
  u8 width = 0;
  bool negated = false;
  u8 narrow = 0;  // of a result: its own width where the register is wider, else 0
};

// How a register slot is filled before the first step.
struct SlotInit {
  enum class Kind : u8 { undefined, constant, address, special, unspecified } kind = Kind::undefined;
  u64 bits = 0;         // constant: the value; address: the offset
  ObjectId object = 0;  // address
  ir::Special special{};
  u8 component = 0;
};
struct Slot {
  u8 width = 0;
  SlotInit init;
  std::string name;  // the register's, for traces
};

enum class StepKind : u8 {
  compute,
  pack,
  unpack,  // pack/unpack: mov between a vector and a wider register
  load,
  store,
  to_space,
  from_space,
  is_space,  // cvta.to.x, cvta.x, isspacep
  jump,
  jump_indexed,
  exit,
  trap,
  barrier,
  barrier_warp,
  nothing,
  unmodelled,
};

// A load's or store's place: an address register plus offset, or an object plus offset.
struct Access {
  ir::Space space = ir::Space::generic;
  u8 bytes = 4;            // of one element
  u8 count = 1;            // elements
  bool sign = false;       // a narrow element is sign-extended into its register
  bool strong = false;     // volatile, relaxed, acquire, release, mmio
  bool read_only = false;  // ld.global.nc, ldu
  u32 base = no_slot;
  ObjectId object = 0;  // where there is no base
  u64 offset = 0;
};

struct BarrierInfo {
  enum class Kind : u8 { sync, arrive, red_popc, red_and, red_or } kind = Kind::sync;
  bool aligned = true;
  Input id, count, predicate;  // count: no_slot for all threads
};

struct Step {
  StepKind kind = StepKind::nothing;
  ir::Opcode op;
  Attr attr;
  u32 guard = no_slot;
  bool guard_negated = false;
  bool sums = false;           // an integer add: of an address and a number it is an address
  bool approximate = false;    // the row calls an approximate or unspecified function
  std::vector<Input> in, out;  // out: no_slot for a sink; its width is the register's
  bool extend_sign = false;    // a result narrower than its register is sign-extended, else zero-extended
  Access access;
  BarrierInfo barrier;
  std::vector<u32> targets;  // jump: one; jump_indexed: the list
  const ir::Instruction* instruction = nullptr;
  const ir::Function* function = nullptr;
  u32 rank = 0;           // order of execution among lanes that have parted, see symbolic/order.h
  std::vector<u32> live;  // at the head of a basic block: slots that may be read later, sorted
  bool head = false;      // begins a basic block
  std::string note;       // unmodelled: what is not, empty: the instruction itself
};

struct Program {
  const ir::Module* module = nullptr;
  const ir::Function* kernel = nullptr;
  std::vector<Step> steps;
  std::vector<Slot> slots;
  std::vector<ObjectId> params;         // one a kernel parameter
  std::vector<ObjectId> block_objects;  // shared: undefined again for each block
  std::vector<ObjectId> thread_objects;
  bool orders_memory = false;                // has fences, acquires or releases: what they order is not followed here
  std::string text(const Step& step) const;  // "add.s32 %r1, %r2, %r3;"
  Location at(const Step& step) const { return step.instruction ? step.instruction->at : Location{}; }
};

// What an opcode's words say of its floating operations; a domain hands it to the rows as d.attr(op).
Attr attributes(const ir::Opcode& op);

// Which object a module variable is; filled by link_variables.
using ModuleObjects = std::vector<ObjectId>;  // by index in Module::variables

// Adds the module's variables to the world. A .global or .const variable that `other` has too, with the same name, size
// and initialiser, becomes the same object.
ModuleObjects link_variables(const ir::Module& module, World& world, const ir::Module* other = nullptr,
                             const ModuleObjects* other_objects = nullptr);

// Adds the kernel's own objects to the world and resolves everything. A Stop says what cannot be resolved.
std::variant<Program, Stop> compile(const ir::Module& module, const ir::Function& kernel, World& world,
                                    const ModuleObjects& objects, u64 dynamic_shared);

}  // namespace ptxeq::sym
