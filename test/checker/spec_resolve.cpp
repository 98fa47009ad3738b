#include <doctest/doctest.h>

#include "checker/infer.h"
#include "checker/spec.h"
#include "grammar/reader.h"

using namespace ptxeq;
using namespace ptxeq::check;

namespace {

ir::Module read(const std::string& kernels) {
  auto result = grammar::read(".version 8.0\n.target sm_80\n.address_size 64\n" + kernels, "k.ptx");
  for (const auto& f : result.findings) FAIL_CHECK(f.message);
  REQUIRE(result.ok());
  return *result.module;
}

const std::string two =
    ".visible .entry first(.param .u64 p, .param .u32 n) .maxntid 64, 2, 1 { .reg .b64 %rd<4>; ld.param.u64 %rd1, [p]; "
    "st.u64 [%rd1], %rd1; ret; }\n"
    ".visible .entry second(.param .align 4 .b8 s[12]) .reqntid 32 { ret; }\n";

std::vector<Finding> problems(const std::string& spec, const ir::Module& a) {
  const auto read = read_spec(spec, "spec.toml");
  for (const auto& f : read.findings) FAIL_CHECK(f.message);
  return resolve(read.spec, a, nullptr).findings;
}

void one(const std::string& spec, const ir::Module& a, const std::string& words, std::uint32_t line) {
  const auto findings = problems(spec, a);
  INFO(spec);
  REQUIRE(findings.size() == 1);
  CAPTURE(findings[0].message);
  CHECK(findings[0].message.find(words) != std::string::npos);
  CHECK(findings[0].at.line == line);
  CHECK(findings[0].side == Side::spec);
}

const std::string buffers =
    "[buffer.x]\ntype = 'f32'\ncount = 4\nrole = 'in'\n[scalar.n]\ntype = 'u32'\n[scalar.w]\ntype = "
    "'u64'\n[scalar.s]\ntype = 'b8[12]'\n";

}  // namespace

TEST_CASE("kernels, parameters and launches are checked against the module") {
  const auto a = read(two);
  const std::string head = buffers + "[a]\ngrid = [1]\n";  // [a] stands in line 11
  CHECK(problems(head + "kernel = 'first'\nblock = [64]\nargs = ['x', 'n']", a).empty());
  CHECK(problems(head + "kernel = 'second'\nargs = ['s']", a).empty());  // its block is .reqntid's
  one(head + "block = [32]\nargs = []", a, "first or second", 11);
  one(head + "kernel = 'frist'\nblock = [32]\nargs = []", a, "did you mean 'first'", 11);
  one(head + "kernel = 'first'\nargs = ['x', 'n']", a, "block", 11);
  one(head + "kernel = 'first'\nblock = [256]\nargs = ['x', 'n']", a, ".maxntid", 11);
  one(head + "kernel = 'first'\nblock = [2048]\nargs = ['x', 'n']", a, "1024", 11);
  one(head + "kernel = 'second'\nblock = [64]\nargs = ['s']", a, ".reqntid", 11);
  one(head + "kernel = 'first'\nblock = [32]\nargs = ['x']", a, "has 2 parameters (p, n), args has 1", 11);
  one(head + "kernel = 'first'\nblock = [32]\nargs = ['w', 'n']", a, "is a scalar", 11);
  one(head + "kernel = 'first'\nblock = [32]\nargs = ['x', 'w']", a, "takes 4 bytes, the scalar 'w' has 8", 11);
  one(head + "kernel = 'first'\nblock = [32]\nargs = ['x', 'x']", a, "takes 4 bytes", 11);
  one(head + "kernel = 'first'\nblock = [32]\nargs = ['y', 'n']", a, "'y'", 11);
  one(head + "kernel = 'first'\nblock = [32]\nargs = ['x+17', 'n']", a, "past the end", 11);
  one(head + "kernel = 'first'\nblock = [32]\nargs = ['x+a', 'n']", a, "name+bytes", 11);
  one(head + "kernel = 'first'\nblock = [32]\nargs = ['n+4', 'n']", a, "only a buffer", 11);
  one(buffers + "[a]\ngrid = [1, 65536]\nkernel = 'first'\nblock = [32]\nargs = ['x', 'n']", a, "65535", 11);
}

