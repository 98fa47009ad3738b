// Heads of functions, the scopes of their bodies, labels (PTX ISA 7, 11.2 - 11.4).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "grammar/lowering.h"
#include "grammar/tree.h"
#include "ir/isa.h"

namespace ptxeq::grammar {

namespace {

struct TuningRow {
  std::string_view name;
  std::string_view owners;  // e: .entry, f: .func, p: .callprototype
  unsigned least, most;     // values
  unsigned ptx, sm;
};
constexpr std::array<TuningRow, 13> tuning_rows{{
    {".maxntid", "e", 1, 3, 13, 0},
    {".reqntid", "e", 1, 3, 21, 0},
    {".minnctapersm", "e", 1, 1, 20, 20},
    {".maxnctapersm", "e", 1, 1, 14, 0},
    {".maxnreg", "e", 1, 1, 13, 0},
    {".reqnctapercluster", "e", 1, 3, 78, 90},
    {".explicitcluster", "e", 0, 0, 78, 90},
    {".maxclusterrank", "e", 1, 1, 78, 90},
    {".blocksareclusters", "e", 0, 0, 90, 90},
    {".noreturn", "fp", 0, 0, 64, 30},
    {".abi_preserve", "fp", 1, 1, 90, 80},
    {".abi_preserve_control", "fp", 1, 1, 90, 80},
    {".pragma", "ef", 1, 1, 20, 0},
}};

const TuningRow* find_tuning(std::string_view name) {
  const auto* at =
      std::find_if(tuning_rows.begin(), tuning_rows.end(), [&](const TuningRow& r) { return r.name == name; });
  return at == tuning_rows.end() ? nullptr : at;
}

}  // namespace

std::vector<ir::Directive> Lowering::tunings(const std::vector<P::TuningContext*>& list, std::string_view owner) {
  std::vector<ir::Directive> result;
  for (P::TuningContext* c : list) {
    const std::string_view name = text(c->children[0]);
    const TuningRow* row = find_tuning(name);
    if (!row || row->owners.find(owner[0]) == std::string_view::npos) {
      Nearest nearest(name);
      for (const TuningRow& known : tuning_rows) nearest.offer(known.name);
      out_.error(
          "syntax", place(*c),
          fmt::format("'{}' is no directive of {}{}", name, owner == "e" ? "an .entry" : "a .func", nearest.hint()));
      continue;
    }
    ir::Directive directive{.name = std::string(name), .values = {}, .position = 0, .at = place(*c)};
    for (auto* child : c->children) {
      if (leaf_type(child) == P::STRING) directive.values.push_back(string(child));
      if (leaf_type(child) != P::INT) continue;
      constexpr std::uint64_t most = 0x7fffffff;
      if (const auto value = number(child, most)) directive.values.push_back(std::to_string(*value));
    }
    if (directive.values.size() < row->least || directive.values.size() > row->most)
      out_.error("syntax", place(*c),
                 row->least == row->most ? fmt::format("'{}' takes {} values", name, row->least)
                                         : fmt::format("'{}' takes {} to {} values", name, row->least, row->most));
    if (std::find(directive.values.begin(), directive.values.end(), "0") != directive.values.end())
      out_.error("syntax", place(*c), fmt::format("'{}' takes positive numbers", name));
    needs(name, row->ptx, row->sm, place(*c));
    result.push_back(std::move(directive));
  }
  const auto has = [&](std::string_view name) {
    return std::any_of(result.begin(), result.end(), [&](const ir::Directive& d) { return d.name == name; });
  };
  if (has(".maxntid") && has(".reqntid"))
    out_.error("syntax", result.front().at, ".maxntid and .reqntid exclude each other: keep .reqntid");
  return result;
}

void Lowering::function(P::FunctionContext& c) {
  ir::Function f;
  f.at = place(c);
  std::string_view name;
  std::vector<P::SpecifierContext*> words;
  P::ParametersContext *results = nullptr, *params = nullptr;
  for (auto* child : c.children) {
    if (auto* w = dynamic_cast<P::SpecifierContext*>(child)) words.push_back(w);
    if (auto* p = dynamic_cast<P::ParametersContext*>(child)) (name.empty() ? results : params) = p;
    if (leaf_type(child) == P::NAME) {
      name = text(child);
      f.at = place(leaf(child));
    }
    if (leaf(child) && text(child) == ".entry") f.entry = true;
  }
  const bool body = text(c.children.back()) == "{";
  const Specifiers s = specifiers(words);
  if (s.space || s.type != ir::Type::none || s.align || s.pointer)
    out_.error("syntax", s.at, "only linkage and attributes stand before a function's name");
  if (body_) {
    out_.error(
        "syntax", f.at,
        fmt::format("the body of '{}' has no end before this function: a '}}' is missing", body_->function->name));
    while (scopes_.depth() > 2) close_scope();
    leave();
  }
  f.name = name;
  f.has_body = body;
  f.linkage = s.linkage;
  f.results = parameters(results, body);
  f.params = parameters(params, body);
  f.directives = tunings(c.tuning(), f.entry ? "e" : "f");
  check_signature(f);
  if (admit(f, name, body)) {
    const std::uint32_t index = scopes_.find(name)->index;
    if (body) bodies_.push_back(index);
    if (body || !module_.functions[index].has_body) module_.functions[index] = std::move(f);
    if (body) enter(&module_.functions[index], params, results);
  } else if (body) {
    scratch_ = std::move(f);
    enter(&scratch_, params, results);
  }
}

void Lowering::check_signature(const ir::Function& f) {
  const auto in_register = [](const ir::Param& p) { return p.is_reg; };
  if (f.entry && !f.results.empty()) out_.error("syntax", f.at, "an .entry returns nothing");
  for (const ir::Param& p : f.params)
    if (f.entry && (p.is_reg || p.count == 0))
      out_.error("syntax", p.at, "a parameter of an .entry is declared .param, and with its size");
  if (f.results.size() > 1 && !std::all_of(f.results.begin(), f.results.end(), in_register))
    out_.error("syntax", f.at, "a function returns one .param; put several values into one .b8 array");
  for (const ir::Directive& d : f.directives)
    if (d.name == ".noreturn" && !f.results.empty())
      out_.error("syntax", d.at, "a function that returns a value is not .noreturn");
}

// Enters the name into the module; false when it means something else already.
bool Lowering::admit(ir::Function& f, std::string_view name, bool body) {
  const Entity* known = scopes_.find(name);
  if (!known) {
    scopes_.declare(name, {Entity::Kind::function, std::uint32_t(module_.functions.size())});
    module_.functions.emplace_back();
    return true;
  }
  std::string problem;
  if (known->kind != Entity::Kind::function) {
    problem = "is a variable above";
  } else {
    const ir::Function& before = module_.functions[known->index];
    if (before.has_body && body)
      problem = "has a body already";
    else if (before.has_body)
      problem = "has a body above, so it is declared already";
    else if (before.entry != f.entry)
      problem = "is an .entry in one place and a .func in the other";
    else if (f.entry)
      problem = "is an .entry, which is written once";
    else if (before.params.size() != f.params.size() || before.results.size() != f.results.size())
      problem = "was declared with another number of parameters";
  }
  if (problem.empty()) return true;
  out_.error("duplicate-symbol", f.at, fmt::format("'{}' {}", name, problem));
  return false;
}

void Lowering::enter(ir::Function* function, P::ParametersContext* params, P::ParametersContext* results) {
  scopes_.open();
  body_.emplace();
  body_->function = function;
  body_->at = function->at;
  body_->pending.emplace_back();
  std::uint32_t index = 0;
  for (P::ParametersContext* list : {params, results})
    if (list)
      each<P::ParameterContext>(*list, [&](P::ParameterContext& c) {
        if (index < function->params.size() + function->results.size())
          declare_parameter(text(c.declarator()->children[0]), index++);
      });
}

void Lowering::declare_parameter(std::string_view name, std::uint32_t index) {
  ir::Function& f = *body_->function;
  ir::Param& p = index < f.params.size() ? f.params[index] : f.results[index - f.params.size()];
  if (p.name != name) return;  // a parameter in error was left out, and said so
  Entity entity{Entity::Kind::param, index};
  if (p.is_reg) {
    p.reg = std::uint32_t(f.registers.size());
    f.registers.push_back({.name = p.name, .type = p.type, .vector = 1, .at = p.at});
    entity = {Entity::Kind::reg, p.reg};
  }
  body_->names.emplace(name);
  if (!scopes_.declare(name, entity))
    out_.error("duplicate-symbol", p.at, fmt::format("'{}' is a parameter already", name));
}

void Lowering::leave() {
  close_scope();
  ir::Function& f = *body_->function;
  std::vector<Finding> findings;
  for (const ir::Instruction& instruction : f.body) ir::check(module_, f, instruction, findings);
  for (Finding& finding : findings) out_.add(std::move(finding));
  body_.reset();
}

void Lowering::brace(P::BraceContext& c) {
  if (text(c.children[0]) == "{") {
    scopes_.open();
    body_->pending.emplace_back();
  } else if (scopes_.depth() > 2) {
    close_scope();
  } else {
    leave();
  }
}

// Resolves what the scope's instructions branch to; what it does not know is left to the scope around it.
void Lowering::close_scope() {
  std::vector<Pending> here = std::move(body_->pending.back());
  body_->pending.pop_back();
  for (const Pending& p : here) {
    const Entity* entity = scopes_.find_here(p.name);
    if (entity && entity->kind == Entity::Kind::label) {
      resolve(p, entity->index);
    } else if (!body_->pending.empty()) {
      body_->pending.back().push_back(p);
    } else if (body_->reported.insert(p.name).second) {
      Nearest nearest(p.name);
      for (const ir::Label& label : body_->function->labels) nearest.offer(label.name);
      out_.error("unknown-label", p.at,
                 body_->inner_labels.contains(p.name)
                     ? fmt::format("label '{}' is inside a {{ }} block, into which nothing branches", p.name)
                     : fmt::format("there is no label '{}' in this function{}", p.name, nearest.hint()));
    }
  }
  if (!body_->pending.empty())
    scopes_.each_here([&](std::string_view name, const Entity& entity) {
      if (entity.kind == Entity::Kind::label) body_->inner_labels.insert(name);
    });
  scopes_.close();
}

void Lowering::resolve(const Pending& p, std::uint32_t label) {
  ir::Function& f = *body_->function;
  if (p.table) {
    f.labels[p.owner].targets[p.slot] = label;
  } else {
    f.body[p.owner].operands[p.slot].index = label;
  }
}

void Lowering::label(P::LabelContext& c) {
  add_label(text(c.children[0]), {.name = {},
                                  .kind = ir::Label::Kind::code,
                                  .target = 0,
                                  .targets = {},
                                  .params = {},
                                  .results = {},
                                  .at = place(c)});
}

std::uint32_t Lowering::add_label(std::string_view name, ir::Label label) {
  ir::Function& f = *body_->function;
  const auto index = std::uint32_t(f.labels.size());
  label.target = std::uint32_t(f.body.size());
  if (!scopes_.declare(name, {Entity::Kind::label, index}))
    out_.error("duplicate-label", label.at,
               scopes_.find_here(name)->kind == Entity::Kind::label
                   ? fmt::format("label '{}' is defined already in this scope", name)
                   : fmt::format("label '{}' has the name of a register, variable or parameter of this scope", name));
  label.name = unique(name);
  f.labels.push_back(std::move(label));
  return index;
}

// The table's own label is the statement before it.
void Lowering::targets(P::TargetsContext& c) {
  ir::Function& f = *body_->function;
  const bool branches = text(c.children[0]) == ".branchtargets";
  if (f.labels.empty() || f.labels.back().target != f.body.size() || f.labels.back().kind != ir::Label::Kind::code)
    return out_.error("syntax", place(c), "a list of targets has a label of its own: write 'name:' before it");
  ir::Label& table = f.labels.back();
  table.kind = branches ? ir::Label::Kind::branch_targets : ir::Label::Kind::call_targets;
  for (std::size_t i = 1; i + 1 < c.children.size(); i += 2) {
    const std::string_view name = text(c.children[i]);
    const Location at = place(leaf(c.children[i]));
    const auto slot = std::uint32_t(table.targets.size());
    table.targets.push_back(0);
    if (branches) {
      body_->pending.back().push_back({name, at, true, std::uint32_t(f.labels.size() - 1), slot});
      continue;
    }
    const Entity* entity = scopes_.find(name);
    if (entity && entity->kind == Entity::Kind::function)
      table.targets[slot] = entity->index;
    else
      out_.error("unknown-symbol", at, fmt::format("'{}' is no function declared above{}", name, scopes_.hint(name)));
  }
}

void Lowering::prototype(P::PrototypeContext& c) {
  ir::Function& f = *body_->function;
  if (f.labels.empty() || f.labels.back().target != f.body.size() || f.labels.back().kind != ir::Label::Kind::code)
    return out_.error("syntax", place(c), "a prototype has a label: write 'name:' before it");
  P::ParametersContext *results = nullptr, *params = nullptr;
  bool named = false;
  for (auto* child : c.children) {
    if (auto* p = dynamic_cast<P::ParametersContext*>(child)) (named ? params : results) = p;
    if (leaf_type(child) == P::NAME) named = true;
  }
  ir::Label& label = f.labels.back();
  label.kind = ir::Label::Kind::call_prototype;
  label.results = parameters(results, false);
  label.params = parameters(params, false);
  for (const ir::Directive& d : tunings(c.tuning(), "p")) label.noreturn = label.noreturn || d.name == ".noreturn";
}

// Declarations without a body first, then bodies in order of text: printing keeps that order.
void Lowering::sort_functions() {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < module_.functions.size(); ++i)
    if (!module_.functions[i].has_body) order.push_back(i);
  order.insert(order.end(), bodies_.begin(), bodies_.end());
  if (std::is_sorted(order.begin(), order.end())) return;
  std::vector<std::uint32_t> moved(order.size());
  std::vector<ir::Function> sorted;
  sorted.reserve(order.size());
  for (std::uint32_t to = 0; to < order.size(); ++to) {
    moved[order[to]] = to;
    sorted.push_back(std::move(module_.functions[order[to]]));
  }
  module_.functions = std::move(sorted);
  for (ir::Function& f : module_.functions) {
    for (ir::Instruction& instruction : f.body)
      for (ir::Operand& operand : instruction.operands)
        if (operand.kind == ir::Operand::Kind::function) operand.index = moved[operand.index];
    for (ir::Label& label : f.labels)
      if (label.kind == ir::Label::Kind::call_targets)
        for (std::uint32_t& target : label.targets) target = moved[target];
  }
}

}  // namespace ptxeq::grammar
