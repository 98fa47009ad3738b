// Fixed launches whose threads loop as often as n says: every n is proved by one pass, as it is for every launch.
#include <doctest/doctest.h>

#include <string>

#include "test/checker/open_texts.h"
#include "test/checker/prove_texts.h"

using namespace ptxeq;
using namespace check::test;
using check::Report;
using check::Verdict;

namespace {

const char* const by_1024 = "add.u32 %i, %i, 1024;";
const char* const any = "grid = \"any\"\nblock = \"any\"\nmin_threads = \"n\"\nmax_threads = 1073741824\n";

std::string fixed(unsigned grid, unsigned block) {
  return "grid = [" + std::to_string(grid) + ", 1, 1]\nblock = [" + std::to_string(block) + ", 1, 1]\n";
}

// n up to 2^30, unless `scalar` says else.
std::string sides(const std::string& a, const std::string& ref, const std::string& count = "\"n\"",
                  const std::string& scalar = "type = \"u32\"\nrange = [0, 1073741824]\n") {
  const auto side = [](const std::string& name, const std::string& launch) {
    return "[" + name + "]\nkernel = \"k\"\n" + launch + "args = [\"x\", \"o\", \"n\"]\n";
  };
  return "float = \"bits\"\n[buffer.x]\ntype = \"u32\"\ncount = " + count +
         "\nrole = \"in\"\n[buffer.o]\ntype = \"u32\"\ncount = " + count + "\nrole = \"inout\"\n[scalar.n]\n" + scalar +
         side("a", a) + side("ref", ref);
}

Verdict ask(const std::string& a, const std::string& ref, const std::string& spec, double seconds = 20) {
  return prove_texts(a, ref, spec, seconds).verdict;
}

bool wrong(Verdict v) { return v == Verdict::different || v == Verdict::invalid; }

std::string signed_form(std::string text) {
  for (std::size_t at; (at = text.find("setp.ge.u32")) != std::string::npos;) text.replace(at, 11, "setp.ge.s32");
  for (std::size_t at; (at = text.find("setp.lt.u32")) != std::string::npos;) text.replace(at, 11, "setp.lt.s32");
  return text;
}

}  // namespace

TEST_CASE("a fixed launch that loops over all elements, against a thread an element in every launch") {
  const std::string spec = sides(fixed(4, 256), any);
  CHECK(ask(strided("", "", by_1024), direct(), spec) == Verdict::equivalent);  // the step a number
  CHECK(ask(strided(), direct(), spec) == Verdict::equivalent);                 // or ntid * nctaid
  CHECK(ask(direct(), strided("", "", by_1024), sides(any, fixed(4, 256))) == Verdict::equivalent);
  CHECK(ask(strided("", "", "add.u32 %i, %i, 1;"), direct(), sides(fixed(1, 1), any)) == Verdict::equivalent);
  const std::string s32 = sides(fixed(4, 256), any, "\"n\"", "type = \"s32\"\n");
  CHECK(ask(signed_form(strided("", "", by_1024)), signed_form(direct()), s32) == Verdict::equivalent);
}

TEST_CASE("two fixed launches that loop over all elements") {
  CHECK(ask(strided("", "", by_1024), strided(), sides(fixed(4, 256), fixed(8, 128))) == Verdict::equivalent);
  CHECK(ask(strided("", "", by_1024), strided("", "", "add.u32 %i, %i, 256;"), sides(fixed(4, 256), fixed(2, 128))) ==
        Verdict::equivalent);
}

TEST_CASE("buffers of fixed size, and as many passes as n says") {
  const std::string scalar = "type = \"u32\"\nrange = [0, 1048576]\n";
  for (const auto& [ref, launch] : {std::pair{strided(), fixed(8, 64)}, std::pair{direct(), fixed(4096, 256)}})
    CHECK(ask(strided("", "", by_1024), ref, sides(fixed(4, 256), launch, "1048576", scalar)) == Verdict::equivalent);
  // one block less than there are elements; and a step that leaves some out
  CHECK(wrong(ask(strided("", "", by_1024), direct(), sides(fixed(4, 256), fixed(4095, 256), "1048576", scalar))));
  CHECK(wrong(ask(strided("", "", by_1024), strided("", "", "add.u32 %i, %i, 1025;"),
                  sides(fixed(4, 256), fixed(4, 256), "1048576", scalar))));
}

