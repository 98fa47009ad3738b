// Loads at places that are no number, of contents that nobody writes: functions of the place.
#include <fmt/format.h>

#include "symbolic/machine_impl.h"
#include "symbolic/offsets.h"

namespace ptxeq::sym {

bool Machine::reads_by_function(const Step& step, const Place& place) const {
  const Object& object = domain_.world()[place.object];
  if (!options_.reads_anywhere || object.contents != Contents::input || object.per_thread) return false;
  if (!object.addresses.empty() || (object.space != ir::Space::global && !object.read_only)) return false;
  if (step.access.base == no_slot || program_.slots[step.access.base].width != 64) return false;
  if (place.form != concrete_tag)
    for (const FormPart& p : domain_.forms[place.form].parts)
      if (domain_.counts_passes(p.symbol)) return true;
  if (!place.symbolic) return false;
  return passing_ != Passing::no || !possible_values(domain_.store(), place.symbolic, most_candidates);
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
  const Value first{domain_.term(offset_value(place)), term_tag, 64};  // ranges are not asked: they need not decide
  if (passing_ != Passing::for_values && !anywhere_allowed(step, lane, place, first, condition)) return std::nullopt;
  state_.read_anywhere.insert(place.object);
  std::vector<Value> out;
  for (unsigned e = 0; e < a.count; ++e)
    out.push_back(domain_.element(place.object, domain_.add(first, SymbolicDomain::constant(64, u64(e) * a.bytes)),
                                  a.bytes * 8u));
  return out;
}

// In a pass that only shows how counters move.
void Machine::load_unknown(Strand& s, const Step& step, const Active& active) {
  for (const Input& out : step.out)
    for (unsigned i = 0; i < active.lanes.count && out.slot != no_slot; ++i)
      write(s, step, out, active, i, domain_.fresh(LeafKind::loop, program_.slots[out.slot].width));
}

}  // namespace ptxeq::sym
