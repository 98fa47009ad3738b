#include "checker/witness_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "checker/spec.h"
#include "checker/values.h"

namespace ptxeq::check {
namespace {

using i64 = std::int64_t;

constexpr i64 most_in_row = most_blocks[0];  // blocks

struct Choice {
  std::map<std::uint32_t, i64> scalars;
  std::array<i64, 2> threads{};  // wished for, of a and ref
};

void add_scalars(const std::optional<Expression>& e, std::set<std::uint32_t>& out) {
  if (!e) return;
  for (const ExpressionNode& n : e->nodes)
    if (n.kind == ExpressionNode::Kind::scalar) out.insert(n.scalar);
}

// The scalars that sizes and launches depend on.
std::set<std::uint32_t> open_scalars(const Problem& problem) {
  std::set<std::uint32_t> out;
  for (const Buffer& b : problem.buffers) add_scalars(b.count_of, out);
  for (const ProblemSide* side : {&problem.a, &problem.ref})
    for (const Launch& l : side->launches)
      if (l.open) add_scalars(l.open->min_threads, out), add_scalars(l.open->max_threads, out);
  return out;
}

i64 as_integer(const Scalar& s, std::uint64_t bits) {
  const unsigned width = unsigned(s.size) * 8;
  return ir::is_signed(s.type) ? i64(sym::sign_extend(bits, width)) : i64(bits & sym::mask(width));
}

std::uint64_t bits_of(const Scalar& s) {  // of one that has a value
  std::uint64_t bits = 0;
  for (std::size_t b = 0; b < s.size && b < 8; ++b) bits |= std::uint64_t((*s.value)[b]) << (8 * b);
  return bits;
}

bool allowed(const Scalar& s, i64 v) {
  if (s.range && (v < (*s.range)[0] || v > (*s.range)[1])) return false;
  if (s.multiple_of > 1 && v % i64(s.multiple_of) != 0) return false;
  return as_integer(s, std::uint64_t(v)) == v;
}

// A launch of as many threads as wished for, or as the bounds allow.
bool fix_launch(Launch& l, const ScalarValue& value, i64 wished) {
  if (!l.open) return true;
  const OpenLaunch open = *l.open;
  i64 low = 1, high = most_in_row * i64(most_block_threads);
  for (const auto& [bound, to] : {std::pair{&open.min_threads, &low}, std::pair{&open.max_threads, &high}}) {
    if (!*bound) continue;
    const auto v = evaluate(**bound, value);
    if (!v) return false;
    *to = to == &low ? std::max(low, *v) : std::min(high, *v);
  }
  if (low > high) return false;
  i64 n = std::clamp(wished, low, high);
  i64 block = l.block[0];
  if (open.any_block && open.any_grid) {
    const i64 largest = i64(std::bit_floor(most_threads(*l.kernel)));
    i64 usual = std::min<i64>(256, largest);
    while (usual < largest && n / usual > most_in_row) usual *= 2;
    if (n > most_in_row) n = n / usual * usual + (n / usual * usual < low ? usual : 0);
    for (block = usual; n % block != 0;) block /= 2;
  } else if (open.any_block) {
    block = (n + l.grid[0] - 1) / l.grid[0];
    if (block > i64(most_block_threads)) return false;
  }
  const i64 blocks = open.any_grid ? (n + block - 1) / block : i64(l.grid[0]);
  n = blocks * block;
  if (n < low || n > high || blocks > most_in_row) return false;
  l.grid = {std::uint32_t(blocks), 1, 1}, l.block = {std::uint32_t(block), 1, 1};
  l.open.reset();
  return launch_error(*l.kernel, l.grid, l.block).empty();
}

std::optional<Problem> fixed(const Problem& problem, const Choice& choice) {
  Problem out = problem;
  for (const auto& [index, v] : choice.scalars) {
    Scalar& s = out.scalars[index];
    if (!allowed(s, v)) return std::nullopt;
    s.value.emplace(s.size);
    for (std::size_t b = 0; b < s.size && b < 8; ++b) (*s.value)[b] = std::uint8_t(std::uint64_t(v) >> (8 * b));
    s.range.reset(), s.multiple_of = 1;
  }
  const ScalarValue value = [&](std::uint32_t scalar) -> std::optional<i64> {
    const auto at = choice.scalars.find(scalar);
    return at == choice.scalars.end() ? std::nullopt : std::optional(at->second);
  };
  for (Buffer& b : out.buffers) {
    if (!b.count_of) continue;
    const auto count = evaluate(*b.count_of, value);
    if (!count || *count < 0 || *count > most_buffer_bytes / ((ir::bits(b.type) + 7) / 8)) return std::nullopt;
    b.count = std::uint64_t(*count);
    b.count_of.reset();
  }
  for (ProblemSide* side : {&out.a, &out.ref})
    for (Launch& l : side->launches)
      if (!fix_launch(l, value, choice.threads[side == &out.a ? 0 : 1])) return std::nullopt;
  return out;
}

// Those, and all others that loops may go by.
std::set<std::uint32_t> all_integers(const Problem& problem) {
  std::set<std::uint32_t> out = open_scalars(problem);
  for (const ProblemSide* side : {&problem.a, &problem.ref}) out.merge(free_integers(problem, *side));
  return out;
}

// Sizes with an element, or more, beyond a fixed block, in the second and third pass of loops over steps of a fixed
// launch, and small ones.
std::set<i64> sizes(const Problem& problem) {
  std::set<i64> out{1, 2, 5, 33, 300};
  for (const ProblemSide* side : {&problem.a, &problem.ref})
    for (const Launch& l : side->launches) {
      const i64 threads = i64(l.grid[0]) * i64(l.block[0]);
      if (!l.open) out.insert({threads + 1, 2 * threads + 2});
      if (l.open && !l.open->any_block) out.insert(i64(l.block[0]) + 1);
    }
  return out;
}

// What the model says of scalars and launches.
Choice of_model(const Problem& problem, const std::set<std::uint32_t>& scalars, const InputModel& input,
                const std::array<i64, 2>& threads) {
  Choice c;
  c.threads = threads;
  for (const std::uint32_t i : scalars) {
    const auto at = input.scalars.find({i, 0});
    const Scalar& s = problem.scalars[i];
    c.scalars[i] = at != input.scalars.end() ? as_integer(s, at->second)
                   : s.range                 ? std::max<i64>((*s.range)[0], 1)
                                             : 1;
  }
  return c;
}

}  // namespace

std::vector<Problem> witnesses(const Problem& problem, const GridResult& grid) {
  constexpr i64 half = i64(1) << 31;  // as many indices of 32 bits are not negative
  const std::set<std::uint32_t> scalars = all_integers(problem), few = open_scalars(problem);
  std::vector<Problem> out;
  std::set<std::string> known;
  const auto add = [&](const Choice& c) {
    auto p = fixed(problem, c);
    if (p && known.insert(launch_text(problem, *p)).second) out.push_back(std::move(*p));
  };
  const auto add_size = [&](const auto& chosen, i64 n, std::initializer_list<std::array<i64, 2>> threads) {
    Choice c;
    for (const std::uint32_t i : chosen) c.scalars[i] = n;
    for (const auto& wished : threads) c.threads = wished, add(c);
  };
  for (const i64 n : sizes(problem))
    add_size(scalars, n, {{0, 0}, {n + 1, n + 1}, {n / 2, n / 2}, {512, 512}, {n + 1, n / 2}, {n / 2, n + 1}});
  for (const GroupResult& r : grid.results) {
    if (r.refutation) add(of_model(problem, scalars, r.refutation->input, r.refutation->threads));
    for (const Invalid& i : r.invalid) add(of_model(problem, scalars, i.input, i.threads));
  }
  add_size(scalars, 300, {{half + 512, half + 512}, {2 * half + 512, 2 * half + 512}});
  if (!open_part(problem).empty()) add_size(few, 33, {{0, 0}, {34, 34}, {34, 16}, {16, 34}});
  return out;
}

std::vector<Problem> with_few_scalars(const Problem& problem) {
  std::vector<Problem> out;
  for (const i64 least : {1, 2, 3, 5, 8, 17, 33, 100, 0, 4097, 100'000}) {
    Choice c;
    for (const std::uint32_t i : all_integers(problem)) {
      const Scalar& s = problem.scalars[i];
      const i64 step = i64(std::max<std::uint64_t>(s.multiple_of, 1));
      const i64 from = s.range ? std::max((*s.range)[0], least) : least;
      c.scalars[i] = (from + step - 1) / step * step;
    }
    if (auto p = fixed(problem, c)) out.push_back(std::move(*p));
  }
  return out;
}

std::string scalars_text(const Problem& problem, const Problem& fixed) {
  std::string text;
  for (const std::uint32_t i : all_integers(problem))
    if (const Scalar& s = fixed.scalars[i]; s.value)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", scalar_name(s.name), as_integer(s, bits_of(s)));
  return text;
}

std::string launch_text(const Problem& problem, const Problem& fixed) {
  std::string text = scalars_text(problem, fixed);
  if (!text.empty()) text += ", ";
  const Launch &a = fixed.a.launches[0], &ref = fixed.ref.launches[0];
  return fmt::format("{}a {}×{} threads, ref {}×{}", text, a.grid[0], a.block[0], ref.grid[0], ref.block[0]);
}

void add_scalars(const Problem& problem, const Problem& fixed, Counterexample& to) {
  for (const std::uint32_t i : all_integers(problem)) {
    const Scalar& s = fixed.scalars[i];
    if (s.value) to.scalars[s.name] = {std::string(ir::info(s.type).name), bits_of(s)};
  }
}

std::vector<Problem> one_block_each(const Problem& problem) {
  std::vector<Problem> out{problem};
  for (const auto side : {&Problem::a, &Problem::ref})
    for (std::size_t k = 0; k < (problem.*side).launches.size(); ++k) {
      const auto& open = (problem.*side).launches[k].open;
      if (!open || open->blocks.empty()) continue;
      std::vector<Problem> more;
      for (const Problem& p : out)
        for (const Dim3& block : open->blocks) {
          Launch& l = (more.emplace_back(p).*side).launches[k];
          l.block = block, l.open->any_block = false, l.open->blocks.clear();
          if (!l.open->any_grid) l.open.reset();
        }
      out = std::move(more);
    }
  return out;
}

}  // namespace ptxeq::check
