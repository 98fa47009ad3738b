// isa [NAME]: what the instruction table says.
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

}  // namespace

std::string print_isa_text(const std::string& wanted) {
  std::string text;
  for (const auto& form : ir::forms())
    if (wanted.empty() || ir::mnemonic(form) == wanted) text += entry(form);
  return text;
}

Answer command_isa(const Options& options) {
  std::vector<std::string_view> names;
  for (const auto& form : ir::forms()) names.push_back(ir::mnemonic(form));
  // "add.f32" asks for add.
  const std::string wanted = options.isa_name.substr(0, options.isa_name.find('.'));
  if (!wanted.empty() && std::find(names.begin(), names.end(), wanted) == names.end())
    return answer(
        failure(ReasonCode::usage, fmt::format("no instruction is named '{}'{}", wanted, did_you_mean(wanted, names))),
        options);
  Answer result;
  result.out = options.json ? print_isa_json(wanted) : print_isa_text(wanted);
  return result;
}

}  // namespace ptxeq::check
