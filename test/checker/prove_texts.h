// Proves two kernels that a test spells out.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "checker/prove.h"
#include "checker/spec.h"
#include "grammar/reader.h"

namespace ptxeq::check::test {

inline Report prove_texts(const std::string& a, const std::string& ref, const std::string& spec, double timeout_s,
                          unsigned jobs = 0) {
  const auto first = grammar::read(a, "a.ptx"), second = grammar::read(ref, "ref.ptx");
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  const auto parsed = read_spec(spec, "spec.toml");
  REQUIRE(parsed.findings.empty());
  const auto resolved = resolve(parsed.spec, *first.module, &*second.module);
  REQUIRE(resolved.findings.empty());
  Limits limits;
  limits.timeout_s = timeout_s, limits.jobs = jobs;
  return prove(resolved.problem, limits);
}

}  // namespace ptxeq::check::test
