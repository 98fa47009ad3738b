// Loops whose count depends on a scalar, for every value of it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

#include "checker/sample.h"
#include "test/checker/prove_texts.h"

using namespace ptxeq;
using check::Report;
using check::Verdict;

namespace {

enum class Form { top, bottom, down };

// o[i] is what x[i] becomes in n passes, or so many. %k: the number of the pass, but for a loop that counts down.
std::string kernel(Form form, const std::string& body, const std::string& sign = "u32", const std::string& first = "0",
                   const std::string& relation = "lt") {
  const std::string negated = relation == "lt" ? "ge" : relation == "le" ? "gt" : "eq";
  std::string loop;
  if (form == Form::top)
    loop = fmt::format(
        "mov.u32 %k, {0};\nloop: setp.{1}.{2} %p, %k, %n; @%p bra done;\n{3}\nadd.u32 %k, %k, 1; bra loop;\n", first,
        negated, sign, body);
  if (form == Form::bottom)
    loop = fmt::format(
        "setp.{0}.{1} %p, {2}, %n; @%p bra done; mov.u32 %k, {2};\nloop: {3}\nadd.u32 %k, %k, 1;\n"
        "setp.{4}.{1} %q, %k, %n; @%q bra loop;\n",
        negated, sign, first, body, relation);
  if (form == Form::down)
    loop = fmt::format(
        "setp.eq.u32 %p, %n, 0; @%p bra done; mov.u32 %m, %n; mov.u32 %k, 0;\nloop: {}\nadd.u32 %k, %k, 1;\n"
        "add.u32 %m, %m, -1; setp.ne.u32 %q, %m, 0; @%q bra loop;\n",
        body);
  return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 o, .param .u32 n)
{
.reg .b32 %i, %n, %k, %m, %v, %w, %z;
.reg .b64 %x, %o, %a, %b;
.reg .pred %p, %q, %s;
ld.param.u64 %x, [x]; ld.param.u64 %o, [o]; ld.param.u32 %n, [n];
mov.u32 %i, %tid.x; mul.wide.u32 %a, %i, 4; add.u64 %x, %x, %a; add.u64 %o, %o, %a;
ld.global.u32 %v, [%x]; mov.u32 %w, 1;
)" + loop +
         "done: st.global.u32 [%o], %v;\nret;\n}\n";
}

std::string spec(const std::string& scalar, const std::string& count = "32", const std::string& role = "in") {
  std::string out = "float = \"bits\"\n[buffer.x]\ntype = \"u32\"\ncount = " + count + "\nrole = \"" + role +
                    "\"\n[buffer.o]\ntype = \"u32\"\ncount = 32\nrole = \"out\"\n[scalar.n]\n" + scalar;
  for (const char* side : {"a", "ref"})
    out += std::string("[") + side +
           "]\nkernel = \"k\"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\nargs = [\"x\", \"o\", \"n\"]\n";
  return out;
}
const std::string any_u32 = "type = \"u32\"\n", any_s32 = "type = \"s32\"\n";

constexpr double in_vain = 2;  // seconds, where more would not decide it either

Verdict ask(const std::string& a, const std::string& ref, const std::string& s, double seconds = 20) {
  return check::test::prove_texts(a, ref, s, seconds).verdict;
}

const std::string step = "mad.lo.u32 %v, %v, 1664525, 1013904223;";

}  // namespace

TEST_CASE("loops in step give the same for every count, however they count") {
  for (const Form form : {Form::top, Form::bottom, Form::down}) {
    CHECK(ask(kernel(form, step), kernel(Form::top, step), spec(any_u32)) == Verdict::equivalent);
    CHECK(ask(kernel(form, "add.u32 %v, %v, %k;"), kernel(Form::bottom, "add.u32 %v, %k, %v;"), spec(any_u32)) ==
          Verdict::equivalent);
  }
  CHECK(ask(kernel(Form::bottom, step, "s32"), kernel(Form::top, step, "s32"), spec(any_s32)) == Verdict::equivalent);
  CHECK(ask(kernel(Form::bottom, step, "u32", "0", "ne"), kernel(Form::top, step), spec(any_u32)) ==
        Verdict::equivalent);
  CHECK(ask(kernel(Form::top, step, "s32"), kernel(Form::top, step), spec(any_u32 + "range = [0, 2147483647]\n")) ==
        Verdict::equivalent);
}

