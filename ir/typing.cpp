// What ptxas refuses in one instruction: version and target, operand kinds, register types, constants, spaces.
#include <algorithm>
#include <string>

#include "ir/isa.h"

namespace ptxeq::ir {
using namespace literals;
namespace {

using K = Operand::Kind;
using Shape = OperandPattern::Shape;

std::string dotted(Type type) { return "." + std::string(info(type).name); }
std::string number(unsigned version) { return std::to_string(version / 10) + "." + std::to_string(version % 10); }

// PTX ISA 9.4, tables 27 and 28: may a register of type `reg` hold an operand of type `wanted`? `wider`: the
// instruction takes registers wider than its type (ld, st, cvt).
bool register_fits(Type reg, Type wanted, bool wider) {
  if (reg == Type::pred || wanted == Type::pred) return reg == wanted;
  if (wider ? bits(reg) < bits(wanted) : bits(reg) != bits(wanted)) return false;
  const Kind have = kind(reg);
  if (have == Kind::bits) return true;
  switch (kind(wanted)) {
    case Kind::bits:
      return have != Kind::opaque;
    case Kind::unsigned_:
    case Kind::signed_:
      return have == Kind::unsigned_ || have == Kind::signed_ || have == Kind::packed;
    case Kind::floating:
      return reg == wanted;
    case Kind::packed:
      return reg == wanted || (reg == Type::f16x2 && (wanted == Type::u16x2 || wanted == Type::s16x2));
    default:
      return false;
  }
}

// A constant: integers for integers and bits, "0f" for f32, f64 and b32, doubles for f32, f64 and b64.
bool constant_fits(Type constant, Type wanted) {
  const Kind k = kind(wanted);
  if (constant == Type::f32) return wanted == Type::f32 || wanted == Type::f64 || wanted == Type::b32;
  if (constant == Type::f64) return wanted == Type::f32 || wanted == Type::f64 || wanted == Type::b64;
  return k == Kind::bits || k == Kind::unsigned_ || k == Kind::signed_ || k == Kind::pred;
}

// The type of a thread's registers for a matrix of `element`s.
Type fragment_type(Type element) {
  switch (element) {
    case Type::f16:
      return Type::f16x2;
    case Type::f32:
    case Type::s32:
    case Type::f64:
      return element;
    case Type::u8:
    case Type::s8:
    case Type::u4:
    case Type::s4:
    case Type::b1:
      return Type::u32;
    default:
      return Type::tf32;  // held in .b32 registers alone
  }
}

class Checker {
 public:
  Checker(const Module& module, const Function& function, const Instruction& instruction,
          std::vector<Finding>& findings)
      : module_(module),
        function_(function),
        instruction_(instruction),
        op_(instruction.op),
        form_(form(instruction.op)),
        findings_(findings) {}

  void run() {
    check_target();
    check_vector_width();
    check_modifiers();
    const auto patterns = assign_operands(op_, instruction_.operands);
    if (patterns.size() != instruction_.operands.size())
      return report(instruction_.at, "operand-kind",
                    "'" + spell(op_) + "' takes the operands " + std::string(form_.operands));
    for (std::size_t i = 0; i < patterns.size(); ++i)
      check_operand(*patterns[i], instruction_.operands[i], i == 0 && !form_.no_result);
    if (mnemonic(form_) == "mov") check_move();
    if (mnemonic(form_) == "bar" || mnemonic(form_) == "barrier") check_barrier(patterns);
  }

 private:
  void report(Location at, std::string code, std::string message) {
    Finding finding;
    finding.code = std::move(code);
    finding.message = std::move(message);
    finding.at = at.line ? at : instruction_.at;
    findings_.push_back(std::move(finding));
  }

  // --- version and target
  void check_target() {
    const std::string name = "'" + spell(op_) + "'";
    for (const Needs& n : needs(op_)) {
      if (module_.version && module_.version < n.ptx)
        report(instruction_.at, "version-too-old",
               name + " needs PTX " + number(n.ptx) + "; the file says .version " + number(module_.version));
      if (module_.sm && module_.sm < n.sm)
        report(instruction_.at, "target-too-low",
               name + " needs sm_" + std::to_string(n.sm) + "; the target is sm_" + std::to_string(module_.sm));
      else if (module_.sm && (module_.sm > n.last || (n.suffix == 'a' && module_.suffix != 'a') ||
                              (n.suffix == 'f' && !module_.suffix)))
        report(instruction_.at, "target-arch-specific", name + " needs a target as in " + describe(n));
    }
    const Needs& gone = form_.removed;
    if (module_.version >= gone.ptx && module_.sm >= gone.sm)
      report(instruction_.at, "removed-instruction",
             name + " is gone from PTX " + number(gone.ptx) + " on for sm_" + std::to_string(gone.sm) +
                 " and later; use the .sync form");
  }

