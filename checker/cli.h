// The command line: options as values, and the one function that main calls. CLI11 stays inside cli.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "checker/flags.h"
#include "checker/problem.h"
#include "checker/report.h"

namespace ptxeq::check {

using Clock = std::chrono::steady_clock;

enum class Color : std::uint8_t { auto_, always, never };

struct Options {
  std::string command;  // prove, check, run, spec, isa
  std::string a, ref;   // paths; "-" is stdin
  std::string spec;     // --spec, empty: flags
  LaunchFlags launch;
  std::string isa_name;
  std::optional<Float> floats;  // --float, over the spec's own
  std::optional<Strength> min_strength;
  Limits limits;
  std::uint64_t max_input_mib = 32;
  bool json = false;
  bool color = false;
  bool quiet = false;
  Clock::time_point start;  // of the program
};

// What a command has to say: results for stdout, messages for stderr.
struct Answer {
  std::string out, err;
  int exit = 0;
};

// Never throws; what goes wrong inside is exit 70.
int run_command_line(int argc, const char* const* argv);

}  // namespace ptxeq::check
