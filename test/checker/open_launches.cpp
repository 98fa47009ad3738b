// Kernels under every launch: o[i] = 2 x[i] + 1 for i < n in several forms, each form's faults, and what of a loop by
// steps of the whole launch must not be taken for all passes.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "test/checker/open_texts.h"
#include "test/checker/prove_texts.h"

using namespace ptxeq;
using namespace check::test;
using check::Report;
using check::Verdict;

namespace {

constexpr double in_vain = 3;  // seconds, where more would not decide it either

Report ask(const std::string& a, const std::string& text, double seconds = 20) {
  return check::test::prove_texts(a, direct(), text, seconds);
}

}  // namespace

TEST_CASE("every launch that has a thread for each element") {
  CHECK(ask(direct(), spec("n")).verdict == Verdict::equivalent);
  CHECK(ask(direct("setp.lt.u32 %p2, %i, %n; not.pred %p1, %p2;"), spec("n")).verdict == Verdict::equivalent);
  for (const char* launch : {"grid = \"any\"\nblock = [96, 1, 1]\nmax_threads = 1073741824\n",
                             "grid = \"any\"\nblock = [[96, 1, 1], [256, 1, 1]]\nmax_threads = 1073741824\n"})
    CHECK(ask(direct(), spec("n", "u32", "[0, 1073741824]", launch)).verdict == Verdict::equivalent);
}

TEST_CASE("a fixed block in any grid: by the index, or by block and thread") {
  const char* const launch = "grid = \"any\"\nblock = [64, 1, 1]\nmax_threads = 1073741824\n";
  const std::string text = spec("n", "u32", "[0, 1073741824]", launch);
  CHECK(ask(strided(), text).verdict == Verdict::equivalent);
  // tid.x is the index modulo 64
  CHECK(
      ask(direct("setp.ge.u32 %p1, %i, %n;", "and.b32 %r20, %i, 63; sub.u32 %r20, %r20, %r3; add.u32 %v, %v, %r20;\n"),
          text)
          .verdict == Verdict::equivalent);
  CHECK(
      ask(direct("setp.ge.u32 %p1, %i, %n;", "and.b32 %r20, %i, 31; sub.u32 %r20, %r20, %r3; add.u32 %v, %v, %r20;\n"),
          text)
          .verdict == Verdict::different);
}

TEST_CASE("a launch that need not have a thread for each element differs, and what would do is named") {
  const Report r = ask(direct(), spec("1"));
  CHECK(r.verdict == Verdict::different);
  CHECK(r.precondition == "a's min_threads = \"n\"");
  CHECK(r.counterexample->replayed);
}

TEST_CASE("preconditions that nothing satisfies prove nothing") {
  CHECK(ask(direct(), spec("n + 2000000000")).verdict != Verdict::equivalent);
}

TEST_CASE("one n, one element or the last element wrong is found") {
  std::mt19937_64 random(7);
  for (unsigned round = 0; round < 6; ++round) {
    const std::string k = std::to_string(random() % (round % 2 ? 1000000000u : 50u));
    // where n is k (and there are elements at all)
    const Report n =
        ask(direct("setp.ge.u32 %p1, %i, %n;", "setp.eq.u32 %p3, %n, " + k + "; @%p3 add.u32 %v, %v, 1;\n"), spec("n"));
    CHECK(n.verdict == (k == "0" ? Verdict::equivalent : Verdict::different));
    if (n.counterexample) CHECK(n.counterexample->scalars.at("n").bits == std::stoull(k));
    // where i is k
    const Report i =
        ask(direct("setp.ge.u32 %p1, %i, %n;", "setp.eq.u32 %p3, %i, " + k + "; @%p3 add.u32 %v, %v, 1;\n"), spec("n"));
    CHECK(i.verdict == Verdict::different);
    if (i.counterexample) CHECK(i.counterexample->element == std::stoull(k));
  }
  CHECK(ask(direct("add.u32 %r9, %n, -1; setp.ge.s32 %p1, %i, %r9;"), spec("n")).verdict == Verdict::different);
}

