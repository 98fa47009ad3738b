// A group's run of a box: the driver's units as one, with launch symbols, and those units of the follower that write
// the same bytes.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checker/group.h"

namespace ptxeq::check {

using sym::FormPart;
using sym::SideState;

namespace {

constexpr std::size_t lanes_at_once = 1024;

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
  if (r.trap) return;
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

void Group::run_units(Side name, std::size_t launch, const std::vector<Mapped>& units) {
  const auto start = std::chrono::steady_clock::now();
  const PreparedSide& side = prepared(name);
  SideState& to = state(name);
  Possibilities possibilities(domains_, discharge_options());
  const sym::MachineOptions options = machine_options(possibilities);
  to.launch_start = ++to.time;
  store_arguments(setup_, side, launch, to, domain_, nullptr);
  sym::Machine machine(side.programs[launch], side.shapes[launch], to, domain_, options);
  const auto values = [&](const std::array<Linear, 3>& sums) {
    std::array<sym::Value, 3> out;
    for (unsigned c = 0; c < 3; ++c) out[c] = value_of(sums[c], domain_.forms, 32);
    return out;
  };
  if (units_of(side, launch) == Units::blocks) {
    for (const Mapped& m : units) {
      if (!machine.run(values(m.block))) break;
      if (box_->chained) expect_one_view_each(name);
    }
  } else {
    std::vector<sym::ThreadId> threads;
    for (std::size_t i = 0; i < units.size() && !to.stop; i += threads.size()) {
      threads.clear();
      for (std::size_t k = i; k < units.size() && threads.size() < lanes_at_once; ++k)
        threads.push_back({values(units[k].block), values(units[k].thread)});
      machine.run(threads);
    }
  }
  result.cost[name == Side::a ? "run a" : "run ref"] +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Does the run want the box taken apart? The symbols that it names are the box's.
bool Group::cut_found(Side name, BoxOutcome& out) {
  if (state(name).stop.why != sym::Stop::Why::cut) return false;
  out.cut = domain_.cut;
  out.why = fmt::format("{}:{}", file_of(prepared(name)), state(name).stop.at.line);
  return true;
}

bool within_launch(const sym::Shape& shape, const Box& box, const Mapped& unit) {
  const auto inside = [&](const Linear& sum, std::uint32_t extent) {
    std::int64_t low = sum.constant, high = sum.constant;
    for (const FormPart& p : sum.parts) {
      const sym::LaunchSymbol& s = box.symbols[p.symbol];
      low += std::min(p.factor * s.low, p.factor * s.high), high += std::max(p.factor * s.low, p.factor * s.high);
    }
    return low >= 0 && high < std::int64_t(extent);
  };
  for (unsigned c = 0; c < 3; ++c)
    if (!inside(unit.block[c], shape.grid[c]) || !inside(unit.thread[c], shape.block[c])) return false;
  return true;
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
  std::map<std::vector<std::int64_t>, bool> seen;
  std::vector<Mapped> units;
  for (const sym::ObjectId id : setup_.compared)
    for (const auto& view : state(driver).memory.views(id)) {
      const std::vector<FormPart> parts = domain_.forms.form_of(view.form).parts;
      each_written(*state(driver).memory.find_pages(id, view.instance), [&](std::int64_t at, unsigned size) {
        const unsigned step = granule.contains(id) ? std::min(granule[id], size) : size;
        for (unsigned k = 0; k < size && !out.cut; k += step) {
          std::optional<sym::Cut> cut;
          const auto unit = matcher.writer(*box_->box, id, parts, at + k, cut);
          if (!unit || !within_launch(prepared(follower).shapes[0], *box_->box, *unit)) {
            out.cut = cut, out.why = "what the other side writes", out.uncovered = true;
            continue;
          }
          if (seen.try_emplace(key_of(*unit, threads), true).second) units.push_back(*unit);
        }
      });
      if (out.cut) return {};
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
  result.contraction = comparison_.contraction;
  result.cost["compare"] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

BoxOutcome Group::execute(const BoxWork& work) {
  BoxOutcome out;
  begin(work);
  run_units(work.driver, work.launch, {Mapped{work.box->block, work.box->thread}});
  finish_run(prepared(work.driver), state(work.driver), work.driver);
  if (cut_found(work.driver, out)) return out;
  out.reach = reach_of(setup_.world, state(work.driver), domain_.forms);
  (work.driver == Side::a ? result.writes_a : result.writes_ref) = !out.reach.writes.empty();
  for (const sym::ObjectId id : setup_.unpaired)
    if (out.reach.writes.contains(id))
      result.unfinished = true, note_doubt(ReasonCode::unsupported, "a variable that the two sides do not share");
  out.pieces = pieces(work.driver), out.trapped = work.alone() && state(work.driver).trapped != 0;
  if (!work.follower_boxes) {
    out.terms = store_.size();
    return out;
  }
  if (state(work.driver).stop) return out;
  Matcher matcher(*work.follower_boxes, *work.follower_pieces);
  const Side follower = work.driver == Side::a ? Side::ref : Side::a;
  const std::vector<Mapped> units = followers(work.driver, matcher, out);
  if (out.cut) return out;
  run_units(follower, 0, units);
  finish_run(prepared(follower), state(follower), follower);
  if (cut_found(follower, out) || state(follower).stop) return out;
  const auto start = std::chrono::steady_clock::now();
  comparison_ = compare(setup_, a_, ref_, domain_, work.driver);
  result.contraction = comparison_.contraction;
  result.cost["compare"] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.terms = store_.size();
  return out;
}

}  // namespace ptxeq::check
