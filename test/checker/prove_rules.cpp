// One small pair of kernels a rule that verdicts rest on (docs/verdicts.md): each fails when its rule is dropped.
#include <doctest/doctest.h>

#include <string>

#include "test/checker/prove_texts.h"

using namespace ptxeq;
using check::Verdict;

namespace {

// A kernel of x, y, o (pointers, in %rd1..3) and this thread's element addresses (%rd4..6), around `body`.
std::string kernel(const std::string& body, const std::string& outside = "") {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + outside +
         ".visible .entry k(.param .u64 x, .param .u64 y, .param .u64 o) {\n"
         ".reg .b64 %rd<20>; .reg .b32 %r<40>; .reg .f32 %f<20>; .reg .f64 %d<9>; .reg .b16 %h<9>; .reg .pred %p<9>;\n"
         "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u64 %rd3, [o];\n"
         "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r0, %r2, %r3, %r1;\n"
         "mul.wide.u32 %rd0, %r0, 4; add.u64 %rd4, %rd1, %rd0; add.u64 %rd5, %rd2, %rd0; add.u64 %rd6, %rd3, %rd0;\n" +
         body + "\nret;\n}\n";
}

struct Ask {
  std::string type = "u32";
  unsigned grid = 1, block = 32;
  std::string buffer_lines = "";  // more lines for x
  std::string out_role = "out";
};

check::Report ask(const std::string& a, const std::string& ref, const Ask& q = {}) {
  const auto side = [&](const char* name) {
    return std::string("[") + name + "]\ngrid = [" + std::to_string(q.grid) + ", 1, 1]\nblock = [" +
           std::to_string(q.block) + ", 1, 1]\nargs = [\"x\", \"y\", \"o\"]\n";
  };
  const auto buffer = [&](const char* name, const std::string& role, const std::string& more) {
    return std::string("[buffer.") + name + "]\ntype = \"" + q.type + "\"\ncount = 64\nrole = \"" + role + "\"\n" +
           more;
  };
  const std::string spec = "float = \"bits\"\n" + buffer("x", "in", q.buffer_lines) +
                           buffer("y", "in", q.buffer_lines) + buffer("o", q.out_role, "") + side("a") + side("ref");
  return check::test::prove_texts(a, ref, spec, 10);
}

std::string finding(const check::Report& r) { return r.findings.empty() ? "" : r.findings.front().code; }

const std::string load_x = "ld.global.u32 %r10, [%rd4]; ld.global.u32 %r11, [%rd5];\n";
const std::string store = "st.global.u32 [%rd6], %r12;";

}  // namespace

TEST_CASE("integers wrap: (2x)/2 is not x") {
  const auto r = ask(kernel(load_x + "shl.b32 %r12, %r10, 1; shr.u32 %r12, %r12, 1;" + store),
                     kernel(load_x + "mov.u32 %r12, %r10;" + store));
  REQUIRE(r.verdict == Verdict::different);
  CHECK(r.counterexample->replayed);
  CHECK(r.counterexample->a->bits != r.counterexample->ref->bits);
}

TEST_CASE("a 64-bit product is the sum of the products of its halves") {
  Ask q;
  q.type = "u64";
  const std::string begin =
      "shl.b64 %rd0, %rd0, 1; add.u64 %rd4, %rd1, %rd0; add.u64 %rd5, %rd2, %rd0; add.u64 %rd6, %rd3, %rd0;\n";
  const std::string halves = begin + "ld.global.v2.u32 {%r10, %r11}, [%rd4]; ld.global.v2.u32 {%r12, %r13}, [%rd5];\n";
  const std::string whole =
      kernel(begin +
             "ld.global.u64 %rd7, [%rd4]; ld.global.u64 %rd8, [%rd5]; mul.lo.u64 %rd9, %rd7, %rd8;\n"
             "st.global.u64 [%rd6], %rd9;");
  const std::string cross =
      "mul.lo.u32 %r14, %r10, %r12; mul.hi.u32 %r15, %r10, %r12;\n"
      "mad.lo.u32 %r15, %r10, %r13, %r15; mad.lo.u32 %r15, %r11, %r12, %r15;\n"
      "st.global.v2.u32 [%rd6], {%r14, %r15};";
  CHECK(ask(kernel(halves + cross), whole, q).verdict == Verdict::equivalent);
  const std::string shifted =
      "mul.wide.u32 %rd7, %r10, %r12; mul.wide.u32 %rd8, %r10, %r13; mul.wide.u32 %rd9, %r11, "
      "%r12;\nadd.u64 %rd8, %rd8, %rd9; shl.b64 %rd8, %rd8, 32; add.u64 %rd9, %rd7, %rd8;\n"
      "st.global.u64 [%rd6], %rd9;";
  CHECK(ask(kernel(halves + shifted), whole, q).verdict == Verdict::equivalent);
  const std::string packed =
      "mul.wide.u32 %rd7, %r10, %r12; mov.b64 {%r14, %r15}, %rd7; mad.lo.u32 %r15, %r10, %r13, "
      "%r15;\nmad.lo.u32 %r15, %r11, %r12, %r15; mov.b64 %rd9, {%r14, %r15};\n"
      "st.global.u64 [%rd6], %rd9;";
  CHECK(ask(kernel(halves + packed), whole, q).verdict == Verdict::equivalent);
  std::string wrong = cross;
  wrong.replace(wrong.find("mul.hi.u32"), 10, "mul.hi.s32");
  CHECK(ask(kernel(halves + wrong), whole, q).verdict == Verdict::different);
}

