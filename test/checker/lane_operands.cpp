// Operands and results of lanes that differ in kind: 160 threads (no power of two), terms, numbers and registers that
// hold both, guards that are terms, lanes that have parted; against the same values spelled by selects.
#include <doctest/doctest.h>

#include <string>

#include "test/checker/prove_texts.h"

using namespace ptxeq;
using check::Verdict;

namespace {

Verdict compare(const std::string& a, const std::string& ref) {
  const auto kernel = [](const std::string& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 x, .param .u64 o) {\n"
           ".reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .b16 %h<9>; .reg .pred %p<9>;\n"
           "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [o]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;\n"
           "add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; ld.global.u32 %r2, [%rd1]; and.b32 %r3, %r2, 1;\n" +
           body + "\nst.global.u32 [%rd2], %r9;\nret;\n}\n";
  };
  const std::string side = "]\ngrid = [1, 1, 1]\nblock = [160, 1, 1]\nargs = [\"x\", \"o\"]\n";
  const std::string spec =
      "float = \"bits\"\n[buffer.x]\ntype = \"u32\"\ncount = 160\nrole = \"in\"\n[buffer.o]\ntype = \"u32\"\n"
      "count = 160\nrole = \"out\"\n[a" +
      side + "[ref" + side;
  return check::test::prove_texts(kernel(a), kernel(ref), spec, 20).verdict;
}

// Both store the same; with `ref` spelled wrongly for thread 157 alone, they do not.
void same(const std::string& a, const std::string& ref) {
  CAPTURE(a);
  CHECK(compare(a, ref) == Verdict::equivalent);
  CHECK(compare(a, ref + "setp.eq.u32 %p8, %r1, 157; @%p8 xor.b32 %r9, %r9, 4;") == Verdict::different);
}

}  // namespace

TEST_CASE("a guard that is a term, its result an operand") {
  same("mov.u32 %r9, %r2; setp.eq.u32 %p1, %r3, 1; @%p1 add.u32 %r9, %r9, 7;",
       "mul.lo.u32 %r9, %r3, 7; add.u32 %r9, %r9, %r2;");
}

TEST_CASE("a register that holds numbers in some lanes and terms in others") {
  const std::string low = "setp.lt.u32 %p2, %r1, 70;\n";
  same(low + "mov.u32 %r4, %r2; @%p2 mov.u32 %r4, %r1; add.u32 %r9, %r4, %r2;",
       low + "selp.u32 %r4, %r1, %r2, %p2; add.u32 %r9, %r2, %r4;");
  same(low + "mov.u32 %r4, %r2; @%p2 mov.u32 %r4, %r1; mad.lo.u32 %r9, %r4, %r1, %r2;",
       low + "mul.lo.u32 %r4, %r1, %r1; mul.lo.u32 %r5, %r2, %r1; selp.u32 %r4, %r4, %r5, %p2; add.u32 %r9, %r4, %r2;");
}

TEST_CASE("lanes that have parted compute on terms") {
  same(
      "rem.u32 %r4, %r1, 3; setp.eq.u32 %p2, %r4, 0; mov.u32 %r9, %r2; @%p2 bra ON; add.u32 %r9, %r9, %r2;\nON:\n"
      "xor.b32 %r9, %r9, %r1;",
      "rem.u32 %r4, %r1, 3; setp.eq.u32 %p2, %r4, 0; shl.b32 %r5, %r2, 1; selp.u32 %r9, %r2, %r5, %p2;\n"
      "xor.b32 %r9, %r1, %r9;");
}

TEST_CASE("two predicates at once, one thrown away, one negated") {
  same("setp.lt.u32 %p1|%p2, %r2, 100; selp.u32 %r4, 1, 0, %p1; selp.u32 %r5, 2, 0, %p2; add.u32 %r9, %r4, %r5;",
       "setp.ge.u32 %p2|_, %r2, 100; selp.u32 %r9, 2, 1, %p2;");
  same("setp.eq.u32 %p1, %r3, 1; setp.lt.and.u32 %p2, %r2, 100, !%p1; selp.u32 %r9, 1, 0, %p2;",
       "setp.lt.u32 %p2, %r2, 100; selp.u32 %r9, 1, 0, %p2; xor.b32 %r4, %r3, 1; and.b32 %r9, %r9, %r4;");
}

TEST_CASE("narrow operands and wide results") {
  same("cvt.u16.u32 %h1, %r2; mul.wide.u16 %r9, %h1, %h1;", "and.b32 %r4, %r2, 65535; mul.lo.u32 %r9, %r4, %r4;");
  same("cvt.s16.u32 %h1, %r2; cvt.s32.s16 %r9, %h1;", "shl.b32 %r9, %r2, 16; shr.s32 %r9, %r9, 16;");
}
