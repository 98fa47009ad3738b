// Every row of the instruction table against results recorded on a GPU: test/symbolic/data/*_h200.txt.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ir/isa.h"
#include "symbolic/program.h"
#include "symbolic/semantics.h"

using namespace ptxeq;
using sym::u64;

namespace {

struct Record {
  std::vector<u64> operands, results;
};

Record parse(const std::string& line) {
  Record record;
  std::istringstream words(line);
  std::string word;
  auto* side = &record.operands;
  while (words >> word) {
    if (word == "=")
      side = &record.results;
    else
      side->push_back(std::stoull(word, nullptr, 16));
  }
  return record;
}

// Widths of a row's sources, of its results: as the operands of the form say, the carry 1 bit.
struct Widths {
  std::vector<unsigned> sources;
  unsigned result = 0;
};
Widths widths(const ir::Opcode& op) {
  const auto width = [&](const ir::OperandPattern& pattern) {
    if (pattern.shape == ir::OperandPattern::Shape::immediate) return 32u;
    const ir::Type type = ir::operand_type(pattern, op);
    return type == ir::Type::pred ? 1u : ir::bits(type);
  };
  const auto& patterns = ir::operand_patterns(ir::form(op));
  Widths w;
  w.result = width(patterns[0]);
  for (std::size_t i = 1; i < patterns.size(); ++i) w.sources.push_back(width(patterns[i]));
  if (ir::reads_carry(ir::form(op))) w.sources.push_back(1);
  return w;
}

// The first recorded line that the table gets wrong, or nothing.
std::string mismatch(const ir::Opcode& op, const Record& record) {
  const Widths w = widths(op);
  const sym::Semantics& row = sym::semantics()[op.form];
  if (!row.concrete || row.sources != w.sources.size() || record.operands.size() != row.sources) return "operands";
  sym::ConcreteDomain domain(sym::attributes(op));
  sym::ConcreteSource sources[sym::max_sources];
  for (unsigned i = 0; i < row.sources; ++i) sources[i] = {&record.operands[i], w.sources[i]};
  u64 values[sym::max_results] = {};
  u64* results[sym::max_results];
  for (unsigned i = 0; i < sym::max_results; ++i) results[i] = &values[i];
  row.concrete(domain, op, {nullptr, 0, 1}, sources, results);
  if (domain.approximated) return {};
  for (std::size_t i = 0; i < record.results.size(); ++i) {
    if (values[i] == record.results[i]) continue;
    std::ostringstream text;
    text << std::hex << "result " << i << " is " << values[i] << ", not " << record.results[i];
    return text.str();
  }
  return {};
}

void check_file(const std::string& name) {
  std::ifstream file(PTXEQ_SOURCE "/test/symbolic/data/" + name);
  REQUIRE(file);
  std::string line, opcode;
  unsigned checked = 0;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      opcode = line;
      continue;
    }
    const Record record = parse(line);
    // A carry is no operand as written, the destination is one.
    auto match = ir::match(opcode, record.operands.size() + 1);
    if (!match.ok) match = ir::match(opcode, record.operands.size());
    INFO(opcode << line);
    REQUIRE_MESSAGE(match.ok, match.error);
    CHECK(mismatch(match.op, record) == "");
    ++checked;
  }
  CHECK(checked > 100);
}

}  // namespace

TEST_CASE("floating-point instructions give what an H200 gives") { check_file("float_h200.txt"); }
TEST_CASE("half-precision instructions give what an H200 gives") { check_file("half_h200.txt"); }
TEST_CASE("conversions give what an H200 gives") { check_file("convert_h200.txt"); }
TEST_CASE("comparisons give what an H200 gives") { check_file("compare_h200.txt"); }
TEST_CASE("integer instructions give what an H200 gives") { check_file("integer_h200.txt"); }
