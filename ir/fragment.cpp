// How many registers of a thread hold a matrix of wmma, mma, wgmma: PTX ISA 9.7.14.4.1, 9.7.14.5, 9.7.15.5.1.
#include <charconv>

#include "ir/isa.h"

namespace ptxeq::ir {
using namespace literals;
namespace {

struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;
};

// "m16n8k16"
MatrixShape parse_shape(std::string_view word) {
  MatrixShape shape;
  const char* at = word.data();
  const char* const end = at + word.size();
  for (auto [letter, number] : {std::pair('m', &shape.m), std::pair('n', &shape.n), std::pair('k', &shape.k)}) {
    if (at == end || *at != letter) return {};
    at = std::from_chars(at + 1, end, *number).ptr;
  }
  return at == end ? shape : MatrixShape{};
}

MatrixShape shape_of(const Opcode& op) {
  for (unsigned i = 0; i < op.order_count; ++i)
    if (op.order[i] < word_count)
      if (MatrixShape shape = parse_shape(text(Word(op.order[i]))); shape.k) return shape;
  return {};
}

// Which of the matrices a, b, c, d: the operand's name, or the word of wmma.load.
char role_of(const Opcode& op, const OperandPattern& pattern) {
  if (pattern.name != "r") return pattern.name[0];
  return op.has("a"_w) ? 'a' : op.has("b"_w) ? 'b' : 'c';
}

// Bits that an element takes in a register: the 4- and 6-bit formats stand in bytes unless the kind packs them.
unsigned element_bits(const Opcode& op, Type type) {
  const bool narrow = type == Type::e2m1 || type == Type::e2m3 || type == Type::e3m2;
  return !narrow ? bits(type) : op.has("kind::mxf4"_w) || op.has("kind::mxf4nvf4"_w) ? 4 : 8;
}

}  // namespace

unsigned fragment_registers(const Opcode& op, const OperandPattern& pattern) {
  const Type type = pattern.type_slot < op.type_count ? op.types[pattern.type_slot] : Type::none;
  const auto family = mnemonic(form(op));
  const char role = role_of(op, pattern);
  const bool factor = role == 'a' || role == 'b';
  const auto [m, n, k] = shape_of(op);
  if (family == "wmma" && factor && type == Type::f16) return 8;       // each element is held twice
  if (family == "mma" && m * n * k == 8 * 8 * 4 && type != Type::f64)  // four products at once
    return factor ? 2 : type == Type::f16 ? 4 : 8;
  const bool sparse = op.has("sp"_w) || op.has("sp::ordered_metadata"_w);
  const unsigned elements = role == 'a' ? m * k / (sparse ? 2 : 1) : role == 'b' ? k * n : m * n;
  const unsigned threads = family == "wgmma" ? 128 : 32, width = type == Type::f64 ? 64 : 32;
  return std::max(1u, elements * element_bits(op, type) / threads / width);
}

}  // namespace ptxeq::ir
