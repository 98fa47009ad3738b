// Flags alone: names by A's parameters, pairing by position, what can be inferred and what is missing.
#include <doctest/doctest.h>

#include <algorithm>

#include "checker/flags.h"
#include "grammar/reader.h"

using namespace ptxeq;
using namespace ptxeq::check;

namespace {

// A kernel that stores n (or m) through its first parameter.
ir::Module module(
    const std::string& name, const std::string& params, const std::string& directives = "",
    const std::string& body =
        "ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd2, %rd1; ld.param.u32 %r1, [n]; st.global.u32 [%rd2], %r1;") {
  const std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry " + name + "(" + params +
                           ")\n" + directives + "\n{ .reg .b64 %rd<9>; .reg .b32 %r<9>; " + body + " ret; }\n";
  auto result = grammar::read(text, name + ".ptx");
  for (const auto& f : result.findings) FAIL_CHECK(f.message);
  REQUIRE(result.ok());
  return *result.module;
}

const std::string params = ".param .u64 out, .param .u32 n";

LaunchFlags launch(const std::string& grid, const std::string& block) {
  LaunchFlags flags;
  flags.both.grid = grid;
  flags.both.block = block;
  return flags;
}

std::string all(const std::vector<std::string>& texts) {
  std::string text;
  for (const auto& t : texts) text += t + "\n";
  return text;
}

}  // namespace

TEST_CASE("a pointer becomes an object of unknown size, a scalar a symbol") {
  const auto a = module("k", params), ref = module("r", ".param .u64 out, .param .u32 n");
  const auto result = read_flags(launch("2,3", "32"), a, &ref);
  CHECK(result.usage.empty());
  CHECK(result.findings.empty());
  REQUIRE(result.spec.buffers.size() == 1);
  const auto& out = result.spec.buffers[0];
  CHECK(out.name == "out");
  CHECK_FALSE(out.count);
  CHECK_FALSE(out.from_spec);
  CHECK(out.role == Role::inout);
  CHECK(out.type == ir::Type::u32);
  REQUIRE(result.spec.scalars.size() == 1);
  CHECK_FALSE(result.spec.scalars[0].value);
  const auto resolved = resolve(result.spec, a, &ref);
  CHECK(resolved.findings.empty());
  CHECK(resolved.problem.a.launches[0].grid == Dim3{2, 3, 1});
  CHECK(resolved.problem.ref.launches[0].kernel->name == "r");
  CHECK(resolved.problem.ref.launches[0].args[0].kind == Argument::Kind::buffer);
  CHECK(resolved.problem.ref.launches[0].args[1].kind == Argument::Kind::scalar);
}

TEST_CASE("parameters pair by position, values by A's name or index") {
  const auto a = module("k", params);
  const auto ref = module("r", ".param .u64 p, .param .u32 m", "",
                          "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [m]; st.u32 [%rd1], %r1;");
  auto flags = launch("1", "32");
  flags.values = {"1=-7"};
  flags.buffers = {"out=u32[64]"};
  const auto result = read_flags(flags, a, &ref);
  CHECK(all(result.usage) == "");
  REQUIRE(result.spec.scalars.size() == 1);
  CHECK(result.spec.scalars[0].name == "n");
  CHECK(*result.spec.scalars[0].value == std::vector<std::uint8_t>{0xf9, 0xff, 0xff, 0xff});
  CHECK(*result.spec.buffers[0].count == 64);
  CHECK(result.spec.ref[0].args == std::vector<std::string>{"out", "n"});
}

TEST_CASE("each side may have its own launch and arguments") {
  const auto a = module("k", params + ", .param .u64 scratch"), ref = module("r", params);
  auto flags = launch("1", "32");
  flags.ref.block = "64,2";
  flags.a.args = "o,m,0";
  flags.ref.args = "o+16,m";
  const auto result = read_flags(flags, a, &ref);
  CHECK(all(result.usage) == "");
  const auto resolved = resolve(result.spec, a, &ref);
  CHECK(resolved.findings.empty());
  CHECK(resolved.problem.a.launches[0].block == Dim3{32, 1, 1});
  CHECK(resolved.problem.ref.launches[0].block == Dim3{64, 2, 1});
  CHECK(resolved.problem.a.launches[0].args[2].kind == Argument::Kind::literal);
  CHECK(resolved.problem.ref.launches[0].args[0].offset == 16);
}

TEST_CASE("what is missing is named with the flag that gives it") {
  const auto a = module("k", params);
  const auto missing = all(read_flags({}, a, nullptr).usage);
  CHECK(missing.find("--grid") != std::string::npos);
  CHECK(missing.find("--block") != std::string::npos);
  const auto fixed = module("k", params, ".reqntid 128, 2, 1");
  const auto result = read_flags(launch("1", ""), fixed, nullptr);
  CHECK(all(result.usage) == "");
  CHECK(*result.spec.a[0].block == Dim3{128, 2, 1});
}

TEST_CASE("wrong flags are told what is right") {
  const auto a = module("k", params);
  const auto usage = [&](auto change) {
    auto flags = launch("1", "32");
    change(flags);
    return all(read_flags(flags, a, nullptr).usage);
  };
  CHECK(usage([](auto& f) { f.both.grid = "0"; }).find("positive") != std::string::npos);
  CHECK(usage([](auto& f) { f.both.grid = "1,2,3,4"; }).find("X[,Y,Z]") != std::string::npos);
  CHECK(usage([](auto& f) { f.both.shared = "1k"; }).find("bytes") != std::string::npos);
  CHECK(usage([](auto& f) { f.both.kernel = "kk"; }).find("did you mean 'k'") != std::string::npos);
  CHECK(usage([](auto& f) { f.values = {"n"}; }).find("NAME=VALUE") != std::string::npos);
  CHECK(usage([](auto& f) { f.values = {"m=1"}; }).find("out or n") != std::string::npos);
  CHECK(usage([](auto& f) { f.values = {"n=4294967296"}; }).find("u32") != std::string::npos);
  CHECK(usage([](auto& f) { f.values = {"n=1", "1=2"}; }).find("twice") != std::string::npos);
  CHECK(usage([](auto& f) { f.buffers = {"out=f32"}; }).find("TYPE[COUNT]") != std::string::npos);
  CHECK(usage([](auto& f) { f.buffers = {"out=float[3]"}; }).find("f32") != std::string::npos);
}

TEST_CASE("parameters that do not fit are a param-mismatch") {
  const auto a = module("k", params);
  const auto mismatch = [&](const std::string& args, const ir::Module* ref = nullptr) {
    auto flags = launch("1", "32");
    flags.a.args = args;
    const auto result = read_flags(flags, a, ref);
    auto findings = result.findings;
    const auto resolved = resolve(result.spec, a, ref);
    findings.insert(findings.end(), resolved.findings.begin(), resolved.findings.end());
    return !findings.empty() &&
           std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.code == "param-mismatch"; });
  };
  CHECK(mismatch("x"));
  CHECK(mismatch("x,n,n"));
  CHECK(mismatch("7,n"));        // no pointer
  CHECK_FALSE(mismatch("0,n"));  // a null pointer
  CHECK(mismatch("x,4294967296"));
  CHECK(mismatch("x,x"));  // a pointer into 4 bytes
  const auto longer = module("r", params + ", .param .u32 m");
  CHECK(mismatch("", &longer));
  const auto wide = module("r", ".param .u64 out, .param .u64 n", "", "ld.param.u64 %rd1, [out]; st.u64 [%rd1], %rd1;");
  CHECK(mismatch("", &wide));
}

TEST_CASE("a buffer's type is what its accesses or their registers say, not .b32") {
  const std::string start = ".reg .f32 %f<3>; ld.param.u64 %rd1, [out]; ";
  const auto type = [&](const std::string& body) {
    const auto a = module("k", params, "", start + body);
    return read_flags(launch("1", "32"), a, nullptr).spec.buffers.at(0).type;
  };
  CHECK(type("ld.global.b32 %r1, [%rd1]; st.global.f32 [%rd1], %f1;") == ir::Type::f32);
  CHECK(type("ld.global.b32 %f1, [%rd1];") == ir::Type::f32);
  CHECK(type("st.global.v2.b32 [%rd1], {%f1, %f2};") == ir::Type::f32);
  CHECK(type("ld.global.s32 %r1, [%rd1]; st.global.f32 [%rd1], %f1;") == ir::Type::s32);
  CHECK(type("ld.global.b32 %r1, [%rd1]; st.global.f64 [%rd1], %rd2;") == ir::Type::u32);
}
