#include "checker/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "checker/values.h"

namespace ptxeq::check {

using sym::ObjectId;
using sym::SideState;

namespace {

constexpr std::size_t most_steps = 6;  // shown of each side

struct Run {
  explicit Run(const Setup& setup, sym::InitialElement initial)
      : domain(store, setup.world), state(domain, std::move(initial)) {}
  sym::TermStore store;
  sym::SymbolicDomain domain;
  SideState state;
};

struct Difference {
  ObjectId object = 0;
  std::uint64_t offset = 0;
  unsigned size = 0;
  std::uint64_t a = 0, ref = 0;
};

std::optional<std::uint64_t> bits_at(Run& run, ObjectId object, std::uint64_t offset, unsigned size) {
  const sym::Value v = run.state.memory.load(object, 0, offset, size, false);
  if (!v.concrete()) return std::nullopt;
  return v.bits;
}

class Replay {
 public:
  Replay(const Setup& setup, const Refutation& refutation, const GroupOptions& options)
      : setup_(setup), refutation_(refutation), options_(options), domains_(leaf_domains(setup)) {
    machine_.concrete = true;
    machine_.deadline = options.deadline;
  }

  std::optional<Counterexample> run(Reason& reason) {
    reason.code = ReasonCode::internal;
    const auto a = execute(setup_.a), ref = execute(setup_.ref);
    for (const Run* r : {a.get(), ref.get()})
      if (r->state.stop) {
        reason =
            reason_of(r->state.stop, r == a.get() ? Side::a : Side::ref, file_of(r == a.get() ? setup_.a : setup_.ref));
        return std::nullopt;
      }
    Counterexample out;
    fill_input(out);
    if (a->state.trapped || ref->state.trapped) {
      if ((a->state.trapped != 0) == (ref->state.trapped != 0)) {
        reason.code = ReasonCode::unsupported;
        reason.message = "both kernels trap on the input that was found, so that memory says nothing";
        return std::nullopt;
      }
      out.klass = "logic", out.traps = a->state.trapped ? Side::a : Side::ref, out.replayed = true;
      return out;
    }
    const auto d = find(*a, *ref);
    if (!d) {
      reason.message = "a difference was found that running both kernels on its input does not show";
      return std::nullopt;
    }
    if (a->state.unspecified_hit || ref->state.unspecified_hit) {
      reason.code = ReasonCode::unspecified_result;
      reason.message = "the difference may rest on a result that the manual leaves open";
      return std::nullopt;
    }
    fill_difference(out, *d);
    out.replayed = true;
    return out;
  }

 private:
  std::unique_ptr<Run> execute(const PreparedSide& side, sym::Watch* watch = nullptr, sym::Trace* trace = nullptr) {
    auto run =
        std::make_unique<Run>(setup_, [this](ObjectId object, std::uint64_t index) -> std::optional<std::uint64_t> {
          return concrete_element(setup_, domains_, refutation_.input, object, index);
        });
    run->state.watch = watch, run->state.trace = trace;
    run_side(
        setup_, side, run->state, run->domain, machine_, [this](std::uint32_t scalar) { return scalar_bytes(scalar); },
        blocks_of(side));
    return run;
  }

  // The blocks that are run: all, or those that write the bytes.
  std::span<const BlockList> blocks_of(const PreparedSide& side) const {
    if (!refutation_.partial) return {};
    const bool a = &side == &setup_.a;
    const auto& launches = a ? refutation_.launches_a : refutation_.launches_ref;
    return !launches.empty() ? launches : list_of(a ? &refutation_.blocks_a : &refutation_.blocks_ref);
  }

  std::optional<std::vector<std::uint8_t>> scalar_bytes(std::uint32_t scalar) const {
    const Scalar& s = setup_.problem->scalars[scalar];
    if (s.value) return s.value;
    std::vector<std::uint8_t> bytes(s.size, 0);
    for (std::uint64_t piece = 0; piece * 8 < s.size; ++piece) {
      const auto at = refutation_.input.scalars.find({scalar, piece});
      const unsigned width = unsigned(std::min<std::uint64_t>(8, s.size - piece * 8)) * 8;
      const std::uint64_t word = at != refutation_.input.scalars.end()
                                     ? at->second
                                     : default_value(domains_({sym::LeafKind::scalar, scalar, piece}), width);
      for (unsigned b = 0; b < 8 && piece * 8 + b < s.size; ++b) bytes[piece * 8 + b] = std::uint8_t(word >> (8 * b));
    }
    return bytes;
  }

