// A run that goes on in a part of its box ends as one of that part from the start does, and a proof over a grid comes
// to the same whichever way its boxes are run.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "checker/grid.h"
#include "checker/spec.h"
#include "grammar/reader.h"

using namespace ptxeq;
using check::BoxOutcome;
using check::GridResult;
using check::Group;

namespace {

constexpr const char* grid = "[9, 7, 1]";
constexpr const char* block = "[48, 2, 1]";

// A kernel of random pieces, whose value %v and way hang on the block's numbers %bx and %by. Each thread has an element
// %i of x and o for itself; %n is for numbers that pieces make. `last` is what comes before the value is stored.
class Kernels {
 public:
  explicit Kernels(unsigned seed) : random_(seed) {}

  std::string body() {
    std::string out;
    for (unsigned k = 0, n = 2 + below(3); k < n; ++k) out += piece();
    return out;
  }
  // Wrong in one block.
  std::string fault() {
    return "setp.eq.u32 %p1, %bx, " + number(below(9)) + "; setp.eq.and.u32 %p1, %by, " + number(below(7)) +
           ", %p1; @%p1 add.u32 %v, %v, 1;\n";
  }

 private:
  unsigned below(unsigned n) { return unsigned(random_() % n); }
  std::string number(std::uint64_t n) { return std::to_string(n); }
  std::string symbol() { return below(3) ? "%bx" : "%by"; }

  // A number from the block's: %n.
  std::string count() {
    switch (below(7)) {
      case 0:
        return "mov.u32 %n, " + symbol() + ";\n";
      case 1:
        return "mad.lo.u32 %n, " + symbol() + ", 2, 1;\n";
      case 2:
        return "sub.u32 %n, 9, " + symbol() + ";\n";
      case 3:
        return "mul.lo.u32 %n, %bx, 5; add.u32 %n, %n, %by;\n";
      case 4:
        return "add.u32 %n, " + symbol() + ", %tx;\nmin.u32 %n, %n, 9;\n";
      case 5:  // a division by ten
        return "add.u32 %n, " + symbol() + ", 5; mul.hi.u32 %w, %n, 0xcccccccd; shr.u32 %n, %w, 3;\n";
      default:
        return "shr.u32 %n, " + symbol() + ", 1;\n";
    }
  }

  std::string piece() {
    const std::string label = "L" + number(labels_++), end = "E" + number(labels_);
    switch (below(9)) {
      case 0:  // a loop as long as the number
        return count() + "mov.u32 %k, 0;\n" + label + ":\nsetp.ge.u32 %p1, %k, %n; @%p1 bra " + end +
               ";\nmad.lo.u32 %v, %v, 3, %k; add.u32 %k, %k, 1; bra " + label + ";\n" + end + ":\n";
      case 1:  // the same, over elements of y, the step before the question
        return count() + "mov.u32 %k, 0;\n" + label +
               ":\nmul.wide.u32 %d2, %k, 4; add.u64 %d2, %d2, %y; ld.global.u32 %w, [%d2]; add.u32 %v, %v, %w;\n"
               "add.u32 %k, %k, 1; setp.lt.u32 %p1, %k, %n; @%p1 bra " +
               label + ";\n";
      case 2:  // a branch
        return count() + "setp.gt.u32 %p1, %n, " + number(below(8)) + "; @%p1 bra " + end +
               ";\nmul.lo.u32 %v, %v, 5;\n" + end + ":\n";
      case 3:  // through shared memory, with what the block's number makes of it
        return count() +
               "add.u32 %w, %v, %n; st.shared.u32 [%own], %w; bar.sync 0;\nld.shared.u32 %w, [%other]; xor.b32 "
               "%v, %v, %w; bar.sync 0;\n";
      case 4:  // a register that is both read and set by the step that asks
        return count() + label + ":\nsetp.eq.u32 %p1, %n, 0; @%p1 bra " + end +
               ";\nadd.u32 %v, %v, %n; shr.u32 %n, %n, 1; bra " + label + ";\n" + end + ":\n";
      case 5:  // places that the block's number moves, perhaps beyond the bounds or misaligned but for a guard
        return count() + "mul.wide.u32 %d2, %n, " + number(4u << below(2)) +
               "; add.u64 %d2, %d2, %y; setp.lt.u32 %p1, %n, 12;\n@%p1 ld.global.v2.u32 {%w, %k}, [%d2]; @%p1 add.u32 "
               "%v, "
               "%v, %w; @!%p1 add.u32 %v, %v, 7;\n";
      case 6:  // some lanes are within bounds whatever the block, and lose the address in the step that asks for others
        return "mul.lo.u32 %n, " + symbol() +
               ", %tx; mul.wide.u32 %d2, %n, 8; add.u64 %d2, %d2, %y; ld.global.u64 %d2, [%d2];\n"
               "cvt.u32.u64 %w, %d2; add.u32 %v, %v, %w;\n";
      case 7:  // stored before more comes
        return "st.global.u32 [%at], %v;\n" + count() + "max.u32 %w, %n, 4; add.u32 %v, %v, %w;\n";
      default:  // no cut decides this
        return "setp.lt.u32 %p1, %bx, %by; selp.u32 %w, 3, 4, %p1; mad.lo.u32 %v, %v, %w, 1;\n";
    }
  }

