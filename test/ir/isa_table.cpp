// The table is well formed: every spelling, operand pattern and need parses, and every form can be written.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "ir/isa.h"

using namespace ptxeq::ir;

namespace {

// The first alternative of every slot that has to be there: "add.u16".
std::string shortest(const Form& form) {
  std::string result(mnemonic(form));
  std::string_view rest = form.spelling.substr(result.size());
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const auto slot = rest.substr(0, rest.find(' '));
    rest.remove_prefix(slot.size());
    if (slot.starts_with('[')) continue;
    std::string word(slot.substr(0, slot.find_first_of("|@")));
    if (auto star = word.find('*'); star != word.npos) word = word.substr(0, star) + "8" + word.substr(star + 1);
    result += '.';
    result += word;
  }
  return result;
}

std::size_t operands_without_optional(const Form& form) {
  return std::size_t(
      std::ranges::count_if(operand_patterns(form), [](const OperandPattern& p) { return !p.optional && !p.when; }));
}

}  // namespace

TEST_CASE("words are sorted, so that they are found by halving") {
  CHECK(std::is_sorted(std::begin(word_list), std::end(word_list)));
  for (std::size_t i = 0; i < word_count; ++i) CHECK(find_word(word_list[i]) == Word(i));
  CHECK(!find_word("no_such_word"));
  for (auto word : word_list) CHECK_MESSAGE(!type_from_name(word), "a word is no type: ", word);
}

TEST_CASE("types are found by name and have a width") {
  for (std::size_t i = 1; i < std::size_t(Type::count_); ++i) {
    CHECK(type_from_name(info(Type(i)).name) == Type(i));
    CHECK(bits(Type(i)) > 0);
  }
  CHECK(bits(Type::f16x2) == 32);
  CHECK(bits(Type::b128) == 128);
  CHECK(bits(Type::e2m1) == 4);
  CHECK(!type_from_name("none"));
}

TEST_CASE("every form has its mnemonic, section and text") {
  CHECK(forms().size() > 500);
  for (const Form& form : forms()) {
    INFO(form.spelling);
    CHECK(!mnemonic(form).empty());
    CHECK(form.section.starts_with("9.7."));
    CHECK(!form.text.empty());
  }
}

TEST_CASE("every form's shortest spelling matches, and its own row where no earlier one fits too") {
  std::size_t own = 0;
  for (std::size_t i = 0; i < forms().size(); ++i) {
    const std::string text = shortest(forms()[i]);
    const Match found = match(text, operands_without_optional(forms()[i]));
    INFO(text, ": ", found.error);
    REQUIRE(found.ok);
    CHECK(spell(found.op) == text);
    own += found.op.form == i;
  }
  CHECK(own + 10 > forms().size());
}

TEST_CASE("every operand pattern has a name and a type that the opcode can give it") {
  for (const Form& form : forms()) {
    const Match found = match(shortest(form), operands_without_optional(form));
    for (const OperandPattern& pattern : operand_patterns(form)) {
      INFO(form.spelling, " ", pattern.name);
      CHECK(!pattern.name.empty());
      using Shape = OperandPattern::Shape;
      if (pattern.shape != Shape::value && pattern.shape != Shape::predicate_pair) continue;
      if (!pattern.fragment) CHECK(operand_type(pattern, found.op) != Type::none);
    }
    if (!form.no_result && !operand_patterns(form).empty()) CHECK(!operand_patterns(form)[0].optional);
  }
}

TEST_CASE("the carry chain reads and writes CC.CF") {
  const auto form_of = [](const char* text, std::size_t n) { return form(match(text, n).op); };
  CHECK(writes_carry(form(match("add.cc.u32", 3).op)));
  CHECK(!reads_carry(form(match("add.cc.u32", 3).op)));
  CHECK(reads_carry(form(match("madc.hi.cc.u32", 4).op)));
  CHECK(!writes_carry(form(match("add.u32", 3).op)));
  CHECK(form_of("add.cc.u32", 3).section == "9.7.2.1");
}
