// Whole grids of a thousand blocks, sound and with a fault at a random place: the fault is found there, and nothing
// else is.
#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <random>
#include <string>

#include "test/checker/prove_texts.h"

using namespace ptxeq;
using check::Report;
using check::Verdict;
using u64 = std::uint64_t;

namespace {

struct Launch {
  std::array<unsigned, 2> grid, block;
  unsigned blocks() const { return grid[0] * grid[1]; }
  unsigned threads() const { return block[0] * block[1]; }
};

// A kernel of x (in) and o (out): %i is the element of x that this thread reads, %o the one of o that it writes, %r1
// and %r2 its block's and its own linear number. `value` may change %v before it is stored.
struct Kernel {
  std::string places;  // sets %i and %o; may leave, by way of done
  std::string load = "mul.wide.u32 %rd3, %i, 4; add.u64 %rd3, %rd3, %rd1; ld.global.u32 %v, [%rd3];\n";
  std::string fault = "";
  std::string text() const {
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u64 x, .param .u64 o) {\n"
           ".reg .b64 %rd<9>; .reg .b32 %r<20>, %i, %o, %v; .reg .pred %p<9>; .shared .align 4 .b8 tile[1088];\n"
           "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [o];\n"
           "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y; mov.u32 %r5, %nctaid.x; mad.lo.u32 %r1, %r4, %r5, %r3;\n"
           "mov.u32 %r6, %tid.x; mov.u32 %r7, %tid.y; mov.u32 %r8, %ntid.x; mad.lo.u32 %r2, %r7, %r8, %r6;\n" +
           places + load + fault +
           "mul.wide.u32 %rd4, %o, 4; add.u64 %rd4, %rd4, %rd2; st.global.u32 [%rd4], %v;\ndone: ret;\n}\n";
  }
};

std::string number(u64 n) { return std::to_string(n); }

// o[i] = x[i] for i < n, a thread an element; `guard` is the comparison that leaves.
Kernel linear(const std::string& guard, u64 n) {
  Kernel k;
  k.places = "mov.u32 %r9, %ntid.x; mad.lo.u32 %i, %r3, %r9, %r6; mov.u32 %o, %i;\nsetp." + guard + " %p1, %i, " +
             number(n) + "; @%p1 bra done;\n";
  return k;
}

// o = x for a matrix of `columns` by `rows`, in tiles of a block's shape.
Kernel copy(u64 columns, u64 rows) {
  Kernel k;
  k.places =
      "mov.u32 %r9, %ntid.x; mad.lo.u32 %r10, %r3, %r9, %r6; mov.u32 %r9, %ntid.y; mad.lo.u32 %r11, %r4, %r9, %r7;\n"
      "setp.ge.u32 %p1, %r10, " +
      number(columns) + "; @%p1 bra done; setp.ge.u32 %p1, %r11, " + number(rows) +
      "; @%p1 bra done;\nmad.lo.u32 %i, %r11, " + number(columns) + ", %r10; mov.u32 %o, %i;\n";
  return k;
}

// o = x transposed, a square of `n` by `n`, through a tile of 16 by 16 in shared memory.
Kernel transpose(u64 n) {
  Kernel k;
  k.places =
      "shl.b32 %r10, %r3, 4; add.u32 %r10, %r10, %r6; shl.b32 %r11, %r4, 4; add.u32 %r11, %r11, %r7;\n"
      "mad.lo.u32 %i, %r11, " +
      number(n) +
      ", %r10; shl.b32 %r10, %r4, 4; add.u32 %r10, %r10, %r6; shl.b32 %r11, %r3, 4; add.u32 %r11, %r11, %r7;\n"
      "mad.lo.u32 %o, %r11, " +
      number(n) + ", %r10;\n";
  k.load +=
      "mov.u32 %r12, tile; mad.lo.u32 %r13, %r7, 68, %r12; shl.b32 %r14, %r6, 2; add.u32 %r13, %r13, %r14;\n"
      "st.shared.u32 [%r13], %v; bar.sync 0; mad.lo.u32 %r13, %r6, 68, %r12; shl.b32 %r14, %r7, 2;\n"
      "add.u32 %r13, %r13, %r14; ld.shared.u32 %v, [%r13];\n";
  return k;
}

// The same without shared memory.
Kernel transpose_plainly(u64 n) {
  Kernel k = transpose(n);
  k.load = "mul.wide.u32 %rd3, %i, 4; add.u64 %rd3, %rd3, %rd1; ld.global.u32 %v, [%rd3];\n";
  k.places =
      "mov.u32 %r9, %ntid.x; mad.lo.u32 %r10, %r3, %r9, %r6; mov.u32 %r9, %ntid.y; mad.lo.u32 %r11, %r4, %r9, "
      "%r7;\nmad.lo.u32 %i, %r11, " +
      number(n) + ", %r10; mad.lo.u32 %o, %r10, " + number(n) + ", %r11;\n";
  return k;
}

Report ask(const Kernel& a, const Launch& la, const Kernel& ref, const Launch& lref, u64 elements) {
  const auto side = [](const char* name, const Launch& l) {
    return std::string("[") + name + "]\ngrid = [" + number(l.grid[0]) + ", " + number(l.grid[1]) + ", 1]\nblock = [" +
           number(l.block[0]) + ", " + number(l.block[1]) + ", 1]\nargs = [\"x\", \"o\"]\n";
  };
  const auto buffer = [&](const char* name, const char* role) {
    return std::string("[buffer.") + name + "]\ntype = \"u32\"\ncount = " + number(elements) + "\nrole = \"" + role +
           "\"\n";
  };
  return check::test::prove_texts(
      a.text(), ref.text(),
      "float = \"bits\"\n" + buffer("x", "in") + buffer("o", "inout") + side("a", la) + side("ref", lref), 20);
}

// The value is one more where all these registers have these numbers.
std::string fault_where(std::initializer_list<std::pair<const char*, u64>> registers) {
  std::string out = "setp.eq.u32 %p2, %r1, %r1;\n";
  for (const auto& [name, value] : registers)
    out += std::string("setp.eq.and.u32 %p2, ") + name + ", " + number(value) + ", %p2;\n";
  return out + "@%p2 add.u32 %v, %v, 1;\n";
}

// Is an element of the output one that the fault makes wrong?
using Wrong = std::function<bool(u64 element)>;

void check_difference(const Report& r, const Wrong& wrong) {
  REQUIRE(r.verdict == Verdict::different);
  CHECK(r.counterexample->replayed);
  CHECK(r.counterexample->buffer == "o");
  CHECK(wrong(r.counterexample->element));
}

void check_equal(const Report& r) {
  CHECK(r.verdict == Verdict::equivalent);
  CHECK(r.evidence.mode == "symbolic");
}

bool has_finding(const Report& r, const std::string& code) {
  for (const auto& f : r.findings)
    if (f.code == code) return true;
  return false;
}

constexpr unsigned rounds = 4;

}  // namespace

