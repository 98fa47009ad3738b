// Memory that runs out in a thread of the checker's own is reported like any other.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "checker/obligation_enumerate.h"

namespace {
std::atomic<bool> scarce = false;  // for every thread but the first
const std::thread::id first = std::this_thread::get_id();
}  // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return scarce && std::this_thread::get_id() != first ? nullptr : std::malloc(size ? size : 1);
}
void* operator new(std::size_t size) {
  if (void* p = operator new(size, std::nothrow)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace ptxeq::check;
using ptxeq::sym::Op;

TEST_CASE("memory that runs out in a thread of the enumeration is thrown to the caller") {
  Shape never;  // x < x for 20 bits, enough for several threads
  never.leaves = {{ptxeq::sym::LeafKind::memory, 20, {.width = 20}}};
  never.code = {{Op::leaf, 20, 0, 0, 0, no_slot, no_slot}, {Op::ult, 1, 0, 0, 0, 0, no_slot}};
  never.roots = {1};
  const auto tried = [&] { return enumerate(never, std::chrono::steady_clock::now() + std::chrono::minutes(1), 2); };
  CHECK(tried().complete);
  scarce = true;
  CHECK_THROWS_AS((void)tried(), std::bad_alloc);
  scarce = false;
  CHECK(tried().complete);
}
