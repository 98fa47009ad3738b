// Bodies, step by step: branches, returns, and what computes.
#include "symbolic/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "symbolic/order.h"
#include "symbolic/semantics.h"

namespace ptxeq::sym {

using namespace ir::literals;
using ir::Action;
using ir::Operand;
using ir::Space;

namespace {

constexpr unsigned inline_depth = 64;

// Does the row call an approximate or unspecified function? Which functions a row calls depends on its opcode alone.
bool is_approximate(const ir::Opcode& op, Attr attr, const std::vector<Input>& in) {
  const Semantics& s = semantics()[op.form];
  if (!s.concrete || in.size() != s.sources) return false;
  ConcreteDomain domain(attr);
  const u64 one = 1;
  u64 results[max_results];
  u64* result[max_results];
  for (unsigned i = 0; i < max_results; ++i) result[i] = &results[i];
  ConcreteSource sources[max_sources];
  for (unsigned i = 0; i < s.sources; ++i) sources[i] = {&one, in[i].width};
  s.concrete(domain, op, {nullptr, 0, 1}, sources, result);
  return domain.approximated || domain.unspecified_hit;
}

// A source register wider than its operand (cvt.u8.u32's kin) is read at the operand's width; a result narrower
// than its register is extended by the machine.
template <class TypeOf>
void narrow_inputs(const ir::Instruction& i, Step& s, const TypeOf& type) {
  for (std::size_t k = 1; k < i.operands.size() && k - 1 < s.in.size(); ++k) {
    const ir::Type t = type(k);
    const unsigned w = t == ir::Type::pred ? 1 : ir::bits(t);
    if (w && w < s.in[k - 1].width) s.in[k - 1].width = u8(w);
  }
}

}  // namespace

Compiler::Compiler(const ir::Module& module, const ir::Function& kernel, World& world, const ModuleObjects& objects,
                   u64 dynamic_shared)
    : module_(module), world_(world), module_objects_(objects), dynamic_shared_(dynamic_shared) {
  program_.module = &module;
  program_.kernel = &kernel;
  for (const ir::Function& f : module.functions)
    for (const ir::Instruction& i : f.body)
      if (ir::reads_carry(ir::form(i.op))) reads_carry_[carry_kind(i)] = true;
}

Program Compiler::run() {
  Frame frame = enter(*program_.kernel, 0);
  for (const ir::Param& p : program_.kernel->params) {
    Object object{p.name, Space::param, p.bytes(), std::max<u64>(p.align, 1),
                  u8(std::min<u64>(std::bit_floor(p.bytes() | 1), 8))};
    object.align = std::bit_ceil(std::max<u64>(p.align, (ir::bits(p.type) + 7) / 8));
    object.read_only = true;
    program_.params.push_back(world_.add(std::move(object)));
  }
  frame.params = program_.params;
  emit_body(frame);
  order(program_);
  return std::move(program_);
}

Compiler::Frame Compiler::enter(const ir::Function& f, unsigned depth) {
  Frame frame;
  frame.function = &f;
  frame.depth = depth;
  frame.registers = u32(program_.slots.size());
  for (const ir::Register& r : f.registers) program_.slots.push_back({u8(width_of(r.type)), {}, r.name});
  for (const ir::Variable& v : f.variables) frame.variables.push_back(variable(v));
  return frame;
}

void Compiler::emit_body(Frame& f) {
  if (f.depth > inline_depth)
    throw Failure{{Stop::Why::unsupported,
                   fmt::format("calls nest deeper than {} (recursion is not modelled)", inline_depth), f.function->at}};
  for (const ir::Instruction& i : f.function->body) {
    const std::size_t here = program_.steps.size(), branches = f.branches.size(), returns = f.returns.size();
    f.step_of.push_back(u32(here));
    try {
      emit_instruction(f, i);
    } catch (Failure& failure) {  // only a run that reaches it is inconclusive
      program_.steps.resize(here), f.branches.resize(branches), f.returns.resize(returns);
      Step s = start(f, i, StepKind::unmodelled);
      s.note = std::move(failure.stop.message);
      emit(std::move(s));
    }
  }
  f.step_of.push_back(u32(program_.steps.size()));
  Step landing;  // where returns and the last label lead
  landing.kind = f.depth ? StepKind::nothing : StepKind::exit;
  landing.function = f.function;
  emit(landing);
  for (const u32 r : f.returns) program_.steps[r].targets = {f.step_of.back()};
  for (const auto& [step, i] : f.branches) resolve_branch(f, program_.steps[step], *i);
}

void Compiler::resolve_branch(const Frame& f, Step& s, const ir::Instruction& i) const {
  const Operand& last = i.operands.back();
  const auto step_of = [&](u32 label) { return f.step_of[f.function->labels[label].target]; };
  if (last.kind != Operand::Kind::label) {
    s.kind = StepKind::unmodelled, s.note = "this branch target is not modelled";
    return;
  }
  const ir::Label& label = f.function->labels[last.index];
  if (s.kind == StepKind::jump) {
    s.targets = {step_of(last.index)};
  } else {
    for (const u32 t : label.targets) s.targets.push_back(step_of(t));
  }
}

void Compiler::emit_instruction(Frame& f, const ir::Instruction& i) {
  const u32 here = u32(program_.steps.size());
  switch (ir::form(i.op).action) {
    case Action::compute:
      return emit_compute(f, i);
    case Action::load:
    case Action::store:
      return emit_access(f, i);
    case Action::address:
      return emit_address(f, i);
    case Action::branch:
      emit(start(f, i, StepKind::jump));
      f.branches.emplace_back(here, &i);
      return;
    case Action::branch_indexed: {
      Step s = start(f, i, StepKind::jump_indexed);
      s.in.push_back(input(f, i, i.operands.front(), ir::Type::u32));
      emit(std::move(s));
      f.branches.emplace_back(here, &i);
      return;
    }
    case Action::call:
      return emit_call(f, i);
    case Action::ret:
      emit(start(f, i, f.depth ? StepKind::jump : StepKind::exit));
      if (f.depth) f.returns.push_back(here);
      return;
    case Action::exit:
      emit(start(f, i, StepKind::exit));
      return;
    case Action::trap:
      emit(start(f, i, StepKind::trap));
      return;
    case Action::barrier:
    case Action::barrier_warp:
      return emit_barrier(f, i);
    case Action::fence:
    case Action::prefetch:
    case Action::nothing:
      emit(start(f, i, StepKind::nothing));
      return;
    case Action::unmodelled:
      emit(start(f, i, StepKind::unmodelled));
      return;
  }
}

Step Compiler::start(const Frame& f, const ir::Instruction& i, StepKind kind) const {
  Step s;
  s.kind = kind;
  s.op = i.op;
  s.attr = attributes(i.op);
  s.instruction = &i;
  s.function = f.function;
  if (i.guard.present) s.guard = f.registers + i.guard.reg, s.guard_negated = i.guard.negated;
  return s;
}

Step& Compiler::emit(Step s) {
  if (s.instruction && (ir::form(s.op).action == Action::fence || s.op.has("acquire"_w) || s.op.has("release"_w)))
    program_.orders_memory = true;
  program_.steps.push_back(std::move(s));
  return program_.steps.back();
}

void Compiler::emit_compute(const Frame& f, const ir::Instruction& i) {
  const auto patterns = ir::assign_operands(i.op, i.operands);
  if (patterns.size() != i.operands.size()) fail(i, "operands do not fit the form");
  const ir::Form& form = ir::form(i.op);
  Step s = start(f, i, StepKind::compute);
  const auto type = [&](std::size_t k) {
    const ir::Type t = ir::operand_type(*patterns[k], i.op);
    return t == ir::Type::none ? i.op.type() : t;
  };
  const Operand& d = i.operands.front();
  if (i.operands.size() == 2 && (d.kind == Operand::Kind::vector || i.operands[1].kind == Operand::Kind::vector))
    return emit_vector_move(f, i, std::move(s));
  if (d.kind == Operand::Kind::pair) {
    for (std::size_t k = 0; k < 2; ++k) s.out.push_back(output(f, i, d.parts[k], k == 0 ? type(0) : ir::Type::pred));
  } else {
    s.out.push_back(output(f, i, d, type(0)));
  }
  for (std::size_t k = 1; k < i.operands.size(); ++k) s.in.push_back(input(f, i, i.operands[k], type(k)));
  if (ir::reads_carry(form)) s.in.push_back({carry(carry_kind(i)), 1, false});
  const Semantics& semantic = semantics()[i.op.form];
  const bool sets_carry = ir::writes_carry(form) && i.op.has("cc"_w);
  if (ir::writes_carry(form)) s.out.push_back({sets_carry ? carry(carry_kind(i)) : no_slot, 1, false});
  if (s.in.size() != semantic.sources || s.out.size() > semantic.results)
    fail(i, "operands do not fit the form's semantics");
  while (s.out.size() < semantic.results) s.out.push_back({});
  narrow_inputs(i, s, type);
  s.extend_sign = ir::is_signed(type(0));
  if (const unsigned w = width_of(type(0)); w < s.out[0].width) s.out[0].narrow = u8(w);
  s.approximate = is_approximate(s.op, s.attr, s.in);
  const bool integer = ir::kind(type(0)) == ir::Kind::unsigned_ || ir::is_signed(type(0));
  s.sums = integer && ir::mnemonic(form) == "add" && !i.op.has("sat"_w) && s.in.size() == 2 && semantic.results == 1 &&
           !s.out[0].narrow;
  emit(std::move(s));
  if (sets_carry) forget_carry(f, i, carry_kind(i) == of_sums ? of_differences : of_sums);
}

void Compiler::emit_vector_move(const Frame& f, const ir::Instruction& i, Step s) {
  const bool packs = i.operands[1].kind == Operand::Kind::vector;
  const Operand& vector = i.operands[packs ? 1 : 0];
  const ir::Type whole = i.op.type();
  const unsigned part = ir::bits(whole) / unsigned(vector.parts.size());
  const ir::Type element = part == 8    ? ir::Type::b8
                           : part == 16 ? ir::Type::b16
                           : part == 32 ? ir::Type::b32
                                        : ir::Type::b64;
  s.kind = packs ? StepKind::pack : StepKind::unpack;
  auto& many = packs ? s.in : s.out;
  auto& one = packs ? s.out : s.in;
  for (const Operand& o : vector.parts) {
    many.push_back(packs ? input(f, i, o, element) : output(f, i, o, element));
    many.back().width = u8(part);
  }
  one.push_back(packs ? output(f, i, i.operands[0], whole) : input(f, i, i.operands[1], whole));
  emit(std::move(s));
}

}  // namespace ptxeq::sym