TEST_CASE("a guard that lets one more through leaves the buffer") {
  CHECK(ask(direct("setp.gt.u32 %p1, %i, %n;"), spec("n + 1")).verdict == Verdict::invalid);
}

TEST_CASE("a signed guard differs from 2^31 on") {
  const std::string high =
      spec("n", "u32", "[2147483648, 4294967295]", "grid = \"any\"\nblock = \"any\"\nmax_threads = 4294967295\n");
  const Report r = check::test::prove_texts(direct("setp.ge.s32 %p1, %i, %n;"), direct(), high, 20);
  CHECK(r.verdict == Verdict::different);
  if (r.counterexample) CHECK(r.counterexample->scalars.at("n").bits >= 1u << 31);
}

TEST_CASE("a loop by steps of the whole launch does what a thread an element does") {
  CHECK(ask(strided(), spec("1")).verdict == Verdict::equivalent);
}

TEST_CASE("what differs from pass to pass is not taken for all passes") {
  const char* const wrong[] = {
      "add.u32 %v, %v, %r10; add.u32 %r10, %r10, 1;\n",                   // a count of passes
      "add.u32 %v, %v, %r11;\n",                                          // x[g], loaded before the loop
      "setp.ne.u32 %p3, %i, %g; @%p3 add.u32 %v, %v, 1;\n",               // only the first pass
      "sub.u32 %r12, %i, %g; add.u32 %v, %v, %r12;\n",                    // the distance so far
      "add.u32 %v, %v, %r13; mov.u32 %r13, %v; and.b32 %r13, %r13, 0;\n"  // 1 in the first pass
  };
  const std::string before =
      "mov.u32 %r10, 0; mov.u32 %r13, 1; mov.u32 %r11, 0; setp.ge.u32 %p4, %g, %n; @%p4 bra out;\n"
      "mul.wide.u32 %rd3, %g, 4; add.u64 %rd4, %rd1, %rd3; ld.global.u32 %r11, [%rd4];\n";
  for (const char* in_pass : wrong) {
    CAPTURE(in_pass);
    CHECK(ask(strided(before, in_pass), spec("1"), in_vain).verdict != Verdict::equivalent);
  }
}

TEST_CASE("a loop by another step, or with more around it, is not taken for all elements") {
  CHECK(ask(strided("", "", "add.u32 %i, %i, %t; add.u32 %i, %i, 1;"), spec("1"), in_vain).verdict !=
        Verdict::equivalent);
  CHECK(ask(strided("", "", "add.u32 %i, %i, %r2;"), spec("1"), in_vain).verdict != Verdict::equivalent);
  CHECK(ask(strided("", "", "shl.b32 %r9, %t, 1; add.u32 %i, %i, %r9;"), spec("1"), in_vain).verdict !=
        Verdict::equivalent);
  // the loop ends early where n is large
  CHECK(ask(strided("", "", "add.u32 %i, %i, %t; setp.gt.u32 %p5, %i, 1000000; @%p5 bra out;"), spec("1"), in_vain)
            .verdict != Verdict::equivalent);
  // element 0 is written again after the loop
  CHECK(
      ask(strided("", "", "add.u32 %i, %i, %t;", "setp.eq.u32 %p6, %n, 0; @%p6 bra done; st.global.u32 [%rd2], %g;\n"),
          spec("1"), in_vain)
          .verdict != Verdict::equivalent);
}

TEST_CASE("a value that the block's size or the thread's place decides is no function of the index") {
  for (const char* fault :
       {"add.u32 %v, %v, %r3;\n", "add.u32 %v, %v, %r2;\n", "add.u32 %v, %v, %r1;\n", "add.u32 %v, %v, %t;\n"}) {
    CAPTURE(fault);
    const std::string text = direct("setp.ge.u32 %p1, %i, %n;", fault);
    CHECK(check::test::prove_texts(text, text, spec("n"), in_vain).verdict != Verdict::equivalent);
  }
}

