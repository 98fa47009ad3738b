// Sides of several launches, with blocks as symbols (checker/launch_chain.h).
#include <doctest/doctest.h>

#include <string>

#include "test/checker/prove_texts.h"

using namespace ptxeq;
using check::Verdict;

namespace {

const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";

// A kernel of p, q, r (pointers, in %rd1..3) and this thread's element addresses (%rd4..6); its number is %r0.
std::string kernel(const std::string& name, const std::string& body) {
  return ".visible .entry " + name +
         "(.param .u64 p, .param .u64 q, .param .u64 r) {\n"
         ".reg .b64 %rd<20>; .reg .b32 %r<40>; .reg .pred %p<9>;\n"
         "ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.param.u64 %rd3, [r];\n"
         "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r0, %r2, %r3, %r1;\n"
         "mul.wide.u32 %rd0, %r0, 4; add.u64 %rd4, %rd1, %rd0; add.u64 %rd5, %rd2, %rd0; add.u64 %rd6, %rd3, %rd0;\n" +
         body + "\nret;\n}\n";
}

struct Step {
  std::string kernel;
  unsigned grid = 1024, block = 64;
  std::string args;  // quoted names
};

std::string side(const std::string& name, const std::vector<Step>& steps) {
  std::string text;
  for (const Step& s : steps)
    text += "[[" + name + ".launch]]\nkernel = \"" + s.kernel + "\"\ngrid = [" + std::to_string(s.grid) +
            ", 1, 1]\nblock = [" + std::to_string(s.block) + ", 1, 1]\nargs = [" + s.args + "]\n";
  return text;
}

std::string buffer(const std::string& name, const std::string& role, const std::string& more = "") {
  return "[buffer." + name + "]\ntype = \"u32\"\ncount = 65536\nrole = \"" + role + "\"\n" + more;
}

struct Ask {
  std::string kernels_a, kernels_ref;
  std::vector<Step> a, ref;
  std::string buffers = buffer("x", "in") + buffer("y", "inout") + buffer("o", "out") + buffer("t", "temp");
};

check::Report ask(const Ask& q) {
  const std::string spec = "float = \"bits\"\n" + q.buffers + side("a", q.a) + side("ref", q.ref);
  return check::test::prove_texts(head + q.kernels_a, head + q.kernels_ref, spec, 20);
}

// r = 3 * p, and r = p + 1: in two launches or in one.
const std::string triple = "ld.global.u32 %r10, [%rd4]; mul.lo.u32 %r11, %r10, 3; st.global.u32 [%rd6], %r11;";
const std::string one_more = "ld.global.u32 %r10, [%rd4]; add.u32 %r11, %r10, 1; st.global.u32 [%rd6], %r11;";
const std::string both =
    "ld.global.u32 %r10, [%rd4]; mul.lo.u32 %r11, %r10, 3; add.u32 %r12, %r11, 1; st.global.u32 [%rd6], %r12;";
const std::string x_t = R"("x", "y", "t")", t_o = R"("t", "y", "o")", x_o = R"("x", "y", "o")",
                  y_y = R"("y", "x", "y")";

const std::string before = "sub.u32 %r20, %r0, 1; mul.wide.u32 %rd10, %r20, 4; add.u64 %rd11, %rd1, %rd10;\n";

}  // namespace

TEST_CASE("a fused kernel against two launches through a temporary buffer") {
  const std::string two = kernel("f", triple) + kernel("g", one_more);
  const Ask q{kernel("k", both), two, {{"k", 512, 128, x_o}}, {{"f", 1024, 64, x_t}, {"g", 256, 256, t_o}}};
  const auto r = ask(q);
  CHECK(r.verdict == Verdict::equivalent);
  CHECK(r.evidence.mode == "symbolic");
  CHECK(r.evidence.boxes == 1);
}

TEST_CASE("a fused kernel that is wrong") {
  const std::string two = kernel("f", triple) + kernel("g", one_more);
  const std::string wrong =
      "ld.global.u32 %r10, [%rd4]; mul.lo.u32 %r11, %r10, 3; add.u32 %r12, %r11, 2; st.global.u32 [%rd6], %r12;";
  const auto r = ask({kernel("k", wrong), two, {{"k", 512, 128, x_o}}, {{"f", 1024, 64, x_t}, {"g", 256, 256, t_o}}});
  REQUIRE(r.verdict == Verdict::different);
  CHECK(r.counterexample->replayed);
}

TEST_CASE("two launches against two, in place, of other block sizes") {
  const std::string two = kernel("f", triple) + kernel("g", one_more);
  const auto r =
      ask({two, two, {{"f", 512, 128, y_y}, {"g", 1024, 64, y_y}}, {{"f", 1024, 64, y_y}, {"g", 64, 1024, y_y}}});
  CHECK(r.verdict == Verdict::equivalent);
  CHECK(r.evidence.mode == "symbolic");
  // The other way round is another function.
  const auto swapped =
      ask({two, two, {{"g", 512, 128, y_y}, {"f", 1024, 64, y_y}}, {{"f", 1024, 64, y_y}, {"g", 64, 1024, y_y}}});
  CHECK(swapped.verdict == Verdict::different);
}