TEST_CASE("rule 1: writing back what is there equals no write; a stray write to an input is a difference") {
  const std::string nothing = kernel("");
  Ask q;
  q.out_role = "inout";
  CHECK(ask(kernel("ld.global.u32 %r12, [%rd6];" + store), nothing, q).verdict == Verdict::equivalent);
  CHECK(ask(kernel("mov.u32 %r12, 1; st.global.u32 [%rd4], %r12;"), nothing, q).verdict == Verdict::different);
}

TEST_CASE("rule 1: a trap on one side only is a difference, and the same trap on both is none") {
  const std::string trap = load_x + "setp.eq.u32 %p1, %r10, 77;\n@%p1 trap;\nmov.u32 %r12, %r10;" + store;
  const std::string none = load_x + "mov.u32 %r12, %r10;" + store;
  CHECK(ask(kernel(trap), kernel(none)).verdict == Verdict::different);
  CHECK(ask(kernel(trap), kernel(trap)).verdict == Verdict::equivalent);
}

TEST_CASE("rule 5: bytes and words of one buffer are the same leaves") {
  const std::string bytes =
      "ld.global.u8 %r10, [%rd4]; ld.global.u8 %r11, [%rd4+1]; ld.global.u16 %r12, [%rd4+2];\n"
      "shl.b32 %r11, %r11, 8; shl.b32 %r12, %r12, 16; or.b32 %r12, %r12, %r11; or.b32 %r12, %r12, %r10;";
  CHECK(ask(kernel(bytes + store), kernel("ld.global.u32 %r12, [%rd4];" + store)).verdict == Verdict::equivalent);
}

TEST_CASE("rule 5: a load after a store sees the store, also through a narrower window") {
  const std::string through =
      ".shared .align 4 .b8 s[256];\nshl.b32 %r20, %r1, 2; mov.u32 %r21, s; add.u32 %r21, %r21, %r20;\n" + load_x +
      "st.shared.u32 [%r21], %r10; st.shared.u8 [%r21+1], %r11; ld.shared.u32 %r12, [%r21];";
  const std::string direct =
      load_x +
      "and.b32 %r12, %r10, 0xffff00ff; and.b32 %r13, %r11, 0xff; shl.b32 %r13, %r13, 8; or.b32 %r12, %r12, %r13;";
  CHECK(ask(kernel(through + store), kernel(direct + store)).verdict == Verdict::equivalent);
}

TEST_CASE("rule 6: a precondition decides, and only where it is stated") {
  const std::string minimum = load_x + "min.u32 %r12, %r10, 100;" + store,
                    plain = load_x + "mov.u32 %r12, %r10;" + store;
  Ask narrow;
  narrow.buffer_lines = "values = [0, 100]\n";
  CHECK(ask(kernel(minimum), kernel(plain), narrow).verdict == Verdict::equivalent);
  CHECK(ask(kernel(minimum), kernel(plain)).verdict == Verdict::different);
}

TEST_CASE("rule 9: max(x, x) and x * 1 are not x where NaNs count") {
  Ask q;
  q.type = "f32";
  const std::string plain = kernel("ld.global.f32 %f1, [%rd4]; st.global.f32 [%rd6], %f1;");
  CHECK(ask(kernel("ld.global.f32 %f1, [%rd4]; max.f32 %f1, %f1, %f1; st.global.f32 [%rd6], %f1;"), plain, q).verdict ==
        Verdict::different);
  CHECK(ask(kernel("ld.global.f32 %f1, [%rd4]; mul.rn.f32 %f1, %f1, 0f3f800000; st.global.f32 [%rd6], %f1;"), plain, q)
            .verdict == Verdict::different);
  // Below an addition the payload no longer shows.
  const std::string sum = "ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd5]; ",
                    out = "add.rn.f32 %f1, %f1, %f2; st.global.f32 [%rd6], %f1;";
  CHECK(ask(kernel(sum + "mul.rn.f32 %f1, %f1, 0f3f800000; " + out), kernel(sum + out), q).verdict ==
        Verdict::equivalent);
  CHECK(ask(kernel(sum + "add.rn.f32 %f1, %f1, 0f00000000; " + out), kernel(sum + out), q).verdict ==
        Verdict::different);  // -0 + 0
}

TEST_CASE("rule 9: f64 operands may not be sorted: the payload of the second NaN stays") {
  const auto sum = [](const char* order) {
    return kernel(
        std::string(
            "mul.wide.u32 %rd0, %r0, 8; add.u64 %rd4, %rd1, %rd0; add.u64 %rd5, %rd2, %rd0; add.u64 %rd6, %rd3, %rd0;\n"
            "ld.global.f64 %d1, [%rd4]; ld.global.f64 %d2, [%rd5]; add.rn.f64 %d3, ") +
        order + "; st.global.f64 [%rd6], %d3;");
  };
  Ask q;
  q.type = "f64";
  CHECK(ask(sum("%d1, %d2"), sum("%d1, %d2"), q).verdict == Verdict::equivalent);
  const auto r = ask(sum("%d1, %d2"), sum("%d2, %d1"), q);
  CHECK(r.verdict != Verdict::equivalent);
}

