// Instructions that compute: a tight loop where every operand is concrete, the symbolic domain lane by lane else.
#include <algorithm>

#include "symbolic/machine_impl.h"

namespace ptxeq::sym {

namespace {

// A move passes on what it gets, undefined values too.
bool is_move(const Step& step) { return step.in.size() == 1 && ir::mnemonic(ir::form(step.op)) == "mov"; }

bool same_in_all(const u64* column, unsigned count) {
  return column[0] == column[count - 1] && std::equal(column + 1, column + count, column);
}

// The lanes that have to be computed: the first alone where each operand is the same in all, as of a loop's counter.
Lanes different_lanes(const Lanes& lanes, const ConcreteSource* sources, std::size_t count) {
  if (lanes.index) return lanes;
  for (std::size_t k = 0; k < count; ++k)
    if (!same_in_all(sources[k].bits + lanes.first, lanes.count)) return lanes;
  return {nullptr, lanes.first, 1};
}

}  // namespace

Value Machine::read(const Strand& s, const Input& in, unsigned lane) {
  const unsigned width = program_.slots[in.slot].width;
  Value v = s.registers->get(in.slot, lane, width);
  if (in.width < width) v = domain_.extract(v, 0, in.width);
  return in.negated ? domain_.not_(v) : v;
}

// v where the condition holds: a value that was set under it is what was set.
Value Machine::given(Value v, Term condition) {
  if (!condition) return v;
  const TermStore& store = domain_.store();
  const Node c = store[condition];
  if (c.op == Op::and_) return given(given(v, c.a), c.b);
  while (v.tag == term_tag && store[Term(v.bits)].op == Op::ite) {
    const Node n = store[Term(v.bits)];
    if (n.a == condition)
      v = domain_.value(n.b);
    else if (c.op == Op::not_ && n.a == c.a)
      v = domain_.value(n.c);
    else
      break;
  }
  return v;
}

// Writes lane i's result: fitted to its register, and kept apart from the old value where the guard is a term.
void Machine::write(Strand& s, const Step& step, const Input& out, const Active& active, unsigned i, Value v) {
  if (out.slot == no_slot) return;
  const unsigned lane = active.lanes[i], width = program_.slots[out.slot].width;
  if (v.w < width && v.tag != undefined_tag && v.tag != unspecified_tag)
    v = step.extend_sign ? domain_.sext(v, width) : domain_.zext(v, width);
  if (v.w > width) v = domain_.extract(v, 0, width);
  if (const Term guard = active.guard(i))
    v = domain_.ite({guard, term_tag, 1}, v, s.registers->get(out.slot, lane, width));
  s.registers->set(out.slot, lane, v);
}

void Machine::compute(Strand& s, const Step& step, const Active& active) {
  const Semantics& semantic = semantics()[step.op.form];
  bool concrete = !active.guards && (!step.approximate || options_.concrete);
  Tag result = concrete_tag;
  for (std::size_t k = 0; concrete && k < step.in.size(); ++k) {
    concrete = !step.in[k].negated && step.in[k].width == program_.slots[step.in[k].slot].width;
    const Tag tag = s.registers->common(step.in[k].slot, active.lanes);
    if (step.sums && (is_base(tag) || is_form(tag)) && result == concrete_tag)
      result = tag;
    else
      concrete = concrete && tag == concrete_tag;
  }
  if (!concrete) {
    if (!compute_terms(s, step, active)) compute_symbolic(s, step, active);
    return;
  }

  ConcreteSource sources[max_sources];
  for (std::size_t k = 0; k < step.in.size(); ++k) sources[k] = {s.registers->bits(step.in[k].slot), step.in[k].width};
  u64* results[max_results];
  if (loaded_.size() < lanes_) loaded_.resize(lanes_);  // takes results that nobody wants
  for (std::size_t k = 0; k < step.out.size(); ++k)
    results[k] = step.out[k].slot == no_slot ? loaded_.data() : s.registers->bits(step.out[k].slot);
  ConcreteDomain domain(step.attr);
  const Lanes lanes = different_lanes(active.lanes, sources, step.in.size());
  semantic.concrete(domain, step.op, lanes, sources, results);
  for (std::size_t k = 0; lanes.count < active.lanes.count && k < step.out.size(); ++k)
    std::fill_n(results[k] + lanes.first, active.lanes.count, results[k][lanes.first]);
  if (domain.unspecified_hit) {
    if (!options_.concrete)
      return stop(Stop::Why::unspecified_result, step,
                  "the manual leaves this instruction's result open for the operands that it gets");
    state_.unspecified_hit = true;
  }
  for (const Input& out : step.out) {
    if (out.slot == no_slot) continue;
    s.registers->set_tags(out.slot, active.lanes, result);
    if (out.narrow && step.extend_sign) {
      u64* bits = s.registers->bits(out.slot);
      const unsigned width = program_.slots[out.slot].width;
      for (unsigned i = 0; i < active.lanes.count; ++i)
        bits[active.lanes[i]] = u64(sign_extend(bits[active.lanes[i]], out.narrow)) & mask(width);
    }
  }
}

// Operand `k` of `count` lanes from position `first` on: the register's own column where it can be used as it is.
SymbolicSource Machine::gather(const Strand& s, const Step& step, const Active& active, std::size_t k, unsigned first,
                               unsigned count) {
  const Input& in = step.in[k];
  const unsigned width = program_.slots[in.slot].width;
  const bool as_it_is = !in.negated && in.width == width && !active.guards;
  const Tag common = !as_it_is ? Registers::mixed : s.registers->common(in.slot);
  const u64* column = s.registers->bits(in.slot);
  u64* bits = source_bits_.data() + k * lanes_at_once;
  Tag* tags = source_tags_.data() + k * lanes_at_once;
  if (as_it_is && common == Registers::mixed) {
    const Tag* each = s.registers->tags(in.slot);
    bool unset = false;
    for (unsigned i = 0; i < count; ++i) unset |= (tags[i] = each[active.lanes[first + i]]) == undefined_tag;
    if (!unset) {
      active.lanes.gather(column, first, count, bits);
      return {bits, tags, concrete_tag, width};
    }
  }
  if (common != Registers::mixed && common != undefined_tag) {
    if (!active.lanes.index) return {column + active.lanes.first + first, nullptr, common, width};
    active.lanes.gather(column, first, count, bits);
    return {bits, nullptr, common, width};
  }
  for (unsigned i = 0; i < count; ++i) {
    const unsigned lane = active.lanes[first + i];
    locate(step, lane);
    Value v = given(read(s, in, lane), active.guard(first + i));
    if (v.tag == undefined_tag && !is_move(step)) v = domain_.fresh(LeafKind::undefined, v.w);
    bits[i] = v.bits, tags[i] = v.tag;
  }
  return {bits, tags, concrete_tag, std::min<unsigned>(in.width, width)};
}

// Where all operands are terms in a run of lanes, the columns themselves go through the operation. False: they are not.
bool Machine::compute_terms(Strand& s, const Step& step, const Active& active) {
  const TermLoop terms = semantics()[step.op.form].terms;
  if (!terms || active.guards || active.lanes.index || step.out[0].slot == no_slot) return false;
  const u32 to = step.out[0].slot;
  const unsigned width = program_.slots[to].width;
  std::array<const u64*, max_sources> sources;
  for (std::size_t k = 0; k < step.in.size(); ++k) {
    const Input& in = step.in[k];
    if (in.negated || in.width != width || program_.slots[in.slot].width != width) return false;
    if (s.registers->common(in.slot, active.lanes) != term_tag) return false;
    sources[k] = s.registers->bits(in.slot) + active.lanes.first;
  }
  u64* result = s.registers->bits(to) + active.lanes.first;
  terms(domain_.store(), step.attr, width, active.lanes.count, sources.data(), result);
  s.registers->set_tags(to, active.lanes, term_tag);
  return true;
}

// A few lanes at a time, so that their operands and results stay in the first cache.
void Machine::compute_symbolic(Strand& s, const Step& step, const Active& active) {
  const Semantics& semantic = semantics()[step.op.form];
  const unsigned n = active.lanes.count;
  if (step.approximate) state_.approximate.emplace(&program_, u32(&step - program_.steps.data()));
  if (tags_.size() < n * step.out.size()) tags_.resize(n * step.out.size());
  std::array<SymbolicSource, max_sources> in;
  std::array<SymbolicResult, max_results> out;
  std::array<bool, max_results> fits{};  // the register takes the result's bits as they are, in every lane
  domain_.begin(step.attr);
  for (unsigned first = 0; first < n; first += lanes_at_once) {
    const unsigned count = std::min(lanes_at_once, n - first);
    for (std::size_t k = 0; k < step.in.size(); ++k) in[k] = gather(s, step, active, k, first, count);
    if (step.in.size() == 3 && !in[2].tags && in[2].tag == term_tag)  // the third is the key of the node asked for
      for (unsigned i = 0; i < count; ++i) domain_.store().prefetch_parent(Term(in[2].bits[i]));
    for (std::size_t k = 0; k < semantic.results; ++k)
      out[k] = {result_bits_.data() + k * lanes_at_once, result_tags_.data() + k * lanes_at_once};
    semantic.symbolic(domain_, step.op, count, in.data(), out.data());
    for (std::size_t k = 0; k < step.out.size(); ++k) {
      const u32 slot = step.out[k].slot;
      fits[k] = slot != no_slot && !active.guards && out[k].width == program_.slots[slot].width;
      if (fits[k]) {
        active.lanes.scatter(out[k].bits, first, count, s.registers->bits(slot));
        std::copy_n(out[k].tags, count, tags_.data() + k * n + first);
      } else {
        for (unsigned i = 0; i < count; ++i)
          write(s, step, step.out[k], active, first + i, {out[k].bits[i], out[k].tags[i], out[k].width});
      }
    }
  }
  for (std::size_t k = 0; k < step.out.size(); ++k)
    if (fits[k]) s.registers->set_tags(step.out[k].slot, active.lanes, tags_.data() + k * n);
}

// The first element is the lowest.
void Machine::pack(Strand& s, const Step& step, const Active& active) {
  for (unsigned i = 0; i < active.lanes.count; ++i) {
    Value whole = read(s, step.in[0], active.lanes[i]);
    for (std::size_t k = 1; k < step.in.size(); ++k)
      whole = domain_.concat(read(s, step.in[k], active.lanes[i]), whole);
    write(s, step, step.out[0], active, i, whole);
  }
}

void Machine::unpack(Strand& s, const Step& step, const Active& active) {
  for (unsigned i = 0; i < active.lanes.count; ++i) {
    const Value whole = read(s, step.in[0], active.lanes[i]);
    const bool unset = whole.tag == undefined_tag || whole.tag == unspecified_tag;
    unsigned low = 0;
    for (const Input& out : step.out) {
      write(s, step, out, active, i, unset ? Value{0, whole.tag, out.width} : domain_.extract(whole, low, out.width));
      low += out.width;
    }
  }
}

// cvta: an address changes from its object's window to generic and back; isspacep asks which window it is in.
void Machine::convert_space(Strand& s, const Step& step, const Active& active) {
  const ir::Space space = step.access.space;
  for (unsigned i = 0; i < active.lanes.count; ++i) {
    Value v = read(s, step.in[0], active.lanes[i]);
    if (v.concrete() && v.bits == 0 && step.kind != StepKind::is_space) {  // null stays null
      write(s, step, step.out[0], active, i, v);
      continue;
    }
    const auto place = domain_.place(v);
    if (!place) return stop(Stop::Why::address_unresolved, step, "this address cannot be told to belong to one object");
    const Object& object = domain_.world()[place->object];
    const bool global = object.space == ir::Space::global;
    const bool in_space =
        object.space == space || (space == ir::Space::global && object.space == ir::Space::param && !object.per_thread);
    if (step.kind == StepKind::is_space) {
      write(s, step, step.out[0], active, i, SymbolicDomain::constant(1, in_space));
      continue;
    }
    const bool to_generic = step.kind == StepKind::from_space;
    if (!in_space || (!global && place->generic == to_generic))
      return stop(Stop::Why::address_unresolved, step, "an address of another state space is converted");
    if (place->form != concrete_tag && !global)
      return stop(Stop::Why::address_unresolved, step, "an address that depends on the block is converted");
    if (place->form != concrete_tag) {
      write(s, step, step.out[0], active, i, v);
      continue;
    }
    const Value base{place->offset & mask(v.w), base_tag(place->object, to_generic && !global), v.w};
    write(s, step, step.out[0], active, i,
          place->symbolic ? domain_.add(base, {place->symbolic, term_tag, v.w}) : base);
  }
}

}  // namespace ptxeq::sym
