// Running both kernels on concrete inputs, to show a difference.
#pragma once

#include <optional>

#include "checker/group.h"

namespace ptxeq::check {

// Runs both sides on the refutation's input and looks at its bytes first, then at all others. Nothing where no
// difference shows (the reason then says so).
std::optional<Counterexample> replay(const Setup& setup, const Refutation& refutation, const GroupOptions& options,
                                     Reason& reason);

// The contents of element `index` of an object in a concrete run.
std::uint64_t concrete_element(const Setup& setup, const LeafDomains& domains, const InputModel& input,
                               sym::ObjectId object, std::uint64_t index);

}  // namespace ptxeq::check