  std::optional<Difference> find(Run& a, Run& ref) const {
    if (!refutation_.trap) {
      const auto x = bits_at(a, refutation_.object, refutation_.offset, refutation_.size),
                 y = bits_at(ref, refutation_.object, refutation_.offset, refutation_.size);
      if (x && y && *x != *y) return Difference{refutation_.object, refutation_.offset, refutation_.size, *x, *y};
    }
    return std::nullopt;
  }

  // The buffer and element that the difference lies in, as the spec names them.
  void fill_difference(Counterexample& out, Difference d) {
    const Problem& problem = *setup_.problem;
    ir::Type type = d.size == 8   ? ir::Type::b64
                    : d.size == 4 ? ir::Type::b32
                    : d.size == 2 ? ir::Type::b16
                                  : ir::Type::b8;
    unsigned element = d.size;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
      if (const Buffer& b = problem.buffers[i];
          setup_.a.buffers[i] == d.object && (b.from_spec || ir::bits(b.type) == 8 * d.size))
        type = b.type, element = (ir::bits(type) + 7) / 8;
    sym::Watch watch_a{d.object, d.offset, d.offset + d.size, {}}, watch_ref = watch_a;
    const auto a = execute(setup_.a, &watch_a), ref = execute(setup_.ref, &watch_ref);
    const std::uint64_t begin = d.offset / element * element;
    if (element != d.size) {
      const auto x = bits_at(*a, d.object, begin, element), y = bits_at(*ref, d.object, begin, element);
      if (x && y) d.a = *x, d.ref = *y;
    }
    out.buffer = setup_.world[d.object].name;
    out.element = begin / element;
    out.a = Value{std::string(ir::info(type).name), d.a};
    out.ref = Value{std::string(ir::info(type).name), d.ref};
    std::optional<sym::Format> format;
    if (is_float(type)) format = sym::format_of(ir::bits(type), type == ir::Type::bf16);
    out.klass = difference_class(format, d.a, d.ref);
    writer(setup_.a, watch_a, Side::a, out.thread_a, out.line_a, out.steps);
    writer(setup_.ref, watch_ref, Side::ref, out.thread_ref, out.line_ref, out.steps);
  }

  // Who wrote the byte last, and what led to the value.
  void writer(const PreparedSide& side, const sym::Watch& watch, Side name, std::optional<ThreadAt>& thread,
              std::uint32_t& line, std::vector<Step>& steps) {
    const auto last =
        std::find_if(watch.seen.rbegin(), watch.seen.rend(), [](const sym::Sighting& s) { return s.write; });
    if (last == watch.seen.rend()) return;
    thread = ThreadAt{last->block, last->thread};
    line = last->program->at(last->program->steps[last->step]).line;
    sym::Trace trace;
    trace.thread = global_thread(side, *last);
    execute(side, nullptr, &trace);
    slice(side, trace, *last, name, steps);
  }

  std::uint32_t global_thread(const PreparedSide& side, const sym::Sighting& s) const {
    std::uint64_t before = 0;
    const std::span<const BlockList> blocks = blocks_of(side);
    for (std::size_t k = 0; k < side.programs.size(); ++k) {
      const sym::Shape& shape = side.shapes[k];
      if (&side.programs[k] != s.program) {
        before += (blocks.empty() ? shape.blocks() : blocks[k].size()) * shape.threads();
        continue;
      }
      std::uint64_t block = linear_block(shape, s.block);  // as the how many-th it is run
      if (!blocks.empty())
        block = std::uint64_t(std::find(blocks[k].begin(), blocks[k].end(), block) - blocks[k].begin());
      const std::uint64_t thread =
          s.thread[0] + std::uint64_t(shape.block[0]) * (s.thread[1] + std::uint64_t(shape.block[1]) * s.thread[2]);
      return std::uint32_t(before + block * shape.threads() + thread);
    }
    return 0;
  }

