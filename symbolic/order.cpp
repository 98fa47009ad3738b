#include "symbolic/order.h"

#include <algorithm>

namespace ptxeq::sym {
namespace {

struct Graph {
  std::vector<u32> begin;                    // first step of each basic block
  std::vector<std::vector<u32>> successors;  // by block
  u32 end(u32 block, u32 steps) const { return block + 1 < begin.size() ? begin[block + 1] : steps; }
};

bool ends_block(const Step& s) {
  return s.kind == StepKind::jump || s.kind == StepKind::jump_indexed || s.kind == StepKind::exit ||
         s.kind == StepKind::trap;
}
bool falls_through(const Step& s) { return !ends_block(s) || s.guard != no_slot; }

Graph basic_blocks(Program& p) {
  const u32 n = u32(p.steps.size());
  std::vector<bool> head(n + 1, false);
  if (n) head[0] = true;
  for (u32 i = 0; i < n; ++i) {
    for (const u32 t : p.steps[i].targets) head[t] = true;
    if (ends_block(p.steps[i])) head[i + 1] = true;
  }
  Graph g;
  std::vector<u32> block_of(n);
  for (u32 i = 0; i < n; ++i) {
    if (head[i]) g.begin.push_back(i);
    block_of[i] = u32(g.begin.size() - 1);
    p.steps[i].head = head[i];
  }
  g.successors.resize(g.begin.size());
  for (u32 b = 0; b < g.begin.size(); ++b) {
    const Step& last = p.steps[g.end(b, n) - 1];
    if (falls_through(last) && g.end(b, n) < n) g.successors[b].push_back(b + 1);
    for (const u32 t : last.targets) g.successors[b].push_back(block_of[t]);
  }
  return g;
}

// Bourdoncle's recursive strategy; appends blocks in reverse of the order wanted.
class WeakOrder {
 public:
  explicit WeakOrder(const Graph& graph) : g(graph), number_(graph.begin.size(), 0) {}
  std::vector<u32> run() {
    for (u32 b = 0; b < number_.size(); ++b)
      if (number_[b] == 0) visit(b, reversed_);
    std::reverse(reversed_.begin(), reversed_.end());
    return reversed_;
  }

 private:
  static constexpr u32 done = ~u32(0);
  u32 visit(u32 v, std::vector<u32>& out) {
    stack_.push_back(v);
    u32 head = number_[v] = ++count_;
    bool loop = false;
    for (const u32 w : g.successors[v]) {
      const u32 low = number_[w] == 0 ? visit(w, out) : number_[w];
      if (low <= head) head = low, loop = true;
    }
    if (head == number_[v]) {
      number_[v] = done;
      u32 w = pop();
      if (loop) {
        for (; w != v; w = pop()) number_[w] = 0;
        component(v, out);
      } else {
        out.push_back(v);
      }
    }
    return head;
  }
  void component(u32 v, std::vector<u32>& out) {
    std::vector<u32> inner;
    for (const u32 w : g.successors[v])
      if (number_[w] == 0) visit(w, inner);
    out.insert(out.end(), inner.begin(), inner.end());
    out.push_back(v);
  }
  u32 pop() {
    const u32 v = stack_.back();
    stack_.pop_back();
    return v;
  }
  const Graph& g;
  std::vector<u32> number_, stack_, reversed_;
  u32 count_ = 0;
};

using SlotSet = std::vector<bool>;

void live_before(const Step& s, SlotSet& live) {
  if (s.guard == no_slot)  // a guarded step may leave the old value
    for (const Input& o : s.out)
      if (o.slot != no_slot) live[o.slot] = false;
  const auto use = [&](u32 slot) {
    if (slot != no_slot) live[slot] = true;
  };
  for (const Input& i : s.in) use(i.slot);
  for (const Input* i : {&s.barrier.id, &s.barrier.count, &s.barrier.predicate}) use(i->slot);
  use(s.access.base);
  use(s.guard);
}

void liveness(Program& p, const Graph& g, const std::vector<u32>& ordered) {
  const u32 n = u32(p.steps.size());
  std::vector<SlotSet> live(g.begin.size(), SlotSet(p.slots.size(), false));
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = ordered.rbegin(); at != ordered.rend(); ++at) {
      SlotSet now(p.slots.size(), false);
      for (const u32 next : g.successors[*at])
        for (std::size_t s = 0; s < now.size(); ++s)
          if (live[next][s]) now[s] = true;
      for (u32 i = g.end(*at, n); i-- > g.begin[*at];) live_before(p.steps[i], now);
      if (now != live[*at]) live[*at] = now, changed = true;
    }
  }
  for (u32 b = 0; b < g.begin.size(); ++b)
    for (u32 s = 0; s < p.slots.size(); ++s)
      if (live[b][s] && p.slots[s].init.kind == SlotInit::Kind::undefined) p.steps[g.begin[b]].live.push_back(s);
}

}  // namespace

void order(Program& program) {
  const Graph g = basic_blocks(program);
  const std::vector<u32> ordered = WeakOrder(g).run();
  u32 rank = 0;
  for (const u32 b : ordered)
    for (u32 i = g.begin[b]; i < g.end(b, u32(program.steps.size())); ++i) program.steps[i].rank = rank++;
  liveness(program, g, ordered);
}

}  // namespace ptxeq::sym