TEST_CASE("bodies that are the same for every state, though their terms are not") {
  const std::string one = "shl.b32 %z, %v, 1; add.u32 %v, %z, %v; xor.b32 %v, %v, 1;";
  const std::string two =
      "mul.lo.u32 %v, %v, 3; not.b32 %z, %v; and.b32 %v, %v, -2; and.b32 %z, %z, 1; or.b32 %v, %v, %z;";
  CHECK(ask(kernel(Form::bottom, one), kernel(Form::top, two), spec(any_u32)) == Verdict::equivalent);
  // two values that follow each other
  const std::string fibonacci = "add.u32 %z, %v, %w; mov.u32 %v, %w; mov.u32 %w, %z;";
  const std::string other = "mov.u32 %z, %w; add.u32 %w, %w, %v; mov.u32 %v, %z;";
  CHECK(ask(kernel(Form::down, fibonacci), kernel(Form::top, other), spec(any_u32)) == Verdict::equivalent);
}

TEST_CASE("a loop that is wrong in its count, its start or its step is refuted") {
  const std::string ref = kernel(Form::top, step);
  for (const std::string& a : {kernel(Form::top, step, "u32", "1"), kernel(Form::bottom, step, "u32", "1"),
                               kernel(Form::top, "mad.lo.u32 %v, %v, 1664525, 1013904224;"),
                               kernel(Form::bottom, step + " setp.eq.u32 %s, %k, 3; @%s add.u32 %v, %v, 1;"),
                               kernel(Form::down, step + " setp.eq.u32 %s, %k, 16; @%s xor.b32 %v, %v, 4;")})
    CHECK(ask(a, ref, spec(any_u32)) == Verdict::different);
  CHECK(ask(kernel(Form::top, step, "u32", "0", "le"), ref, spec(any_u32 + "range = [0, 1000000]\n")) ==
        Verdict::different);
}

TEST_CASE("counts that differ where no run shows it are not equal") {
  // For n of 2^31 on one side does nothing; the other takes too long to run.
  CHECK(ask(kernel(Form::top, step, "s32"), kernel(Form::top, step), spec(any_u32), in_vain) != Verdict::equivalent);
  // The pass in which they differ is beyond what is run.
  const std::string late = step + " setp.eq.u32 %s, %k, 1000000000; @%s add.u32 %v, %v, 1;";
  CHECK(ask(kernel(Form::top, late), kernel(Form::top, step), spec(any_u32), in_vain) != Verdict::equivalent);
  // A step of two goes past an odd n, and on.
  const std::string twice = step + " add.u32 %k, %k, 1;";
  CHECK(ask(kernel(Form::bottom, twice, "u32", "0", "ne"), kernel(Form::bottom, twice), spec(any_u32), in_vain) !=
        Verdict::equivalent);
}

TEST_CASE("an end by equality counts only where each pass comes as much nearer") {
  // 6 is met in pass 4, before its turn.
  std::string text = kernel(Form::bottom, "", "u32", "0", "ne");
  const std::string plain = "setp.ne.u32 %q, %k, %n;";
  text.replace(text.find(plain), plain.size(),
               "setp.eq.u32 %s, %k, 4; selp.b32 %z, 6, %k, %s; setp.ne.u32 %q, %z, %n;");
  const std::string last = "st.global.u32 [%o], %v;";
  std::string a = text, ref = kernel(Form::top, "");
  a.replace(a.find(last), last.size(), "st.global.u32 [%o], %k;");
  ref.replace(ref.find(last), last.size(), "st.global.u32 [%o], %n;");
  CHECK(ask(a, ref, spec(any_u32 + "range = [5, 6]\n")) == Verdict::different);
}

