// Every text of the corpus: it reads, it prints, and SLL prediction is enough for it.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "ir/printer.h"
#include "reading.h"

namespace ptxeq::grammar::test {

TEST_CASE("text -> IR -> text -> IR is the identity on the corpus") {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PTXEQ_SOURCE) / "corpus"))
    if (entry.path().filename() == "a.ptx" || entry.path().filename() == "ref.ptx") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files) {
    CAPTURE(path.string());
    const Result result = read_file(path.string());
    CHECK(result.second_stage == 0);
    if (!result.ok()) continue;  // some cases are about texts that are refused; the corpus says which
    const Result again = read(ir::print(*result.module), "printed");
    INFO(rendered(again));
    REQUIRE(again.ok());
    CHECK(ir::same(*result.module, *again.module));
  }
}

}  // namespace ptxeq::grammar::test
