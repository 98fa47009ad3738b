// The strongest bounds are asked about first: a proof under them says that some do, and how long a proof takes. What
// they ask for beyond need is then taken back piece by piece, the weakest first.
#include "checker/precondition.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace ptxeq::check {
namespace {

using i64 = std::int64_t;

// An unsigned index of 32 bits wraps beyond the first, a signed one beyond the second; index plus step of a loop over
// the whole launch beyond the third, where scalars keep to it too.
constexpr i64 most_threads_tried[] = {(i64(1) << 32) - 1, (i64(1) << 31) - 1, i64(1) << 30};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Expression scalar_expression(std::uint32_t scalar) {
  Expression e;
  ExpressionNode& node = e.nodes.emplace_back();
  node.kind = ExpressionNode::Kind::scalar, node.scalar = scalar;
  return e;
}

// The range of the scalar where it has to lie between zero and `most` too; nothing where that says nothing new, or
// leaves no value.
std::optional<std::array<i64, 2>> narrowed(const Scalar& s, i64 most) {
  std::array<i64, 2> range{0, most};
  if (s.range) range = {std::max<i64>((*s.range)[0], 0), std::min((*s.range)[1], most)};
  if (range[0] > range[1] || range == s.range) return std::nullopt;
  return range;
}

// As large as buffers of fixed size leave room for, one element a thread, or so that the others keep to `most`
// elements.
i64 largest_scalar(const Problem& problem, i64 most) {
  i64 out = most;
  for (const Buffer& b : problem.buffers) {
    if (b.count) out = std::min(out, i64(std::min<std::uint64_t>(*b.count, std::uint64_t(most))));
    const auto fits = [&](i64 scalars) {
      const auto count = evaluate(*b.count_of, [&](std::uint32_t) { return std::optional(scalars); });
      return count && *count <= most;
    };
    while (b.count_of && out > 1 && !fits(out)) out /= 2;
  }
  return out;
}

}  // namespace

Preconditions::Preconditions(const Problem& problem, Holds holds) : problem_(problem), holds_(std::move(holds)) {
  const auto may_do = [&](const Expression& e) {
    std::erase(least_, e);
    least_.push_back(e);
  };
  for (const ProblemSide* side : {&problem.a, &problem.ref})
    for (const std::uint32_t scalar : free_integers(problem, *side)) may_do(scalar_expression(scalar));
  for (const bool in : {true, false})
    for (const Buffer& b : problem.buffers) {
      if ((b.role == Role::in) != in) continue;
      if (b.count_of)
        may_do(*b.count_of);
      else if (b.count)
        may_do(constant_expression(i64(*b.count)));
    }
  scalars_ = {most_threads_tried[1], most_threads_tried[2]};
  if (const i64 most = largest_scalar(problem, scalars_.back()); most < scalars_.back()) scalars_.push_back(most);
}

// As a text what that changes.
std::string Preconditions::add(const Wish& wish, Problem& problem) const {
  std::string text;
  const auto say = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  std::set<std::uint32_t> scalars;
  for (ProblemSide* side : {&problem.a, &problem.ref}) {
    const bool is_a = side == &problem.a;
    const char* name = is_a ? "a" : "ref";
    scalars.merge(free_integers(problem, *side));
    for (Launch& l : side->launches) {
      if (!l.open) continue;
      auto &most = l.open->max_threads, &least = l.open->min_threads;
      const auto number = most ? evaluate(*most) : std::nullopt;
      if (wish.threads && (!most || (number && *number > *wish.threads))) {
        most = constant_expression(*wish.threads);
        say(fmt::format("{}'s max_threads = \"{}\"", name, *wish.threads));
      }
      const auto& wanted = wish.least[is_a ? 0 : 1];
      if (wanted && (!least || evaluate(*least)) && least != wanted) {  // else the spec says more
        least = wanted;
        say(fmt::format("{}'s min_threads = \"{}\"", name, to_text(problem, *wanted)));
      }
    }
  }
  for (const std::uint32_t i : scalars) {
    Scalar& s = problem.scalars[i];
    const auto range = wish.scalars ? narrowed(s, *wish.scalars) : std::nullopt;
    if (!range) continue;
    s.range = range;
    say(fmt::format("{}'s range = [{}, {}]", s.name, (*range)[0], (*range)[1]));
  }
  return text;
}

bool Preconditions::proved(const Wish& wish, double seconds) {
  Problem problem = problem_;
  const std::string text = add(wish, problem);
  if (text.empty() || failed_.contains(text) || seconds <= 0) return false;
  if (holds_(problem, seconds)) return true;
  failed_.insert(text);
  return false;
}

std::optional<double> Preconditions::hold(double seconds) {
  end_ = now() + seconds;
  Wish wish;
  wish.threads = *std::rbegin(most_threads_tried);
  for (const auto& scalars : {std::optional<i64>(), std::optional(scalars_.back())})
    for (std::size_t k = std::max<std::size_t>(least_.size(), 1); k-- > 0 && !found_;) {
      if (k < least_.size()) wish.least = {least_[k], least_[k]};
      wish.scalars = scalars;
      const double start = now();
      if (proved(wish, end_ - start)) found_ = wish, took_ = now() - start;
    }
  return found_ ? std::optional(took_) : std::nullopt;
}

// Keeps the change where it is still proved.
template <class Change>
bool Preconditions::try_less(Change change) {
  Wish less = *found_;
  change(less);
  Problem problem = problem_, known = problem_;
  const std::string text = add(less, problem);
  const bool same = text == add(*found_, known);
  if (!same && !proved(less, std::min(end_ - now(), 4 * took_ + 0.3))) return false;
  found_ = std::move(less);
  return true;
}

std::string Preconditions::needed(double seconds) {
  if (!found_ && !hold(seconds)) return "";
  end_ = now() + seconds;
  if (!try_less([](Wish& w) { w.scalars.reset(); }))
    for (const i64 most : scalars_)
      if (try_less([&](Wish& w) { w.scalars = most; })) break;
  if (!try_less([](Wish& w) { w.threads.reset(); }))
    for (const i64 most : most_threads_tried)
      if (try_less([&](Wish& w) { w.threads = most; })) break;
  for (unsigned side = 0; side < 2; ++side) try_less([&](Wish& w) { w.least[side].reset(); });
  for (const Expression& e : least_)
    if (try_less([&](Wish& w) {
          for (auto& least : w.least)
            if (least) least = e;
        }))
      break;
  Problem problem = problem_;
  return add(*found_, problem);
}

}  // namespace ptxeq::check
