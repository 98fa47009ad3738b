#include "checker/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "checker/elapsed.h"
#include "checker/possibility.h"
#include "checker/sample.h"
#include "checker/values.h"

namespace ptxeq::check {

using sym::SideState;
using sym::Term;

namespace {

bool written(const sym::ObjectPages& pages) {
  for (const auto& [start, page] : pages.pages())
    for (unsigned cell = 0; cell < page->cells(); ++cell)
      if ((*page)[cell].writer.thread) return true;
  return false;
}

// Does the program multiply and add so that ptxas may fuse the two?
bool may_fuse(const sym::Program& program) {
  bool multiplies = false, adds = false;
  for (const sym::Step& step : program.steps) {
    if (step.kind != sym::StepKind::compute || !step.attr.contractible) continue;
    const std::string name = ir::spell(step.op);
    if (name.find(".f") != std::string::npos || name.find(".bf") != std::string::npos)
      (name.starts_with("mul") ? multiplies : adds) = true;
  }
  return multiplies && adds;
}

}  // namespace

std::uint64_t default_value(const LeafDomain& domain, unsigned width) {
  if (domain.width == 0 || admits(domain, width, 0)) return 0;
  if (const auto runs = progressions(domain, width); runs && !runs->empty()) return runs->front().first;
  if (domain.values) {
    const ir::Type type = width == 64   ? ir::Type::f64
                          : width == 32 ? ir::Type::f32
                          : domain.bf16 ? ir::Type::bf16
                                        : ir::Type::f16;
    for (const double v : *domain.values)
      if (const std::uint64_t bits = encode_float(type, v); admits(domain, width, bits)) return bits;
  }
  Random random(1);
  for (unsigned i = 0; i < 100000; ++i)
    if (const std::uint64_t bits = random.next() & sym::mask(width); admits(domain, width, bits)) return bits;
  return 0;
}

Group::Group(const Setup& setup, const GroupOptions& options, const Blocks& blocks, sym::TermStore& store)
    : setup_(setup),
      options_(options),
      blocks_(blocks),
      domains_([this, inputs = leaf_domains(setup)](const sym::Leaf& leaf) {
        return leaf.kind == sym::LeafKind::launch ? launch_domain(leaf) : inputs(leaf);
      }),
      store_(store),
      domain_(store_, setup.world),
      a_(domain_, nullptr),
      ref_(domain_, nullptr) {
  store_.clear();
  store_.limit(options.terms);
}

DischargeOptions Group::discharge_options() const {
  return {options_.deadline, std::max(1u, options_.limits.jobs), options_.limits.seed, options_.limits.dump_smt2};
}

void Group::stage(std::string what) const {
  if (options_.limits.stage) options_.limits.stage(std::move(what));
}

void Group::note_doubt(ReasonCode code, std::string message, std::optional<Side> side) {
  Reason r;
  r.code = code, r.message = std::move(message), r.side = side;
  if (side) r.file = file_of(*side == Side::a ? setup_.a : setup_.ref);
  result.reasons.push_back(std::move(r));
}

void Group::run(const PreparedSide& side, SideState& state, const BlockList* blocks, Side name) {
  const auto start = std::chrono::steady_clock::now();
  std::string kernels;
  for (const Launch& l : side.problem->launches) kernels += (kernels.empty() ? "" : " + ") + l.kernel->name;
  stage(fmt::format("running {} ({})", kernels, ptxeq::name(name)));
  Possibilities possibilities(domains_, discharge_options());
  const sym::MachineOptions machine = machine_options(possibilities);
  run_side(setup_, side, state, domain_, machine, nullptr, list_of(blocks));
  if (state.race && state.race->certain && state.stop.why == sym::Stop::Why::fault)
    state.faults.back().finding = race_finding(setup_, side, machine, state, blocks, options_.terms);
  finish_run(side, state, name);
  result.cost[name == Side::a ? "run a" : "run ref"] += seconds_since(start);
}

sym::MachineOptions Group::machine_options(Possibilities& possibilities) const {
  sym::MachineOptions machine;
  machine.unroll = options_.limits.unroll;
  machine.deadline = options_.deadline;
  machine.possible = std::ref(possibilities);
  machine.summarise = options_.summarise;
  machine.reads_anywhere = !box_ || !box_->chained;
  return machine;
}

// What a run left behind that is no value.
void Group::finish_run(const PreparedSide& side, SideState& state, Side name) {
  result.instructions += state.instructions;
  result.summarised_loops += state.summarised_loops;
  // A product of one pass may be fused with a sum of the next, or behind the loop: no term shows the two together.
  if (state.summarised_loops > 0)
    result.contraction |= std::any_of(side.programs.begin(), side.programs.end(), may_fuse);
  expect_unwritten(state);
  for (const auto& [program, step] : state.approximate)
    result.approximations.insert(fmt::format("{} {}:{}", ir::spell(program->steps[step].op), file_of(side),
                                             program->at(program->steps[step]).line));
  for (Finding f : state.notes) {
    f.side = name, f.file = file_of(side);
    result.findings.push_back(std::move(f));
  }
}

// What was read at places that are no number is taken to be as it was at first.
void Group::expect_unwritten(SideState& state) const {
  for (const sym::ObjectId id : state.read_anywhere)
    for (const auto& view : state.memory.views(id)) {
      const sym::ObjectPages* pages = state.memory.find_pages(id, view.instance);
      if (!pages || state.stop || !written(*pages)) continue;
      state.stop = {sym::Stop::Why::address_unresolved,
                    fmt::format("{} is written, and read at a place that depends on data", setup_.world[id].name),
                    {}};
    }
}

void Group::execute() {
  if (!options_.only_a) run(setup_.ref, ref_, blocks_.ref, Side::ref);
  run(setup_.a, a_, blocks_.a, Side::a);
  result.footprint_a.add(setup_.world, a_, 0);
  result.footprint_ref.add(setup_.world, ref_, 0);
  result.writes_a = !result.footprint_a.writes.empty();
  result.writes_ref = !result.footprint_ref.writes.empty();
  if (options_.only_a || a_.stop || ref_.stop) return;
  for (const sym::ObjectId id : setup_.unpaired)
    for (const Footprint* f : {&result.footprint_a, &result.footprint_ref})
      if (std::any_of(f->writes.begin(), f->writes.end(), [&](const Touched& t) { return t.object == id; })) {
        result.unfinished = true;
        note_doubt(ReasonCode::unsupported,
                   fmt::format("{} is written, a variable that the two sides do not share", setup_.world[id].name));
        return;
      }
  const auto start = std::chrono::steady_clock::now();
  stage("comparing what the kernels wrote");
  comparison_ = compare(setup_, a_, ref_, domain_);
  if (const auto& only = options_.only) {
    const auto elsewhere = [&](const Mismatch& m) {
      return m.object != only->object || std::int64_t(m.offset) < only->begin ||
             std::int64_t(m.offset + m.size) > only->end;
    };
    std::erase_if(comparison_.mismatches, elsewhere), std::erase_if(comparison_.doubtful, elsewhere);
  }
  result.same_cells = comparison_.same_cells;
  result.contraction |= comparison_.contraction;
  result.cost["compare"] += seconds_since(start);
}

}  // namespace ptxeq::check