TEST_CASE("a copy by a thousand blocks: one wrong block, thread or element, and the edge") {
  std::mt19937 random(1);
  for (unsigned round = 0; round < rounds; ++round) {
    const Launch la{{1000, 1}, {64, 1}}, lref{{500 + unsigned(random() % 20), 1}, {128, 1}};
    const u64 n = 63'937 + random() % 64;  // the last block has elements, and perhaps not for all its threads
    const Kernel sound = linear("ge.u32", n), ref = linear("ge.u32", n);
    CAPTURE(n);
    Kernel wrong = sound;
    check_equal(ask(sound, la, ref, lref, n));
    const u64 block = random() % 1000, element = random() % n;
    CAPTURE(block);
    CAPTURE(element);
    wrong.fault = fault_where({{"%r1", block}});
    check_difference(ask(wrong, la, ref, lref, n), [&](u64 e) { return e / 64 == block; });
    wrong.fault = fault_where({{"%r1", element / 64}, {"%r2", element % 64}});
    check_difference(ask(wrong, la, ref, lref, n), [&](u64 e) { return e == element; });
    wrong.fault = fault_where({{"%i", element}});
    check_difference(ask(wrong, la, ref, lref, n), [&](u64 e) { return e == element; });
    check_difference(ask(ref, lref, wrong, la, n), [&](u64 e) { return e == element; });
    check_difference(ask(linear("ge.u32", n - 1), la, ref, lref, n), [&](u64 e) { return e == n - 1; });
    check_difference(ask(ref, lref, linear("ge.u32", n - 1), la, n), [&](u64 e) { return e == n - 1; });
    if (n < 64'000) {
      const Report r = ask(linear("gt.u32", n), la, ref, lref, n);
      CHECK(r.verdict == Verdict::invalid);
      CHECK(has_finding(r, "out-of-bounds"));
    }
  }
}