TEST_CASE("rule 10: division by zero equals itself and refutes nothing") {
  const std::string divide = load_x + "div.u32 %r12, %r10, %r11;" + store;
  CHECK(ask(kernel(divide), kernel(divide)).verdict == Verdict::equivalent);
  // x - (x / y) * y against x % y: the same wherever y is not zero.
  const std::string rem = load_x + "rem.u32 %r12, %r10, %r11;" + store;
  const std::string by_hand =
      load_x + "div.u32 %r12, %r10, %r11; mul.lo.u32 %r12, %r12, %r11; sub.u32 %r12, %r10, %r12;" + store;
  const Verdict v = ask(kernel(by_hand), kernel(rem)).verdict;
  CHECK(v == Verdict::inconclusive);
}

TEST_CASE("rule 10: a value that nobody wrote makes a kernel invalid where it reaches memory, and only there") {
  const auto bad =
      ask(kernel(load_x + "add.u32 %r12, %r10, %r30;" + store), kernel(load_x + "mov.u32 %r12, %r10;" + store));
  CHECK(bad.verdict == Verdict::invalid);
  CHECK(finding(bad) == "uninitialised-read");
  CHECK(ask(kernel(load_x + "add.u32 %r31, %r10, %r30; mov.u32 %r12, %r10;" + store),
            kernel(load_x + "mov.u32 %r12, %r10;" + store))
            .verdict == Verdict::equivalent);
}

TEST_CASE(
    "rule 11: approximate functions equal themselves, their variants are others, and nothing is refuted with them") {
  const auto with = [](const std::string& f) {
    return kernel("ld.global.f32 %f1, [%rd4]; " + f + " %f1, %f1; st.global.f32 [%rd6], %f1;");
  };
  Ask q;
  q.type = "f32";
  CHECK(ask(with("ex2.approx.f32"), with("ex2.approx.f32"), q).verdict == Verdict::equivalent);
  CHECK(ask(with("ex2.approx.f32"), with("ex2.approx.ftz.f32"), q).verdict == Verdict::inconclusive);
  CHECK(ask(with("rcp.approx.f32"), with("rcp.rn.f32"), q).verdict == Verdict::inconclusive);
}

TEST_CASE("rule 12: what ptxas may fuse is neither equal to the fma nor different from it") {
  Ask q;
  q.type = "f32";
  const std::string in = "ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd5]; ", out = "st.global.f32 [%rd6], %f4;";
  const std::string loose = kernel(in + "mul.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f1;" + out);
  const std::string strict = kernel(in + "mul.rn.f32 %f3, %f1, %f2; add.rn.f32 %f4, %f3, %f1;" + out);
  const std::string fused = kernel(in + "fma.rn.f32 %f4, %f1, %f2, %f1;" + out);
  const auto r = ask(loose, fused, q);
  CHECK(r.verdict == Verdict::inconclusive);
  CHECK(r.reason->code == check::ReasonCode::contractible_fp);
  CHECK(ask(strict, fused, q).verdict == Verdict::different);
  const auto assumed = ask(loose, strict, q);
  CHECK(assumed.verdict == Verdict::equivalent);
  CHECK(finding(assumed) == "contractible-fp");
}

TEST_CASE("rule 14: an address is its object's alone; what is computed from it decides nothing") {
  CHECK(finding(ask(kernel("ld.global.u32 %r12, [%rd4+256];" + store), kernel(load_x + store))) == "out-of-bounds");
  CHECK(finding(ask(kernel("ld.global.u32 %r12, [%rd4+-4];" + store), kernel(load_x + store))) == "out-of-bounds");
  CHECK(finding(ask(kernel("ld.global.u32 %r12, [%rd4+2];" + store), kernel(load_x + store))) == "misaligned-access");
  const std::string leaks = kernel("cvt.u32.u64 %r12, %rd1;" + store), zero = kernel("mov.u32 %r12, 0;" + store);
  CHECK(ask(leaks, zero).verdict == Verdict::inconclusive);
  // Low bits are the alignment's: 256 bytes for a buffer.
  CHECK(ask(kernel("cvt.u32.u64 %r12, %rd1; and.b32 %r12, %r12, 255;" + store), zero).verdict == Verdict::equivalent);
}

TEST_CASE("rule 15: threads that meet in a byte race, unless they store the same value") {
  const std::string shared =
      ".shared .align 4 .b8 s[256];\nshl.b32 %r20, %r1, 2; mov.u32 %r21, s; add.u32 %r22, %r21, %r20;\n" + load_x;
  const std::string swap =
      "st.shared.u32 [%r22], %r10;\n$B$ xor.b32 %r23, %r20, 128; add.u32 %r23, %r21, %r23; ld.shared.u32 %r12, "
      "[%r23];" +
      store;
  const auto with = [&](const std::string& barrier) {
    std::string body = shared + swap;
    return kernel(body.replace(body.find("$B$"), 3, barrier));
  };
  Ask q;
  q.block = 64;
  CHECK(ask(with("bar.sync 0;"), with("bar.sync 0;"), q).verdict == Verdict::equivalent);
  const auto r = ask(with(""), with("bar.sync 0;"), q);
  CHECK(r.verdict == Verdict::invalid);
  CHECK(finding(r) == "shared-race");
  const std::string one_place = shared + "st.shared.u32 [%r21], %r3; bar.sync 0; ld.shared.u32 %r12, [%r21];" + store;
  CHECK(ask(kernel(one_place), kernel("mov.u32 %r12, %r3;" + store), q).verdict == Verdict::equivalent);
}