  std::mt19937 random_;
  unsigned labels_ = 0;
};

std::string kernel(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 px, .param .u64 py, .param .u64 po) {\n"
         ".reg .b64 %d<4>, %x, %y, %o, %at; .reg .b32 %v, %w, %k, %n, %i, %bx, %by, %tx, %ty, %own, %other; .reg .pred "
         "%p<4>;\n.shared .align 4 .b8 tile[384];\n"
         "ld.param.u64 %x, [px]; ld.param.u64 %y, [py]; ld.param.u64 %o, [po];\n"
         "mov.u32 %bx, %ctaid.x; mov.u32 %by, %ctaid.y; mov.u32 %tx, %tid.x; mov.u32 %ty, %tid.y;\n"
         "mad.lo.u32 %i, %ty, 48, %tx; shl.b32 %w, %i, 2; mov.u32 %own, tile; add.u32 %other, %own, 380;\n"
         "sub.u32 %other, %other, %w; add.u32 %own, %own, %w;\n"
         "mad.lo.u32 %w, %by, 9, %bx; mad.lo.u32 %i, %w, 96, %i;\n"
         "mul.wide.u32 %d1, %i, 4; add.u64 %at, %o, %d1; add.u64 %d1, %x, %d1; ld.global.u32 %v, [%d1];\n" +
         body + "st.global.u32 [%at], %v;\nret;\n}\n";
}

struct Question {
  grammar::Result a, ref;
  check::Problem problem;
  check::Setup setup;
  check::GroupOptions options;
};

std::unique_ptr<Question> question(const std::string& a, const std::string& ref) {
  auto q = std::make_unique<Question>();
  q->a = grammar::read(a, "a.ptx"), q->ref = grammar::read(ref, "ref.ptx");
  REQUIRE(q->a.ok());
  REQUIRE(q->ref.ok());
  const auto buffer = [](const char* name, unsigned count, const char* role) {
    return std::string("[buffer.") + name + "]\ntype = \"u32\"\ncount = " + std::to_string(count) + "\nrole = \"" +
           role + "\"\n";
  };
  const auto side = [](const char* name) {
    return std::string("[") + name + "]\ngrid = " + grid + "\nblock = " + block + "\nargs = [\"x\", \"y\", \"o\"]\n";
  };
  const auto parsed = check::read_spec("float = \"bits\"\n" + buffer("x", 6048, "in") + buffer("y", 128, "in") +
                                           buffer("o", 6048, "out") + side("a") + side("ref"),
                                       "spec.toml");
  REQUIRE(parsed.findings.empty());
  auto resolved = check::resolve(parsed.spec, *q->a.module, &*q->ref.module);
  REQUIRE(resolved.findings.empty());
  q->problem = std::move(resolved.problem);
  q->setup = check::prepare(q->problem);
  q->options.limits.jobs = 2;
  q->options.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  q->options.terms = 1u << 22;
  return q;
}

bool same(const check::Sections& x, const check::Sections& y) {
  const auto equal = [](const check::Section& s, const check::Section& t) {
    return s.runs == t.runs && std::ranges::equal(s.steps, t.steps, [](const auto& u, const auto& v) {
             return u.stride == v.stride && u.count == v.count && u.first == v.first && u.down == v.down;
           });
  };
  return std::ranges::equal(x, y, [&](const auto& of_x, const auto& of_y) {
    return of_x.first == of_y.first && std::ranges::equal(of_x.second, of_y.second, equal);
  });
}

bool same(const std::vector<check::Piece>& x, const std::vector<check::Piece>& y) {
  return std::ranges::equal(x, y, [](const check::Piece& p, const check::Piece& q) {
    return p.object == q.object && p.parts == q.parts && p.offsets == q.offsets && p.size == q.size;
  });
}

}  // namespace

