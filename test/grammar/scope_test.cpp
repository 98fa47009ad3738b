// Scopes of registers, variables and labels (PTX ISA 5.4, 7.1; each case as ptxas 13.0 decides it).
#include "reading.h"

namespace ptxeq::grammar::test {

TEST_CASE("a shadowing register is another register") {
  const ir::Function f = must_read_kernel(
      ".reg .b32 z; mov.b32 z, 1; { .reg .b32 z; mov.b32 z, 2; } mov.b32 z, 3; { .reg .f32 z; mov.f32 z, 0f00000000; "
      "}");
  const auto reg = [&](std::size_t i) { return f.registers.at(f.body.at(i).operands.at(0).index); };
  CHECK(reg(0).name == "z");
  CHECK(reg(1).name == "z_1");
  CHECK(reg(2).name == "z");
  CHECK(reg(3).name == "z_2");
  CHECK(reg(3).type == ir::Type::f32);
}

TEST_CASE("a local name never captures the module's") {
  const ir::Function f = must_read_kernel("mov.u64 %rd1, a; { .reg .b32 a; mov.b32 a, 1; }", ".global .u32 a;");
  CHECK(f.body.at(0).operands.at(1).kind == ir::Operand::Kind::symbol);
  CHECK(f.registers.at(f.body.at(1).operands.at(0).index).name == "a_1");
}

TEST_CASE("ranges cost nothing and end where they say") {
  const ir::Function f = must_read_kernel(".reg .b32 %q<4000000000>; mov.b32 %q3999999999, 1;");
  CHECK(f.registers.size() == 1);
  CHECK(kernel_refusal("mov.b32 %r9, 1;") == "undeclared-register");
  CHECK(kernel_refusal("mov.b32 %r01, 1;") == "undeclared-register");
}

TEST_CASE("duplicates") {
  CHECK(kernel_refusal(".reg .b32 y, y;") == "duplicate-symbol");
  CHECK(kernel_refusal(".reg .b32 %r1;") == "duplicate-symbol");
  CHECK(kernel_refusal(".reg .b64 %r<20>;") == "duplicate-symbol");
  CHECK(kernel_refusal(".reg .b32 q1; .reg .b32 q<3>;") == "duplicate-symbol");
  CHECK(kernel_refusal(".reg .b32 p;") == "duplicate-symbol");
  CHECK(kernel_refusal("{ .reg .b32 p; }") == "");
  CHECK(kernel_refusal(".reg .b32 %tid;") == "duplicate-symbol");
  CHECK(kernel_refusal("", ".global .u32 a; .global .u32 a;") == "duplicate-symbol");
  CHECK(kernel_refusal("", ".func k() { ret; }") == "duplicate-symbol");
  CHECK(kernel_refusal("", ".global .u32 f; .func f() { ret; }") == "duplicate-symbol");
  CHECK(kernel_refusal("", ".func f(.param .b32 x); .func f() { ret; }") == "duplicate-symbol");
  CHECK(kernel_refusal("", ".extern .global .u32 a; .visible .global .u32 a = 1;") == "");
}

TEST_CASE("labels: forward, backward, out of a block, never into one") {
  const ir::Function f = must_read_kernel("L: { bra L; bra M; L: bra L; } M: bra M; N:");
  const auto target = [&](std::size_t i) { return f.labels.at(f.body.at(i).operands.at(0).index).target; };
  CHECK(target(0) == 2);  // the block's own L
  CHECK(target(1) == 3);
  CHECK(target(2) == 2);
  CHECK(target(3) == 3);
  CHECK(kernel_refusal("bra L; { L: ret; }") == "unknown-label");
  CHECK(kernel_refusal("bra L;") == "unknown-label");
  CHECK(kernel_refusal("L: L: bra L;") == "duplicate-label");
  CHECK(kernel_refusal(".reg .b32 z; z: bra z;") == "duplicate-label");
  CHECK(kernel_refusal("bra a; a: ret;", ".global .u32 a;") == "");
}

TEST_CASE("tables of targets") {
  const ir::Function f = must_read_kernel("T: .branchtargets A, B; brx.idx %r1, T; A: ret; B:");
  const ir::Label& table = f.labels.at(f.body.at(0).operands.at(1).index);
  CHECK(table.kind == ir::Label::Kind::branch_targets);
  REQUIRE(table.targets.size() == 2);
  CHECK(f.labels.at(table.targets[0]).target == 1);
  CHECK(f.labels.at(table.targets[1]).target == 2);
  CHECK(kernel_refusal("brx.idx %r1, T; A: ret; T: .branchtargets A;") == "unknown-label");
}

}  // namespace ptxeq::grammar::test
