#include <doctest/doctest.h>

#include <set>
#include <string>

#include "symbolic/ops.h"

using namespace ptxeq::sym;

namespace {
u64 at(Op op, unsigned width, u64 a, u64 b = 0, u64 c = 0) { return apply(op, 0, width, width, a, b, c); }
u64 compared(Op op, unsigned width, u64 a, u64 b) { return apply(op, 0, 1, width, a, b, 0); }
}  // namespace

TEST_CASE("arithmetic wraps at its width") {
  CHECK(at(Op::add, 16, 0xffff, 1) == 0);
  CHECK(at(Op::mul, 32, 0x80000001, 2) == 2);
  CHECK(at(Op::neg, 8, 0x80) == 0x80);
  CHECK(at(Op::not_, 1, 0) == 1);
  CHECK(at(Op::add, 64, ~u64(0), 2) == 1);
}

TEST_CASE("division is signed where it says so and wraps for the least integer by -1") {
  CHECK(at(Op::udiv, 32, 0xfffffffe, 2) == 0x7fffffff);
  CHECK(at(Op::sdiv, 32, 0xfffffff9, 2) == 0xfffffffd);  // -7 / 2 = -3
  CHECK(at(Op::srem, 32, 0xfffffff9, 2) == 0xffffffff);  // -7 % 2 = -1
  CHECK(at(Op::sdiv, 32, 0x80000000, 0xffffffff) == 0x80000000);
  CHECK(at(Op::srem, 64, u64(1) << 63, ~u64(0)) == 0);
}

TEST_CASE("the high half of a product") {
  CHECK(at(Op::umulh, 32, 0xffffffff, 0xffffffff) == 0xfffffffe);
  CHECK(at(Op::smulh, 32, 0xffffffff, 0xffffffff) == 0);
  CHECK(at(Op::umulh, 64, ~u64(0), ~u64(0)) == ~u64(1));
  CHECK(at(Op::smulh, 64, u64(1) << 63, 2) == ~u64(0));
}

TEST_CASE("shifts by the width and more give zero or the sign") {
  CHECK(at(Op::shl, 32, 1, 31) == 0x80000000);
  CHECK(at(Op::shl, 32, 1, 32) == 0);
  CHECK(at(Op::shl, 64, 1, 64) == 0);
  CHECK(at(Op::lshr, 16, 0x8000, 15) == 1);
  CHECK(at(Op::lshr, 16, 0x8000, 0xffff) == 0);
  CHECK(at(Op::ashr, 16, 0x8000, 1) == 0xc000);
  CHECK(at(Op::ashr, 16, 0x8000, 0xffff) == 0xffff);
  CHECK(at(Op::ashr, 64, u64(1) << 63, 64) == ~u64(0));
}

TEST_CASE("counting and reversing bits") {
  CHECK(at(Op::popc, 32, 0xf0f0) == 8);
  CHECK(at(Op::clz, 32, 1) == 31);
  CHECK(at(Op::clz, 16, 0) == 16);
  CHECK(at(Op::clz, 64, 0) == 64);
  CHECK(at(Op::brev, 8, 0x13) == 0xc8);
  CHECK(at(Op::brev, 64, 1) == u64(1) << 63);
}

TEST_CASE("comparisons") {
  CHECK(compared(Op::ult, 32, 1, 0xffffffff) == 1);
  CHECK(compared(Op::slt, 32, 1, 0xffffffff) == 0);
  CHECK(compared(Op::sle, 8, 0x80, 0x7f) == 1);
  CHECK(compared(Op::ule, 8, 0x80, 0x80) == 1);
  CHECK(compared(Op::eq, 64, 5, 5) == 1);
}

TEST_CASE("slicing, joining and widening") {
  CHECK(apply(Op::extract, 0, 8, 32, 0x12345678, 16, 0) == 0x34);
  CHECK(apply(Op::concat, 0, 32, 16, 0x1234, 0x5678, 0) == 0x12345678);
  CHECK(apply(Op::concat, 0, 64, 1, 1, 2, 0) == (u64(1) << 63 | 2));
  CHECK(apply(Op::sext, 0, 32, 8, 0x80, 0, 0) == 0xffffff80);
  CHECK(apply(Op::sext, 0, 8, 32, 0x1ff, 0, 0) == 0xff);
  CHECK(apply(Op::zext, 0, 64, 8, 0x80, 0, 0) == 0x80);
  CHECK(at(Op::ite, 32, 1, 2, 3) == 2);
  CHECK(at(Op::ite, 32, 0, 2, 3) == 3);
}

TEST_CASE("every operation has a name of its own") {
  std::set<std::string> names;
  for (unsigned i = 0; i < unsigned(Op::count_); ++i) names.insert(std::string(name(Op(i))));
  CHECK(names.size() == std::size_t(Op::count_));
  CHECK(name(Op::and_) == "and");
  CHECK(name(Op::approx) == "approx");
}