  // 9.7.9.8: 256-bit accesses are to global memory, from PTX 8.8 and sm_100.
  void check_vector_width() {
    if (form_.action != Action::load && form_.action != Action::store) return;
    const unsigned n = vector_size(op_), width = n * op_.bits();
    const bool bytes = form_.action == Action::store && n == 8 && width == 64;  // ptxas takes st.v8.b8
    if (n == 1 || bytes || (width <= 128 && n <= 4)) return;
    if (width != 256 || op_.bits() < 32 || op_.bits() > 64 || !op_.has("global"_w))
      return report(instruction_.at, "illegal-modifier",
                    "'" + spell(op_) + "': no vector of " + std::to_string(n) + " elements " + dotted(op_.type()));
    if (module_.version && module_.version < 88)
      report(instruction_.at, "version-too-old", "256-bit accesses need PTX 8.8");
    if (module_.sm && module_.sm < 100) report(instruction_.at, "target-too-low", "256-bit accesses need sm_100");
  }

  // Modifiers that exclude or ask for one another, where the table's spelling alone does not say so.
  void check_modifiers() {
    const auto family = mnemonic(form_);
    auto has_any = [&](auto... words) { return (op_.has(words) || ...); };
    auto refuse = [&](const std::string& why) {
      report(instruction_.at, "illegal-modifier", "'" + spell(op_) + "': " + why);
    };
    if (family == "mbarrier" || family == "multimem")
      if (has_any("relaxed"_w, "acquire"_w, "release"_w) != has_any("cta"_w, "cluster"_w, "gpu"_w, "sys"_w))
        refuse("an order and a scope go together");
    if (accesses() && op_.has("L2::cache_hint"_w))
      if (has_any("shared"_w, "shared::cta"_w, "shared::cluster"_w)) refuse(".L2::cache_hint is for global memory");
    if (family == "cvta" && op_.type() == Type::u32)
      report(instruction_.at, "address-32bit", "'" + spell(op_) + "': addresses have 64 bits; use .u64");
  }

  // --- operands
  bool takes_wider() const {
    const auto family = mnemonic(form_);
    return family == "ld" || family == "ldu" || family == "st" || family == "cvt";
  }
  // Instructions that turn the name of a variable into its address.
  bool takes_symbols() const {
    const auto family = mnemonic(form_);
    return family == "mov" || family == "mapa" || family == "getctarank" || (family == "cvta" && !op_.has("to"_w));
  }
  // Whether "_" may stand for the destination.
  bool may_sink() const { return form_.action != Action::compute && form_.action != Action::load; }

  Type register_type(const Operand& operand) const {
    return operand.index < function_.registers.size() ? function_.registers[operand.index].type : Type::none;
  }

  void check_operand(const OperandPattern& pattern, const Operand& operand, bool destination) {
    if (operand.kind == K::memory) return check_address(pattern, operand);
    if (pattern.shape == Shape::predicate_pair) return check_pair(pattern, operand);
    if (pattern.shape == Shape::immediate) return check_constant(pattern, operand);
    if (pattern.shape == Shape::function && operand.kind == K::reg) return;
    if (pattern.shape != Shape::value) return;
    if (mnemonic(form_) == "mov") return check_element(pattern, operand, destination);  // vectors: check_move
    if (operand.kind == K::vector) return check_vector(pattern, operand, destination);
    const bool scalar = pattern.type != Type::none && pattern.fragment;  // "b64/frag1"
    if (!scalar && elements(pattern) > (pattern.braces ? 0 : 1))
      return report(operand.at, "operand-kind", pattern.name + " of '" + spell(op_) + "' is a vector");
    check_element(pattern, operand, destination);
  }

  void check_constant(const OperandPattern& pattern, const Operand& operand) {
    if (pattern.allowed.empty() || std::ranges::find(pattern.allowed, operand.value) != pattern.allowed.end()) return;
    std::string choices;
    for (std::int64_t value : pattern.allowed) choices += (choices.empty() ? "" : " or ") + std::to_string(value);
    report(operand.at, "operand-kind",
           pattern.name + " of '" + spell(op_) + "' is " + choices + ", not " + std::to_string(operand.value));
  }

  // Elements that a vector operand has; 0: any number.
  std::size_t elements(const OperandPattern& pattern) const {
    if (pattern.fragment) return fragment_registers(op_, pattern);
    if (pattern.vector) return vector_size(op_);
    const auto family = mnemonic(form_);
    if (family != "ldmatrix" && family != "stmatrix") return 0;
    return (op_.has("x4"_w) ? 4 : op_.has("x2"_w) ? 2 : 1) * (op_.has("m16n16"_w) ? 2 : 1);
  }