TEST_CASE("rule 15: many readers and one writer after them race") {
  const std::string body =
      ".shared .align 4 .b8 s[256];\nmov.u32 %r21, s; st.shared.u32 [%r21], %r3; bar.sync 0; ld.shared.u32 %r12, "
      "[%r21];\n"
      "setp.eq.u32 %p1, %r1, 63; @%p1 st.shared.u32 [%r21], %r1;\n" +
      store;
  Ask q;
  q.block = 64;
  CHECK(ask(kernel(body), kernel(body), q).verdict == Verdict::invalid);
}

TEST_CASE("rule 16: what an acquire or a fence may order is not called a race") {
  const std::string pass =
      load_x +
      "setp.ne.u32 %p1, %r0, 0;\n@%p1 bra R;\nst.global.u32 [%rd3], %r10;\nFENCE\nR: ld.global.u32 %r12, [%rd3];";
  const auto with = [&](const std::string& fence) {
    std::string body = pass;
    return kernel(body.replace(body.find("FENCE"), 5, fence));
  };
  Ask q;
  q.out_role = "inout";
  CHECK(ask(with(""), with(""), q).verdict == Verdict::invalid);
  CHECK(ask(with("fence.acq_rel.gpu;"), with("fence.acq_rel.gpu;"), q).verdict == Verdict::inconclusive);
}

TEST_CASE("rule 17: a barrier is released by its number; part of a warp at an aligned one is divergence") {
  const std::string in = load_x + "setp.lt.u32 %p1, %r1, 32;\n";
  const std::string two = in + "@%p1 bra A;\nbar.sync 0; bra E;\nA: bar.sync 0;\nE: mov.u32 %r12, %r10;" + store;
  Ask q;
  q.block = 64;
  CHECK(ask(kernel(two), kernel(load_x + "mov.u32 %r12, %r10;" + store), q).verdict == Verdict::equivalent);
  const std::string half =
      load_x + "setp.lt.u32 %p1, %r1, 16;\n@!%p1 bra E;\nbar.sync 0;\nE: mov.u32 %r12, %r10;" + store;
  const auto r = ask(kernel(half), kernel(load_x + "mov.u32 %r12, %r10;" + store), q);
  CHECK(r.verdict == Verdict::invalid);
  CHECK(finding(r) == "divergent-barrier");
  const std::string early = load_x + "setp.ge.u32 %p1, %r1, 16;\n@%p1 ret;\nbar.sync 0;\nmov.u32 %r12, %r10;" + store;
  CHECK(ask(kernel(early), kernel(early), q).verdict == Verdict::equivalent);  // exited threads do not count
}

TEST_CASE("rule 18: blocks that meet in a byte of global memory race") {
  Ask q;
  q.grid = 2;
  const std::string first = "st.global.u32 [%rd3], %r2;";
  const auto r = ask(kernel(first), kernel(first), q);
  CHECK(r.verdict == Verdict::invalid);
  CHECK(finding(r) == "global-race");
  const std::string neighbour =
      load_x + "mov.u32 %r12, %r10; xor.b32 %r20, %r0, 32; mul.wide.u32 %rd7, %r20, 4; add.u64 %rd7, %rd3, %rd7; " +
      store + "ld.global.u32 %r13, [%rd7]; add.u32 %r12, %r12, %r13; st.global.u32 [%rd6], %r12;";
  q.out_role = "inout";
  CHECK(ask(kernel(neighbour), kernel(neighbour), q).verdict == Verdict::invalid);
}

TEST_CASE("a kernel is called silent only when it has run to its end") {
  CHECK(finding(ask(kernel(""), kernel(""))) == "writes-nothing");
  const std::string cut = kernel(load_x + "atom.global.add.u32 %r12, [%rd6], 1;" + store);  // atom is not modelled
  const auto r = ask(cut, cut);
  CHECK(r.verdict == Verdict::inconclusive);
  CHECK(r.findings.empty());
}

TEST_CASE("rule 5: variables that hold addresses, and variables that one side has otherwise") {
  const auto with = [](const std::string& outside, const std::string& body) { return kernel(body + store, outside); };
  const std::string table = ".global .align 4 .u32 g[2] = {3, 4};\n.const .align 8 .u64 p[2] = {g, g+4};\n";
  const std::string through = "ld.const.u64 %rd9, [p+8]; ld.global.u32 %r12, [%rd9];";
  CHECK(ask(with(table, through), with(table, "ld.global.u32 %r12, [g+4];")).verdict == Verdict::equivalent);
  CHECK(ask(with(table, through), with(table, "ld.global.u32 %r12, [g];")).verdict == Verdict::different);
  CHECK(ask(with(table, "ld.const.u64 %rd9, [p]; setp.eq.u64 %p1, %rd9, 5; selp.u32 %r12, 1, 0, %p1;"),
            with(table, "mov.u32 %r12, 0;"))
            .verdict != Verdict::different);
  const std::string writes = "mov.u32 %r12, 5; st.global.u32 [g], %r12;";
  CHECK(ask(with(".global .u32 g = 0;\n", writes), with(".global .u32 g;\n", writes), {"u32", 1, 1}).verdict ==
        Verdict::inconclusive);
}

