#include "grammar/parser.h"

#include <fmt/format.h>

#include "PtxLexer.h"
#include "antlr4-runtime.h"
#include "grammar/tree.h"

namespace ptxeq::grammar {

namespace {

using antlr4::Token;

// Leaves a statement at its first error.
class GiveUp : public antlr4::DefaultErrorStrategy {
 public:
  void recover(antlr4::Parser*, std::exception_ptr error) override { std::rethrow_exception(error); }
  Token* recoverInline(antlr4::Parser* parser) override { throw antlr4::InputMismatchException(parser); }
  void sync(antlr4::Parser*) override {}
  void reportError(antlr4::Parser*, const antlr4::RecognitionException&) override {}
};

std::string shown(const Token* token) {
  if (token->getType() == Token::EOF) return "the end of the file";
  constexpr std::size_t longest = 40;
  std::string text = token->getText();
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return "'" + text + "'";
}

class Driver {
 public:
  Driver(std::string_view text, Diagnostics& out, const ParserEvents& events)
      : text_(text), out_(out), events_(events), lexer_(&input_), tokens_(&lexer_), parser_(&tokens_) {
    lexer_.removeErrorListeners();
    parser_.removeErrorListeners();
    parser_.setErrorHandler(std::make_shared<GiveUp>());
  }

  void run(const Chunk& chunk) {
    chunk_ = text_.substr(chunk.begin, chunk.end - chunk.begin);
    load(chunk.at);
    while (!out_.full() && tokens_.LA(1) != Token::EOF) statement();
    parser_.getTreeTracker().reset();
  }

  ParserStatistics statistics() const { return statistics_; }

 private:
  void load(Location at) {
    std::string ascii(chunk_);  // one byte a character, so that token places are offsets
    for (char& c : ascii)
      if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    input_.load(ascii);
    lexer_.setInputStream(&input_);
    lexer_.setLine(at.line);
    lexer_.setCharPositionInLine(at.column - 1);
    tokens_.setTokenSource(&lexer_);
    parser_.setTokenStream(&tokens_);
  }

  void statement() {
    const std::size_t start = tokens_.index();
    if (attempt(antlr4::atn::PredictionMode::SLL)) return;
    tokens_.seek(start);
    if (attempt(antlr4::atn::PredictionMode::LL)) {
      ++statistics_.second_stage;
      return;
    }
    recover(start);
  }

  bool attempt(antlr4::atn::PredictionMode mode) {
    parser_.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(mode);
    parser_.getTreeTracker().reset();
    PtxParser::StatementContext* tree = nullptr;
    try {
      tree = parser_.statement();
    } catch (const antlr4::RecognitionException& error) {
      offending_ = error.getOffendingToken()->getTokenIndex();
      return false;
    }
    events_.statement(*tree, chunk_);
    return true;
  }

  // Reports the statement that began at `start` and moves behind it: to its ';' or, for a function's head, '{'.
  void recover(std::size_t start) {
    const bool head = is_head(start);
    const std::size_t forgotten = forgotten_end(start);
    report(start, forgotten);
    std::size_t depth = 0, at = start;
    for (tokens_.seek(start); tokens_.LA(1) != Token::EOF; tokens_.consume(), ++at) {
      const std::string text = tokens_.LT(1)->getText();
      const bool past = tokens_.index() >= offending_;
      if (forgotten > 0 && tokens_.index() >= forgotten) return;
      if (text == ";" && past) {
        tokens_.consume();
        return;
      }
      if (head && text == "{" && past) {
        events_.lost_head(place(tokens_.LT(1)));
        tokens_.consume();
        return;
      }
      if (text == "{") ++depth;
      if (text == "}") {
        if (depth == 0 && at > start) return;
        if (depth > 0) --depth;
      }
    }
  }

  // Does the statement at `start` begin like a function?
  bool is_head(std::size_t start) {
    for (std::size_t i = start; i < tokens_.size(); ++i) {
      const std::string text = tokens_.get(i)->getText();
      if (text == ".entry" || text == ".func") return true;
      if (text.empty() || text[0] != '.') return false;
    }
    return false;
  }

  // Where the statement at `start` should have ended: before a token that begins a line, behind one that may end a
  // statement. 0 when there is no such place.
  std::size_t forgotten_end(std::size_t start) {
    const bool instruction = tokens_.get(start)->getType() == PtxParser::NAME || tokens_.get(start)->getText() == "@";
    if (!instruction && (tokens_.get(start)->getType() != PtxParser::DOTNAME || is_head(start))) return 0;
    bool comma = false;
    for (std::size_t i = start + 1; i <= offending_ && i < tokens_.size(); ++i) {
      const Token *before = tokens_.get(i - 1), *token = tokens_.get(i);
      const std::size_t type = before->getType();
      const std::string text = before->getText();
      comma = comma || text == ",";
      const bool may_end = type == PtxParser::NAME || type == PtxParser::INT || type == PtxParser::HEX_FLOAT ||
                           type == PtxParser::FLOAT || (type == PtxParser::DOTNAME && comma) || text == "]" ||
                           text == "}" || text == ")" || text == ">";
      if (may_end && before->getLine() != token->getLine() && token->getType() != Token::EOF && begins_statement(token))
        return i;
    }
    return 0;
  }

  static bool begins_statement(const Token* token) {
    const std::string text = token->getText();
    return token->getType() == PtxParser::NAME || text[0] == '.' || text == "@" || text == "}";
  }

  void report(std::size_t start, std::size_t forgotten) {
    const Token* bad = tokens_.get(std::min(offending_, tokens_.size() - 1));
    if (forgotten > 0) {
      const Token* last = tokens_.get(forgotten - 1);
      Location at = place(last);
      at.column += std::uint32_t(last->getText().size());
      out_.error("syntax", at, fmt::format("';' is missing after {}", shown(last)));
      return;
    }
    if (bad->getType() == PtxParser::BAD_NUMBER)
      return out_.error("syntax", place(bad), fmt::format("{} is no number", shown(bad)));
    if (bad->getType() == Token::EOF && offending_ > start)
      return out_.error("syntax", place(tokens_.get(start)), "the file ends inside this statement");
    if (offending_ == start)
      return out_.error("syntax", place(bad), fmt::format("no statement begins with {}", shown(bad)));
    out_.error("syntax", place(bad),
               fmt::format("{} cannot stand here, after {}", shown(bad), shown(tokens_.get(offending_ - 1))));
  }

  std::string_view text_, chunk_;
  Diagnostics& out_;
  const ParserEvents& events_;
  antlr4::ANTLRInputStream input_;
  PtxLexer lexer_;
  antlr4::CommonTokenStream tokens_;
  PtxParser parser_;
  std::size_t offending_ = 0;
  ParserStatistics statistics_;
};

}  // namespace

ParserStatistics parse(std::string_view text, const std::vector<Chunk>& chunks, Diagnostics& out,
                       const ParserEvents& events) {
  Driver driver(text, out, events);
  for (const Chunk& chunk : chunks) {
    if (out.full()) break;
    driver.run(chunk);
  }
  return driver.statistics();
}

}  // namespace ptxeq::grammar
