// Loops whose count depends on scalars. One pass is made from a state of symbols, and what the loop leaves is a
// function of the state that it began with (symbolic/loop.h). A counter, a register to which each pass adds the same,
// is its first value plus so many steps; a pass has a number, and that the numbers stay below a limit is proved from
// the condition under which the loop goes on. The loop must read what nobody writes, write registers alone, and have
// one way out. Where it was first gone round once as any other code, the state is that of after this pass.
#include <algorithm>

#include "symbolic/loop.h"
#include "symbolic/machine_impl.h"

namespace ptxeq::sym {

namespace {

constexpr i64 largest_limit = i64(1) << 30;  // that is looked for by trying

bool only_registers(StepKind kind) {
  using K = StepKind;
  static constexpr K kinds[] = {K::compute,    K::pack,     K::unpack, K::load,   K::to_space,
                                K::from_space, K::is_space, K::jump,   K::nothing};
  return std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds);
}

}  // namespace

class Machine::Summary {
 public:
  Summary(Machine& machine, Strand& strand, u32 head)
      : m(machine), s(strand), head_(head), store_(m.domain_.store()), n_(s.lanes.size()) {}

  // Puts the strand behind the loop; false: it cannot be summarised, and nothing has changed.
  bool run() {
    if (!find_body() || !name_state() || !find_steps() || !find_limit()) return false;
    auto pass = pass_from(numbered(number_), Passing::for_values, {});
    if (!pass || !m.program_.steps[pass->exit].head) return false;
    goes_on_ = pass->goes_on;
    if (number_matters(*pass)) find_ends();
    if (!leaves_at_the_top(*pass)) {
      limit_to(limit_ + 1);  // the pass that is not made counts too, as where a loop is left at its top
      pass = pass_from(numbered(number_), Passing::for_values, {});
      if (!pass) return false;
      goes_on_ = pass->goes_on;
      count_whole_passes();
    }
    std::vector<Fault> faults;
    if (!find_faults(faults) || !leave(*pass)) return false;
    m.state_.faults.insert(m.state_.faults.end(), faults.begin(), faults.end());
    ++m.state_.summarised_loops;
    return true;
  }

 private:
  // A register that passes change.
  struct Changed {
    u32 slot = 0;
    std::vector<Term> leaf;  // by position: its value before a pass
    std::vector<Value> first;
    std::vector<std::optional<Value>> step;  // what each pass adds, where that is all it does
  };
  struct Pass {
    std::shared_ptr<Registers> next, left;  // at the head again, and behind the loop
    std::vector<Term> goes_on;              // by position
    std::vector<Fault> faults;
    u32 exit = 0;
  };

  unsigned width(u32 slot) const { return m.program_.slots[slot].width; }
  Term yes() { return store_.constant(1, 1); }
  Term no_more(Term goes_on) { return store_.make(Op::not_, 1, 0, goes_on); }

  bool find_body() {
    const std::vector<bool> from = m.ways_from(head_);
    std::vector<bool> to(from.size(), false);
    to[head_] = true;
    for (bool grown = true; grown;) {
      grown = false;
      for (u32 at = u32(to.size()); at-- > 0;) {
        const Step& step = m.program_.steps[at];
        bool leads = step.kind != StepKind::jump || step.guard != no_slot ? at + 1 < to.size() && to[at + 1] : false;
        for (const u32 t : step.targets) leads |= to[t];
        if (leads && !to[at]) to[at] = grown = true;
      }
    }
    body_.resize(from.size());
    for (u32 at = 0; at < from.size(); ++at) {
      body_[at] = from[at] && to[at];
      if (body_[at] && !only_registers(m.program_.steps[at].kind)) return false;
    }
    return true;
  }

  bool written_in_loop(u32 slot) const {
    for (u32 at = 0; at < body_.size(); ++at)
      if (body_[at])
        for (const Input& out : m.program_.steps[at].out)
          if (out.slot == slot) return true;
    return false;
  }

  bool name_state() {
    for (const u32 slot : m.program_.steps[head_].live) {
      if (!written_in_loop(slot)) continue;
      Changed c;
      c.slot = slot;
      for (const std::uint16_t lane : s.lanes) {
        c.first.push_back(s.registers->get(slot, lane, width(slot)));
        if (c.first.back().tag == undefined_tag || c.first.back().tag == unspecified_tag) return false;
        c.leaf.push_back(Term(m.domain_.fresh(LeafKind::loop, width(slot)).bits));
      }
      changed_.push_back(std::move(c));
    }
    return true;
  }