TEST_CASE("a step that is not the number of threads, an end that is not n, a thread that does else") {
  const std::string spec = sides(fixed(4, 256), any);
  for (const char* step : {"add.u32 %i, %i, 1025;", "add.u32 %i, %i, 2048;"}) {
    CAPTURE(step);
    CHECK(wrong(ask(strided("", "", step), direct(), spec)));
  }
  for (const char* end : {"add.u32 %n, %n, 1;", "setp.eq.u32 %p3, %n, 0; @%p3 bra done; add.u32 %n, %n, -1;"}) {
    CAPTURE(end);
    CHECK(wrong(ask(strided(end, "", by_1024), direct(), spec)));
  }
  for (const char* fault :
       {"setp.eq.u32 %p5, %g, 77; @%p5 add.u32 %v, %v, 1;\n", "setp.eq.u32 %p5, %r1, 2; @%p5 add.u32 %v, %v, 1;\n",
        "setp.eq.u32 %p5, %i, 2000; @%p5 add.u32 %v, %v, 1;\n"}) {
    CAPTURE(fault);
    CHECK(wrong(ask(strided("", fault, by_1024), direct(), spec)));
    CHECK(wrong(ask(strided("", fault, by_1024), strided(), sides(fixed(4, 256), fixed(8, 128)))));
  }
  CHECK(wrong(ask(strided("", "", by_1024), strided("", "", by_1024), sides(fixed(4, 256), fixed(8, 64)))));
}

TEST_CASE("what differs from pass to pass in a fixed launch is not taken for all passes") {
  const std::string spec = sides(fixed(4, 256), any);
  for (const char* in_pass : {"add.u32 %v, %v, %r10; add.u32 %r10, %r10, 1;\n",      // a count of passes
                              "sub.u32 %r12, %i, %g; add.u32 %v, %v, %r12;\n",       // the distance so far
                              "setp.ne.u32 %p3, %i, %g; @%p3 add.u32 %v, %v, 1;\n",  // only the first pass
                              "add.u32 %v, %v, %r13; mov.u32 %r13, 0;\n",            // 1 in the first pass
                              "shr.u32 %r12, %i, 10; add.u32 %v, %v, %r12;\n"}) {    // of the index alone, but wrong
    CAPTURE(in_pass);
    CHECK(wrong(ask(strided("mov.u32 %r10, 0; mov.u32 %r13, 1;\n", in_pass, by_1024), direct(), spec)));
  }
}

TEST_CASE("a step that wraps beyond the last element is not taken for the loop's end") {
  const std::string wide = "grid = \"any\"\nblock = \"any\"\nmin_threads = \"n\"\nmax_threads = 4294967295\n";
  const std::string spec = sides(fixed(4, 256), wide, "\"n\"", "type = \"u32\"\n");
  CHECK(ask(strided("", "", by_1024), direct(), spec, 3) != Verdict::equivalent);
  CHECK(ask(strided("", "", by_1024), direct(),
            sides(fixed(4, 256), wide, "\"n\"", "type = \"u32\"\nrange = [0, 4294966272]\n")) == Verdict::equivalent);
}

TEST_CASE("elements that two threads write are not taken for one's") {
  std::string in_place = strided("", "", "add.u32 %i, %i, 512;");
  in_place.replace(in_place.find("add.u64 %rd4, %rd1"), 18, "add.u64 %rd4, %rd2");
  std::string once = direct();
  once.replace(once.find("add.u64 %rd4, %rd1"), 18, "add.u64 %rd4, %rd2");
  CHECK(ask(in_place, once, sides(fixed(4, 256), any)) != Verdict::equivalent);
}
