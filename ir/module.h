// The typed IR: a PTX module as plain values. Nested scopes are flattened (a shadowing register, label or
// .param variable gets a name of its own), so text -> IR -> text -> IR is the identity.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/finding.h"
#include "ir/opcode.h"
#include "ir/type.h"

namespace ptxeq::ir {

enum class Space : std::uint8_t { generic, reg, global, shared, local, const_, param, tex };
std::string_view name(Space space);

// Special registers (PTX ISA 10). `extent` 3 means .x/.y/.z/.w select a component.
enum class Special : std::uint8_t {
  tid,
  ntid,
  ctaid,
  nctaid,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  warp_size,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  is_explicit_cluster,
  clusterid,
  nclusterid,
  cluster_ctaid,
  cluster_nctaid,
  cluster_ctarank,
  cluster_nctarank,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  reserved_smem,
  current_graph_exec,
  pm,
  pm64,
  envreg,
  count_
};
struct SpecialInfo {
  std::string_view name;  // with the '%', "WARP_SZ" excepted
  Type type;              // of one component
  bool vector;            // has components .x .y .z .w
};
const SpecialInfo& info(Special special);

// The special register called `name`, without component: %envreg3 is {envreg, 3}, %tid is {tid, 0}.
struct SpecialName {
  Special special;
  int member;  // which %envreg, %pm, %reserved_smem_offset_*; else 0
};
std::optional<SpecialName> find_special(std::string_view name);
// As written; `member` is a component (-1: none) or a number as in SpecialName.
std::string spell(Special special, int member);

struct Operand {
  enum class Kind : std::uint8_t {
    none,
    reg,       // index: register of the function
    imm,       // value: 64 bits; `type` b64 (integer as written, sign-extended), f32 (0f..., bits) or f64 (0d..., 1.5)
    special,   // index: Special; value: component 0..3 (-1: a whole vector), or SpecialName::member
    symbol,    // index into Module::variables or Function::variables (see `local`), value: byte offset
    param,     // index into Function::params and on into Function::results (Function::param), value: byte offset
    function,  // index into Module::functions
    label,     // index into Function::labels; also names of .branchtargets/.calltargets/.callprototype
    memory,    // [base + value, ...]: parts[0] is reg, symbol, param or imm; the others follow its comma
    vector,    // {a, b, ...}: parts
    pair,      // p|q: parts[0], parts[1]
    list,      // (a, b): call arguments and results
    sink,      // _
  };
  Kind kind = Kind::none;
  bool negated = false;    // !p, or -r of the video instructions; -imm is folded instead
  bool local = false;      // symbol: in Function::variables, else in Module::variables
  std::int8_t part = -1;   // selector: 0..3 .b0 .. .b3, 4..5 .h0 .h1, 8..11 .x .y .z .w of a vector register; -1: none
  Type type = Type::none;  // imm only
  std::uint32_t index = 0;
  std::int64_t value = 0;
  std::vector<Operand> parts;
  Location at;
  bool same(const Operand& other) const;  // equal but for places
};

struct Guard {
  bool present = false;
  bool negated = false;
  std::uint32_t reg = 0;
};

struct Instruction {
  Opcode op;
  Guard guard;
  std::vector<Operand> operands;  // in the order written, destination first
  Location at;                    // of the opcode (or its guard)
  std::uint32_t source_file = 0;  // from .loc, an index into Module::source_files
  std::uint32_t source_line = 0;  // from .loc, 0: unknown
};

struct Register {
  std::string name;  // with its '%'
  Type type = Type::none;
  std::uint8_t vector = 1;  // .v2/.v4 registers (deprecated), 1 normally
  Location at;
};

// An initialiser's piece: `size` bytes at `offset`, a number or the address of a symbol plus value.
struct Initial {
  std::uint64_t offset = 0;
  std::uint8_t size = 0;
  std::int64_t value = 0;
  std::string symbol;              // empty: a number
  bool generic = false;            // generic(symbol)
  std::uint8_t mask_shift = 0xff;  // mask operator 0xff(sym) .. : byte selected, 0xff: whole
};

struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::b8;
  std::uint8_t vector = 1;
  std::uint32_t align = 0;          // bytes; the natural alignment unless declared
  std::uint64_t count = 1;          // elements over all dimensions; 0: extern array without size
  std::vector<std::uint64_t> dims;  // as written; 0 for an open first dimension
  bool is_array = false;
  bool initialised = false;
  std::vector<Initial> initial;
  std::vector<std::string> linkage;     // .visible .extern .weak .common
  std::vector<std::string> attributes;  // .attribute(...) etc., as text
  Location at;
  std::uint64_t bytes() const { return count * vector * ((bits(type) + 7) / 8); }
};

struct Param {
  std::string name;
  Type type = Type::b64;
  std::uint64_t count = 1;  // .b8 p[12]: 12
  bool is_array = false;
  std::uint32_t align = 0;  // bytes; the natural alignment unless declared
  bool is_reg = false;      // .reg parameter of a .func; index of its register in `reg`
  std::uint32_t reg = 0;
  bool pointer = false;  // .ptr
  Space pointee = Space::generic;
  std::uint32_t pointee_align = 4;
  Location at;
  std::uint64_t bytes() const { return count * ((bits(type) + 7) / 8); }
};

struct Label {
  enum class Kind : std::uint8_t { code, branch_targets, call_targets, call_prototype };
  std::string name;
  Kind kind = Kind::code;
  std::uint32_t target = 0;            // index of the instruction that follows
  std::vector<std::uint32_t> targets;  // branch_targets: labels; call_targets: functions
  std::vector<Param> params, results;  // call_prototype
  bool noreturn = false;
  Location at;
};

struct Directive {   // .maxntid 256, 1, 1 · .pragma "nounroll" ...
  std::string name;  // with its dot
  std::vector<std::string> values;
  std::uint32_t position = 0;  // index of the instruction that follows (body directives)
  Location at;
};

struct Function {
  std::string name;
  bool entry = false;
  bool has_body = false;              // else a declaration
  std::vector<std::string> linkage;   // .visible .weak .extern
  std::vector<Directive> directives;  // before the body
  std::vector<Param> params, results;
  std::vector<Register> registers;  // those used, in order of first use
  std::vector<Variable> variables;  // .shared .local .param declared in the body
  std::vector<Label> labels;
  std::vector<Directive> body_directives;
  std::vector<Instruction> body;
  Location at;
  const Param& param(std::uint32_t index) const;  // what Operand::Kind::param names
};

struct Alias {
  std::string name, aliasee;
};

struct Module {
  std::string file;                         // as the user named it
  unsigned version = 0;                     // major * 10 + minor: 9.0 is 90
  unsigned sm = 0;                          // 80 for sm_80
  char suffix = 0;                          // 'a' or 'f' of sm_90a, sm_100f
  std::vector<std::string> target_options;  // debug, texmode_...
  unsigned address_size = 64;
  std::vector<Variable> variables;
  std::vector<Function> functions;  // declarations without body first, then bodies in order of text
  std::vector<Alias> aliases;
  std::vector<std::string> source_files;  // by .file number; "" where missing
  std::vector<Directive> directives;      // module-level .pragma; .section with its text
  std::vector<std::string> lines;         // the source text, for carets; not part of identity
  Location version_at, target_at, address_size_at;

  const Function* find(std::string_view function) const;
};

// Equal but for places and source text.
bool same(const Module& a, const Module& b);

}  // namespace ptxeq::ir
