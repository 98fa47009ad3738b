#include "symbolic/loop.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxeq::sym {
namespace {

constexpr u32 bound = 1;  // Leaf::object of a bound leaf

// The components that number k hangs on, itself first, then as they are met.
std::vector<std::size_t> closure(const TermStore& store, const Recurrence& loop, std::size_t k) {
  std::vector<bool> seen(loop.state.size(), false);
  std::vector<std::size_t> out{k};
  seen[k] = true;
  for (std::size_t i = 0; i < out.size(); ++i)
    find_in_cone(store, loop.next[out[i]], 0, [&](Term x) {
      const auto at = std::find(loop.state.begin(), loop.state.end(), x);
      const std::size_t met = std::size_t(at - loop.state.begin());
      if (at != loop.state.end() && !seen[met]) seen[met] = true, out.push_back(met);
      return false;
    });
  return out;
}

// The function's application to the first state: a list, for there is no end to how many arguments there are.
Term application(TermStore& store, unsigned width, u32 tag, const std::vector<Term>& arguments) {
  const u32 pair = store.tag("pair", false);
  Term list = store.constant(1, 0);
  for (auto at = arguments.rbegin(); at != arguments.rend(); ++at)
    list = store.make(Op::approx, 64, 0, *at, list, pair);
  return store.make(Op::approx, width, 0, list, 0, tag);
}

Term value_of(TermStore& store, const Recurrence& loop, unsigned width, const std::vector<std::size_t>& components) {
  std::unordered_map<Term, Term> names;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const Term leaf = loop.state[components[i]];
    names[leaf] = bound_state(store, i, store.width(leaf));
  }
  LoopFunction f{loop.pass, loop.goes_on, {}};
  std::vector<Term> first;
  for (const std::size_t k : components) {
    f.next.push_back(substitute(store, loop.next[k], names));
    first.push_back(loop.first[k]);
  }
  return application(store, width, loop_tag(store, f), first);
}

}  // namespace

Term state_after(TermStore& store, const Recurrence& loop, std::size_t k) {
  return value_of(store, loop, store.width(loop.state[k]), closure(store, loop, k));
}

Term passes_made(TermStore& store, const Recurrence& loop) { return value_of(store, loop, store.width(loop.pass), {}); }

std::optional<LoopFunction> loop_function(const TermStore& store, u32 tag) {
  const std::vector<Term>& body = store.tag_body(tag);
  if (body.empty()) return std::nullopt;
  return LoopFunction{body[0], body[1], {body.begin() + 2, body.end()}};
}

u32 loop_tag(TermStore& store, const LoopFunction& f) {
  std::vector<Term> body{f.pass, f.goes_on};
  body.insert(body.end(), f.next.begin(), f.next.end());
  return store.tag(fmt::format("loop {}", fmt::join(body, " ")), false, body);
}

Term bound_state(TermStore& store, std::size_t k, unsigned width) {
  return store.leaf({LeafKind::loop, bound, k}, width);
}

}  // namespace ptxeq::sym
