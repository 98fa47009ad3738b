// The instruction table: one row a form. A row says how the form is spelled, since when it exists, and what it
// does; reading, type and target checks, printing, execution, `ptxeq isa` and the docs' coverage table all come
// from it. Rows stand in ir/isa/*.h, a file a chapter of the manual.
//
// Spelling, a small language: blanks separate slots; "[...]" is optional, "a|b" are alternatives, "m64n*k16" is any
// word of that shape. Words that name a data type are types, in order 0, 1, ...
//     "add [rn|rz|rm|rp] [ftz] [sat] f32"            "mul wide u16|s16|u32|s32"
// "@70,80" behind an alternative or a "[...]" needs PTX 7.0 and sm_80; "@86,100f-119" a family (or 'a') target from
// sm_100 to sm_119.
// As ptxas, the matcher takes the modifiers in any order; only words of one slot and the types keep theirs.
//
// Operands, blanks between:  name:type, where the type is
//     t, t1    the form's data type 0, 1          2t   twice as wide        pred, u32, b64 ...  that type
//     m        memory operand                     label, func, sym, list, any
//     imm      a constant                         imm=4,8,16   one of these
//     vt       vector as wide as .v2/.v4/.v8 says (a scalar without)       {b32}  a vector of any width, or a scalar
//     frag, frag1   a thread's registers of a matrix whose elements have type t, t1
//     <b32>    a vector of any width            b64/frag1     a b64 or a fragment
//     b64/m    a b64 or a memory operand          mm   memory operand with a coordinate vector ("[map, {x, y}]")
//     "[x:t]"  optional    "x:t?word"  there exactly when the opcode has that word
//     "p[|q]:pred"  one or a pair; "d[|p]:b32" a b32, and a predicate behind '|';  "d|p:b32" always both
//     "<cc" reads the carry flag, ">cc" writes it (when the word "cc" is present)
// The first operand is the destination unless the row says `no_result`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ir/module.h"

namespace ptxeq::ir {

// How the machine runs a row. `compute` rows carry their semantics; the others are the machine's own.
enum class Action : std::uint8_t {
  compute,  // results are a function of the operands
  load,
  store,
  prefetch,
  address,  // ld/ldu; st; prefetch and other hints without effect; cvta/isspacep
  branch,
  branch_indexed,
  call,
  ret,
  exit,
  trap,
  barrier,
  barrier_warp,  // bar/barrier; bar.warp.sync
  fence,         // membar/fence: ordering only
  nothing,       // nanosleep, pmevent, discard hints ...
  unmodelled,    // read and checked, not executed: a run that reaches it is inconclusive
};

struct Needs {
  std::uint16_t ptx = 10;  // major * 10 + minor
  std::uint16_t sm = 0;
  char suffix = 0;            // 'a': needs an sm_XYa target; 'f': a family target (or 'a')
  std::uint16_t last = 9999;  // the last sm that has it
};

struct Form {
  std::string_view spelling;
  std::string_view operands;
  Needs needs;
  Action action = Action::unmodelled;
  std::string_view section;   // of the PTX ISA 9.x manual: "9.7.1.1"
  std::string_view text;      // what it does, in words: "d = a + b, modulo 2^n"
  bool no_result = false;     // no operand is written
  Needs removed{9999, 9999};  // gone from this PTX version on targets of at least this sm
};

// A row: its form and, for Action::compute, its semantics, a generic callable
//     [](auto& d, const Opcode& op, auto... operands) -> Value or std::array<Value, n>
// over a domain d (symbolic/domain.h says what a domain offers). Operands arrive in the order of Form::operands
// without the destinations; "<cc" adds the carry (1 bit) last, ">cc" makes the result {d, carry}.
template <class Does>
struct Row {
  Form form;
  Does does;
};
struct Nothing {};
template <class Does>
constexpr Row<Does> row(Form form, Does does) {
  return {form, does};
}
constexpr Row<Nothing> row(Form form) { return {form, {}}; }

// --- what the rest of the program asks of the table (ir/isa.cpp, ir/match.cpp, ir/typing.cpp) ---

// All forms in table order; Opcode::form is an index into this. Those with semantics come first, in the order of
// isa::for_each_row.
const std::vector<Form>& forms();
inline const Form& form(const Opcode& op) { return forms()[op.form]; }
// The opcode's first word: "add".
std::string_view mnemonic(const Form& form);
// Whether a run can go through this form.
inline bool modelled(const Form& form) { return form.action != Action::unmodelled; }
std::string_view name(Action action);
// "PTX 7.0, sm_80", "PTX 8.6, sm_100f".
std::string describe(const Needs& needs);

struct OperandPattern {
  std::string name;
  enum class Shape : std::uint8_t {
    value,
    memory,
    label,
    function,
    symbol,
    list,
    immediate,
    predicate_pair,
    any
  } shape = Shape::value;
  bool optional = false;
  bool vector = false;                // "vt": as many elements as the opcode's vector word says
  bool braces = false;                // "{b32}": any number of elements
  bool vector_only = false;           // "<b32>"
  bool or_memory = false;             // "b64/m"
  bool coordinates = false;           // "mm": a vector (and more) behind the base
  bool fragment = false;              // "frag": a thread's registers of a matrix of type t
  bool second_required = false;       // "d|p": the predicate must be there
  Type type = Type::none;             // a fixed type, or none:
  std::uint8_t type_slot = 0;         // the opcode's data type number ...
  std::uint8_t scale = 1;             // ... times this in width (2 for .wide)
  std::vector<std::int64_t> allowed;  // "imm=4,8,16": the constants that may stand there; empty: any
  std::optional<Word> when;           // there exactly when the opcode has this word
};
// A form's operands, parsed once.
const std::vector<OperandPattern>& operand_patterns(const Form& form);
bool reads_carry(const Form& form);
bool writes_carry(const Form& form);
// The pattern of each operand of an instruction as written (nothing left out is listed); empty when they do not fit.
std::vector<const OperandPattern*> assign_operands(const Opcode& op, const std::vector<Operand>& operands);
// An operand's data type under `op`: u64 for the result of mul.wide.u32.
Type operand_type(const OperandPattern& pattern, const Opcode& op);
// Registers that a "frag" operand has.
unsigned fragment_registers(const Opcode& op, const OperandPattern& pattern);
// Elements that a "vt" operand has: 1, 2, 4 or 8.
unsigned vector_size(const Opcode& op);

struct Match {
  Opcode op;
  bool ok = false;
  std::string error;  // why nothing matched: names the word and what is allowed in its place
  std::string code;   // finding code for it: syntax, illegal-modifier, operand-kind
};
// Finds the row for "ld.global.nc.f32" as written, with `operand_count` operands.
Match match(std::string_view opcode_text, std::size_t operand_count);

// match() with a memory of its own: a file repeats few opcodes.
class Matcher {
 public:
  const Match& match(std::string_view opcode_text, std::size_t operand_count);

 private:
  std::unordered_map<std::string, Match> seen_;  // by "opcode count"
  std::string key_;
};

// "ld.global.nc.f32" again.
std::string spell(const Opcode& op);

// What an opcode asks of version and target, its row's and its words' own needs.
std::vector<Needs> needs(const Opcode& op);

// What ptxas would say against this instruction: operand kinds and types, PTX version, target. `findings` get
// code, severity, message and place; side and file are the caller's to fill in.
void check(const Module& module, const Function& function, const Instruction& instruction,
           std::vector<Finding>& findings);

}  // namespace ptxeq::ir
