// Divisions by constants as compilers spell them: a product with a rounded reciprocal, shifted right (Granlund and
// Montgomery, "Division by invariant integers using multiplication", 1994).
#pragma once

#include <optional>

#include "symbolic/term.h"

namespace ptxeq::sym {

struct Quotient {
  Term x = 0;
  u64 divisor = 0;  // at least 2
};

// Bits [low, width) of t are floor(x / divisor), unsigned.
std::optional<Quotient> unsigned_quotient(TermStore& store, Term t, unsigned low);

// t + (1 where x < 0) is x / divisor, signed and rounded to zero.
std::optional<Quotient> signed_quotient(TermStore& store, Term t);

// The x of which t has the sign, t being the upper bits of the exact product of x with a positive number; else 0.
Term factor_with_sign_of(TermStore& store, Term t);

}  // namespace ptxeq::sym
