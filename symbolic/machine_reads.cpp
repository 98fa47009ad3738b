// Loads at places that are no number, of contents that nobody writes: functions of the place.
#include <fmt/format.h>

#include <algorithm>

#include "symbolic/machine_impl.h"
#include "symbolic/offsets.h"

namespace ptxeq::sym {

bool Machine::moves_by_pass(const Place& place) const {
  if (place.form == concrete_tag) return false;
  const auto& parts = domain_.forms[place.form].parts;
  return std::any_of(parts.begin(), parts.end(), [&](const FormPart& p) { return domain_.counts_passes(p.symbol); });
}

// In a loop's pass, every load of what threads could share is one: it is not known which pass, so that who touched what
// when cannot be told.
bool Machine::reads_by_function(const Place& place) const {
  if (passing_ != Passing::no) return raced(domain_.world()[place.object]) || place.symbolic || moves_by_pass(place);
  return options_.reads_anywhere && place.symbolic && has_input(place) &&
         !possible_values(domain_.store(), place.symbolic, most_candidates);
}

// Are its contents the inputs', as long as nobody writes them?
bool Machine::has_input(const Place& place) const {
  const Object& object = domain_.world()[place.object];
  return object.contents == Contents::input && !object.per_thread && object.addresses.empty() &&
         (object.space == ir::Space::global || object.read_only);
}

// Where the access may be outside or misaligned is the condition of a fault.
bool Machine::anywhere_allowed(const Step& step, unsigned lane, const Place& place, const Value& first,
                               Term condition) {
  const unsigned size = step.access.bytes * step.access.count;
  const Object& object = domain_.world()[place.object];
  if (object.align < size) {
    stop(Stop::Why::address_unresolved, step,
         fmt::format("whether this access is aligned depends on where {} lies", object.name));
    return false;
  }
  if (!fits_space(step, lane, place, condition, false)) return false;
  const Value* bytes = domain_.size(place.object);
  const Value known = SymbolicDomain::constant(64, object.size.value_or(0));
  if ((bytes || object.size) && !within_symbolic(step, lane, first, place.object, condition, bytes ? *bytes : known))
    return false;
  const Value rest = domain_.and_(first, SymbolicDomain::constant(64, size - 1));
  if (domain_.cut || (rest.concrete() && rest.bits == 0)) return !domain_.cut;
  const Value crooked = domain_.ne(rest, SymbolicDomain::constant(64, 0));
  fault(step, lane, both(condition, domain_.term(crooked)), "misaligned-access",
        fmt::format("an access of {} bytes at a place in {} that is no multiple of it", size, object.name));
  return !state_.stop;
}

std::optional<std::vector<Value>> Machine::load_anywhere(const Step& step, unsigned lane, const Place& place,
                                                         Term condition) {
  const Access& a = step.access;
  const bool moves = place.symbolic || moves_by_pass(place);
  if (!options_.reads_anywhere || !has_input(place) ||
      (moves && program_.slots[step.access.base].width != 64)) {  // else not an offset of 64 bits
    stop(Stop::Why::address_unresolved, step,
         fmt::format("what this reads of {} is not followed", domain_.world()[place.object].name));
    return std::nullopt;
  }
  std::vector<Value> out;
  if (!moves) {
    if (!accessible(step, lane, place, place.offset, condition, false)) return std::nullopt;
    for (unsigned e = 0; e < a.count; ++e)
      out.push_back(state_.memory.initial(place.object, place.offset + u64(e) * a.bytes, a.bytes, true, place.form));
  } else {
    const Value first{domain_.term(offset_value(place)), term_tag, 64};  // ranges are not asked: they need not decide
    if (passing_ != Passing::for_values && !anywhere_allowed(step, lane, place, first, condition)) return std::nullopt;
    for (unsigned e = 0; e < a.count; ++e)
      out.push_back(domain_.element(place.object, domain_.add(first, SymbolicDomain::constant(64, u64(e) * a.bytes)),
                                    a.bytes * 8u));
  }
  state_.read_anywhere.insert(place.object);
  return out;
}

// In a pass that only shows how counters move.
void Machine::load_unknown(Strand& s, const Step& step, const Active& active) {
  for (const Input& out : step.out)
    for (unsigned i = 0; i < active.lanes.count && out.slot != no_slot; ++i)
      write(s, step, out, active, i, domain_.fresh(LeafKind::loop, program_.slots[out.slot].width));
}

}  // namespace ptxeq::sym
