#include "checker/loop_relation.h"

#include <algorithm>

namespace ptxeq::check {
namespace {

using sym::LoopFunction;
using sym::Op;
using sym::Term;
using sym::u32;

constexpr unsigned most_rounds = 4;  // loops whose bodies hold what earlier loops left

class Relation {
 public:
  Relation(sym::TermStore& store, const std::map<u32, std::set<Term>>& entries, const LeafDomains& domains,
           const DischargeOptions& options)
      : store_(store), entries_(entries), domains_(domains), options_(options) {}

  // The term with the reference's functions replaced, in the bodies of others too.
  Term renamed(Term t) {
    std::vector<Term> stack{t};
    while (!stack.empty()) {
      const Term x = stack.back();
      const sym::Node n = store_[x];
      std::vector<Term> parts;
      for (const Term o : sym::operands(n))
        if (o) parts.push_back(o);
      if (n.op == Op::approx) parts.insert(parts.end(), store_.tag_body(n.c).begin(), store_.tag_body(n.c).end());
      std::erase_if(parts, [&](Term o) { return done_.contains(o); });
      if (done_.contains(x)) parts.clear();
      if (!parts.empty()) {
        stack.insert(stack.end(), parts.begin(), parts.end());
        continue;
      }
      stack.pop_back();
      if (!done_.contains(x)) done_[x] = rebuilt(x, n);
    }
    return done_[t];
  }

  // Functions of a and of ref alone, the inner ones first, that may be the same.
  void propose(const Obligation& o) {
    const std::vector<u32> of_a = functions(o.a), of_ref = functions(o.ref);
    std::vector<u32> a, ref;
    const auto alone = [](const std::vector<u32>& xs, const std::vector<u32>& ys, std::vector<u32>& to) {
      for (const u32 x : xs)
        if (std::find(ys.begin(), ys.end(), x) == ys.end()) to.push_back(x);
    };
    alone(of_a, of_ref, a), alone(of_ref, of_a, ref);
    for (std::size_t k = 0; k < std::min(a.size(), ref.size()); ++k)
      if (alike(a[k], ref[k]) && tried_.insert({a[k], ref[k]}).second) proposed_.emplace_back(a[k], ref[k]);
  }

  // Decides what was proposed; true where something new is the same.
  bool decide(Evidence& evidence, bool& unfused) {
    bool some = false;
    for (const auto& [a, ref] : proposed_) {
      std::vector<Obligation> obligations;
      oblige(a, ref, obligations);
      const std::vector<Decision> decisions = discharge(store_, obligations, domains_, options_, evidence);
      if (!std::ranges::all_of(decisions, [](const Decision& d) { return d.outcome == Outcome::proved; })) continue;
      unfused |= std::ranges::any_of(decisions, &Decision::assumed_unfused);
      same_[ref] = a, some = true;
    }
    proposed_.clear(), done_.clear();
    return some;
  }

 private:
  Term both(Term x, Term y) { return conjunction(store_, x, y); }
  Term no(Term x) { return store_.make(Op::not_, 1, 0, x); }

  Term rebuilt(Term x, const sym::Node& n) {
    const auto [a, b, c] = sym::operands(n);
    if (!a) return x;
    u32 last = c ? done_[c] : n.c;
    if (n.op == Op::approx)
      if (const auto f = sym::loop_function(store_, n.c)) {
        LoopFunction now{done_[f->pass], done_[f->goes_on], {}};
        for (const Term t : f->next) now.next.push_back(done_[t]);
        last = sym::loop_tag(store_, now);
        if (last != n.c) came_from_[last].insert(n.c);
        if (const auto at = same_.find(last); at != same_.end()) last = at->second;
      }
    return store_.make(n.op, n.width, n.attr, done_[a], b ? done_[b] : n.b, last);
  }

  std::vector<u32> functions(Term t) const {
    std::vector<u32> out;
    sym::find_in_cone(store_, t, sym::has_approx, [&](Term x) {
      const sym::Node& n = store_[x];
      if (n.op == Op::approx && sym::loop_function(store_, n.c)) {
        std::erase(out, n.c);
        out.push_back(n.c);  // an inner one comes later
      }
      return false;
    });
    std::reverse(out.begin(), out.end());
    return out;
  }
  bool alike(u32 a, u32 ref) const {
    const auto f = sym::loop_function(store_, a), g = sym::loop_function(store_, ref);
    if (f->next.size() != g->next.size() || (f->next.empty() && store_.width(f->pass) != store_.width(g->pass)))
      return false;
    for (std::size_t k = 0; k < f->next.size(); ++k)
      if (store_.width(f->next[k]) != store_.width(g->next[k])) return false;
    return true;
  }

