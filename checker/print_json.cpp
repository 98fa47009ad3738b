// JSON, schema 1: the keys are DESIGN's, all present, null where there is nothing to say.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "checker/print.h"
#include "checker/values.h"

namespace ptxeq::check {
namespace {

using Json = nlohmann::ordered_json;

constexpr int one_line = -1;

std::string dump(const Json& json, int indent = 2) {
  // Names and messages may quote input that is not UTF-8.
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json line_or_null(std::uint32_t line) { return line == 0 ? Json() : Json(line); }

// JSON has no NaN and no infinity.
Json number(ir::Type type, std::uint64_t bits) {
  if (is_float(type)) {
    const double value = decode_float(type, bits);
    return std::isfinite(value) ? Json(value) : Json(format_value(type, bits));
  }
  const auto value = decode_integer(type, bits);
  return ir::is_signed(type) ? Json(value) : Json(std::uint64_t(value));
}

Json value(const Value& value) {
  const auto type = ir::type_from_name(value.type).value_or(ir::Type::u64);
  return {{"type", value.type}, {"value", number(type, value.bits)}, {"bits", format_bits(ir::bits(type), value.bits)}};
}

Json reason(const std::optional<Reason>& reason) {
  if (!reason) return nullptr;
  return {{"code", name(reason->code)},
          {"message", reason->message},
          {"side", reason->side ? Json(name(*reason->side)) : Json()},
          {"file", text_or_null(reason->file)},
          {"line", line_or_null(reason->line)}};
}

Json findings(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const auto& f : findings) {
    list.push_back({{"code", f.code},
                    {"severity", name(f.severity)},
                    {"side", name(f.side)},
                    {"message", f.message},
                    {"file", text_or_null(f.file)},
                    {"line", line_or_null(f.at.line)},
                    {"column", line_or_null(f.at.column)},
                    {"witness", text_or_null(f.witness)},
                    {"fix", text_or_null(f.fix)}});
  }
  return list;
}

Json thread(const std::optional<ThreadAt>& at) {
  if (!at) return nullptr;
  return {{"block", at->block}, {"thread", at->thread}};
}

Json counterexample(const std::optional<Counterexample>& c) {
  if (!c) return nullptr;
  Json scalars = Json::object(), buffers = Json::object(), elsewhere = Json::object();
  for (const auto& [name, v] : c->scalars) scalars[name] = value(v);
  for (const auto& [name, elements] : c->buffers) {
    buffers[name] = Json::object();
    for (const auto& [index, v] : elements) buffers[name][fmt::format("{}", index)] = value(v);
  }
  for (const auto& [name, v] : c->elsewhere) elsewhere[name] = value(v);
  Json steps = Json::array();
  for (const auto& s : c->steps)
    steps.push_back(
        {{"side", name(s.side)}, {"file", s.file}, {"line", s.line}, {"text", s.text}, {"values", s.values}});
  return {{"class", c->klass},
          {"scalars", scalars},
          {"buffers", buffers},
          {"elsewhere", elsewhere},
          {"buffer", c->buffer},
          {"element", c->element},
          {"a", c->a ? value(*c->a) : Json()},
          {"ref", c->ref ? value(*c->ref) : Json()},
          {"traps", c->traps ? Json(name(*c->traps)) : Json()},
          {"thread_a", thread(c->thread_a)},
          {"thread_ref", thread(c->thread_ref)},
          {"line_a", line_or_null(c->line_a)},
          {"line_ref", line_or_null(c->line_ref)},
          {"steps", steps},
          {"replayed", c->replayed}};
}

Json evidence(const Report& report) {
  const Evidence& e = report.evidence;
  return {{"obligations", e.obligations},
          {"shapes", e.shapes},
          {"loops", e.summarised_loops},
          {"by_normal_form", e.by_normal_form},
          {"by_evaluation", e.by_evaluation},
          {"by_enumeration", e.by_enumeration},
          {"by_solver", e.by_solver},
          {"tests", e.tests},
          {"grid",
           {{"boxes", e.boxes},
            {"splits", e.splits},
            {"mode", text_or_null(e.mode)},
            {"blocks", e.blocks},
            {"reasons", e.split_reasons},
            {"one_by_one", text_or_null(e.one_by_one)},
            {"launch", text_or_null(report.launch)},
            {"precondition", text_or_null(report.precondition)}}}};
}

Json tool() { return {{"version", version()}, {"z3", z3_version()}}; }

}  // namespace

std::string print_json(const Report& report) {
  Json cost = Json::object();
  for (const auto& [stage, seconds] : report.cost) cost[stage] = seconds;
  return dump({{"schema", 1},
               {"verdict", report.verdict == Verdict::none ? Json() : Json(name(report.verdict))},
               {"strength", report.strength == Strength::none ? Json() : Json(name(report.strength))},
               {"reason", reason(report.reason)},
               {"assumptions", report.assumptions},
               {"approximations", report.approximations},
               {"findings", findings(report.findings)},
               {"counterexample", counterexample(report.counterexample)},
               {"bound", nullptr},
               {"evidence", evidence(report)},
               {"cost", cost},
               {"time_s", report.time_s},
               {"peak_mib", report.peak_mib},
               {"tool", tool()}});
}

std::string print_json(const Problem& problem, const RunResult& result) {
  Json buffers = Json::object();
  for (std::size_t i = 0; i < problem.buffers.size() && i < result.buffers.size(); ++i) {
    const auto type = problem.buffers[i].type;
    Json values = Json::array(), patterns = Json::array();
    for (const auto bits : result.buffers[i]) {
      values.push_back(number(type, bits));
      patterns.push_back(format_bits(ir::bits(type), bits));
    }
    buffers[problem.buffers[i].name] = {{"type", ir::info(type).name}, {"values", values}, {"bits", patterns}};
  }
  return dump({{"buffers", buffers}, {"instructions", result.instructions}, {"time_s", result.time_s}}, one_line);
}

namespace {

Json needs(const ir::Needs& needs) {
  return {{"ptx", fmt::format("{}.{}", needs.ptx / 10, needs.ptx % 10)},
          {"sm", needs.sm},
          {"suffix", needs.suffix ? Json(std::string(1, needs.suffix)) : Json()}};
}

}  // namespace

std::string print_isa_json(const IsaForms& forms) {
  Json list = Json::array();
  for (const auto* row : forms) {
    const auto& form = *row;
    const bool gone = form.removed.ptx != ir::Needs{9999, 9999}.ptx;
    list.push_back({{"name", ir::mnemonic(form)},
                    {"spelling", form.spelling},
                    {"operands", form.operands},
                    {"needs", needs(form.needs)},
                    {"removed", gone ? needs(form.removed) : Json()},
                    {"status", form.action == ir::Action::unmodelled ? "read" : "executed"},
                    {"section", form.section},
                    {"text", form.text}});
  }
  return dump({{"schema", 1}, {"forms", list}, {"tool", tool()}});
}

std::string print_spec_json(const std::string& toml) { return dump({{"schema", 1}, {"spec", toml}, {"tool", tool()}}); }

}  // namespace ptxeq::check
