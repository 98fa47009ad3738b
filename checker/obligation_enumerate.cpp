#include "checker/obligation_enumerate.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <mutex>
#include <thread>

#include "checker/sample.h"
#include "checker/sample_run.h"

namespace ptxeq::check {
namespace {

using Clock = std::chrono::steady_clock;

constexpr u64 most_assignments = u64(1) << 32;
constexpr u64 blocks_a_turn = 64;

// The values of one leaf by number, and how many assignments of earlier leaves lie between two of them.
struct Digits {
  u32 leaf = 0;
  unsigned width = 0;
  std::vector<Progression> runs;
  u64 count = 0, stride = 1;

  u64 value(u64 number) const {
    std::size_t k = 0;
    while (number >= runs[k].count) number -= runs[k++].count;
    return (runs[k].first + number * runs[k].step) & sym::mask(width);
  }
};

// Bits of each leaf that anyone looks at: a byte of a word has 256 values.
std::vector<u64> demanded_bits(const Shape& shape) {
  std::vector<u64> out(shape.leaves.size());
  const auto demand = [&](u32 slot, u64 bits) {
    if (slot != no_slot && shape.code[slot].op == sym::Op::leaf) out[shape.code[slot].a] |= bits;
  };
  for (const Instruction& i : shape.code) {
    if (i.op == sym::Op::extract) {
      demand(i.a, sym::mask(i.width) << i.b);
    } else {
      for (const u32 o : operands(i)) demand(o, ~u64(0));
    }
  }
  for (const u32 root : shape.roots) demand(root, ~u64(0));
  return out;
}

// One run from the lowest demanded bit to the highest, where the leaf may have any value.
Progression demanded_run(const Progression& every, u64 demanded) {
  const unsigned low = unsigned(std::countr_zero(demanded)), high = unsigned(std::bit_width(demanded));
  return high - low >= 64 ? every : Progression{0, u64(1) << low, u64(1) << (high - low)};
}

// Numbers the assignments of a shape's leaves.
struct Space {
  std::vector<Digits> digits;
  u64 size = 1;
};
std::optional<Space> space_of(const Shape& shape, const Runner& runner) {
  Space space;
  const std::vector<u64> demanded = demanded_bits(shape);
  for (u32 i = 0; i < shape.leaves.size(); ++i) {
    if (!runner.has_leaf(i)) continue;
    const ShapeLeaf& leaf = shape.leaves[i];
    auto runs = progressions(leaf.domain, leaf.width);
    if (!runs) return std::nullopt;
    const u64 seen = demanded[i] & sym::mask(leaf.width);
    if (seen && runs->size() == 1 && (*runs)[0] == any_value(leaf.width)) (*runs)[0] = demanded_run((*runs)[0], seen);
    Digits d{i, leaf.width, std::move(*runs), 0, space.size};
    for (const Progression& run : d.runs) {
      if (run.count == 0 || run.count > most_assignments) return std::nullopt;
      d.count += run.count;
    }
    if (d.count != 0 && space.size > most_assignments / d.count) return std::nullopt;
    space.size *= d.count;
    space.digits.push_back(std::move(d));
  }
  return space;
}

// The fastest digit: runs of consecutive values.
void fill_fastest(const Digits& d, u64 first, u64* out, unsigned lanes) {
  const u64 m = sym::mask(d.width);
  u64 number = first % d.count;
  for (unsigned lane = 0; lane < lanes;) {
    std::size_t k = 0;
    u64 at = number;
    while (at >= d.runs[k].count) at -= d.runs[k++].count;
    const u64 n = std::min<u64>(lanes - lane, d.runs[k].count - at);
    const u64 start = d.runs[k].first + at * d.runs[k].step, step = d.runs[k].step;
    for (u64 j = 0; j < n; ++j) out[lane + j] = (start + j * step) & m;
    lane += unsigned(n);
    number = (number + n) % d.count;
  }
}

void fill(const Space& space, u64 first, Runner& runner) {
  for (const Digits& d : space.digits) {
    u64* out = runner.leaf(d.leaf);
    if (d.stride == 1) {
      fill_fastest(d, first, out, runner.lanes());
      continue;
    }
    u64 number = first / d.stride % d.count, left = d.stride - first % d.stride, value = d.value(number);
    for (unsigned lane = 0; lane < runner.lanes(); ++lane) {
      out[lane] = value;
      if (--left != 0) continue;
      left = d.stride;
      number = number + 1 == d.count ? 0 : number + 1;
      value = d.value(number);
    }
  }
}

// The first lane of the block at which the root is 1; lanes past the space's end wrap around, which does no harm.
std::optional<unsigned> holding_lane(const Shape& shape, const Runner& runner) {
  const u64* root = runner.value(shape.roots[0]);
  u64 any = 0;
  for (unsigned lane = 0; lane < runner.lanes(); ++lane) any |= root[lane];
  if (!any) return std::nullopt;
  unsigned lane = 0;
  while (!root[lane]) ++lane;
  return lane;
}

bool fits(const Shape& shape, const Space& space, Runner& runner, Deadline deadline, unsigned jobs) {
  const auto start = Clock::now();
  constexpr u64 trial = 4;
  for (u64 k = 0; k < trial; ++k) {
    fill(space, (space.size / trial * k) % space.size, runner);
    runner.run();
    (void)holding_lane(shape, runner);
  }
  const auto each = (Clock::now() - start) / double(trial * runner.lanes());
  return start + each * (double(space.size) / jobs) < deadline;
}

// With nodes of open value: a proof where the root is 0 whatever they are, such as a quotient that is not looked at
// where the divisor is 0. Nothing where the root is open for some assignment.
Enumeration enumerate_around_open_nodes(const Shape& shape, const Space& space, Deadline deadline) {
  constexpr u64 between_looks = 64;
  const auto start = Clock::now();
  std::vector<u64> leaves(shape.leaves.size());
  PartialRunner runner(shape);
  for (u64 number = 0; number < space.size; ++number) {
    if (number % between_looks == 0 && number > 0) {
      const auto now = Clock::now();
      if (start + (now - start) / double(number) * double(space.size) > deadline) return {};
    }
    for (const Digits& d : space.digits) leaves[d.leaf] = d.value(number / d.stride % d.count);
    runner.run(leaves);
    const Partial root = runner.value(shape.roots[0]);
    if (root.unknown) return {};
    if (root.bits) return {true, leaves};
  }
  return {true, std::nullopt};
}

}  // namespace

Enumeration enumerate(const Shape& shape, Deadline deadline, unsigned jobs) {
  Runner trial(shape);
  const auto space = space_of(shape, trial);
  jobs = std::max(jobs, 1u);
  if (!space) return {};
  if (space->size == 0) return {true, std::nullopt};
  const auto open = [](const Instruction& i) { return i.op == sym::Op::approx; };
  if (std::any_of(shape.code.begin(), shape.code.end(), open))
    return enumerate_around_open_nodes(shape, *space, deadline);
  if (!fits(shape, *space, trial, deadline, jobs)) return {};

  Enumeration out;
  std::atomic<u64> next = 0;
  std::atomic<bool> stop = false, late = false;
  std::mutex mutex;
  const auto work = [&] {
    Runner runner(shape);
    const u64 turn = blocks_a_turn * runner.lanes();
    for (u64 at; !stop && (at = next.fetch_add(turn)) < space->size;) {
      if (Clock::now() >= deadline) late = stop = true;
      const u64 end = std::min(at + turn, space->size);
      for (u64 first = at; first < end && !stop; first += runner.lanes()) {
        fill(*space, first, runner);
        runner.run();
        const auto lane = holding_lane(shape, runner);
        if (!lane) continue;
        const std::lock_guard lock(mutex);
        stop = true;
        out.holds.emplace(shape.leaves.size(), 0);
        for (const Digits& d : space->digits) (*out.holds)[d.leaf] = runner.leaf(d.leaf)[*lane];
      }
    }
  };
  // What a thread throws (memory ran out) is the caller's to report; past the thread's end it would be std::terminate.
  std::exception_ptr failure;
  const auto try_work = [&] {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      stop = true;
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned k = 1; k < jobs && space->size > 1u << 16; ++k) threads.emplace_back(try_work);
    try_work();
  }
  if (failure) std::rethrow_exception(failure);
  out.complete = out.holds || !late;
  return out;
}

}  // namespace ptxeq::check
