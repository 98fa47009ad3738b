// What a check has to say about a place in a file. Codes are stable: other programs read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxeq {

// A place in a text, counted from 1; line 0 means "no place".
struct Location {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const Location&, const Location&) = default;
};

enum class Severity : std::uint8_t { critical, warning, info };
enum class Side : std::uint8_t { a, ref, spec };

std::string_view name(Severity severity);
std::string_view name(Side side);

struct Finding {
  std::string code;  // one of finding_codes()
  Severity severity = Severity::critical;
  Side side = Side::a;
  std::string message;  // place, cause and cure in one sentence; no trailing full stop needed
  std::string file;
  Location at;
  std::string witness;  // accesses, threads and inputs that show it; lines split by '\n'
  std::string fix;      // only what was checked
};

struct FindingCode {
  std::string_view code;
  std::string_view meaning;  // one sentence, for the docs
};
// The closed list of codes, in the order of the documentation.
const std::vector<FindingCode>& finding_codes();

}  // namespace ptxeq
