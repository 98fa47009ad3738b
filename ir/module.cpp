#include "ir/module.h"

#include <algorithm>

namespace ptxeq::ir {

std::string_view name(Space space) {
  switch (space) {
    case Space::generic:
      return "generic";
    case Space::reg:
      return "reg";
    case Space::global:
      return "global";
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::const_:
      return "const";
    case Space::param:
      return "param";
    case Space::tex:
      return "tex";
  }
  return "";
}

namespace {

template <class T, class Same>
bool all_same(const std::vector<T>& a, const std::vector<T>& b, Same same_item) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_item);
}

bool same_guard(const Guard& a, const Guard& b) {
  return a.present == b.present && (!a.present || (a.negated == b.negated && a.reg == b.reg));
}

bool same_instruction(const Instruction& a, const Instruction& b) {
  return a.op == b.op && same_guard(a.guard, b.guard) && a.source_file == b.source_file &&
         a.source_line == b.source_line &&
         all_same(a.operands, b.operands, [](const Operand& x, const Operand& y) { return x.same(y); });
}

bool same_register(const Register& a, const Register& b) {
  return a.name == b.name && a.type == b.type && a.vector == b.vector;
}

bool same_initial(const Initial& a, const Initial& b) {
  return a.offset == b.offset && a.size == b.size && a.value == b.value && a.symbol == b.symbol &&
         a.generic == b.generic && a.mask_shift == b.mask_shift;
}

bool same_variable(const Variable& a, const Variable& b) {
  return a.name == b.name && a.space == b.space && a.type == b.type && a.vector == b.vector && a.align == b.align &&
         a.count == b.count && a.dims == b.dims && a.is_array == b.is_array && a.initialised == b.initialised &&
         a.linkage == b.linkage && a.attributes == b.attributes && all_same(a.initial, b.initial, same_initial);
}

bool same_param(const Param& a, const Param& b) {
  return a.name == b.name && a.type == b.type && a.count == b.count && a.is_array == b.is_array && a.align == b.align &&
         a.is_reg == b.is_reg && a.reg == b.reg && a.pointer == b.pointer && a.pointee == b.pointee &&
         a.pointee_align == b.pointee_align;
}

bool same_label(const Label& a, const Label& b) {
  return a.name == b.name && a.kind == b.kind && a.target == b.target && a.targets == b.targets &&
         a.noreturn == b.noreturn && all_same(a.params, b.params, same_param) &&
         all_same(a.results, b.results, same_param);
}

bool same_directive(const Directive& a, const Directive& b) {
  return a.name == b.name && a.values == b.values && a.position == b.position;
}

bool same_function(const Function& a, const Function& b) {
  return a.name == b.name && a.entry == b.entry && a.has_body == b.has_body && a.linkage == b.linkage &&
         all_same(a.directives, b.directives, same_directive) && all_same(a.params, b.params, same_param) &&
         all_same(a.results, b.results, same_param) && all_same(a.registers, b.registers, same_register) &&
         all_same(a.variables, b.variables, same_variable) && all_same(a.labels, b.labels, same_label) &&
         all_same(a.body_directives, b.body_directives, same_directive) && all_same(a.body, b.body, same_instruction);
}

bool same_alias(const Alias& a, const Alias& b) { return a.name == b.name && a.aliasee == b.aliasee; }

}  // namespace

bool Operand::same(const Operand& other) const {
  return kind == other.kind && negated == other.negated && local == other.local && part == other.part &&
         type == other.type && index == other.index && value == other.value &&
         all_same(parts, other.parts, [](const Operand& x, const Operand& y) { return x.same(y); });
}

const Param& Function::param(std::uint32_t index) const {
  return index < params.size() ? params[index] : results[index - params.size()];
}

const Function* Module::find(std::string_view function) const {
  const auto at =
      std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == function; });
  return at == functions.end() ? nullptr : &*at;
}

bool same(const Module& a, const Module& b) {
  return a.version == b.version && a.sm == b.sm && a.suffix == b.suffix && a.target_options == b.target_options &&
         a.address_size == b.address_size && a.source_files == b.source_files &&
         all_same(a.variables, b.variables, same_variable) && all_same(a.functions, b.functions, same_function) &&
         all_same(a.aliases, b.aliases, same_alias) && all_same(a.directives, b.directives, same_directive);
}

}  // namespace ptxeq::ir