TEST_CASE("a second launch that reads its neighbour's element, across blocks") {
  // o[i] = t[i - 1], o[0] = 0
  const std::string shift = "mov.u32 %r11, 0; setp.eq.u32 %p1, %r0, 0; @%p1 bra first;\n" + before +
                            "ld.global.u32 %r11, [%rd11];\nfirst: st.global.u32 [%rd6], %r11;";
  const std::string fused =
      "mov.u32 %r11, 0; setp.eq.u32 %p1, %r0, 0; @%p1 bra first;\n" + before +
      "ld.global.u32 %r10, [%rd11]; mul.lo.u32 %r11, %r10, 3;\nfirst: st.global.u32 [%rd6], %r11;";
  const std::string two = kernel("f", triple) + kernel("g", shift);
  const std::vector<Step> steps{{"f", 1024, 64, x_t}, {"g", 1024, 64, t_o}};
  const auto r = ask({kernel("k", fused), two, {{"k", 1024, 64, x_o}}, steps});
  CHECK(r.verdict == Verdict::equivalent);
  CHECK(r.evidence.mode == "symbolic");
  // Without the product for the neighbour alone.
  const std::string wrong = "mov.u32 %r11, 0; setp.eq.u32 %p1, %r0, 0; @%p1 bra first;\n" + before +
                            "ld.global.u32 %r11, [%rd11];\nfirst: st.global.u32 [%rd6], %r11;";
  CHECK(ask({kernel("k", wrong), two, {{"k", 1024, 64, x_o}}, steps}).verdict == Verdict::different);
}

TEST_CASE("rule 5: what an earlier launch may have written is not what was there at first") {
  // Blocks from the third on write t = y in place; the second launch copies all of y.
  const std::string part = "setp.lt.u32 %p1, %r2, 2; @%p1 bra done;\n" + triple + "\ndone:";
  const std::string copy = "ld.global.u32 %r11, [%rd4]; st.global.u32 [%rd6], %r11;";
  const std::string y_o = R"("y", "x", "o")";
  const std::string two = kernel("f", part) + kernel("g", copy);
  const std::vector<Step> steps{{"f", 1024, 64, y_y}, {"g", 1024, 64, y_o}};
  CHECK(ask({two, two, steps, {{"f", 1024, 64, y_y}, {"g", 512, 128, y_o}}}).verdict == Verdict::equivalent);
  const std::string none = kernel("f", "") + kernel("g", copy);
  CHECK(ask({none, two, steps, steps}).verdict == Verdict::different);
  // Of the temporary buffer, the first two blocks are written by nobody.
  const auto unwritten =
      ask({two, two, {{"f", 1024, 64, x_t}, {"g", 1024, 64, t_o}}, {{"f", 1024, 64, x_t}, {"g", 1024, 64, t_o}}});
  CHECK(unwritten.verdict == Verdict::invalid);
}

TEST_CASE("both launches' results count: what only the first one writes is compared too") {
  // y = 3 y, then o = y + 1; fused, with and without the first result.
  const std::string y_o = R"("y", "x", "o")";
  const std::string two = kernel("f", triple) + kernel("g", one_more);
  const std::vector<Step> steps{{"f", 1024, 64, y_y}, {"g", 1024, 64, y_o}};
  const auto fused = [&](const std::string& kept) {
    return kernel("k",
                  "ld.global.u32 %r10, [%rd4]; mul.lo.u32 %r11, %r10, 3; add.u32 %r12, %r11, 1;\n"
                  "st.global.u32 [%rd4], " +
                      kept + "; st.global.u32 [%rd6], %r12;");
  };
  const auto r = ask({fused("%r11"), two, {{"k", 512, 128, y_o}}, steps});
  CHECK(r.verdict == Verdict::equivalent);
  CHECK(r.evidence.mode == "symbolic");
  CHECK(ask({fused("%r12"), two, {{"k", 512, 128, y_o}}, steps}).verdict == Verdict::different);
  // The same, led by the side of two launches.
  CHECK(ask({two, fused("%r11"), {{"f", 1024, 64, y_y}, {"g", 64, 1024, y_o}}, {{"k", 512, 128, y_o}}}).evidence.mode ==
        "symbolic");
  CHECK(ask({two, fused("%r12"), {{"f", 1024, 64, y_y}, {"g", 64, 1024, y_o}}, {{"k", 512, 128, y_o}}}).verdict ==
        Verdict::different);
}