  // The state before a pass: what `counter` says in place of any value, a leaf.
  template <class F>
  std::shared_ptr<Registers> state(F counter) {
    auto out = std::make_shared<Registers>(*s.registers);
    for (const Changed& c : changed_)
      for (std::size_t i = 0; i < n_; ++i) {
        const Value any{c.leaf[i], term_tag, width(c.slot)};
        out->set(c.slot, s.lanes[i], counter(c, i, any));
      }
    return out;
  }
  // Counters are first + number * step.
  Value at_pass(const Changed& c, std::size_t i, const Value& number) {
    SymbolicDomain& d = m.domain_;
    return d.add(c.first[i], d.mul(d.extract(number, 0, c.first[i].w), *c.step[i]));
  }
  std::shared_ptr<Registers> numbered(const Value& number) {
    return state(
        [&](const Changed& c, std::size_t i, const Value& any) { return c.step[i] ? at_pass(c, i, number) : any; });
  }

  // One pass from a state, each lane under its condition, if any. Nothing where it does not come back to the head or
  // leave the loop at one place.
  std::optional<Pass> pass_from(std::shared_ptr<Registers> from, Passing how, std::vector<Term> activity) {
    auto strands = std::exchange(m.strands_, {});
    auto left = std::exchange(m.left_, std::vector<bool>(m.lanes_, !activity.empty()));
    const std::size_t faults = m.state_.faults.size(), notes = m.state_.notes.size();
    m.passing_ = how, m.pass_head_ = head_;
    auto start = std::make_unique<Strand>();
    start->pc = head_, start->registers = std::move(from), start->lanes = s.lanes,
    start->activity = std::move(activity);
    m.strands_.push_back(std::move(start));
    m.run_strand(*m.strands_.front(), ~u32(0));
    std::erase_if(m.strands_, [](const auto& t) { return t->lanes.empty(); });
    while (!m.state_.stop && go_on()) m.advance();
    std::optional<Pass> out;
    if (!m.state_.stop) out = collect();
    if (out) out->faults.assign(m.state_.faults.begin() + std::ptrdiff_t(faults), m.state_.faults.end());
    m.state_.faults.resize(faults);
    if (how != Passing::for_faults) m.state_.notes.resize(notes);
    forget_stop();
    m.passing_ = Passing::no;
    m.strands_ = std::move(strands), m.left_ = std::move(left);
    return out;
  }
  // Strands that have ended the pass wait; is there another one?
  bool go_on() {
    bool more = false;
    for (const auto& t : m.strands_) {
      if (!t->waiting) t->waiting = t->pc == head_ || !body_[t->pc];
      more |= !t->waiting;
    }
    return more;
  }
  // What only this way of looking cannot do is no reason to end the run.
  void forget_stop() {
    const Stop::Why why = m.state_.stop.why;
    if (why != Stop::Why::timeout && why != Stop::Why::memory && why != Stop::Why::cut) m.state_.stop = {};
  }
  std::optional<Pass> collect() {
    Strand *again = nullptr, *behind = nullptr;
    for (const auto& t : m.strands_) {
      Strand*& to = t->pc == head_ ? again : behind;
      if (!to) {
        to = t.get();
        continue;
      }
      if (to->pc != t->pc || !m.can_join(*to, *t)) return std::nullopt;
      m.join(*to, *t);
    }
    if (!again || !behind || again->lanes != s.lanes || behind->lanes != s.lanes) return std::nullopt;
    Pass out{again->registers, behind->registers, {}, {}, behind->pc};
    for (std::size_t i = 0; i < n_; ++i) out.goes_on.push_back(again->condition(i) ? again->condition(i) : yes());
    return out;
  }

