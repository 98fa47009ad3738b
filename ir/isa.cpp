#include "ir/isa.h"

#include <charconv>

#include "ir/isa/all.h"

namespace ptxeq::ir {
namespace {

using Shape = OperandPattern::Shape;

struct Operands {
  std::vector<OperandPattern> patterns;
  bool reads_carry = false;
  bool writes_carry = false;
};

constexpr std::pair<std::string_view, Shape> shapes[] = {
    {"m", Shape::memory},   {"mm", Shape::memory}, {"label", Shape::label},   {"func", Shape::function},
    {"sym", Shape::symbol}, {"list", Shape::list}, {"imm", Shape::immediate}, {"any", Shape::any}};

unsigned number(std::string_view digits, unsigned otherwise) {
  unsigned value = otherwise;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// "4,8,16"
std::vector<std::int64_t> numbers(std::string_view text) {
  std::vector<std::int64_t> result;
  while (!text.empty()) {
    const auto one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    result.push_back(number(one, 0));
  }
  return result;
}

// "t", "t1", "2t", "frag2", "u32" ...
void parse_type(std::string_view text, OperandPattern& pattern) {
  if (auto equals = text.find('='); equals != text.npos) {
    pattern.allowed = numbers(text.substr(equals + 1));
    text = text.substr(0, equals);
  }
  for (auto [name, shape] : shapes)
    if (text == name) {
      pattern.shape = shape;
      pattern.coordinates = text == "mm";
      return;
    }
  if (text.ends_with("/m")) {
    pattern.or_memory = true;
    text.remove_suffix(2);
  }
  if (text.starts_with('{') || text.starts_with('<')) {
    pattern.braces = true;
    pattern.vector_only = text.starts_with('<');
    text = text.substr(1, text.size() - 2);
  }
  if (auto at = text.find("frag"); at != text.npos) {
    pattern.fragment = pattern.braces = true;
    pattern.type_slot = std::uint8_t(number(text.substr(at + 4), 0));
    if (at == 0) return;
    text = text.substr(0, at - 1);  // "b64/frag1"
  }
  if (auto type = type_from_name(text)) {
    pattern.type = *type;
    return;
  }
  if (text.starts_with('v')) {
    pattern.vector = true;
    text.remove_prefix(1);
  }
  if (text.starts_with('2')) {
    pattern.scale = 2;
    text.remove_prefix(1);
  }
  pattern.type_slot = std::uint8_t(number(text.substr(1), 0));  // behind the 't'
}

OperandPattern parse_operand(std::string_view text) {
  OperandPattern pattern;
  if (text.starts_with('[')) {
    pattern.optional = true;
    text = text.substr(1, text.size() - 2);
  }
  const auto colon = text.find(':');
  auto name = text.substr(0, colon);
  auto type = text.substr(colon + 1);
  if (auto mark = type.find('?'); mark != type.npos) {
    pattern.when = find_word(type.substr(mark + 1));
    type = type.substr(0, mark);
  }
  if (auto bar = name.find('|'); bar != name.npos) {
    pattern.shape = Shape::predicate_pair;
    pattern.second_required = name[bar - 1] != '[';
    name = name.substr(0, pattern.second_required ? bar : bar - 1);
  }
  pattern.name = name;
  parse_type(type, pattern);
  return pattern;
}

Operands parse_operands(std::string_view text) {
  Operands result;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word == "<cc")
      result.reads_carry = true;
    else if (word == ">cc")
      result.writes_carry = true;
    else
      result.patterns.push_back(parse_operand(word));
  }
  return result;
}

const Operands& parsed(const Form& form) {
  static const std::vector<Operands> all = [] {
    std::vector<Operands> result;
    for (const Form& f : forms()) result.push_back(parse_operands(f.operands));
    return result;
  }();
  return all[std::size_t(&form - forms().data())];
}

bool fits(const OperandPattern& pattern, const Operand& operand) {
  using K = Operand::Kind;
  const K k = operand.kind;
  switch (pattern.shape) {
    case Shape::memory:
      return k == K::memory;
    case Shape::label:
      return k == K::label;
    case Shape::function:
      return k == K::function || k == K::reg;
    case Shape::list:
      return k == K::list;
    case Shape::symbol:
      return k == K::symbol || k == K::param;
    case Shape::immediate:
      return k == K::imm;
    case Shape::any:
      return k != K::memory && k != K::list;
    case Shape::predicate_pair:
      return k == K::reg || k == K::pair || k == K::sink || k == K::vector;
    case Shape::value:
      break;
  }
  if (k == K::memory) return pattern.or_memory;
  if (k == K::vector) return pattern.braces || pattern.vector;
  if (pattern.vector_only) return false;
  return k != K::list && k != K::pair && k != K::label;
}

// Gives operands from `at` on to patterns from `next` on.
bool assign(const std::vector<OperandPattern>& patterns, std::size_t next, const Opcode& op,
            const std::vector<Operand>& operands, std::vector<const OperandPattern*>& result) {
  const std::size_t at = result.size();
  if (next == patterns.size()) return at == operands.size();
  const OperandPattern& pattern = patterns[next];
  const bool barred = pattern.when && !op.has(*pattern.when);
  if (!barred && at < operands.size() && fits(pattern, operands[at])) {
    result.push_back(&pattern);
    if (assign(patterns, next + 1, op, operands, result)) return true;
    result.resize(at);
  }
  return (pattern.optional || barred) && assign(patterns, next + 1, op, operands, result);
}

// The type of the same kind twice as wide.
Type twice(Type type) {
  switch (type) {
    case Type::b8:
      return Type::b16;
    case Type::b16:
      return Type::b32;
    case Type::b32:
      return Type::b64;
    case Type::b64:
      return Type::b128;
    case Type::u8:
      return Type::u16;
    case Type::u16:
      return Type::u32;
    case Type::u32:
      return Type::u64;
    case Type::s8:
      return Type::s16;
    case Type::s16:
      return Type::s32;
    case Type::s32:
      return Type::s64;
    default:
      return Type::none;
  }
}

constexpr std::string_view action_names[] = {"compute",        "load",  "store",   "prefetch",  "address", "branch",
                                             "branch_indexed", "call",  "ret",     "exit",      "trap",    "barrier",
                                             "barrier_warp",   "fence", "nothing", "unmodelled"};

}  // namespace

