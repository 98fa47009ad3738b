#include "checker/command_input.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "checker/elapsed.h"
#include "checker/print.h"
#include "grammar/reader.h"

namespace ptxeq::check {
namespace {

constexpr std::size_t most_messages = 20;

// Times a stage into the report.
class Stage {
 public:
  Stage(Report& report, std::string name) : report_(report), name_(std::move(name)), start_(Clock::now()) {}
  ~Stage() { report_.cost[name_] += seconds_since(start_); }

 private:
  Report& report_;
  std::string name_;
  Clock::time_point start_;
};

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;  // Linux counts KiB
}

// The file's text, or why there is none.
std::optional<std::string> read_text(const std::string& path, std::uint64_t most_bytes, std::string& error) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    error = fmt::format("cannot read '{}': it is a directory", path);
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    error = fmt::format("cannot read '{}': {}", path, std::strerror(errno));
    return std::nullopt;
  }
  std::string text;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    text.append(buffer, std::size_t(in.gcount()));
    if (text.size() <= most_bytes) continue;
    error = fmt::format("cannot read '{}': it is over {} MiB (--max-input)", path, most_bytes >> 20);
    return std::nullopt;
  }
  return text;
}

}  // namespace

bool Input::read_module(Side side) {
  const Stage stage(report_, "read");
  auto& slot = side == Side::a ? a_ : ref_;
  const auto& path = side == Side::a ? options_.a : options_.ref;
  if (side == Side::ref && path == "-" && options_.a == "-")
    return fail(ReasonCode::usage, "standard input ('-') can be only one of the two files");
  grammar::Limits limits;
  limits.bytes = std::size_t(options_.max_input_mib) << 20;
  auto result = grammar::read_file(path, limits);
  for (auto& finding : result.findings) {
    finding.side = side;
    if (finding.file.empty()) finding.file = path;
  }
  const bool good = result.ok();
  slot = std::move(result.module);
  static const std::vector<std::string> none;
  if (!note(std::move(result.findings), ReasonCode::input, slot ? slot->lines : none)) return false;
  return good || fail(ReasonCode::input, path + " is no PTX");
}

bool Input::read_question(bool pair) {
  const Stage stage(report_, "spec");
  const ir::Module* ref = pair ? &*ref_ : nullptr;
  if (options_.spec.empty() ? !read_launch_flags(ref) : !read_spec_file()) return false;
  if (options_.floats) spec_.floats = *options_.floats;
  auto resolution = resolve(spec_, *a_, ref);
  problem_ = std::move(resolution.problem);
  static const std::vector<std::string> none;
  const bool by_flags = options_.spec.empty();
  if (!note(std::move(resolution.findings), by_flags ? ReasonCode::usage : ReasonCode::spec,
            by_flags ? none : spec_.lines))
    return false;
  const auto names = [](const ProblemSide& side) {
    std::string text;
    for (const auto& launch : side.launches) text += (text.empty() ? "" : " + ") + launch.kernel->name;
    return text;
  };
  report_.title_a = names(problem_.a);
  report_.title_ref = names(problem_.ref);
  report_.context = describe(problem_);
  return true;
}

bool Input::require_fixed_launch() {
  const auto open = open_part(problem_);
  if (open.empty()) return true;
  report_.verdict = Verdict::inconclusive;
  report_.reason = Reason{ReasonCode::unsupported,
                          fmt::format("{} needs a fixed launch and known sizes, not {}", options_.command, open),
                          Side::spec, spec_.file, 0};
  return false;
}

bool Input::read_spec_file() {
  if (options_.launch.any())
    return fail(ReasonCode::usage,
                "--spec and flags that describe the launch exclude each other: write them into the spec");
  std::string error;
  const auto text = read_text(options_.spec, options_.max_input_mib << 20, error);
  if (!text) {
    Finding finding;
    finding.code = "syntax";
    finding.side = Side::spec;
    finding.message = error;
    finding.file = options_.spec;
    return note({finding}, ReasonCode::spec, {});
  }
  auto result = read_spec(*text, options_.spec);
  spec_ = std::move(result.spec);
  return note(std::move(result.findings), ReasonCode::spec, spec_.lines);
}

bool Input::read_launch_flags(const ir::Module* ref) {
  auto result = read_flags(options_.launch, *a_, ref);
  spec_ = std::move(result.spec);
  if (!result.usage.empty()) return fail(ReasonCode::usage, fmt::format("{}", fmt::join(result.usage, "; ")));
  for (auto& finding : result.findings) finding.file = module(finding.side).file;
  return note(std::move(result.findings), ReasonCode::usage, {});
}

// Keeps the findings; false when one is critical, which is then the reason.
bool Input::note(std::vector<Finding> findings, ReasonCode code, const std::vector<std::string>& lines) {
  bool good = true;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    auto& finding = findings[i];
    if (finding.severity == Severity::critical && good) {
      good = false;
      fail(code, finding.message);
      report_.reason->side = finding.side;
      report_.reason->file = finding.file;
      report_.reason->line = finding.at.line;
    }
    if (finding.severity == Severity::critical && i < most_messages) {
      messages_ += grammar::render(finding, lines);
      if (!messages_.ends_with('\n')) messages_ += '\n';
    }
    report_.findings.push_back(std::move(finding));
  }
  return good;
}

bool Input::fail(ReasonCode code, std::string message) {
  if (report_.reason) return false;
  report_.reason = Reason{code, std::move(message), std::nullopt, "", 0};
  report_.input_error = true;
  return false;
}

Limits remaining(const Options& options) {
  Limits limits = options.limits;
  limits.timeout_s = std::max(0.0, limits.timeout_s - seconds_since(options.start));
  return limits;
}

Report failure(ReasonCode code, std::string message) {
  Report report;
  report.reason = Reason{code, std::move(message), std::nullopt, "", 0};
  report.input_error = report.exit_code() == 2;
  return report;
}

Answer answer(Report report, const Options& options, std::string err) {
  report.time_s = seconds_since(options.start);
  report.peak_mib = peak_mib();
  Answer result;
  result.exit = report.exit_code();
  result.err = std::move(err);
  const bool no_verdict = result.exit == 2 || result.exit == 70;
  if (no_verdict && result.err.empty() && report.reason) result.err = "ptxeq: error: " + report.reason->message + "\n";
  if (options.json) {
    result.out = print_json(report);
  } else if (!no_verdict) {
    result.out = print_text(report, {options.color, options.limits.verbose, options.quiet});
  }
  return result;
}

}  // namespace ptxeq::check