  bool of_state(Term t) const {
    return find_in_cone(store_, t, 0,
                        [&](Term x) { return store_[x].op == Op::leaf && store_.leaf_of(x).kind == LeafKind::loop; });
  }
  // Does it hold a value that is another at each read (SOUNDNESS rules 10, 17)? No pass then stands for all.
  bool fresh_at_each_read(Term t) const {
    return find_in_cone(store_, t, has_undefined | has_unspecified, [&](Term x) {
      if (store_[x].op != Op::leaf) return false;
      const LeafKind kind = store_.leaf_of(x).kind;
      return kind == LeafKind::special || kind == LeafKind::undefined || kind == LeafKind::stale;
    });
  }
  std::optional<Value> step_of(const Changed& c, std::size_t i, const Value& after) {
    if (after.tag != term_tag) return std::nullopt;
    if (Term(after.bits) == c.leaf[i]) return SymbolicDomain::constant(after.w, 0);
    const Node sum = store_[Term(after.bits)];
    if (sum.op != Op::add || (sum.a != c.leaf[i] && sum.b != c.leaf[i])) return std::nullopt;
    const Term rest = sum.a == c.leaf[i] ? sum.b : sum.a;
    return of_state(rest) || fresh_at_each_read(rest) ? std::nullopt : std::optional(m.domain_.value(rest));
  }
  bool find_steps() {
    const auto pass =
        pass_from(state([](auto&, std::size_t, const Value& any) { return any; }), Passing::without_loads, {});
    if (!pass) return false;
    for (Changed& c : changed_)
      for (std::size_t i = 0; i < n_; ++i)
        c.step.push_back(step_of(c, i, pass->next->get(c.slot, s.lanes[i], width(c.slot))));
    unnumbered_ = pass->goes_on;
    for (std::size_t i = 0; i < n_; ++i)  // else the count depends on what the passes compute
      if (of_state(goes_on_at(i, SymbolicDomain::constant(64, 0))) || fresh_at_each_read(unnumbered_[i])) return false;
    return true;
  }

  // The condition to go on after pass `number`, which is none of the launch's symbols.
  Term goes_on_at(std::size_t i, const Value& number) { return counted(i, unnumbered_[i], number); }
  // A term over counters where the pass has this number.
  Term counted(std::size_t i, Term t, const Value& number) {
    std::unordered_map<Term, Term> by;
    for (const Changed& c : changed_)
      if (c.step[i]) by[c.leaf[i]] = m.domain_.term(at_pass(c, i, number));
    return substitute(store_, t, by);
  }
  // Can the lane not be in the loop where t holds?
  bool never(std::size_t i, Term t) {
    if (store_.is_constant(t)) return store_.constant_bits(t) == 0;
    return m.ask(m.program_.steps[head_], {conjunction(store_, s.condition(i), t)}).front() == Possibility::never;
  }
  // Does no lane go on after its last pass, where `last` says whether it would?
  template <class F>
  bool ends_at(F last) {
    for (std::size_t i = 0; i < n_; ++i)
      if (const std::optional<Term> goes_on = last(i); !goes_on || !never(i, *goes_on)) return false;
    return true;
  }
  void limit_to(i64 limit) { limit_ = limit, number_ = m.domain_.pass_number(limit); }

  // A limit to the numbers of passes: the condition cannot hold after the last of them.
  bool find_limit() { return small_limit() || type_limit() || counts_to_equality(); }

  Term goes_on_beyond(std::size_t i, i64 limit) { return goes_on_at(i, SymbolicDomain::constant(64, u64(limit - 1))); }
  // The smallest, as far as larger ones do too; of the first or the last lane, as those between lie between.
  bool small_limit() {
    for (const std::size_t i : {std::size_t(0), n_ - 1}) {
      const auto ends = [&](i64 limit) { return never(i, goes_on_beyond(i, limit)); };
      i64 high = 1;
      while (high <= largest_limit && !ends(high)) high *= 8;
      if (high > largest_limit) return false;
      for (i64 low = high / 8; high - low > 1;) {
        const i64 middle = low + (high - low) / 2;
        (ends(middle) ? high : low) = middle;
      }
      if (ends_at([&](std::size_t k) { return goes_on_beyond(k, high); })) return limit_to(high), true;
    }
    return false;
  }
  // Where a counter fills its type: the last pass before it would wrap.
  bool type_limit() {
    for (const Changed& c : changed_)
      for (const u64 end : {mask(31), mask(32)})
        for (const u64 back : {1, 0, 2}) {
          u64 last_of_all = 0;
          const auto last = [&](std::size_t i) -> std::optional<Term> {
            if (!c.step[i] || !c.step[i]->concrete() || c.step[i]->bits == 0 || c.first[i].w != 32) return std::nullopt;
            const u64 step = u64(std::abs(sign_extend(c.step[i]->bits, 32)));
            const u64 from = c.first[i].concrete() ? c.first[i].bits : 0;
            if (from > end || (end - from) / step < back) return std::nullopt;
            const u64 number = (end - from) / step - back;
            last_of_all = std::max(last_of_all, number);
            return goes_on_at(i, SymbolicDomain::constant(64, number));
          };
          if (ends_at(last)) return limit_to(i64(last_of_all) + 1), true;
        }
    return false;
  }

