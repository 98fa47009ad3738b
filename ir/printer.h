// IR as PTX text.
#pragma once

#include <string>

#include "ir/module.h"

namespace ptxeq::ir {

std::string print(const Module& module);
std::string print(const Module& module, const Function& function, const Instruction& instruction);

}  // namespace ptxeq::ir
