// What was asked, in a few lines: values, launch and arguments.
#include <fmt/format.h>

#include "checker/print.h"
#include "checker/values.h"

namespace ptxeq::check {
namespace {

std::string dims(const Dim3& d) {
  if (d[2] > 1) return fmt::format("({},{},{})", d[0], d[1], d[2]);
  return d[1] > 1 ? fmt::format("({},{})", d[0], d[1]) : fmt::format("{}", d[0]);
}

std::string block(const Launch& launch) {
  if (!launch.open || !launch.open->any_block) return dims(launch.block);
  std::string text;
  for (const auto& one : launch.open->blocks) text += (text.empty() ? "" : " or ") + dims(one);
  return text.empty() ? "any" : "(" + text + ")";
}

// " (at least n, at most 1048576)": how many threads an open launch may have.
std::string bounds(const Problem& problem, const Launch& launch) {
  if (!launch.open) return "";
  std::string text;
  if (const auto& low = launch.open->min_threads) text = "at least " + to_text(problem, *low);
  if (const auto& high = launch.open->max_threads)
    text += (text.empty() ? "at most " : ", at most ") + to_text(problem, *high);
  return text.empty() ? "" : " (" + text + ")";
}

// `unit` stands behind the first launch.
std::string launches(const Problem& problem, const ProblemSide& side, std::string_view unit) {
  std::string text;
  for (const auto& launch : side.launches) {
    const bool first = text.empty();
    const auto grid = launch.open && launch.open->any_grid ? "any" : dims(launch.grid);
    text += fmt::format("{}{}×{}{}{}", first ? "" : ", then ", grid, block(launch), first ? unit : "",
                        bounds(problem, launch));
    if (launch.shared > 0) text += fmt::format(" with {} bytes shared", launch.shared);
  }
  return text;
}

std::string argument(const Problem& problem, const Argument& argument) {
  switch (argument.kind) {
    case Argument::Kind::buffer: {
      const auto& name = problem.buffers[argument.index].name;
      return argument.offset ? fmt::format("{}+{}", name, argument.offset) : name;
    }
    case Argument::Kind::scalar:
      return problem.scalars[argument.index].name;
    default:
      return fmt::format("{}", argument.value);
  }
}

std::string arguments(const Problem& problem, const ProblemSide& side) {
  std::string text;
  for (const auto& launch : side.launches) {
    if (!text.empty()) text += ", ";
    std::string list;
    for (const auto& arg : launch.args) list += (list.empty() ? "" : ", ") + argument(problem, arg);
    text += "(" + list + ")";
  }
  return text;
}

std::string scalar(const Scalar& scalar) {
  const std::string name = scalar_name(scalar.name);
  if (!scalar.value) {
    const std::string factor = scalar.multiple_of > 1 ? fmt::format(", a multiple of {}", scalar.multiple_of) : "";
    if (scalar.range)
      return fmt::format("every {} in [{}, {}]{}", name, (*scalar.range)[0], (*scalar.range)[1], factor);
    return fmt::format("every {}{}", name, factor);
  }
  if (scalar.size > 8) return fmt::format("{} = {} bytes", name, scalar.size);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < scalar.value->size(); ++i) bits |= std::uint64_t((*scalar.value)[i]) << (8 * i);
  return fmt::format("{} = {}", name, format_value(scalar.type, bits));
}

std::string precondition(const Buffer& buffer) {
  if (buffer.finite) return fmt::format("every finite {}", buffer.name);
  if (buffer.values) return fmt::format("{}[i] in [{}, {}]", buffer.name, (*buffer.values)[0], (*buffer.values)[1]);
  if (buffer.integer_values)
    return fmt::format("{}[i] in [{}, {}]", buffer.name, (*buffer.integer_values)[0], (*buffer.integer_values)[1]);
  return "";
}

}  // namespace

std::vector<std::string> describe(const Problem& problem) {
  std::vector<std::string> lines;
  std::string text;
  const auto append = [&](const std::string& part, const char* separator) {
    if (!part.empty()) text += (text.empty() ? "" : separator) + part;
  };
  for (const auto& s : problem.scalars) append(scalar(s), ", ");
  for (const auto& b : problem.buffers) append(precondition(b), "; ");
  if (!text.empty()) lines.push_back("for      " + text);
  const bool pair = !problem.ref.launches.empty();
  lines.push_back(fmt::format("grid     {}{}{}", pair ? "a " : "", launches(problem, problem.a, " threads"),
                              pair ? ", ref " + launches(problem, problem.ref, "") : ""));
  lines.push_back(fmt::format("args     {}{}{}", pair ? "a" : "", arguments(problem, problem.a),
                              pair ? "   ref" + arguments(problem, problem.ref) : ""));
  return lines;
}

}  // namespace ptxeq::check