TEST_CASE("a matrix copied in tiles: one wrong block, thread or element, and the edges") {
  std::mt19937 random(2);
  for (unsigned round = 0; round < rounds; ++round) {
    const u64 columns = 513 - random() % 17, rows = 250 + random() % 7;  // in 33 x 32 tiles of 16 x 8
    const Launch la{{33, 32}, {16, 8}}, lref{{17, 64}, {32, 4}};
    const u64 n = columns * rows;
    const Kernel sound = copy(columns, rows);
    Kernel wrong = sound;
    CAPTURE(columns);
    CAPTURE(rows);
    check_equal(ask(sound, la, sound, lref, n));
    const u64 x = random() % columns, y = random() % rows;
    CAPTURE(x);
    CAPTURE(y);
    wrong.fault = fault_where({{"%r3", x / 16}, {"%r4", y / 8}});
    check_difference(ask(wrong, la, sound, lref, n),
                     [&](u64 e) { return e % columns / 16 == x / 16 && e / columns / 8 == y / 8; });
    wrong.fault = fault_where({{"%r3", x / 16}, {"%r4", y / 8}, {"%r6", x % 16}, {"%r7", y % 8}});
    check_difference(ask(wrong, la, sound, lref, n), [&](u64 e) { return e == y * columns + x; });
    wrong.fault = fault_where({{"%i", y * columns + x}});
    check_difference(ask(sound, la, wrong, lref, n), [&](u64 e) { return e == y * columns + x; });
    const Kernel narrow = [&] {
      Kernel k = copy(columns - 1, rows);  // the pitch stays
      const std::string pitch = "%r11, " + number(columns - 1);
      k.places.replace(k.places.rfind(pitch), pitch.size(), "%r11, " + number(columns));
      return k;
    }();
    check_difference(ask(narrow, la, sound, lref, n), [&](u64 e) { return e % columns == columns - 1; });
    const Report r = ask(copy(columns, rows + 1), {{33, 33}, {16, 8}}, sound, lref, n);
    CHECK(r.verdict == Verdict::invalid);
    CHECK(has_finding(r, "out-of-bounds"));
  }
}

TEST_CASE("a transposition through shared memory: one wrong block, thread or element") {
  std::mt19937 random(3);
  const u64 n = 512;
  const Launch tiles{{32, 32}, {16, 16}}, lref{{16, 128}, {32, 4}};
  const Kernel sound = transpose(n), ref = transpose_plainly(n);
  check_equal(ask(sound, tiles, ref, lref, n * n));
  check_equal(ask(ref, lref, sound, tiles, n * n));
  for (unsigned round = 0; round < rounds; ++round) {
    const u64 x = random() % n, y = random() % n;  // of the output
    CAPTURE(x);
    CAPTURE(y);
    Kernel wrong = sound;
    wrong.fault = fault_where({{"%r3", y / 16}, {"%r4", x / 16}});
    check_difference(ask(wrong, tiles, ref, lref, n * n),
                     [&](u64 e) { return e % n / 16 == x / 16 && e / n / 16 == y / 16; });
    wrong.fault = fault_where({{"%r3", y / 16}, {"%r4", x / 16}, {"%r6", x % 16}, {"%r7", y % 16}});
    check_difference(ask(wrong, tiles, ref, lref, n * n), [&](u64 e) { return e == y * n + x; });
    wrong.fault = fault_where({{"%o", y * n + x}});
    check_difference(ask(wrong, tiles, ref, lref, n * n), [&](u64 e) { return e == y * n + x; });
    check_difference(ask(ref, lref, wrong, tiles, n * n), [&](u64 e) { return e == y * n + x; });
  }
}

// The block `second` writes where the block before it does, and writes what differs: a race between them.
TEST_CASE("two blocks that store to one element are a race") {
  std::mt19937 random(4);
  for (unsigned round = 0; round < rounds; ++round) {
    const Launch l{{1000, 1}, {64, 1}};
    const u64 n = 64'000, second = 1 + random() % 999;
    CAPTURE(second);
    Kernel racing = linear("ge.u32", n);
    racing.fault = "setp.eq.u32 %p2, %r3, " + number(second) + "; @%p2 sub.u32 %o, %o, 64; add.u32 %v, %v, %r3;\n";
    for (const auto& r : {ask(racing, l, racing, l, n), ask(racing, l, linear("ge.u32", n), l, n),
                          ask(linear("ge.u32", n), l, racing, l, n)}) {
      CHECK(r.verdict != Verdict::equivalent);
      CHECK(r.verdict == Verdict::invalid);
      CHECK(has_finding(r, "global-race"));
    }
  }
}
