// Bounds that a question about launches lacks: named only where the question is proved under them, and no more of them
// than that takes.
#include <doctest/doctest.h>

#include <string>

#include "checker/precondition.h"
#include "test/checker/open_texts.h"
#include "test/checker/prove_texts.h"

using namespace ptxeq;
using namespace check::test;
using check::Report;
using check::Verdict;

namespace {

const char* const unbounded = "grid = \"any\"\nblock = \"any\"\n";
const char* const bounded = "grid = \"any\"\nblock = \"any\"\nmax_threads = 1073741824\n";

// `least`: of both sides. Without a range, n is any number of its type.
std::string spec_of(const std::string& type, const std::string& range, const std::string& launch,
                    const std::string& least) {
  std::string text = spec(least, type, range.empty() ? "[0, 1]" : range, launch);
  if (range.empty()) text.erase(text.find("range"), std::string("range = [0, 1]\n").size());
  if (least.empty()) text.erase(text.rfind("min_threads"), std::string("min_threads = \"n\"\n").size());
  return text;
}

std::string in_s32(std::string text) {
  for (std::size_t at; (at = text.find(".u32 %p")) != std::string::npos;) text.replace(at, 4, ".s32");
  return text;
}

Report ask(const std::string& a, const std::string& ref, const std::string& text) {
  return prove_texts(a, ref, text, 160);  // on a busy machine too
}

const std::string signed_guard = "setp.ge.s32 %p1, %i, %n;";
const std::string both_least = "a's min_threads = \"n\", ref's min_threads = \"n\"";
std::string both_most(const std::string& number) {
  return "a's max_threads = \"" + number + "\", ref's max_threads = \"" + number + "\"";
}

}  // namespace

TEST_CASE("a missing number of threads is named, whatever n's type and range") {
  for (const char* range : {"", "[0, 1073741824]"}) {
    CAPTURE(range);
    const Report u = ask(direct(), direct(), spec_of("u32", range, bounded, ""));
    CHECK(u.verdict == Verdict::different);
    CHECK(u.precondition == both_least);
    const Report s = ask(direct(signed_guard), direct(signed_guard), spec_of("s32", range, bounded, ""));
    CHECK(s.verdict == Verdict::different);
    CHECK(s.precondition == both_least);
  }
}

TEST_CASE("a missing largest number of threads is named: 32 bits where the index has no sign, else 31") {
  const Report u = ask(direct(), direct(), spec_of("u32", "", unbounded, "n"));
  CHECK(u.verdict == Verdict::inconclusive);  // elements are written several times, and always as the same value
  CHECK(u.precondition == both_most("4294967295"));
  const Report s = ask(direct(signed_guard), direct(signed_guard), spec_of("s32", "", unbounded, "n"));
  CHECK(s.verdict == Verdict::invalid);
  CHECK(s.precondition == both_most("2147483647"));
}

TEST_CASE("where both are missing both are named") {
  for (const char* launch : {unbounded, "grid = \"any\"\nblock = [256, 1, 1]\n"}) {
    CAPTURE(launch);
    const Report r = ask(direct(signed_guard), direct(signed_guard), spec_of("s32", "", launch, ""));
    CHECK((r.verdict == Verdict::different || r.verdict == Verdict::invalid));
    CHECK(r.precondition ==
          "a's max_threads = \"2147483647\", a's min_threads = \"n\", ref's max_threads = \"2147483647\", ref's "
          "min_threads = \"n\"");
  }
}

TEST_CASE("a loop over all elements needs no number of threads, but room for its last step") {
  const Report r = ask(in_s32(strided()), direct(signed_guard), spec_of("s32", "", unbounded, ""));
  CHECK((r.verdict == Verdict::different || r.verdict == Verdict::invalid));
  CHECK(r.precondition ==
        "a's max_threads = \"1073741824\", ref's max_threads = \"1073741824\", ref's min_threads = \"n\"");
}

TEST_CASE("a scalar's range is named where buffers are of fixed size") {
  std::string text = spec_of("s32", "", bounded, "n");
  for (std::size_t at; (at = text.find("count = \"n\"")) != std::string::npos;) text.replace(at, 11, "count = 1000");
  const Report r = ask(direct(signed_guard), direct(signed_guard), text);
  CHECK(r.verdict == Verdict::invalid);
  CHECK(r.precondition == "n's range = [0, 1000]");
}

TEST_CASE("a precondition holds for every block of a list") {
  const Report r =
      ask(direct(), direct(),
          spec_of("u32", "", "grid = \"any\"\nblock = [[64, 1, 1], [96, 1, 1]]\nmax_threads = 1073741824\n", ""));
  CHECK(r.verdict == Verdict::different);
  CHECK(r.precondition == both_least);
}

TEST_CASE("no precondition makes a wrong kernel right") {
  const std::string faults[] = {direct("add.u32 %r9, %n, -1; setp.ge.s32 %p1, %i, %r9;"),
                                direct("setp.gt.s32 %p1, %i, %n;"),
                                direct(signed_guard, "setp.eq.u32 %p3, %i, 7; @%p3 add.u32 %v, %v, 1;\n"),
                                in_s32(strided("", "", "add.u32 %i, %i, %t; add.u32 %i, %i, 1;"))};
  for (const std::string& a : faults) {
    CAPTURE(a);
    const Report r = prove_texts(a, direct(signed_guard), spec_of("s32", "", unbounded, ""), 20);
    CHECK((r.verdict == Verdict::different || r.verdict == Verdict::invalid));
    CHECK(r.precondition.empty());
  }
}

TEST_CASE("a launch that leaves the last element where blocks are of fixed size") {
  std::string text = spec_of("u32", "[1, 1073741824]", "grid = \"any\"\nblock = [256, 1, 1]\n", "n - 1");
  const Report r = prove_texts(direct(), direct(), text, 20);
  CHECK(r.verdict == Verdict::different);
}

TEST_CASE("the weakest of what is tried, and only what was proved") {
  const auto parsed = check::read_spec(spec_of("u32", "", unbounded, ""), "spec.toml");
  const auto a = grammar::read(direct(), "a.ptx");
  const auto question = check::resolve(parsed.spec, *a.module, &*a.module);
  REQUIRE(question.findings.empty());
  const auto most = [](const check::Problem& p) {
    const auto& bound = p.a.launches[0].open->max_threads;
    return bound ? check::evaluate(*bound).value() : std::int64_t(1) << 40;
  };
  const auto named = [&](std::int64_t largest, bool least) {
    check::Preconditions more(question.problem, [&](const check::Problem& p, double) {
      return most(p) <= largest && (!least || p.ref.launches[0].open->min_threads);
    });
    return more.needed(10);
  };
  CHECK(named(0, false).empty());
  CHECK(named(std::int64_t(1) << 31, false) == both_most("2147483647"));
  CHECK(named(std::int64_t(1) << 32, false) == both_most("4294967295"));
  CHECK(named(std::int64_t(1) << 41, true) == "ref's min_threads = \"n\"");
}
