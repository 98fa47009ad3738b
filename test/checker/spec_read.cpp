#include <doctest/doctest.h>

#include <algorithm>

#include "checker/spec.h"

using namespace ptxeq;
using namespace ptxeq::check;

namespace {

const std::string good = R"(title = "a sum"
float = "bits"
[buffer.x]
type = "f32"
count = "2*n"
role = "in"
values = [-1, 0.5]
[buffer.o]
type = "u16"
role = "out"
shape = [4, 8]
strides = [10, 1]
init = [1, "0xffff"]
align = 16
[scalar.n]
type = "s32"
value = 16
range = [-20, 20]
multiple_of = 8
[scalar.m]
type = "u32"
range = [1, 100]
[scalar.s]
type = "b8[3]"
value = "00ff10"
[a]
kernel = "k"
grid = [4, 2]
block = [32]
shared = 64
args = ["x+256", "o", 0, "n"]
[[ref.launch]]
kernel = "first"
grid = [1, 1, 1]
block = [32, 1, 1]
args = []
[[ref.launch]]
kernel = "second"
grid = [2, 1, 1]
block = [32, 1, 1]
args = ["x"]
)";

SpecResult read(std::string text) { return read_spec(text, "spec.toml"); }

// `text` after the smallest good beginning is wrong at `line` and the message has `words`.
void wrong(const std::string& text, std::uint32_t line, const std::string& words) {
  const std::string valid = "[a]\ngrid = [1, 1, 1]\nargs = []\n";
  const auto result = read(valid + text);
  INFO(text);
  REQUIRE(result.findings.size() == 1);
  CAPTURE(result.findings[0].message);
  CHECK(result.findings[0].message.find(words) != std::string::npos);
  CHECK(result.findings[0].at.line == line + 3);
  CHECK(result.findings[0].side == Side::spec);
  CHECK(result.findings[0].file == "spec.toml");
  CHECK(result.findings[0].severity == Severity::critical);
  const auto& codes = finding_codes();
  CHECK(
      std::any_of(codes.begin(), codes.end(), [&](const FindingCode& c) { return c.code == result.findings[0].code; }));
}

}  // namespace

TEST_CASE("a spec is read whole") {
  const auto [spec, findings] = read(good);
  for (const auto& f : findings) FAIL_CHECK(f.message);
  CHECK(spec.title == "a sum");
  CHECK(spec.floats == Float::bits);
  const auto buffer = [&](std::string_view name) {
    return *std::find_if(spec.buffers.begin(), spec.buffers.end(), [&](const Buffer& b) { return b.name == name; });
  };
  const auto x = buffer("x"), o = buffer("o");
  CHECK(x.count == 32);
  CHECK_FALSE(x.count_of);
  CHECK(x.role == Role::in);
  CHECK(x.align == 256);
  CHECK((*x.values)[1] == 0.5);
  CHECK(o.count == 38);  // 1 + 3*10 + 7*1
  CHECK(o.align == 16);
  REQUIRE(o.init.size() == 38);
  CHECK(o.init[1] == 0xffff);
  CHECK(o.init[2] == 0);
  const auto scalar = [&](std::string_view name) {
    return *std::find_if(spec.scalars.begin(), spec.scalars.end(), [&](const Scalar& s) { return s.name == name; });
  };
  CHECK(*scalar("n").value == std::vector<std::uint8_t>{16, 0, 0, 0});
  CHECK_FALSE(scalar("m").value);
  CHECK((*scalar("m").range)[1] == 100);
  CHECK(scalar("s").size == 3);
  CHECK(*scalar("s").value == std::vector<std::uint8_t>{0, 0xff, 0x10});
  REQUIRE(spec.a.size() == 1);
  CHECK(*spec.a[0].grid == Dim3{4, 2, 1});
  CHECK(*spec.a[0].block == Dim3{32, 1, 1});
  CHECK(spec.a[0].shared == 64);
  CHECK(spec.a[0].args == std::vector<std::string>{"x+256", "o", "0", "n"});
  REQUIRE(spec.ref.size() == 2);
  CHECK(spec.ref[1].kernel == "second");
}

