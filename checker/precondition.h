// Bounds that a question about launches that are not fixed lacks, and under which it would hold.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/problem.h"

namespace ptxeq::check {

class Preconditions {
 public:
  // Is this question proved, within so many seconds?
  using Holds = std::function<bool(const Problem& problem, double seconds)>;
  Preconditions(const Problem& problem, Holds holds);

  // How long the proof under the strongest bounds took; nothing where there is none within the time.
  std::optional<double> hold(double seconds);
  // What of these bounds is needed, as far as that shows in time, in the words of a spec; empty: they do not do.
  std::string needed(double seconds);

 private:
  // What is asked for beyond the question.
  struct Wish {
    std::optional<std::int64_t> threads;             // at most so many, of every launch
    std::array<std::optional<Expression>, 2> least;  // at least so many, of a and of ref
    std::optional<std::int64_t> scalars;             // each from zero up to this
  };
  std::string add(const Wish& wish, Problem& problem) const;
  bool proved(const Wish& wish, double seconds);
  template <class Change>
  bool try_less(Change change);

  const Problem& problem_;
  Holds holds_;
  std::vector<Expression> least_;      // numbers of threads that may do, the largest last
  std::vector<std::int64_t> scalars_;  // bounds of scalars that may do, the smallest last
  std::set<std::string> failed_;
  std::optional<Wish> found_;
  double took_ = 0;  // its proof
  double end_ = 0;
};

}  // namespace ptxeq::check
