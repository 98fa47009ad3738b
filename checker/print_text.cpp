// The report as people read it: verdict and names, what was asked, what was found, how it is known.
#include <fmt/format.h>

#include <algorithm>

#include "checker/print.h"
#include "checker/values.h"

namespace ptxeq::check {
namespace {

constexpr std::size_t screen = 40;       // lines
constexpr std::size_t most_entries = 6;  // of one list
constexpr std::size_t label_width = 9;

// Terminal columns: UTF-8 continuation bytes take none.
std::size_t columns(std::string_view text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string plural(std::uint64_t n, std::string_view word) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

class Text {
 public:
  Text(const Report& report, const TextStyle& style) : report_(report), style_(style) {}

  std::string print() {
    head();
    if (style_.quiet) return join();
    reason();
    if (report_.counterexample) difference(*report_.counterexample);
    if (!report_.launch.empty()) entry("launch", report_.launch);
    if (!report_.precondition.empty()) entry("holds", "with " + report_.precondition + " (proved)");
    if (report_.verdict != Verdict::different && report_.verdict != Verdict::invalid)
      for (const auto& line : report_.context) lines_.push_back("  " + line);
    findings();
    if (report_.strength == Strength::real) entry("rounding", "no bound on |a - ref| was computed");
    list("approx", report_.approximations);
    list("assumed", report_.assumptions);
    proof();
    cost();
    return join();
  }

 private:
  void head() {
    std::string title = report_.title_a;
    const bool equal = report_.verdict == Verdict::equivalent;
    if (!report_.title_ref.empty()) title += (equal ? " = " : " vs ") + report_.title_ref;
    const std::string verdict = headline();
    const auto gap = std::max<std::size_t>(columns(verdict) + 2, 46) - columns(verdict);
    lines_.push_back(paint(verdict) + (title.empty() ? "" : std::string(gap, ' ') + title));
  }

  std::string headline() const {
    switch (report_.verdict) {
      case Verdict::equivalent:
        return report_.strength == Strength::real ? "EQUIVALENT over the reals, not bit for bit"
                                                  : "EQUIVALENT bit for bit";
      case Verdict::different:
        return "DIFFERENT";
      case Verdict::invalid:
        return "INVALID" + whose();
      case Verdict::inconclusive:
        return fmt::format("INCONCLUSIVE{}", report_.reason ? fmt::format(": {}", name(report_.reason->code)) : "");
      case Verdict::none:
        break;
    }
    if (report_.input_error || report_.reason) return "ERROR";
    const auto found = report_.findings.size();
    return found == 0 ? "NOTHING FOUND" : "NOTHING CRITICAL: " + plural(found, "finding");
  }

  std::string whose() const {
    for (const auto& f : report_.findings)
      if (f.severity == Severity::critical) return fmt::format(": {}", name(f.side)) + " has " + f.code;
    return "";
  }

  std::string paint(const std::string& text) const {
    if (!style_.color) return text;
    const char* code = report_.verdict == Verdict::equivalent     ? "\033[1;32m"
                       : report_.verdict == Verdict::inconclusive ? "\033[1;33m"
                       : report_.verdict == Verdict::none         ? "\033[1m"
                                                                  : "\033[1;31m";
    return code + text + "\033[0m";
  }

  void entry(std::string_view label, const std::string& text) {
    lines_.push_back(fmt::format("  {:<{}} {}", label, label_width - 1, text));
  }

  // Entries after the first stand below it; what does not fit is counted.
  void list(std::string_view label, const std::vector<std::string>& texts) {
    const auto shown = style_.verbose ? texts.size() : std::min(texts.size(), most_entries);
    for (std::size_t i = 0; i < shown; ++i) entry(i == 0 ? label : "", texts[i]);
    if (shown < texts.size()) entry("", fmt::format("and {} more (-v shows them)", texts.size() - shown));
  }

  static std::string place(const std::string& file, std::uint32_t line) {
    return line == 0 ? file : fmt::format("{}:{}", file, line);
  }

  void reason() {
    if (!report_.reason) return;
    const auto& r = *report_.reason;
    const auto where = place(r.file, r.line);
    entry("reason", r.message + (where.empty() ? "" : fmt::format(" ({})", where)));
  }

  // --- a difference ---

  static std::string value(const Value& value) {
    const auto type = ir::type_from_name(value.type).value_or(ir::Type::u64);
    return fmt::format("{} ({})", format_value(type, value.bits), format_bits(ir::bits(type), value.bits));
  }

  static std::string outcome(const Counterexample& c, Side side) {
    const auto& v = side == Side::a ? c.a : c.ref;
    return v ? value(*v) : c.traps == side ? "traps" : "does not trap";
  }

  static std::string short_value(const Value& value) {
    return format_value(ir::type_from_name(value.type).value_or(ir::Type::u64), value.bits);
  }

  static std::string thread(const ThreadAt& at) {
    return fmt::format("block ({}) thread ({})", fmt::join(at.block, ","), fmt::join(at.thread, ","));
  }

  void difference(const Counterexample& c) {
    entry(c.buffer.empty() ? "" : fmt::format("{}[{}]", c.buffer, c.element),
          fmt::format("a = {}   ref = {}{}", outcome(c, Side::a), outcome(c, Side::ref),
                      c.replayed ? "   replayed: interpreter" : ""));
    input(c);
    steps(c);
    if (!c.traps) writers(c);
    entry("class", c.klass);
  }

  void input(const Counterexample& c) {
    std::string text;
    std::size_t shown = 0, all = 0;
    const auto add = [&](const std::string& part) {
      if (all++ >= 2 * most_entries && !style_.verbose) return;
      text += (text.empty() ? "" : ", ") + part;
      ++shown;
    };
    for (const auto& [name, v] : c.scalars) add(fmt::format("{} = {}", scalar_name(name), short_value(v)));
    for (const bool zero : {false, true})  // those that are not come first
      for (const auto& [name, elements] : c.buffers)
        for (const auto& [index, v] : elements)
          if ((v.bits == 0) == zero) add(fmt::format("{}[{}] = {}", name, index, short_value(v)));
    if (shown < all) text += fmt::format(" and {} more", all - shown);
    if (!c.elsewhere.empty() && !text.empty()) text += "; ";
    for (const auto& [name, v] : c.elsewhere)
      text += fmt::format("{} {} is {}, ", c.buffers.count(name) ? "the rest of" : "all of", name, short_value(v));
    if (!c.elsewhere.empty()) return entry("input", text + "all else is zero");
    entry("input", text.empty() ? "any; all zero here" : text + "; all else is zero");
  }

  void steps(const Counterexample& c) {
    std::size_t place_width = 0, text_width = 0;
    for (const auto& s : c.steps) {
      place_width = std::max(place_width, columns(place(s.file, s.line)));
      text_width = std::max(text_width, columns(s.text));
    }
    const auto shown = style_.verbose ? c.steps.size() : std::min(c.steps.size(), 2 * most_entries);
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& s = c.steps[i];
      lines_.push_back(
          fmt::format("  {:<{}}  {:<{}}   {}", place(s.file, s.line), place_width, s.text, text_width, s.values));
    }
    if (shown < c.steps.size()) entry("", fmt::format("and {} more steps (-v shows them)", c.steps.size() - shown));
  }

  void writers(const Counterexample& c) {
    const auto by = [](const std::optional<ThreadAt>& at, std::uint32_t line) {
      return at ? thread(*at) + (line ? fmt::format(", line {}", line) : "") : "nobody";
    };
    const auto a = by(c.thread_a, c.line_a), ref = by(c.thread_ref, c.line_ref);
    if (c.thread_a && c.thread_ref && c.thread_a->block == c.thread_ref->block &&
        c.thread_a->thread == c.thread_ref->thread) {
      entry("both by", thread(*c.thread_a));
      return;
    }
    entry("a by", a);
    entry("ref by", ref);
  }

  // --- findings ---

  void findings() {
    std::vector<const Finding*> sorted;
    for (const auto& f : report_.findings) sorted.push_back(&f);
    std::stable_sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->severity < b->severity; });
    const auto shown = style_.verbose ? sorted.size() : std::min(sorted.size(), most_entries);
    for (std::size_t i = 0; i < shown; ++i) finding(*sorted[i]);
    if (shown < sorted.size())
      lines_.push_back(fmt::format("and {} (-v shows them)", plural(sorted.size() - shown, "more finding")));
  }

