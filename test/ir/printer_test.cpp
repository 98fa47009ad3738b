// The printer on modules built by hand; test/grammar prints what was read.
#include "ir/printer.h"

#include <doctest/doctest.h>

#include "ir/isa.h"

namespace ptxeq::ir {

namespace {

Register reg(const char* name, Type type) { return {.name = name, .type = type, .vector = 1, .at = {}}; }

Module small() {
  Module m;
  m.version = 88;
  m.sm = 90;
  m.suffix = 'a';
  Function f;
  f.name = "k";
  f.entry = f.has_body = true;
  f.linkage = {".visible"};
  Param& p = f.params.emplace_back();
  p.name = "p";
  p.align = 8;
  f.registers = {reg("%rd1", Type::b64), reg("x", Type::b32)};
  m.functions.push_back(f);
  return m;
}

Operand operand(Operand::Kind kind, std::uint32_t index = 0, std::int64_t value = 0, Type type = Type::none) {
  Operand o;
  o.kind = kind;
  o.index = index;
  o.value = value;
  o.type = type;
  return o;
}

Operand memory(const Operand& base, std::int64_t offset) {
  Operand o = operand(Operand::Kind::memory, 0, offset);
  o.parts.push_back(base);
  return o;
}

}  // namespace

TEST_CASE("a module's text") {
  Module m = small();
  Instruction load;
  load.op = match("ld.param.u64", 2).op;
  load.operands = {operand(Operand::Kind::reg, 0), memory(operand(Operand::Kind::param), 0)};
  Instruction ret;
  ret.op = match("ret", 0).op;
  Label& label = m.functions[0].labels.emplace_back();
  label.name = "$L";
  label.target = 1;
  m.functions[0].body = {load, ret};
  CHECK(print(m) ==
        ".version 8.8\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .b64 p)\n{\n    .reg .b64 %rd<2>;\n    .reg .b32 x;\n"
        "    ld.param.u64 %rd1, [p];\n$L:\n    ret;\n}\n");
}

TEST_CASE("immediates") {
  const Module m = small();
  const Function& f = m.functions[0];
  const auto printed = [&](std::int64_t value, Type type) {
    Instruction i;
    i.op = match("mov.b64", 2).op;
    i.operands = {operand(Operand::Kind::reg, 0), operand(Operand::Kind::imm, 0, value, type)};
    return print(m, f, i);
  };
  CHECK(printed(-1, Type::b64) == "mov.b64 %rd1, -1;");
  CHECK(printed(INT64_MIN, Type::b64) == "mov.b64 %rd1, 0x8000000000000000;");
  CHECK(printed(0x3f800000, Type::f32) == "mov.b64 %rd1, 0f3F800000;");
  CHECK(printed(0x3ff8000000000000, Type::f64) == "mov.b64 %rd1, 0d3FF8000000000000;");
}

TEST_CASE("addresses and guards") {
  const Module m = small();
  Function f = m.functions[0];
  f.registers.push_back(reg("%p1", Type::pred));
  Instruction i;
  i.op = match("ld.global.u32", 2).op;
  i.guard = {true, true, 2};
  i.operands = {operand(Operand::Kind::reg, 1), memory(operand(Operand::Kind::reg, 0), -4)};
  CHECK(print(m, f, i) == "@!%p1 ld.global.u32 x, [%rd1+-4];");
}

}  // namespace ptxeq::ir
