// What check() says, against what ptxas 13.0 says about the same instruction.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "ir/isa.h"

using namespace ptxeq;
using namespace ptxeq::ir;
using K = Operand::Kind;

namespace {

// One function with a register of each type, and a variable of each space.
struct Bench {
  Module module;
  Function function;

  Bench() {
    module.version = 87;
    module.sm = 90;
    module.suffix = 'a';
    for (std::size_t i = 0; i < std::size_t(Type::count_); ++i)
      function.registers.push_back({"%" + std::string(info(Type(i)).name), Type(i), 1, {}});
    for (Space space : {Space::global, Space::shared}) {
      Variable v;
      v.name = std::string(name(space)) + "_variable";
      v.space = space;
      module.variables.push_back(v);
    }
  }

  static Operand reg(Type type) {
    Operand o;
    o.kind = K::reg;
    o.index = std::uint32_t(type);
    return o;
  }
  static Operand imm(std::int64_t value, Type type = Type::b64) {
    Operand o;
    o.kind = K::imm;
    o.type = type;
    o.value = value;
    return o;
  }
  static Operand group(K kind, std::vector<Operand> parts) {
    Operand o;
    o.kind = kind;
    o.parts = std::move(parts);
    return o;
  }
  static Operand at(Type type) { return group(K::memory, {reg(type)}); }
  static Operand at_variable(std::uint32_t index) {
    Operand o;
    o.kind = K::symbol;
    o.index = index;
    return group(K::memory, {o});
  }

  // The codes of the findings, joined by blanks.
  std::string operator()(const char* opcode, std::vector<Operand> operands) const {
    const Match found = match(opcode, operands.size());
    REQUIRE_MESSAGE(found.ok, opcode, ": ", found.error);
    Instruction instruction;
    instruction.op = found.op;
    instruction.operands = std::move(operands);
    std::vector<Finding> findings;
    check(module, function, instruction, findings);
    std::string codes;
    for (const Finding& f : findings) codes += (codes.empty() ? "" : " ") + f.code;
    return codes;
  }
};

const auto u16 = Bench::reg(Type::u16), u32 = Bench::reg(Type::u32), s32 = Bench::reg(Type::s32),
           b32 = Bench::reg(Type::b32), f32 = Bench::reg(Type::f32), b64 = Bench::reg(Type::b64),
           f64 = Bench::reg(Type::f64), b16 = Bench::reg(Type::b16), f16 = Bench::reg(Type::f16),
           f16x2 = Bench::reg(Type::f16x2), pred = Bench::reg(Type::pred);

}  // namespace

TEST_CASE("integers and bits of one size interchange, floats only with bits") {
  const Bench check;
  CHECK(check("add.s32", {b32, u32, s32}) == "");
  CHECK(check("add.f32", {f32, b32, f32}) == "");
  CHECK(check("and.b32", {b32, f32, f32}) == "");
  CHECK(check("selp.b32", {f32, f32, u32, pred}) == "");
  CHECK(check("add.u32", {u32, f32, u32}) == "type-mismatch");
  CHECK(check("add.f32", {f32, u32, f32}) == "type-mismatch");
  CHECK(check("selp.u32", {f32, u32, u32, pred}) == "type-mismatch");
  CHECK(check("add.u32", {u32, pred, u32}) == "type-mismatch");
  CHECK(check("mov.u32", {u32, b64}) == "type-mismatch");
}

TEST_CASE("packed halves stand in .b32 or registers of their own") {
  const Bench check;
  CHECK(check("add.u32", {f16x2, u32, u32}) == "");
  CHECK(check("add.f16x2", {b32, b32, f16x2}) == "");
  CHECK(check("add.f16x2", {b32, u32, f16x2}) == "type-mismatch");
  CHECK(check("add.bf16x2", {f16x2, b32, b32}) == "type-mismatch");
  CHECK(check("add.f16", {b16, u16, f16}) == "type-mismatch");
}

