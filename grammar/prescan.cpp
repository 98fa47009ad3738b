#include "grammar/prescan.h"

#include <fmt/format.h>

namespace ptxeq::grammar {

namespace {

constexpr std::size_t chunk_bytes = std::size_t(128) << 10;
constexpr unsigned longest_expression = 1000;

class Scanner {
 public:
  Scanner(std::string_view text, const Limits& limits, Diagnostics& out) : text_(text), limits_(limits), out_(out) {}

  Prescan run() {
    result_.chunks.push_back({0, 0, {1, 1}});
    while (result_.usable && at_ < text_.size()) step();
    result_.chunks.back().end = text_.size();
    return std::move(result_);
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  Location here() const { return {line_, std::uint32_t(at_ - line_begin_ + 1)}; }

  void step() {
    const char c = text_[at_];
    if (c == '/' && peek(1) == '/') return line_comment();
    if (c == '/' && peek(1) == '*') return block_comment();
    if (c == '"') return string();
    if (c == '{' || c == '(' || c == '[') open();
    if ((c == '}' || c == ')' || c == ']') && depth_ > 0) --depth_;
    if (c == '(' || c == '[') ++inner_;
    if ((c == ')' || c == ']') && inner_ > 0) --inner_;
    count_operators(c);
    advance();
    if (c == ';') cut();
  }

  void advance() {
    const char c = text_[at_];
    if (c == '\0' || static_cast<unsigned char>(c) >= 0x80) refuse(c);
    ++at_;
    if (c == '\n') {
      ++line_;
      line_begin_ = at_;
    }
  }

  // ptxas refuses such bytes everywhere, in comments and strings too.
  void refuse(char c) {
    if (c == '\0') {
      out_.error("syntax", here(), "the file has a NUL byte: it is no PTX text (a cubin or fatbin?)");
      result_.usable = false;
    } else if (!foreign_) {
      const bool mark = at_ == 0 && text_.starts_with("\xef\xbb\xbf");
      out_.error("syntax", here(),
                 mark ? "the file starts with a byte order mark, which ptxas refuses: save it as plain ASCII"
                      : "a character outside ASCII, which ptxas refuses even in comments: write it in ASCII");
      foreign_ = true;
    }
  }

  void line_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') advance();
  }

  void block_comment() {
    const Location start = here();
    const std::size_t close = text_.find("*/", at_ + 2);
    if (close == std::string_view::npos) {
      out_.error("syntax", start, "this comment has no end: '*/' is missing");
      result_.usable = false;
      return;
    }
    while (at_ < close + 2) advance();
  }

  // A string ends on its line; one that does not is the parser's to report.
  void string() {
    advance();
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') advance();
    if (at_ < text_.size() && text_[at_] == '"') advance();
  }

  // Signs, casts and "?:" are brackets without an end: each costs the parser a level.
  void count_operators(char c) {
    const bool word = c == '.' && inner_ == 0 && at_ > 0 && text_[at_ - 1] <= ' ' && peek(1) >= 'a';
    if (word || std::string_view(",;{}[]").find(c) != std::string_view::npos) operators_ = 0;
    if (std::string_view("-!~+)").find(c) != std::string_view::npos) ++operators_;
    if (c == ';') choices_ = 0;
    if (c == '?') ++choices_;
    if (operators_ <= longest_expression && choices_ <= limits_.nesting) return;
    out_.error("syntax", here(), "this expression is too long");
    result_.usable = false;
  }

  void open() {
    if (++depth_ <= limits_.nesting) return;
    out_.error("syntax", here(), fmt::format("brackets are nested more than {} deep", limits_.nesting));
    result_.usable = false;
  }

  void cut() {
    Chunk& last = result_.chunks.back();
    if (inner_ > 0 || at_ - last.begin < chunk_bytes) return;
    last.end = at_;
    result_.chunks.push_back({at_, at_, here()});
  }

  std::string_view text_;
  const Limits& limits_;
  Diagnostics& out_;
  Prescan result_;
  std::size_t at_ = 0, line_begin_ = 0;
  std::uint32_t line_ = 1;
  unsigned depth_ = 0, inner_ = 0;
  unsigned operators_ = 0, choices_ = 0;
  bool foreign_ = false;
};

}  // namespace

Prescan prescan(std::string_view text, const Limits& limits, Diagnostics& out) {
  if (text.size() > limits.bytes) {
    out.error("syntax", {},
              fmt::format("the text has {} bytes, more than the {} MiB that are read: raise --max-input", text.size(),
                          limits.bytes >> 20));
    return {.usable = false, .chunks = {}};
  }
  return Scanner(text, limits, out).run();
}

}  // namespace ptxeq::grammar
