// What ptxeq takes from C++20, in one file: configure compiles it to see whether the compiler fits.
#include <algorithm>
#include <bit>
#include <concepts>
#include <ranges>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

template <std::integral T>
constexpr int ones(T value) {
  return std::popcount(static_cast<unsigned>(value));
}

struct Point {
  int x = 0, y = 0;
  friend auto operator<=>(const Point&, const Point&) = default;
};

int main() {
  std::vector<int> values{1, 2, 3};
  std::span<const int> view = values;
  auto f = []<class... T>(T... t) { return (ones(t) + ...); };
  std::jthread worker([](std::stop_token) {});
  return std::ranges::max(view) + f(1, 3) + (Point{.x = 1} < Point{.x = 2}) > 0 ? 0 : 1;
}
