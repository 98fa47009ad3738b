#include <fmt/format.h>

#include <algorithm>

#include "grammar/reader.h"

namespace ptxeq::grammar {

namespace {

constexpr std::size_t widest = 160;  // of a source line that is shown

// The line around the column, with a caret below it; tabs stay, so that the caret stands below its letter.
std::string excerpt(const std::string& line, std::size_t column) {
  const std::size_t at = std::min(column - 1, line.size());
  const std::size_t begin = at < widest / 2 ? 0 : at - widest / 2;
  std::string shown = line.substr(begin, widest), caret;
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ' && c != '\t') c = ' ';
  for (std::size_t i = begin; i < at; ++i) caret += line[i] == '\t' ? '\t' : ' ';
  return fmt::format("    {}\n    {}^\n", shown, caret);
}

}  // namespace

std::string render(const Finding& finding, const std::vector<std::string>& lines) {
  const std::string_view word = finding.severity == Severity::critical  ? "error"
                                : finding.severity == Severity::warning ? "warning"
                                                                        : "note";
  std::string text = finding.file;
  if (finding.at.line > 0) text += fmt::format(":{}:{}", finding.at.line, finding.at.column);
  text += fmt::format("{}{}: {} [{}]\n", text.empty() ? "" : ": ", word, finding.message, finding.code);
  if (finding.at.line > 0 && finding.at.line <= lines.size() && finding.at.column > 0)
    text += excerpt(lines[finding.at.line - 1], finding.at.column);
  for (std::string_view rest = finding.witness; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text += fmt::format("    {}\n", rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (!finding.fix.empty()) text += fmt::format("    fix: {}\n", finding.fix);
  return text;
}

}  // namespace ptxeq::grammar
