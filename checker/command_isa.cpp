// isa [NAME]: what the instruction table says, in its own notation (ir/isa.h).
#include <fmt/format.h>

#include <algorithm>

#include "checker/command_list.h"
#include "checker/print.h"
#include "checker/spec.h"
#include "ir/isa.h"

namespace ptxeq::check {
namespace {

std::string needs(const ir::Needs& needs) {
  std::string text = fmt::format("PTX {}.{}", needs.ptx / 10, needs.ptx % 10);
  if (needs.sm > 0) text += fmt::format(", sm_{}{}", needs.sm, needs.suffix ? std::string(1, needs.suffix) : "");
  return text;
}

std::string entry(const ir::Form& form) {
  std::string text = fmt::format("{}", form.spelling);
  if (!form.operands.empty()) text += fmt::format("   {}", form.operands);
  text += fmt::format("\n    {}; section {}; {}\n", needs(form.needs), form.section,
                      form.action == ir::Action::unmodelled ? "read and checked, not executed" : "executed");
  if (form.removed.ptx != ir::Form{}.removed.ptx) text += fmt::format("    removed: {}\n", needs(form.removed));
  if (!form.text.empty()) text += fmt::format("    {}\n", form.text);
  return text;
}

// Cuts the piece before one of `ends` off the front of `text`.
std::string_view cut(std::string_view& text, std::string_view ends) {
  const auto piece = text.substr(0, text.find_first_of(ends));
  text.remove_prefix(std::min(text.size(), piece.size() + 1));
  return piece;
}

// Can `word` stand in the spelling, whose "m64n*k16" is any word of that shape?
bool has_word(std::string_view spelling, std::string_view word) {
  while (!spelling.empty()) {
    const auto piece = cut(spelling, " []|@");
    const auto star = piece.find('*');
    const bool same = star == piece.npos
                          ? piece == word
                          : word.starts_with(piece.substr(0, star)) && word.ends_with(piece.substr(star + 1));
    if (same && !piece.empty()) return true;
  }
  return false;
}

// The forms that "ld.global.f32" may mean: of the instruction called so, or of those whose names begin so, the ones
// that know the words.
IsaForms find_forms(std::string_view wanted, std::string& error) {
  std::vector<std::string_view> names;
  for (const auto& form : ir::forms()) names.push_back(ir::mnemonic(form));
  const auto first = cut(wanted, ".");
  const bool exact = std::find(names.begin(), names.end(), first) != names.end();
  IsaForms forms;
  for (const auto& form : ir::forms())
    if (const auto name = ir::mnemonic(form); exact ? name == first : name.starts_with(first)) forms.push_back(&form);
  if (forms.empty()) error = fmt::format("no instruction's name begins with '{}'{}", first, did_you_mean(first, names));
  while (!wanted.empty() && !forms.empty()) {
    const auto word = cut(wanted, ".");
    std::erase_if(forms, [&](const ir::Form* form) { return !has_word(form->spelling, word); });
    if (forms.empty()) error = fmt::format("no form of '{}' has '.{}': see ptxeq isa {}", first, word, first);
  }
  return forms;
}

}  // namespace

std::string_view isa_notation() {
  return R"(A form is printed as its opcode's words, then its operands, the destination first:
  add [rn|rz] [ftz] f32   d:t a:t b:t
Words:
  [ftz]                may be left out
  rn|rz                one of these
  m64n*k16             any word of that shape
  word@70,80           needs PTX 7.0 and sm_80
  word@86,100f-119     needs PTX 8.6 and a family or 'a' target, from sm_100f to sm_119
Words that name a data type are the opcode's types 0, 1, ... in order. Operands are NAME:TYPE:
  t, t1, 2t            type 0, type 1, twice as wide as type 0
  f32, pred, ...       that type, whatever the opcode's
  vt                   a vector as wide as .v2, .v4 or .v8 says, else a scalar
  <b32>, {b32}         a vector of any width; or a scalar too
  frag, frag1          a thread's registers of a matrix of type 0, type 1
  m, mm                memory; memory with a vector of coordinates
  imm, imm=4,8         a constant; one of these
  label, func, sym, list, any
  b64/m, b64/frag1     one or the other
  [x:t]                may be left out
  x:t?word             is there exactly when the opcode has that word
  p[|q]:pred           one or a pair (d|p: always both)
  <cc, >cc             no operand: reads, writes the carry flag
Below stand what the form needs, its section of the PTX manual, whether ptxeq executes it, and what it does.
)";
}

std::string print_isa_text(const IsaForms& forms) {
  std::string text;
  for (const auto* form : forms) text += entry(*form);
  return text;
}

Answer command_isa(const Options& options) {
  std::string error;
  const auto forms = find_forms(options.isa_name, error);
  if (!error.empty()) return answer(failure(ReasonCode::usage, error), options);
  Answer result;
  result.out = options.json ? print_isa_json(forms) : print_isa_text(forms);
  return result;
}

}  // namespace ptxeq::check