TEST_CASE("a place that is read again in the loop is that of the thread, not of the pass") {
  const std::string again = "mov.u32 %r21, %tid.x; mad.lo.u32 %i, %r1, %r2, %r21;\n";
  const std::string text =
      kernel("mov.u32 %r20, %g; setp.ge.u32 %p1, %r20, %n; @%p1 bra done;\nloop:\n" + again + load + work + store +
             "add.u32 %r20, %r20, %t; setp.lt.u32 %p2, %r20, %n; @%p2 bra loop;\n");
  CHECK(ask(text, spec("1"), in_vain).verdict != Verdict::equivalent);
}

TEST_CASE("a loop that data decides to enter is not followed for all elements") {
  const std::string skip =
      "setp.ge.u32 %p4, %g, %n; @%p4 bra out; mul.wide.u32 %rd3, %g, 4; add.u64 %rd4, %rd1, %rd3;\n"
      "ld.global.u32 %r20, [%rd4]; setp.eq.u32 %p5, %r20, 0; @%p5 bra out;\n";
  const std::string by_element = direct(
      "setp.ge.u32 %p1, %i, %n; @%p1 bra done; mul.wide.u32 %rd3, %i, 4;\n"
      "add.u64 %rd4, %rd1, %rd3; ld.global.u32 %r20, [%rd4]; setp.eq.u32 %p1, %r20, 0;");
  CHECK(check::test::prove_texts(strided(skip), by_element, spec("1"), in_vain).verdict != Verdict::equivalent);
}

TEST_CASE("what both sides share without having written it is not equal") {
  std::string out = spec("n");
  out.replace(out.find("inout"), 5, "out");
  const std::string former = direct("setp.ge.u32 %p1, %i, %n;",
                                    "add.u64 %rd6, %rd2, %rd3; ld.global.u32 %r20, [%rd6]; add.u32 %v, %v, %r20;\n");
  CHECK(check::test::prove_texts(former, former, out, 20).verdict == Verdict::invalid);
  const std::string address =
      direct("setp.ge.u32 %p1, %i, %n;", "shr.u64 %rd6, %rd1, 20; cvt.u32.u64 %r20, %rd6; add.u32 %v, %v, %r20;\n");
  CHECK(check::test::prove_texts(address, address, spec("n"), in_vain).verdict == Verdict::inconclusive);
}

TEST_CASE("blocks of more than one dimension are not taken as rows") {
  for (const char* launch : {"grid = \"any\"\nblock = [16, 16, 1]\nmax_threads = 1073741824\n",
                             "grid = [4, 2, 1]\nblock = \"any\"\nmax_threads = 8192\n"}) {
    const Verdict v = check::test::prove_texts(direct(), direct(), spec("1", "u32", "[0, 1000]", launch), 20).verdict;
    CHECK(v == Verdict::inconclusive);
  }
}

TEST_CASE("a witness is a launch that the kernel allows") {
  std::string small = direct("setp.ge.u32 %p1, %i, %n;", "setp.gt.u32 %p3, %r2, 128; @%p3 add.u32 %v, %v, 1;\n");
  const std::string signature = ".param .u32 n)";
  small.insert(small.find(signature) + signature.size(), " .maxntid 128");
  CHECK(ask(small, spec("n")).verdict == Verdict::equivalent);
}

TEST_CASE("an access far beyond the end wraps to no place inside") {
  const std::string far =
      direct("setp.ge.u32 %p1, %i, %n;", "add.u64 %rd6, %rd1, 0x7ffffffffffffffc; ld.global.u32 %r20, [%rd6];\n");
  CHECK(ask(far, spec("n")).verdict == Verdict::invalid);
}
