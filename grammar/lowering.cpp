#include "grammar/lowering.h"

#include <fmt/format.h>

#include <charconv>

#include "grammar/targets.h"
#include "grammar/tree.h"

namespace ptxeq::grammar {

std::string_view Lowering::text(const antlr4::Token* token) const {
  return chunk_.substr(token->getStartIndex(), token->getStopIndex() + 1 - token->getStartIndex());
}
std::string_view Lowering::text(antlr4::tree::ParseTree* tree) const { return text(leaf(tree)); }
std::string Lowering::string(antlr4::tree::ParseTree* tree) const {
  const std::string_view quoted = text(tree);
  return std::string(quoted.substr(1, quoted.size() - 2));
}

std::optional<std::uint64_t> Lowering::number(antlr4::tree::ParseTree* tree, std::uint64_t limit) {
  const std::optional<Value> value = integer_literal(text(tree));
  if (value && std::uint64_t(value->bits) <= limit) return std::uint64_t(value->bits);
  out_.error("syntax", place(leaf(tree)), fmt::format("'{}' is not a number from 0 to {}", text(tree), limit));
  return std::nullopt;
}

void Lowering::statement(P::StatementContext& statement, std::string_view chunk) {
  chunk_ = chunk;
  auto* only = statement.children[0];
  if (skipped_braces_ > 0) {
    if (auto* b = dynamic_cast<P::BraceContext*>(only))
      text(b->children[0]) == "{" ? ++skipped_braces_ : --skipped_braces_;
    return;
  }
  dispatch(statement);
}

void Lowering::lost_head(Location) {
  if (skipped_braces_ == 0 && !body_) skipped_braces_ = 1;
}

void Lowering::dispatch(P::StatementContext& s) {
  auto* only = s.children[0];
  const auto& context = static_cast<const Rule&>(*only);
  const std::size_t kind = context.getRuleIndex();
  if (kind == P::RuleVersion) return version(rule<P::VersionContext>(only));
  if (kind == P::RuleTarget) return target(rule<P::TargetContext>(only));
  require_header(place(context));
  const bool in_body = kind == P::RuleInstruction || kind == P::RuleLabel || kind == P::RulePrototype ||
                       kind == P::RuleTargets || kind == P::RuleBrace;
  if (in_body && !body_) {
    if (!outside_reported_)
      out_.error("syntax", place(context),
                 kind == P::RuleBrace ? "this brace belongs to no function" : "this stands outside of any function");
    outside_reported_ = true;
    return;
  }
  switch (kind) {
    case P::RuleInstruction:
      return instruction(rule<P::InstructionContext>(only));
    case P::RuleLabel:
      return label(rule<P::LabelContext>(only));
    case P::RuleBrace:
      return brace(rule<P::BraceContext>(only));
    case P::RuleVariables:
      return variables(rule<P::VariablesContext>(only));
    case P::RuleLocation:
      return location(rule<P::LocationContext>(only));
    case P::RuleFunction:
      return function(rule<P::FunctionContext>(only));
    case P::RulePrototype:
      return prototype(rule<P::PrototypeContext>(only));
    case P::RuleTargets:
      return targets(rule<P::TargetsContext>(only));
    case P::RulePragma:
      return pragma(rule<P::PragmaContext>(only));
    case P::RuleSourceFile:
      return source_file(rule<P::SourceFileContext>(only));
    case P::RuleSection:
      return section(rule<P::SectionContext>(only));
    case P::RuleAlias:
      return alias(rule<P::AliasContext>(only));
    default:
      return address_size(rule<P::AddressSizeContext>(only));
  }
}

// --- module directives

void Lowering::version(P::VersionContext& c) {
  const std::string_view word = text(c.children[1]);
  const Location at = place(leaf(c.children[1]));
  if (header_checked_ || module_.version_at.line != 0)
    return out_.error("syntax", at, "'.version' stands once, at the beginning");
  module_.version_at = at;
  const std::size_t dot = word.find('.');
  unsigned major = 0, minor = 0;
  const auto digits = [](std::string_view s, unsigned& value) {
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    return !s.empty() && error == std::errc() && end == s.data() + s.size();
  };
  if (dot == word.npos || !digits(word.substr(0, dot), major) || !digits(word.substr(dot + 1), minor))
    return out_.error(
        "syntax", at,
        fmt::format("'{}' is no PTX version: write .version {}.{}", word, newest_ptx / 10, newest_ptx % 10));
  module_.version = major * 10 + minor;
  if (!is_version(major, minor)) {
    if (major * 10 < newest_ptx && minor < 10 && module_.version < newest_ptx)
      return out_.error("syntax", at, fmt::format("there was never a PTX {}", word));
    module_.version = newest_ptx;
    out_.error("version-too-new", at,
               fmt::format(".version {} is above {}.{}, the newest PTX that is known here: lower it", word,
                           newest_ptx / 10, newest_ptx % 10));
  }
}

void Lowering::target(P::TargetContext& c) {
  if (header_checked_) return out_.error("syntax", place(c), "'.target' stands behind '.version', before all else");
  if (module_.version_at.line == 0) require_header(place(c));
  module_.target_at = place(c);
  for (std::size_t i = 1; i < c.children.size(); i += 2) {
    const std::string_view word = text(c.children[i]);
    const Location at = place(leaf(c.children[i]));
    if (is_target_option(word)) {
      module_.target_options.emplace_back(word);
      continue;
    }
    const Target* known = find_target(word);
    if (!known) {
      out_.error("target-too-low", at, fmt::format("there is no .target '{}'{}", word, target_hint(word)));
      continue;
    }
    module_.sm = known->sm;
    module_.suffix = known->suffix;
    module_.target_at = at;
    if (module_.version < known->since)
      out_.error("version-too-old", at,
                 fmt::format(".target {} needs .version {}.{} or later, not {}.{}", word, known->since / 10,
                             known->since % 10, module_.version / 10, module_.version % 10));
  }
  if (module_.sm == 0) module_.sm = newest_sm;
}

// .version and .target come first (PTX ISA 11.1). Where one is missing the newest stands in, so that only that is said.
void Lowering::require_header(Location at) {
  if (header_checked_) return;
  if (module_.version_at.line == 0) {
    out_.error("syntax", at,
               fmt::format("the file does not begin with a version: put '.version {}.{}' first", newest_ptx / 10,
                           newest_ptx % 10));
    module_.version = newest_ptx;
    module_.version_at = at;
    return;
  }
  header_checked_ = true;
  if (module_.target_at.line != 0) return;
  out_.error("syntax", at, "'.target' is missing behind '.version': put '.target sm_90' (say) there");
  module_.sm = newest_sm;
}

void Lowering::needs(std::string_view what, unsigned ptx, unsigned sm, Location at) {
  if (module_.version < ptx)
    out_.error("version-too-old", at, fmt::format("'{}' needs .version {}.{} or later", what, ptx / 10, ptx % 10));
  if (module_.sm < sm) out_.error("target-too-low", at, fmt::format("'{}' needs .target sm_{} or later", what, sm));
}

void Lowering::address_size(P::AddressSizeContext& c) {
  const std::string_view word = text(c.children[1]);
  const Location at = place(leaf(c.children[1]));
  module_.address_size_at = at;
  if (word == "32")
    out_.error("address-32bit", at,
               "32-bit addresses are no longer assembled: write .address_size 64 and b64 pointers");
  else if (word != "64")
    out_.error("syntax", at, fmt::format("'{}' is no address size: write 64", word));
  needs(".address_size", 23, 0, at);
}

void Lowering::source_file(P::SourceFileContext& c) {
  constexpr std::uint64_t most = 65535;
  const std::optional<std::uint64_t> index = number(c.children[1], most);
  if (!index) return;
  if (module_.source_files.size() <= *index) module_.source_files.resize(*index + 1);
  if (!module_.source_files[*index].empty())
    return out_.error("duplicate-symbol", place(c), fmt::format(".file {} is declared already", *index));
  module_.source_files[*index] = string(c.children[2]);
}

void Lowering::location(P::LocationContext& c) {
  constexpr std::uint64_t most = 0xffffffff;
  const std::optional<std::uint64_t> file = number(c.children[1], most), line = number(c.children[2], most);
  if (!body_) return out_.error("syntax", place(c), "'.loc' stands in a function's body");
  if (!file || !line) return;
  body_->file = std::uint32_t(*file);
  body_->line = std::uint32_t(*line);
}

// Debug data are carried along as they are.
void Lowering::section(P::SectionContext& c) {
  const std::size_t open = leaf(c.children[2])->getStopIndex() + 1, close = leaf(c.children.back())->getStartIndex();
  module_.directives.push_back(
      {.name = ".section",
       .values = {std::string(text(c.children[1])), std::string(chunk_.substr(open, close - open))},
       .position = 0,
       .at = place(c)});
}

void Lowering::pragma(P::PragmaContext& c) {
  ir::Directive directive{.name = ".pragma", .values = {}, .position = 0, .at = place(c)};
  for (std::size_t i = 1; i + 1 < c.children.size(); i += 2) directive.values.push_back(string(c.children[i]));
  if (!body_) return module_.directives.push_back(std::move(directive));
  directive.position = std::uint32_t(body_->function->body.size());
  body_->function->body_directives.push_back(std::move(directive));
}

void Lowering::alias(P::AliasContext& c) {
  const auto is_function = [&](std::size_t child) {
    const std::string_view name = text(c.children[child]);
    const Entity* entity = scopes_.find(name);
    if (entity && entity->kind == Entity::Kind::function) return true;
    out_.error("unknown-symbol", place(leaf(c.children[child])),
               fmt::format("'{}' is no function declared above{}", name, scopes_.hint(name)));
    return false;
  };
  needs(".alias", 63, 30, place(c));
  if (is_function(1) && is_function(3))
    module_.aliases.push_back({std::string(text(c.children[1])), std::string(text(c.children[3]))});
}

void Lowering::finish(Location end) {
  require_header(end);
  require_header(end);
  if (body_) {
    out_.error("syntax", body_->at,
               fmt::format("the body of '{}' has no end: a '}}' is missing", body_->function->name));
    while (scopes_.depth() > 2) close_scope();
    leave();
  }
  sort_functions();
}

}  // namespace ptxeq::grammar
