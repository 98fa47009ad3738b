#include <fmt/format.h>
#include <z3.h>

#include "checker/print.h"

namespace ptxeq::check {

std::string_view version() { return PTXEQ_VERSION; }

std::string z3_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return fmt::format("{}.{}.{}", major, minor, build);
}

}  // namespace ptxeq::check