  // The condition under which the reference's loop is come to: its own, and those of what was renamed into it.
  Term entry(u32 ref) const {
    std::vector<u32> open{ref};
    std::set<u32> seen{ref};
    Term any = 0;
    bool some = false;
    while (!open.empty()) {
      const u32 tag = open.back();
      open.pop_back();
      if (const auto from = came_from_.find(tag); from != came_from_.end())
        for (const u32 origin : from->second)
          if (seen.insert(origin).second) open.push_back(origin);
      const auto conditions = entries_.find(tag);
      if (conditions == entries_.end()) continue;
      for (const Term c : conditions->second) {
        if (c == 0) return 0;
        any = some ? store_.make(Op::or_, 1, 0, any, c) : c;
        some = true;
      }
    }
    return any;
  }

  sym::u64 limit(Term pass) const { return sym::u64((*domains_(store_.leaf_of(pass)).integers)[1]); }
  // t of the function at the pass with this number.
  Term at(const LoopFunction& f, Term t, Term number) {
    const unsigned w = store_.width(f.pass), from = store_.width(number);
    if (w > from) number = store_.make(Op::zext, w, 0, number);
    if (w < from) number = store_.make(Op::extract, w, 0, number, 0);
    return sym::substitute(store_, t, {{f.pass, number}});
  }

  // Pass by pass: where both have come to a pass, both make it or neither does, and they leave the same state. Of two
  // numbers of a pass the one with the lower limit stands for both: beyond it that loop has ended, and so has the
  // other.
  void oblige(u32 a, u32 ref, std::vector<Obligation>& out) {
    const LoopFunction f = *sym::loop_function(store_, a), g = *sym::loop_function(store_, ref);
    const Term number = limit(f.pass) <= limit(g.pass) ? f.pass : g.pass;
    const unsigned w = store_.width(number);
    const Term none = store_.constant(w, 0),
               before = store_.make(Op::add, w, 0, number, store_.constant(w, sym::mask(w)));
    const Term made_before = both(at(f, f.goes_on, before), at(g, g.goes_on, before));
    const Term made_a = at(f, f.goes_on, number), made_ref = at(g, g.goes_on, number);
    out.push_back({at(f, f.goes_on, none), at(g, g.goes_on, none), entry(ref)});
    if (limit(f.pass) < limit(g.pass))  // a's limit was proved where a comes to its loop
      out.push_back({at(f, f.goes_on, store_.constant(w, limit(f.pass))), store_.constant(1, 0), entry(ref)});
    out.push_back({made_a, made_ref, both(no(store_.make(Op::eq, 1, 0, number, none)), made_before)});
    for (std::size_t k = 0; k < f.next.size(); ++k) {
      Obligation o{at(f, f.next[k], number), at(g, g.next[k], number), both(made_a, made_ref)};
      o.ref = with_places_of(o);
      out.push_back(o);
    }
  }

  // Functions of one place: the initial contents of objects. In order of appearance.
  std::vector<Term> reads(Term t) const {
    std::vector<Term> out;
    sym::find_in_cone(store_, t, sym::has_approx, [&](Term x) {
      if (store_[x].op == Op::approx && !sym::loop_function(store_, store_[x].c) && !store_[x].b) out.push_back(x);
      return false;
    });
    return out;
  }
  // The reference's term with its reads taken for those of a whose places are the same numbers.
  Term with_places_of(const Obligation& o) {
    const std::vector<Term> of_a = reads(o.a), of_ref = reads(o.ref);
    std::unordered_map<Term, Term> same;
    DischargeOptions quick = options_;
    quick.deadline = std::min(quick.deadline, std::chrono::steady_clock::now() + std::chrono::milliseconds(100));
    for (const Term r : of_ref)
      for (const Term a : of_a) {
        const sym::Node x = store_[a], y = store_[r];
        if (a == r || x.c != y.c || x.width != y.width || store_.width(x.a) != store_.width(y.a)) continue;
        Evidence ignored;
        const Decision d = discharge(store_, {{x.a, y.a, o.condition}}, domains_, quick, ignored).front();
        if (d.outcome == Outcome::proved && !d.assumed_unfused) {
          same[r] = a;
          break;
        }
      }
    return same.empty() ? o.ref : sym::substitute(store_, o.ref, same);
  }

  sym::TermStore& store_;
  const std::map<u32, std::set<Term>>& entries_;
  const LeafDomains& domains_;
  const DischargeOptions options_;
  std::map<u32, u32> same_;                 // the reference's function: a's
  std::map<u32, std::set<u32>> came_from_;  // what it was before its body was renamed
  std::set<std::pair<u32, u32>> tried_;
  std::vector<std::pair<u32, u32>> proposed_;
  std::unordered_map<Term, Term> done_;
};

}  // namespace

void relate_loops(sym::TermStore& store, std::vector<Obligation>& obligations,
                  const std::map<u32, std::set<Term>>& entries, const LeafDomains& domains,
                  const DischargeOptions& options, Evidence& evidence, bool& unfused) {
  Relation relation(store, entries, domains, options);
  for (unsigned round = 0; round < most_rounds; ++round) {
    for (const Obligation& o : obligations) relation.propose(o);
    if (!relation.decide(evidence, unfused)) break;
    for (Obligation& o : obligations) o.ref = relation.renamed(o.ref);
  }
}

}  // namespace ptxeq::check
