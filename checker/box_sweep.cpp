#include "checker/box_sweep.h"

#include <fmt/format.h>
#include <tbb/parallel_for_each.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace ptxeq::check {
namespace {

constexpr std::size_t most_boxes = 1024;

std::string split_text(const Box& box, const Obstacle& obstacle) {
  const char* how = obstacle.cut->kind == sym::Cut::Kind::split ? "at" : "by";
  return fmt::format("{} {} {} for {}", box.symbols[obstacle.cut->symbol].name, how, obstacle.cut->at, obstacle.why);
}

}  // namespace

std::optional<SweepEnd> each_box(const std::vector<Box>& first, unsigned jobs, const BoxTask& task,
                                 std::vector<std::string>& splits) {
  std::mutex mutex;
  std::atomic<std::size_t> boxes = first.size();
  std::atomic<bool> ended = false;
  std::optional<SweepEnd> end;
  const auto stop = [&](std::string why, bool unmatched) {
    const std::lock_guard lock(mutex);
    if (!ended.exchange(true)) end = {std::move(why), unmatched};
  };
  tbb::task_arena arena(int(std::max(1u, jobs)));
  arena.execute([&] {
    tbb::parallel_for_each(first.begin(), first.end(), [&](const Box& box, tbb::feeder<Box>& feeder) {
      if (ended) return;
      const std::optional<Obstacle> obstacle = task(box, boxes);
      if (!obstacle) return;
      if (!obstacle->cut) return stop(obstacle->why, obstacle->unmatched);
      const std::vector<Box> parts = apart(box, *obstacle->cut);
      const auto because = [&](const char* what) { return fmt::format("{} ({})", what, obstacle->why); };
      if (parts.empty()) return stop(because("a block cannot be told from the others"), obstacle->unmatched);
      if ((boxes += parts.size() - 1) > most_boxes)
        return stop(because("the grid falls into too many boxes"), obstacle->unmatched);
      {
        const std::lock_guard lock(mutex);
        splits.push_back(split_text(box, *obstacle));
      }
      for (const Box& part : parts) feeder.add(part);
    });
  });
  return end;
}

std::optional<SweepEnd> each_box(const Box& first, unsigned jobs, const BoxTask& task,
                                 std::vector<std::string>& splits) {
  return each_box(std::vector{first}, jobs, task, splits);
}

}  // namespace ptxeq::check
