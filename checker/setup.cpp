#include "checker/setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "checker/values.h"

namespace ptxeq::check {

using sym::Contents;
using sym::Object;
using sym::ObjectId;

namespace {

Object buffer_object(const Buffer& b) {
  Object o{b.name, ir::Space::global};
  const unsigned element = (ir::bits(b.type) + 7) / 8;
  if (b.count) o.size = *b.count * element;
  o.align = std::bit_floor(std::max<std::uint64_t>(b.align, 1));
  o.placed_by_host = true;
  o.element = sym::u8(b.from_spec ? std::clamp(element, 1u, 8u) : 4);
  o.contents = b.role == Role::temp ? Contents::undefined : b.role == Role::out ? Contents::out : Contents::input;
  return o;
}

void prepare_side(Setup& setup, const ProblemSide& problem, PreparedSide& side, sym::Stop& failed,
                  const sym::ModuleObjects& objects) {
  side.problem = &problem;
  for (const Launch& launch : problem.launches) {
    side.shapes.push_back({launch.grid, launch.block, launch.shared});
    auto compiled = sym::compile(*problem.module, *launch.kernel, setup.world, objects, launch.shared);
    if (auto* stop = std::get_if<sym::Stop>(&compiled)) {
      if (!failed) failed = std::move(*stop);
      side.programs.emplace_back();
    } else {
      side.programs.push_back(std::move(std::get<sym::Program>(compiled)));
    }
  }
}

// Known contents of a .global variable that the host may have changed since: an assumption.
void assume_initialisers(Setup& setup, const ir::Module& module) {
  for (const ir::Variable& v : module.variables) {
    if (v.space != ir::Space::global || !v.initialised) continue;
    std::string text = fmt::format("{} holds its initialiser", v.name);
    if (std::find(setup.assumptions.begin(), setup.assumptions.end(), text) == setup.assumptions.end())
      setup.assumptions.push_back(std::move(text));
  }
}

}  // namespace

Setup prepare(const Problem& problem) {
  Setup setup;
  setup.problem = &problem;
  for (const Buffer& b : problem.buffers) {
    const ObjectId id = setup.world.add(buffer_object(b));
    setup.a.buffers.push_back(id);
    setup.ref.buffers.push_back(b.role == Role::temp ? setup.world.add(buffer_object(b)) : id);
    if (b.role != Role::temp) setup.compared.push_back(id);
  }
  const sym::ModuleObjects objects_a = sym::link_variables(*problem.a.module, setup.world);
  const sym::ModuleObjects objects_ref =
      problem.ref.module ? sym::link_variables(*problem.ref.module, setup.world, problem.a.module, &objects_a)
                         : sym::ModuleObjects();
  for (const sym::ModuleObjects* objects : {&objects_a, &objects_ref})
    for (const ObjectId id : *objects) {
      if (setup.world[id].space != ir::Space::global) continue;
      const auto has = [&](const sym::ModuleObjects& list) {
        return std::find(list.begin(), list.end(), id) != list.end();
      };
      auto& list = !problem.ref.module || (has(objects_a) && has(objects_ref)) ? setup.compared : setup.unpaired;
      if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
    }
  prepare_side(setup, problem.a, setup.a, setup.failed_a, objects_a);
  assume_initialisers(setup, *problem.a.module);
  if (problem.ref.module) {
    prepare_side(setup, problem.ref, setup.ref, setup.failed_ref, objects_ref);
    assume_initialisers(setup, *problem.ref.module);
  }
  return setup;
}

LeafDomains leaf_domains(const Setup& setup) {
  return [&setup](const sym::Leaf& leaf) {
    LeafDomain d;
    const Problem& problem = *setup.problem;
    if (leaf.kind == sym::LeafKind::scalar) {
      const Scalar& s = problem.scalars[leaf.object];
      d.width = unsigned(std::min<std::uint64_t>(s.size - std::min(s.size, leaf.index * 8), 8)) * 8;
      if (s.size > 8) return d;
      d.floating = is_float(s.type), d.bf16 = s.type == ir::Type::bf16, d.is_signed = ir::is_signed(s.type);
      if (s.range) d.integers = *s.range;
      d.multiple_of = s.multiple_of;
      return d;
    }
    if (leaf.kind != sym::LeafKind::memory && leaf.kind != sym::LeafKind::stale) return d;
    d.width = setup.world[leaf.object].element * 8u;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
      const Buffer& b = problem.buffers[i];
      if (setup.a.buffers[i] != leaf.object || !b.from_spec || ir::bits(b.type) != d.width) continue;
      d.floating = is_float(b.type), d.bf16 = b.type == ir::Type::bf16, d.is_signed = ir::is_signed(b.type);
      if (setup.unknown.contains(leaf.object)) continue;
      d.finite = b.finite, d.values = b.values, d.integers = b.integer_values;
    }
    return d;
  };
}

