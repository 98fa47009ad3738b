// Modifier words: every ".word" that may follow an opcode, as a small number.
// A word that is no data type is found by name at compile time: op.has("sat"_w).
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/word_list.h"

namespace ptxeq::ir {

enum class Word : std::uint16_t {};
inline constexpr std::size_t word_count = std::size(word_list);
using WordSet = std::bitset<(word_count + 63) / 64 * 64>;

constexpr std::optional<Word> find_word(std::string_view text) {
  const auto* at = std::lower_bound(std::begin(word_list), std::end(word_list), text);
  if (at == std::end(word_list) || *at != text) return std::nullopt;
  return Word(at - std::begin(word_list));
}
constexpr std::string_view text(Word word) { return word_list[std::size_t(word)]; }

namespace literals {
consteval Word operator""_w(const char* text, std::size_t size) { return find_word({text, size}).value(); }
}  // namespace literals

}  // namespace ptxeq::ir
