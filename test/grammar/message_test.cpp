// What people read when a text is wrong: place, cause and cure.
#include "reading.h"

namespace ptxeq::grammar::test {

namespace {

std::string messages(const std::string& text) { return rendered(read(text, "a.ptx")); }

}  // namespace

TEST_CASE("several errors in one run, each with its line and a caret") {
  CHECK(messages(".version 8.8\n"
                 ".target sm_9O\n"
                 ".visble .global .b32 g;\n"
                 ".visible .entry kernel(.param .u64 out)\n"
                 "{\n"
                 "\t.reg .b32 %r<4>;\n"
                 "\t.reg .b64 %rd<2>\n"
                 "\tld.param.u64 %rd1, [uot];\n"
                 "\tmov.u32 %r4, %tid.x;\n"
                 "\tadd.s32 %r1, %r2 %r3;\n"
                 "\tst.global.u32 [%rd1-4], %r1\n"
                 "\tbra DNOE;\n"
                 "DONE:\n"
                 "\tret;\n"
                 "}\n") ==
        "a.ptx:2:9: error: there is no .target 'sm_9O'; did you mean 'sm_90'? [target-too-low]\n"
        "    .target sm_9O\n"
        "            ^\n"
        "a.ptx:3:1: error: '.visble' belongs to no declaration; did you mean '.visible'? [syntax]\n"
        "    .visble .global .b32 g;\n"
        "    ^\n"
        "a.ptx:7:18: error: ';' is missing after '>' [syntax]\n"
        "    \t.reg .b64 %rd<2>\n"
        "    \t                ^\n"
        "a.ptx:8:15: error: register '%rd1' is not declared [undeclared-register]\n"
        "    \tld.param.u64 %rd1, [uot];\n"
        "    \t             ^\n"
        "a.ptx:8:22: error: 'uot' is no register, variable or parameter; did you mean 'out'? [unknown-symbol]\n"
        "    \tld.param.u64 %rd1, [uot];\n"
        "    \t                    ^\n"
        "a.ptx:9:10: error: register '%r4' is not declared; '.reg' has %r<4> only [undeclared-register]\n"
        "    \tmov.u32 %r4, %tid.x;\n"
        "    \t        ^\n"
        "a.ptx:10:19: error: '%r3' cannot stand here, after '%r2' [syntax]\n"
        "    \tadd.s32 %r1, %r2 %r3;\n"
        "    \t                 ^\n"
        "a.ptx:11:29: error: ';' is missing after '%r1' [syntax]\n"
        "    \tst.global.u32 [%rd1-4], %r1\n"
        "    \t                           ^\n"
        "a.ptx:12:6: error: there is no label 'DNOE' in this function; did you mean 'DONE'? [unknown-label]\n"
        "    \tbra DNOE;\n"
        "    \t    ^\n");
}

TEST_CASE("a broken head costs its body, not the functions behind it") {
  const std::string text = module_text(
      ".entry broken(.param .u32 a .param .u32 b) {\n.reg .b32 x;\nmov.b32 x, y;\n{ mov.b32 x, y; }\n}\n"
      ".entry good() { bra L; }\n");
  const Result result = read(text, "a.ptx");
  REQUIRE(result.findings.size() == 2);
  CHECK(result.findings[0].at == Location{4, 29});
  CHECK(result.findings[1].code == "unknown-label");
}

TEST_CASE("reading stops at twenty errors") {
  std::string body;
  for (int i = 0; i < 100; ++i) body += "mov.b32 %x" + std::to_string(i) + ", 1;\n";
  const Result result = read(kernel_text(body), "a.ptx");
  CHECK(result.findings.size() == 20);
  CHECK_FALSE(result.ok());
}

TEST_CASE("an unknown name is reported once") {
  CHECK(read(kernel_text("mov.b32 %x, 1; mov.b32 %r1, %x; mov.b32 %x, 2;"), "a.ptx").findings.size() == 1);
}

TEST_CASE("what is refused before it is parsed") {
  const auto first = [](const std::string& text, const Limits& limits = {}) {
    const Result result = read(text, "a.ptx", limits);
    REQUIRE(!result.findings.empty());
    CHECK(result.findings[0].code == "syntax");
    return result.findings[0].message;
  };
  CHECK(first(std::string("\x7f") + "ELF" + std::string(1, '\0')) ==
        "the file has a NUL byte: it is no PTX text (a cubin or fatbin?)");
  CHECK(first("\xef\xbb\xbf.version 8.8").starts_with("the file starts with a byte order mark"));
  CHECK(first(module_text("// caf\xc3\xa9")).starts_with("a character outside ASCII"));
  CHECK(first(module_text("/* never closed")) == "this comment has no end: '*/' is missing");
  CHECK(first(std::string(2000000, '(')) == "brackets are nested more than 256 deep");
  CHECK(first(module_text(".global .u32 x = " + std::string(2000000, '-') + "1;")) == "this expression is too long");
  std::string casts, choices;
  for (int i = 0; i < 100000; ++i) casts += "(.s64)", choices += "1?1:";
  CHECK(first(module_text(".global .u32 x = " + casts + "1;")) == "this expression is too long");
  CHECK(first(module_text(".global .u32 x = " + choices + "1;")) == "this expression is too long");
  std::string sum = "1";
  for (int i = 0; i < 100000; ++i) sum += "*1";
  CHECK(first(module_text(".global .u32 x = (" + sum + ");")) == "this expression is nested too deep");
  CHECK(first("x", {.bytes = 0}).starts_with("the text has 1 bytes"));
}

TEST_CASE("a file that cannot be read") {
  const Result result = read_file("/nonexistent/a.ptx");
  CHECK_FALSE(result.module);
  REQUIRE(result.findings.size() == 1);
  CHECK(render(result.findings[0], {}) ==
        "/nonexistent/a.ptx: error: cannot read '/nonexistent/a.ptx': it does not exist or may not be read [syntax]\n");
}

TEST_CASE("a long line is shown around its caret") {
  const std::string line(1000, ' ');
  Finding finding{.code = "syntax", .message = "m", .file = "a.ptx", .at = {1, 500}, .witness = {}, .fix = {}};
  const std::string text = render(finding, {line + "x"});
  CHECK(text.size() < 400);
}

}  // namespace ptxeq::grammar::test
