#include "checker/report.h"

#include <algorithm>
#include <array>

namespace ptxeq::check {
namespace {

struct VerdictInfo {
  std::string_view name;
  int exit;
};
// By Verdict. `none`: nothing was to be decided, and nothing critical found.
constexpr std::array<VerdictInfo, 5> verdicts{
    {{"none", 0}, {"equivalent", 0}, {"different", 1}, {"inconclusive", 3}, {"invalid", 4}}};

constexpr std::array<std::string_view, 4> strengths{"none", "bits", "real", "tested"};

struct ReasonInfo {
  std::string_view name;
  int exit;  // -1: the verdict's
};
// By ReasonCode.
constexpr std::array<ReasonInfo, 15> reasons{{{"timeout", -1},
                                              {"memory", -1},
                                              {"unsupported", -1},
                                              {"unroll-limit", -1},
                                              {"unspecified-result", -1},
                                              {"contractible-fp", -1},
                                              {"schedule-dependent", -1},
                                              {"address-unresolved", -1},
                                              {"solver-unknown", -1},
                                              {"tested-only", -1},
                                              {"rounding-unbounded", -1},
                                              {"usage", 2},
                                              {"input", 2},
                                              {"spec", 2},
                                              {"internal", 70}}};

}  // namespace

std::string_view name(Verdict verdict) { return verdicts[std::size_t(verdict)].name; }
std::string_view name(Strength strength) { return strengths[std::size_t(strength)]; }
std::string_view name(ReasonCode code) { return reasons[std::size_t(code)].name; }

std::string scalar_name(const std::string& scalar) {
  const bool like_side = scalar == name(Side::a) || scalar == name(Side::ref);
  return like_side ? "scalar " + scalar : scalar;
}

int Report::exit_code() const {
  if (reason && reasons[std::size_t(reason->code)].exit >= 0) return reasons[std::size_t(reason->code)].exit;
  return input_error ? 2 : verdicts[std::size_t(verdict)].exit;
}

int weight(const Report& r) {
  const bool empty = r.reason && r.reason->code == ReasonCode::spec;  // no launch keeps to the bounds
  if (r.verdict == Verdict::invalid)
    return std::any_of(r.findings.begin(), r.findings.end(),
                       [](const Finding& f) { return f.severity == Severity::critical && f.side == Side::ref; })
               ? 5
               : 4;
  return r.verdict == Verdict::different ? 3 : r.verdict == Verdict::equivalent ? 1 : empty ? 0 : 2;
}

}  // namespace ptxeq::check
