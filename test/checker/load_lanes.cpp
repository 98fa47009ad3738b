// What each lane of a block loads, whatever the lanes' places have in common. Loads of whole elements take lanes that
// share a place or follow each other together; the reference loads the same element byte by byte, lane by lane.
#include <doctest/doctest.h>

#include <string>

#include "test/checker/prove_texts.h"

using namespace ptxeq;
using check::Verdict;

namespace {

constexpr const char* begin =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 x, .param .u64 o) {\n"
    ".reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .b16 %h<9>; .reg .pred %p<3>;\n"
    "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [o]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd2, %rd3; mov.u32 %r9, 0; mov.u32 %r10, 0;\n";

// Element %r2 of x into %r10.
const std::string by_element = "mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd1, %rd4;\nld.global.u32 %r10, [%rd4];\n";
const std::string by_byte =
    "mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd1, %rd4;\n"
    "ld.global.u8 %r11, [%rd4]; ld.global.u8 %r12, [%rd4+1]; ld.global.u8 %r13, [%rd4+2]; ld.global.u8 %r14, "
    "[%rd4+3];\n"
    "shl.b32 %r12, %r12, 8; shl.b32 %r13, %r13, 16; shl.b32 %r14, %r14, 24;\n"
    "or.b32 %r10, %r11, %r12; or.b32 %r10, %r10, %r13; or.b32 %r10, %r10, %r14;\n";
const std::string store = "st.global.u32 [%rd3], %r10;\nret;\n}\n";

Verdict compare(const std::string& a, const std::string& ref) {
  const std::string side = "]\ngrid = [1, 1, 1]\nblock = [256, 1, 1]\nargs = [\"x\", \"o\"]\n";
  const std::string spec =
      "float = \"bits\"\n[buffer.x]\ntype = \"u32\"\ncount = 4096\nrole = \"in\"\n[buffer.o]\ntype = \"u32\"\n"
      "count = 256\nrole = \"out\"\n[a" +
      side + "[ref" + side;
  return check::test::prove_texts(begin + a + store, begin + ref + store, spec, 20).verdict;
}

// How the element's number, %r2, comes from the thread's, %r1; 1,024 elements lie on a page.
const std::string places[] = {
    "add.u32 %r2, %r1, 1000;",                                                    // neighbours across a page
    "add.u32 %r2, %r1, 768;",                                                     // up to a page's end
    "shr.u32 %r2, %r1, 3; add.u32 %r2, %r2, 1008;",                               // eight lanes share one
    "sub.u32 %r2, 1100, %r1;",                                                    // backwards
    "mul.lo.u32 %r2, %r1, 5;",                                                    // strided
    "xor.b32 %r2, %r1, 1;",                                                       // pairs exchanged
    "mov.u32 %r2, 1023;",                                                         // all one
    "and.b32 %r2, %r1, 15; shr.u32 %r3, %r1, 4; mad.lo.u32 %r2, %r3, 250, %r2;",  // rows of sixteen
    "and.b32 %r2, %r1, 1; add.u32 %r2, %r2, 1023;",                               // to and fro across a page
    "min.u32 %r2, %r1, 100;",                                                     // neighbours, then all one
};
// All lanes, a range of them, every third.
const std::string guards[] = {"", "setp.gt.u32 %p1, %r1, 37;\n", "rem.u32 %r4, %r1, 3; setp.eq.u32 %p1, %r4, 1;\n"};

}  // namespace

TEST_CASE("each lane loads its own element") {
  for (const std::string& place : places)
    for (const std::string& guard : guards) {
      CAPTURE(place);
      CAPTURE(guard);
      const std::string skip = guard.empty() ? "" : guard + "@!%p1 bra DONE;\n";
      const std::string done = guard.empty() ? "" : "DONE:\n";
      CHECK(compare(place + skip + by_element + done, place + skip + by_byte + done) == Verdict::equivalent);
      const std::string wrong = "setp.eq.u32 %p2, %r1, 91;\n@%p2 add.u32 %r2, %r2, 1;\n";
      CHECK(compare(place + skip + wrong + by_element + done, place + skip + by_byte + done) == Verdict::different);
    }
}

TEST_CASE("each lane loads its own part of a vector") {
  for (const char* place : {"add.u32 %r2, %r1, 250;", "shr.u32 %r2, %r1, 2;", "sub.u32 %r2, 600, %r1;"}) {
    CAPTURE(place);
    const std::string address = std::string(place) + "mul.wide.u32 %rd4, %r2, 16; add.u64 %rd4, %rd1, %rd4;\n";
    const std::string third = std::string(place) + "shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, 2;\n" + by_byte;
    CHECK(compare(address + "ld.global.v4.u32 {%r11, %r12, %r10, %r13}, [%rd4];\n", third) == Verdict::equivalent);
    CHECK(compare(address + "ld.global.v4.u32 {%r11, %r10, %r12, %r13}, [%rd4];\n", third) == Verdict::different);
  }
}