TEST_CASE("widths of results and amounts are the instruction's own") {
  const Bench check;
  CHECK(check("mul.wide.u32", {b64, u32, u32}) == "");
  CHECK(check("mul.wide.u32", {u32, u32, u32}) == "type-mismatch");
  CHECK(check("shl.b64", {b64, b64, u32}) == "");
  CHECK(check("shl.b32", {b32, b32, b64}) == "type-mismatch");
  CHECK(check("shl.b32", {b32, b32, b16}) == "type-mismatch");
  CHECK(check("popc.b64", {b32, b64}) == "");
  CHECK(check("popc.b64", {b64, b64}) == "type-mismatch");
}

TEST_CASE("constants fit their type") {
  const Bench check;
  const auto whole = Bench::imm(1), single = Bench::imm(0x3f800000, Type::f32), twice = Bench::imm(0, Type::f64);
  CHECK(check("add.u32", {u32, u32, Bench::imm(5000000000)}) == "");
  CHECK(check("add.f32", {f32, f32, twice}) == "");
  CHECK(check("add.f64", {f64, f64, single}) == "");
  CHECK(check("mov.b32", {b32, single}) == "");
  CHECK(check("mov.b64", {b64, twice}) == "");
  CHECK(check("add.f32", {f32, f32, whole}) == "type-mismatch");
  CHECK(check("add.u32", {u32, u32, single}) == "type-mismatch");
  CHECK(check("mov.b32", {b32, twice}) == "type-mismatch");
  CHECK(check("mov.u32", {u32, single}) == "type-mismatch");
  CHECK(check("add.f16", {b16, b16, whole}) == "type-mismatch");
}

TEST_CASE("ld, st and cvt take wider registers") {
  const Bench check;
  const auto address = Bench::at(Type::b64);
  CHECK(check("ld.global.b16", {f32, address}) == "");
  CHECK(check("ld.global.u8", {u32, address}) == "");
  CHECK(check("ld.global.f32", {b64, address}) == "");
  CHECK(check("ld.global.f32", {f64, address}) == "type-mismatch");
  CHECK(check("ld.global.u32", {f32, address}) == "type-mismatch");
  CHECK(check("ld.global.u32", {u16, address}) == "type-mismatch");
  CHECK(check("st.global.b8", {address, f32}) == "");
  CHECK(check("st.global.u8", {address, f32}) == "type-mismatch");
  CHECK(check("cvt.u16.u32", {u32, u32}) == "");
  CHECK(check("cvt.f32.f16", {u32, b16}) == "type-mismatch");
}

TEST_CASE("vectors have as many elements as the opcode says") {
  const Bench check;
  const auto address = Bench::at(Type::b64);
  const auto two = Bench::group(K::vector, {f32, f32});
  CHECK(check("ld.global.v2.f32", {two, address}) == "");
  CHECK(check("ld.global.v4.f32", {two, address}) == "operand-kind");
  CHECK(check("ld.global.v2.f32", {f32, address}) == "operand-kind");
  CHECK(check("mov.b64", {b64, two}) == "");
  CHECK(check("mov.b64", {two, b64}) == "");
  CHECK(check("mov.b32", {b32, two}) == "type-mismatch type-mismatch");
  CHECK(check("mov.u64", {b64, two}) == "type-mismatch");
}

TEST_CASE("mma fragments have the registers of their shape") {
  const Bench check;
  const auto of = [](const Operand& r, std::size_t n) { return Bench::group(K::vector, std::vector<Operand>(n, r)); };
  const char* const mma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
  CHECK(check(mma, {of(f32, 4), of(b32, 4), of(b32, 2), of(f32, 4)}) == "");
  CHECK(check(mma, {of(f32, 4), of(b32, 2), of(b32, 2), of(f32, 4)}) == "operand-kind");
  CHECK(check(mma, {of(f32, 4), of(f16x2, 4), of(u32, 2), of(f32, 4)}) == "type-mismatch type-mismatch");
}

