// The closed lists in the documentation are those of the program.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "checker/report.h"
#include "ir/finding.h"

namespace {

std::string text_of(const std::string& name) {
  std::ifstream file(std::string(PTXEQ_SOURCE) + "/docs/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("docs/findings.md has every code with its meaning, and no other") {
  const std::string text = text_of("findings.md");
  std::size_t rows = 0;
  for (std::size_t at = text.find("\n| `"); at != std::string::npos; at = text.find("\n| `", at + 1)) ++rows;
  CHECK(rows == ptxeq::finding_codes().size());
  for (const auto& [code, meaning] : ptxeq::finding_codes()) {
    CAPTURE(code);
    CHECK(contains(text, fmt::format("\n| `{}` | {} |\n", code, meaning)));
  }
}

TEST_CASE("finding codes are told apart by their names") {
  std::set<std::string_view> names;
  for (const auto& entry : ptxeq::finding_codes()) CHECK(names.insert(entry.code).second);
}

TEST_CASE("docs/verdicts.md explains every reason for not deciding") {
  const std::string text = text_of("verdicts.md");
  for (int i = 0; i <= int(ptxeq::check::ReasonCode::internal); ++i) {
    const auto name = ptxeq::check::name(ptxeq::check::ReasonCode(i));
    CAPTURE(name);
    CHECK(contains(text, fmt::format("`{}`", name)));
  }
}
