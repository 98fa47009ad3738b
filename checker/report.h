// The answer, as a value; text and JSON are printed from it (checker/print_text.cpp, checker/print_json.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/finding.h"

namespace ptxeq::check {

enum class Verdict : std::uint8_t { none, equivalent, different, inconclusive, invalid };
enum class Strength : std::uint8_t { none, bits, real, tested };

// Closed list of reasons, DESIGN "JSON". Order as there.
enum class ReasonCode : std::uint8_t {
  timeout,
  memory,
  unsupported,
  unroll_limit,
  unspecified_result,
  contractible_fp,
  schedule_dependent,
  address_unresolved,
  solver_unknown,
  tested_only,
  rounding_unbounded,
  usage,
  input,
  spec,
  internal
};
std::string_view name(Verdict verdict);
std::string_view name(Strength strength);
std::string_view name(ReasonCode code);  // "unroll-limit"

// A scalar as text shows it: one that is called as a side is would read as that side's value.
std::string scalar_name(const std::string& name);

struct Reason {
  ReasonCode code{};
  std::string message;
  std::optional<Side> side;
  std::string file;
  std::uint32_t line = 0;
};

struct Value {       // one element with its type, for printing
  std::string type;  // "f32"
  std::uint64_t bits = 0;
};

struct ThreadAt {
  std::array<std::uint32_t, 3> block{}, thread{};
};

// One executed instruction that matters to the difference, with its operands filled in.
struct Step {
  Side side = Side::a;
  std::string file;
  std::uint32_t line = 0;
  std::string text;    // "shl.b32 %z, %a, %b;"
  std::string values;  // "1 << 32 = 0"
};

struct Counterexample {
  std::string klass;  // logic, rounding, nan-only, signed-zero, denormal
  std::map<std::string, Value> scalars;
  // Elements that matter, by buffer and index.
  std::map<std::string, std::map<std::uint64_t, Value>> buffers;
  std::map<std::string, Value> elsewhere;  // the other elements of a buffer, where the spec does not allow zero
  std::string buffer;                      // where they differ: buffer[element]
  std::uint64_t element = 0;
  std::optional<Value> a, ref;                   // nothing where a side traps
  std::optional<Side> traps;                     // the one that does; memory says nothing then
  std::optional<ThreadAt> thread_a, thread_ref;  // who wrote it last; nothing: nobody
  std::uint32_t line_a = 0, line_ref = 0;
  std::vector<Step> steps;
  bool replayed = false;
};

struct Evidence {
  std::uint64_t obligations = 0, by_normal_form = 0, by_evaluation = 0, by_enumeration = 0, by_solver = 0, tests = 0;
  std::uint64_t boxes = 0, splits = 0;
  std::string mode;                        // "concrete" blocks or "symbolic"
  std::vector<std::string> blocks;         // of each launch: what it was proved as, "a 1048576 blocks"
  std::string one_by_one;                  // why blocks were run one by one though symbols were tried, empty: no
  std::vector<std::string> split_reasons;  // of a grid taken as boxes: what was cut, and for which instruction
  std::uint64_t summarised_loops = 0;      // whose count depends on a scalar, taken as functions
  std::uint64_t shapes = 0;                // distinct shapes among the obligations
};

struct Report {
  Verdict verdict = Verdict::none;
  Strength strength = Strength::none;
  std::optional<Reason> reason;
  std::vector<std::string> assumptions, approximations;
  std::vector<Finding> findings;
  std::optional<Counterexample> counterexample;
  Evidence evidence;
  std::map<std::string, double> cost;  // seconds a stage
  double time_s = 0;
  double peak_mib = 0;
  // What was asked, for the text's head lines.
  std::string title_a, title_ref;
  std::vector<std::string> context;  // "grid     a 4×256 threads, ref 1×256", ready to print
  std::string launch;                // the fixed launch that shows what was asked of every one, empty: none
  std::string precondition;          // one more that would do, proved; empty: none known
  bool input_error = false;          // exit 2
  int exit_code() const;             // DESIGN "Command line": 0 1 2 3 4, 70 for an internal error
};

// Of several questions' answers the weightiest is told (SOUNDNESS rule 2).
int weight(const Report& r);

}  // namespace ptxeq::check
