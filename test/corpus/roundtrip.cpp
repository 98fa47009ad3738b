// Every .ptx file below the folders named reads without a critical finding, and text -> IR -> text -> IR is the
// identity on it.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "grammar/reader.h"
#include "ir/printer.h"

namespace {

namespace fs = std::filesystem;
using ptxeq::Finding;
using ptxeq::Severity;

std::vector<fs::path> ptx_files(const std::vector<std::string>& folders) {
  std::vector<fs::path> files;
  for (const auto& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string first_critical(const ptxeq::grammar::Result& result) {
  for (const Finding& finding : result.findings)
    if (finding.severity == Severity::critical)
      return fmt::format("{}:{}: {} [{}]", finding.at.line, finding.at.column, finding.message, finding.code);
  return "no module";
}

// What is wrong with the file; empty when nothing is.
std::string trouble(const fs::path& path) {
  const auto once = ptxeq::grammar::read_file(path.string());
  if (!once.ok()) return "does not read: " + first_critical(once);
  const std::string text = ptxeq::ir::print(*once.module);
  const auto twice = ptxeq::grammar::read(text, path.string());
  if (!twice.ok()) return "does not read again: " + first_critical(twice);
  if (!ptxeq::ir::same(*once.module, *twice.module)) return "reads differently once printed";
  if (ptxeq::ir::print(*twice.module) != text) return "prints differently the second time";
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const auto files = ptx_files({argv + 1, argv + argc});
  std::size_t bad = 0;
  for (const auto& file : files) {
    const std::string why = trouble(file);
    if (why.empty()) continue;
    ++bad;
    fmt::print("{}: {}\n", file.string(), why);
  }
  fmt::print("{} of {} files round-trip\n", files.size() - bad, files.size());
  return bad != 0 || files.empty();
}
