#include "checker/box_sweep.h"

#include <fmt/format.h>
#include <tbb/parallel_for_each.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <tuple>

namespace ptxeq::check {
namespace {

constexpr std::size_t most_boxes = 1024;

std::string split_text(const Box& box, const Obstacle& obstacle) {
  const char* how = obstacle.cut->kind == sym::Cut::Kind::split ? "at" : "by";
  return fmt::format("{} {} {} for {}", box.symbols[obstacle.cut->symbol].name, how, obstacle.cut->at, obstacle.why);
}

// The part to go on with: the one of most units, where that has all the symbols.
std::size_t largest(const Box& box, const std::vector<Box>& parts) {
  const auto at = std::ranges::max_element(parts, {}, &Box::units);
  return at->symbols.size() == box.symbols.size() ? std::size_t(at - parts.begin()) : parts.size();
}

class Sweep {
 public:
  Sweep(std::size_t boxes, const BoxTask& task) : task_(task), boxes_(boxes) {}

  // The box, and the parts of it that go on with its run; `feed` gets the others.
  void run(Box box, const std::function<void(const Box&)>& feed) {
    for (BoxTask task = task_; task && !ended_;) {
      const std::optional<Obstacle> obstacle = task(box, boxes_);
      if (!obstacle) return;
      const std::vector<Box> parts = parts_of(box, *obstacle);
      if (parts.empty()) return;
      const std::size_t kept = obstacle->go_on ? largest(box, parts) : parts.size();
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (i != kept) feed(parts[i]);
      task = kept < parts.size() ? obstacle->go_on : nullptr;
      if (task) box = parts[kept];
    }
  }

  std::vector<Split> take_splits() {
    std::ranges::stable_sort(
        splits_, [](const Split& l, const Split& r) { return std::tie(l.at, r.units) < std::tie(r.at, l.units); });
    return std::move(splits_);
  }

  std::optional<SweepEnd> end;

 private:
  // Empty: the sweep has ended.
  std::vector<Box> parts_of(const Box& box, const Obstacle& obstacle) {
    if (!obstacle.cut) return stop(obstacle.why, obstacle.unmatched), std::vector<Box>();
    std::vector<Box> parts = apart(box, *obstacle.cut);
    const char* too_far = nullptr;
    if (parts.empty())
      too_far = "a block cannot be told from the others";
    else if ((boxes_ += parts.size() - 1) > most_boxes)
      too_far = "the grid falls into too many boxes";
    if (too_far) return stop(fmt::format("{} ({})", too_far, obstacle.why), obstacle.unmatched), std::vector<Box>();
    const std::lock_guard lock(mutex_);
    splits_.push_back({order_of(box), box.units(), split_text(box, obstacle)});
    return parts;
  }

  void stop(std::string why, bool unmatched) {
    const std::lock_guard lock(mutex_);
    if (!ended_.exchange(true)) end = {std::move(why), unmatched};
  }

  const BoxTask& task_;
  std::vector<Split> splits_;
  std::mutex mutex_;
  std::atomic<std::size_t> boxes_;
  std::atomic<bool> ended_ = false;
};

}  // namespace

std::optional<SweepEnd> each_box(const std::vector<Box>& first, unsigned jobs, const BoxTask& task,
                                 std::vector<Split>& splits) {
  Sweep sweep(first.size(), task);
  tbb::task_arena arena(int(std::max(1u, jobs)));
  arena.execute([&] {
    tbb::parallel_for_each(first.begin(), first.end(), [&](const Box& box, tbb::feeder<Box>& feeder) {
      sweep.run(box, [&](const Box& part) { feeder.add(part); });
    });
  });
  std::ranges::move(sweep.take_splits(), std::back_inserter(splits));
  return sweep.end;
}

std::optional<SweepEnd> each_box(const Box& first, unsigned jobs, const BoxTask& task, std::vector<Split>& splits) {
  return each_box(std::vector{first}, jobs, task, splits);
}

}  // namespace ptxeq::check
