#include "grammar/targets.h"

#include <algorithm>
#include <array>

#include "grammar/diagnostics.h"

namespace ptxeq::grammar {

namespace {

constexpr std::array targets{
    Target{"sm_10", 10, 0, 10},      Target{"sm_11", 11, 0, 10},      Target{"sm_12", 12, 0, 12},
    Target{"sm_13", 13, 0, 12},      Target{"sm_20", 20, 0, 20},      Target{"sm_21", 21, 0, 20},
    Target{"sm_30", 30, 0, 30},      Target{"sm_32", 32, 0, 40},      Target{"sm_35", 35, 0, 31},
    Target{"sm_37", 37, 0, 41},      Target{"sm_50", 50, 0, 40},      Target{"sm_52", 52, 0, 41},
    Target{"sm_53", 53, 0, 42},      Target{"sm_60", 60, 0, 50},      Target{"sm_61", 61, 0, 50},
    Target{"sm_62", 62, 0, 50},      Target{"sm_70", 70, 0, 60},      Target{"sm_72", 72, 0, 61},
    Target{"sm_75", 75, 0, 63},      Target{"sm_80", 80, 0, 70},      Target{"sm_86", 86, 0, 71},
    Target{"sm_87", 87, 0, 74},      Target{"sm_88", 88, 0, 90},      Target{"sm_89", 89, 0, 78},
    Target{"sm_90", 90, 0, 78},      Target{"sm_90a", 90, 'a', 80},   Target{"sm_100", 100, 0, 86},
    Target{"sm_100a", 100, 'a', 86}, Target{"sm_100f", 100, 'f', 88}, Target{"sm_101", 101, 0, 86},
    Target{"sm_101a", 101, 'a', 86}, Target{"sm_101f", 101, 'f', 88}, Target{"sm_103", 103, 0, 88},
    Target{"sm_103a", 103, 'a', 88}, Target{"sm_103f", 103, 'f', 88}, Target{"sm_110", 110, 0, 90},
    Target{"sm_110a", 110, 'a', 90}, Target{"sm_110f", 110, 'f', 90}, Target{"sm_120", 120, 0, 87},
    Target{"sm_120a", 120, 'a', 87}, Target{"sm_120f", 120, 'f', 88}, Target{"sm_121", 121, 0, 88},
    Target{"sm_121a", 121, 'a', 88}, Target{"sm_121f", 121, 'f', 88},
};
constexpr std::array<std::string_view, 5> options{"debug", "texmode_unified", "texmode_independent", "map_f64_to_f32",
                                                  "texmode_raw"};

// The last minor version of each major one.
constexpr std::array<unsigned, 10> last_minor{0, 5, 3, 2, 3, 1, 5, 8, 8, 1};

}  // namespace

bool is_version(unsigned major, unsigned minor) {
  return major >= 1 && major < last_minor.size() && minor <= last_minor[major];
}

const Target* find_target(std::string_view name) {
  const auto* at = std::find_if(targets.begin(), targets.end(), [&](const Target& t) { return t.name == name; });
  return at == targets.end() ? nullptr : at;
}

std::string target_hint(std::string_view name) {
  Nearest nearest(name);
  constexpr unsigned oldest = 50;  // what a mistyped target hardly means
  for (const Target& target : targets)
    if (target.sm >= oldest) nearest.offer(target.name);
  return nearest.hint();
}

bool is_target_option(std::string_view word) {
  return std::find(options.begin(), options.end(), word) != options.end();
}

}  // namespace ptxeq::grammar
