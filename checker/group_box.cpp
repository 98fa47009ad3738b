// A group's run of a box: the driver's units as one, with launch symbols, and those units of the follower that write
// the same bytes.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checker/elapsed.h"
#include "checker/group.h"

namespace ptxeq::check {

using sym::FormPart;
using sym::SideState;

namespace {

constexpr std::size_t lanes_at_once = 1024;
constexpr unsigned few_passes = 8;

bool is_of_a_lane(const sym::SlotInit& init) {
  using S = ir::Special;
  if (init.kind != sym::SlotInit::Kind::special) return false;
  static constexpr S fixed[] = {S::tid, S::ntid, S::ctaid, S::nctaid, S::warp_size, S::dynamic_smem_size};
  return std::find(std::begin(fixed), std::end(fixed), init.special) == std::end(fixed);
}

// The bytes that a page's cells have, the first written cell's offset, and so on, for each written cell.
template <class F>
void each_written(const sym::ObjectPages& pages, F f) {
  for (const auto& [start, page] : pages.pages())
    for (unsigned cell = 0; cell < page->cells(); ++cell)
      if ((*page)[cell].writer.thread)
        f(std::int64_t(start + (std::uint64_t(cell) << page->log_cell())), 1u << page->log_cell());
}

}  // namespace

std::vector<std::int64_t> key_of(const Mapped& m, bool threads) {
  std::vector<std::int64_t> key;
  for (const auto* component : {&m.block, &m.thread}) {
    if (component == &m.thread && !threads) break;
    for (const Linear& sum : *component) {
      key.push_back(sum.constant), key.push_back(std::int64_t(sum.parts.size()));
      for (const FormPart& p : sum.parts) key.push_back(p.symbol), key.push_back(p.factor);
    }
  }
  return key;
}

Units units_of(const PreparedSide& side, std::size_t launch) {
  using K = sym::StepKind;
  const sym::Program& p = side.programs[launch];
  if (!p.block_objects.empty() || p.orders_memory) return Units::blocks;
  for (const sym::Step& s : p.steps)
    if (s.kind == K::barrier || s.kind == K::barrier_warp || s.kind == K::unmodelled) return Units::blocks;
  for (const sym::Slot& s : p.slots)
    if (is_of_a_lane(s.init)) return Units::blocks;
  return Units::threads;
}

bool loops(const PreparedSide& side, std::size_t launch) {
  const auto& steps = side.programs[launch].steps;
  return std::any_of(steps.begin(), steps.end(), [&](const sym::Step& step) {
    return step.kind == sym::StepKind::jump && steps[step.targets[0]].rank <= step.rank;
  });
}

LeafDomain Group::launch_domain(const sym::Leaf& leaf) const {
  const sym::LaunchSymbol& s = domain_.forms.symbols()[leaf.object];
  LeafDomain d;
  d.width = s.leaf_width(), d.is_signed = s.low < 0, d.integers = {s.low, s.high};
  return d;
}

std::vector<std::int64_t> Group::point_of(const std::unordered_map<sym::Term, sym::u64>& model) const {
  if (!box_) return {};
  std::vector<std::int64_t> point = corner(*box_->box);
  for (const auto& [t, value] : model)
    if (const sym::Leaf leaf = store_.leaf_of(t); leaf.kind == sym::LeafKind::launch && leaf.object < point.size())
      point[leaf.object] = std::int64_t(value);
  return point;
}

std::int64_t Group::at_point(sym::Tag form, const std::vector<std::int64_t>& point) const {
  std::int64_t sum = 0;
  if (sym::is_form(form))
    for (const FormPart& p : domain_.forms[form].parts) sum += p.factor * point[p.symbol];
  return sum;
}

std::optional<std::uint64_t> Group::block_of(Side name, const std::unordered_map<sym::Term, sym::u64>& model) const {
  if (!box_ || box_->chained || box_->launch > 0 || name != box_->driver) return std::nullopt;
  return linear_block((name == Side::a ? setup_.a : setup_.ref).shapes[0], unit_at(*box_->box, point_of(model)).block);
}

// The blocks of each launch that have been run, at the point: all that the compared bytes rest on.
std::vector<BlockList> Group::blocks_run(Side name, const std::vector<std::int64_t>& point) const {
  const PreparedSide& side = prepared(name);
  std::vector<BlockList> out(side.programs.size());
  const auto ran = ran_.find(name);
  for (std::size_t k = 0; ran != ran_.end() && k < ran->second.size(); ++k) {
    for (const Mapped& unit : ran->second[k]) {
      Box at = *box_->box;
      at.block = unit.block, at.thread = unit.thread;
      out[k].push_back(linear_block(side.shapes[k], unit_at(at, point).block));
    }
    std::sort(out[k].begin(), out[k].end());
    out[k].erase(std::unique(out[k].begin(), out[k].end()), out[k].end());  // each runs once
  }
  return out;
}

// Where the refutation's bytes are at the point that the model gives, and who writes them.
void Group::place(Refutation& r, const Mismatch& m, const std::unordered_map<sym::Term, sym::u64>& model) {
  const std::vector<std::int64_t> point = point_of(model);
  r.offset += std::uint64_t(at_point(m.form, point));
  r.threads = threads_at(model);
  if (r.trap || open_) return;
  if (box_->chained) {
    r.launches_a = blocks_run(Side::a, point), r.launches_ref = blocks_run(Side::ref, point);
    r.partial = true;
    return;
  }
  auto& of_driver = box_->driver == Side::a ? r.blocks_a : r.blocks_ref;
  auto& of_follower = box_->driver == Side::a ? r.blocks_ref : r.blocks_a;
  const Side other = box_->driver == Side::a ? Side::ref : Side::a;
  of_driver.push_back(*block_of(box_->driver, model));
  Matcher matcher(*box_->follower_boxes, *box_->follower_pieces);
  std::optional<sym::Cut> ignored;
  if (const auto unit =
          matcher.writer(*box_->box, m.object, domain_.forms.form_of(m.form).parts, std::int64_t(m.offset), ignored)) {
    Box at = *box_->box;
    at.block = unit->block, at.thread = unit->thread;
    of_follower.push_back(linear_block(prepared(other).shapes[0], unit_at(at, point).block));
  }
  r.partial = true;
}

// How many threads the model's launches have.
std::array<std::int64_t, 2> Group::threads_at(const std::unordered_map<sym::Term, sym::u64>& model) const {
  std::array<std::int64_t, 2> out{};
  if (!open_) return out;
  for (const Side side : {Side::a, Side::ref})
    for (const auto& [t, value] : model)
      if (const sym::Leaf leaf = store_.leaf_of(t);
          leaf.kind == sym::LeafKind::launch && leaf.object == open_->threads_symbol(side))
        out[side == Side::a ? 0 : 1] = std::int64_t(value) * open_->threads_factor(side);
  return out;
}

// The condition where what is known of the launches holds; 0: always.
sym::Term Group::known(sym::Term condition) {
  const sym::Term facts = open_ ? open_->known() : 0;
  return conjunction(store_, facts, condition);
}

// Preconditions that nothing satisfies prove nothing (SOUNDNESS rule 4).
void Group::settle_known() {
  if (!open_ || !open_->known()) return;
  const Decision d = satisfiable(store_, open_->known(), domains_, discharge_options());
  if (d.outcome == Outcome::proved) return;
  result.unfinished = true;
  note_doubt(d.outcome == Outcome::refuted ? ReasonCode::spec : d.why,
             d.outcome == Outcome::refuted ? "no launch keeps to the bounds, whatever the scalars are"
                                           : "whether a launch keeps to the bounds is not decided");
}

// Does the condition rest on scalars, the index and the number of threads alone?
bool Group::speaks_of_launch(sym::Term t, Side name) const {
  return !find_in_cone(store_, t, 0, [&](sym::Term x) {
    if (store_[x].op != sym::Op::leaf) return store_[x].op == sym::Op::approx;
    const sym::Leaf leaf = store_.leaf_of(x);
    const bool ours = leaf.kind == sym::LeafKind::launch &&
                      (leaf.object < box_->box->symbols.size() || leaf.object == open_->threads_symbol(name));
    return !ours && leaf.kind != sym::LeafKind::scalar;
  });
}

// Every index is visited once by a loop over steps of the whole launch if a pass follows exactly where its first pass
// would be: next(i) = head(i + threads), and no pass follows beyond the indices that are looked at.
void Group::settle_strides(Side name) {
  if (!box_->alone() || box_->driver != name || !strided(name)) return;  // else it is done
  using sym::Op;
  const Box& box = *box_->box;
  std::vector<Obligation> obligations;
  const sym::Term yes = store_.constant(1, 1);
  for (const sym::StrideLoop& loop : state(name).stride_loops) {
    const sym::LaunchSymbol& index = box.symbols[0];
    const std::int64_t all = most_threads(setup_, prepared(name));
    if (box.symbols.size() != 1 || index.low != 0 || index.high != all - 1 || index.leaf_width() != 32) {
      result.unfinished = true;
      return note_doubt(ReasonCode::unroll_limit, "a loop over steps of the whole launch that is not followed", name);
    }
    const sym::Term i = store_.leaf({sym::LeafKind::launch, 0, 0}, 32), threads = domain_.term(open_->threads(name));
    const sym::Term sum = store_.make(Op::add, 64, 0, store_.make(Op::zext, 64, 0, i), threads);
    const sym::Term inside = store_.make(Op::ult, 1, 0, sum, store_.constant(64, std::uint64_t(all)));
    const sym::Term head = loop.head ? loop.head : yes, next = loop.next ? loop.next : yes;
    if (!speaks_of_launch(head, name) || !speaks_of_launch(next, name)) {
      result.unfinished = true;
      return note_doubt(ReasonCode::unroll_limit, "whether a loop goes on depends on data", name);
    }
    obligations.push_back(
        {next, sym::substitute(store_, head, {{i, store_.make(Op::extract, 32, 0, sum, 0)}}), known(inside)});
    obligations.push_back({next, store_.constant(1, 0), known(store_.make(Op::not_, 1, 0, inside))});
  }
  const auto decisions = discharge(store_, obligations, domains_, discharge_options(), result.evidence);
  for (const Decision& d : decisions)
    if (d.outcome != Outcome::proved) {
      result.unfinished = true;
      return note_doubt(ReasonCode::unroll_limit,
                        "whether a loop over steps of the whole launch visits each index once", name);
    }
}

Group::Run::Run(const Group& group, const PreparedSide& side, std::size_t launch, SideState& state,
                sym::SymbolicDomain& domain)
    : possibilities(group.domains_, group.discharge_options()),
      options(group.machine_options(possibilities)),
      machine(side.programs[launch], side.shapes[launch], state, domain, options) {}

void Group::run_units(Side name, std::size_t launch, const std::vector<Mapped>& units) {
  const auto start = std::chrono::steady_clock::now();
  const PreparedSide& side = prepared(name);
  SideState& to = state(name);
  to.launch_start = ++to.time;
  store_arguments(setup_, side, launch, to, domain_, nullptr);
  run_ = std::make_unique<Run>(*this, side, launch, to, domain_);
  if (side.by_index)
    run_->options.unroll = std::min(run_->options.unroll, few_passes);  // of loops that show to be others
  const auto values = [&](const std::array<Linear, 3>& sums) {
    std::array<sym::Value, 3> out;
    for (unsigned c = 0; c < 3; ++c) out[c] = value_of(sums[c], domain_.forms, 32);
    return out;
  };
  if (units_of(side, launch) == Units::blocks) {
    for (const Mapped& m : units) {
      if (!run_->machine.run(values(m.block))) break;
      if (box_->chained) expect_one_view_each(name);
    }
  } else {
    run_threads(name, launch, units);
  }
  if (strided(name) && !to.stop && to.stride_loops.size() != units.size()) {
    result.unfinished = true;
    note_doubt(ReasonCode::unroll_limit, "a loop over steps of the whole launch that not every thread comes to", name);
  }
  note_cost(name, start);
}

void Group::note_cost(Side name, std::chrono::steady_clock::time_point since) {
  result.cost[name == Side::a ? "run a" : "run ref"] += seconds_since(since);
}

sym::ThreadId Group::thread_id(Side name, std::size_t launch, const Mapped& unit) {
  if (is_open(prepared(name))) return open_->thread(name, unit.block[0], unit.thread[0], strided(name));
  const sym::Shape& shape = prepared(name).shapes[launch];
  sym::ThreadId id;
  for (unsigned c = 0; c < 3; ++c) {
    id.block[c] = value_of(unit.block[c], domain_.forms, 32);
    id.thread[c] = value_of(unit.thread[c], domain_.forms, 32);
    id.block_size[c] = sym::SymbolicDomain::constant(32, shape.block[c]);
    id.grid_size[c] = sym::SymbolicDomain::constant(32, shape.grid[c]);
  }
  return id;
}

// As many threads at a time as lanes pay for; of an open launch those whose index is one sum but for its constant.
void Group::run_threads(Side name, std::size_t launch, const std::vector<Mapped>& units) {
  const bool open = is_open(prepared(name));
  const auto index = [&](const Mapped& m) { return open_->index(name, m.block[0], m.thread[0]); };
  std::vector<sym::ThreadId> threads;
  for (std::size_t i = 0; i < units.size() && !state(name).stop; i += threads.size()) {
    threads.clear();
    if (open)
      run_->options.threads_and_index = std::pair{open_->threads(name), value_of(index(units[i]), domain_.forms, 64)};
    for (std::size_t k = i; k < units.size() && threads.size() < lanes_at_once; ++k) {
      if (open && index(units[k]).parts != index(units[i]).parts) break;
      threads.push_back(thread_id(name, launch, units[k]));
    }
    run_->machine.run(threads);
  }
}

// Does the run want the box taken apart? The symbols that it names are the box's.
bool Group::cut_found(Side name, BoxOutcome& out) {
  if (state(name).stop.why != sym::Stop::Why::cut) return false;
  out.cut = domain_.cut;
  const sym::Stop& stop = state(name).stop;
  out.why = fmt::format("{} {}:{}", stop.message, file_of(prepared(name)), stop.at.line);
  return true;
}

bool within_launch(const sym::Shape& shape, const Box& box, const Mapped& unit) {
  const auto inside = [&](const Linear& sum, std::int64_t extent) {
    std::int64_t low = sum.constant, high = sum.constant;
    for (const FormPart& p : sum.parts) {
      const sym::LaunchSymbol& s = box.symbols[p.symbol];
      low += std::min(p.factor * s.low, p.factor * s.high), high += std::max(p.factor * s.low, p.factor * s.high);
    }
    return low >= 0 && high < extent;
  };
  for (unsigned c = 0; c < 3; ++c)
    if (!inside(unit.block[c], shape.grid[c]) || !inside(unit.thread[c], shape.block[c])) return false;
  return true;
}

bool Group::exists(Side name, const Mapped& unit) const {
  if (!is_open(prepared(name))) return within_launch(prepared(name).shapes[0], *box_->box, unit);
  // The index as the number of a block in a row of so many.
  sym::Shape row;
  row.grid[0] = std::uint32_t(std::min<std::int64_t>(most_threads(setup_, prepared(name)), ~std::uint32_t(0)));
  Mapped index;
  index.block[0] = open_->index(name, unit.block[0], unit.thread[0]);
  return within_launch(row, *box_->box, index);
}

// The follower's units that write what the driver has written.
std::vector<Mapped> Group::followers(Side driver, Matcher& matcher, BoxOutcome& out) {
  std::map<sym::ObjectId, unsigned> granule;  // of the follower's writes, bytes
  for (const Piece& p : *box_->follower_pieces) {
    unsigned& g = granule.try_emplace(p.object, p.size).first->second;
    g = std::min(g, p.size);
  }
  const Side follower = driver == Side::a ? Side::ref : Side::a;
  const bool threads = units_of(prepared(follower)) == Units::threads;
  std::set<std::vector<std::int64_t>> seen;
  std::vector<Mapped> units;
  for (const sym::ObjectId id : setup_.compared)
    for (const auto& view : state(driver).memory.views(id)) {
      const std::vector<FormPart> parts = domain_.forms.form_of(view.form).parts;
      std::vector<Interval> missing;
      each_written(*state(driver).memory.find_pages(id, view.instance), [&](std::int64_t at, unsigned size) {
        const unsigned step = granule.contains(id) ? std::min(granule[id], size) : size;
        for (unsigned k = 0; k < size && !out.cut; k += step) {
          std::optional<sym::Cut> cut;
          const auto unit = matcher.writer(*box_->box, id, parts, at + k, cut);
          if (!unit || !exists(follower, *unit)) {
            out.cut = cut, out.why = "what the other side writes", out.uncovered = true;
            missing.push_back({at + k, at + k + std::int64_t(step)});
            continue;
          }
          if (seen.insert(key_of(*unit, threads)).second) units.push_back(*unit);
        }
      });
      if (out.cut) return {};
      std::sort(missing.begin(), missing.end());
      if (!missing.empty()) out.missing[id].push_back(section(missing, parts, box_->box->symbols));
    }
  return units;
}

std::vector<Piece> Group::pieces(Side name) {
  std::vector<Piece> out;
  for (sym::ObjectId id = 0; id < setup_.world.objects.size(); ++id) {
    if (setup_.world[id].space != ir::Space::global) continue;
    for (const auto& view : state(name).memory.views(id)) {
      Piece p;
      p.object = id, p.parts = domain_.forms.form_of(view.form).parts;
      each_written(*state(name).memory.find_pages(id, view.instance), [&](std::int64_t at, unsigned size) {
        p.low = p.offsets.empty() ? at : std::min(p.low, at), p.high = p.offsets.empty() ? at : std::max(p.high, at);
        p.size = p.offsets.empty() ? size : std::min(p.size, size);
        p.offsets.insert(at);
      });
      if (!p.offsets.empty()) out.push_back(std::move(p));
    }
  }
  return out;
}

// Where a block keeps its own memory, no two views of it may be used: whether they overlap is not looked at.
void Group::expect_one_view_each(Side name) {
  SideState& in = state(name);
  for (sym::ObjectId id = 0; id < setup_.world.objects.size() && !in.stop; ++id) {
    const sym::Object& object = setup_.world[id];
    if (object.space == ir::Space::global || object.per_thread || object.read_only) continue;
    if (in.memory.views(id).size() > 1)
      in.stop = {sym::Stop::Why::address_unresolved,
                 fmt::format("where blocks differ in what they access of {} is not followed", object.name),
                 {}};
  }
}

void Group::begin(const BoxWork& work) {
  box_ = work;
  result.at = order_of(*work.box);
  for (const sym::LaunchSymbol& s : work.box->symbols) domain_.forms.add_symbol(s);
}

bool Group::run_launch(Side name, std::size_t launch, const std::vector<Mapped>& units) {
  run_units(name, launch, units);
  auto& ran = ran_[name];
  ran.resize(std::max(ran.size(), launch + 1));
  ran[launch] = units;
  if (!state(name).stop && state(name).time > sym::Touch::time_mask)  // who touched what in which launch is lost
    state(name).stop = {sym::Stop::Why::unsupported, "too many synchronisations", {}};
  return !state(name).stop;
}

std::optional<sym::Cut> Group::cut_wanted(Side name) const {
  return stopped(name).why == sym::Stop::Why::cut ? domain_.cut : std::nullopt;
}

Accesses Group::accesses(Side name) {
  return accesses_since(setup_.world, state(name), domain_.forms, state(name).launch_start);
}

void Group::compare_at(const Places& places) {
  finish_run(setup_.ref, ref_, Side::ref), finish_run(setup_.a, a_, Side::a);
  if (a_.stop || ref_.stop) return;
  const auto start = std::chrono::steady_clock::now();
  comparison_ = compare(setup_, a_, ref_, domain_, {}, &places);
  result.contraction |= comparison_.contraction;
  result.cost["compare"] += seconds_since(start);
}

BoxOutcome Group::execute(const BoxWork& work) {
  begin(work);
  if (is_open(setup_)) open_.emplace(setup_, domain_, options_.by_blocks);
  if (open_ && !open_->failed().empty()) {
    result.unfinished = true, note_doubt(ReasonCode::unsupported, open_->failed());
    return {};
  }
  domain_.uncut = open_ && (loops(setup_.a) || loops(setup_.ref));  // a loop over all indices is followed for many
  if (work.alone() && strided(work.driver)) open_->open_sizes();    // or, in settle_strides, for all
  run_units(work.driver, work.launch, {Mapped{work.box->block, work.box->thread}});
  return conclude();
}

bool Group::can_go_on() const {
  const auto cut = cut_wanted(box_->driver);
  return cut && cut->kind == sym::Cut::Kind::split && run_->machine.can_go_on() && !domain_.left_open && !open_;
}

BoxOutcome Group::go_on(const Box& part) {
  const auto start = std::chrono::steady_clock::now();
  box_->box = &part;
  result.at = order_of(part);
  for (std::uint32_t i = 0; i < part.symbols.size(); ++i) domain_.narrow(i, part.symbols[i].low, part.symbols[i].high);
  run_->machine.go_on();
  note_cost(box_->driver, start);
  return conclude();
}

// The driver's units have been run.
BoxOutcome Group::conclude() {
  BoxOutcome out;
  const BoxWork& work = *box_;
  if (cut_found(work.driver, out)) return out;
  finish_run(prepared(work.driver), state(work.driver), work.driver);
  out.strides = !state(work.driver).stride_loops.empty();
  out.reach = reach_of(setup_.world, state(work.driver), domain_.forms, work.box->symbols.size());
  (work.driver == Side::a ? result.writes_a : result.writes_ref) = !out.reach.writes.empty();
  for (const sym::ObjectId id : setup_.unpaired)
    if (out.reach.writes.contains(id))
      result.unfinished = true, note_doubt(ReasonCode::unsupported, "a variable that the two sides do not share");
  if (!out.reach.overlapping.empty()) return out;
  out.pieces = pieces(work.driver), out.trapped = work.alone() && state(work.driver).trapped != 0;
  if (!work.follower_boxes || state(work.driver).stop) return out;
  Matcher matcher(*work.follower_boxes, *work.follower_pieces);
  const Side follower = work.driver == Side::a ? Side::ref : Side::a;
  const std::vector<Mapped> units = followers(work.driver, matcher, out);
  if (out.cut) return out;
  run_units(follower, 0, units);
  finish_run(prepared(follower), state(follower), follower);
  if (cut_found(follower, out) || state(follower).stop) return out;
  const auto start = std::chrono::steady_clock::now();
  comparison_ = compare(setup_, a_, ref_, domain_, work.driver);
  result.contraction |= comparison_.contraction;
  result.cost["compare"] += seconds_since(start);
  return out;
}

}  // namespace ptxeq::check
