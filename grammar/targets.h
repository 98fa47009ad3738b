// The targets that exist, and since which PTX version (PTX ISA 11.1.2 and 13, "Release Notes").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ptxeq::grammar {

inline constexpr unsigned newest_ptx = 91;
inline constexpr unsigned newest_sm = 121;

// Is there a PTX major.minor?
bool is_version(unsigned major, unsigned minor);

struct Target {
  std::string_view name;
  std::uint16_t sm;
  char suffix;          // 'a', 'f' or 0
  std::uint16_t since;  // major * 10 + minor
};

const Target* find_target(std::string_view name);
std::string target_hint(std::string_view name);
// debug, texmode_unified ...
bool is_target_option(std::string_view word);

}  // namespace ptxeq::grammar
