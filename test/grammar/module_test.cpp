// Directives, variables and functions (PTX ISA 5.4, 11).
#include "reading.h"

namespace ptxeq::grammar::test {

TEST_CASE("the head of a module") {
  const ir::Module m = must_read(".version 8.8 .target sm_100f, texmode_independent .address_size 64");
  CHECK(m.version == 88);
  CHECK(m.sm == 100);
  CHECK(m.suffix == 'f');
  CHECK(m.target_options == std::vector<std::string>{"texmode_independent"});
  CHECK(must_read(".version 8.8 .target sm_90").address_size == 64);
  CHECK(refusal("") == "syntax");
  CHECK(refusal(".target sm_90") == "syntax");
  CHECK(refusal(".version 8.0 .address_size 64") == "syntax");
  CHECK(refusal(".version 9.1 .target sm_90") == "");
  CHECK(refusal(".version 9.2 .target sm_90") == "version-too-new");
  CHECK(refusal(".version 10.0 .target sm_90") == "version-too-new");
  CHECK(refusal(".version 8.9 .target sm_90") == "syntax");
  CHECK(refusal(".version 7.7 .target sm_90") == "version-too-old");
  CHECK(refusal(".version 7.8 .target sm_90a") == "version-too-old");
  CHECK(refusal(".version 8.8 .target sm_91") == "target-too-low");
  CHECK(refusal(".version 8.8 .target sm_90 .address_size 32") == "address-32bit");
}

TEST_CASE("variables") {
  const ir::Module m = must_read(module_text(
      ".visible .global .attribute(.managed) .align 16 .b8 a[3][4];\n.extern .shared .align 128 .b8 dyn[];\n"
      ".global .v2 .f32 v;\n.const .u32 c[0x6], d[WARP_SZ];\n.weak .global .u64 w = 7;\n"));
  REQUIRE(m.variables.size() == 6);
  CHECK(m.variables[0].linkage == std::vector<std::string>{".visible"});
  CHECK(m.variables[0].attributes == std::vector<std::string>{".managed"});
  CHECK(m.variables[0].align == 16);
  CHECK(m.variables[0].bytes() == 12);
  CHECK(m.variables[1].count == 0);
  CHECK(m.variables[2].align == 8);
  CHECK(m.variables[2].bytes() == 8);
  CHECK(m.variables[3].count == 6);
  CHECK(m.variables[3].space == ir::Space::const_);
  CHECK(m.variables[4].name == "d");
  CHECK(m.variables[5].initialised);
}

TEST_CASE("initialisers") {
  const ir::Module m = must_read(
      module_text(".func f() { ret; }\n.global .u32 a[2][3] = {{1, 2}, {4}};\n.global .f32 g[] = {1.0, 0f40000000};\n"
                  ".global .u64 p[3] = {a+4, generic(a)+8, f};\n.global .u8 b[2] = {0xff(a), 0xFF00(generic(a))};\n"
                  ".global .v2 .u32 v[2] = {{1, 2}, {3, 4}};\n.global .u32 z[4] = {};\n"));
  const auto& a = m.variables.at(0).initial;
  REQUIRE(a.size() == 3);
  CHECK(a[1].offset == 4);
  CHECK(a[2].offset == 12);
  CHECK(a[2].value == 4);
  const auto& g = m.variables.at(1);
  CHECK(g.count == 2);
  CHECK(g.initial.at(0).value == 0x3f800000);
  CHECK(g.initial.at(1).value == 0x40000000);
  const auto& p = m.variables.at(2).initial;
  CHECK(p.at(0).symbol == "a");
  CHECK(p.at(0).value == 4);
  CHECK(p.at(1).generic);
  CHECK(p.at(1).value == 8);
  CHECK(p.at(2).symbol == "f");
  CHECK(m.variables.at(3).initial.at(1).mask_shift == 8);
  CHECK(m.variables.at(4).initial.at(3).offset == 12);
  CHECK(m.variables.at(5).initial.empty());
}

TEST_CASE("declarations that ptxas 13.0 refuses") {
  for (const char* text : {".global .u32 o[];",
                           ".global .u32 x[2] = {1, 2, 3};",
                           ".global .u32 x = {1};",
                           ".shared .u32 x = 1;",
                           ".global .u32 x[0];",
                           ".global .u32 x[-1];",
                           ".global .align 3 .u32 x;",
                           ".global .v3 .u32 x;",
                           ".reg .b32 x;",
                           ".local .u32 x;",
                           ".param .u32 x;",
                           ".global .u32 .align 4 x;",
                           ".visible .extern .global .u32 x;",
                           ".global .u32 y[(3)];",
                           ".common .const .u32 x;",
                           ".entry k(.param .b8 a[]) { ret; }",
                           ".entry k(.reg .b32 a) { ret; }",
                           ".func (.param .b32 r) f() .noreturn { exit; }",
                           ".entry k() .maxntid 0 { ret; }",
                           ".loc 1 2 3",
                           ".target sm_90",
                           ".global .b8 s[3]; .global .u64 p = generic(s+1);",
                           ".entry k(.param .u64 .ptr .align 16 .global x) { ret; }",
                           ".global .u32 x[2] = {1,};",
                           ".global .u32 m[2][2] = {1, 2, 3, 4};",
                           ";",
                           ".entry k() { ret; };",
                           ".entry k() .noreturn { ret; }",
                           ".entry k() .foo { ret; }",
                           ".entry k() .maxntid 1, 2, 3, 4 { ret; }",
                           ".func f() .maxntid 3 { exit; }",
                           ".entry k() .reqntid 32 .maxntid 32 { ret; }",
                           ".entry k(.param .b32 a .param .b32 b) { ret; }",
                           ".entry k() { ret;",
                           ".entry k() { ret; } }",
                           "add.u32 a, b, c;",
                           ".entry k() { .func f() { ret; } ret; }",
                           ".entry (.param .b32 r) k() { ret; }"}) {
    CAPTURE(text);
    CHECK(refusal(module_text(text)) == "syntax");
  }
  CHECK(refusal(module_text(".global .f32 x = 1;")) == "type-mismatch");
  CHECK(refusal(module_text(".global .u32 x = 1.5;")) == "type-mismatch");
  CHECK(refusal(module_text(".global .pred x;")) == "type-mismatch");
  CHECK(refusal(module_text(".global .bf16 x;")) == "type-mismatch");
  CHECK(refusal(module_text(".global .u64 b = undefined;")) == "unknown-symbol");
  CHECK(refusal(".version 7.8 .target sm_80 .entry k() .reqnctapercluster 2 { ret; }") == "target-too-low");
}

TEST_CASE("functions and their parameters") {
  const ir::Module m = must_read(
      module_text(".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.func later();\n"
                  ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[24], .param .f32 x)\n"
                  ".maxntid 256, 1, 1\n.minnctapersm 2\n{ call later; ret; }\n.func later() .noreturn { exit; }\n"));
  REQUIRE(m.functions.size() == 3);
  CHECK(m.functions[0].name == "vprintf");  // declarations first, then bodies in order
  CHECK(m.functions[1].name == "k");
  CHECK(m.functions[2].name == "later");
  CHECK(m.functions[1].body.at(0).operands.at(0).index == 2);
  const ir::Function& k = m.functions[1];
  CHECK(k.entry);
  CHECK(k.params[0].pointer);
  CHECK(k.params[0].pointee == ir::Space::global);
  CHECK(k.params[0].pointee_align == 16);
  CHECK(k.params[1].bytes() == 24);
  CHECK(k.params[1].align == 8);
  CHECK(k.directives[0].values == std::vector<std::string>{"256", "1", "1"});
  CHECK(m.functions[2].directives[0].name == ".noreturn");
}

TEST_CASE("source lines and debug data") {
  const ir::Module m = must_read(
      module_text(".file 1 \"a.cu\", 12, 34\n.file 2 \"b.h\"\n.entry k() {\n.reg .b32 x;\n.loc 1 7 3\nmov.u32 x, 1;\n"
                  ".loc 2 9 1, function_name $L__info_string0+4, inlined_at 1 7 3\nret;\n}\n"
                  ".section .debug_str\n{\n$L__info_string0:\n.b8 1, 2\n.b64 $L__info_string0+4\n}\n"));
  const auto& body = m.functions.at(0).body;
  CHECK(body.at(0).source_file == 1);
  CHECK(body.at(0).source_line == 7);
  CHECK(body.at(1).source_file == 2);
  CHECK(body.at(1).source_line == 9);
  CHECK(m.source_files.at(1) == "a.cu");
  CHECK(m.directives.at(0).name == ".section");
}

TEST_CASE("a blank or a comment may stand between any two tokens") {
  const ir::Function f = must_read_kernel("ld /* a */ .global\n.u32 %r1 , [ %rd1 + /* b */ 4 ] // c\n;");
  CHECK(f.body.at(0).operands.at(1).value == 4);
}

}  // namespace ptxeq::grammar::test