  void finding(const Finding& f) {
    const auto where = place(f.file, f.at.line);
    lines_.push_back(fmt::format("{} {}{}", name(f.severity), f.code, where.empty() ? "" : "  " + where));
    indented(f.message, "  ");
    indented(f.witness, "  ");
    if (!f.fix.empty()) lines_.push_back("fix     " + f.fix);
  }

  void indented(const std::string& text, const std::string& margin) {
    for (std::size_t begin = 0; begin < text.size();) {
      const auto end = std::min(text.find('\n', begin), text.size());
      lines_.push_back(margin + text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  // --- how it is known ---

  void proof() {
    const auto& e = report_.evidence;
    if (e.obligations == 0 && e.tests == 0) return;
    std::string by;
    const auto add = [&](std::uint64_t n, std::string_view means) {
      if (n > 0) by += fmt::format("{}{} by {}", by.empty() ? "" : ", ", n, means);
    };
    add(e.by_normal_form, "normal form");
    add(e.by_evaluation, "evaluation");
    add(e.by_enumeration, "enumeration");
    add(e.by_solver, "solver");
    if (e.by_normal_form == e.obligations) by = "by normal form";
    std::string text = plural(e.obligations, "output");
    if (e.mode == "symbolic") text += " for all blocks";
    if (e.shapes > 0) text += ", " + plural(e.shapes, "shape");
    if (e.summarised_loops > 0) text += ", loops for every count";
    if (!by.empty()) text += ", " + by;
    if (e.by_solver == 0) text += "; no solver";
    if (e.boxes > 0) text += fmt::format("; {} box{}", e.boxes, e.boxes == 1 ? "" : "es");
    if (!e.mode.empty()) text += fmt::format(", {} blocks", e.mode);
    entry("proof", text);
    if (!style_.verbose) return;
    std::string covered;
    for (const auto& one : e.blocks) covered += (covered.empty() ? "" : ", ") + one;
    if (!covered.empty() && e.mode == "symbolic")
      entry("boxes", fmt::format("{} proved as {} box{}", covered, e.boxes, e.boxes == 1 ? "" : "es"));
    list("split", e.split_reasons);
    if (!e.one_by_one.empty()) entry("blocks", "one by one: " + e.one_by_one);
  }

  void cost() {
    std::string text = fmt::format("{:.2f} s, {:.0f} MiB", report_.time_s, report_.peak_mib);
    if (style_.verbose)
      for (const auto& [stage, seconds] : report_.cost) text += fmt::format("; {} {:.3f} s", stage, seconds);
    lines_.push_back(std::move(text));
  }

  std::string join() const {
    std::string text;
    const bool cut = !style_.verbose && lines_.size() > screen;
    const std::size_t shown = cut ? screen - 2 : lines_.size();
    for (std::size_t i = 0; i < shown; ++i) text += lines_[i] + "\n";
    if (cut)
      text += fmt::format("... {} lines more (-v shows them)\n", lines_.size() - shown - 1) + lines_.back() + "\n";
    return text;
  }

  const Report& report_;
  const TextStyle& style_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string print_text(const Report& report, const TextStyle& style) { return Text(report, style).print(); }

std::string print_text(const Problem& problem, const RunResult& result, const TextStyle& style) {
  constexpr std::size_t most_elements = 32;
  std::string text;
  for (std::size_t i = 0; i < problem.buffers.size() && i < result.buffers.size(); ++i) {
    const auto& buffer = problem.buffers[i];
    const auto& bits = result.buffers[i];
    text += fmt::format("{} {}[{}]", buffer.name, ir::info(buffer.type).name, bits.size());
    const auto shown = style.verbose ? bits.size() : std::min(bits.size(), most_elements);
    for (std::size_t k = 0; k < shown; ++k) text += (k % 8 == 0 ? "\n  " : " ") + format_value(buffer.type, bits[k]);
    text += shown < bits.size() ? fmt::format(" ... ({} more, -v shows them)\n", bits.size() - shown) : "\n";
  }
  return text + fmt::format("{} instructions, {:.3f} s\n", result.instructions, result.time_s);
}

}  // namespace ptxeq::check