TEST_CASE("what is another value at each read is no step and no end") {
  for (const char* read : {"mov.u32 %z, %clock;", "add.u32 %z, %u, 0;"}) {
    CAPTURE(read);
    std::string text = kernel(Form::top, std::string(read) + " and.b32 %z, %z, 1; add.u32 %v, %v, %z;");
    text.insert(text.find(".reg .b64"), ".reg .b32 %u;\n");
    CHECK(ask(text, text, spec(any_u32 + "range = [4, 1000]\n"), in_vain) != Verdict::equivalent);
    std::string end =
        kernel(Form::bottom, std::string(read) + " and.b32 %z, %z, 2; add.u32 %w, %n, %z;", "u32", "0", "ne");
    end.insert(end.find(".reg .b64"), ".reg .b32 %u;\n");
    const std::string plain = "setp.ne.u32 %q, %k, %n;";
    end.replace(end.find(plain), plain.size(), "setp.ne.u32 %q, %k, %w;");
    CHECK(ask(end, end, spec(any_u32 + "range = [4, 1000]\n"), in_vain) != Verdict::equivalent);
  }
}

TEST_CASE("a limit holds where its own side comes to the loop") {
  // a loops for n up to 1000 alone; the reference has two loops that part in pass 100000.
  const auto loop = [](const std::string& name, const std::string& body) {
    return "mov.u32 %v, %x; mov.u32 %k, 0;\nL" + name + ": setp.ge.u32 %p, %k, %n; @%p bra D" + name + ";\n" + step +
           body + " add.u32 %k, %k, 1; bra L" + name + ";\nD" + name + ":\n";
  };
  const auto whole = [](const std::string& body) {
    return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 o, .param .u32 n)
{
.reg .b32 %i, %n, %k, %v, %w, %z, %x, %y;
.reg .b64 %o, %in, %a;
.reg .pred %p, %s;
ld.param.u64 %in, [x]; ld.param.u64 %o, [o]; ld.param.u32 %n, [n];
mov.u32 %i, %tid.x; mul.wide.u32 %a, %i, 4; add.u64 %in, %in, %a; add.u64 %o, %o, %a; add.u64 %o, %o, %a;
add.u64 %o, %o, %a; ld.global.u32 %x, [%in];
)" + body + "st.global.u32 [%o], %w; st.global.u32 [%o+4], %z; st.global.u32 [%o+8], %y;\nret;\n}\n";
  };
  const std::string a = whole("mov.u32 %w, 0; mov.u32 %z, 0; mov.u32 %y, 0; setp.gt.u32 %s, %n, 1000; @%s bra END;\n" +
                              loop("A", "") + "mov.u32 %w, %v; mov.u32 %z, %v; mov.u32 %y, %v;\nEND: ");
  const std::string ref =
      whole(loop("A", "") + "mov.u32 %y, %v;\n" + loop("B", " setp.ge.u32 %s, %k, 100000; @%s xor.b32 %v, %v, 1;") +
            "mov.u32 %z, %v; xor.b32 %w, %y, %z; setp.gt.u32 %s, %n, 1000; selp.b32 %w, %w, %y, %s;\n"
            "selp.b32 %z, 0, %z, %s; selp.b32 %y, 0, %y, %s;\n");
  std::string three = spec(any_u32);
  three.replace(three.rfind("count = 32"), 10, "count = 96");
  CHECK(ask(a, ref, three, in_vain) != Verdict::equivalent);
}

