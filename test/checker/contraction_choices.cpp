// A product that is one of two values may be fused with a sum all the same (SOUNDNESS rule 12).
#include <doctest/doctest.h>

#include <algorithm>

#include "test/checker/prove_texts.h"

using namespace ptxeq;
using check::Report;
using check::Verdict;

namespace {

// v = x[i], a product where n > 5; then a sum.
std::string kernel(const std::string& body) {
  return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 o, .param .u32 n)
{
.reg .b32 %i, %n;
.reg .f32 %v, %w, %f;
.reg .b64 %x, %o, %a;
.reg .pred %p;
ld.param.u64 %x, [x]; ld.param.u64 %o, [o]; ld.param.u32 %n, [n];
mov.u32 %i, %tid.x; mul.wide.u32 %a, %i, 4; add.u64 %x, %x, %a; add.u64 %o, %o, %a;
ld.global.f32 %v, [%x]; setp.gt.u32 %p, %n, 5;
)" + body +
         "\nst.global.f32 [%o], %v;\nret;\n}\n";
}

Report ask(const std::string& a, const std::string& ref) {
  std::string spec =
      "float = \"bits\"\n[buffer.x]\ntype = \"f32\"\ncount = 32\nrole = \"in\"\n[buffer.o]\ntype = \"f32\"\n"
      "count = 32\nrole = \"out\"\n[scalar.n]\ntype = \"u32\"\n";
  for (const char* side : {"a", "ref"})
    spec += std::string("[") + side +
            "]\nkernel = \"k\"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\nargs = [\"x\", \"o\", \"n\"]\n";
  return check::test::prove_texts(kernel(a), kernel(ref), spec, 20);
}

bool assumes(const Report& r) {
  return std::any_of(r.findings.begin(), r.findings.end(),
                     [](const Finding& f) { return f.code == "contractible-fp"; });
}

}  // namespace

TEST_CASE("a product under a predicate and a sum: equal unless they are fused") {
  const std::string open = "@%p mul.f32 %v, %v, 0f40490FDB; add.f32 %v, %v, 0f3DCCCCCD;";
  const std::string rounded = "@%p mul.rn.f32 %v, %v, 0f40490FDB; add.rn.f32 %v, %v, 0f3DCCCCCD;";
  const Report r = ask(open, rounded);
  CHECK(r.verdict == Verdict::equivalent);
  CHECK(assumes(r));
  CHECK_FALSE(assumes(ask(rounded, rounded)));
}

TEST_CASE("a difference that fusing would mend is none") {
  for (const char* sum :
       {"add.f32 %v, %v, 0f3DCCCCCD;", "add.f32 %v, 0f3DCCCCCD, %v;", "sub.f32 %v, %v, 0fBDCCCCCD;"}) {
    const Report r =
        ask("@%p mul.f32 %v, %v, 0f40490FDB; " + std::string(sum),
            "fma.rn.f32 %w, %v, 0f40490FDB, 0f3DCCCCCD; add.rn.f32 %f, %v, 0f3DCCCCCD; selp.f32 %v, %w, %f, %p;");
    CHECK(r.verdict == Verdict::inconclusive);
    REQUIRE(r.reason);
    CHECK(r.reason->code == check::ReasonCode::contractible_fp);
  }
  CHECK(ask("@%p mul.f32 %v, %v, 0f40490FDB; add.f32 %v, %v, 0f3E4CCCCD;",
            "fma.rn.f32 %w, %v, 0f40490FDB, 0f3DCCCCCD; add.rn.f32 %f, %v, 0f3DCCCCCD; selp.f32 %v, %w, %f, %p;")
            .verdict == Verdict::different);
}
