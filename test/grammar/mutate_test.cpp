// Damaged texts: never a crash, never a hang, and what still reads still prints and reads back.
#include <array>
#include <chrono>
#include <random>

#include "ir/printer.h"
#include "reading.h"

namespace ptxeq::grammar::test {

namespace {

const std::string original = module_text(
    ".extern .shared .align 16 .b8 dyn[];\n.const .f32 c[2] = {1.0, 0f40000000};\n.global .u64 t[2] = {c, "
    "generic(c)+4};\n"
    ".func (.param .b32 r) f(.param .b32 x)\n{ .reg .b32 a; ld.param.b32 a, [x]; st.param.b32 [r], a; ret; }\n"
    ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .u32 n)\n.maxntid 128, 1, 1\n{\n"
    ".reg .pred %p<3>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n.reg .f32 %f<5>;\n.loc 1 2 3\n"
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; setp.ge.u32 %p1|%p2, %r1, 0x10U;\n@%p1 bra $L__1;\n"
    "ld.global.v4.f32 {%f1, %f2, _, %f4}, [%rd1+16];\nadd.f32 %f1, %f2, 0f3F800000;\n"
    "{ .param .b32 q; .param .b32 w; st.param.b32 [q], %r1; call.uni (w), f, (q); ld.param.b32 %r2, [w]; }\n"
    "T: .branchtargets $L__1, $L__2;\nbrx.idx %r2, T;\n$L__2: mov.u32 %r3, (1 << 4) + WARP_SZ;\n"
    "{ .reg .b32 %r1; mov.b32 %r1, dyn; bar.sync 0; }\n$L__1: st.global.f32 [%rd1+-4], %f1;\nret;\n}\n");

constexpr std::array tokens{"{",
                            "}",
                            "(",
                            ")",
                            "[",
                            "]",
                            ";",
                            ",",
                            ":",
                            "|",
                            "@",
                            "!",
                            "-",
                            "?",
                            "*",
                            "%",
                            "<",
                            "=",
                            ".reg",
                            ".param",
                            ".entry",
                            ".func",
                            ".align",
                            "%r1",
                            "0x",
                            "0f3F800000",
                            "99999999999999999999",
                            ".b32",
                            ".v4",
                            "_",
                            "generic",
                            "\"",
                            "/*",
                            "//",
                            "\n",
                            ".section",
                            ".loc",
                            ".file",
                            ".pragma",
                            ".callprototype",
                            ".branchtargets",
                            "call",
                            "bra",
                            ".global",
                            ".attribute",
                            "(.s64)",
                            "~"};

std::string damaged(std::mt19937& random) {
  std::string text = original;
  for (std::size_t n = 1 + random() % 5; n > 0 && !text.empty(); --n) {
    const std::size_t at = random() % text.size(), length = 1 + random() % 30, other = random() % text.size();
    switch (random() % 6) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(other, length));
        break;
      case 2:
        text[at] = char(random());
        break;
      case 3:
        text.insert(at, std::string(" ") + tokens[random() % tokens.size()] + " ");
        break;
      case 4:
        text.resize(at);
        break;
      default:
        std::swap(text[at], text[other]);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("damaged texts neither crash nor hang") {
  std::mt19937 random(1);
  unsigned read_well = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = damaged(random);
    CAPTURE(text);
    const auto start = std::chrono::steady_clock::now();
    const Result result = read(text, "m.ptx");
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
    rendered(result);
    REQUIRE((result.ok() || !result.findings.empty()));
    if (!result.ok()) continue;
    ++read_well;
    const Result again = read(ir::print(*result.module), "printed");
    INFO(rendered(again));
    REQUIRE(again.ok());
    REQUIRE(ir::same(*result.module, *again.module));
  }
  CHECK(read_well > 0);
}

TEST_CASE("the undamaged text reads") { must_read(original); }

}  // namespace ptxeq::grammar::test
