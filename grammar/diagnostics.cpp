#include "grammar/diagnostics.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace ptxeq::grammar {

void Diagnostics::add(std::string_view code, Severity severity, Location at, std::string message) {
  Finding finding;
  finding.code = code;
  finding.severity = severity;
  finding.message = std::move(message);
  finding.at = at;
  add(std::move(finding));
}

void Diagnostics::add(Finding finding) {
  if (finding.severity == Severity::critical) {
    if (full()) return;
    ++critical_;
  }
  finding.file = file_;
  findings_.push_back(std::move(finding));
}

std::vector<Finding> Diagnostics::take() {
  std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
  });
  return std::move(findings_);
}

namespace {

// Edits (insert, drop, change a letter, swap two neighbours) from `a` to `b`; change of case is half price, so
// distances are in halves.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = 2 * j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = 2 * i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = a[i - 1], y = b[j - 1];
      const bool same_letter =
          std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
      const std::size_t change = x == y ? 0 : same_letter ? 1 : 2;
      row[j] = std::min({last[j] + 2, row[j - 1] + 2, last[j - 1] + change});
      if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y) row[j] = std::min(row[j], before[j - 2] + 2);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

Nearest::Nearest(std::string_view wanted)
    : wanted_(wanted), distance_(2 * std::min<std::size_t>(2, (wanted.size() + 1) / 3) + 1) {}

void Nearest::offer(std::string_view candidate) {
  constexpr std::size_t longest = 256;  // a longer name is no typo of anything
  const std::size_t larger = std::max(candidate.size(), wanted_.size());
  if (larger > longest || larger - std::min(candidate.size(), wanted_.size()) > 2) return;
  const std::size_t distance = edit_distance(wanted_, candidate);
  if (distance > 0 && (distance < distance_ || (distance == distance_ && !best_.empty() && candidate < best_))) {
    distance_ = distance;
    best_ = candidate;
  }
}

std::string Nearest::hint() const { return best_.empty() ? "" : "; did you mean '" + best_ + "'?"; }

}  // namespace ptxeq::grammar
