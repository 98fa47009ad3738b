// Words that a spec may use, and the nearest one to a word that it may not.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "checker/spec.h"

namespace ptxeq::check {
namespace {

// Levenshtein's distance, one row at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.size() > 64) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t least = std::max<std::size_t>(word.size() / 2, 1) + 1;
  for (const auto candidate : candidates) {
    if (candidate.size() > 64) continue;
    const std::size_t away = distance(word, candidate);
    if (away < least) {
      least = away;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const auto found = nearest(word, candidates);
  return found ? fmt::format(" (did you mean '{}'?)", *found) : "";
}

std::string one_of(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

const std::vector<std::string_view>& spec_type_names() {
  static const std::vector<std::string_view> names{"u8",  "s8",  "u16", "s16",  "u32", "s32",
                                                   "u64", "s64", "f16", "bf16", "f32", "f64"};
  return names;
}

std::optional<ir::Type> spec_type(std::string_view name) {
  const auto& names = spec_type_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) return std::nullopt;
  return ir::type_from_name(name);
}

}  // namespace ptxeq::check