TEST_CASE("each mistake names its line and what is allowed") {
  wrong("[buffer.x]\ntype = \"f32\"\ncuont = 4\nrole = \"in\"", 3, "did you mean 'count'?");
  wrong("[buffer.x]\ntype = \"f31\"\nrole = \"in\"", 2, "f64");
  wrong("[buffer.x]\ntype = \"f32\"\nrole = \"input\"", 3, "in, out, inout or temp");
  wrong("[buffer.x]\ntype = \"f32\"", 1, "needs a key 'role'");
  wrong("[buffer.x]\nrole = \"in\"", 1, "needs a key 'type'");
  wrong("[buffer.x]\ntype = \"f32\"\nrole = \"in\"\ncount = -1", 4, "0 to");
  wrong("[buffer.x]\ntype = \"f32\"\nrole = \"in\"\ncount = \"k\"", 4, "no scalar is named 'k'");
  wrong("[scalar.n]\ntype = 'f32'\n[buffer.x]\ntype = 'f32'\nrole = 'in'\ncount = 'n'", 6, "no scalar is named 'n'");
  wrong("[scalar.n]\ntype = 'u32'\n[buffer.x]\ntype = 'f32'\nrole = 'in'\ncount = 'n/0'", 6, "divides by zero");
  wrong("[scalar.n]\ntype = 'u64'\nvalue = '0xffffffffffffffff'\n[buffer.x]\ntype = 'f32'\nrole = 'in'\ncount = 'n+2'",
        7, "leaves 64 bits");
  wrong("[buffer.x]\ntype = \"f32\"\nrole = \"in\"\nalign = 48", 4, "power of two");
  wrong("[buffer.x]\ntype = \"f32\"\nrole = \"in\"\ncount = 4\nshape = [2, 3]", 5, "6 elements");
  wrong("[buffer.x]\ntype = \"u8\"\nrole = \"in\"\ncount = 2\ninit = [1, 256]", 5, "255");
  wrong("[buffer.x]\ntype = \"u8\"\nrole = \"in\"\ncount = 1\ninit = [1, 2]", 5, "2 elements");
  wrong("[buffer.x]\ntype = \"u8\"\nrole = \"in\"\nvalues = \"finite\"", 4, "integers are finite");
  wrong("[scalar.n]\ntype = \"u8\"\nvalue = 256", 3, "0 to 255");
  wrong("[scalar.n]\ntype = \"b8[2]\"\nvalue = \"00\"", 3, "4 hex digits");
  wrong("[scalar.n]\ntype = \"b8[2]x\"", 2, "b8[N]");
  wrong("[scalar.n]\ntype = \"f32\"\nrange = [0, 1]", 3, "float");
  wrong("[b]\nkernel = \"k\"", 1, "no key 'b'");
  wrong("[ref]\ngrid = [0, 1, 1]\nargs = []", 2, "positive");
  wrong("[ref]\ngrid = [1, 1, 1, 1]\nargs = []", 2, "one to three");
  wrong("[ref]\ngrid = 4\nargs = []", 2, "[x, y, z]");
  wrong("[ref]\ngrid = 'all'\nargs = []", 2, "\"any\"");
  wrong("[ref]\ngrid = [[1], [2]]\nargs = []", 2, "or \"any\"");
  for (const std::string list : {"[]", "[[]]", "[[32], 64]", "[[32], [0]]", "[[1, 1, 1, 1]]", "'every'", "[['any']]"})
    wrong("[ref]\ngrid = [1]\nblock = " + list + "\nargs = []", 3, "a list of blocks");
  wrong("[ref]\nargs = []", 1, "needs a key 'grid'");
  wrong("[ref]\ngrid = 'any'\nargs = []\nmin_threads = 'n'", 4, "no scalar is named 'n'");
  wrong("[ref]\ngrid = 'any'\nargs = []\nmax_threads = 1.5", 4, "an expression");
  wrong("[ref]\ngrid = [1]\nargs = [1.5]", 3, "integers");
  wrong("[ref]\nlaunch = 1", 2, "[[ref.launch]]");
  wrong("[ref]\nkernel = 'x'\n[[ref.launch]]\ngrid = [1]\nargs = []", 2, "no key 'kernel'");
  wrong("x = ", 1, "");
}

