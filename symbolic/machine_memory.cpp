// Who has touched a byte, and the quick way of most loads and stores; the general one is in machine_places.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "symbolic/machine_impl.h"

namespace ptxeq::sym {

namespace {

constexpr unsigned worth_copying = 4;  // lanes

}  // namespace

// Is an access by `lane` now unordered after the one that `t` records? The other thread is known to be another.
bool Machine::conflicts(const Touch& t, unsigned lane) const {
  if (t.time < state_.launch_start) return false;
  if (t.time < block_start_) return true;  // another block of this launch
  if (t.time < last_sync_) return false;
  const u32 first_of_warp = thread_number(lane - lane % 32);
  const bool same_warp = t.thread >= first_of_warp && t.thread < first_of_warp + 32;
  return !(same_warp && t.time < warp_sync_[lane / 32]);
}

void Machine::race(const Step& step, ObjectId object, u64 offset, unsigned size, const Touch& other, bool other_writes,
                   unsigned lane, bool writes, bool conditional) {
  if (other.strong && step.access.strong)
    return stop(Stop::Why::schedule_dependent, step,
                "the value depends on the order of strong accesses that nothing orders");
  const bool other_block = other.time < block_start_;
  const bool certain = !conditional && !other.conditional && (other_block || !partial_sync_) && !program_.orders_memory;
  state_.race = Race{object, offset, size, other.thread - 1, thread_number(lane) - 1, other_writes, writes, certain};
  const Object& o = domain_.world()[object];
  if (!certain)
    return stop(Stop::Why::schedule_dependent, step,
                fmt::format("this access to {}+{} may conflict with another thread's", o.name, offset));
  const bool shared = o.space == ir::Space::shared;
  const bool warp = shared && (other.thread - 1 - state_.threads_before) / 32 == lane / 32;
  fault(step, lane, 0,
        warp     ? "warp-race"
        : shared ? "shared-race"
                 : "global-race",
        fmt::format("two threads access {}+{}, {} and {}, and nothing orders them", o.name, offset,
                    other_writes ? "one writes" : "one reads", writes ? "one writes" : "one reads"));
}

// Notes a read, `now` being what it leaves behind if nothing of the last reader has to be kept. False, with nothing
// noted, where the cell's writer has to be looked at more closely: it is another thread that has not been ordered
// before this one by a barrier of the block.
inline bool Machine::note_read(const Touch& now, Cell& cell) const {
  const Touch &w = cell.writer, &r = cell.reader;
  if (w.thread && w.thread != now.thread && w.time - block_start_ >= last_sync_ - block_start_) return false;
  const bool plain = !now.conditional && !now.strong;
  const bool ordered = !r.thread || (r.time - block_start_ < last_sync_ - block_start_ && !r.several_blocks);
  if (plain && ordered && (now.read_only || !r.read_only)) {
    cell.reader = now;
    return true;
  }
  // One of several readers by now, like the last one.
  const bool same_kind = !r.conditional && !r.strong && r.read_only == now.read_only;
  if (!(plain && same_kind && r.several && r.time == now.time)) note_another_read(now, cell);
  return true;
}

void Machine::note_another_read(Touch now, Cell& cell) const {
  const Touch& r = cell.reader;
  const bool this_launch = r.thread && r.time >= state_.launch_start;
  now.several = r.thread && r.time >= last_sync_ && (r.several || r.thread != now.thread);
  now.several_blocks = this_launch && (r.several_blocks || r.time < block_start_);
  now.strong = now.strong && (!this_launch || r.strong);
  now.read_only = now.read_only || (this_launch && r.read_only);
  now.conditional = now.conditional || (now.several && r.conditional);
  cell.reader = now;
}

Touch Machine::touch_of(const Step& step, unsigned lane, bool conditional) const {
  Touch t;
  t.thread = thread_number(lane), t.time = state_.time & Touch::time_mask;
  t.strong = step.access.strong, t.read_only = step.access.read_only, t.conditional = conditional;
  return t;
}

// ld.global.nc may only read what nobody writes while the kernel runs (PTX ISA 9.7.9.9).
bool Machine::read_only_holds(const Step& step, unsigned lane, ObjectId object, u64 offset, const Memory::Cells& cells,
                              Term condition) {
  for (unsigned c = cells.first; c < cells.first + cells.count; ++c) {
    const Touch& w = (*cells.page)[c].writer;
    if (!w.thread || w.time < state_.launch_start) continue;
    if (w.conditional && !condition)
      stop(Stop::Why::schedule_dependent, step, "this read-only load may see a byte that the kernel writes");
    else
      fault(step, lane, condition, "nc-load-of-written-memory",
            fmt::format("{}+{} is loaded with .nc, and this kernel has written it", domain_.world()[object].name,
                        offset));
    return false;
  }
  return true;
}

void Machine::touch_read(const Step& step, unsigned lane, ObjectId object, u64 offset, const Memory::Cells& cells,
                         bool conditional) {
  const Touch now = touch_of(step, lane, conditional);
  for (unsigned c = cells.first; c < cells.first + cells.count; ++c) {
    const Touch w = (*cells.page)[c].writer;
    if (w.thread && w.thread != now.thread && conflicts(w, lane))
      return race(step, object, offset, 1u << cells.page->log_cell(), w, true, lane, false, conditional);
    Cell cell = (*cells.page)[c];
    cell.writer.thread = 0;  // it is in order
    note_read(now, cell);
    (*cells.page)[c].reader = cell.reader;
  }
}

Possibility Machine::can_differ(const Step& step, const Value& v, const Value& w) {
  const bool open = v.tag == undefined_tag || v.tag == unspecified_tag || w.tag == undefined_tag;
  if (open || w.tag == unspecified_tag) return Possibility::possible;
  if (v.same(w)) return Possibility::never;
  TermStore& store = domain_.store();
  const Term differ = store.make(Op::not_, 1, 0, store.make(Op::eq, 1, 0, domain_.term(v), domain_.term(w)));
  if (store.is_constant(differ)) return store.constant_bits(differ) ? Possibility::possible : Possibility::never;
  return ask(step, {differ})[0];
}

// False when the run stops. `before`: what the cells hold.
bool Machine::touch_write(const Step& step, unsigned lane, ObjectId object, u64 offset, const Memory::Cells& cells,
                          bool conditional, const Value& before, const Value& value) {
  const u32 me = thread_number(lane);
  const auto part = [&](const Value& v, unsigned cell) {  // the cell's bytes of the access
    if (cells.count == 1 || v.tag == undefined_tag || v.tag == unspecified_tag) return v;
    const unsigned width = 8u << cells.page->log_cell();
    return domain_.extract(v, (cell - cells.first) * width, width);
  };
  for (unsigned c = cells.first; c < cells.first + cells.count; ++c) {
    const unsigned size = 1u << cells.page->log_cell();
    Touch& w = (*cells.page)[c].writer;
    const bool other_writer = w.thread && w.thread != me && conflicts(w, lane);
    // Others may have stored the same value before this thread did: then a value that is another races with theirs.
    const bool earlier_writers =
        w.thread && ((w.several && w.time >= last_sync_) || (w.several_blocks && w.time >= state_.launch_start));
    const Value old_part = part(before, c), new_part = part(value, c);
    if (other_writer || earlier_writers) {  // storing what is there already is no race (SOUNDNESS rule 15)
      // Neither is it where what was there before cannot be seen any more: an own value may be replaced.
      const bool hidden_here = w.replaced && (other_writer || w.several);
      const bool hidden_elsewhere = w.replaced_blocks && (w.several_blocks || (other_writer && w.time < block_start_));
      const bool hidden = (w.time >= last_sync_ && hidden_here) || hidden_elsewhere;
      bool uncertain = conditional || w.conditional || hidden;
      const Possibility differs = uncertain ? Possibility::unknown : can_differ(step, old_part, new_part);
      if (state_.stop) return false;
      if (differs != Possibility::never) {
        uncertain |= differs == Possibility::unknown || (!other_writer && warp_sync_[lane / 32] > last_sync_);
        race(step, object, offset, size, w, true, lane, true, uncertain);
        return false;
      }
    }
    const bool several_blocks =
        w.thread && w.time >= state_.launch_start && (w.several_blocks || (other_writer && w.time < block_start_));
    const bool several = w.thread && w.time >= last_sync_ && (w.several || other_writer);
    const bool other_value = !new_part.same(old_part);
    const bool replaced = w.thread && w.time >= last_sync_ && (w.replaced || other_value);
    const bool replaced_blocks = w.thread && w.time >= state_.launch_start && (w.replaced_blocks || other_value);
    const Touch& r = (*cells.page)[c].reader;
    const bool in_block = r.time >= last_sync_, in_launch = r.time >= state_.launch_start;
    const bool earlier_reader = (r.several && in_block) || (r.several_blocks && in_launch);
    if (r.thread && ((r.thread != me && conflicts(r, lane)) || earlier_reader)) {
      const bool warp_ordered =
          earlier_reader && warp_sync_[lane / 32] > last_sync_;  // perhaps the reader is of this warp
      race(step, object, offset, size, r, false, lane, true, conditional || warp_ordered);
      return false;
    }
    if (r.thread && in_launch && r.read_only) {  // ld.global.nc is for what nobody writes while the kernel runs
      const std::string& name = domain_.world()[object].name;
      if (conditional || r.conditional)
        stop(Stop::Why::schedule_dependent, step,
             fmt::format("{}+{} is loaded with .nc, and perhaps written", name, offset));
      else
        fault(step, lane, 0, "nc-load-of-written-memory",
              fmt::format("{}+{} was loaded with .nc, and this kernel writes it", name, offset));
      return false;
    }
    w.thread = me, w.time = state_.time & Touch::time_mask, w.conditional = conditional, w.strong = step.access.strong;
    w.several = several, w.several_blocks = several_blocks;
    w.replaced = replaced, w.replaced_blocks = replaced_blocks;
  }
  return true;
}

void Machine::sight(const Step& step, unsigned lane, ObjectId object, u64 offset, unsigned size, bool write) {
  Watch& w = *state_.watch;
  if (object != w.object || offset >= w.end || offset + size <= w.begin) return;
  w.seen.push_back(
      {block_id_, thread_index(lane), &program_, u32(&step - program_.steps.data()), write, state_.time, offset, size});
}

void Machine::load(Strand& s, const Step& step, const Active& active) {
  if (passing_ == Passing::without_loads) return load_unknown(s, step, active);
  if (load_fast(s, step, active)) return;
  for (unsigned i = 0; i < active.lanes.count && !state_.stop && !domain_.cut; ++i) load_lane(s, step, active, i);
}
void Machine::store(Strand& s, const Step& step, const Active& active) {
  if (store_fast(s, step, active)) return;
  for (unsigned i = 0; i < active.lanes.count && !state_.stop && !domain_.cut; ++i) store_lane(s, step, active, i);
}

// Most accesses: all lanes at known places of one object, within bounds and aligned, no condition. Fills `offsets_`;
// nothing where the general way has to be taken.
std::optional<Machine::Plain> Machine::plain_places(const Strand& s, const Step& step, const Active& active,
                                                    bool write) {
  const Access& a = step.access;
  if (active.activity || active.guards || passing_ != Passing::no) return std::nullopt;
  const bool fixed = a.base == no_slot;  // one place for all
  const Tag tag = fixed ? base_tag(a.object, false) : s.registers->common(a.base, active.lanes);
  const Tag base = domain_.forms.base_of(tag);
  if (!is_base(base)) return std::nullopt;
  const ObjectId id = base_object(base);
  if (state_.watch && state_.watch->object == id) return std::nullopt;
  const Object& object = domain_.world()[id];
  const unsigned total = a.bytes * a.count, n = active.lanes.count;
  if (object.per_thread || !object.size || total > *object.size || total > object.align) return std::nullopt;
  u64 low = 0, high = 0;  // what the launch symbols add to each place, at least and at most
  if (tag != base) {
    constexpr i128 far = i128(1) << 60;
    const Range& r = domain_.forms.range(tag);
    std::optional<Cut> ignored;
    if (program_.slots[a.base].width != 64 || r.low < -far || r.high > far || !object.addresses.empty() ||
        !domain_.forms.multiple_of(tag, std::max<u64>(total, object.element), ignored))
      return std::nullopt;
    low = u64(r.low), high = u64(r.high);
  }
  const u64 last = *object.size - total;
  if (offsets_.size() < n) offsets_.resize(n);
  u64* const offsets = offsets_.data();
  u64 all = 0, outside = 0, places = 0;  // `outside`: negative where a place is, or lies beyond `last`
  const auto look_at = [&](u64 at) {
    all |= at;
    outside |= (at + low) | (last - (at + high));
    places |= at + (u64(1) << 61);  // within 2^61 of 0, so that no sum above has wrapped
  };
  if (fixed) {
    std::fill_n(offsets, n, a.offset);
    look_at(a.offset);
  } else {
    const u64 *from = s.registers->bits(a.base) + active.lanes.first, address_mask = mask(program_.slots[a.base].width);
    if (active.lanes.index) {
      active.lanes.gather(s.registers->bits(a.base), 0, n, offsets);
      from = offsets;
    }
    for (unsigned i = 0; i < n; ++i) look_at(offsets[i] = (from[i] + a.offset) & address_mask);
  }
  if (last >> 62 || outside >> 63 || places >> 62 || (all & (total - 1))) return std::nullopt;
  const Place any{id, 0, 0, base_is_generic(base)};
  if (!accessible(step, active.lanes[0], any, 0, 0, write)) return std::nullopt;
  return Plain{id, state_.memory.view(id, tag == base ? concrete_tag : tag)};
}

// False where the general way has to be taken, for all lanes; nothing has been done then that it would not do again.
bool Machine::load_fast(Strand& s, const Step& step, const Active& active) {
  const Access& a = step.access;
  const auto at = plain_places(s, step, active, false);
  if (!at) return false;
  effects_ = true;
  const Object& object = domain_.world()[at->object];
  if (object.contents == Contents::out && object.bytes.empty()) return false;  // such reads are marked one by one
  for (const Input& out : step.out)
    if (out.slot == no_slot || out.slot == a.base || program_.slots[out.slot].width < 8u * a.bytes) return false;
  for (unsigned e = 0; e < a.count; ++e)
    if (!load_column(s, step, active, *at, e)) return bool(state_.stop);
  return true;
}

// Lanes from a position on that access one place (stride 0) or neighbours within a page (stride: their size).
namespace {
struct LaneRun {
  unsigned count = 0;
  u64 stride = 0;
};
}  // namespace

static LaneRun run_at(const u64* offsets, u64 element, unsigned i, unsigned n, unsigned log_size) {
  const u64 stride = i + 1 < n ? offsets[i + 1] - offsets[i] : 0;
  if (stride != 0 && stride != u64(1) << log_size) return {1, 0};
  const u64 left = (Page::bytes - ((offsets[i] + element) & (Page::bytes - 1))) >> log_size;  // in the page
  const unsigned end = stride ? unsigned(std::min<u64>(n, i + left)) : n;
  unsigned k = i + 1;
  constexpr unsigned together = 8;
  for (; k + together <= end; k += together) {
    u64 other = 0;
    for (unsigned j = k; j < k + together; ++j) other |= (offsets[j] - offsets[j - 1]) ^ stride;
    if (other) break;
  }
  while (k < end && offsets[k] - offsets[k - 1] == stride) ++k;
  return {k - i, stride};
}

// Fetches element `e` of every lane, from cells of the access's size, into `loaded_` and `tags_`. False where the
// general way has to be taken.
template <bool tracked>
bool Machine::fetch_column(const Step& step, const Active& active, const Plain& at, unsigned e) {
  const ObjectId id = at.object;
  const Object& object = domain_.world()[id];
  ObjectPages& pages = state_.memory.pages(id, at.view);
  const bool unset = object.contents == Contents::undefined && object.bytes.empty();
  const bool read_only = step.access.read_only;
  const unsigned log_size = unsigned(std::countr_zero(unsigned(step.access.bytes))), n = active.lanes.count;
  const u64 element = u64(e) * step.access.bytes, *offsets = offsets_.data();
  u64* loaded = loaded_.data();
  Tag* tags = tags_.data();
  Touch now = touch_of(step, 0, false);
  const u32 first_thread = now.thread;
  // Reads cell `c` of the page, for the lane at position `i`.
  const auto fetch = [&](Page& page, unsigned c, unsigned i) {
    Cell& cell = page[c];
    const unsigned lane = active.lanes[i];
    const u64 offset = offsets[i] + element;
    if (cell.tag == initial_tag) {
      if (unset) return false;
      state_.memory.fill(id, at.view, offset, page, c, true);
    }
    if constexpr (tracked) {
      if (read_only && cell.writer.thread && !read_only_holds(step, lane, id, offset, {&page, c, 1}, 0)) return false;
      now.thread = first_thread + lane;  // thread_number, which would be read again after each store
      if (!note_read(now, cell)) {
        touch_read(step, lane, id, offset, {&page, c, 1}, false);
        if (state_.stop) return false;
      }
    }
    loaded[i] = cell.bits, tags[i] = cell.tag;
    return true;
  };
  // Would one more read of the cell, by any lane, leave it as it is?
  const auto settled = [&](const Cell& cell) {
    if constexpr (!tracked) return true;
    const Touch &w = cell.writer, &r = cell.reader;
    const bool written = w.thread && w.time - block_start_ >= last_sync_ - block_start_;
    return !written && !now.strong && r.several && r.time == now.time && r.read_only == now.read_only && !r.strong &&
           !r.conditional;
  };
  LaneRun run;
  bool run_settled = false;
  for (unsigned i = 0; i < n;) {
    const u64 offset = offsets[i] + element;
    const bool again = run.count >= worth_copying && n - i >= run.count &&
                       std::equal(offsets + i, offsets + i + run.count, offsets + i - run.count);
    if (again && run_settled) {  // the lanes before have read the same
      std::copy_n(loaded + i - run.count, run.count, loaded + i);
      std::copy_n(tags + i - run.count, run.count, tags + i);
      i += run.count;
      continue;
    }
    if (!again) run = run_at(offsets, element, i, n, log_size);
    const auto [count, stride] = run;
    Page& page = pages.get(offset, log_size);
    if (page.log_cell() != log_size) return false;
    const unsigned cell = unsigned((offset & (Page::bytes - 1)) >> log_size), last = i + count - 1;
    if (stride) {
      for (unsigned k = 0; k < count; ++k)
        if (!fetch(page, cell + k, i + k)) return false;
    } else {  // of lanes that share a cell the first and the last are noted
      if (!fetch(page, cell, i) || (last > i && !fetch(page, cell, last))) return false;
      std::fill(loaded + i, loaded + last, loaded[i]);
      std::fill(tags + i, tags + last, tags[i]);
    }
    run_settled = again;
    for (unsigned k = 0; run_settled && k < (stride ? count : 1); ++k) run_settled = settled(page[cell + k]);
    i += count;
  }
  return true;
}

bool Machine::load_column(Strand& s, const Step& step, const Active& active, const Plain& at, unsigned e) {
  const Access& a = step.access;
  const unsigned n = active.lanes.count;
  const u32 slot = step.out[e].slot;
  if (tags_.size() < n) tags_.resize(n);
  if (loaded_.size() < n) loaded_.resize(n);
  const bool fetched = raced(domain_.world()[at.object]) ? fetch_column<true>(step, active, at, e)
                                                         : fetch_column<false>(step, active, at, e);
  if (!fetched) return false;
  const unsigned width = program_.slots[slot].width;
  if (width == 8u * a.bytes) {
    active.lanes.scatter(loaded_.data(), 0, n, s.registers->bits(slot));
    s.registers->set_tags(slot, active.lanes, tags_.data());
    return true;
  }
  for (unsigned i = 0; i < n; ++i) {
    Value v{loaded_[i], tags_[i], 8u * a.bytes};
    if (v.w != width && v.tag != undefined_tag && v.tag != unspecified_tag)
      v = a.sign ? domain_.sext(v, width) : domain_.zext(v, width);
    s.registers->set(slot, active.lanes[i], v);
  }
  return true;
}

bool Machine::store_fast(Strand& s, const Step& step, const Active& active) {
  const Access& a = step.access;
  const auto at = plain_places(s, step, active, true);
  if (!at) return false;
  effects_ = true;
  const ObjectId id = at->object;
  for (const Input& in : step.in)
    if (in.negated || in.width != 8u * a.bytes || program_.slots[in.slot].width != in.width) return false;

  const unsigned log_size = unsigned(std::countr_zero(unsigned(a.bytes)));
  ObjectPages& pages = state_.memory.pages(id, at->view);
  const Tag form = at->view ? s.registers->common(a.base, active.lanes) : concrete_tag;
  for (unsigned e = 0; e < a.count; ++e) {
    const u32 slot = step.in[e].slot;
    const u64* from = s.registers->bits(slot);
    const Tag common = s.registers->common(slot, active.lanes);
    for (unsigned i = 0; i < active.lanes.count; ++i) {
      const unsigned lane = active.lanes[i];
      const u64 offset = offsets_[i] + u64(e) * a.bytes;
      Page& page = pages.get(offset, log_size);
      if (page.log_cell() != log_size) {
        if (i == 0 && e == 0) return false;
        store_element(s, step, lane, {id, 0, 0, false, form}, offset,
                      {from[lane], s.registers->tag(slot, lane), 8u * a.bytes}, 0);
        if (state_.stop) return true;
        continue;
      }
      const unsigned cell = unsigned((offset & (Page::bytes - 1)) >> log_size);
      const Tag tag = common != Registers::mixed ? common : s.registers->tag(slot, lane);
      Cell& here = page[cell];
      const unsigned width = 8u * a.bytes;
      if (!touch_write(step, lane, id, offset, {&page, cell, 1}, false, {here.bits, here.tag, width},
                       {from[lane], tag, width}))
        return true;
      here.bits = from[lane], here.tag = tag;
    }
  }
  return true;
}

}  // namespace ptxeq::sym
