// Turns parsed statements into the IR, one after the other. The members stand in a file a concept:
//   lowering.cpp     statements, module directives          functions.cpp    heads, scopes, labels
//   declarations.cpp specifiers, variables, parameters      initialisers.cpp contents of variables
//   instructions.cpp instructions                           operands.cpp     operands
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "PtxParser.h"
#include "grammar/constant.h"
#include "grammar/diagnostics.h"
#include "grammar/scope.h"
#include "ir/module.h"

namespace ptxeq::grammar {

// What stands before a declared name: .visible .global .align 4 .v2 .f32
struct Specifiers {
  std::vector<std::string> linkage;
  std::vector<std::string> attributes;
  std::optional<ir::Space> space;
  std::uint32_t align = 0;
  std::uint8_t vector = 1;
  ir::Type type = ir::Type::none;
  bool pointer = false;
  ir::Space pointee = ir::Space::generic;
  std::uint32_t pointee_align = 4;
  Location at;
};

class Lowering {
 public:
  Lowering(ir::Module& module, Diagnostics& out) : module_(module), out_(out) {}

  void statement(PtxParser::StatementContext& statement, std::string_view chunk);
  // The head of a function was in error: its body is skipped.
  void lost_head(Location at);
  // The end of the text.
  void finish(Location end);

 private:
  using P = PtxParser;

  // lowering.cpp
  std::string_view text(const antlr4::Token* token) const;
  std::string_view text(antlr4::tree::ParseTree* tree) const;
  std::string string(antlr4::tree::ParseTree* tree) const;  // without its quotes
  std::optional<std::uint64_t> number(antlr4::tree::ParseTree* tree, std::uint64_t limit);
  void dispatch(P::StatementContext& statement);
  void version(P::VersionContext& c);
  void target(P::TargetContext& c);
  void address_size(P::AddressSizeContext& c);
  void source_file(P::SourceFileContext& c);
  void location(P::LocationContext& c);
  void section(P::SectionContext& c);
  void pragma(P::PragmaContext& c);
  void alias(P::AliasContext& c);
  void require_header(Location at);
  void needs(std::string_view what, unsigned ptx, unsigned sm, Location at);

  // declarations.cpp
  Specifiers specifiers(const std::vector<P::SpecifierContext*>& list);
  void specifier_word(std::string_view word, Location at, Specifiers& s, unsigned& rank);
  void attribute(P::SpecifierContext& c, Specifiers& s);
  void variables(P::VariablesContext& c);
  void registers(const Specifiers& s, P::DeclaratorContext& c);
  void variable(const Specifiers& s, P::DeclaratorContext& c);
  void place_variable(ir::Variable variable, std::string_view name);
  bool dimensions(P::DeclaratorContext& c, std::vector<std::uint64_t>& dims, std::uint64_t& count);
  std::vector<ir::Param> parameters(P::ParametersContext* c, bool declares);
  std::optional<ir::Param> parameter(P::ParameterContext& c, bool declares);

  // initialisers.cpp
  void initialise(ir::Variable& variable, P::InitialiserContext& c);
  void initialise_level(ir::Variable& variable, P::InitialiserContext& c, std::size_t level, std::uint64_t offset);
  void initialise_element(ir::Variable& variable, P::ExpressionContext& c, std::uint64_t offset);

  // functions.cpp
  void function(P::FunctionContext& c);
  void check_signature(const ir::Function& function);
  bool admit(ir::Function& function, std::string_view name, bool body);
  std::vector<ir::Directive> tunings(const std::vector<P::TuningContext*>& list, std::string_view owner);
  void enter(ir::Function* function, P::ParametersContext* params, P::ParametersContext* results);
  void declare_parameter(std::string_view name, std::uint32_t index);
  void leave();
  void brace(P::BraceContext& c);
  void close_scope();
  void label(P::LabelContext& c);
  std::uint32_t add_label(std::string_view name, ir::Label label);
  void targets(P::TargetsContext& c);
  void prototype(P::PrototypeContext& c);
  void sort_functions();

  // instructions.cpp
  void instruction(P::InstructionContext& c);
  bool guard(P::GuardContext& c, ir::Guard& guard);
  std::string_view opcode(P::InstructionContext& c, std::size_t first);

  // operands.cpp
  enum class Position : std::uint8_t { value, label, table, call, address };  // what a plain name there stands for
  Position position(std::string_view mnemonic, std::size_t index, std::size_t count) const;
  std::optional<ir::Operand> operand(P::OperandContext& c, Position position);
  std::optional<ir::Operand> expression(P::ExpressionContext& c, Position position);
  std::optional<ir::Operand> list(P::ExpressionContext& c);
  std::optional<ir::Operand> vector(P::VectorContext& c);
  std::optional<ir::Operand> memory(P::MemoryContext& c);
  std::optional<ir::Operand> pair(ir::Operand first, P::ExpressionContext& second);
  std::optional<ir::Operand> value(const Value& value, Position position);
  std::optional<ir::Operand> name(const Value& value, Position position);
  std::optional<ir::Operand> special(const Value& value, ir::SpecialName special);
  bool select(const Value& value, ir::Operand& operand);
  void unknown(const Value& value, Position position);
  std::uint32_t use_register(std::string_view name, Entity& entity);
  std::string unique(std::string_view name);

  // A label's name that waits for its definition: an instruction's operand or an entry of .branchtargets.
  struct Pending {
    std::string_view name;
    Location at;
    bool table = false;
    std::uint32_t owner = 0;  // instruction, or label
    std::uint32_t slot = 0;   // operand, or entry
  };
  void resolve(const Pending& pending, std::uint32_t label);

  // What is known about the function whose body is read.
  struct Body {
    ir::Function* function = nullptr;
    std::unordered_set<std::string> names;          // taken, over all scopes
    std::unordered_set<std::string_view> reported;  // unknown names, to say so once
    std::unordered_set<std::string_view> inner_labels;
    std::vector<std::vector<Pending>> pending;  // a scope each
    std::uint32_t file = 0, line = 0;           // of the last .loc
    Location at;
  };

  ir::Module& module_;
  Diagnostics& out_;
  Scopes scopes_;
  std::string_view chunk_;
  std::optional<Body> body_;
  ir::Function scratch_;               // takes the body of a function that was refused
  std::vector<std::uint32_t> bodies_;  // functions in order of their bodies
  std::vector<Pending> waiting_;       // labels that the operands of the current instruction name
  std::uint32_t slot_ = 0;             // which of its operands is read
  std::string opcode_;                 // an opcode that was written with blanks
  unsigned skipped_braces_ = 0;        // inside a function without head
  bool header_checked_ = false;
  bool outside_reported_ = false;
};

}  // namespace ptxeq::grammar
