// PTX ISA 10, "Special Registers", in the order of the enumeration.
#include <array>

#include "ir/module.h"

namespace ptxeq::ir {

namespace {
constexpr std::array<SpecialInfo, std::size_t(Special::count_)> table{{
    {"%tid", Type::u32, true},
    {"%ntid", Type::u32, true},
    {"%ctaid", Type::u32, true},
    {"%nctaid", Type::u32, true},
    {"%laneid", Type::u32, false},
    {"%warpid", Type::u32, false},
    {"%nwarpid", Type::u32, false},
    {"%smid", Type::u32, false},
    {"%nsmid", Type::u32, false},
    {"%gridid", Type::u64, false},
    {"WARP_SZ", Type::u32, false},
    {"%lanemask_eq", Type::u32, false},
    {"%lanemask_le", Type::u32, false},
    {"%lanemask_lt", Type::u32, false},
    {"%lanemask_ge", Type::u32, false},
    {"%lanemask_gt", Type::u32, false},
    {"%clock", Type::u32, false},
    {"%clock_hi", Type::u32, false},
    {"%clock64", Type::u64, false},
    {"%globaltimer", Type::u64, false},
    {"%globaltimer_lo", Type::u32, false},
    {"%globaltimer_hi", Type::u32, false},
    {"%is_explicit_cluster", Type::pred, false},
    {"%clusterid", Type::u32, true},
    {"%nclusterid", Type::u32, true},
    {"%cluster_ctaid", Type::u32, true},
    {"%cluster_nctaid", Type::u32, true},
    {"%cluster_ctarank", Type::u32, false},
    {"%cluster_nctarank", Type::u32, false},
    {"%dynamic_smem_size", Type::u32, false},
    {"%total_smem_size", Type::u32, false},
    {"%aggr_smem_size", Type::u32, false},
    {"%reserved_smem_offset", Type::b32, false},
    {"%current_graph_exec", Type::u64, false},
    {"%pm", Type::u32, false},
    {"%pm_64", Type::u64, false},
    {"%envreg", Type::b32, false},
}};
}  // namespace

const SpecialInfo& info(Special special) { return table[std::size_t(special)]; }

// A name and the numbers that follow it: %envreg0 .. %envreg31 are one special register with 32 members.
struct Numbered {
  std::string_view name;
  Special special;
  int member;
};
namespace {
constexpr std::array<Numbered, 5> reserved{{
    {"%reserved_smem_offset_begin", Special::reserved_smem, 0},
    {"%reserved_smem_offset_end", Special::reserved_smem, 1},
    {"%reserved_smem_offset_cap", Special::reserved_smem, 2},
    {"%reserved_smem_offset_0", Special::reserved_smem, 3},
    {"%reserved_smem_offset_1", Special::reserved_smem, 4},
}};

// "12" -> 12 when below `limit` and without leading zero, else -1.
int number_below(std::string_view digits, int limit) {
  if (digits.empty() || digits.size() > 2 || (digits.size() == 2 && digits[0] == '0')) return -1;
  int value = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value < limit ? value : -1;
}
}  // namespace

std::optional<SpecialName> find_special(std::string_view name) {
  if (name.empty() || (name[0] != '%' && name[0] != 'W')) return std::nullopt;
  for (const Numbered& row : reserved)
    if (row.name == name) return SpecialName{row.special, row.member};
  if (name.starts_with("%envreg")) {
    const int member = number_below(name.substr(7), 32);
    return member < 0 ? std::nullopt : std::optional(SpecialName{Special::envreg, member});
  }
  if (name.starts_with("%pm")) {
    const bool wide = name.ends_with("_64");
    const int member = number_below(name.substr(3, name.size() - 3 - (wide ? 3 : 0)), 8);
    return member < 0 ? std::nullopt : std::optional(SpecialName{wide ? Special::pm64 : Special::pm, member});
  }
  for (std::size_t i = 0; i < std::size_t(Special::reserved_smem); ++i)
    if (table[i].name == name) return SpecialName{Special(i), 0};
  if (name == info(Special::current_graph_exec).name) return SpecialName{Special::current_graph_exec, 0};
  return std::nullopt;
}

std::string spell(Special special, int member) {
  const std::string_view name = info(special).name;
  switch (special) {
    case Special::reserved_smem:
      return std::string(reserved[std::size_t(member)].name);
    case Special::pm64:
      return "%pm" + std::to_string(member) + "_64";
    case Special::pm:
    case Special::envreg:
      return std::string(name) + std::to_string(member);
    default:
      break;
  }
  std::string text(name);
  if (info(special).vector && member >= 0) text.append({'.', "xyzw"[member & 3]});
  return text;
}

}  // namespace ptxeq::ir
