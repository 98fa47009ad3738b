// Prints what the reader reads: text -> IR -> text -> IR is the identity. Scopes are flat, so every declaration of a
// function stands at its top.
#include "ir/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "ir/isa.h"

namespace ptxeq::ir {

namespace {

using Kind = Operand::Kind;

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string with_offset(std::string_view base, std::int64_t offset) {
  return offset == 0 ? std::string(base) : fmt::format("{}+{}", base, offset);
}

std::string immediate(const Operand& o) {
  if (o.type == Type::f32) return fmt::format("0f{:08X}", std::uint32_t(o.value));
  if (o.type == Type::f64) return fmt::format("0d{:016X}", std::uint64_t(o.value));
  if (o.value == INT64_MIN) return "0x8000000000000000";
  return std::to_string(o.value);
}

std::string_view selector(std::int8_t part) {
  constexpr std::array<std::string_view, 12> names{".b0", ".b1", ".b2", ".b3", ".h0", ".h1",
                                                   "",    "",    ".x",  ".y",  ".z",  ".w"};
  return part < 0 || std::size_t(part) >= names.size() ? "" : names[std::size_t(part)];
}

class Printer {
 public:
  explicit Printer(const Module& module) : module_(module) {}

  std::string run() {
    header();
    if (refers_forward())
      for (const Function& f : module_.functions)
        if (!f.entry) declaration(f);
    for (const Function& f : module_.functions)
      if (!f.has_body && !refers_forward_) declaration(f);
    for (const Variable& v : module_.variables) text_ += variable(v) + ";\n";
    for (const Function& f : module_.functions)
      if (f.has_body) body(f);
    for (const Alias& a : module_.aliases) text_ += fmt::format(".alias {}, {};\n", a.name, a.aliasee);
    for (const Directive& d : module_.directives)
      if (d.name == ".section") text_ += fmt::format(".section {}\n{{{}}}\n", d.values[0], d.values[1]);
    return std::move(text_);
  }

  std::string instruction(const Function& f, const Instruction& i) const {
    std::string text;
    if (i.guard.present) text += fmt::format("@{}{} ", i.guard.negated ? "!" : "", f.registers[i.guard.reg].name);
    text += spell(i.op);
    for (std::size_t n = 0; n < i.operands.size(); ++n) text += (n == 0 ? " " : ", ") + operand(f, i.operands[n]);
    return text + ";";
  }

 private:
  // --- module

  void header() {
    text_ += fmt::format(".version {}.{}\n.target sm_{}", module_.version / 10, module_.version % 10, module_.sm);
    if (module_.suffix) text_ += module_.suffix;
    for (const std::string& option : module_.target_options) text_ += ", " + option;
    text_ += fmt::format("\n.address_size {}\n", module_.address_size);
    for (std::size_t i = 0; i < module_.source_files.size(); ++i)
      if (!module_.source_files[i].empty()) text_ += fmt::format(".file {} \"{}\"\n", i, module_.source_files[i]);
    for (const Directive& d : module_.directives)
      if (d.name == ".pragma") text_ += pragma(d);
  }

  // Does any function or variable name a function whose text comes later? Then all are declared first.
  bool refers_forward() {
    std::map<std::string_view, std::uint32_t> with_body;
    for (std::uint32_t i = 0; i < module_.functions.size(); ++i)
      if (module_.functions[i].has_body) with_body.emplace(module_.functions[i].name, i);
    for (const Variable& v : module_.variables)
      for (const Initial& piece : v.initial) refers_forward_ = refers_forward_ || with_body.contains(piece.symbol);
    for (std::uint32_t i = 0; i < module_.functions.size(); ++i) {
      const auto later = [&](std::uint32_t target) { return target > i; };
      for (const Label& label : module_.functions[i].labels)
        if (label.kind == Label::Kind::call_targets)
          refers_forward_ = refers_forward_ || std::any_of(label.targets.begin(), label.targets.end(), later);
      for (const Instruction& instruction : module_.functions[i].body)
        for (const Operand& o : instruction.operands)
          refers_forward_ = refers_forward_ || (o.kind == Kind::function && later(o.index));
    }
    return refers_forward_;
  }

  static std::string pragma(const Directive& d) { return fmt::format(".pragma \"{}\";\n", join(d.values, "\", \"")); }

  static std::string specifiers(const std::vector<std::string>& linkage, const std::vector<std::string>& attributes,
                                Space space) {
    std::string text;
    for (const std::string& word : linkage) text += word + " ";
    text += fmt::format(".{} ", name(space));
    if (!attributes.empty()) text += fmt::format(".attribute({}) ", join(attributes, ", "));
    return text;
  }

  std::string variable(const Variable& v) const {
    std::string text = specifiers(v.linkage, v.attributes, v.space);
    const bool opaque = kind(v.type) == ir::Kind::opaque;
    if (!opaque) text += fmt::format(".align {} ", v.align);
    if (v.vector > 1) text += fmt::format(".v{} ", v.vector);
    text += fmt::format(".{} {}", info(v.type).name, v.name);
    for (std::uint64_t size : v.dims) text += size == 0 ? "[]" : fmt::format("[{}]", size);
    if (v.initialised) text += " = " + contents(v);
    return text;
  }

