// Where operands live: registers, constants, special registers, objects, the carry.
#include <algorithm>
#include <bit>

#include "symbolic/compiler.h"

namespace ptxeq::sym {

using ir::Operand;
using ir::Space;

namespace {

// An immediate's bits where an operand of this type is expected.
u64 immediate_bits(const Operand& o, ir::Type type) {
  const bool wants_float = ir::kind(type) == ir::Kind::floating || ir::kind(type) == ir::Kind::bits;
  if (o.type == ir::Type::f64 && ir::bits(type) == 32 && wants_float) {
    const double d = std::bit_cast<double>(o.value);
    return std::bit_cast<u32>(float(d));
  }
  if (o.type == ir::Type::f32 && ir::bits(type) == 64 && ir::kind(type) == ir::Kind::floating)
    return std::bit_cast<u64>(double(std::bit_cast<float>(u32(o.value))));
  return u64(o.value);
}

bool clustered(const ir::Function& kernel) {
  return std::any_of(kernel.directives.begin(), kernel.directives.end(), [](const ir::Directive& d) {
    return d.name == ".reqnctapercluster" || d.name == ".explicitcluster" || d.name == ".maxclusterrank";
  });
}

}  // namespace

Input Compiler::input(const Frame& f, const ir::Instruction& i, const Operand& o, ir::Type type) {
  const unsigned w = type == ir::Type::pred ? 1 : std::min(ir::bits(type), 64u);
  if (ir::bits(type) > 64) fail(i, "128-bit values are not modelled");
  switch (o.kind) {
    case Operand::Kind::reg: {
      const u32 slot = f.registers + o.index;
      if (f.function->registers[o.index].vector > 1) fail(i, "vector registers are not modelled");
      return {slot, program_.slots[slot].width, o.negated};
    }
    case Operand::Kind::imm:
      return {constant(w, immediate_bits(o, type)), u8(w), o.negated};
    case Operand::Kind::special:
      return special(i, o);
    case Operand::Kind::symbol:
    case Operand::Kind::param: {
      const ObjectId object = object_of(f, i, o);
      return {prefilled(w, {SlotInit::Kind::address, u64(o.value) & mask(w), object, {}, 0}), u8(w), false};
    }
    default:
      fail(i, "this operand is not modelled");
  }
}

Input Compiler::output(const Frame& f, const ir::Instruction& i, const Operand& o, ir::Type type) {
  if (o.kind == Operand::Kind::sink) return {no_slot, u8(ir::bits(type)), false};
  return input(f, i, o, type);
}

Input Compiler::special(const ir::Instruction& i, const Operand& o) {
  const auto s = ir::Special(o.index);
  const ir::SpecialInfo& info = ir::info(s);
  if (info.vector && o.value < 0) fail(i, "a special register read as a whole vector is not modelled");
  const unsigned w = ir::bits(info.type);
  using S = ir::Special;
  static constexpr S fixed[] = {S::tid,
                                S::ntid,
                                S::ctaid,
                                S::nctaid,
                                S::laneid,
                                S::warp_size,
                                S::lanemask_eq,
                                S::lanemask_le,
                                S::lanemask_lt,
                                S::lanemask_ge,
                                S::lanemask_gt,
                                S::nwarpid,
                                S::dynamic_smem_size,
                                S::clusterid,
                                S::nclusterid,
                                S::cluster_ctaid,
                                S::cluster_nctaid,
                                S::cluster_ctarank,
                                S::cluster_nctarank,
                                S::is_explicit_cluster};
  const bool known =
      std::find(std::begin(fixed), std::end(fixed), s) != std::end(fixed) && !clustered(*program_.kernel);
  SlotInit init{known ? SlotInit::Kind::special : SlotInit::Kind::unspecified, 0, 0, s, u8(std::max<i64>(o.value, 0))};
  if (s == S::is_explicit_cluster) return {prefilled(1, init), 1, o.negated};
  return {prefilled(w, init), u8(w), false};
}

u32 Compiler::prefilled(unsigned width, SlotInit init) {
  const auto key = std::tuple{width, init.kind, init.bits, init.object, init.special, init.component};
  const auto at = prefilled_.find(key);
  if (at != prefilled_.end()) return at->second;
  program_.slots.push_back({u8(width), init, ""});
  return prefilled_[key] = u32(program_.slots.size() - 1);
}

u32 Compiler::constant(unsigned width, u64 bits) {
  return prefilled(width, {SlotInit::Kind::constant, bits & mask(width), 0, {}, 0});
}

u32 Compiler::temporary(unsigned width) {
  program_.slots.push_back({u8(width), {}, ""});
  return u32(program_.slots.size() - 1);
}

Compiler::CarryKind Compiler::carry_kind(const ir::Instruction& i) {
  return ir::mnemonic(ir::form(i.op)).starts_with("sub") ? of_differences : of_sums;
}

u32 Compiler::carry(CarryKind kind) {
  if (carry_[kind] == no_slot) carry_[kind] = temporary(1);
  return carry_[kind];
}

void Compiler::forget_carry(const Frame& f, const ir::Instruction& i, CarryKind kind) {
  if (!reads_carry_[kind]) return;
  Step s = start(f, i, StepKind::pack);  // of one element
  s.in.push_back({prefilled(1, {SlotInit::Kind::unspecified, 0, 0, {}, 0}), 1, false});
  s.out.push_back({carry(kind), 1, false});
  emit(std::move(s));
}

ObjectId Compiler::object_of(const Frame& f, const ir::Instruction& i, const Operand& o) {
  if (o.kind == Operand::Kind::param) {
    if (o.index >= f.params.size()) fail(i, "this parameter is not modelled");
    return f.params[o.index];
  }
  return o.local ? f.variables[o.index] : module_variable(o.index);
}

ObjectId Compiler::variable(const ir::Variable& v) {
  if (v.space == Space::shared && v.count == 0) return dynamic_shared();
  Object object{v.name, v.space, v.bytes()};
  object.align = std::max<u32>(v.align, 1);
  object.element = u8(std::clamp<unsigned>(ir::bits(v.type) / 8, 1, 8));
  if (v.space == Space::shared || v.space == Space::local || v.space == Space::param) {
    object.contents = Contents::undefined;
    object.per_thread = v.space != Space::shared;
    const ObjectId id = world_.add(std::move(object));
    (v.space == Space::shared ? program_.block_objects : program_.thread_objects).push_back(id);
    return id;
  }
  return world_.add(std::move(object));
}

ObjectId Compiler::dynamic_shared() {
  if (!dynamic_object_) {
    Object object{"dynamic shared memory", Space::shared, dynamic_shared_, 16, 4, Contents::undefined};
    for (const auto* list : {&module_.variables, &program_.kernel->variables})
      for (const ir::Variable& v : *list)
        if (v.space == Space::shared && v.count == 0) object.align = std::max<u64>(object.align, v.align);
    dynamic_object_ = world_.add(std::move(object));
    program_.block_objects.push_back(*dynamic_object_);
  }
  return *dynamic_object_;
}

// Module-level .shared variables belong to the launch, so each compile makes its own.
ObjectId Compiler::module_variable(u32 index) {
  const ir::Variable& v = module_.variables[index];
  if (v.space != Space::shared) return module_objects_[index];
  const auto at = module_shared_.find(index);
  return at != module_shared_.end() ? at->second : module_shared_.emplace(index, variable(v)).first->second;
}

}  // namespace ptxeq::sym
