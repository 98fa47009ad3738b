#include "symbolic/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "ir/printer.h"
#include "symbolic/order.h"
#include "symbolic/semantics.h"

namespace ptxeq::sym {

using namespace ir::literals;
using ir::Action;
using ir::Operand;
using ir::Space;

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

namespace {

constexpr unsigned inline_depth = 64;

struct Failure {  // thrown inside this file alone
  Stop stop;
};

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

class Compiler {
 public:
  Compiler(const ir::Module& module, const ir::Function& kernel, World& world, const ModuleObjects& objects,
           u64 dynamic_shared)
      : module_(module), world_(world), module_objects_(objects), dynamic_shared_(dynamic_shared) {
    program_.module = &module;
    program_.kernel = &kernel;
    for (const ir::Function& f : module.functions)
      for (const ir::Instruction& i : f.body)
        if (ir::reads_carry(ir::form(i.op))) reads_carry_[carry_kind(i)] = true;
  }

  Program run() {
    Frame frame = enter(*program_.kernel);
    for (const ir::Param& p : program_.kernel->params) {
      Object object{p.name, Space::param, p.bytes(), std::max<u64>(p.align, 1),
                    u8(std::min<u64>(std::bit_floor(p.bytes() | 1), 8))};
      object.align = std::bit_ceil(std::max<u64>(p.align, (ir::bits(p.type) + 7) / 8));
      object.read_only = true;
      program_.params.push_back(world_.add(std::move(object)));
    }
    frame.params = program_.params;
    emit_body(frame, 0);
    order(program_);
    return std::move(program_);
  }

 private:
  struct Frame {
    const ir::Function* function = nullptr;
    u32 registers = 0;                // slot of register 0
    std::vector<ObjectId> variables;  // by Function::variables
    std::vector<ObjectId> params;     // by Function::param index
    std::vector<u32> step_of;         // by body index
    u32 end = 0;                      // step after an inlined body
  };

  [[noreturn]] void fail(const ir::Instruction& i, std::string message) const {
    throw Failure{{Stop::Why::unsupported, std::move(message), i.at}};
  }

  Frame enter(const ir::Function& f) {
    Frame frame;
    frame.function = &f;
    frame.registers = u32(program_.slots.size());
    for (const ir::Register& r : f.registers) program_.slots.push_back({u8(width_of(r.type)), {}, r.name});
    for (const ir::Variable& v : f.variables) frame.variables.push_back(variable(v));
    return frame;
  }
  static unsigned width_of(ir::Type t) { return t == ir::Type::pred ? 1 : std::min(ir::bits(t), 64u); }