  // The pieces stand in order of their offsets; what lies between two of them is zero.
  std::string contents(const Variable& v) const {
    std::vector<std::uint64_t> sizes(v.dims);
    if (v.vector > 1) sizes.push_back(v.vector);
    const std::uint64_t element = (bits(v.type) + 7) / 8;
    std::size_t next = 0;
    return level(v, sizes, 0, 0, element, next);
  }

  static std::string level(const Variable& v, const std::vector<std::uint64_t>& sizes, std::size_t depth,
                           std::uint64_t offset, std::uint64_t element, std::size_t& next) {
    if (depth == sizes.size()) {
      const bool here = next < v.initial.size() && v.initial[next].offset == offset;
      return here ? piece(v, v.initial[next++]) : zero(v.type);
    }
    std::uint64_t stride = element;
    for (std::size_t i = depth + 1; i < sizes.size(); ++i) stride *= sizes[i];
    std::string text = "{";
    for (std::uint64_t i = 0; i < sizes[depth]; ++i) {
      if (next == v.initial.size() || v.initial[next].offset >= offset + stride * sizes[depth]) break;
      text += (i == 0 ? "" : ", ") + level(v, sizes, depth + 1, offset + i * stride, element, next);
    }
    return text + "}";
  }

  static std::string zero(Type type) {
    return type == Type::f32 ? "0f00000000" : type == Type::f64 ? "0d0000000000000000" : "0";
  }

  static std::string piece(const Variable& v, const Initial& p) {
    if (p.symbol.empty()) {
      Operand number;
      number.type = v.type;
      number.value = p.value;
      return immediate(number);
    }
    std::string text = p.generic ? fmt::format("generic({})", p.symbol) : p.symbol;
    text = with_offset(text, p.value);
    return p.mask_shift == 0xff ? text : fmt::format("0x{:X}({})", std::uint64_t(0xff) << p.mask_shift, text);
  }

  // --- functions

  static std::string parameter(const Param& p) {
    if (p.is_reg) return fmt::format(".reg .{} {}", info(p.type).name, p.name);
    std::string text = ".param ";
    if (p.is_array || p.align != (bits(p.type) + 7) / 8) text += fmt::format(".align {} ", p.align);
    text += fmt::format(".{} ", info(p.type).name);
    if (p.pointer) {
      text += ".ptr ";
      if (p.pointee != Space::generic) text += fmt::format(".{} ", name(p.pointee));
      text += fmt::format(".align {} ", p.pointee_align);
    }
    text += p.name;
    if (p.is_array) text += p.count == 0 ? "[]" : fmt::format("[{}]", p.count);
    return text;
  }

  static std::string parameters(const std::vector<Param>& list) {
    std::vector<std::string> words;
    for (const Param& p : list) words.push_back(parameter(p));
    return "(" + join(words, ", ") + ")";
  }

  static std::string head(const Function& f) {
    std::string text;
    for (const std::string& word : f.linkage) text += word + " ";
    text += f.entry ? ".entry " : ".func ";
    if (!f.results.empty()) text += parameters(f.results) + " ";
    text += f.name + parameters(f.params);
    for (const Directive& d : f.directives)
      text += d.name == ".pragma" ? fmt::format("\n.pragma \"{}\";", d.values[0])
                                  : fmt::format("\n{}{}{}", d.name, d.values.empty() ? "" : " ", join(d.values, ", "));
    return text;
  }

  void declaration(const Function& f) { text_ += head(f) + ";\n"; }

  void body(const Function& f) {
    text_ += head(f) + "\n{\n";
    registers(f);
    for (const Variable& v : f.variables) text_ += "    " + variable(v) + ";\n";
    std::size_t label = 0, directive = 0;
    std::uint32_t file = 0, line = 0;
    for (std::uint32_t at = 0; at <= f.body.size(); ++at) {
      for (; label < f.labels.size() && f.labels[label].target <= at; ++label) text_ += this->label(f, f.labels[label]);
      for (; directive < f.body_directives.size() && f.body_directives[directive].position <= at; ++directive)
        text_ += "    " + pragma(f.body_directives[directive]);
      if (at == f.body.size()) break;
      const Instruction& i = f.body[at];
      if (i.source_line != line || i.source_file != file)
        text_ += fmt::format("    .loc {} {} 0\n", file = i.source_file, line = i.source_line);
      text_ += "    " + instruction(f, i) + "\n";
    }
    text_ += "}\n";
  }