TEST_CASE("rule 6: what is known of a buffer does not hold once a launch has written it") {
  // y holds 0 or 1 and is raised to 5 or 6; then o is set where y is above 1: that is everywhere.
  const std::string raise = "ld.global.u32 %r10, [%rd4]; add.u32 %r11, %r10, 5; st.global.u32 [%rd6], %r11;";
  const std::string where =
      "ld.global.u32 %r10, [%rd4]; setp.le.u32 %p1, %r10, 1; @%p1 bra done;\n"
      "mov.u32 %r11, 7; st.global.u32 [%rd6], %r11;\ndone:";
  const std::string nothing = "";
  const std::string y_o = R"("y", "x", "o")";
  const std::string buffers = buffer("x", "in") + buffer("y", "inout", "values = [0, 1]\n") + buffer("o", "inout");
  const std::string two = kernel("f", raise) + kernel("g", where), none = kernel("f", raise) + kernel("g", nothing);
  const std::vector<Step> steps{{"f", 1024, 64, y_y}, {"g", 1024, 64, y_o}};
  CHECK(ask({two, two, steps, steps, buffers}).verdict == Verdict::equivalent);
  CHECK(ask({none, two, steps, steps, buffers}).verdict == Verdict::different);
}

TEST_CASE("what a conditional store keeps is what the launch before left") {
  const std::string odd =
      "ld.global.u32 %r10, [%rd4]; and.b32 %r11, %r10, 1; setp.eq.u32 %p1, %r11, 1;\n"
      "@%p1 st.global.u32 [%rd6], %r11;";
  const std::string five = "ld.global.u32 %r10, [%rd4]; mul.lo.u32 %r11, %r10, 5; st.global.u32 [%rd6], %r11;";
  const std::string two = kernel("f", triple) + kernel("g", odd), wrong = kernel("f", five) + kernel("g", odd);
  const std::vector<Step> steps{{"f", 1024, 64, y_y}, {"g", 1024, 64, y_y}};
  const auto r = ask({two, two, steps, {{"f", 512, 128, y_y}, {"g", 1024, 64, y_y}}});
  CHECK(r.verdict == Verdict::equivalent);
  CHECK(r.evidence.mode == "symbolic");
  CHECK(ask({two, wrong, steps, steps}).verdict == Verdict::different);
}

TEST_CASE("three launches, the last of which sees two earlier ones") {
  const std::string add =
      "ld.global.u32 %r10, [%rd4]; ld.global.u32 %r11, [%rd5]; add.u32 %r12, %r10, %r11;\n"
      "st.global.u32 [%rd6], %r12;";
  const std::string y_t = R"("y", "x", "t")", t_t = R"("t", "x", "t")", t_y_o = R"("t", "y", "o")";
  const std::string three = kernel("f", triple) + kernel("g", one_more) + kernel("h", add);
  const std::string fused =
      "ld.global.u32 %r10, [%rd5]; mul.lo.u32 %r11, %r10, 3; add.u32 %r12, %r11, 1;\n"
      "add.u32 %r13, %r12, %r10; st.global.u32 [%rd6], %r13;";
  const std::vector<Step> steps{{"f", 1024, 64, y_t}, {"g", 128, 512, t_t}, {"h", 512, 128, t_y_o}};
  const auto r = ask({kernel("k", fused), three, {{"k", 1024, 64, x_o}}, steps});
  CHECK(r.verdict == Verdict::equivalent);
  CHECK(r.evidence.mode == "symbolic");
}

TEST_CASE("rule 1: a block that traps and writes nothing is a difference") {
  const std::string copy = "ld.global.u32 %r11, [%rd4]; st.global.u32 [%rd6], %r11;";
  const std::string last = "setp.eq.u32 %p1, %r2, 1024; @%p1 bra stop;\n" + copy + "ret;\nstop: trap;";
  CHECK(ask({kernel("k", copy), kernel("k", last), {{"k", 1024, 64, x_o}}, {{"k", 1025, 64, x_o}}}).verdict ==
        Verdict::different);
  const std::string first = "setp.eq.u32 %p1, %r2, 1024; @%p1 bra stop;\n" + triple + "ret;\nstop: trap;";
  const std::string two = kernel("f", triple) + kernel("g", copy), trapping = kernel("f", first) + kernel("g", copy);
  CHECK(ask({two, trapping, {{"f", 1024, 64, x_t}, {"g", 1024, 64, t_o}}, {{"f", 1025, 64, x_t}, {"g", 1024, 64, t_o}}})
            .verdict == Verdict::different);
}

TEST_CASE("rule 18: blocks of one launch that meet are no matter between launches") {
  // The first launch's blocks read what others of it write.
  const std::string shift = before +
                            "setp.eq.u32 %p1, %r0, 0; @%p1 bra done; ld.global.u32 %r11, [%rd11];\n"
                            "st.global.u32 [%rd6], %r11;\ndone:";
  const std::string two = kernel("f", shift) + kernel("g", one_more);
  const std::vector<Step> steps{{"f", 4, 64, y_y}, {"g", 4, 64, y_y}};
  CHECK(ask({two, two, steps, steps}).verdict == Verdict::invalid);
}
