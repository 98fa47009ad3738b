// Obligations: pairs of terms that must be equal, discharged cheapest first (DESIGN idea 4).
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "checker/report.h"
#include "symbolic/term.h"

namespace ptxeq::check {

// What a leaf may be: part of the obligation's identity (SOUNDNESS rule 6). A leaf without one may be anything.
struct LeafDomain {
  unsigned width = 0;
  bool floating = false;  // bf16: width 16 and `bf16`
  bool bf16 = false;
  bool is_signed = false;
  bool finite = false;                                    // no NaN, no infinity
  std::optional<std::array<double, 2>> values{};          // floats: inclusive range, no NaN
  std::optional<std::array<std::int64_t, 2>> integers{};  // integers: inclusive range
  std::uint64_t multiple_of = 1;
  friend bool operator==(const LeafDomain&, const LeafDomain&) = default;
};
using LeafDomains = std::function<LeafDomain(const sym::Leaf&)>;

struct Obligation {
  sym::Term a = 0, ref = 0;  // equal widths
  sym::Term condition = 0;   // 1 bit; must be equal where it holds; 0: always
};

enum class Outcome : std::uint8_t { proved, refuted, unknown };
struct Decision {
  Outcome outcome = Outcome::unknown;
  enum class By : std::uint8_t { normal_form, evaluation, enumeration, solver } by = By::normal_form;
  // Refuted: value of each leaf of the obligation. Unknown for another reason than time: may hold an input on which
  // the two differ for some meaning of what is unspecified, approximate or fused, for a replay elsewhere to settle.
  std::unordered_map<sym::Term, sym::u64> model;
  ReasonCode why = ReasonCode::solver_unknown;  // unknown: why
  bool assumed_unfused = false;                 // proved, but only where no contractible mul/add pair is fused
  std::size_t shape = 0;                        // those of one shape share their decision
};

using Deadline = std::chrono::steady_clock::time_point;

struct DischargeOptions {
  Deadline deadline;
  unsigned jobs = 1;
  sym::u64 seed = 0;
  std::string dump_smt2;  // folder for the queries, empty: none
};

// Decides every obligation; the result has their order. One representative a shape is decided, and its decision is
// carried over (rule 7: the shape's key holds the repetition pattern of leaves, widths, constants, domains and the
// condition). A model speaks of the obligation's own leaves. Approximate and unspecified nodes are uninterpreted
// functions of their operands; a refutation that rests on one is not given (unknown, unspecified_result), nor is one
// that rests on an undefined leaf, unless the two sides differ whatever its value.
// Contractible mul/add pairs: a refutation must hold fused and not fused on each side (unknown, contractible_fp).
// Once one obligation is refuted, the rest are decided only as far as that is cheap (others: unknown, timeout).
std::vector<Decision> discharge(sym::TermStore& store, const std::vector<Obligation>& obligations,
                                const LeafDomains& domains, const DischargeOptions& options, Evidence& evidence);

// The term with every contractible mark dropped, and with every contractible mul/add pair as one fma (SOUNDNESS rule
// 12: what ptxas may make of it).
sym::Term unfused(sym::TermStore& store, sym::Term t);
sym::Term fused(sym::TermStore& store, sym::Term t);

// In what way two results differ: logic, rounding, nan-only, signed-zero or denormal; integers (no format): logic.
std::string difference_class(std::optional<sym::Format> format, sym::u64 a, sym::u64 ref);

// Is there an assignment under which the 1-bit term holds? refuted: no such; proved: yes, with a model.
Decision satisfiable(sym::TermStore& store, sym::Term condition, const LeafDomains& domains,
                     const DischargeOptions& options);

}  // namespace ptxeq::check
