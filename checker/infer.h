// What a kernel's body says about its parameters: which are pointers, and to what.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/module.h"

namespace ptxeq::check {

struct ParamUse {
  enum class Pointer : std::uint8_t { no, maybe, yes } pointer = Pointer::no;
  bool loaded = false, stored = false;  // through the pointer
  ir::Type element = ir::Type::none;    // of the first access; .b32 gives way to a later .f32
  bool pointer_like() const { return pointer != Pointer::no; }
};

// One entry a parameter. A guess from data flow that ignores control flow: a 64-bit parameter is a pointer when an
// address is reached from it through mov, cvta, add, sub and the addend of mad. `maybe`: another parameter that
// surely is a pointer, or an equal candidate, takes part in the same sums.
std::vector<ParamUse> infer_params(const ir::Function& kernel);

}  // namespace ptxeq::check