  // %r0 .. %r41 of one type are one declaration, %r<42>, unless that would declare something else's name too.
  void registers(const Function& f) {
    std::unordered_set<std::string_view> others;
    for (const Variable& v : f.variables) others.insert(stem(v.name));
    for (const Label& l : f.labels) others.insert(stem(l.name));
    std::vector<bool> is_param(f.registers.size(), false);
    for (const auto* list : {&f.params, &f.results})
      for (const Param& p : *list) {
        others.insert(stem(p.name));
        if (p.is_reg) is_param[p.reg] = true;
      }
    struct Group {
      const Register* first;
      std::uint64_t end = 0, size = 0;  // one above the highest number; registers
      bool uniform = true;
    };
    std::map<std::string_view, Group> groups;
    for (std::size_t i = 0; i < f.registers.size(); ++i) {
      const Register& r = f.registers[i];
      const std::string_view prefix = stem(r.name);
      const std::string_view digits = std::string_view(r.name).substr(prefix.size());
      Group& g = groups.try_emplace(prefix, Group{&r}).first->second;
      const bool canonical =
          !is_param[i] && !digits.empty() && digits.size() < 8 && (digits.size() == 1 || digits[0] != '0');
      g.uniform = g.uniform && canonical && r.type == g.first->type && r.vector == g.first->vector;
      if (canonical) g.end = std::max<std::uint64_t>(g.end, std::stoull(std::string(digits)) + 1);
      ++g.size;
    }
    constexpr std::uint64_t spare = 4096;  // numbers without a register that a range may have
    for (auto& [prefix, g] : groups)
      g.uniform =
          g.uniform && prefix.size() > 1 && prefix[0] == '%' && !others.contains(prefix) && g.end <= 2 * g.size + spare;
    for (const auto& [prefix, g] : groups)
      if (g.uniform) text_ += fmt::format("    .reg {} {}<{}>;\n", register_type(*g.first), prefix, g.end);
    for (std::size_t i = 0; i < f.registers.size(); ++i)
      if (!is_param[i] && !groups.at(stem(f.registers[i].name)).uniform)
        text_ += fmt::format("    .reg {} {};\n", register_type(f.registers[i]), f.registers[i].name);
  }

  static std::string register_type(const Register& r) {
    return r.vector > 1 ? fmt::format(".v{} .{}", r.vector, info(r.type).name) : fmt::format(".{}", info(r.type).name);
  }

  static std::string_view stem(std::string_view name) {
    while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
    return name;
  }

  std::string label(const Function& f, const Label& l) const {
    std::vector<std::string> names;
    for (std::uint32_t target : l.targets)
      names.push_back(l.kind == Label::Kind::call_targets ? module_.functions[target].name : f.labels[target].name);
    switch (l.kind) {
      case Label::Kind::code:
        return l.name + ":\n";
      case Label::Kind::branch_targets:
        return fmt::format("{}: .branchtargets {};\n", l.name, join(names, ", "));
      case Label::Kind::call_targets:
        return fmt::format("{}: .calltargets {};\n", l.name, join(names, ", "));
      case Label::Kind::call_prototype:
        break;
    }
    return fmt::format("{}: .callprototype {} _ {}{};\n", l.name, parameters(l.results), parameters(l.params),
                       l.noreturn ? " .noreturn" : "");
  }

  // --- operands

  std::string list(const Function& f, const std::vector<Operand>& parts) const {
    std::vector<std::string> words;
    for (const Operand& part : parts) words.push_back(operand(f, part));
    return join(words, ", ");
  }

  std::string operand(const Function& f, const Operand& o) const {
    const bool predicate = o.kind != Kind::reg || f.registers[o.index].type == Type::pred;
    return (o.negated ? predicate ? "!" : "-" : "") + plain(f, o);
  }

  std::string plain(const Function& f, const Operand& o) const {
    switch (o.kind) {
      case Kind::none:
        return "";
      case Kind::reg:
        return with_offset(f.registers[o.index].name, o.value) + std::string(selector(o.part));
      case Kind::imm:
        return immediate(o);
      case Kind::special:
        return spell(Special(o.index), int(o.value));
      case Kind::symbol:
        return with_offset(o.local ? f.variables[o.index].name : module_.variables[o.index].name, o.value);
      case Kind::param:
        return with_offset(f.param(o.index).name, o.value);
      case Kind::function:
        return module_.functions[o.index].name;
      case Kind::label:
        return f.labels[o.index].name;
      case Kind::memory: {
        std::string text = with_offset(operand(f, o.parts[0]), o.value);
        for (std::size_t i = 1; i < o.parts.size(); ++i) text += ", " + operand(f, o.parts[i]);
        return "[" + text + "]";
      }
      case Kind::vector:
        return "{" + list(f, o.parts) + "}";
      case Kind::pair:
        return operand(f, o.parts[0]) + "|" + operand(f, o.parts[1]);
      case Kind::list:
        return "(" + list(f, o.parts) + ")";
      case Kind::sink:
        return "_";
    }
    return "";
  }

  const Module& module_;
  std::string text_;
  bool refers_forward_ = false;
};

}  // namespace

std::string print(const Module& module) { return Printer(module).run(); }

std::string print(const Module& module, const Function& function, const Instruction& instruction) {
  return Printer(module).instruction(function, instruction);
}

}  // namespace ptxeq::ir