TEST_CASE("rule 9: what is neutral in f16 is not neutral under bf16") {
  const std::string head = "ld.global.u16 %h1, [%rd4]; ld.global.u16 %h2, [%rd5]; ",
                    tail = "add.rn.bf16 %h4, %h3, %h2; st.global.u16 [%rd6], %h4;";
  const auto with = [](std::string text) {
    return kernel(text).replace(kernel("").find(".target sm_80"), 13, ".target sm_90");
  };
  const std::string crossed = with(head + "mov.b16 %h5, 0x3c00; mul.rn.f16 %h3, %h1, %h5; " + tail),
                    plain = with(head + "mov.b16 %h3, %h1; " + tail);
  Ask q;
  q.type = "u32";
  CHECK(ask(crossed, plain, q).verdict != Verdict::equivalent);
}

TEST_CASE("rule 12: whichever of two products is fused, and faults that only fusion allows") {
  Ask q;
  q.type = "f32";
  const std::string in = "ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd5]; ", out = "st.global.f32 [%rd6], %f5;";
  const std::string loose = kernel(in + "mul.f32 %f3, %f1, %f1; mul.f32 %f4, %f2, %f2; add.f32 %f5, %f3, %f4;" + out);
  for (const std::string fused : {"mul.rn.f32 %f3, %f1, %f1; fma.rn.f32 %f5, %f2, %f2, %f3;",
                                  "mul.rn.f32 %f4, %f2, %f2; fma.rn.f32 %f5, %f1, %f1, %f4;"}) {
    const auto r = ask(loose, kernel(in + fused + out), q);
    CHECK(r.verdict == Verdict::inconclusive);
    CHECK(r.reason->code == check::ReasonCode::contractible_fp);
  }
}

TEST_CASE("rule 15: the same value from all, then another from one") {
  const std::string all =
      "mov.u32 %r12, 5; st.global.u32 [%rd3], %r12; setp.eq.u32 %p1, %r0, 31; mov.u32 %r13, 7;\n@%p1 st.global.u32 "
      "[%rd3], %r13;";
  const std::string one = "setp.eq.u32 %p1, %r0, 31; mov.u32 %r13, 7;\n@%p1 st.global.u32 [%rd3], %r13;";
  CHECK(ask(kernel(all), kernel(one)).verdict == Verdict::invalid);
  Ask two;
  two.grid = 2;
  const std::string blocks =
      "mov.u32 %r12, 5; st.global.u32 [%rd3], %r12; setp.eq.u32 %p1, %r0, 63; mov.u32 %r13, 7;\n@%p1 st.global.u32 "
      "[%rd3], %r13;";
  CHECK(ask(kernel(blocks), kernel(blocks), two).verdict == Verdict::invalid);
}

TEST_CASE("rule 15: threads that store one value under two spellings do not race, and do where it can be another") {
  // Threads 0 and 1 store into o[0], one x[0], the other what `other` makes of it in %r13.
  const auto two = [&](const std::string& other, const std::string& x) {
    const std::string body = "ld.global.u32 %r10, [%rd1]; mov.u32 %r13, 9;" + other +
                             "setp.eq.u32 %p1, %r1, 0; selp.u32 %r12, %r10, %r13, %p1; setp.lt.u32 %p2, %r1, 2;\n"
                             "@%p2 st.global.u32 [%rd3], %r12;";
    Ask q;
    q.buffer_lines = x;
    return ask(kernel(body), kernel(body), q).verdict;
  };
  const std::string low = "and.b32 %r13, %r10, 15;";
  CHECK(two(low, "values = [0, 15]\n") == Verdict::equivalent);
  CHECK(two(low, "values = [0, 16]\n") == Verdict::invalid);
  CHECK(two("", "values = [9, 9]\n") == Verdict::equivalent);
  CHECK(two("", "") == Verdict::invalid);
  // x = (x & y) + (x | y) - y
  CHECK(two("ld.global.u32 %r11, [%rd2]; and.b32 %r14, %r10, %r11; or.b32 %r15, %r10, %r11;\n"
            "add.u32 %r14, %r14, %r15; sub.u32 %r13, %r14, %r11;",
            "") == Verdict::equivalent);
}

TEST_CASE("rule 15: a value that its own thread replaces can be seen by others until a barrier") {
  // Thread 1 stores what thread 0 stores last, and reads: it may read what thread 0 stored before.
  const auto pair = [&](const std::string& first, const std::string& between) {
    return kernel(
        "setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 1; setp.lt.u32 %p3, %r1, 2; mov.u32 %r12, 0;\n"
        "@%p1 st.global.u32 [%rd3+128], " +
        first + ";\n" + between + "@%p3 st.global.u32 [%rd3+128], 9;\n@%p2 ld.global.u32 %r12, [%rd3+128];\n" + store);
  };
  const auto same = [&](const std::string& text, const Ask& q = {}) { return ask(text, text, q).verdict; };
  CHECK(same(pair("7", "")) == Verdict::inconclusive);
  CHECK(same(pair("9", "")) == Verdict::equivalent);
  CHECK(same(pair("7", "bar.sync 0;\n")) == Verdict::equivalent);
  CHECK(same(pair("7", "bar.warp.sync 0xffffffff;\n")) != Verdict::invalid);
  // A barrier orders the threads of one block and not those of another.
  const std::string blocks =
      "mov.u32 %r12, 0; setp.eq.u32 %p1, %r0, 0; setp.eq.u32 %p2, %r0, 16;\n@%p1 st.global.u32 [%rd3+128], 5;\n"
      "bar.sync 0;\n@%p1 st.global.u32 [%rd3+128], 6;\n@%p2 st.global.u32 [%rd3+128], 6;\n"
      "@%p2 ld.global.u32 %r12, [%rd3+128];\n" +
      store;
  Ask two;
  two.grid = 2, two.block = 16;
  CHECK(same(kernel(blocks), two) == Verdict::inconclusive);
  // All threads store the same, again and again, barriers in between.
  const std::string loop =
      ".shared .align 4 .b8 s[4];\nmov.u32 %r20, s; mov.u32 %r21, 0;\nL:\nst.shared.u32 [%r20], %r21;\n"
      "st.shared.u32 [%r20], %r21; bar.sync 0; ld.shared.u32 %r12, [%r20]; bar.sync 0;\n"
      "add.u32 %r21, %r21, 1; setp.lt.u32 %p1, %r21, 3;\n@%p1 bra L;\n" +
      store;
  CHECK(same(kernel(loop)) == Verdict::equivalent);
}