TEST_CASE("what loops read has to be there, in every pass") {
  // x[tid + 32 k]
  const std::string read = "ld.global.u32 %z, [%b]; add.u32 %v, %v, %z; add.u64 %b, %b, 128;";
  const auto by_pointer = [&](const std::string& body) {
    std::string text = kernel(Form::bottom, body);
    text.insert(text.find("ld.global"), "mov.u64 %b, %x; ");
    return text;
  };
  const std::string index =
      "mad.lo.u32 %z, %k, 32, %i; mul.wide.u32 %a, %z, 4; ld.param.u64 %b, [x];"
      "add.u64 %b, %b, %a; ld.global.u32 %z, [%b]; add.u32 %v, %z, %v;";
  const std::string thousand = any_u32 + "range = [0, 1000]\n";
  CHECK(ask(by_pointer(read), kernel(Form::top, index), spec(thousand, "32000")) == Verdict::equivalent);
  CHECK(ask(by_pointer(read), kernel(Form::top, index), spec(thousand, "\"32 * n + 32\"")) == Verdict::equivalent);
  CHECK(ask(by_pointer(read), kernel(Form::top, index), spec(thousand, "31999"), in_vain) != Verdict::equivalent);
  CHECK(ask(by_pointer("add.u64 %b, %b, 4; " + read), kernel(Form::top, index), spec(thousand, "40000")) ==
        Verdict::different);
  // nobody writes it
  CHECK(ask(by_pointer(read), kernel(Form::top, index), spec(thousand, "32000", "inout")) == Verdict::equivalent);
  const auto in_place = [](std::string text) {
    text.replace(text.find("st.global.u32 [%o]"), 18, "st.global.u32 [%x]");
    return text;
  };
  CHECK(ask(in_place(by_pointer(read)), in_place(kernel(Form::top, index)), spec(thousand, "32000", "inout"),
            in_vain) != Verdict::equivalent);
}

TEST_CASE("a load at a place that depends on data is a function of the place") {
  const auto gather = [](const std::string& place) {
    return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 o, .param .u32 n)
{
.reg .b32 %i, %v, %j;
.reg .b64 %x, %o, %a, %b;
ld.param.u64 %x, [x]; ld.param.u64 %o, [o];
mov.u32 %i, %tid.x; mul.wide.u32 %a, %i, 4; add.u64 %b, %x, %a; add.u64 %o, %o, %a;
ld.global.u32 %j, [%b];
)" + place +
           "\nadd.u64 %b, %x, %a; ld.global.u32 %v, [%b];\nst.global.u32 [%o], %v;\nret;\n}\n";
  };
  const std::string scaled = gather("mul.wide.u32 %a, %j, 4;");
  const std::string shifted = gather("cvt.u64.u32 %a, %j; shl.b64 %a, %a, 2;");
  const auto bounded = [](const std::string& values) {
    std::string s = spec("type = \"u32\"\nvalue = 0\n", "100000");
    s.insert(s.find("role"), values);
    return s;
  };
  CHECK(ask(scaled, shifted, bounded("values = [0, 99999]\n")) == Verdict::equivalent);
  CHECK(ask(scaled, shifted, bounded("values = [0, 100000]\n")) == Verdict::invalid);
  CHECK(ask(gather("add.u32 %j, %j, 1; mul.wide.u32 %a, %j, 4;"), shifted, bounded("values = [0, 99998]\n"), in_vain) !=
        Verdict::equivalent);
  CHECK(ask(gather("mul.wide.u32 %a, %j, 2;"), gather("mul.wide.u32 %a, %j, 2;"), bounded("values = [0, 9999]\n")) ==
        Verdict::invalid);  // misaligned where the element is odd
}