  void check_pair(const OperandPattern& pattern, const Operand& operand) {
    if (operand.kind != K::pair) {
      if (pattern.second_required)
        report(operand.at, "operand-kind", "'" + spell(op_) + "' writes a predicate too: " + pattern.name + "|p");
      return check_result(pattern, operand);
    }
    check_result(pattern, operand.parts[0]);
    const Operand& second = operand.parts[1];
    if (second.kind != K::sink && (second.kind != K::reg || register_type(second) != Type::pred))
      report(second.at, "type-mismatch", "the operand behind '|' is a predicate register");
  }
  void check_result(const OperandPattern& pattern, const Operand& operand) {
    if (operand.kind == K::sink) return;
    if (operand.kind == K::vector) return check_vector(pattern, operand, true);
    check_element(pattern, operand, true);
  }

  void check_vector(const OperandPattern& pattern, const Operand& operand, bool destination) {
    if (const std::size_t n = elements(pattern); n && operand.parts.size() != n)
      report(operand.at, "operand-kind",
             pattern.name + " of '" + spell(op_) + "' has " + std::to_string(n) + " elements, not " +
                 std::to_string(operand.parts.size()));
    for (const Operand& part : operand.parts)
      if (part.kind != K::sink) check_element(pattern, part, destination, true);
  }

  void check_element(const OperandPattern& pattern, const Operand& operand, bool destination, bool in_vector = false) {
    const Type wanted = wanted_type(pattern, in_vector);
    if (wanted == Type::none) return;
    const std::string place = pattern.name + " of '" + spell(op_) + "'";
    if (destination && operand.kind != K::reg && operand.kind != K::vector) {
      if (operand.kind == K::sink && may_sink()) return;
      return report(operand.at, "operand-kind", place + " is written, so it is a register");
    }
    const bool takes_minus = mnemonic(form(op_)) == "vmad";  // 9.7.19.2: {-}a, {-}b, {-}c
    if (operand.negated && wanted != Type::pred && !takes_minus)
      report(operand.at, "operand-kind", place + " is no predicate: '!' does not apply");
    switch (operand.kind) {
      case K::reg:
        if (const Type have = register_type(operand); !register_fits(have, wanted, takes_wider()))
          report(operand.at, "type-mismatch",
                 place + " is " + dotted(wanted) + "; register " + register_name(operand) + " is " + dotted(have));
        return;
      case K::imm:
        if (!constant_fits(operand.type, wanted))
          report(operand.at, "type-mismatch",
                 place + " is " + dotted(wanted) + "; the constant is " +
                     (operand.type == Type::b64 ? "an integer" : dotted(operand.type)));
        return;
      case K::special:
        return check_special(place, operand, wanted);
      case K::symbol:
      case K::param:
      case K::function:
        if (!takes_symbols())
          report(operand.at, "operand-kind", place + " is a register; take the address with mov first");
        return;
      default:
        return;
    }
  }
  Type wanted_type(const OperandPattern& pattern, bool in_vector) const {
    const bool fragment = pattern.fragment && (in_vector || pattern.type == Type::none);
    return fragment ? fragment_type(op_.types[pattern.type_slot]) : operand_type(pattern, op_);
  }

  std::string register_name(const Operand& operand) const {
    return operand.index < function_.registers.size() ? "'" + function_.registers[operand.index].name + "'" : "";
  }

  // Special registers stand in mov and cvt alone, in their own width (the old 16-bit %tid still goes).
  void check_special(const std::string& place, const Operand& operand, Type wanted) {
    const SpecialInfo& special = info(Special(operand.index));
    const bool moves = mnemonic(form_) == "mov" || mnemonic(form_) == "cvt";
    if (!moves)
      return report(operand.at, "operand-kind",
                    place + " is a register; move " + std::string(special.name) + " into one first");
    if (mnemonic(form_) == "cvt") return;
    const unsigned have = bits(special.type), need = bits(wanted);
    if (kind(wanted) == Kind::floating || (have != need && !(have == 32 && need == 16 && special.vector)))
      report(operand.at, "type-mismatch",
             place + " is " + dotted(wanted) + "; " + std::string(special.name) + " is " + dotted(special.type));
  }

  // --- addresses
  static Space space_of(Word word) {
    constexpr std::pair<std::string_view, Space> heads[] = {{"global", Space::global},
                                                            {"shared", Space::shared},
                                                            {"local", Space::local},
                                                            {"const", Space::const_},
                                                            {"param", Space::param}};
    const std::string_view name = text(word);
    for (auto [head, space] : heads)
      if (name == head || (name.starts_with(head) && name.substr(head.size()).starts_with("::"))) return space;
    return Space::generic;
  }
  // The state space that the opcode names for an address; reg: cannot be told.
  Space space_for(const OperandPattern& pattern) const {
    std::vector<Space> named;
    for (unsigned i = 0; i < op_.order_count; ++i)
      if (op_.order[i] < word_count)
        if (Space space = space_of(Word(op_.order[i])); space != Space::generic) named.push_back(space);
    if (pattern.name == "mbar") return Space::reg;
    if (named.size() == 2 && pattern.name == "dst") return named[0];
    if (named.size() == 2 && pattern.name == "src") return named[1];
    return named.empty() ? Space::generic : named.size() == 1 && !pattern.coordinates ? named[0] : Space::reg;
  }