  ObjectId variable(const ir::Variable& v) {
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
  ObjectId dynamic_shared() {
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
  ObjectId module_variable(u32 index) {
    const ir::Variable& v = module_.variables[index];
    if (v.space != Space::shared) return module_objects_[index];
    const auto at = module_shared_.find(index);
    return at != module_shared_.end() ? at->second : module_shared_.emplace(index, variable(v)).first->second;
  }

  u32 prefilled(unsigned width, SlotInit init) {
    const auto key = std::tuple{width, init.kind, init.bits, init.object, init.special, init.component};
    const auto at = prefilled_.find(key);
    if (at != prefilled_.end()) return at->second;
    program_.slots.push_back({u8(width), init, ""});
    return prefilled_[key] = u32(program_.slots.size() - 1);
  }
  u32 constant(unsigned width, u64 bits) {
    return prefilled(width, {SlotInit::Kind::constant, bits & mask(width), 0, {}, 0});
  }
  u32 temporary(unsigned width) {
    program_.slots.push_back({u8(width), {}, ""});
    return u32(program_.slots.size() - 1);
  }
  // The hardware has one flag for the carry of add and mad and the borrow of sub, and the two are not each other's
  // meaning: each kind has its slot, and what one leaves in the other's is open (measured; docs/soundness.md).
  enum CarryKind : u8 { of_sums, of_differences };
  static CarryKind carry_kind(const ir::Instruction& i) {
    return ir::mnemonic(ir::form(i.op)).starts_with("sub") ? of_differences : of_sums;
  }
  u32 carry(CarryKind kind) {
    if (carry_[kind] == no_slot) carry_[kind] = temporary(1);
    return carry_[kind];
  }
  void forget_carry(const Frame& f, const ir::Instruction& i, CarryKind kind) {
    if (!reads_carry_[kind]) return;
    Step s = start(f, i, StepKind::pack);  // of one element
    s.in.push_back({prefilled(1, {SlotInit::Kind::unspecified, 0, 0, {}, 0}), 1, false});
    s.out.push_back({carry(kind), 1, false});
    emit(std::move(s));
  }

  u64 immediate_bits(const Operand& o, ir::Type type) const {
    const bool wants_float = ir::kind(type) == ir::Kind::floating || ir::kind(type) == ir::Kind::bits;
    if (o.type == ir::Type::f64 && ir::bits(type) == 32 && wants_float) {
      const double d = std::bit_cast<double>(o.value);
      return std::bit_cast<u32>(float(d));
    }
    if (o.type == ir::Type::f32 && ir::bits(type) == 64 && ir::kind(type) == ir::Kind::floating)
      return std::bit_cast<u64>(double(std::bit_cast<float>(u32(o.value))));
    return u64(o.value);
  }

  Input input(const Frame& f, const ir::Instruction& i, const Operand& o, ir::Type type) {
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
  ObjectId object_of(const Frame& f, const ir::Instruction& i, const Operand& o) {
    if (o.kind == Operand::Kind::param) {
      if (o.index >= f.params.size()) fail(i, "this parameter is not modelled");
      return f.params[o.index];
    }
    return o.local ? f.variables[o.index] : module_variable(o.index);
  }
  Input special(const ir::Instruction& i, const Operand& o) {
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
    const bool known = std::find(std::begin(fixed), std::end(fixed), s) != std::end(fixed) && !clustered();
    SlotInit init{known ? SlotInit::Kind::special : SlotInit::Kind::unspecified, 0, 0, s,
                  u8(std::max<i64>(o.value, 0))};
    if (s == S::is_explicit_cluster) return {prefilled(1, init), 1, o.negated};
    return {prefilled(w, init), u8(w), false};
  }
  bool clustered() const {
    return std::any_of(
        program_.kernel->directives.begin(), program_.kernel->directives.end(), [](const ir::Directive& d) {
          return d.name == ".reqnctapercluster" || d.name == ".explicitcluster" || d.name == ".maxclusterrank";
        });
  }

  Step start(const Frame& f, const ir::Instruction& i, StepKind kind) {
    Step s;
    s.kind = kind;
    s.op = i.op;
    s.attr = attributes(i.op);
    s.instruction = &i;
    s.function = f.function;
    if (i.guard.present) s.guard = f.registers + i.guard.reg, s.guard_negated = i.guard.negated;
    return s;
  }
  Step& emit(Step s) {
    if (s.instruction && (ir::form(s.op).action == Action::fence || s.op.has("acquire"_w) || s.op.has("release"_w)))
      program_.orders_memory = true;
    program_.steps.push_back(std::move(s));
    return program_.steps.back();
  }

  void emit_body(Frame& f, unsigned depth) {
    if (depth > inline_depth)
      throw Failure{{Stop::Why::unsupported,
                     fmt::format("calls nest deeper than {} (recursion is not modelled)", inline_depth),
                     f.function->at}};
    std::vector<std::pair<u32, const ir::Instruction*>> branches;  // targets are set when all steps are known
    std::vector<u32> returns;
    for (const ir::Instruction& i : f.function->body) {
      const std::size_t here = program_.steps.size(), branch_count = branches.size(), return_count = returns.size();
      f.step_of.push_back(u32(here));
      try {
        emit_instruction(f, i, depth, branches, returns);
      } catch (Failure& failure) {  // only a run that reaches it is inconclusive
        program_.steps.resize(here), branches.resize(branch_count), returns.resize(return_count);
        Step s = start(f, i, StepKind::unmodelled);
        s.note = std::move(failure.stop.message);
        emit(std::move(s));
      }
    }
    f.step_of.push_back(u32(program_.steps.size()));
    Step landing;  // where returns and the last label lead
    landing.kind = depth ? StepKind::nothing : StepKind::exit;
    landing.function = f.function;
    emit(landing);
    for (const u32 r : returns) program_.steps[r].targets = {f.step_of.back()};
    for (const auto& [step, i] : branches) resolve_branch(f, program_.steps[step], *i);
  }

  void resolve_branch(const Frame& f, Step& s, const ir::Instruction& i) {
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

  void emit_instruction(Frame& f, const ir::Instruction& i, unsigned depth,
                        std::vector<std::pair<u32, const ir::Instruction*>>& branches, std::vector<u32>& returns) {
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
        branches.emplace_back(here, &i);
        return;
      case Action::branch_indexed: {
        Step s = start(f, i, StepKind::jump_indexed);
        s.in.push_back(input(f, i, i.operands.front(), ir::Type::u32));
        emit(std::move(s));
        branches.emplace_back(here, &i);
        return;
      }
      case Action::call:
        return emit_call(f, i, depth);
      case Action::ret:
        emit(start(f, i, depth ? StepKind::jump : StepKind::exit));
        if (depth) returns.push_back(here);
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

  Input output(const Frame& f, const ir::Instruction& i, const Operand& o, ir::Type type) {
    if (o.kind == Operand::Kind::sink) return {no_slot, u8(ir::bits(type)), false};
    return input(f, i, o, type);
  }

  void emit_compute(const Frame& f, const ir::Instruction& i) {
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
    s.sums = integer && ir::mnemonic(form) == "add" && !i.op.has("sat"_w) && s.in.size() == 2 &&
             semantic.results == 1 && !s.out[0].narrow;
    emit(std::move(s));
    if (sets_carry) forget_carry(f, i, carry_kind(i) == of_sums ? of_differences : of_sums);
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

  void emit_vector_move(const Frame& f, const ir::Instruction& i, Step s) {
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

  static Space space_of(const ir::Opcode& op) {
    static constexpr std::pair<ir::Word, Space> words[] = {
        {"global"_w, Space::global},      {"shared"_w, Space::shared},    {"shared::cta"_w, Space::shared},
        {"local"_w, Space::local},        {"const"_w, Space::const_},     {"param"_w, Space::param},
        {"param::entry"_w, Space::param}, {"param::func"_w, Space::param}};
    for (const auto& [word, space] : words)
      if (op.has(word)) return space;
    return Space::generic;
  }

  Access access(const Frame& f, const ir::Instruction& i, const Operand& memory) {
    const ir::Opcode& op = i.op;
    if (op.has("shared::cluster"_w)) fail(i, "distributed shared memory is not modelled");
    Access a;
    a.space = space_of(op);
    a.bytes = u8((op.bits() + 7) / 8);
    if (ir::bits(op.type()) > 64) fail(i, "128-bit accesses are not modelled");
    a.sign = ir::is_signed(op.type());
    a.strong =
        op.has("volatile"_w) || op.has("relaxed"_w) || op.has("acquire"_w) || op.has("release"_w) || op.has("mmio"_w);
    a.read_only = op.has("nc"_w);
    const Operand& base = memory.parts.front();
    a.offset = u64(memory.value);
    switch (base.kind) {
      case Operand::Kind::reg:
        a.base = f.registers + base.index;
        break;
      case Operand::Kind::symbol:
      case Operand::Kind::param:
        a.object = object_of(f, i, base);
        a.offset += u64(base.value);
        break;
      case Operand::Kind::imm:
        a.base = constant(64, u64(base.value));
        break;
      default:
        fail(i, "this address is not modelled");
    }
    return a;
  }
  void emit_access(const Frame& f, const ir::Instruction& i) {
    const bool store = ir::form(i.op).action == Action::store;
    Step s = start(f, i, store ? StepKind::store : StepKind::load);
    const Operand& data = i.operands[store ? 1 : 0];
    s.access = access(f, i, i.operands[store ? 0 : 1]);
    const auto add = [&](const Operand& o) {
      if (store)
        s.in.push_back(input(f, i, o, i.op.type()));
      else
        s.out.push_back(output(f, i, o, i.op.type()));
    };
    if (data.kind == Operand::Kind::vector)
      for (const Operand& o : data.parts) add(o);
    else
      add(data);
    s.access.count = u8(std::max(s.in.size(), s.out.size()));
    emit(std::move(s));
  }

  // cvta.to.space, cvta.space and isspacep.space; bits of `barrier.id` are unused, the space stands in `access`.
  void emit_address(const Frame& f, const ir::Instruction& i) {
    const bool question = ir::mnemonic(ir::form(i.op)) == "isspacep";
    Step s = start(f, i, question ? StepKind::is_space : i.op.has("to"_w) ? StepKind::to_space : StepKind::from_space);
    if (i.op.has("shared::cluster"_w)) fail(i, "distributed shared memory is not modelled");
    s.access.space = space_of(i.op);
    const ir::Type type = question ? ir::Type::b64 : i.op.type();
    s.out.push_back(output(f, i, i.operands[0], question ? ir::Type::pred : type));
    s.in.push_back(input(f, i, i.operands[1], type));
    emit(std::move(s));
  }

  void emit_barrier(const Frame& f, const ir::Instruction& i) {
    const ir::Form& form = ir::form(i.op);
    if (form.action == Action::barrier_warp) {
      Step s = start(f, i, StepKind::barrier_warp);
      s.in.push_back(input(f, i, i.operands.front(), ir::Type::b32));
      emit(std::move(s));
      return;
    }
    Step s = start(f, i, StepKind::barrier);
    using Kind = BarrierInfo::Kind;
    s.barrier.aligned = ir::mnemonic(form) == "bar" || i.op.has("aligned"_w);
    const bool red = i.op.has("red"_w);
    s.barrier.kind = i.op.has("arrive"_w) ? Kind::arrive
                     : !red               ? Kind::sync
                     : i.op.has("popc"_w) ? Kind::red_popc
                     : i.op.has("and"_w)  ? Kind::red_and
                                          : Kind::red_or;
    std::size_t next = 0;
    if (red) s.out.push_back(output(f, i, i.operands[next++], i.op.has("popc"_w) ? ir::Type::u32 : ir::Type::pred));
    s.barrier.id = input(f, i, i.operands[next++], ir::Type::u32);
    const std::size_t numbers = i.operands.size() - (red ? 1 : 0);
    if (next < numbers) s.barrier.count = input(f, i, i.operands[next++], ir::Type::u32);
    if (red) s.barrier.predicate = input(f, i, i.operands.back(), ir::Type::pred);
    emit(std::move(s));
  }

  void move(const ir::Instruction& i, const Frame& f, StepKind kind, Input value, ObjectId object) {
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
  void copy(const ir::Instruction& i, const Frame& f, Input to, Input from) {
    Step s;
    s.kind = StepKind::pack;  // of one element
    s.instruction = &i;
    s.function = f.function;
    s.out.push_back(to);
    s.in.push_back(from);
    emit(std::move(s));
  }

  // call (results), function, (arguments), prototype: the body is put here.
  void emit_call(const Frame& f, const ir::Instruction& i, unsigned depth) {
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
    Frame inner = enter(g);
    bind(f, i, inner, g.params, arguments, true);
    bind(f, i, inner, g.results, results, false);
    for (const CarryKind kind : {of_sums, of_differences}) forget_carry(f, i, kind);  // no call keeps it, 9.7.2
    emit_body(inner, depth + 1);
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
  const ir::Function& definition(const ir::Function& named) const {
    if (named.has_body) return named;
    std::string name = named.name;
    for (const ir::Alias& a : module_.aliases)
      if (a.name == name) name = a.aliasee;
    for (const ir::Function& g : module_.functions)
      if (g.name == name && g.has_body) return g;
    return named;
  }
  // Gives each formal its object: the caller's .param variable itself, or one made for a register or constant.
  void bind(const Frame& f, const ir::Instruction& i, Frame& inner, const std::vector<ir::Param>& formals,
            const Operand* actuals, bool in) {
    if ((actuals ? actuals->parts.size() : 0) != formals.size())
      fail(i, "the call's arguments do not fit the function");
    for (std::size_t k = 0; k < formals.size(); ++k) {
      const ir::Param& formal = formals[k];
      const Operand& actual = actuals->parts[k];
      const bool is_object = actual.kind == Operand::Kind::symbol || actual.kind == Operand::Kind::param;
      if (formal.is_reg) {
        inner.params.push_back(0);
        if (in)
          copy(i, f, {inner.registers + formal.reg, u8(width_of(formal.type)), false},
               input(f, i, actual, formal.type));
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

}  // namespace

std::variant<Program, Stop> compile(const ir::Module& module, const ir::Function& kernel, World& world,
                                    const ModuleObjects& objects, u64 dynamic_shared) {
  try {
    return Compiler(module, kernel, world, objects, dynamic_shared).run();
  } catch (Failure& failure) {
    return std::move(failure.stop);
  }
}

}  // namespace ptxeq::sym
