#include "grammar/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <iterator>

#include "grammar/lowering.h"
#include "grammar/parser.h"
#include "grammar/prescan.h"

namespace ptxeq::grammar {

namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Result unreadable(const std::string& path, std::string_view why) {
  Result result;
  Diagnostics out(path, 1);
  out.error("syntax", {}, fmt::format("cannot read '{}': {}", path, why));
  result.findings = out.take();
  return result;
}

}  // namespace

bool Result::ok() const {
  return module && std::none_of(findings.begin(), findings.end(),
                                [](const Finding& f) { return f.severity == Severity::critical; });
}

namespace {

// A text without a '.version' line is something else than PTX: that is said once, and nothing of what follows from it.
bool has_version(std::string_view text) {
  for (std::size_t at = text.find(".version"); at != text.npos; at = text.find(".version", at + 1))
    if (at == 0 ||
        !(std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_' || text[at - 1] == '"'))
      return true;
  return false;
}
Finding no_ptx(std::string file) {
  Finding f;
  f.code = "syntax", f.file = std::move(file), f.at = {1, 1};
  f.message = "this is no PTX: a PTX file begins with '.version', '.target' and '.address_size', as in '.version 9.0'";
  return f;
}

}  // namespace

Result read(std::string_view text, std::string file, const Limits& limits) {
  Result result;
  Diagnostics out(file, limits.errors);
  const Prescan scan = prescan(text, limits, out);
  if (scan.usable) {
    ir::Module module;
    module.file = std::move(file);
    module.lines = split(text);
    Lowering lowering(module, out);
    const ParserEvents events{
        .statement = [&](PtxParser::StatementContext& s, std::string_view chunk) { lowering.statement(s, chunk); },
        .lost_head = [&](Location at) { lowering.lost_head(at); }};
    result.second_stage = parse(text, scan.chunks, out, events).second_stage;
    const auto line = std::uint32_t(std::max<std::size_t>(module.lines.size(), 1));
    lowering.finish({line, 1});
    result.module = std::move(module);
  }
  result.findings = out.take();
  if (scan.usable && !has_version(text)) result.findings = {no_ptx(result.module ? result.module->file : "")};
  return result;
}

Result read_file(const std::string& path, const Limits& limits) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file) return unreadable(path, "it does not exist or may not be read");
  }
  std::istream& stream = path == "-" ? std::cin : file;
  std::string text;
  std::string block(std::size_t(1) << 16, '\0');
  while (text.size() <= limits.bytes && stream) {  // a longer one is the prescan's to refuse
    stream.read(block.data(), std::streamsize(block.size()));
    text.append(block, 0, std::size_t(stream.gcount()));
  }
  if (stream.bad() || (text.empty() && !stream.eof())) return unreadable(path, "it is no regular file");
  return read(text, path == "-" ? "<stdin>" : path, limits);
}

}  // namespace ptxeq::grammar
