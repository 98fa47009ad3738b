// Calls: the body of the function called is put in their place.
#include <fmt/format.h>

#include <algorithm>

#include "symbolic/compiler.h"

namespace ptxeq::sym {

using ir::Operand;
using ir::Space;

// call (results), function, (arguments), prototype: the body is put here.
void Compiler::emit_call(const Frame& f, const ir::Instruction& i) {
  const Operand *results = nullptr, *arguments = nullptr, *callee = nullptr;
  for (const Operand& o : i.operands) {
    if (o.kind == Operand::Kind::function && !callee) callee = &o;
    if (o.kind == Operand::Kind::list) (callee ? arguments : results) = &o;
  }
  if (!callee) fail(i, "indirect calls are not modelled");
  const ir::Function& g = definition(module_.functions[callee->index]);
  if (!g.has_body) fail(i, fmt::format("the function {} has no body", g.name));
  const u32 skip = u32(program_.steps.size());
  if (i.guard.present) {
    Step s = start(f, i, StepKind::jump);
    s.guard_negated = !s.guard_negated;
    emit(std::move(s));
  }
  Frame inner = enter(g, f.depth + 1);
  bind(f, i, inner, g.params, arguments, true);
  bind(f, i, inner, g.results, results, false);
  for (const CarryKind kind : {of_sums, of_differences}) forget_carry(f, i, kind);  // no call keeps it, 9.7.2
  emit_body(inner);
  for (const CarryKind kind : {of_sums, of_differences}) forget_carry(f, i, kind);
  for (std::size_t k = 0; k < g.results.size() && results; ++k) {
    const Operand& actual = results->parts[k];
    if (actual.kind != Operand::Kind::reg) continue;
    const Input to = input(f, i, actual, g.results[k].type);
    if (g.results[k].is_reg)
      copy(i, f, to, {inner.registers + g.results[k].reg, to.width, false});
    else
      move(i, f, StepKind::load, to, inner.params[g.params.size() + k]);
  }
  Step landing;
  landing.function = f.function;
  emit(landing);
  if (i.guard.present) program_.steps[skip].targets = {u32(program_.steps.size() - 1)};
}

const ir::Function& Compiler::definition(const ir::Function& named) const {
  if (named.has_body) return named;
  std::string name = named.name;
  for (const ir::Alias& a : module_.aliases)
    if (a.name == name) name = a.aliasee;
  for (const ir::Function& g : module_.functions)
    if (g.name == name && g.has_body) return g;
  return named;
}

// Gives each formal its object: the caller's .param variable itself, or one made for a register or constant.
void Compiler::bind(const Frame& f, const ir::Instruction& i, Frame& inner, const std::vector<ir::Param>& formals,
                    const Operand* actuals, bool in) {
  if ((actuals ? actuals->parts.size() : 0) != formals.size()) fail(i, "the call's arguments do not fit the function");
  for (std::size_t k = 0; k < formals.size(); ++k) {
    const ir::Param& formal = formals[k];
    const Operand& actual = actuals->parts[k];
    const bool is_object = actual.kind == Operand::Kind::symbol || actual.kind == Operand::Kind::param;
    if (formal.is_reg) {
      inner.params.push_back(0);
      if (in)
        copy(i, f, {inner.registers + formal.reg, u8(width_of(formal.type)), false}, input(f, i, actual, formal.type));
      continue;
    }
    if (is_object) {
      inner.params.push_back(object_of(f, i, actual));
      continue;
    }
    Object object{formal.name,
                  Space::param,
                  formal.bytes(),
                  16,
                  u8(std::clamp<unsigned>(ir::bits(formal.type) / 8, 1, 8)),
                  Contents::undefined,
                  true};
    inner.params.push_back(world_.add(std::move(object)));
    program_.thread_objects.push_back(inner.params.back());
    if (in && actual.kind != Operand::Kind::sink)
      move(i, f, StepKind::store, input(f, i, actual, formal.type), inner.params.back());
  }
}

void Compiler::move(const ir::Instruction& i, const Frame& f, StepKind kind, Input value, ObjectId object) {
  Step s;
  s.kind = kind;
  s.instruction = &i;
  s.function = f.function;
  s.access.space = Space::param;
  s.access.object = object;
  s.access.bytes = u8(value.width / 8);
  (kind == StepKind::store ? s.in : s.out).push_back(value);
  emit(std::move(s));
}

void Compiler::copy(const ir::Instruction& i, const Frame& f, Input to, Input from) {
  Step s;
  s.kind = StepKind::pack;  // of one element
  s.instruction = &i;
  s.function = f.function;
  s.out.push_back(to);
  s.in.push_back(from);
  emit(std::move(s));
}

}  // namespace ptxeq::sym