  // A loop that ends where two values are the same, their difference a counter: the pass where it is zero exists.
  bool counts_to_equality() {
    for (const i64 limit : {i64(1) << 16, i64(1) << 24, i64(mask(31)), i64(mask(32))})
      if (counts_to_equality(limit)) return true;
    return false;
  }
  bool counts_to_equality(i64 limit) {
    last_.assign(n_, 0);
    limit_to(limit);
    return ends_at([&](std::size_t i) -> std::optional<Term> {
      const auto way = way_to_go(i);
      if (!way || !way->to_equality) return std::nullopt;
      last_[i] = way->last;
      // There, and within the limit, or the loop may go on.
      const Term number = wide(way->last);
      const Term late = no_more(store_.make(Op::ult, 1, 0, number, store_.constant(64, u64(limit))));
      return store_.make(Op::or_, 1, 0, goes_on_at(i, m.domain_.value(number)), late);
    });
  }

  // Where the condition compares two values whose difference is a counter: the pass after which the loop ends, if the
  // difference does not wrap before.
  struct Way {
    Term last = 0;
    bool to_equality = false;
  };
  std::optional<Way> way_to_go(std::size_t i) {
    const Node n = store_[unnumbered_[i]], r = n.op == Op::not_ ? store_[n.a] : n;
    const bool negated = n.op == Op::not_, equality = r.op == Op::eq;
    if (equality ? !negated : r.op != Op::ult && r.op != Op::slt) return std::nullopt;
    const unsigned w = store_.width(r.a);
    // x < y: y - x is left; not y < x: x - y, and one pass more.
    const Term left = negated && !equality ? minus(r.a, r.b) : minus(r.b, r.a);
    const auto at = [&](u64 number) { return counted(i, left, SymbolicDomain::constant(64, number)); };
    const Term first = at(0), moved = minus(at(1), first);
    if (!store_.is_constant(moved) || store_.constant_bits(moved) == 0) return std::nullopt;
    const i64 step = sign_extend(store_.constant_bits(moved), w);
    if (!equality && step > 0) return std::nullopt;
    if (equality && !is_linear(i, left, first, moved)) return std::nullopt;
    const Term by = store_.constant(w, u64(std::abs(step)));
    Term way = step < 0 ? first : store_.make(Op::neg, w, 0, first);
    if (!equality) way = store_.make(Op::add, w, 0, way, negated ? by : store_.constant(w, u64(std::abs(step)) - 1));
    return Way{store_.make(Op::udiv, w, 0, way, by), equality};
  }
  // Is `left` first + number * moved in every pass?
  bool is_linear(std::size_t i, Term left, Term first, Term moved) {
    const unsigned w = store_.width(left);
    const Term sum = store_.make(Op::add, w, 0, first, store_.make(Op::mul, w, 0, number_of(left), moved));
    return never(i, no_more(store_.make(Op::eq, 1, 0, counted(i, left, number_), sum)));
  }
  Term minus(Term x, Term y) {
    const unsigned w = store_.width(x);
    return store_.make(Op::add, w, 0, x, store_.make(Op::neg, w, 0, y));
  }
  Term wide(Term t) { return store_.width(t) < 64 ? store_.make(Op::zext, 64, 0, t) : t; }

  // Does a value behind the loop hang on the number of the last pass, and on no state?
  bool number_matters(const Pass& pass) {
    const Term number = number_leaf();
    const auto hangs = [&](const Value& v) {
      if (v.tag != term_tag) return moves(v);
      return !of_state(Term(v.bits)) &&
             find_in_cone(store_, Term(v.bits), has_launch, [&](Term x) { return x == number; }) != 0;
    };
    const std::vector<u32>& live = m.program_.steps[pass.exit].live;
    return std::any_of(live.begin(), live.end(), [&](u32 slot) {
      return written_in_loop(slot) && hangs(pass.left->get(slot, s.lanes[0], width(slot)));
    });
  }
  // The passes after which loops end, exactly: there it does not go on, and after each one before it does.
  void find_ends() {
    if (!last_.empty()) return;  // counted to equality by equal steps: it is not met earlier
    for (std::size_t i = 0; i < n_; ++i) {
      const auto way = way_to_go(i);
      if (!way || !never(i, goes_on_at(i, m.domain_.value(wide(way->last))))) return last_.clear();
      const Term before = store_.make(Op::ult, 1, 0, number_of(way->last), way->last);
      if (!never(i, conjunction(store_, before, no_more(goes_on_at(i, number_))))) return last_.clear();
      last_.push_back(way->last);
    }
  }

