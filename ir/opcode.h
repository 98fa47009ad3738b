// An instruction's opcode once it is matched to a row of the instruction table.
#pragma once

#include <array>
#include <cstdint>

#include "ir/type.h"
#include "ir/word.h"

namespace ptxeq::ir {

// Small and trivially copyable, so that the semantics can take it by value out of hot loops.
struct Opcode {
  std::uint16_t form = 0;  // row in the instruction table, see ir/isa.h
  std::uint8_t type_count = 0;
  std::array<Type, 5> types{};            // data types in the order written: cvt.f32.s8 has {f32, s8}
  std::array<std::uint16_t, 16> order{};  // the words as written (types too: word_count + Type), for printing
  std::uint8_t order_count = 0;
  WordSet words;  // every non-type word present

  bool has(Word word) const { return words[std::size_t(word)]; }
  Type type(unsigned i = 0) const { return types[i]; }
  unsigned bits(unsigned i = 0) const { return ir::bits(types[i]); }
  friend bool operator==(const Opcode&, const Opcode&) = default;
};

}  // namespace ptxeq::ir
