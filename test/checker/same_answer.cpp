// One question has one answer, whichever thread comes first; and a difference that is one over the reals is preferred.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "checker/print.h"
#include "test/checker/prove_texts.h"

using namespace ptxeq;
using check::Report;
using check::test::prove_texts;

namespace {

// Each thread adds three numbers; `order` leaves the sum in %f4.
std::string kernel(const std::string& order) {
  return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y, .param .u64 z, .param .u64 o) {
  .reg .pred %p<2>; .reg .f32 %f<5>; .reg .b32 %r<5>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u64 %rd3, [z]; ld.param.u64 %rd4, [o];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r1, 32, %r2;
  mul.wide.u32 %rd5, %r3, 4;
  add.u64 %rd1, %rd1, %rd5; add.u64 %rd2, %rd2, %rd5; add.u64 %rd3, %rd3, %rd5; add.u64 %rd4, %rd4, %rd5;
  ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd2]; ld.global.f32 %f3, [%rd3];
)" + order +
         "  st.global.f32 [%rd4], %f4;\n  ret;\n}\n";
}

const std::string reference = "add.rn.f32 %f4, %f1, %f2; add.rn.f32 %f4, %f4, %f3;\n";
const std::string reordered = "add.rn.f32 %f4, %f2, %f3; add.rn.f32 %f4, %f1, %f4;\n";  // the same over the reals

std::string spec(unsigned blocks) {
  std::string out;
  for (const char* name : {"x", "y", "z", "o"})
    out += "[buffer." + std::string(name) + "]\ntype = \"f32\"\ncount = " + std::to_string(32 * blocks) +
           "\nrole = " + (*name == 'o' ? "\"out\"" : "\"in\"") + "\n";
  for (const char* side : {"a", "ref"})
    out += "[" + std::string(side) + "]\nkernel = \"k\"\ngrid = [" + std::to_string(blocks) +
           ", 1, 1]\nblock = [32, 1, 1]\nargs = [\"x\", \"y\", \"z\", \"o\"]\n";
  return "float = \"real\"\n" + out;
}

Report ask(const std::string& faulty, unsigned blocks) {
  return prove_texts(kernel(reordered + faulty), kernel(reference), spec(blocks), 30);
}

// All that is said, but what it cost.
std::string printed(Report r) {
  REQUIRE(r.counterexample);
  REQUIRE(!r.evidence.split_reasons.empty());
  r.cost.clear(), r.time_s = 0, r.peak_mib = 0;
  return check::print_json(r);
}

}  // namespace

TEST_CASE("sums in another order are not shown to differ over the reals") {
  const Report r = ask("", 64);
  CHECK(r.verdict == check::Verdict::inconclusive);
  REQUIRE(r.reason);
  CHECK(r.reason->code == check::ReasonCode::rounding_unbounded);
}

TEST_CASE("one block, or one thread, that differs over the reals is found among those that differ in bits") {
  for (const auto& [where, at] : {std::pair{"%r1", 41u}, std::pair{"%r2", 17u}}) {
    for (const unsigned blocks : {1u, 64u}) {
      if (blocks == 1 && at == 41) continue;
      const Report r = ask(
          "setp.eq.u32 %p1, " + std::string(where) + ", " + std::to_string(at) + "; @%p1 sub.rn.f32 %f4, %f4, %f2;\n",
          blocks);
      CAPTURE(where);
      CAPTURE(blocks);
      REQUIRE(r.verdict == check::Verdict::different);
      REQUIRE(r.counterexample);
    }
  }
}

TEST_CASE("the counterexample and the splits do not depend on which thread comes first") {
  const std::string faulty =
      "and.b32 %r4, %r1, 24; setp.eq.u32 %p1, %r4, 16; @%p1 sub.rn.f32 %f4, %f4, %f2;\n"
      "setp.lt.u32 %p1, %r1, 7; @%p1 add.rn.f32 %f4, %f4, %f2;\n"
      "setp.gt.u32 %p1, %r1, 53; @%p1 mul.rn.f32 %f4, %f4, %f2;\n";
  const std::string first = printed(ask(faulty, 64));
  for (unsigned repeat = 0; repeat < 12; ++repeat) CHECK(printed(ask(faulty, 64)) == first);
}