void store_arguments(const Setup& setup, const PreparedSide& side, std::size_t launch, sym::SideState& state,
                     sym::SymbolicDomain& domain, const ScalarBytes& scalar) {
  const Launch& l = side.problem->launches[launch];
  const sym::Program& program = side.programs[launch];
  for (std::size_t k = 0; k < l.args.size() && k < program.params.size(); ++k) {
    const Argument& arg = l.args[k];
    const ObjectId to = program.params[k];
    const std::uint64_t size = *setup.world[to].size;
    state.memory.forget(to);
    if (arg.kind == Argument::Kind::buffer) {
      state.memory.store(to, 0, 0, 8, {arg.offset, sym::base_tag(side.buffers[arg.index], false), 64});
    } else if (arg.kind == Argument::Kind::literal) {
      for (std::uint64_t at = 0; at < size; at += 8) {
        const unsigned n = unsigned(std::min<std::uint64_t>(8, size - at));
        for (unsigned b = 0; b < n; b = b + std::bit_floor(n - b)) {
          const unsigned part = std::bit_floor(n - b);
          state.memory.store(to, 0, at + b, part,
                             sym::SymbolicDomain::constant(part * 8, at ? 0 : arg.value >> (8 * b)));
        }
      }
    } else {
      const Scalar& s = setup.problem->scalars[arg.index];
      const std::optional<std::vector<std::uint8_t>> bytes = s.value  ? s.value
                                                             : scalar ? scalar(arg.index)
                                                                      : std::nullopt;
      for (std::uint64_t at = 0; at < size && at < s.size;) {
        const unsigned part = std::bit_floor(unsigned(std::min<std::uint64_t>({8, size - at, s.size - at})));
        sym::Value v;
        if (bytes) {
          std::uint64_t word = 0;
          for (unsigned b = 0; b < part && at + b < bytes->size(); ++b)
            word |= std::uint64_t((*bytes)[at + b]) << (8 * b);
          v = sym::SymbolicDomain::constant(part * 8, word);
        } else {
          // One leaf a whole 8 bytes, so that a piece means the same whatever the parameter's size.
          const unsigned whole = unsigned(std::min<std::uint64_t>(8, s.size - at / 8 * 8)) * 8;
          const sym::Term leaf = domain.store().leaf({sym::LeafKind::scalar, arg.index, at / 8}, whole);
          v = domain.extract({leaf, sym::term_tag, whole}, unsigned(at % 8) * 8, part * 8);
        }
        state.memory.store(to, 0, at, part, v);
        at += part;
      }
    }
  }
}

sym::Dim3 block_at(const sym::Shape& shape, std::uint64_t linear) {
  const auto& g = shape.grid;
  return {std::uint32_t(linear % g[0]), std::uint32_t(linear / g[0] % g[1]), std::uint32_t(linear / g[0] / g[1])};
}

std::uint64_t linear_block(const sym::Shape& shape, const sym::Dim3& block) {
  return block[0] + shape.grid[0] * (block[1] + std::uint64_t(shape.grid[1]) * block[2]);
}

namespace {

void say_where(sym::Stop& stop, const PreparedSide& side, std::size_t launch, const sym::Dim3& block) {
  stop.message = fmt::format("out of time (--timeout; --unroll for loops over data): {} was in block ({}) of {}",
                             side.programs[launch].kernel->name, fmt::join(block, ","), side.shapes[launch].blocks());
}

}  // namespace

void run_side(const Setup& setup, const PreparedSide& side, sym::SideState& state, sym::SymbolicDomain& domain,
              const sym::MachineOptions& options, const ScalarBytes& scalar, std::span<const BlockList> blocks) {
  for (std::size_t k = 0; k < side.programs.size() && !state.stop; ++k) {
    state.launch_start = ++state.time;
    store_arguments(setup, side, k, state, domain, scalar);
    sym::Machine machine(side.programs[k], side.shapes[k], state, domain, options);
    const BlockList* only = blocks.empty() ? nullptr : &blocks[k];
    const std::uint64_t count = only ? only->size() : side.shapes[k].blocks();
    for (std::uint64_t i = 0; i < count; ++i)
      if (const auto block = block_at(side.shapes[k], only ? (*only)[i] : i); !machine.run(block)) {
        if (state.stop.why == sym::Stop::Why::timeout) say_where(state.stop, side, k, block);
        return;
      }
  }
}

Reason reason_of(const sym::Stop& stop, Side side, const std::string& file) {
  using Why = sym::Stop::Why;
  Reason r;
  switch (stop.why) {
    case Why::unroll_limit:
      r.code = ReasonCode::unroll_limit;
      break;
    case Why::timeout:
      r.code = ReasonCode::timeout;
      break;
    case Why::memory:
      r.code = ReasonCode::memory;
      break;
    case Why::unspecified_result:
      r.code = ReasonCode::unspecified_result;
      break;
    case Why::schedule_dependent:
      r.code = ReasonCode::schedule_dependent;
      break;
    case Why::address_unresolved:
      r.code = ReasonCode::address_unresolved;
      break;
    default:
      r.code = ReasonCode::unsupported;
      break;
  }
  r.message = stop.message;
  r.side = side, r.file = file, r.line = stop.at.line;
  return r;
}

const std::string& file_of(const PreparedSide& side) { return side.problem->module->file; }

}  // namespace ptxeq::check
