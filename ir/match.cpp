// Spellings: from "ld.global.nc.f32" to a row of the table and back.
#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "ir/isa.h"

namespace ptxeq::ir {
namespace {

struct Alternative {
  std::string_view text;
  Type type = Type::none;       // a data type,
  std::optional<Word> word;     // or a word,
  std::string_view head, tail;  // or any word that begins and ends like this
  std::optional<Needs> needs;
};
struct Slot {
  bool optional = false;
  std::vector<Alternative> alternatives;
};
using Spelling = std::vector<Slot>;  // behind the mnemonic

struct Token {
  std::string_view text;
  Type type = Type::none;
  std::optional<Word> word;
};

// "70", "80,90", "86,100f-119"
Needs parse_needs(std::string_view text) {
  Needs needs;
  const char* const end = text.data() + text.size();
  const char* at = std::from_chars(text.data(), end, needs.ptx).ptr;
  if (at == end) return needs;
  at = std::from_chars(at + 1, end, needs.sm).ptr;
  if (at != end && (*at == 'a' || *at == 'f')) needs.suffix = *at++;
  if (at != end) std::from_chars(at + 1, end, needs.last);
  return needs;
}

Alternative parse_alternative(std::string_view text) {
  Alternative result;
  if (auto at = text.find('@'); at != text.npos) {
    result.needs = parse_needs(text.substr(at + 1));
    text = text.substr(0, at);
  }
  result.text = text;
  if (auto star = text.find('*'); star != text.npos) {
    result.head = text.substr(0, star);
    result.tail = text.substr(star + 1);
  } else if (auto type = type_from_name(text)) {
    result.type = *type;
  } else {
    result.word = find_word(text);
  }
  return result;
}

Slot parse_slot(std::string_view text) {
  Slot slot;
  std::optional<Needs> whole;
  if (text.starts_with('[')) {
    slot.optional = true;
    const auto close = text.find(']');
    if (close + 1 < text.size()) whole = parse_needs(text.substr(close + 2));
    text = text.substr(1, close - 1);
  }
  while (!text.empty()) {
    const auto one = text.substr(0, text.find('|'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    slot.alternatives.push_back(parse_alternative(one));
    if (!slot.alternatives.back().needs) slot.alternatives.back().needs = whole;
  }
  return slot;
}

Spelling parse_spelling(std::string_view text) {
  Spelling result;
  text.remove_prefix(text.find(' ') == text.npos ? text.size() : text.find(' ') + 1);
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    result.push_back(parse_slot(word));
  }
  return result;
}

struct Table {
  std::vector<Spelling> spellings;
  std::unordered_map<std::string_view, std::vector<std::uint16_t>> by_mnemonic;
};
const Table& table() {
  static const Table result = [] {
    Table t;
    for (const Form& f : forms()) {
      t.by_mnemonic[mnemonic(f)].push_back(std::uint16_t(t.spellings.size()));
      t.spellings.push_back(parse_spelling(f.spelling));
    }
    return t;
  }();
  return result;
}

bool accepts(const Alternative& alternative, const Token& token) {
  if (alternative.type != Type::none) return token.type == alternative.type;
  if (alternative.word) return token.word == alternative.word;
  return token.word && !alternative.head.empty() && token.text.starts_with(alternative.head) &&
         token.text.ends_with(alternative.tail);
}
const Alternative* accepting(const Slot& slot, const Token& token) {
  for (const Alternative& alternative : slot.alternatives)
    if (accepts(alternative, token)) return &alternative;
  return nullptr;
}

struct Fit {
  std::size_t used = 0;           // tokens that found a slot
  std::uint32_t unused = 0;       // those that did not, a bit each
  const Slot* missing = nullptr;  // a slot that found no token
  std::vector<const Alternative*> chosen;
  bool ok() const { return !unused && !missing; }
};

// Each slot takes the first token left that it accepts; a type only when no type before it is left. (ptxas takes the
// modifiers of an instruction in any order.)
Fit fit(const Spelling& spelling, std::span<const Token> tokens) {
  Fit result;
  result.unused = (std::uint32_t(1) << tokens.size()) - 1;
  for (const Slot& slot : spelling) {
    const Alternative* taken = nullptr;
    bool type_left = false;
    for (std::size_t i = 0; i < tokens.size() && !taken; ++i) {
      if (!(result.unused >> i & 1)) continue;
      const bool is_type = tokens[i].type != Type::none;
      if (is_type && std::exchange(type_left, true)) continue;
      if ((taken = accepting(slot, tokens[i]))) result.unused &= ~(std::uint32_t(1) << i);
    }
    if (taken) {
      result.chosen.push_back(taken);
      ++result.used;
    } else if (!slot.optional && !result.missing) {
      result.missing = &slot;
    }
  }
  return result;
}

std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    Token token;
    token.text = text.substr(begin, end - begin);
    if (auto type = type_from_name(token.text))
      token.type = *type;
    else
      token.word = find_word(token.text);
    tokens.push_back(token);
    begin = end + 1;
  }
  return tokens;
}

Opcode opcode(std::uint16_t form, std::span<const Token> tokens) {
  Opcode op;
  op.form = form;
  for (const Token& token : tokens) {
    const bool is_type = token.type != Type::none;
    op.order[op.order_count++] =
        std::uint16_t(is_type ? word_count + std::size_t(token.type) : std::size_t(*token.word));
    if (!is_type)
      op.words.set(std::size_t(*token.word));
    else if (op.type_count < op.types.size())
      op.types[op.type_count++] = token.type;
  }
  return op;
}

// Least and greatest number of operands of `op`.
std::pair<std::size_t, std::size_t> operand_range(const Opcode& op) {
  std::size_t least = 0, most = 0;
  for (const OperandPattern& pattern : operand_patterns(form(op))) {
    if (pattern.when && !op.has(*pattern.when)) continue;
    ++most;
    least += !pattern.optional;
  }
  return {least, most};
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string list(const Slot& slot) {
  std::string text;
  for (const Alternative& alternative : slot.alternatives)
    text += (text.empty() ? "." : " .") + std::string(alternative.text);
  return text;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

Match unknown_opcode(std::string_view word) {
  std::string_view nearest;
  for (const auto& [name, rows] : table().by_mnemonic) {
    const auto ours = std::pair(distance(word, name), name);
    if (nearest.empty() || ours < std::pair(distance(word, nearest), nearest)) nearest = name;
  }
  return {{}, false, "no instruction " + quoted(word) + "; the nearest is " + quoted(nearest), "syntax"};
}

// What is wrong with the modifiers, told against the row that comes nearest.
Match misfit(std::string_view text, std::span<const std::uint16_t> rows, std::span<const Token> tokens) {
  const auto name = mnemonic(forms()[rows[0]]);
  for (const Token& token : tokens) {
    auto has_token = [&](std::uint16_t row) {
      return std::ranges::any_of(table().spellings[row], [&](const Slot& slot) { return accepting(slot, token); });
    };
    if (std::ranges::any_of(rows, has_token)) continue;
    std::vector<std::string_view> allowed;
    for (std::uint16_t row : rows)
      for (const Slot& slot : table().spellings[row])
        for (const Alternative& alternative : slot.alternatives)
          if ((alternative.type != Type::none) == (token.type != Type::none)) allowed.push_back(alternative.text);
    std::ranges::sort(allowed);
    allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
    std::string choices;
    for (auto word : allowed) choices += " ." + std::string(word);
    return {{},
            false,
            "'." + std::string(token.text) + "' does not go with " + quoted(name) + "; it has" +
                (choices.empty() ? " no modifiers" : choices),
            "illegal-modifier"};
  }
  std::uint16_t best = rows[0];
  Fit nearest = fit(table().spellings[best], tokens);
  for (std::uint16_t row : rows.subspan(1)) {
    Fit other = fit(table().spellings[row], tokens);
    if (std::pair(other.used, !other.missing) > std::pair(nearest.used, !nearest.missing)) {
      nearest = std::move(other);
      best = row;
    }
  }
  std::string error = quoted(text);
  if (nearest.unused) {
    const Token& token = tokens[std::size_t(std::countr_zero(nearest.unused))];
    error += ": '." + std::string(token.text) + "' does not go with the rest";
  }
  if (nearest.missing) error += (nearest.unused ? ", and it needs one of " : " needs one of ") + list(*nearest.missing);
  error += "; the manual has " + quoted(forms()[best].spelling);
  return {{}, false, error, "illegal-modifier"};
}

Match wrong_count(std::string_view text, const Opcode& op, std::size_t count) {
  const auto [least, most] = operand_range(op);
  std::string wanted = std::to_string(least);
  if (most != least) wanted += " to " + std::to_string(most);
  return {{},
          false,
          quoted(text) + " takes " + wanted + (most == 1 ? " operand" : " operands") + ", not " +
              std::to_string(count) + ": " + std::string(form(op).operands),
          "operand-kind"};
}

}  // namespace

Match match(std::string_view text, std::size_t operand_count) {
  const auto tokens = tokenize(text);
  const auto name = tokens.empty() ? std::string_view() : tokens[0].text;
  const auto found = table().by_mnemonic.find(name);
  if (found == table().by_mnemonic.end()) return unknown_opcode(name);
  const std::span<const Token> modifiers = std::span(tokens).subspan(1);
  if (modifiers.size() > Opcode{}.order.size())
    return {{}, false, quoted(text) + " has too many modifiers", "illegal-modifier"};
  std::optional<Opcode> miscounted;
  for (std::uint16_t row : found->second) {
    if (!fit(table().spellings[row], modifiers).ok()) continue;
    const Opcode op = opcode(row, modifiers);
    const auto [least, most] = operand_range(op);
    if (least <= operand_count && operand_count <= most) return {op, true, {}, {}};
    if (!miscounted) miscounted = op;
  }
  return miscounted ? wrong_count(text, *miscounted, operand_count) : misfit(text, found->second, modifiers);
}

const Match& Matcher::match(std::string_view text, std::size_t operand_count) {
  key_.assign(text);
  key_ += ' ';
  key_ += std::to_string(operand_count);
  auto [at, added] = seen_.try_emplace(key_);
  if (added) at->second = ir::match(text, operand_count);
  return at->second;
}

std::string spell(const Opcode& op) {
  std::string result(mnemonic(form(op)));
  for (unsigned i = 0; i < op.order_count; ++i) {
    const std::uint16_t n = op.order[i];
    result += '.';
    result += n < word_count ? text(Word(n)) : info(Type(n - word_count)).name;
  }
  return result;
}

std::vector<Needs> needs(const Opcode& op) {
  std::vector<Token> tokens;
  for (unsigned i = 0; i < op.order_count; ++i) {
    const std::uint16_t n = op.order[i];
    if (n < word_count)
      tokens.push_back({text(Word(n)), Type::none, Word(n)});
    else
      tokens.push_back({info(Type(n - word_count)).name, Type(n - word_count), std::nullopt});
  }
  std::vector<Needs> result{form(op).needs};
  for (const Alternative* chosen : fit(table().spellings[op.form], tokens).chosen)
    if (chosen->needs) result.push_back(*chosen->needs);
  return result;
}

}  // namespace ptxeq::ir
