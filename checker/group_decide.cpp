// A group's last part: what its runs and the comparison left open is decided.
#include <fmt/format.h>

#include <algorithm>

#include "checker/elapsed.h"
#include "checker/fusion_choices.h"
#include "checker/group.h"
#include "checker/loop_relation.h"
#include "checker/obligation_cases.h"
#include "checker/real_value.h"
#include "checker/sample.h"
#include "checker/values.h"

namespace ptxeq::check {

using sym::SideState;
using sym::Term;

namespace {

constexpr unsigned most_looks = 256;  // at shapes of results that differ in bits, for one that differs over the reals

std::string in_time(ReasonCode why) { return why == ReasonCode::timeout ? " in time (--timeout)" : ""; }

}  // namespace

// Conditional faults that can happen make a kernel invalid, as a certain one does; a Stop leaves it undecided.
void Group::settle_faults(const PreparedSide& side, SideState& state, Side name) {
  for (sym::Fault& fault : state.faults) {
    Finding f = fault.finding;
    f.side = name, f.file = file_of(side);
    if (fault.condition) {
      Decision d = satisfiable(store_, known(fault.condition), domains_, discharge_options());
      const bool fusible = store_[fault.condition].flags & sym::has_contraction;
      if (d.outcome == Outcome::refuted) {
        result.contraction |= fusible;
        continue;
      }
      if (d.outcome == Outcome::unknown) {
        result.unfinished = true;
        if (fault.of_any_pass && d.why == ReasonCode::unspecified_result) d.why = ReasonCode::solver_unknown;
        note_doubt(d.why, fmt::format("whether this can happen is not decided{}: {}", in_time(d.why), f.message), name);
        result.reasons.back().line = f.at.line;
        continue;
      }
      if (fault.of_any_pass) {
        result.unfinished = true;
        note_doubt(ReasonCode::solver_unknown,
                   fmt::format("whether this can happen in a pass of a loop is not decided: {}", f.message), name);
        result.reasons.back().line = f.at.line;
        continue;
      }
      if (fusible) {  // it happens unfused; fused it may not
        result.unfinished = true;
        note_doubt(ReasonCode::contractible_fp,
                   fmt::format("whether this happens depends on what is fused: {}", f.message), name);
        continue;
      }
      f.witness += "\nfor " + describe(model_of(d.model));
      result.invalid.push_back({name, std::move(f), block_of(name, d.model), model_of(d.model), threads_at(d.model)});
      return;
    }
    result.invalid.push_back({name, std::move(f), block_of(name, {}), {}, threads_at({})});
    return;
  }
  if (!state.stop || state.stop.why == sym::Stop::Why::fault) return;
  result.unfinished = true;
  result.reasons.push_back(reason_of(state.stop, name, file_of(side)));
}

// Does the term's value change with what nobody wrote, the inputs being what they are?
bool Group::depends_on_undefined(Term t) const {
  // With functions that are left open in between, no sample says what the hardware's does (SOUNDNESS rule 11).
  if (!(store_[t].flags & sym::has_undefined) || (store_[t].flags & (sym::has_approx | sym::has_unspecified)))
    return false;
  Random random(options_.limits.seed + 1);
  static constexpr std::uint64_t tries[] = {0, ~std::uint64_t(0), 0x3f8000003f800000, 0x4000000040000000, 5};
  for (unsigned round = 0; round < 16; ++round) {
    const std::uint64_t salt = random.next();
    std::optional<std::uint64_t> first;
    for (const std::uint64_t undefined : tries) {
      sym::Assignment at;
      at.leaf_value = [&](Term leaf) -> sym::u64 {
        if (store_[leaf].flags & sym::has_undefined) return undefined;
        const LeafDomain d = domains_(store_.leaf_of(leaf));
        const unsigned w = store_.width(leaf);
        Random r(salt + leaf);
        for (unsigned k = 0; k < 8; ++k)
          if (const std::uint64_t v = (k % 2 ? r.next() : r.next() % 8) & sym::mask(w); d.width == 0 || admits(d, w, v))
            return v;
        return default_value(d, w);
      };
      at.approx_value = [&](const sym::Node& n, sym::u64 x, sym::u64 y) {
        return Random(n.c * 77777u + x * 31 + y).next();
      };
      const std::uint64_t v = sym::evaluate(store_, std::span(&t, 1), at)[0];
      if (first && v != *first) return true;
      first = v;
    }
  }
  return false;
}

Finding Group::uninitialised(const PreparedSide& side, SideState& state, Term t, const Mismatch& m) const {
  Finding f;
  f.code = "uninitialised-read";
  f.side = &side == &setup_.a ? Side::a : Side::ref;
  f.file = file_of(side);
  const sym::Object& object = setup_.world[m.object];
  f.message = fmt::format("{}[{}] depends on a value that nobody wrote", object.name, m.offset / object.element);
  const Term found = find_in_cone(store_, t, sym::has_undefined, [&](Term x) { return store_[x].op == sym::Op::leaf; });
  const sym::Leaf leaf = found ? store_.leaf_of(found) : sym::Leaf{};
  if (leaf.kind == sym::LeafKind::stale) {
    f.message +=
        fmt::format(": the former contents of {}[{}], an out buffer", setup_.world[leaf.object].name, leaf.index);
  } else if (const sym::Origin origin = found ? domain_.origin(leaf.index) : sym::Origin{}; origin.program) {
    const auto* program = static_cast<const sym::Program*>(origin.program);
    const sym::Step& step = program->steps[origin.step];
    f.at = program->at(step);
    f.witness = program->text(step);
  }
  if (const sym::ObjectPages* pages = state.memory.find_pages(m.object))
    if (const sym::Page* page = pages->find(m.offset)) {
      const std::uint32_t writer =
          (*page)[unsigned((m.offset & (sym::Page::bytes - 1)) >> page->log_cell())].writer.thread;
      if (writer)
        f.witness += fmt::format("\nthread {} of its block stores the result",
                                 (writer - 1) % std::max<std::uint64_t>(side.shapes.back().threads(), 1));
    }
  return f;
}

InputModel Group::model_of(const std::unordered_map<Term, sym::u64>& model) const {
  InputModel out;
  const std::vector<std::int64_t> point = point_of(model);
  for (const auto& [t, value] : model) {
    const sym::Leaf leaf = store_.leaf_of(t);
    if (leaf.kind == sym::LeafKind::memory) {
      const std::int64_t moved = at_point(leaf.form, point) / setup_.world[leaf.object].element;
      out.elements[{leaf.object, leaf.index + std::uint64_t(moved)}] = value;
    }
    if (leaf.kind == sym::LeafKind::scalar) out.scalars[{leaf.object, leaf.index}] = value;
  }
  return out;
}

std::string Group::describe(const InputModel& input) const {
  std::string text;
  for (const auto& [key, value] : input.elements)
    text += fmt::format("{}{}[{}] = {:#x}", text.empty() ? "" : ", ", setup_.world[key.first].name, key.second, value);
  for (const auto& [key, value] : input.scalars)
    text += fmt::format("{}{} = {:#x}", text.empty() ? "" : ", ", scalar_name(setup_.problem->scalars[key.first].name),
                        value);
  return text.empty() ? "any input" : text;
}

// Does the term hold an address, or what a load saw of the former contents of an `out` buffer?
bool Group::rests_on_former(Term t) const {
  if (store_[t].flags & sym::has_address) return true;
  return find_in_cone(store_, t, sym::has_undefined, [&](Term x) {
    return store_[x].op == sym::Op::leaf && store_.leaf_of(x).kind == sym::LeafKind::stale;
  });
}

// Two values that were proved equal: what both take from the former contents of an `out` buffer or from an address is
// open all the same, and terms that are one on both sides may be fused on one alone.
void Group::settle_shared(const Mismatch& m) {
  for (const sym::Value& v : {m.a, m.ref}) {
    const Term t = domain_.term(v);
    result.contraction |= open_ && (store_[t].flags & sym::has_contraction);
    if (result.invalid.empty() && result.reasons.empty() && rests_on_former(t)) {
      Mismatch one = m;
      one.a = {t, sym::term_tag, v.w};
      settle_doubtful(one);
    }
  }
}

// The same value on both sides, but one that rests on what nobody wrote or on where an object lies.
void Group::settle_doubtful(const Mismatch& m) {
  const Term t = Term(m.a.bits);
  if (store_[t].flags & sym::has_undefined) {
    if (depends_on_undefined(t)) {
      result.invalid.push_back({Side::ref, uninitialised(setup_.ref, ref_, t, m)});
      result.invalid.push_back({Side::a, uninitialised(setup_.a, a_, t, m)});
    } else {
      note_doubt(ReasonCode::unspecified_result, "an output may depend on a value that nobody wrote");
    }
  }
  if (store_[t].flags & sym::has_address)
    note_doubt(ReasonCode::address_unresolved, "an output depends on where a buffer lies");
}

// The refuting input, leaves that do not matter included.
std::function<sym::u64(Term)> Group::leaf_bits(const Decision& d) const {
  return [this, &d](Term leaf) -> sym::u64 {
    const auto at = d.model.find(leaf);
    return at != d.model.end() ? at->second : default_value(domains_(store_.leaf_of(leaf)), store_.width(leaf));
  };
}

// if (c) x else z against if (d) y else z, for an open launch: that c and d agree, and that x and y do where they hold.
// The two conditions speak of different launches, and solvers are good at them alone.
std::vector<Obligation> Group::by_condition(const Obligation& o) {
  const sym::Node a = store_[o.a], ref = store_[o.ref];
  const auto guarded = [&](const sym::Node& n) { return n.op == sym::Op::ite; };
  if (!open_) return {o};
  if (guarded(a) && guarded(ref) && a.c == ref.c && store_.width(o.a) > 1) {
    std::vector<Obligation> out{{a.a, ref.a, o.condition}};
    if (a.b != ref.b) out.push_back({a.b, ref.b, conjunction(store_, o.condition, a.a)});
    return out;
  }
  for (const auto& [n, other] : {std::pair{a, o.ref}, std::pair{ref, o.a}})
    if (guarded(n) && n.c == other && store_.width(other) > 1) return {{n.a, store_.constant(1, 0), o.condition}};
  return {o};
}

bool Group::holds_loop(Term t) const {
  return find_in_cone(store_, t, sym::has_approx, [&](Term x) {
    return store_[x].op == sym::Op::approx && sym::loop_function(store_, store_[x].c).has_value();
  });
}

// Where both sides hold loops, those that run in step become one function.
void Group::settle_loops(std::vector<Obligation>& obligations, std::vector<const Mismatch*>& of) {
  if (a_.loops.empty() || ref_.loops.empty()) return;
  relate_loops(store_, obligations, ref_.loops, domains_, discharge_options(), result.evidence, result.contraction);
  std::vector<Obligation> cases;
  std::vector<const Mismatch*> of_case;
  for (std::size_t i = 0; i < obligations.size(); ++i)
    for (const Obligation& o : by_cases(store_, obligations[i])) cases.push_back(o), of_case.push_back(of[i]);
  obligations = std::move(cases), of = std::move(of_case);
}

// What is left to be shown equal: whether a thread traps, and bytes as they are where none does.
Group::Questions Group::pose_questions() {
  Questions out;
  const Term never = store_.constant(1, 0);
  const Term trapped_a = a_.trapped ? a_.trapped : never, trapped_ref = ref_.trapped ? ref_.trapped : never;
  if (trapped_a != trapped_ref) out.obligations.push_back({trapped_a, trapped_ref, 0}), out.of.push_back(nullptr);
  const Term trapped = store_.make(sym::Op::or_, 1, 0, trapped_a, trapped_ref);
  const Term condition = trapped == never ? 0 : store_.make(sym::Op::not_, 1, 0, trapped);
  for (const Mismatch& m : comparison_.mismatches)
    for (const Obligation& o : by_condition({domain_.term(m.a), domain_.term(m.ref), known(condition)}))
      out.obligations.push_back(o), out.of.push_back(&m);
  result.evidence.obligations = comparison_.compared + (trapped_a != trapped_ref);
  result.evidence.by_normal_form += comparison_.compared - comparison_.mismatches.size();
  return out;
}

void Group::settle_obligations() {
  Questions questions = pose_questions();
  if (questions.obligations.empty()) return;
  settle_loops(questions.obligations, questions.of);
  const auto decisions = discharge(store_, questions.obligations, domains_, discharge_options(), result.evidence);
  blame_undefined(questions, decisions);
  for (std::size_t i = 0; i < decisions.size() && result.invalid.empty() && result.reasons.empty(); ++i)
    if (questions.of[i] && decisions[i].outcome == Outcome::proved) settle_shared(*questions.of[i]);
  if (result.invalid.empty()) take(questions, decisions);
}

// Whose fault an undefined output is: the reference's first (SOUNDNESS rule 2).
void Group::blame_undefined(const Questions& questions, const std::vector<Decision>& decisions) {
  for (const Side side : {Side::ref, Side::a})
    for (std::size_t i = 0; i < decisions.size() && result.invalid.empty(); ++i) {
      const auto& [a, ref, condition] = questions.obligations[i];
      const Mismatch* m = questions.of[i];
      const Term t = side == Side::a ? a : ref;
      const bool always = !condition || store_.is_constant(condition);
      if (m && decisions[i].outcome != Outcome::proved && always && depends_on_undefined(t))
        result.invalid.push_back({side, uninitialised(prepared(side), state(side), t, *m)});
    }
}

// Refuted with fusible products: is it, whatever is fused?
bool Group::refuted_however_fused(const Obligation& o, const Decision& d) {
  if (result.summarised_loops > 0 && result.contraction) return false;  // a pass of a loop is not looked into
  return !((store_[o.a].flags | store_[o.ref].flags) & sym::has_contraction) ||
         differ_however_fused(store_, o.a, o.ref, leaf_bits(d));
}

Refutation Group::refutation(const Obligation& o, const Mismatch* m, const Decision& d) {
  Refutation r;
  r.trap = !m;
  if (m) r.object = m->object, r.offset = m->offset, r.size = m->size;
  r.input = model_of(d.model);
  if (box_) place(r, m ? *m : Mismatch{}, d.model);
  if (setup_.problem->floats != Float::bits) r.only_bits = differ_over_reals(store_, o, leaf_bits(d), domains_) != true;
  return r;
}

void Group::doubt(const Obligation& o, const Mismatch* m, ReasonCode why) {
  const std::string where =
      m ? fmt::format("{}[{}]", setup_.world[m->object].name, m->offset / setup_.world[m->object].element)
        : "whether a thread traps";
  if (why == ReasonCode::unspecified_result && (holds_loop(o.a) || holds_loop(o.ref)))
    return note_doubt(ReasonCode::solver_unknown,
                      fmt::format("{}: the loops of the two sides are not shown to do the same in each pass", where));
  if (rests_on_address(o)) why = ReasonCode::address_unresolved;
  note_doubt(why, fmt::format("{} is not decided{}", where, in_time(why)));
}

bool Group::rests_on_address(const Obligation& o) const {
  return (store_[o.a].flags | store_[o.ref].flags) & sym::has_address;
}

// A difference that stands is enough, unless it is one in bits alone: then other shapes are looked at for one over the
// reals.
bool Group::looking(std::size_t looks) const {
  const auto& found = result.refutation;
  return !found || (found->only_bits && looks < most_looks && std::chrono::steady_clock::now() < options_.deadline);
}

// The difference to tell, if there is one, and the first doubt.
void Group::take(const Questions& questions, const std::vector<Decision>& decisions) {
  bool doubted = false;
  std::set<std::size_t> only_bits, fused_away;  // shapes
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const Decision& d = decisions[i];
    const Obligation& o = questions.obligations[i];
    result.contraction |= d.assumed_unfused;
    if (d.outcome == Outcome::proved) continue;
    const bool refuted = d.outcome == Outcome::refuted && !rests_on_address(o) && !fused_away.contains(d.shape);
    if (refuted && (only_bits.contains(d.shape) || !looking(only_bits.size()))) continue;
    if (refuted && refuted_however_fused(o, d)) {
      Refutation r = refutation(o, questions.of[i], d);
      if (r.only_bits) only_bits.insert(d.shape);
      if (!result.refutation || !r.only_bits) result.refutation = std::move(r);
      continue;
    }
    if (refuted) fused_away.insert(d.shape);
    if (!doubted) {
      doubted = true;
      doubt(o, questions.of[i], d.outcome == Outcome::refuted ? ReasonCode::contractible_fp : d.why);
    }
  }
}

void Group::decide(Decide what) {
  const auto start = std::chrono::steady_clock::now();
  stage("deciding what the runs left open");
  const bool alone = box_ && box_->alone();
  if (alone ? box_->driver == Side::ref : !options_.only_a) settle_faults(setup_.ref, ref_, Side::ref);
  if (!alone || box_->driver == Side::a) settle_faults(setup_.a, a_, Side::a);
  if (store_.exhausted()) note_doubt(ReasonCode::memory, "out of memory for terms");
  if (what == Decide::all) settle_rest(alone);
  result.cost["decide"] += seconds_since(start);
}

void Group::settle_rest(bool alone) {
  if (alone && result.invalid.empty()) settle_known();
  if (box_ && result.invalid.empty() && result.reasons.empty())
    for (const Side side : {Side::ref, Side::a}) settle_strides(side);
  if (result.invalid.empty() && result.reasons.empty() && !options_.only_a && !alone) {
    for (const Mismatch& m : comparison_.doubtful) {
      settle_doubtful(m);
      if (!result.invalid.empty() || !result.reasons.empty()) break;
    }
    settle_obligations();
    if (store_.exhausted()) note_doubt(ReasonCode::memory, "out of memory for terms");
  }
}

}  // namespace ptxeq::check
