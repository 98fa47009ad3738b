#include "checker/problem.h"

#include <fmt/format.h>

#include "checker/values.h"

namespace ptxeq::check {

std::string open_part(const Problem& problem) {
  for (const auto* side : {&problem.a, &problem.ref})
    for (const auto& launch : side->launches) {
      if (!launch.open) continue;
      if (launch.open->any_grid) return "grid = \"any\"";
      return launch.open->blocks.empty() ? "block = \"any\"" : "a list of blocks";
    }
  for (const auto& buffer : problem.buffers)
    if (buffer.count_of)
      return fmt::format("count = \"{}\" of {}, which depends on a scalar without value",
                         to_text(problem, *buffer.count_of), buffer.name);
  return "";
}

std::set<std::uint32_t> free_integers(const Problem& problem, const ProblemSide& side) {
  std::set<std::uint32_t> out;
  for (const Launch& l : side.launches)
    for (const Argument& arg : l.args) {
      if (arg.kind != Argument::Kind::scalar) continue;
      const Scalar& s = problem.scalars[arg.index];
      if (!s.value && !is_float(s.type) && s.size <= 8 && ir::bits(s.type) == s.size * 8) out.insert(arg.index);
    }
  return out;
}

std::string to_text(const Problem& problem, const Expression& expression) {
  return to_text(expression, [&](std::uint32_t scalar) { return problem.scalars[scalar].name; });
}

}  // namespace ptxeq::check