TEST_CASE("preconditions that nothing satisfies are errors") {
  wrong("[buffer.x]\ntype = \"s32\"\nrole = \"in\"\nvalues = [2, 1]", 4, "no value");
  wrong("[buffer.x]\ntype = \"f32\"\nrole = \"in\"\nvalues = [2.0, 1.0]", 4, "no value");
  wrong("[buffer.x]\ntype = \"f32\"\nrole = \"in\"\nvalues = [nan, 1.0]", 4, "two numbers");
  wrong("[buffer.x]\ntype = \"bf16\"\nrole = \"in\"\nvalues = [1.001, 1.002]", 4, "no bf16");
  wrong("[buffer.x]\ntype = \"u32\"\nrole = \"in\"\nvalues = [-5, -1]", 4, "from 0");
  wrong("[buffer.x]\ntype = \"u32\"\nrole = \"in\"\ncount = 1\nvalues = [0, 5]\ninit = [6]", 6, "outside");
  wrong("[buffer.x]\ntype = \"f32\"\nrole = \"in\"\ncount = 1\nvalues = \"finite\"\ninit = [inf]", 6, "outside");
  wrong("[scalar.n]\ntype = \"u32\"\nrange = [5, 4]", 3, "no value");
  wrong("[scalar.n]\ntype = \"u32\"\nrange = [1, 15]\nmultiple_of = 16", 4, "no multiple");
  wrong("[scalar.n]\ntype = \"u32\"\nrange = [1, 15]\nvalue = 16", 4, "outside");
  wrong("[scalar.n]\ntype = \"u32\"\nmultiple_of = 4\nvalue = 6", 4, "no multiple");
  wrong("[ref]\ngrid = 'any'\nargs = []\nmin_threads = 9\nmax_threads = 8", 4, "at least 9 and at most 8");
}

TEST_CASE("zero and negative multiples count") {
  CHECK(read("[scalar.n]\ntype = 's32'\nrange = [-3, 3]\nmultiple_of = 16\n[a]\ngrid=[1]").findings.empty());
  CHECK(read("[scalar.n]\ntype = 's32'\nrange = [-17, -15]\nmultiple_of = 16\n[a]\ngrid=[1]").findings.empty());
  CHECK(read("[scalar.n]\ntype = 's32'\nrange = [-15, -1]\nmultiple_of = 16\n[a]\ngrid=[1]").findings.size() == 1);
}

TEST_CASE("several mistakes are found in one run, in the order of the file") {
  const auto result = read("titel = 'x'\nexpect = 'equal'\n[buffer.x]\ntype = 'f33'\nrole = 'i'\n[a]\ngrid = [0]\n");
  std::vector<std::uint32_t> lines;
  for (const auto& f : result.findings) lines.push_back(f.at.line);
  CHECK(lines == std::vector<std::uint32_t>{1, 2, 4, 5, 7});
}

TEST_CASE("a count may depend on a scalar without value") {
  const std::string text =
      "[scalar.k]\ntype = 's32'\nvalue = 4\n[scalar.n]\ntype = 's32'\n[buffer.x]\ntype = 'f32'\nrole = 'in'\ncount = "
      "'n*k'\n[a]\ngrid = [1]\n";
  const auto [spec, findings] = read(text);
  CHECK(findings.empty());
  const auto& x = spec.buffers[0];
  CHECK_FALSE(x.count);
  REQUIRE(x.count_of);
  REQUIRE(x.count_of->nodes.size() == 3);
  CHECK(spec.scalars[x.count_of->nodes[0].scalar].name == "n");
  CHECK(x.count_of->nodes[1] == constant_expression(4).nodes[0]);  // known scalars are numbers
  CHECK(x.count_of->nodes[2].kind == ExpressionNode::Kind::mul);
}

TEST_CASE("a launch may be open") {
  const auto launch = [](const std::string& text) {
    const auto [spec, findings] = read("[scalar.n]\ntype = 's32'\n[a]\n" + text);
    for (const auto& f : findings) FAIL_CHECK(f.message);
    return spec.a.at(0);
  };
  const auto any = launch("grid = 'any'\nblock = 'any'\nmin_threads = 'n'\nmax_threads = 99");
  CHECK(any.open.any_grid);
  CHECK(any.open.any_block);
  CHECK(any.open.blocks.empty());
  CHECK_FALSE(any.grid);
  CHECK_FALSE(any.block);
  REQUIRE(any.open.min_threads);
  CHECK(any.open.min_threads->nodes[0].kind == ExpressionNode::Kind::scalar);
  CHECK(any.open.max_threads == constant_expression(99));

  const auto list = launch("grid = [4]\nblock = [[32], [16, 2]]");
  CHECK_FALSE(list.open.any_grid);
  CHECK(list.grid == Dim3{4, 1, 1});
  CHECK(list.open.any_block);
  CHECK(list.open.blocks == std::vector<Dim3>{{32, 1, 1}, {16, 2, 1}});

  const auto single = launch("grid = [4]\nblock = [[32, 2]]");
  CHECK_FALSE(single.open.any_block);
  CHECK(single.block == Dim3{32, 2, 1});
}

TEST_CASE("any text is answered, never thrown at") {
  for (const std::string text : {"", "\0", "[", "a = [", "[buffer]\nx = 1", "buffer = 3", "[a]\nlaunch = []",
                                 "a.b.c = 1", "\xff\xfe", "[[a]]"}) {
    INFO(text);
    CHECK_FALSE(read(text).findings.empty());
  }
}