  void check_address(const OperandPattern& pattern, const Operand& operand) {
    if (operand.parts.empty()) return;
    const Operand& base = operand.parts[0];
    const Space space = space_for(pattern);
    switch (base.kind) {
      case K::reg:
        // 9.7.16: addresses in tensor memory have 32 bits.
        if (mnemonic(form_) == "tcgen05" && pattern.name != "mbar" && pattern.name != "dst" &&
            bits(register_type(base)) != 32)
          report(base.at, "type-mismatch", "an address in tensor memory has 32 bits");
        return check_address_register(base, space);
      case K::imm:
        if (space != Space::local && accesses())
          report(base.at, "operand-kind", "a constant address is allowed for .local alone");
        return;
      case K::param:
        if (accesses() && space != Space::param)
          report(base.at, "address-space", "a parameter is in .param; '" + spell(op_) + "' is not");
        return;
      case K::symbol:
        return check_symbol_space(base, space);
      default:
        return;
    }
  }
  bool accesses() const {
    const auto name = mnemonic(form_);
    return name == "ld" || name == "ldu" || name == "st" || name == "atom" || name == "red";
  }
  void check_address_register(const Operand& base, Space space) {
    const Type type = register_type(base);
    if (kind(type) == Kind::floating || type == Type::pred)
      return report(base.at, "type-mismatch",
                    "an address is an integer; " + register_name(base) + " is " + dotted(type));
    if (accesses() && bits(type) == 32 && (space == Space::global || space == Space::generic))
      report(base.at, "address-32bit",
             "a " + std::string(space == Space::global ? ".global" : "generic") + " address has 64 bits; " +
                 register_name(base) + " is " + dotted(type));
  }
  void check_symbol_space(const Operand& base, Space space) {
    const auto& variables = base.local ? function_.variables : module_.variables;
    if (space == Space::reg || space == Space::generic || base.index >= variables.size()) return;
    const Variable& variable = variables[base.index];
    if (variable.space != space)
      report(base.at, "address-space",
             "'" + variable.name + "' is in ." + std::string(name(variable.space)) + "; '" + spell(op_) +
                 "' accesses ." + std::string(name(space)));
  }

  // --- single instructions
  // 9.7.9.4: a vector packs into, or comes apart from, a bit type of its whole size.
  void check_move() {
    const auto& operands = instruction_.operands;
    const Type wanted = op_.type();
    for (std::size_t i = 0; i < 2; ++i) {
      const Operand& operand = operands[i];
      if (operand.kind == K::vector) {
        check_pack(operand, wanted);
      } else if (i == 1) {
        OperandPattern source;
        source.name = "a";
        check_element(source, operand, false);
      }
    }
  }
  void check_pack(const Operand& operand, Type whole) {
    const std::size_t n = operand.parts.size();
    if (kind(whole) != Kind::bits || (n != 1 && n != 2 && n != 4))
      return report(operand.at, "type-mismatch", "'" + spell(op_) + "' takes no vector of " + std::to_string(n));
    for (const Operand& part : operand.parts)
      if (part.kind == K::reg && bits(register_type(part)) * n != bits(whole))
        report(part.at, "type-mismatch",
               register_name(part) + " is " + dotted(register_type(part)) + "; " + std::to_string(n) +
                   " elements make up " + dotted(whole));
  }

  // 9.7.13.1: barriers 0 to 15; a number of threads is a multiple of the warp's size.
  void check_barrier(const std::vector<const OperandPattern*>& patterns) {
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const Operand& operand = instruction_.operands[i];
      if (operand.kind != K::imm) continue;
      if (patterns[i]->name == "a" && (operand.value < 0 || operand.value > 15))
        report(operand.at, "operand-kind", "barriers are numbered 0 to 15, not " + std::to_string(operand.value));
      if (patterns[i]->name == "b" && operand.value % 32 != 0)
        report(operand.at, "barrier-count",
               "a number of threads at a barrier is a multiple of 32, not " + std::to_string(operand.value));
    }
  }

  const Module& module_;
  const Function& function_;
  const Instruction& instruction_;
  const Opcode& op_;
  const Form& form_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check(const Module& module, const Function& function, const Instruction& instruction,
           std::vector<Finding>& findings) {
  Checker(module, function, instruction, findings).run();
}

}  // namespace ptxeq::ir
