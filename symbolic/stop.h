// Why a run ended before its kernel did.
#pragma once

#include <cstdint>
#include <string>

#include "ir/finding.h"

namespace ptxeq::sym {

struct Stop {
  enum class Why : std::uint8_t {
    none,
    unsupported,   // reached something that is not modelled
    unroll_limit,  // a loop with a data-dependent count went past the limit
    timeout,
    memory,
    unspecified_result,  // the rest depends on a value that the manual leaves open
    schedule_dependent,  // an order that is not known to be fixed could matter
    address_unresolved,  // an address or a branch that cannot be decided
    cut,                 // the launch symbols' ranges cannot decide the instruction that `message` holds; see
                         // SymbolicDomain::cut
    fault,               // a finding that makes the kernel invalid; see Machine::findings
  } why = Why::none;
  std::string message;
  Location at;  // in the side's PTX file
  explicit operator bool() const { return why != Why::none; }
};

}  // namespace ptxeq::sym