  // The instructions that the stored value was computed by, latest first found, printed in order of execution.
  void slice(const PreparedSide& side, const sym::Trace& trace, const sym::Sighting& store, Side name,
             std::vector<Step>& steps) const {
    std::set<std::uint32_t> wanted;
    std::vector<Step> found;
    bool started = false;
    for (std::size_t i = trace.steps.size(); i-- > 0 && found.size() < most_steps;) {
      const sym::TraceStep& t = trace.steps[i];
      const sym::Step& step = t.program->steps[t.step];
      if (!started) {
        started = t.program == store.program && t.step == store.step;
        if (started)
          for (const sym::Input& in : step.in) wanted.insert(in.slot);
        continue;
      }
      const bool feeds =
          std::any_of(step.out.begin(), step.out.end(), [&](const sym::Input& o) { return wanted.erase(o.slot) > 0; });
      if (!feeds) continue;
      const bool plain = step.kind == sym::StepKind::compute && ir::mnemonic(ir::form(step.op)) != "mov";
      if (step.kind != sym::StepKind::load)
        for (const sym::Input& in : step.in) wanted.insert(in.slot);
      if (!plain) continue;
      found.push_back({name, file_of(side), t.program->at(step).line, t.program->text(step), values(step, t)});
    }
    steps.insert(steps.end(), found.rbegin(), found.rend());
  }

  static std::string values(const sym::Step& step, const sym::TraceStep& t) {
    const auto one = [&](const sym::Input& in, std::uint64_t bits, bool result) {
      const ir::Type type = step.op.type(!result && step.op.type_count > 1 ? 1 : 0);
      if (is_float(type) && ir::bits(type) == in.width) return format_value(type, bits);
      if (in.width == 1) return std::string(bits ? "true" : "false");
      return ir::is_signed(type) && ir::bits(type) == in.width ? format_value(type, bits) : fmt::format("{}", bits);
    };
    std::string text;
    for (std::size_t k = 0; k < step.in.size() && k < t.in.size(); ++k)
      text += (k ? ", " : "") + one(step.in[k], t.in[k], false);
    text += " → ";
    for (std::size_t k = 0; k < step.out.size() && k < t.out.size(); ++k)
      if (step.out[k].slot != sym::no_slot) text += (k ? " | " : "") + one(step.out[k], t.out[k], true);
    return text;
  }

  void fill_input(Counterexample& out) const {
    const Problem& problem = *setup_.problem;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
      const Buffer& b = problem.buffers[i];
      const ObjectId object = setup_.a.buffers[i];
      const unsigned width = setup_.world[object].element * 8u;
      // A bare pointer's elements have the size of its object's; the guessed type says more when it fits.
      const bool fits = b.from_spec || ir::bits(b.type) == width;
      const std::string type(ir::info(fits ? b.type : ir::Type::b32).name);
      for (const auto& [key, bits] : refutation_.input.elements)
        if (key.first == object) out.buffers[b.name][key.second] = {type, bits};
      if (const std::uint64_t other = default_value(domains_({sym::LeafKind::memory, object, 0}), width))
        out.elsewhere[b.name] = {type, other};
    }
    for (std::uint32_t i = 0; i < problem.scalars.size(); ++i) {
      const Scalar& s = problem.scalars[i];
      if (s.value || s.size > 8) continue;
      const auto at = refutation_.input.scalars.find({i, 0});
      const bool known = at != refutation_.input.scalars.end();
      const std::uint64_t bits =
          known ? at->second : default_value(domains_({sym::LeafKind::scalar, i, 0}), unsigned(s.size) * 8);
      if (known || bits) out.scalars[s.name] = {std::string(ir::info(s.type).name), bits};
    }
  }

  const Setup& setup_;
  const Refutation& refutation_;
  const GroupOptions& options_;
  LeafDomains domains_;
  sym::MachineOptions machine_;
};

}  // namespace

std::uint64_t concrete_element(const Setup& setup, const LeafDomains& domains, const InputModel& input, ObjectId object,
                               std::uint64_t index) {
  const auto at = input.elements.find({object, index});
  if (at != input.elements.end()) return at->second;
  return default_value(domains({sym::LeafKind::memory, object, index}), setup.world[object].element * 8u);
}

std::optional<Counterexample> replay(const Setup& setup, const Refutation& refutation, const GroupOptions& options,
                                     Reason& reason) {
  return Replay(setup, refutation, options).run(reason);
}

}  // namespace ptxeq::check