TEST_CASE("a run that goes on in a part of its box touches what one from the start does") {
  sym::TermStore store, other_store;
  std::mt19937 random(5);
  unsigned went_on = 0;
  for (unsigned round = 0; round < 400; ++round) {
    const std::string text = kernel(Kernels(round).body());
    CAPTURE(text);
    const auto q = question(text, text);
    check::Box box = check::all_blocks(q->setup.a.shapes[0]);
    check::BoxWork work;
    work.box = &box;
    auto group = std::make_unique<Group>(q->setup, q->options, check::Blocks{}, store);
    BoxOutcome outcome = group->execute(work);
    unsigned times = 0;
    while (outcome.cut) {
      auto parts = check::apart(box, *outcome.cut);
      REQUIRE(!parts.empty());
      const auto fit = [&](const check::Box& part) { return part.symbols.size() == box.symbols.size(); };
      if (random() % 8 && std::ranges::any_of(parts, fit)) std::erase_if(parts, std::not_fn(fit));
      const check::Box part = parts[random() % parts.size()];
      const bool goes_on = fit(part) && group->can_go_on();
      box = part;
      if (goes_on) {
        ++times;
        outcome = group->go_on(box);
      } else {
        times = 0;
        group = std::make_unique<Group>(q->setup, q->options, check::Blocks{}, store);
        outcome = group->execute(work);
      }
    }
    if (times == 0) continue;
    ++went_on;
    Group anew(q->setup, q->options, {}, other_store);
    const BoxOutcome right = anew.execute(work);
    group->decide(), anew.decide();
    CHECK(!right.cut);
    CHECK(same(outcome.reach.writes, right.reach.writes));
    CHECK(same(outcome.reach.reads, right.reach.reads));
    CHECK(same(outcome.pieces, right.pieces));
    CHECK(group->result.invalid.size() == anew.result.invalid.size());
    CHECK(group->result.reasons.size() == anew.result.reasons.size());
    CHECK(group->result.instructions == anew.result.instructions);
  }
  CHECK(went_on > 60);
}

TEST_CASE("a proof over a grid is the same whether runs go on or not") {
  unsigned proved = 0, found = 0;
  for (unsigned round = 0; round < 100; ++round) {
    Kernels kernels(1000 + round);
    const std::string body = kernels.body(), wrong = round % 3 ? "" : kernels.fault();
    CAPTURE(body);
    CAPTURE(wrong);
    const auto q = question(kernel(body), kernel(body + wrong));
    GridResult results[2];
    for (const bool anew : {false, true}) {
      q->options.anew = anew;
      results[anew] = check::prove_grid(q->setup, q->options, q->options.deadline);
    }
    CHECK(results[0].answer == results[1].answer);
    CHECK(results[0].reason.message == results[1].reason.message);
    if (results[0].answer == GridResult::Answer::proved) {
      ++proved;
      CHECK(wrong.empty());
      CHECK(results[0].boxes == results[1].boxes);
      CHECK(results[0].splits == results[1].splits);
    }
    found += results[0].answer == GridResult::Answer::found;
  }
  CHECK(proved > 30);
  CHECK(found > 10);
}
