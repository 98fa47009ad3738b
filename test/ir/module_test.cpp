#include "ir/module.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace ptxeq::ir {

TEST_CASE("special registers by name (PTX ISA 10)") {
  CHECK(find_special("%tid")->special == Special::tid);
  CHECK(find_special("WARP_SZ")->special == Special::warp_size);
  CHECK(find_special("%envreg31")->member == 31);
  CHECK_FALSE(find_special("%envreg32"));
  CHECK_FALSE(find_special("%envreg01"));
  CHECK(find_special("%pm7")->special == Special::pm);
  CHECK(find_special("%pm3_64")->special == Special::pm64);
  CHECK(find_special("%reserved_smem_offset_1")->member == 4);
  CHECK_FALSE(find_special("%reserved_smem_offset"));
  CHECK_FALSE(find_special("%tidy"));
  CHECK_FALSE(find_special(""));
  CHECK(info(Special::clock64).type == Type::u64);
  CHECK(info(Special::is_explicit_cluster).type == Type::pred);
  CHECK(info(Special::cluster_ctaid).vector);
}

TEST_CASE("a special register's spelling is found again") {
  for (std::size_t i = 0; i < std::size_t(Special::count_); ++i) {
    const auto special = Special(i);
    const std::string text = spell(special, info(special).vector ? -1 : 0);
    CAPTURE(text);
    const auto found = find_special(text);
    REQUIRE(found);
    CHECK(found->special == special);
  }
  CHECK(spell(Special::ctaid, 1) == "%ctaid.y");
}

TEST_CASE("sameness ignores places and nothing else") {
  Module a;
  Function f;
  f.name = "k";
  f.labels.emplace_back().name = "L";
  a.functions.push_back(f);
  Module b = a;
  b.functions[0].at = {7, 7};
  b.lines = {"text"};
  CHECK(same(a, b));
  CHECK(b.find("k") == &b.functions[0]);
  CHECK(b.find("j") == nullptr);
  b.functions[0].labels[0].target = 1;
  CHECK_FALSE(same(a, b));
  b = a;
  b.sm = 90;
  CHECK_FALSE(same(a, b));
}

TEST_CASE("finding codes are unique and explained") {
  std::set<std::string_view> seen;
  for (const FindingCode& row : finding_codes()) {
    CAPTURE(row.code);
    CHECK(seen.insert(row.code).second);
    CHECK(row.meaning.ends_with("."));
  }
  for (std::string_view code : {"syntax", "undeclared-register", "shared-race", "param-mismatch", "writes-nothing"})
    CHECK(seen.contains(code));
}

}  // namespace ptxeq::ir
