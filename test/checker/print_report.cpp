#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "checker/print.h"

using namespace ptxeq;
using namespace ptxeq::check;
using Json = nlohmann::json;

namespace {

Report different() {
  Report report;
  report.verdict = Verdict::different;
  report.title_a = "shl_clamp";
  report.title_ref = "shl_mask";
  Counterexample c;
  c.klass = "logic";
  c.scalars["n"] = {"s32", 0xffffffff};
  c.buffers["x"][3] = {"f32", 0x7fc00000};
  c.buffer = "o";
  c.element = 3;
  c.a = Value{"u32", 0};
  c.ref = Value{"u32", 1};
  c.thread_a = c.thread_ref = ThreadAt{{1, 0, 0}, {3, 0, 0}};
  c.steps = {{Side::a, "a.ptx", 25, "shl.b32 %z, %a, %b;", "1 << 32 = 0"}};
  c.replayed = true;
  report.counterexample = c;
  return report;
}

std::size_t line_count(const std::string& text) { return std::size_t(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

TEST_CASE("exit codes are the documented ones") {
  Report report;
  CHECK(report.exit_code() == 0);
  const std::pair<Verdict, int> verdicts[] = {
      {Verdict::equivalent, 0}, {Verdict::different, 1}, {Verdict::inconclusive, 3}, {Verdict::invalid, 4}};
  for (const auto& [verdict, exit] : verdicts) {
    report.verdict = verdict;
    CHECK(report.exit_code() == exit);
  }
  report.reason = Reason{ReasonCode::timeout, "", std::nullopt, "", 0};
  CHECK(report.exit_code() == 4);
  for (const auto code : {ReasonCode::usage, ReasonCode::input, ReasonCode::spec}) {
    report.reason->code = code;
    CHECK(report.exit_code() == 2);
  }
  report.reason->code = ReasonCode::internal;
  CHECK(report.exit_code() == 70);
}

TEST_CASE("names of reasons are the closed list of the JSON schema") {
  const std::vector<std::string> expected{"timeout",
                                          "memory",
                                          "unsupported",
                                          "unroll-limit",
                                          "unspecified-result",
                                          "contractible-fp",
                                          "schedule-dependent",
                                          "address-unresolved",
                                          "solver-unknown",
                                          "tested-only",
                                          "rounding-unbounded",
                                          "usage",
                                          "input",
                                          "spec",
                                          "internal"};
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(name(ReasonCode(i)) == expected[i]);
}

TEST_CASE("JSON has every key whatever the report") {
  for (const auto& report : {Report{}, different()}) {
    const auto json = Json::parse(print_json(report));
    std::set<std::string> keys;
    for (const auto& [key, value] : json.items()) keys.insert(key);
    CHECK(keys == std::set<std::string>{"schema", "verdict", "strength", "reason", "assumptions", "approximations",
                                        "findings", "counterexample", "bound", "evidence", "cost", "time_s", "peak_mib",
                                        "tool"});
  }
}

TEST_CASE("JSON shows a counterexample") {
  const auto json = Json::parse(print_json(different()));
  CHECK(json["verdict"] == "different");
  CHECK(json["strength"].is_null());
  const auto& c = json["counterexample"];
  CHECK(c["scalars"]["n"]["value"] == -1);
  CHECK(c["scalars"]["n"]["bits"] == "0xffffffff");
  CHECK(c["buffers"]["x"]["3"]["value"] == "nan");
  CHECK(c["element"] == 3);
  CHECK(c["a"]["value"] == 0);
  CHECK(c["ref"]["bits"] == "0x00000001");
  CHECK(c["thread_a"]["block"] == Json::array({1, 0, 0}));
  CHECK(c["line_a"].is_null());
  CHECK(c["replayed"] == true);
}

TEST_CASE("JSON survives text that is not UTF-8") {
  Report report;
  report.findings.push_back({"syntax", Severity::critical, Side::a, "unexpected '\xff'", "a.ptx", {1, 2}, "", ""});
  const auto json = Json::parse(print_json(report));
  CHECK(json["findings"][0]["line"] == 1);
  CHECK(json["findings"][0]["witness"].is_null());
}

TEST_CASE("run's JSON holds values and bits") {
  Problem problem;
  problem.buffers.resize(2);
  problem.buffers[0].name = "out";
  problem.buffers[0].type = ir::Type::u32;
  problem.buffers[1].name = "f";
  problem.buffers[1].type = ir::Type::f16;
  RunResult result;
  result.buffers = {{7, 0xffffffff}, {0x3e00, 0x7c00, 0xfe00}};
  result.instructions = 12;
  const auto json = Json::parse(print_json(problem, result));
  CHECK(json.size() == 3);
  CHECK(json["buffers"]["out"] ==
        Json::parse(R"({"type":"u32","values":[7,4294967295],"bits":["0x00000007","0xffffffff"]})"));
  CHECK(json["buffers"]["f"]["values"] == Json::parse(R"([1.5, "inf", "nan"])"));
  CHECK(json["instructions"] == 12);
  CHECK(json.contains("time_s"));
}

TEST_CASE("text says what the elements are that are not listed, where that is not zero") {
  Report report = different();
  report.counterexample->elsewhere["x"] = {"u32", 3};
  report.counterexample->elsewhere["y"] = {"u32", 7};
  const auto text = print_text(report, {});
  CHECK(text.find("x[3] = nan; the rest of x is 3, all of y is 7, all else is zero") != std::string::npos);
  CHECK(Json::parse(print_json(report))["counterexample"]["elsewhere"]["y"]["value"] == 7);
}

TEST_CASE("text says verdict, values, input, steps and threads") {
  const auto text = print_text(different(), {});
  for (const std::string words :
       {"DIFFERENT", "shl_clamp vs shl_mask", "o[3]", "a = 0 (0x00000000)", "ref = 1 (0x00000001)", "replayed",
        "n = -1", "x[3] = nan", "a.ptx:25", "1 << 32 = 0", "both by", "block (1,0,0) thread (3,0,0)", "logic"}) {
    INFO(words);
    CHECK(text.find(words) != std::string::npos);
  }
  CHECK(text.find('\033') == std::string::npos);
  CHECK(print_text(different(), {true, false, false}).find("\033[") != std::string::npos);
  CHECK(line_count(print_text(different(), {false, false, true})) == 1);
}

TEST_CASE("a difference where one side traps") {
  auto report = different();
  Counterexample& c = *report.counterexample;
  c.a.reset(), c.ref.reset(), c.thread_a.reset(), c.thread_ref.reset();
  c.traps = Side::ref;
  const auto text = print_text(report, {});
  CHECK(text.find("a = does not trap   ref = traps") != std::string::npos);
  CHECK(text.find("nobody") == std::string::npos);
  const Json json = Json::parse(print_json(report))["counterexample"];
  CHECK(json["a"].is_null());
  CHECK(json["ref"].is_null());
  CHECK(json["traps"] == "ref");
}

TEST_CASE("what nobody wrote is by nobody") {
  auto report = different();
  report.counterexample->thread_a.reset();
  CHECK(print_text(report, {}).find("nobody") != std::string::npos);
  CHECK(Json::parse(print_json(report))["counterexample"]["traps"].is_null());
}

TEST_CASE("equal over the reals is never said to be equal bit for bit, and lacks of a bound are said") {
  Report report;
  report.verdict = Verdict::equivalent;
  report.strength = Strength::real;
  const auto text = print_text(report, {});
  CHECK(text.find("over the reals, not bit for bit") != std::string::npos);
  CHECK(text.find("no bound") != std::string::npos);
}

TEST_CASE("text stays within a screen unless all is asked for") {
  Report report = different();
  for (int i = 0; i < 500; ++i) {
    report.findings.push_back({"shared-race",
                               Severity::critical,
                               Side::a,
                               "a race",
                               "a.ptx",
                               {1, 1},
                               "one\ntwo\nthree\nfour\nfive\nsix",
                               "x"});
    report.assumptions.push_back("something");
    report.counterexample->steps.push_back({});
    report.counterexample->buffers["x"][std::uint64_t(i)] = {"u32", 1};
  }
  CHECK(line_count(print_text(report, {})) <= 40);
  CHECK(line_count(print_text(report, {false, true, false})) > 2000);
}

TEST_CASE("a scalar that is called as a side is told from it, and long names from what follows") {
  Report report = different();
  report.counterexample->scalars = {{"a", {"s32", 1}}, {"ref", {"s32", 2}}, {"b", {"s32", 3}}};
  report.counterexample->buffer = "measured";
  const auto text = print_text(report, {});
  for (const std::string words : {"scalar a = 1, b = 3, scalar ref = 2", "measured[3] a = 0"}) {
    INFO(words);
    CHECK(text.find(words) != std::string::npos);
  }
}
