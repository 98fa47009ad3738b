// Every operation has one meaning: apply() (itself tested against hardware), blocks of assignments, partial values and
// the solver must agree on it.
#include <doctest/doctest.h>

#include "checker/sample_run.h"
#include "checker/smt.h"
#include "test/checker/rules_random.h"

using namespace ptxeq::check;
using namespace ptxeq::check::test;

namespace {

std::vector<Form> all_forms() {
  std::vector<Form> out = integer_forms();
  const std::vector<Form> floats = float_forms(true);
  out.insert(out.end(), floats.begin(), floats.end());
  return out;
}

u64 operand(const std::vector<u64>& leaves, std::size_t k) { return k < leaves.size() ? leaves[k] : 0; }

}  // namespace

TEST_CASE("blocks of assignments compute what apply computes") {
  for (const Form& f : all_forms()) {
    const Shape shape = one_instruction(f);
    Runner runner(shape, 64);
    Sampler sampler(shape, 7);
    unsigned wrong = 0;
    for (int block = 0; block < 12; ++block) {
      std::vector<std::vector<u64>> lanes(runner.lanes());
      for (unsigned k = 0; k < runner.lanes(); ++k) {
        REQUIRE(sampler.next(lanes[k]));
        for (u32 i = 0; i < lanes[k].size(); ++i) runner.leaf(i)[k] = lanes[k][i];
      }
      runner.run();
      for (unsigned k = 0; k < runner.lanes(); ++k) {
        const u64 expected = value_of(f, operand(lanes[k], 0), operand(lanes[k], 1), operand(lanes[k], 2));
        wrong += runner.value(shape.roots[0])[k] != expected;
        const Partial partial = run_partial(shape, lanes[k])[0];
        wrong += partial.bits != expected || partial.unknown != 0;
      }
    }
    CHECK_MESSAGE(wrong == 0, describe(f));
  }
}

TEST_CASE("the solver's operations give what apply gives") {
  const SmtOptions options{std::chrono::steady_clock::now() + std::chrono::minutes(10), 1, ""};
  Random random(3);
  for (const Form& f : all_forms()) {
    // One query on many operands: the conjunction would be slow to read, so each is its own small one; fewer for
    // floats.
    const Shape operands = one_instruction(f);
    Sampler sampler(operands, random.next());
    std::vector<u64> leaves;
    const int tries = ptxeq::sym::is_float(f.op) ? 3 : 6;
    for (int k = 0; k < tries; ++k) {
      const u64 skip = random.below(40);
      for (u64 s = 0; s <= skip; ++s) REQUIRE(sampler.next(leaves));
      const u64 expected = value_of(f, operand(leaves, 0), operand(leaves, 1), operand(leaves, 2));
      const Shape question = one_instruction(f, expected);
      const std::vector<std::optional<u64>> fixed(leaves.begin(), leaves.end());
      CHECK_MESSAGE(solve(question, options, fixed).result == SmtResult::unsat,
                    describe(f) << " a " << operand(leaves, 0) << " b " << operand(leaves, 1) << " c "
                                << operand(leaves, 2) << " expected " << expected);
    }
  }
}