TEST_CASE("a product may be fused with a sum in another pass, or behind the loop") {
  const auto floats = [](const std::string& mul, const std::string& add, bool behind) {
    const std::string sum = add + " %g, %g, %h;", product = mul + " %h, %f, 0f3DCCCCCD;";
    std::string text = kernel(Form::top, behind ? product : sum + product);
    text.insert(text.find(".reg .b64"), ".reg .f32 %f, %g, %h;\n");
    text.insert(text.find("mov.u32 %w, 1;"), "mov.b32 %f, %v; mov.f32 %g, 0f3F800000; mov.f32 %h, 0f00000000; ");
    text.insert(text.find("st.global"), (behind ? sum : "") + " mov.b32 %v, %g; ");
    return text;
  };
  for (const bool behind : {false, true}) {
    const auto assumes = [&](const std::string& a, const std::string& ref) {
      const Report r = check::test::prove_texts(a, ref, spec(any_u32), 20);
      CHECK(r.verdict == Verdict::equivalent);
      return std::any_of(r.findings.begin(), r.findings.end(),
                         [](const Finding& f) { return f.code == "contractible-fp"; });
    };
    const std::string rounded = floats("mul.rn.f32", "add.rn.f32", behind);
    CHECK(assumes(floats("mul.f32", "add.f32", behind), rounded));
    CHECK_FALSE(assumes(rounded, rounded));
    CHECK_FALSE(assumes(floats("mul.rn.f32", "add.f32", behind), rounded));
  }
}

// Random bodies, beside what they compute.
namespace {

struct Body {
  std::string text;
  std::vector<std::function<void(std::uint32_t& v, std::uint32_t& w, std::uint32_t k)>> steps;
};

Body random_body(check::Random& random) {
  using U = std::uint32_t;
  Body out;
  for (unsigned i = 0; i < 2; ++i) {
    const U c = 1 + U(random.below(5));
    switch (random.below(7)) {
      case 0:
        out.text += fmt::format("add.u32 %v, %v, {};", c);
        out.steps.push_back([=](U& v, U&, U) { v += c; });
        break;
      case 1:
        out.text += fmt::format("mul.lo.u32 %v, %v, {};", c);
        out.steps.push_back([=](U& v, U&, U) { v *= c; });
        break;
      case 2:
        out.text += "add.u32 %v, %v, %k;";
        out.steps.push_back([](U& v, U&, U k) { v += k; });
        break;
      case 3:
        out.text += "xor.b32 %v, %v, %w;";
        out.steps.push_back([](U& v, U& w, U) { v ^= w; });
        break;
      case 4:
        out.text += fmt::format("mad.lo.u32 %w, %w, {}, %v;", c);
        out.steps.push_back([=](U& v, U& w, U) { w = w * c + v; });
        break;
      case 5:
        out.text += fmt::format("setp.eq.u32 %s, %k, {}; @%s add.u32 %v, %v, 1;", 4 * c);
        out.steps.push_back([=](U& v, U&, U k) { v += k == 4 * c; });
        break;
      default:
        out.text += "mov.u32 %z, %v; mov.u32 %v, %w; mov.u32 %w, %z;";
        out.steps.push_back([](U& v, U& w, U) { std::swap(v, w); });
    }
  }
  return out;
}

std::uint32_t result(const Body& b, std::uint32_t v, std::uint32_t n) {
  std::uint32_t w = 1;
  for (std::uint32_t k = 0; k < n; ++k)
    for (const auto& step_of : b.steps) step_of(v, w, k);
  return v;
}

}  // namespace

TEST_CASE("random loops: equal is what computes the same, different what does not") {
  check::Random random(11);
  unsigned equal = 0, different = 0;
  for (unsigned round = 0; round < 120; ++round) {
    const Body a = random_body(random), b = round % 3 == 0 ? a : random_body(random);
    const Form form = Form(random.below(3));
    bool same = true;
    for (std::uint32_t n = 0; n < 60; ++n)
      for (const std::uint32_t x : {0u, 1u, 77u, 0x80000000u}) same = same && result(a, x, n) == result(b, x, n);
    const Verdict v = ask(kernel(form, a.text), kernel(Form::top, b.text), spec(any_u32), 3);
    CAPTURE(a.text);
    CAPTURE(b.text);
    if (v == Verdict::equivalent) CHECK(same);
    if (v == Verdict::different) CHECK_FALSE(same);
    if (round % 3 == 0) CHECK(v == Verdict::equivalent);
    equal += v == Verdict::equivalent, different += v == Verdict::different;
  }
  CHECK(equal >= 40);
  CHECK(different >= 60);
}