TEST_CASE("rule 15: the bytes that two stores share are compared, in whichever order they come") {
  const std::string word = "@%p1 st.global.u16 [%rd3+128], %h1;\n", byte = "@%p2 st.global.u8 [%rd3+128], %h2;\n";
  const auto with = [&](const std::string& stores, const std::string& low) {
    const std::string k =
        kernel("setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 1; mov.u16 %h1, 0x0107;\nmov.u16 %h2, " + low + ";\n" +
               stores + "mov.u32 %r12, 0;" + store);
    return ask(k, k).verdict;
  };
  for (const std::string& stores : {word + byte, byte + word}) {
    CHECK(with(stores, "7") == Verdict::equivalent);
    CHECK(with(stores, "8") == Verdict::invalid);
  }
}

TEST_CASE("rules 12 and 15: values that some way to fuse makes the same are no certain race") {
  // a * b + c * d is fma(c, d, a * b) if ptxas fuses the second product.
  const std::string k = kernel(
      "ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd2]; ld.global.f32 %f3, [%rd1+64]; ld.global.f32 %f4, "
      "[%rd2+64];\nmul.f32 %f5, %f1, %f2; mul.f32 %f6, %f3, %f4; add.f32 %f7, %f5, %f6;\n"
      "mul.rn.f32 %f8, %f1, %f2; fma.rn.f32 %f9, %f3, %f4, %f8;\n"
      "setp.eq.u32 %p1, %r1, 0; selp.f32 %f10, %f7, %f9, %p1; setp.lt.u32 %p2, %r1, 2;\n"
      "@%p2 st.global.f32 [%rd3], %f10;");
  Ask q;
  q.type = "f32";
  CHECK(ask(k, k, q).verdict == Verdict::inconclusive);
}

TEST_CASE("one register may hold addresses of several objects") {
  const std::string chosen = "setp.lt.u32 %p1, %r1, 7; selp.b64 %rd7, %rd4, %rd5, %p1; ld.global.u32 %r12, [%rd7];";
  const std::string values = load_x + "setp.lt.u32 %p1, %r1, 7; selp.u32 %r12, %r10, %r11, %p1;";
  CHECK(ask(kernel(chosen + store), kernel(values + store)).verdict == Verdict::equivalent);
  const std::string other = load_x + "setp.lt.u32 %p1, %r1, 8; selp.u32 %r12, %r10, %r11, %p1;";
  CHECK(ask(kernel(chosen + store), kernel(other + store)).verdict == Verdict::different);
}

TEST_CASE("threads that meet again are there for certain once the other ways are impossible") {
  // Euclid's algorithm on bytes: a loop of at most 13 passes against 14 guarded ones; what o held before is not seen.
  const std::string bytes = "ld.global.u8 %r10, [%rd4]; ld.global.u8 %r11, [%rd5];\n";
  const std::string loop =
      "setp.eq.u32 %p1, %r11, 0;\n@%p1 bra D;\nL:\nrem.u32 %r12, %r10, %r11; mov.u32 %r10, %r11; "
      "mov.u32 %r11, %r12;\nsetp.ne.u32 %p1, %r11, 0;\n@%p1 bra L;\nD: mov.u32 %r12, %r10;";
  std::string steps;
  for (int k = 0; k < 14; ++k)
    steps +=
        "setp.ne.u32 %p1, %r11, 0; mov.u32 %r12, %r11;\n@%p1 rem.u32 %r12, %r10, %r11;\n@%p1 mov.u32 %r10, %r11;\n"
        "mov.u32 %r11, %r12;\n";
  Ask q;
  q.block = 1;
  CHECK(ask(kernel(bytes + loop + store), kernel(bytes + steps + "mov.u32 %r12, %r10;" + store), q).verdict ==
        Verdict::equivalent);
}