TEST_CASE("what is open of a launch reaches the problem") {
  const auto a = read(two);
  const auto launch = [&](const std::string& text) {
    const auto spec = read_spec(buffers + "[a]\n" + text, "spec.toml");
    for (const auto& f : spec.findings) FAIL_CHECK(f.message);
    const auto resolved = resolve(spec.spec, a, nullptr);
    for (const auto& f : resolved.findings) FAIL_CHECK(f.message);
    return resolved.problem.a.launches.at(0);
  };
  const std::string first = "kernel = 'first'\nargs = ['x', 'n']\n", second = "kernel = 'second'\nargs = ['s']\n";

  const auto any = launch(first + "grid = 'any'\nblock = 'any'\nmin_threads = '(n+3)/4'");
  REQUIRE(any.open);
  CHECK(any.open->any_grid);
  CHECK(any.open->any_block);
  CHECK(any.open->min_threads);
  CHECK_FALSE(any.open->max_threads);

  const auto grid = launch(first + "grid = 'any'\nblock = [64]");
  REQUIRE(grid.open);
  CHECK_FALSE(grid.open->any_block);
  CHECK(grid.block == Dim3{64, 1, 1});

  const auto list = launch(first + "grid = [7]\nblock = [[64], [128]]\nmin_threads = 896");
  REQUIRE(list.open);
  CHECK_FALSE(list.open->any_grid);
  CHECK(list.grid == Dim3{7, 1, 1});
  CHECK(list.open->blocks.size() == 2);

  const auto required = launch(second + "grid = 'any'\nblock = 'any'");
  REQUIRE(required.open);
  CHECK_FALSE(required.open->any_block);
  CHECK(required.block == Dim3{32, 1, 1});
  CHECK_FALSE(launch(second + "grid = [2]\nblock = 'any'\nmin_threads = 64\nmax_threads = 64").open);
  CHECK(launch(second + "grid = 'any'").block == Dim3{32, 1, 1});
}

TEST_CASE("open launches and bounds are checked against the kernel") {
  const auto a = read(two);
  const std::string first = buffers + "[a]\nkernel = 'first'\nargs = ['x', 'n']\n";  // [a] stands in line 11
  const std::string second = buffers + "[a]\nkernel = 'second'\nargs = ['s']\n";
  one(first + "grid = 'any'", a, "the block's size is missing", 11);
  one(first + "grid = 'any'\nblock = [[32], [2048]]", a, "1024 threads", 11);
  one(first + "grid = 'any'\nblock = [[32], [256]]", a, ".maxntid", 11);
  one(first + "grid = [1, 65536]\nblock = 'any'", a, "65535", 11);
  one(second + "grid = 'any'\nblock = [[32], [64]]", a, ".reqntid", 11);
  one(first + "grid = [2]\nblock = [4]\nmin_threads = 9", a, "fewer", 11);
  one(first + "grid = [2]\nblock = [4]\nmax_threads = 7", a, "more", 11);
  one(second + "grid = [2]\nmax_threads = 63", a, "more", 11);
  one(first + "grid = [2]\nblock = [4]\nmin_threads = 'n'", a, "its range", 11);
  one(first + "grid = [2]\nblock = 'any'\nmin_threads = 257", a, "fewer, whatever its size", 11);
  one(first + "grid = 'any'\nblock = [[64], [32]]\nmax_threads = 31", a, "more, whatever its size", 11);
  CHECK(problems(first + "grid = [2]\nblock = 'any'\nmin_threads = 256\nmax_threads = 256", a).empty());
  CHECK(problems(first + "grid = 'any'\nblock = [[64], [32]]\nmax_threads = 32", a).empty());
  CHECK(problems(first + "grid = [2147483647, 65535, 65535]\nblock = [32]\nmin_threads = 1", a).empty());
  one(first + "grid = [2147483647, 65535, 65535]\nblock = [32]\nmax_threads = 9", a, "more", 11);
}