TEST_CASE("addresses are in their space and have 64 bits") {
  const Bench check;
  CHECK(check("ld.shared.f32", {f32, Bench::at_variable(1)}) == "");
  CHECK(check("ld.shared.f32", {f32, Bench::at(Type::u32)}) == "");
  CHECK(check("ld.f32", {f32, Bench::at_variable(0)}) == "");
  CHECK(check("ld.global.f32", {f32, Bench::at_variable(1)}) == "address-space");
  CHECK(check("ld.shared.f32", {f32, Bench::at_variable(0)}) == "address-space");
  CHECK(check("ld.shared.f32", {f32, Bench::at(Type::f32)}) == "type-mismatch");
  CHECK(check("ld.global.f32", {f32, Bench::at(Type::u32)}) == "address-32bit");
}

TEST_CASE("special registers stand in mov and cvt") {
  const Bench check;
  Operand tid;
  tid.kind = K::special;
  tid.index = std::uint32_t(Special::tid);
  Operand clock64 = tid;
  clock64.index = std::uint32_t(Special::clock64);
  CHECK(check("mov.u32", {u32, tid}) == "");
  CHECK(check("cvt.u64.u32", {b64, tid}) == "");
  CHECK(check("mov.f32", {f32, tid}) == "type-mismatch");
  CHECK(check("mov.u32", {u32, clock64}) == "type-mismatch");
  CHECK(check("add.u32", {u32, u32, tid}) == "operand-kind");
}

TEST_CASE("barriers: numbers and counts") {
  const Bench check;
  CHECK(check("bar.sync", {Bench::imm(15)}) == "");
  CHECK(check("bar.sync", {Bench::imm(0), Bench::imm(64)}) == "");
  CHECK(check("bar.sync", {Bench::imm(16)}) == "operand-kind");
  CHECK(check("bar.sync", {Bench::imm(0), Bench::imm(48)}) == "barrier-count");
  CHECK(check("bar.sync", {b32, Bench::imm(48)}) == "barrier-count");
  CHECK(check("bar.sync", {u16}) == "type-mismatch");
}

TEST_CASE("version and target") {
  Bench check;
  const auto shared = Bench::at(Type::u32);
  CHECK(check("wgmma.fence.sync.aligned", {}) == "");
  check.module.suffix = 0;
  CHECK(check("wgmma.fence.sync.aligned", {}) == "target-arch-specific");
  check.module.sm = 100;
  check.module.suffix = 'a';
  CHECK(check("wgmma.fence.sync.aligned", {}) == "target-arch-specific");
  CHECK(check("tcgen05.wait::ld.sync.aligned", {}) == "");
  check.module.suffix = 'f';
  CHECK(check("tcgen05.wait::ld.sync.aligned", {}) == "");
  check.module.sm = 80;
  check.module.suffix = 0;
  CHECK(check("mbarrier.init.shared.b64", {shared, u32}) == "");
  CHECK(check("elect.sync", {Bench::group(K::pair, {b32, pred}), Bench::imm(-1)}) == "target-too-low");
  check.module.version = 60;
  CHECK(check("mbarrier.init.shared.b64", {shared, u32}) == "version-too-old");
}

TEST_CASE("vote and shfl without .sync are gone from sm_70 on, from PTX 6.4 on") {
  Bench check;
  CHECK(check("vote.ballot.b32", {b32, pred}) == "removed-instruction");
  CHECK(check("shfl.bfly.b32", {b32, b32, u32, u32}) == "removed-instruction");
  CHECK(check("vote.sync.ballot.b32", {b32, pred, Bench::imm(-1)}) == "");
  check.module.version = 63;
  CHECK(check("vote.ballot.b32", {b32, pred}) == "");
}

TEST_CASE("a pair where one is asked for, and the reverse") {
  const Bench check;
  const auto both = Bench::group(K::pair, {pred, pred});
  CHECK(check("setp.lt.f32", {both, f32, f32}) == "");
  CHECK(check("setp.lt.f32", {pred, f32, f32}) == "");
  CHECK(check("setp.eq.f16", {both, b16, b16}) == "operand-kind");
  CHECK(check("elect.sync", {b32, Bench::imm(-1)}) == "operand-kind");
  CHECK(check("lop3.b32", {b32, b32, b32, b32, b32}) == "operand-kind");
}