  Term number_leaf() const {
    const u32 symbol = m.domain_.forms[number_.tag].parts[0].symbol;
    return store_.leaf({LeafKind::launch, symbol, 0}, m.domain_.forms.symbols()[symbol].leaf_width());
  }
  Term at_first(std::size_t i, Term t) {
    const Term number = number_leaf();
    std::unordered_map<Term, Term> by{{number, store_.constant(store_.width(number), 0)}};
    for (const Changed& c : changed_)
      if (!c.step[i]) by[c.leaf[i]] = m.domain_.term(c.first[i]);
    return substitute(store_, t, by);
  }

  // A loop that is left after a pass, by a condition on its number alone, and whose first pass is certain: pass k is
  // made where pass k - 1 was followed by another. So it counts as one that is left before a pass is.
  void count_whole_passes() {
    for (const Term t : goes_on_)
      if (of_state(t)) return;
    const Value before = m.domain_.sub(number_, SymbolicDomain::constant(64, 1));
    const auto earlier = pass_from(numbered(before), Passing::for_values, {});
    if (!earlier) return;
    whole_passes_ = true;
    for (std::size_t i = 0; i < n_ && whole_passes_; ++i)
      whole_passes_ = never(i, no_more(at_first(i, earlier->goes_on[i])));
    if (whole_passes_) goes_on_ = earlier->goes_on;
  }
  // Is nothing of the state changed where the loop is left?
  bool leaves_at_the_top(const Pass& pass) {
    const std::vector<u32>& live = m.program_.steps[pass.exit].live;
    const auto before = numbered(number_);
    for (const Changed& c : changed_)
      for (std::size_t i = 0; i < n_ && std::find(live.begin(), live.end(), c.slot) != live.end(); ++i)
        if (!pass.left->get(c.slot, s.lanes[i], width(c.slot)).same(before->get(c.slot, s.lanes[i], width(c.slot))))
          return false;
    return true;
  }

  // The number of a pass, as wide as the term.
  Term number_of(Term like) {
    const Value& v = number_;
    return m.domain_.term(m.domain_.extract(v, 0, store_.width(like)));
  }
  // Accesses of any pass, where it is made.
  bool find_faults(std::vector<Fault>& faults) {
    std::vector<Term> made;
    for (std::size_t i = 0; i < n_; ++i) {
      made.push_back(whole_passes_ ? conjunction(store_, s.condition(i), goes_on_[i]) : s.condition(i));
      if (!last_.empty())
        made.back() =
            conjunction(store_, made.back(), no_more(store_.make(Op::ult, 1, 0, last_[i], number_of(last_[i]))));
    }
    const auto pass = pass_from(numbered(number_), Passing::for_faults, std::move(made));
    if (!pass) return false;
    faults = pass->faults;
    for (Fault& f : faults) f.of_any_pass = true;
    return true;
  }

