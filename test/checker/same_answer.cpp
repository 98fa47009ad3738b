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

// Each thread adds three numbers; `body` leaves the sum in %f4 and may skip the store.
std::string kernel(const std::string& body) {
  return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y, .param .u64 z, .param .u64 o, .param .u32 n) {
  .reg .pred %p<4>; .reg .f32 %f<8>; .reg .b32 %r<8>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u64 %rd3, [z]; ld.param.u64 %rd4, [o]; ld.param.u32 %r5, [n];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r1, 32, %r2;
  mul.wide.u32 %rd5, %r3, 4;
  add.u64 %rd1, %rd1, %rd5; add.u64 %rd2, %rd2, %rd5; add.u64 %rd3, %rd3, %rd5; add.u64 %rd4, %rd4, %rd5;
  ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd2]; ld.global.f32 %f3, [%rd3];
)" + body +
         "  st.global.f32 [%rd4], %f4;\nSKIP:\n  ret;\n}\n";
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
           ", 1, 1]\nblock = [32, 1, 1]\nargs = [\"x\", \"y\", \"z\", \"o\", \"n\"]\n";
  return "float = \"real\"\n[scalar.n]\ntype = \"u32\"\n" + out;
}

Report ask(const std::string& a, const std::string& ref, unsigned blocks, unsigned jobs = 0, double seconds = 30) {
  return prove_texts(kernel(a), kernel(ref), spec(blocks), seconds, jobs);
}

void check_rounding(const Report& r) {
  CHECK(r.verdict == check::Verdict::inconclusive);
  REQUIRE(r.reason);
  CHECK(r.reason->code == check::ReasonCode::rounding_unbounded);
}

// All that is said, but what it cost.
std::string printed(Report r) {
  r.cost.clear(), r.time_s = 0, r.peak_mib = 0;
  return check::print_json(r);
}

void check_same(const std::string& a, const std::string& ref) {
  const std::string first = printed(ask(a, ref, 64, 1));
  for (unsigned repeat = 0; repeat < 12; ++repeat) CHECK(printed(ask(a, ref, 64)) == first);
}

}  // namespace

TEST_CASE("sums in another order are not shown to differ over the reals") {
  check_rounding(ask(reordered, reference, 64));
}

TEST_CASE("one block, or one thread, that differs over the reals is found among those that differ in bits") {
  struct Place {
    const char* where;
    unsigned blocks;
    std::uint64_t first, last;  // elements that are at fault
  };
  for (const auto& [where, blocks, first, last] :
       {Place{"%r1, 41", 64, 41 * 32, 41 * 32 + 31}, {"%r3, 977", 64, 977, 977}, {"%r3, 17", 1, 17, 17}})
    for (const char* fault : {"@%p1 sub.rn.f32 %f4, %f4, %f2;\n", "@%p1 bra SKIP;\n"})
      for (const bool swapped : {false, true}) {
        const std::string faulty = reordered + "setp.eq.u32 %p1, " + where + ";" + fault;
        CAPTURE(faulty);
        const Report r = swapped ? ask(reference, faulty, blocks) : ask(faulty, reference, blocks);
        REQUIRE(r.verdict == check::Verdict::different);
        REQUIRE(r.counterexample);
        CHECK(r.counterexample->element >= first);
        CHECK(r.counterexample->element <= last);
      }
}

// Which way is taken, or whether a thread traps, rests on a sum that is 1 over the reals.
TEST_CASE("a choice that rounding alone makes is none over the reals") {
  const std::string loop =
      "mov.f32 %f6, 0f00000000; mov.u32 %r6, 0; setp.eq.u32 %p2, %r5, 0; @%p2 bra D;\n"
      "L: add.rn.f32 %f6, %f6, %f1; add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, %r5; @%p2 bra L;\nD:\n";
  const std::string choice =
      "setp.gt.f32 %p1, %f4, 0f3f800000; selp.f32 %f4, %f4, 0fC1200000, %p1;\n"
      "setp.gt.u32 %p3, %r5, 5; selp.f32 %f4, %f6, %f4, %p3;\n";
  check_rounding(
      ask("bar.sync 0;\n" + loop + reordered + choice, "bar.sync 0;\n" + loop + reference + choice, 1, 0, 5));
  const std::string cancelled = "add.rn.f32 %f7, %f1, %f2; sub.rn.f32 %f7, %f7, %f2;\n";
  check_rounding(ask(reference + cancelled + "setp.neu.f32 %p1, %f7, %f1; @%p1 trap;\n", reference, 1, 0, 5));
  const Report r = ask(reference + "setp.gt.f32 %p1, %f1, 0f3f800000; @%p1 trap;\n", reference, 1);
  REQUIRE(r.counterexample);
  CHECK(r.counterexample->traps == Side::a);
}

TEST_CASE("what is said does not depend on which thread comes first") {
  SUBCASE("of differences")
  check_same(reordered +
                 "and.b32 %r4, %r1, 24; setp.eq.u32 %p1, %r4, 16; @%p1 sub.rn.f32 %f4, %f4, %f2;\n"
                 "setp.lt.u32 %p1, %r1, 7; @%p1 add.rn.f32 %f4, %f4, %f2;\n"
                 "setp.gt.u32 %p1, %r1, 53; @%p1 mul.rn.f32 %f4, %f4, %f2;\n",
             reference);
  SUBCASE("of faults")
  check_same(reference +
                 "setp.eq.u32 %p1, %r1, 5; @%p1 ld.global.f32 %f4, [%rd1+100020];\n"
                 "setp.eq.u32 %p1, %r1, 29; @%p1 ld.global.f32 %f4, [%rd2+100116];\n"
                 "setp.eq.u32 %p1, %r1, 60; @%p1 ld.global.f32 %f4, [%rd3+100240];\n",
             reference);
}

// A condition of a fault that nothing decides stands in the first blocks, a sure fault in the last, or the other way.
TEST_CASE("a block that is not decided does not hide another's fault") {
  const std::string open =
      "ex2.approx.f32 %f5, %f2; ex2.approx.f32 %f6, %f3; sub.rn.f32 %f5, %f5, %f6;\n"
      "setp.eq.f32 %p2, %f5, 0f3f812345; @%p2 ld.global.f32 %f4, [%rd1+100000000];\n";
  const std::string sure = "ld.global.f32 %f4, [%rd2+100000000];\n";
  for (const bool first : {false, true}) {
    const std::string faults = "setp.ge.u32 %p1, %r1, 30; @%p1 bra HIGH;\n" + (first ? sure : open) +
                               "bra DONE;\nHIGH:\n" + (first ? open : sure) + "DONE:\n";
    const Report r = ask(reference + faults, reference, 64);
    CHECK(r.verdict == check::Verdict::invalid);
    REQUIRE(!r.findings.empty());
    CHECK(r.findings[0].code == "out-of-bounds");
    CHECK(r.evidence.mode == "symbolic");
  }
}