TEST_CASE("what is not fixed is named") {
  const auto a = read(two);
  const auto open = [&](const std::string& text) {
    return open_part(
        resolve(read_spec(buffers + "[a]\nkernel = 'first'\nargs = ['x', 'n']\n" + text, "").spec, a, nullptr).problem);
  };
  CHECK(open("grid = [1]\nblock = [32]") == "");
  CHECK(open("grid = 'any'\nblock = [32]") == "grid = \"any\"");
  CHECK(open("grid = [1]\nblock = 'any'") == "block = \"any\"");
  CHECK(open("grid = [1]\nblock = [[32], [64]]") == "a list of blocks");
  CHECK(open("grid = [1]\nblock = [32]\n[buffer.y]\ntype = 'u8'\nrole = 'in'\ncount = '(n+3)/4'").find("(n + 3) / 4") !=
        std::string::npos);
}

TEST_CASE("arguments become values") {
  const auto a = read(two);
  const auto spec =
      read_spec(buffers + "[a]\ngrid = [1]\nkernel = 'first'\nblock = [32]\nargs = ['x+16', -1]", "spec.toml").spec;
  const auto resolved = resolve(spec, a, nullptr);
  REQUIRE(resolved.findings.empty());
  const auto& args = resolved.problem.a.launches[0].args;
  CHECK(args[0].kind == Argument::Kind::buffer);
  CHECK(args[0].offset == 16);
  CHECK(args[1].kind == Argument::Kind::literal);
  CHECK(args[1].value == 0xffffffff);
}

TEST_CASE("pointers are told from integers by use") {
  const auto a = read(
      R"(.visible .entry k(.param .u64 p, .param .u64 q, .param .u64 stride, .param .u64 unused, .param .u64 .ptr .global .align 16 known,
    .param .u32 n, .param .u64 count) {
  .reg .b64 %rd<12>; .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.param.u64 %rd3, [stride]; ld.param.u64 %rd9, [count];
  cvta.to.global.u64 %rd4, %rd1;
  mad.lo.s64 %rd5, %rd3, 4, %rd4;
  ld.global.f32 %f1, [%rd5];
  mov.u64 %rd6, %rd2;
  shl.b64 %rd7, %rd9, 2;
  add.s64 %rd8, %rd6, %rd7;
  st.f32 [%rd8+4], %f1;
  ret; })");
  const auto uses = infer_params(a.functions[0]);
  const auto pointer = [&](std::size_t i) { return uses[i].pointer == ParamUse::Pointer::yes; };
  CHECK(pointer(0));
  CHECK(pointer(1));
  CHECK_FALSE(uses[2].pointer_like());
  CHECK_FALSE(uses[3].pointer_like());
  CHECK(pointer(4));
  CHECK_FALSE(uses[5].pointer_like());
  CHECK_FALSE(uses[6].pointer_like());
  CHECK(uses[0].loaded);
  CHECK_FALSE(uses[0].stored);
  CHECK(uses[1].stored);
  CHECK(uses[1].element == ir::Type::f32);
}

TEST_CASE("a byte offset summed with a pointer is no second pointer") {
  const auto a = read(R"(.visible .entry k(.param .u64 p, .param .u64 offset) {
  .reg .b64 %rd<5>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [offset];
  cvta.to.global.u64 %rd3, %rd1;
  add.s64 %rd4, %rd3, %rd2;
  ld.global.u32 %r1, [%rd4];
  ret; })");
  const auto uses = infer_params(a.functions[0]);
  CHECK(uses[0].pointer == ParamUse::Pointer::yes);
  CHECK_FALSE(uses[1].pointer_like());
}

TEST_CASE("an offset into a variable is no pointer, a base of loaded offsets may be one") {
  const auto a = read(R"(.global .b32 table[64];
  .visible .entry k(.param .u64 offset, .param .u64 base, .param .u64 out) {
  .reg .b64 %rd<9>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [offset]; ld.param.u64 %rd2, [base]; ld.param.u64 %rd3, [out];
  mov.u64 %rd4, table;
  add.s64 %rd5, %rd4, %rd1;
  ld.global.u64 %rd6, [%rd5];
  add.s64 %rd7, %rd2, %rd6;
  ld.global.u32 %r1, [%rd7];
  st.global.u32 [%rd3], %r1;
  ret; })");
  const auto uses = infer_params(a.functions[0]);
  CHECK_FALSE(uses[0].pointer_like());
  CHECK(uses[1].pointer == ParamUse::Pointer::maybe);
  CHECK(uses[2].pointer == ParamUse::Pointer::yes);
}
