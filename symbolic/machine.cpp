// Strands: who runs next, and where lanes meet again.
#include "symbolic/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "symbolic/machine_impl.h"

namespace ptxeq::sym {

namespace {
constexpr unsigned steps_per_tick = 2048;
constexpr u32 no_limit = ~u32(0);
}  // namespace

Machine::Machine(const Program& program, const Shape& shape, SideState& state, SymbolicDomain& domain,
                 const MachineOptions& options)
    : program_(program),
      shape_(shape),
      state_(state),
      domain_(domain),
      options_(options),
      lanes_(unsigned(shape.threads())) {}
Machine::~Machine() = default;

Dim3 Machine::thread_index(unsigned lane) const {
  const Dim3& b = shape_.block;
  return {lane % b[0], lane / b[0] % b[1], lane / (b[0] * b[1])};
}

std::string Machine::thread_name(unsigned lane) const {
  const Dim3 t = thread_index(lane);
  return fmt::format("block ({},{},{}) thread ({},{},{})", block_id_[0], block_id_[1], block_id_[2], t[0], t[1], t[2]);
}

// Conditions: 0 stands for "always", so the constant true never does; the constant false stays a term.
Term Machine::both(Term a, Term b) {
  const Term t = conjunction(domain_.store(), a, b);
  return t && domain_.store().is_constant(t) && domain_.store().constant_bits(t) ? 0 : t;
}
Term Machine::either(Term a, Term b) {
  if (!a || !b) return 0;
  const Term t = domain_.store().make(Op::or_, 1, 0, a, b);
  return domain_.store().is_constant(t) && domain_.store().constant_bits(t) ? 0 : t;
}

void Machine::stop(Stop::Why why, const Step& step, std::string message) {
  if (!state_.stop) state_.stop = {why, std::move(message), program_.at(step)};
}

void Machine::fault(const Step& step, unsigned lane, Term condition, std::string code, std::string message) {
  Finding f;
  f.code = std::move(code);
  f.at = program_.at(step);
  f.message = message;
  f.witness = fmt::format("{}\n{}", program_.text(step), thread_name(lane));
  state_.faults.push_back({condition, std::move(f)});
  effects_ = true;
  if (!condition) stop(Stop::Why::fault, step, std::move(message));
}

// Cells keep the time in fewer bits than it is counted in.
u32 Machine::next_time() {
  if (state_.time >= Touch::time_mask && !state_.stop)
    state_.stop = {Stop::Why::memory, "too many barriers and blocks to tell accesses apart", {}};
  return ++state_.time;
}

void Machine::tick(const Step& step) {
  if (until_tick_-- > 0) return;
  until_tick_ = steps_per_tick;
  if (std::chrono::steady_clock::now() > options_.deadline && !state_.stop)
    state_.stop = {Stop::Why::timeout, "out of time", program_.at(step)};
  if (domain_.store().exhausted() && !state_.stop)
    state_.stop = {Stop::Why::memory, "out of memory for terms", program_.at(step)};
}

// An answer can take as long as many steps: the clock is looked at after it, and before a missing one is used.
std::vector<Possibility> Machine::ask(const Step& step, const std::vector<Term>& conditions) {
  if (!options_.possible) return std::vector<Possibility>(conditions.size(), Possibility::unknown);
  std::vector<Possibility> answers = options_.possible(domain_.store(), conditions);
  until_tick_ = 0;
  if (std::find(answers.begin(), answers.end(), Possibility::unknown) != answers.end()) tick(step);
  return answers;
}

// The value of a special register in one lane.
static u64 special_value(ir::Special s, unsigned component, unsigned lane, const Shape& shape, const Dim3& block,
                         const Dim3& thread) {
  using S = ir::Special;
  const unsigned warp_lane = lane % 32;
  const auto of = [&](const Dim3& d) { return component < 3 ? u64(d[component]) : 0; };
  switch (s) {
    case S::tid:
      return of(thread);
    case S::ntid:
      return component < 3 ? shape.block[component] : 0;
    case S::ctaid:
    case S::clusterid:
      return of(block);  // without clusters, each block is a cluster
    case S::nctaid:
    case S::nclusterid:
      return component < 3 ? shape.grid[component] : 0;
    case S::cluster_nctaid:
      return component < 3 ? 1 : 0;
    case S::cluster_nctarank:
      return 1;
    case S::laneid:
      return warp_lane;
    case S::nwarpid:
      return (shape.threads() + 31) / 32;
    case S::warp_size:
      return 32;
    case S::dynamic_smem_size:
      return shape.dynamic_shared;
    case S::lanemask_eq:
      return u64(1) << warp_lane;
    case S::lanemask_lt:
      return (u64(1) << warp_lane) - 1;
    case S::lanemask_le:
      return (u64(2) << warp_lane) - 1;
    case S::lanemask_gt:
      return mask(32) & ~((u64(2) << warp_lane) - 1);
    case S::lanemask_ge:
      return mask(32) & ~((u64(1) << warp_lane) - 1);
    default:
      return 0;  // the ranks in a cluster of one block
  }
}

void Machine::start() {
  block_start_ = last_sync_ = next_time();
  warp_sync_.assign((lanes_ + 31) / 32, 0);
  partial_sync_ = false;
  arrived_.fill(0);
  left_.assign(lanes_, false);
  for (const ObjectId o : program_.block_objects) state_.memory.forget(o);
  for (const ObjectId o : program_.thread_objects) state_.memory.forget(o);

  auto s = std::make_unique<Strand>();
  strands_.clear();
  if (registers_ && registers_.use_count() == 1 && registers_->lanes() == lanes_)
    registers_->reset();
  else
    registers_ = std::make_shared<Registers>(program_.slots.size(), lanes_);
  s->registers = registers_;
  for (unsigned lane = 0; lane < lanes_; ++lane) s->lanes.push_back(std::uint16_t(lane));
  heads_.clear();
  for (unsigned lane = 0; lane < threads_.size(); ++lane) {
    if (!threads_[lane].exists) continue;
    s->activity.resize(lanes_, 0);
    s->activity[lane] = threads_[lane].exists;
    left_[lane] = true;  // perhaps there never was one
  }
  const Lanes all{nullptr, 0, lanes_};
  for (u32 slot = 0; slot < program_.slots.size(); ++slot) {
    const SlotInit& init = program_.slots[slot].init;
    u64* bits = s->registers->bits(slot);
    switch (init.kind) {
      case SlotInit::Kind::undefined:
        break;
      case SlotInit::Kind::unspecified:
        s->registers->set_tags(slot, all, unspecified_tag);
        break;
      case SlotInit::Kind::constant:
        std::fill_n(bits, lanes_, init.bits);
        s->registers->set_tags(slot, all, concrete_tag);
        break;
      case SlotInit::Kind::address:
        std::fill_n(bits, lanes_, init.bits);
        s->registers->set_tags(slot, all, base_tag(init.object, false));
        break;
      case SlotInit::Kind::special:
        set_special(*s->registers, slot, init);
        break;
    }
  }
  strands_.push_back(std::move(s));
}

void Machine::set_special(Registers& registers, u32 slot, const SlotInit& init) {
  using S = ir::Special;
  u64* bits = registers.bits(slot);
  const Lanes all{nullptr, 0, lanes_};
  const bool of_block = init.special == S::ctaid || init.special == S::clusterid;
  const bool sizes = init.special == S::ntid || init.special == S::nctaid || init.special == S::nclusterid;
  const bool named = of_block || ((init.special == S::tid || sizes) && !threads_.empty());
  if (named && init.component < 3) {
    const auto of = [&](unsigned lane) -> const Value& {
      if (threads_.empty()) return block_value_[init.component];
      const ThreadId& t = threads_[lane];
      return (of_block                  ? t.block
              : init.special == S::tid  ? t.thread
              : init.special == S::ntid ? t.block_size
                                        : t.grid_size)[init.component];
    };
    std::vector<Tag> tags(lanes_);
    for (unsigned lane = 0; lane < lanes_; ++lane) bits[lane] = of(lane).bits, tags[lane] = of(lane).tag;
    registers.set_tags(slot, all, tags.data());
    return;
  }
  for (unsigned lane = 0; lane < lanes_; ++lane)
    bits[lane] = special_value(init.special, init.component, lane, shape_, block_id_, thread_index(lane));
  registers.set_tags(slot, all, concrete_tag);
}

bool Machine::run(const Dim3& block_id) {
  std::array<Value, 3> value;
  for (unsigned c = 0; c < 3; ++c) value[c] = SymbolicDomain::constant(32, block_id[c]);
  return run(value);
}

bool Machine::run(const std::array<Value, 3>& block_id) {
  threads_ = {}, lanes_ = unsigned(shape_.threads());
  block_value_ = block_id;
  name_block();
  return run_to_end();
}

bool Machine::run(std::span<const ThreadId> threads) {
  threads_ = threads, lanes_ = unsigned(threads.size());
  block_value_ = {};
  name_block();
  return run_to_end();
}

// One of the blocks that the block's number stands for.
void Machine::name_block() {
  for (unsigned c = 0; c < 3; ++c)
    block_id_[c] = u32(block_value_[c].bits + u64(domain_.forms.range_of(block_value_[c].tag).low));
}

bool Machine::run_to_end() {
  start();
  threads_ = {};
  return run_strands();
}

bool Machine::go_on() {
  state_.stop = {};
  name_block();
  return run_strands();
}

bool Machine::run_strands() {
  can_go_on_ = false;
  while (!strands_.empty() && !state_.stop)
    if (!advance()) break;
  if (can_go_on_) return false;
  state_.threads_before += lanes_;
  if (domain_.store().exhausted() && !state_.stop) state_.stop = {Stop::Why::memory, "out of memory for terms", {}};
  return !state_.stop;
}

// The strand furthest behind that is not waiting; `limit`: rank of the next one.
Machine::Strand* Machine::next_strand(u32& limit) {
  Strand* best = nullptr;
  limit = no_limit;
  for (const auto& s : strands_) {
    if (s->waiting) continue;
    const u32 rank = program_.steps[s->pc].rank;
    if (!best || rank < program_.steps[best->pc].rank) {
      if (best) limit = program_.steps[best->pc].rank;
      best = s.get();
    } else {
      limit = std::min(limit, rank);
    }
  }
  return best;
}

// A lane that no other strand holds and of which nothing has left is here for certain: its other ways have been joined,
// or were shown to be impossible.
void Machine::settle(Strand& s) {
  if (s.activity.empty()) return;
  std::vector<bool> elsewhere = left_;
  for (const auto& other : strands_)
    if (other.get() != &s)
      for (const std::uint16_t lane : other->lanes) elsewhere[lane] = true;
  bool conditional = false;
  for (std::size_t i = 0; i < s.lanes.size(); ++i) {
    if (!elsewhere[s.lanes[i]]) s.activity[i] = 0;
    conditional |= s.activity[i] != 0;
  }
  if (!conditional) s.activity.clear(), s.loops = 0, s.forked = false;
}

bool Machine::advance() {
  u32 limit;
  Strand* s = next_strand(limit);
  if (!s) return release_barrier();
  for (std::size_t i = 0; i < strands_.size(); ++i) {
    Strand& other = *strands_[i];
    if (&other == s || other.waiting || other.pc != s->pc || !can_join(*s, other)) continue;
    join(*s, other);
    strands_.erase(strands_.begin() + std::ptrdiff_t(i--));
  }
  next_strand(limit);
  settle(*s);
  run_strand(*s, limit);
  std::erase_if(strands_, [](const auto& t) { return t->lanes.empty(); });
  return true;
}

void Machine::run_strand(Strand& s, u32 limit) {
  Active active;
  do {
    const Step& step = program_.steps[s.pc];
    tick(step);
    if (state_.stop) return;
    if (step.head && options_.threads_and_index && passing_ == Passing::no) note_head(s);
    switch (step.kind) {
      case StepKind::jump:
        jump(s, step);
        return state_.instructions += s.lanes.size(), void();
      case StepKind::jump_indexed:
        jump_indexed(s, step);
        return;
      case StepKind::exit:
        leave(s, step, false);
        return;
      case StepKind::trap:
        leave(s, step, true);
        return;
      case StepKind::barrier:
        arrive(s, step);
        return;
      default:
        break;
    }
    const bool decided = !domain_.cut;  // all that came before
    effects_ = false;
    if (select_guarded(s, step, active)) {
      state_.instructions += active.lanes.count;
      if (state_.trace) trace(s, step, active, true);
      switch (step.kind) {
        case StepKind::compute:
          compute(s, step, active);
          break;
        case StepKind::pack:
          pack(s, step, active);
          break;
        case StepKind::unpack:
          unpack(s, step, active);
          break;
        case StepKind::load:
          load(s, step, active);
          break;
        case StepKind::store:
          store(s, step, active);
          break;
        case StepKind::to_space:
        case StepKind::from_space:
        case StepKind::is_space:
          convert_space(s, step, active);
          break;
        case StepKind::barrier_warp:
          warp_barrier(step, active, s);
          break;
        case StepKind::unmodelled: {
          const std::string name = ir::spell(step.op);
          stop(Stop::Why::unsupported, step,
               step.note.empty() ? fmt::format("{} is not modelled", name) : fmt::format("{}: {}", name, step.note));
          break;
        }
        default:
          break;
      }
      if (state_.trace) trace(s, step, active, false);
      if (domain_.cut && !state_.stop) {
        undecided_by_ranges(step);
        can_go_on_ = domain_.cut && passing_ == Passing::no && decided && undone(step, active);
        if (can_go_on_) state_.instructions -= active.lanes.count;
      }
    }
    if (state_.stop) return;
    ++s.pc;
  } while (program_.steps[s.pc].rank < limit);
}

// The box has to be taken apart; but no loop is by its passes, where what was computed stays a term.
void Machine::undecided_by_ranges(const Step& step) {
  if (!domain_.counts_passes(domain_.cut->symbol)) return stop(Stop::Why::cut, step, program_.text(step));
  domain_.cut.reset();
  if (step.kind != StepKind::compute)
    stop(Stop::Why::address_unresolved, step, "what this does depends on how often a loop was gone round");
}

// Has the step left everything that it read as it was? Registers that it alone has set will be set again.
bool Machine::undone(const Step& step, const Active& active) const {
  if (effects_) return false;
  if (step.kind == StepKind::load || step.kind == StepKind::store) return true;
  if ((step.kind != StepKind::compute && step.kind != StepKind::pack) || active.guards) return false;
  const auto reads = [&](u32 slot) {
    return slot == step.guard || std::ranges::find(step.in, slot, &Input::slot) != step.in.end();
  };
  return std::ranges::none_of(step.out, [&](const Input& out) { return out.slot != no_slot && reads(out.slot); });
}

void Machine::locate(const Step& step, unsigned lane) {
  domain_.here = {&program_, u32(&step - program_.steps.data()), thread_number(lane) - 1};
}

void Machine::trace(const Strand& s, const Step& step, const Active& active, bool before) {
  if (state_.trace->thread < state_.threads_before || state_.trace->thread >= state_.threads_before + lanes_) return;
  const unsigned lane = state_.trace->thread - state_.threads_before;
  bool executes = false;
  for (unsigned i = 0; i < active.lanes.count && !executes; ++i) executes = active.lanes[i] == lane;
  if (!executes) return;
  if (before) state_.trace->steps.push_back({&program_, u32(&step - program_.steps.data()), {}, {}});
  TraceStep& t = state_.trace->steps.back();
  for (const Input& in : before ? step.in : step.out)
    (before ? t.in : t.out).push_back(in.slot == no_slot ? 0 : s.registers->bits(in.slot)[lane]);
}

bool Machine::can_join(const Strand& into, const Strand& from) const {
  if (into.registers == from.registers) return true;
  for (const std::uint16_t lane : from.lanes) {
    if (std::binary_search(into.lanes.begin(), into.lanes.end(), lane)) continue;
    for (const auto& other : strands_)  // the lane's place in into's registers is taken
      if (other.get() != &into && other->registers == into.registers &&
          std::binary_search(other->lanes.begin(), other->lanes.end(), lane))
        return false;
  }
  return true;
}

void Machine::join(Strand& into, Strand& from) {
  const bool copies = into.registers != from.registers;
  const Step& step = program_.steps[into.pc];
  std::vector<u32> every;
  if (copies && !step.head)
    for (u32 slot = 0; slot < program_.slots.size(); ++slot)
      if (program_.slots[slot].init.kind == SlotInit::Kind::undefined) every.push_back(slot);
  const std::vector<u32>& live = step.head ? step.live : every;

  std::vector<std::uint16_t> lanes;
  std::vector<Term> activity;
  std::size_t i = 0, k = 0;
  while (i < into.lanes.size() || k < from.lanes.size()) {
    const bool in_into = i < into.lanes.size() && (k == from.lanes.size() || into.lanes[i] <= from.lanes[k]);
    const bool in_from = k < from.lanes.size() && (i == into.lanes.size() || from.lanes[k] <= into.lanes[i]);
    const std::uint16_t lane = in_into ? into.lanes[i] : from.lanes[k];
    const Term c = in_into ? into.condition(i) : 0, d = in_from ? from.condition(k) : 0;
    lanes.push_back(lane);
    activity.push_back(in_into && in_from ? either(c, d) : in_into ? c : d);
    if (copies && in_from)
      for (const u32 slot : live) {
        const unsigned width = program_.slots[slot].width;
        const Value theirs = from.registers->get(slot, lane, width);
        if (!in_into) {
          into.registers->set(slot, lane, theirs);
          continue;
        }
        const Value ours = into.registers->get(slot, lane, width);
        if (ours.same(theirs)) continue;
        into.registers->set(slot, lane, d ? domain_.ite({d, term_tag, 1}, theirs, ours) : theirs);
      }
    i += in_into, k += in_from;
  }
  if (std::all_of(activity.begin(), activity.end(), [](Term t) { return t == 0; })) activity.clear();
  into.lanes = std::move(lanes);
  into.activity = std::move(activity);
  into.loops = into.activity.empty() ? 0 : std::max(into.loops, from.loops);
  into.forked = !into.activity.empty() && (into.forked || from.forked);
}

}  // namespace ptxeq::sym
