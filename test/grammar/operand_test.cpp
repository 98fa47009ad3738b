// Operands (PTX ISA 6).
#include "reading.h"

namespace ptxeq::grammar::test {

using Kind = ir::Operand::Kind;

TEST_CASE("addresses") {
  const ir::Function f = must_read_kernel(
      "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [s+8]; ld.global.u32 %r1, [%rd1]; ld.global.u32 %r1, [%rd1+4*3];"
      "ld.global.u32 %r1, [%rd1+-4]; ld.global.u32 %r1, [g+4+4]; ld.global.u32 %r1, g[2]; mov.u64 %rd2, g;",
      ".global .u32 g[10];");
  const auto operand = [&](std::size_t i) { return f.body.at(i).operands.at(1); };
  CHECK(operand(0).kind == Kind::memory);
  CHECK(operand(0).parts.at(0).kind == Kind::param);
  CHECK(operand(1).parts.at(0).index == 1);
  CHECK(operand(1).value == 8);
  CHECK(operand(2).parts.at(0).kind == Kind::reg);
  CHECK(operand(3).value == 12);
  CHECK(operand(4).value == -4);
  CHECK(operand(5).parts.at(0).kind == Kind::symbol);
  CHECK(operand(5).parts.at(0).value == 0);
  CHECK(operand(5).value == 8);
  CHECK(operand(6).kind == Kind::memory);
  CHECK(operand(6).value == 8);
  CHECK_FALSE(operand(7).local);
}

TEST_CASE("what is no address (refused by ptxas 13.0 too)") {
  CHECK(kernel_refusal("ld.global.u32 %r1, [%rd1-4];") == "syntax");
  CHECK(kernel_refusal("ld.global.u32 %r1, [%rd1+%r2];") == "syntax");
  CHECK(kernel_refusal("ld.global.u32 %r1, [4+%rd1];") == "syntax");
  CHECK(kernel_refusal("ld.global.u32 %r1, [%tid.x];") == "operand-kind");
}

TEST_CASE("vectors, pairs, sinks, negation") {
  const ir::Function f = must_read_kernel(
      "ld.global.v4.u32 {%r1, _, %r3, %r4}, [%rd1]; mov.b64 %rd1, {%r1, -1}; setp.eq.s32 %p1|%p2, %r1, 3;"
      "setp.eq.s32 %p1|_, %r1, 3; and.pred %p1, !%p2, %p3; @!%p1 bra L; L:");
  const ir::Operand vector = f.body.at(0).operands.at(0);
  REQUIRE(vector.kind == Kind::vector);
  REQUIRE(vector.parts.size() == 4);
  CHECK(vector.parts[1].kind == Kind::sink);
  CHECK(f.body.at(1).operands.at(1).parts.at(1).value == -1);
  CHECK(f.body.at(2).operands.at(0).kind == Kind::pair);
  CHECK(f.body.at(3).operands.at(0).parts.at(1).kind == Kind::sink);
  CHECK(f.body.at(4).operands.at(1).negated);
  CHECK(f.body.at(5).guard.present);
  CHECK(f.body.at(5).guard.negated);
  CHECK(f.registers.at(f.body.at(5).guard.reg).name == "%p1");
}

TEST_CASE("selectors of the video instructions") {
  const ir::Function f = must_read_kernel("vmad.s32.s32.s32 %r1, %r2.b3, -%r3.h1, %r4;");
  CHECK(f.body.at(0).operands.at(1).part == 3);
  CHECK(f.body.at(0).operands.at(2).part == 5);
  CHECK(f.body.at(0).operands.at(2).negated);
}

TEST_CASE("special registers") {
  const ir::Function f = must_read_kernel(
      "mov.u32 %r1, %tid.x; mov.u32 %r1, %nctaid.z; mov.u64 %rd1, %clock64; mov.b32 %r1, %envreg31;"
      "mov.u32 %r1, %lanemask_lt; mov.u32 %r1, %ctaid.r;");
  const auto operand = [&](std::size_t i) { return f.body.at(i).operands.at(1); };
  CHECK(operand(0).index == std::uint32_t(ir::Special::tid));
  CHECK(operand(0).value == 0);
  CHECK(operand(1).index == std::uint32_t(ir::Special::nctaid));
  CHECK(operand(1).value == 2);
  CHECK(operand(2).index == std::uint32_t(ir::Special::clock64));
  CHECK(operand(3).value == 31);
  CHECK(operand(4).index == std::uint32_t(ir::Special::lanemask_lt));
  CHECK(operand(5).value == 0);
  CHECK(kernel_refusal("mov.u32 %r1, %tid.q;") == "operand-kind");
  CHECK(kernel_refusal("mov.u32 %r1, %envreg32;") == "undeclared-register");
}

TEST_CASE("calls") {
  const ir::Module m = must_read(kernel_text(
      "{ .param .b32 q; .param .b32 w; st.param.b32 [q], %r1; call.uni (w), f, (q); ld.param.b32 %r2, [w]; }\n"
      "mov.u64 %rd1, f; P: .callprototype (.param .b32 _) _ (.param .b32 _); { .param .b32 q; .param .b32 w;\n"
      "st.param.b32 [q], %r1; call (w), %rd1, (q), P; } call g;",
      ".func (.param .b32 r) f(.param .b32 x) { .reg .b32 a; ld.param.b32 a, [x]; st.param.b32 [r], a; ret; }\n"
      ".func g() { ret; }\n"));
  const ir::Function& k = *m.find("k");
  const ir::Instruction& direct = k.body.at(1);
  REQUIRE(direct.operands.size() == 3);
  CHECK(direct.operands[0].kind == Kind::list);
  CHECK(direct.operands[1].kind == Kind::function);
  CHECK(m.functions[direct.operands[1].index].name == "f");
  CHECK(k.variables[direct.operands[2].parts[0].index].name == "q");
  const ir::Instruction& indirect = k.body.at(5);
  REQUIRE(indirect.operands.size() == 4);
  CHECK(indirect.operands[1].kind == Kind::reg);
  CHECK(k.variables[indirect.operands[2].parts[0].index].name == "q_1");  // the second call's own
  CHECK(k.labels[indirect.operands[3].index].kind == ir::Label::Kind::call_prototype);
  const ir::Function& f = *m.find("f");
  CHECK(f.body.at(1).operands.at(0).parts.at(0).index == 1);  // results follow the parameters
  CHECK(f.param(1).name == "r");
}

}  // namespace ptxeq::grammar::test
