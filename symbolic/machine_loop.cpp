// Loops by steps of the whole launch: for (i = index; i < n; i += threads). Over all threads every i is visited once,
// so one pass, with the index as i, stands for all. That later passes happen for just those i for which a first one
// would is an obligation (StrideLoop); that nothing but multiples of the step changes from pass to pass is checked
// here.
#include <algorithm>

#include "symbolic/machine_impl.h"

namespace ptxeq::sym {

void Machine::note_head(const Strand& s) {
  const auto [at, first] = heads_.try_emplace(s.pc, Head{*s.registers, s.lanes, s.activity});
  if (!first && at->second.summarised)
    stop(Stop::Why::unroll_limit, program_.steps[s.pc], "a loop by steps of the whole launch is come to again");
}

// Has a value grown by a multiple of the number of threads where it holds the same multiple of the index, or not at
// all?
bool Machine::strides(const Value& before, const Value& now) const {
  if (before.same(now)) return !depends_on_index(now);
  const auto& [threads, index] = *options_.threads_and_index;
  if (!is_form(before.tag) || !is_form(now.tag) || before.w != now.w) return false;
  const Forms& forms = domain_.forms;
  const Form was = forms[before.tag], of_index = forms.form_of(index.tag);
  if (of_index.parts.empty()) return false;
  const auto factor = [](const Form& f, u32 symbol) {
    for (const FormPart& p : f.parts)
      if (p.symbol == symbol) return p.factor;
    return i64(0);
  };
  const FormPart& first = of_index.parts.front();
  const i64 in_value = factor(was, first.symbol);
  if (in_value == 0 || in_value % first.factor != 0) return false;
  const i64 times = in_value / first.factor;
  for (const FormPart& p : of_index.parts)
    if (factor(was, p.symbol) != times * p.factor) return false;
  for (const FormPart& p : was.parts)  // and nothing else that the index is not
    if (factor(of_index, p.symbol) == 0) return false;
  const Value of_threads = domain_.extract(threads, 0, before.w);
  const Value step = domain_.mul(of_threads, SymbolicDomain::constant(before.w, u64(times) & mask(before.w)));
  return domain_.add(before, step).same(now);
}

// Could the value be another for another thread? What stays the same from pass to pass must be the same for all.
bool Machine::depends_on_index(const Value& v) const {
  if (v.concrete() || is_base(v.tag)) return false;
  if (is_form(v.tag)) {  // the number of threads is the same for all
    const Form form = domain_.forms[v.tag], threads = domain_.forms.form_of(options_.threads_and_index->first.tag);
    return form.parts.size() != 1 || threads.parts.size() != 1 || form.parts[0].symbol != threads.parts[0].symbol;
  }
  if (v.tag != term_tag) return true;
  const TermStore& store = domain_.store();
  return find_in_cone(store, Term(v.bits), 0, [&](Term t) {
    if (store[t].op != Op::leaf) return false;
    const Leaf leaf = store.leaf_of(t);
    return leaf.kind != LeafKind::scalar && (leaf.kind != LeafKind::memory || leaf.form != 0);
  });
}

// Reads something that tells threads apart? Registers that are set before the first step are no live ones.
bool Machine::reads_place(const Step& step) const {
  const auto tells = [&](u32 slot) {
    if (slot == no_slot) return false;
    const SlotInit& init = program_.slots[slot].init;
    if (init.kind == SlotInit::Kind::unspecified) return true;
    return init.kind == SlotInit::Kind::special && init.special != ir::Special::ntid &&
           init.special != ir::Special::nctaid;
  };
  return tells(step.guard) || tells(step.access.base) ||
         std::any_of(step.in.begin(), step.in.end(), [&](const Input& in) { return tells(in.slot); });
}

// Is the loop all that the kernel does, but for what leads to it without being seen?
bool Machine::is_all(u32 head) const {
  if (!program_.thread_objects.empty() || !program_.block_objects.empty()) return false;
  const std::vector<bool> from_head = reachable(head), ways = ways_from(head);
  for (u32 at = 0; at < program_.steps.size(); ++at) {
    const Step& step = program_.steps[at];
    const bool in_loop = from_head[at] && ways_from(at)[head];
    if (from_head[at] && !in_loop) return false;  // does something after the loop
    if (ways[at] && reads_place(step)) return false;
    if ((step.kind == StepKind::store || step.kind == StepKind::trap) && !in_loop) return false;
  }
  return true;
}

// The strand comes back to a loop's head. True where its later passes need not be run.
bool Machine::summarised(const Strand& s, u32 head) {
  const auto at = heads_.find(head);
  if (at == heads_.end() || at->second.lanes != s.lanes) return false;
  Head& before = at->second;
  for (const u32 slot : program_.steps[head].live)
    for (const std::uint16_t lane : s.lanes) {
      const unsigned width = program_.slots[slot].width;
      if (!strides(before.registers.get(slot, lane, width), s.registers->get(slot, lane, width))) return false;
    }
  if (!is_all(head)) return false;
  for (std::size_t i = 0; i < s.lanes.size(); ++i)
    state_.stride_loops.push_back({before.activity.empty() ? 0 : before.activity[i], s.condition(i)});
  before.summarised = true;
  return true;
}

}  // namespace ptxeq::sym