TEST_CASE("the carry flag: no call keeps it, and a borrow is not a carry") {
  // PTX ISA 9.7.2: the condition code register is not preserved across calls.
  const std::string callee = ".func f()\n{ .reg .b32 %a; add.cc.u32 %a, 1, 2; ret; }\n.func g()\n{ ret; }\n";
  const auto after = [&](const std::string& text) {
    return ask(kernel(load_x + text + store, callee), kernel("mov.u32 %r12, 0;" + store, callee)).verdict;
  };
  CHECK(after("add.cc.u32 %r13, %r10, %r10; call f; addc.u32 %r12, 0, 0;") == Verdict::inconclusive);
  CHECK(after("call f; addc.u32 %r12, 0, 0;") != Verdict::equivalent);
  CHECK(after("add.cc.u32 %r13, %r10, %r10; call g; addc.u32 %r12, 0, 0;") == Verdict::inconclusive);
  CHECK(after("call f; add.cc.u32 %r13, 1, 2; addc.u32 %r12, 0, 0;") == Verdict::equivalent);
  // ptxas for sm_90 has one flag, the carry of a sum and of a + ~b + 1 alike, and converts neither.
  const auto same = [&](const std::string& a, const std::string& ref) {
    return ask(kernel(load_x + a + store), kernel(load_x + ref + store)).verdict;
  };
  const std::string below = "setp.lt.u32 %p1, %r10, %r11; selp.u32 %r12, 1, 0, %p1;";
  const std::string minus = "setp.lt.u32 %p1, %r10, %r11; selp.u32 %r12, -1, 0, %p1;";
  CHECK(same("sub.cc.u32 %r13, %r10, %r11; addc.u32 %r12, 0, 0;", below) == Verdict::inconclusive);
  CHECK(same("sub.cc.u32 %r13, %r10, %r11; addc.u32 %r12, 0, 0;",
             "setp.ge.u32 %p1, %r10, %r11; selp.u32 %r12, 1, 0, %p1;") == Verdict::inconclusive);
  CHECK(same("add.cc.u32 %r13, %r10, %r11; subc.u32 %r12, 0, 0;", "mov.u32 %r12, 0;") == Verdict::inconclusive);
  CHECK(same("sub.cc.u32 %r13, %r10, %r11; subc.u32 %r12, 0, 0;", minus) == Verdict::equivalent);
  CHECK(same("sub.cc.u32 %r13, %r10, %r11; add.cc.u32 %r13, 1, 2; addc.u32 %r12, 0, 0;", "mov.u32 %r12, 0;") ==
        Verdict::equivalent);
}

TEST_CASE("a counterexample says what is elsewhere where the spec does not allow zero") {
  Ask q;
  q.buffer_lines = "values = [3, 9]\n";
  const auto r =
      ask(kernel(load_x + "add.u32 %r12, %r10, 1;" + store), kernel(load_x + "mov.u32 %r12, %r10;" + store), q);
  REQUIRE(r.verdict == Verdict::different);
  REQUIRE(r.counterexample);
  REQUIRE(r.counterexample->elsewhere.count("x"));
  CHECK(r.counterexample->elsewhere.at("x").bits >= 3);
  CHECK(r.counterexample->elsewhere.at("x").bits <= 9);
  CHECK(!r.counterexample->elsewhere.count("o"));
}

TEST_CASE("rule 17: counts, kinds and warps at barriers") {
  Ask q;
  q.block = 64;
  const std::string plain = kernel(load_x + "mov.u32 %r12, %r10;" + store);
  const auto with = [&](const std::string& text) {
    return ask(kernel(load_x + text + "mov.u32 %r12, %r10;" + store), plain, q);
  };
  CHECK(with("setp.eq.u32 %p1, %r10, 0;\n@%p1 exit;\nbarrier.sync 0, 64;\n").verdict != Verdict::equivalent);
  CHECK(with("setp.eq.u32 %p1, %r1, 0;\n@%p1 bar.warp.sync 0xffffffff;\nbarrier.sync 0;\n").verdict !=
        Verdict::equivalent);
  CHECK(with("bar.warp.sync 2;\n").verdict != Verdict::equivalent);
  CHECK(with("bar.warp.sync 0xffffffff;\n").verdict == Verdict::equivalent);
  CHECK(with("setp.lt.u32 %p1, %r1, 32; setp.eq.u32 %p2, %r1, %r1;\n@%p1 bra A;\nbar.red.popc.u32 %r20, 0, %p2; bra "
             "E;\nA: bar.sync 0;\nE: ")
            .verdict == Verdict::inconclusive);
  const auto counts = with("setp.lt.u32 %p1, %r1, 32;\n@%p1 bra A;\nbar.sync 1, 64; bra E;\nA: bar.arrive 1, 96;\nE: ");
  CHECK(counts.verdict == Verdict::invalid);
  CHECK(finding(counts) == "barrier-count");
  const auto red = ask(kernel(load_x + "setp.lt.u32 %p1, %r1, 10; bar.red.popc.u32 %r12, 0, %p1;" + store),
                       kernel("mov.u32 %r12, 10;" + store), q);
  CHECK(red.verdict == Verdict::equivalent);
}

TEST_CASE("rule 17: an early end is no divergence, however its blocks are laid out") {
  const std::string zero = "mov.u32 %r12, 0;" + store, rest = "bar.sync 0;\nmov.u32 %r12, %r10;" + store;
  const std::string first = load_x + "setp.lt.u32 %p1, %r1, 16;\n@%p1 bra B;\n" + zero + "\nret;\nB: " + rest;
  const std::string second = load_x + "setp.ge.u32 %p1, %r1, 16;\n@%p1 bra Z;\n" + rest + "\nret;\nZ: " + zero;
  CHECK(ask(kernel(first), kernel(second)).verdict == Verdict::equivalent);
}

TEST_CASE("rule 10: a branch on what nobody wrote decides nothing") {
  const std::string branch =
      load_x + "setp.eq.u32 %p1, %r30, 5;\n@%p1 bra A;\nmov.u32 %r12, 1; bra E;\nA: mov.u32 %r12, 1;\nE: " + store;
  CHECK(ask(kernel(branch), kernel("mov.u32 %r12, 1;" + store)).verdict != Verdict::equivalent);
}

