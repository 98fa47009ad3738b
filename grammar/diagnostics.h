// Collects what reading has to say, up to a limit of critical findings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/finding.h"

namespace ptxeq::grammar {

class Diagnostics {
 public:
  Diagnostics(std::string file, unsigned limit) : file_(std::move(file)), limit_(limit) {}

  void error(std::string_view code, Location at, std::string message) {
    add(code, Severity::critical, at, std::move(message));
  }
  void warning(std::string_view code, Location at, std::string message) {
    add(code, Severity::warning, at, std::move(message));
  }
  void add(Finding finding);
  // As many critical findings as one run may have: reading stops.
  bool full() const { return critical_ >= limit_; }
  // The findings, sorted by place.
  std::vector<Finding> take();

 private:
  void add(std::string_view code, Severity severity, Location at, std::string message);

  std::string file_;
  unsigned limit_;
  unsigned critical_ = 0;
  std::vector<Finding> findings_;
};

// The closest of the names offered to one that is unknown: at most two letters, or a third of it, apart.
class Nearest {
 public:
  explicit Nearest(std::string_view wanted);
  void offer(std::string_view candidate);
  // "; did you mean 'x'?" or nothing.
  std::string hint() const;

 private:
  std::string_view wanted_;
  std::string best_;
  std::size_t distance_;
};

}  // namespace ptxeq::grammar
