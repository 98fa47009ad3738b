// Where an address points, whether that may be accessed, and what an access does, lane by lane.
#include <fmt/format.h>

#include <algorithm>

#include "symbolic/machine_impl.h"
#include "symbolic/offsets.h"

namespace ptxeq::sym {

std::optional<Place> Machine::resolve(const Strand& s, const Step& step, unsigned lane, Term condition) {
  const Access& a = step.access;
  if (a.base == no_slot) return Place{a.object, a.offset, 0, false};
  const unsigned width = program_.slots[a.base].width;
  std::optional<Place> place = domain_.place(given(s.registers->get(a.base, lane, width), condition));
  if (!place) return place;
  place->offset = (place->offset + a.offset) & mask(width);
  if (place->form != concrete_tag) place->offset = u64(sign_extend(place->offset, width));
  return place;
}

// Which of the object's instances in memory an access is to.
u32 Machine::instance(const Place& place, unsigned lane) {
  return domain_.world()[place.object].per_thread ? lane : state_.memory.view(place.object, place.form);
}

// Is the access through the right kind of address, and to what may be written if it writes? Otherwise a finding.
bool Machine::fits_space(const Step& step, unsigned lane, const Place& place, Term condition, bool write) {
  const Access& a = step.access;
  const Object& object = domain_.world()[place.object];
  const bool window = object.space == ir::Space::global || !place.generic;
  const bool param = a.space == ir::Space::param && object.space == ir::Space::param;
  const bool fits = a.space == ir::Space::generic
                        ? object.space == ir::Space::global || place.generic || a.base == no_slot
                        : param || (a.space == object.space && window);
  if (!fits) {
    fault(step, lane, condition, "address-space",
          fmt::format("the address of {} (.{}) is used as one of .{}", object.name, ir::name(object.space),
                      ir::name(a.space)));
    return false;
  }
  if (write && object.read_only) {
    fault(step, lane, condition, "address-space", fmt::format("{} is read-only", object.name));
    return false;
  }
  return true;
}

// May `bytes * count` bytes at `offset` of the place's object be accessed? Otherwise a finding, under `condition`.
bool Machine::accessible(const Step& step, unsigned lane, const Place& place, u64 offset, Term condition, bool write) {
  const Object& object = domain_.world()[place.object];
  const unsigned size = step.access.bytes * step.access.count;
  if (!fits_space(step, lane, place, condition, write)) return false;
  if (!within(step, lane, place, offset, condition, write) || !aligned(step, lane, place, offset, condition))
    return false;
  if (object.align < size && object.placed_by_host) {
    fault(step, lane, condition, "misaligned-access",
          fmt::format("an access of {} bytes, and {} is only known to be aligned to {}", size, object.name,
                      object.align));
    return false;
  }
  if (object.align < size) {
    const std::string message =
        fmt::format("{} is taken to be aligned to {} bytes; only {} are declared", object.name, size, object.align);
    if (std::none_of(state_.notes.begin(), state_.notes.end(), [&](const Finding& f) { return f.message == message; }))
      state_.notes.push_back({"alignment-assumed", Severity::warning, Side::a, message, "", program_.at(step), "", ""});
  }
  return true;
}

// Where the place is in its object, 64 bits.
Value Machine::offset_value(const Place& place) {
  Form moved = domain_.forms.form_of(place.form);
  moved.base = concrete_tag;
  const Value known{place.offset, domain_.forms.make(std::move(moved), 64), 64};
  return place.symbolic ? domain_.add(known, domain_.value(place.symbolic)) : known;
}

// The object's bounds. Where launch symbols move the place, for all that they stand for.
bool Machine::within(const Step& step, unsigned lane, const Place& place, u64 offset, Term condition, bool write) {
  const Object& object = domain_.world()[place.object];
  const i128 size = step.access.bytes * step.access.count, first = i64(offset);
  if (const Value* bytes = domain_.size(place.object))
    return within_symbolic(step, lane, offset_value({place.object, offset, 0, false, place.form}), place.object,
                           condition, *bytes);
  Forms& forms = domain_.forms;
  std::optional<Cut> wanted;
  const auto before = forms.negative(place.form, first, wanted);
  const auto inside = object.size ? forms.negative(place.form, first + size - i128(*object.size) - 1, wanted)
                                  : std::optional<bool>(true);
  if (!before || !inside) {
    if (!domain_.cut) domain_.cut = wanted;
    return false;
  }
  if (!*before && *inside) return true;
  const std::string what = write ? "writes" : "reads";
  fault(step, lane, condition, "out-of-bounds",
        object.size ? fmt::format("{} {} byte{} at offset {} of {}, which has {} bytes", what, i64(size),
                                  size == 1 ? "" : "s", i64(offset), object.name, *object.size)
                    : fmt::format("{} offset {} of {}", what, i64(offset), object.name));
  return false;
}

// The same for a place or a size that is no number: where the access may be outside is a condition of the fault.
bool Machine::within_symbolic(const Step& step, unsigned lane, const Value& first, ObjectId object, Term condition,
                              const Value& bytes) {
  const u64 size = u64(step.access.bytes) * step.access.count;
  const Value last = domain_.sub(bytes, SymbolicDomain::constant(64, size));  // sizes are far from where it would wrap
  const Value inside = domain_.and_(domain_.sle(SymbolicDomain::constant(64, 0), first), domain_.sle(first, last));
  if (domain_.cut || (inside.concrete() && inside.bits)) return !domain_.cut;
  const std::string& name = domain_.world()[object].name;
  const Term outside = both(condition, domain_.term(domain_.not_(inside)));
  fault(step, lane, outside, "out-of-bounds", fmt::format("an access of {} bytes beyond the end of {}", size, name));
  return !state_.stop;
}

bool Machine::aligned(const Step& step, unsigned lane, const Place& place, u64 offset, Term condition) {
  const Object& object = domain_.world()[place.object];
  const unsigned size = step.access.bytes * step.access.count;
  const u64 known = std::min<u64>(size, object.align);
  if (place.form != concrete_tag && object.per_thread) {
    stop(Stop::Why::unsupported, step, "a thread's own memory is accessed at a place that depends on the block");
    return false;
  }
  if (place.form != concrete_tag) {  // leaves are whole elements, so that places differ by whole ones
    if (!object.addresses.empty()) {
      stop(Stop::Why::address_unresolved, step, "a table of addresses is read at a place that depends on the block");
      return false;
    }
    std::optional<Cut> wanted;
    if (!domain_.forms.multiple_of(place.form, std::max<u64>(known, object.element), wanted)) {
      if (!domain_.cut) domain_.cut = wanted;
      return false;
    }
  }
  if (offset % known == 0) return true;
  fault(step, lane, condition, "misaligned-access",
        fmt::format("an access of {} bytes at offset {} of {}", size, offset, object.name));
  return false;
}

Value Machine::load_element(const Step& step, unsigned lane, const Place& place, u64 offset, Term condition) {
  const Object& object = domain_.world()[place.object];
  const u32 instance = this->instance(place, lane);
  const unsigned size = step.access.bytes;
  effects_ = true;
  if (state_.watch) sight(step, lane, place.object, offset, size, false);
  locate(step, lane);
  Value v = state_.memory.load(place.object, instance, offset, size);
  if (v.tag == undefined_tag) v = domain_.fresh(LeafKind::undefined, v.w);
  if (raced(object)) {
    const Memory::Cells cells = state_.memory.cells(place.object, instance, offset, size);
    if (!step.access.read_only || read_only_holds(step, lane, place.object, offset, cells, condition))
      touch_read(step, lane, place.object, offset, cells, condition != 0);
  }
  return v;
}

void Machine::store_element(Strand&, const Step& step, unsigned lane, const Place& place, u64 offset, Value v,
                            Term condition) {
  const Object& object = domain_.world()[place.object];
  const u32 instance = this->instance(place, lane);
  const unsigned size = step.access.bytes;
  effects_ = true;
  if (state_.watch) sight(step, lane, place.object, offset, size, true);
  const Value old = state_.memory.load(place.object, instance, offset, size, false);
  if (condition) v = domain_.ite({condition, term_tag, 1}, v, old);
  if (raced(object)) {
    const Memory::Cells cells = state_.memory.cells(place.object, instance, offset, size);
    if (!touch_write(step, lane, place.object, offset, cells, condition != 0, old, v)) return;
  }
  state_.memory.store(place.object, instance, offset, size, v);
}

// The places that a data-dependent address can have, each with the condition under which it has it.
std::optional<std::vector<std::pair<u64, Term>>> Machine::candidates(const Step& step, const Place& place) {
  if (!place.symbolic) return std::vector<std::pair<u64, Term>>{{place.offset, 0}};
  const auto values = possible_values(domain_.store(), place.symbolic, most_candidates);
  if (!values) {
    stop(
        Stop::Why::address_unresolved, step,
        fmt::format("this address in {} depends on data or on a scalar without value, and can have more than {} values",
                    domain_.world()[place.object].name, most_candidates));
    return std::nullopt;
  }
  TermStore& store = domain_.store();
  const unsigned width = store.width(place.symbolic);
  std::vector<std::pair<u64, Term>> out;
  for (const u64 v : *values) {
    const Term here = store.make(Op::eq, 1, 0, place.symbolic, store.constant(width, v));
    if (store.is_constant(here) && store.constant_bits(here) == 0) continue;
    out.emplace_back((place.offset + v) & mask(width), here);
  }
  return out;
}

bool Machine::unresolved(const Strand& s, const Step& step, unsigned lane, Term condition) {
  const Value v = s.registers->get(step.access.base, lane, program_.slots[step.access.base].width);
  if (v.tag == undefined_tag)
    fault(step, lane, condition, "uninitialised-read", "the address was never set");
  else if (v.concrete())
    fault(step, lane, condition, "out-of-bounds", fmt::format("the address {:#x} belongs to no object", v.bits));
  else
    stop(Stop::Why::address_unresolved, step, "this address cannot be told to belong to one object");
  return !state_.stop;
}

void Machine::load_lane(Strand& s, const Step& step, const Active& active, unsigned i) {
  const Access& a = step.access;
  const unsigned lane = active.lanes[i];
  const Term condition = both(active.activity ? active.activity[i] : 0, active.guard(i));
  std::vector<Value> results(a.count, Value{0, undefined_tag, a.bytes * 8u});
  const auto place = resolve(s, step, lane, condition);
  if (place && reads_by_function(*place)) {
    const auto values = load_anywhere(step, lane, *place, condition);
    if (values)
      results = *values;
    else if (state_.stop || domain_.cut)
      return;
  } else if (place) {
    const auto where = candidates(step, *place);
    if (!where) return;
    bool any = false;
    for (const auto& [offset, here] : *where) {
      const Term when = both(condition, here);
      if (!accessible(step, lane, *place, offset, when, false)) {
        if (state_.stop || domain_.cut) return;
        continue;
      }
      for (unsigned e = 0; e < a.count; ++e) {
        const Value v = load_element(step, lane, *place, offset + u64(e) * a.bytes, when);
        if (state_.stop) return;
        results[e] = any && here ? domain_.ite({here, term_tag, 1}, v, results[e]) : v;
      }
      any = true;
    }
  } else if (!unresolved(s, step, lane, condition)) {
    return;
  }
  effects_ = true;
  for (unsigned e = 0; e < a.count; ++e) {
    if (step.out[e].slot == no_slot) continue;
    const unsigned width = program_.slots[step.out[e].slot].width;
    Value v = results[e];
    if (v.w < width)
      v = v.tag == undefined_tag ? Value{0, undefined_tag, width}
          : a.sign               ? domain_.sext(v, width)
                                 : domain_.zext(v, width);
    write(s, step, step.out[e], active, i, v);
  }
}

void Machine::store_lane(Strand& s, const Step& step, const Active& active, unsigned i) {
  const Access& a = step.access;
  const unsigned lane = active.lanes[i];
  const Term condition = both(active.activity ? active.activity[i] : 0, active.guard(i));
  const auto place = resolve(s, step, lane, condition);
  if (!place) {
    unresolved(s, step, lane, condition);
    return;
  }
  const auto where = candidates(step, *place);
  if (!where) return;
  for (const auto& [offset, here] : *where) {
    const Term when = both(condition, here);
    if (!accessible(step, lane, *place, offset, when, true)) {
      if (state_.stop || domain_.cut) return;
      continue;
    }
    for (unsigned e = 0; e < a.count; ++e) {
      Value v = given(read(s, step.in[e], lane), condition);
      if (v.w > a.bytes * 8u)
        v = v.tag == undefined_tag ? Value{0, undefined_tag, a.bytes * 8u} : domain_.extract(v, 0, a.bytes * 8u);
      store_element(s, step, lane, *place, offset + u64(e) * a.bytes, v, when);
      if (state_.stop) return;
    }
  }
}

}  // namespace ptxeq::sym