TEST_CASE("brx.idx: an index that data can put outside the list is a finding") {
  const auto with = [](const std::string& before) {
    return kernel(
        load_x + before +
        "T: .branchtargets A, B;\nbrx.idx %r10, T;\nA: mov.u32 %r12, 1; bra E;\nB: mov.u32 %r12, 2;\nE: " + store);
  };
  const auto r = ask(with(""), with(""));
  CHECK(r.verdict == Verdict::invalid);
  CHECK(finding(r) == "unspecified-result");
  CHECK(ask(with("and.b32 %r10, %r10, 1;"), with("and.b32 %r10, %r10, 1;")).verdict == Verdict::equivalent);
}

TEST_CASE("brx.idx: a label that every index leads to is reached") {
  const auto with = [](const std::string& index, const std::string& list, const std::string& value) {
    return kernel(load_x + "setp.lt.u32 %p1, %r10, %r11;\n" + index + "T: .branchtargets " + list +
                  ";\nbrx.idx %r20, T;\nA: bra E;\nB: mov.u32 %r12, " + value + "; " + store + "\nE:");
  };
  const auto straight = [](const std::string& value) { return kernel("mov.u32 %r12, " + value + "; " + store); };
  for (const auto& [index, list] : {std::pair<std::string, std::string>{"selp.u32 %r20, 1, 2, %p1;", "A, B, B"},
                                    {"and.b32 %r20, %r10, 1;", "B, B"}}) {
    CHECK(ask(with(index, list, "10"), with(index, list, "11")).verdict == Verdict::different);
    CHECK(ask(with(index, list, "10"), kernel("")).verdict != Verdict::equivalent);
    CHECK(ask(with(index, list, "10"), straight("10")).verdict == Verdict::equivalent);
  }
}

TEST_CASE("rule 14: no more alignment than the spec states") {
  const std::string vector = "ld.global.v4.u32 {%r12, %r13, %r14, %r15}, [%rd1];" + store,
                    plain = "ld.global.u32 %r12, [%rd1];" + store;
  Ask q;
  CHECK(ask(kernel(vector), kernel(plain), q).verdict == Verdict::equivalent);
  q.buffer_lines = "align = 4\n";
  const auto r = ask(kernel(vector), kernel(plain), q);
  CHECK(r.verdict == Verdict::invalid);
  CHECK(finding(r) == "misaligned-access");
}

TEST_CASE("ld.global.nc of what the kernel writes, before or after") {
  Ask q;
  q.out_role = "inout";
  const std::string plain = kernel("ld.global.u32 %r12, [%rd6]; add.u32 %r12, %r12, 1;" + store);
  const auto later = ask(kernel("ld.global.nc.u32 %r12, [%rd6]; add.u32 %r12, %r12, 1;" + store), plain, q);
  CHECK(later.verdict == Verdict::invalid);
  CHECK(finding(later) == "nc-load-of-written-memory");
  CHECK(ask(kernel("mov.u32 %r12, 1; " + store + "ld.global.nc.u32 %r13, [%rd6];"), plain, q).verdict ==
        Verdict::invalid);
  CHECK(ask(kernel("ld.global.nc.u32 %r10, [%rd4]; mov.u32 %r12, %r10;" + store),
            kernel(load_x + "mov.u32 %r12, %r10;" + store))
            .verdict == Verdict::equivalent);
}

TEST_CASE("branches on data go both ways and meet again") {
  const std::string branch =
      load_x +
      "setp.lt.u32 %p1, %r10, %r11;\n@%p1 bra L;\nmov.u32 %r12, %r11; bra E;\nL: mov.u32 %r12, %r10;\nE: " + store;
  CHECK(ask(kernel(branch), kernel(load_x + "min.u32 %r12, %r10, %r11;" + store)).verdict == Verdict::equivalent);
  CHECK(ask(kernel(branch), kernel(load_x + "max.u32 %r12, %r10, %r11;" + store)).verdict == Verdict::different);
  // A store in one arm alone.
  const std::string arm =
      load_x +
      "setp.lt.u32 %p1, %r10, %r11;\nst.global.u32 [%rd6], %r11;\n@!%p1 bra E;\nst.global.u32 [%rd6], %r10;\nE:";
  CHECK(ask(kernel(arm), kernel(load_x + "min.u32 %r12, %r10, %r11;" + store)).verdict == Verdict::equivalent);
  // A fault that only some inputs reach.
  const auto r =
      ask(kernel(load_x + "setp.eq.u32 %p1, %r10, 12345;\n@%p1 st.global.u32 [%rd6+4096], %r10;\nmov.u32 %r12, %r10;" +
                 store),
          kernel(load_x + "mov.u32 %r12, %r10;" + store));
  CHECK(r.verdict == Verdict::invalid);
  CHECK(finding(r) == "out-of-bounds");
}

TEST_CASE("rule 20: a loop without end in sight is not decided") {
  const std::string loop = load_x +
                           "mov.u32 %r12, 0;\nL: add.u32 %r12, %r12, %r10; add.u32 %r11, %r11, %r10; setp.ne.u32 %p1, "
                           "%r11, 7;\n@%p1 bra L;\n" +
                           store;
  CHECK(ask(kernel(loop), kernel(loop + "add.u32 %r12, %r12, 1;" + store), {"u32", 1, 1}).verdict ==
        Verdict::inconclusive);
}
