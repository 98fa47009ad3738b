// From the text of an opcode to its row. The accepted and refused spellings are those of ptxas 13.0.
#include <doctest/doctest.h>

#include <string>

#include "ir/isa.h"

using namespace ptxeq::ir;
using namespace ptxeq::ir::literals;

TEST_CASE("an opcode gives its types in order and its words as a set") {
  const Match found = match("cvt.rni.sat.s8.f32", 2);
  REQUIRE(found.ok);
  CHECK(found.op.type(0) == Type::s8);
  CHECK(found.op.type(1) == Type::f32);
  CHECK(found.op.has("rni"_w));
  CHECK(found.op.has("sat"_w));
  CHECK(!found.op.has("ftz"_w));
}

TEST_CASE("what is matched is spelled again as it was written") {
  const std::pair<const char*, std::size_t> texts[] = {
      {"add.s32", 3},
      {"add.ftz.rn.f32", 3},
      {"add.f32.rn", 3},
      {"ld.global.nc.L1::no_allocate.L2::128B.v4.f32", 2},
      {"ld.v2.global.f32", 2},
      {"st.shared::cta.u8", 2},
      {"setp.lt.and.f32", 4},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes", 3},
      {"wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", 8},
      {"tcgen05.mma.cta_group::1.kind::f16", 5},
      {"bar.sync", 1},
      {"ret", 0},
  };
  for (auto [text, count] : texts) {
    const Match found = match(text, count);
    INFO(text, ": ", found.error);
    REQUIRE(found.ok);
    CHECK(spell(found.op) == text);
  }
}

TEST_CASE("the number of operands chooses between forms") {
  CHECK(match("setp.lt.f32", 3).ok);
  CHECK(!match("setp.lt.f32", 4).ok);
  CHECK(match("setp.lt.or.f32", 4).ok);
  const Match found = match("add.u32", 4);
  CHECK(!found.ok);
  CHECK(found.code == "operand-kind");
  CHECK(found.error.find("3 operands, not 4") != std::string::npos);
}

TEST_CASE("an operand that a modifier brings counts only with it") {
  CHECK(match("ld.global.f32", 2).ok);
  CHECK(!match("ld.global.f32", 3).ok);
  CHECK(match("ld.global.L2::cache_hint.f32", 3).ok);
  CHECK(!match("ld.global.L2::cache_hint.f32", 2).ok);
}

TEST_CASE("an unknown opcode names the nearest one") {
  const Match found = match("addd.u32", 3);
  CHECK(!found.ok);
  CHECK(found.code == "syntax");
  CHECK(found.error.find("'add'") != std::string::npos);
}

TEST_CASE("a modifier that does not fit is named, with what is allowed") {
  const char* const texts[] = {"add.foo.u32", "add.sat.u32", "setp.lo.s32", "setp.lt.b32",  "atom.global.exch.f32",
                               "fma.f32",     "mul.s32",     "abs.u32",     "add.rn.rn.f32"};
  for (const char* text : texts)
    for (std::size_t count = 1; count <= 4; ++count) {
      const Match found = match(text, count);
      INFO(text);
      CHECK(!found.ok);
      CHECK(found.code == "illegal-modifier");
    }
  CHECK(match("shl.foo.b32", 3).error.find(".foo") != std::string::npos);
  CHECK(match("fma.f32", 4).error.find(".rn .rz .rm .rp") != std::string::npos);
}

TEST_CASE("rubbish is refused") {
  for (const char* text : {"", ".", "add.", "add..u32", ".add", "add.u32.", "ADD.u32"}) {
    INFO(text);
    CHECK(!match(text, 3).ok);
  }
  std::string many = "add";
  for (int i = 0; i < 100; ++i) many += ".rn";
  CHECK(!match(many, 3).ok);
}

TEST_CASE("the remembering matcher says the same") {
  Matcher matcher;
  for (int i = 0; i < 2; ++i) {
    CHECK(matcher.match("add.u32", 3).op == match("add.u32", 3).op);
    CHECK(matcher.match("add.u32", 2).code == "operand-kind");
  }
}

TEST_CASE("needs come from the row and from the words") {
  const auto most = [](const char* text, std::size_t count) {
    Needs all{0, 0};
    for (const Needs& n : needs(match(text, count).op)) {
      all.ptx = std::max(all.ptx, n.ptx);
      all.sm = std::max(all.sm, n.sm);
      if (n.suffix) all.suffix = n.suffix;
    }
    return std::tuple(all.ptx, all.sm, all.suffix);
  };
  CHECK(most("add.u32", 3) == std::tuple(10, 0, 0));
  CHECK(most("ld.relaxed.gpu.global.u32", 2) == std::tuple(60, 70, 0));
  CHECK(most("ld.relaxed.cluster.global.u32", 2) == std::tuple(78, 90, 0));
  CHECK(most("atom.global.cas.b128", 4) == std::tuple(83, 90, 0));
  CHECK(most("wgmma.fence.sync.aligned", 0) == std::tuple(80, 90, 'a'));
  CHECK(describe({86, 100, 'f', 119}) == "PTX 8.6, sm_100f to sm_119");
}