const std::vector<Form>& forms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> result;
    isa::for_each_row([&](const auto& row) { result.push_back(row.form); });
    for (auto more : isa::plain_forms) result.insert(result.end(), more.begin(), more.end());
    return result;
  }();
  return all;
}

std::string_view mnemonic(const Form& form) { return form.spelling.substr(0, form.spelling.find(' ')); }
std::string_view name(Action action) { return action_names[std::size_t(action)]; }

std::string describe(const Needs& needs) {
  std::string text = "PTX " + std::to_string(needs.ptx / 10) + "." + std::to_string(needs.ptx % 10);
  if (needs.sm) text += ", sm_" + std::to_string(needs.sm);
  if (needs.suffix) text += needs.suffix;
  if (needs.last != Needs{}.last) text += " to sm_" + std::to_string(needs.last);
  return text;
}

const std::vector<OperandPattern>& operand_patterns(const Form& form) { return parsed(form).patterns; }
bool reads_carry(const Form& form) { return parsed(form).reads_carry; }
bool writes_carry(const Form& form) { return parsed(form).writes_carry; }

std::vector<const OperandPattern*> assign_operands(const Opcode& op, const std::vector<Operand>& operands) {
  std::vector<const OperandPattern*> result;
  assign(operand_patterns(form(op)), 0, op, operands, result);
  return result;
}

Type operand_type(const OperandPattern& pattern, const Opcode& op) {
  if (pattern.type != Type::none || pattern.type_slot >= op.type_count) return pattern.type;
  const Type type = op.types[pattern.type_slot];
  return pattern.scale == 2 ? twice(type) : type;
}

unsigned vector_size(const Opcode& op) {
  using namespace literals;
  return op.has("v2"_w) ? 2 : op.has("v4"_w) ? 4 : op.has("v8"_w) ? 8 : 1;
}

}  // namespace ptxeq::ir