  // What the lane's loop is as a function.
  std::optional<Recurrence> recurrence(const Pass& pass, std::size_t i) {
    Recurrence out;
    out.goes_on = goes_on_[i], out.pass = number_leaf();
    bool closed = is_closed(out.goes_on);
    for (const Changed& c : changed_) {
      if (c.step[i]) continue;
      out.state.push_back(c.leaf[i]);
      out.next.push_back(m.domain_.term(pass.next->get(c.slot, s.lanes[i], width(c.slot))));
      out.first.push_back(m.domain_.term(c.first[i]));
      closed = closed && is_closed(out.next.back()) && is_closed(out.first.back());
    }
    return closed ? std::optional(out) : std::nullopt;
  }
  bool is_closed(Term t) const { return !(store_[t].flags & (has_undefined | has_address)) && !fresh_at_each_read(t); }
  Term noted(std::size_t i, Term application) {
    entries_.emplace_back(store_[application].c, s.condition(i));
    return application;
  }
  bool moves(const Value& v) const {
    if (v.tag == term_tag) return true;
    if (!is_form(v.tag)) return false;
    const auto& parts = m.domain_.forms[v.tag].parts;
    return std::any_of(parts.begin(), parts.end(),
                       [&](const FormPart& p) { return m.domain_.counts_passes(p.symbol); });
  }
  // The number of the pass in which the lane leaves the loop.
  Term ending(std::size_t i, unsigned w) {
    const unsigned from = store_.width(last_[i]);
    return from == w ? last_[i] : store_.make(from < w ? Op::zext : Op::extract, w, 0, last_[i]);
  }
  // A value where the loop is left, which is over the state and the number of the pass in which that is.
  Value behind_loop(const Recurrence& loop, std::size_t i, const Value& v) {
    if (!moves(v)) return v;
    const Term t = m.domain_.term(v);
    return m.domain_.value(whole_passes_ ? after_whole_passes(loop, i, t) : before_a_pass(loop, i, t));
  }
  Term after_whole_passes(Recurrence loop, std::size_t i, Term t) {
    const unsigned w = store_.width(loop.pass);
    if (!of_state(t)) {
      const auto one_less = [&](Term made) { return store_.make(Op::add, w, 0, made, store_.constant(w, mask(w))); };
      const Term last = !last_.empty() ? ending(i, w) : one_less(noted(i, passes_made(store_, loop)));
      return substitute(store_, t, {{loop.pass, last}});
    }
    const std::size_t k = std::size_t(std::find(loop.next.begin(), loop.next.end(), t) - loop.next.begin());
    if (k == loop.next.size()) {  // one more component, which the others do not need
      const unsigned width = store_.width(t);
      loop.state.push_back(Term(m.domain_.fresh(LeafKind::loop, width).bits));
      loop.next.push_back(t), loop.first.push_back(store_.constant(width, 0));
    }
    return noted(i, state_after(store_, loop, k));
  }
  // Where no pass is made, the first state is left.
  Term before_a_pass(const Recurrence& loop, std::size_t i, Term t) {
    const unsigned w = store_.width(loop.pass);
    const Term any = at_first(i, loop.goes_on);
    const auto unless_none = [&](Term some, Term none) {
      return store_.make(Op::ite, store_.width(some), 0, any, some, none);
    };
    const Term number =
        !last_.empty() ? ending(i, w) : unless_none(noted(i, passes_made(store_, loop)), store_.constant(w, 0));
    std::unordered_map<Term, Term> by{{loop.pass, number}};
    for (std::size_t k = 0; k < loop.state.size(); ++k)
      by[loop.state[k]] = unless_none(noted(i, state_after(store_, loop, k)), loop.first[k]);
    return substitute(store_, t, by);
  }
  // The strand goes on behind the loop.
  bool leave(const Pass& pass) {
    std::vector<std::pair<u32, std::vector<Value>>> values;
    for (const u32 slot : m.program_.steps[pass.exit].live)
      if (written_in_loop(slot)) values.emplace_back(slot, std::vector<Value>());
    for (std::size_t i = 0; i < n_; ++i) {
      const auto loop = recurrence(pass, i);
      if (!loop) return false;
      for (auto& [slot, of] : values) {
        const Value v = pass.left->get(slot, s.lanes[i], width(slot));
        if (v.tag == term_tag && fresh_at_each_read(Term(v.bits))) return false;
        of.push_back(behind_loop(*loop, i, v));
      }
    }
    m.domain_.cut.reset();  // of the number of a pass
    for (const auto& [slot, of] : values)
      for (std::size_t i = 0; i < n_; ++i) s.registers->set(slot, s.lanes[i], of[i]);
    for (const auto& [tag, condition] : entries_) m.state_.loops[tag].insert(condition);
    s.pc = pass.exit, s.forked = false;
    return true;
  }

  Machine& m;
  Strand& s;
  const u32 head_;
  TermStore& store_;
  const std::size_t n_;  // lanes
  std::vector<bool> body_;
  std::vector<Changed> changed_;
  std::vector<Term> unnumbered_;  // by position: the condition to go on, counters being leaves
  std::vector<Term> goes_on_;     // the same over the number of a pass: is it made?
  bool whole_passes_ = false;     // the loop is left after a pass
  std::vector<Term> last_;        // by position: the pass in which the loop is left, where that is known of all
  i64 limit_ = 0;                 // numbers of passes are below it
  Value number_;                  // of a pass
  std::vector<std::pair<u32, Term>> entries_;  // functions used, and the lane's condition
};

bool Machine::summarised_by_scalars(Strand& s, u32 head) {
  if (s.activity.empty() || !s.forked || refused_.contains(head)) return false;
  if (Summary(*this, s, head).run()) return true;
  refused_.insert(head);
  return false;
}

}  // namespace ptxeq::sym
