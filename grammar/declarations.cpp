// Specifiers, variables and parameters (PTX ISA 5.4, 7.1).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "grammar/lowering.h"
#include "grammar/tree.h"

namespace ptxeq::grammar {

using ir::Space;
using ir::Type;

namespace {

template <class T>
struct WordRow {
  std::string_view word;
  T meaning;
};
template <class T, std::size_t n>
const T* look_up(const std::array<WordRow<T>, n>& rows, std::string_view word) {
  for (const auto& row : rows)
    if (row.word == word) return &row.meaning;
  return nullptr;
}

constexpr std::array<WordRow<Space>, 7> spaces{{{".reg", Space::reg},
                                                {".global", Space::global},
                                                {".shared", Space::shared},
                                                {".local", Space::local},
                                                {".const", Space::const_},
                                                {".param", Space::param},
                                                {".tex", Space::tex}}};
constexpr std::array<WordRow<bool>, 4> linkages{
    {{".visible", true}, {".extern", true}, {".weak", true}, {".common", true}}};
constexpr std::array<WordRow<std::uint8_t>, 2> vectors{{{".v2", std::uint8_t(2)}, {".v4", std::uint8_t(4)}}};

// Fundamental types (5.2.1) and f16x2: what a register or variable may have. The others are instruction types.
bool declarable(Type type) {
  const ir::Kind kind = ir::kind(type);
  return (type >= Type::b8 && type <= Type::f16) || type == Type::f32 || type == Type::f64 || type == Type::f16x2 ||
         type == Type::pred || kind == ir::Kind::opaque;
}
bool is_opaque(Type type) { return type == Type::texref || type == Type::samplerref || type == Type::surfref; }

// The order in which specifiers stand: linkage, space, alignment, vector, type, .ptr.
enum Rank : unsigned {
  linkage_rank = 1,
  space_rank,
  align_rank,
  vector_rank,
  type_rank,
  ptr_rank,
  pointee_rank,
  pointee_align_rank
};

}  // namespace

Specifiers Lowering::specifiers(const std::vector<P::SpecifierContext*>& list) {
  Specifiers s;
  unsigned rank = 0;
  if (!list.empty()) s.at = place(*list[0]);
  for (P::SpecifierContext* c : list) {
    const std::string_view first = text(c->children[0]);
    if (first == ".attribute") {
      attribute(*c, s);
    } else if (first == ".align") {
      constexpr std::uint64_t most = 1 << 20;
      const std::optional<std::uint64_t> n = number(c->children[1], most);
      if (n && (*n == 0 || (*n & (*n - 1)) != 0))
        out_.error("syntax", place(*c), fmt::format("an alignment is a power of two, not {}", *n));
      else if (n && s.pointer)
        s.pointee_align = std::uint32_t(*n), rank = pointee_align_rank;
      else if (n && std::exchange(rank, unsigned(align_rank)) >= align_rank)
        out_.error("syntax", place(*c), "'.align' stands once, before the type");
      else if (n)
        s.align = std::uint32_t(*n);
    } else {
      specifier_word(first, place(*c), s, rank);
    }
  }
  return s;
}

void Lowering::specifier_word(std::string_view word, Location at, Specifiers& s, unsigned& rank) {
  unsigned mine = 0;
  if (look_up(linkages, word)) {
    mine = linkage_rank;
    s.linkage.emplace_back(word);
  } else if (const Space* space = look_up(spaces, word)) {
    mine = s.pointer ? pointee_rank : space_rank;
    (s.pointer ? s.pointee : s.space.emplace()) = *space;
  } else if (const std::uint8_t* vector = look_up(vectors, word)) {
    mine = vector_rank;
    s.vector = *vector;
  } else if (word == ".ptr") {
    mine = ptr_rank;
    s.pointer = true;
  } else if (const std::optional<Type> type = ir::type_from_name(word.substr(1))) {
    mine = type_rank;
    s.type = *type;
    if (!declarable(*type))
      out_.error("type-mismatch", at,
                 fmt::format("'{}' is an instruction's type, not a variable's: declare .b{}", word, ir::bits(*type)));
  } else {
    Nearest nearest(word);
    for (const auto& row : spaces) nearest.offer(row.word);
    for (const auto& row : linkages) nearest.offer(row.word);
    for (std::string_view known : {".ptr", ".v2",  ".v4",  ".align", ".maxntid", ".reqntid", ".pragma", ".pred",
                                   ".b8",  ".b16", ".b32", ".b64",   ".u16",     ".u32",     ".u64",    ".s32",
                                   ".s64", ".f16", ".f32", ".f64",   ".version", ".target",  ".entry",  ".func"})
      nearest.offer(known);
    return out_.error("syntax", at, fmt::format("'{}' belongs to no declaration{}", word, nearest.hint()));
  }
  if (mine <= rank)
    out_.error("syntax", at,
               fmt::format("'{}' is out of place: linkage, space, .align, .v2/.v4 and type, each once", word));
  rank = std::max(rank, mine);
}

void Lowering::attribute(P::SpecifierContext& c, Specifiers& s) {
  each<P::AttributeContext>(c, [&](P::AttributeContext& a) {
    const std::string_view word = text(a.children[0]);
    if (word != ".managed" && word != ".unified")
      return out_.error("syntax", place(a), fmt::format("'{}' is no attribute: .managed or .unified", word));
    needs(word, word == ".managed" ? 40 : 81, word == ".managed" ? 30 : 90, place(a));
    std::string spelled(word);
    for (std::size_t i = 1; i < a.children.size(); ++i) spelled += text(a.children[i]);
    s.attributes.push_back(std::move(spelled));
  });
}

void Lowering::variables(P::VariablesContext& c) {
  const Specifiers s = specifiers(c.specifier());
  if (!s.space) return out_.error("syntax", s.at, "a declaration names its state space: .reg, .shared, .global ...");
  if (s.type == Type::none) return out_.error("syntax", s.at, "a declaration names its type: .b32, .f32, .pred ...");
  if (!body_ && (*s.space == Space::reg || *s.space == Space::local || *s.space == Space::param))
    return out_.error("syntax", s.at, fmt::format("a .{} variable is declared in a function", ir::name(*s.space)));
  if (*s.space == Space::tex) return out_.error("removed-instruction", s.at, ".tex is gone: declare .global .texref");
  if (*s.space != Space::global && std::find(s.linkage.begin(), s.linkage.end(), ".common") != s.linkage.end())
    return out_.error("syntax", s.at, "a .common variable is .global");
  if (*s.space != Space::reg && s.type == Type::pred)
    return out_.error("type-mismatch", s.at, "a predicate lives in a register: .reg .pred");
  if (*s.space == Space::reg && is_opaque(s.type))
    return out_.error("type-mismatch", s.at, "a texture, sampler or surface does not fit a register");
  each<P::DeclaratorContext>(
      c, [&](P::DeclaratorContext& d) { *s.space == Space::reg ? registers(s, d) : variable(s, d); });
}

void Lowering::registers(const Specifiers& s, P::DeclaratorContext& c) {
  const std::string_view name = text(c.children[0]);
  RegisterDeclaration declaration{s.type, s.vector, 0, place(c)};
  const auto taken = [&](std::string_view which) {
    out_.error("duplicate-symbol", place(c), fmt::format("'{}' is declared already in this scope", which));
  };
  if (name == "_" || ir::find_special(name))
    return out_.error("duplicate-symbol", place(c),
                      fmt::format("'{}' has a meaning of its own and cannot be declared", name));
  if (c.children.size() > 2 || (c.children.size() == 2 && !c.range()))
    return out_.error("syntax", place(c), fmt::format("'{}': a register is no array and has no initial value", name));
  if (auto* range = c.range()) {
    constexpr std::uint64_t most = 0xffffffff;
    const std::optional<std::uint64_t> count = number(range->children[1], most);
    if (!count) return;
    declaration.count = *count;
    if (const std::optional<std::string> which = scopes_.declare_range(name, declaration)) taken(*which);
  } else if (!scopes_.declare_register(name, declaration)) {
    taken(name);
  }
}

// The sizes in brackets, and their product; false when they are in error.
bool Lowering::dimensions(P::DeclaratorContext& c, std::vector<std::uint64_t>& dims, std::uint64_t& count) {
  bool good = true;
  count = 1;
  each<P::DimensionContext>(c, [&](P::DimensionContext& d) {
    std::uint64_t size = 0;
    if (d.children.size() == 3) {
      const std::string_view word = text(d.children[1]);
      const std::optional<Value> value = word == "WARP_SZ" ? integer_literal("32") : integer_literal(word);
      if (!value || value->bits <= 0) {
        out_.error("syntax", place(d), "an array's size is a positive integer");
        good = false;
        return;
      }
      size = std::uint64_t(value->bits);
    } else if (!dims.empty()) {
      out_.error("syntax", place(d), "only the first size of an array may be left open");
      good = false;
      return;
    }
    constexpr std::uint64_t most = std::uint64_t(1) << 48;
    if (size != 0 && count > most / size) {
      out_.error("syntax", place(d), "this array does not fit any memory");
      good = false;
      return;
    }
    dims.push_back(size);
    count *= size;
  });
  return good;
}

void Lowering::variable(const Specifiers& s, P::DeclaratorContext& c) {
  const std::string_view name = text(c.children[0]);
  ir::Variable v;
  v.name = name;
  v.space = *s.space;
  v.type = s.type;
  v.vector = s.vector;
  v.align = s.align ? s.align : std::max(1U, (ir::bits(s.type) + 7) / 8 * s.vector);
  v.linkage = s.linkage;
  v.attributes = s.attributes;
  v.at = place(c);
  if (c.range()) return out_.error("syntax", place(c), fmt::format("'{}<...>' declares registers only", name));
  if (!dimensions(c, v.dims, v.count)) return;
  v.is_array = !v.dims.empty();
  if (auto* contents = c.initialiser()) initialise(v, *contents);
  const bool external = std::find(s.linkage.begin(), s.linkage.end(), ".extern") != s.linkage.end();
  if (v.is_array && v.count == 0 && !external)
    return out_.error("syntax", place(c), fmt::format("'{}' has no size: write it, or declare it .extern", name));
  place_variable(std::move(v), name);
}

void Lowering::place_variable(ir::Variable v, std::string_view name) {
  const auto is_external = [](const ir::Variable& x) {
    return std::find(x.linkage.begin(), x.linkage.end(), ".extern") != x.linkage.end();
  };
  std::vector<ir::Variable>& list = body_ ? body_->function->variables : module_.variables;
  const auto kind = body_ ? Entity::Kind::variable : Entity::Kind::module_variable;
  const Location at = v.at;
  Entity* known = scopes_.find_here(name);
  if (known && !body_ && known->kind == kind && (is_external(list[known->index]) || is_external(v))) {
    ir::Variable& before = list[known->index];
    std::string problem;
    if (!is_external(v) && v.linkage.empty()) problem = "is declared .extern above: define it .visible or .weak";
    if (before.type != v.type || before.vector != v.vector || before.space != v.space)
      problem = "is declared with another type or space above";
    if (!problem.empty()) return out_.error("duplicate-symbol", at, fmt::format("'{}' {}", name, problem));
    if (!is_external(v) || (is_external(before) && v.count > before.count)) before = std::move(v);
    return;
  }
  if (known || ir::find_special(name))
    return out_.error("duplicate-symbol", at, fmt::format("'{}' is declared already in this scope", name));
  const auto index = std::uint32_t(list.size());
  if (body_) v.name = unique(name);
  scopes_.declare(name, {kind, index});
  list.push_back(std::move(v));
}

std::vector<ir::Param> Lowering::parameters(P::ParametersContext* c, bool declares) {
  std::vector<ir::Param> list;
  if (!c) return list;
  each<P::ParameterContext>(*c, [&](P::ParameterContext& p) {
    if (std::optional<ir::Param> one = parameter(p, declares)) list.push_back(std::move(*one));
  });
  return list;
}

std::optional<ir::Param> Lowering::parameter(P::ParameterContext& c, bool declares) {
  const Specifiers s = specifiers(c.specifier());
  auto& d = *c.declarator();
  ir::Param p;
  p.name = text(d.children[0]);
  p.type = s.type;
  p.align = s.align ? s.align : std::max(1U, (ir::bits(s.type) + 7) / 8);
  p.is_reg = s.space == Space::reg;
  p.pointer = s.pointer;
  p.pointee = s.pointee;
  p.pointee_align = s.pointee_align;
  p.at = place(d);
  std::string problem;
  if (s.space != Space::param && s.space != Space::reg)
    problem = "is declared .param or .reg";
  else if (s.type == Type::none)
    problem = "has a type: .u64, .b8 [n] ...";
  else if (d.range() || d.initialiser())
    problem = "is one name without a value";
  else if (s.vector != 1)
    problem = "is no vector: pass it as .b8 [n]";
  else if (!s.linkage.empty())
    problem = "has no linkage";
  else if (s.type == Type::pred && !p.is_reg)
    problem = "is no predicate: pass an integer";
  else if (declares && p.name == "_")
    problem = "of a function with a body has a name";
  if (!problem.empty()) {
    out_.error("syntax", place(c), fmt::format("a parameter {}", problem));
    return std::nullopt;
  }
  std::vector<std::uint64_t> dims;
  if (!dimensions(d, dims, p.count)) return std::nullopt;
  p.is_array = !dims.empty();
  return p;
}

}  // namespace ptxeq::grammar
