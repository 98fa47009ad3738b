#include "checker/cli.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <new>

#include "checker/command_list.h"
#include "checker/print.h"

namespace ptxeq::check {
namespace {

struct Command {
  const char* name;
  const char* text;
  Answer (*function)(const Options&);
  bool ref, launch, proof;  // takes REF; describes launches; proves something
};
constexpr Command commands[] = {
    {"prove", "Do two kernels leave the same memory behind, for every input?", command_prove, true, true, true},
    {"check", "Can a kernel be assembled; does it race, leave its buffers, diverge at a barrier?", command_check, false,
     true, true},
    {"run", "Execute a kernel and print the buffers it leaves behind", command_run, false, true, false},
    {"spec", "Write a spec that runs, guesses marked", command_spec, true, true, false},
    {"isa", "The forms of instructions, and which are modelled", command_isa, false, false, false},
};

struct Raw {
  std::string format = "text", color = "auto", floats, min_strength;
};

// Checks whose messages say what is allowed; CLI11's own name no reason.
CLI::Validator range(double low, double high) {
  const auto check = [=](const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool good = !text.empty() && *end == 0 && value >= low && value <= high;
    return good ? std::string() : fmt::format("'{}' must be a number from {} to {}", text, low, high);
  };
  return {check, ""};
}

CLI::Validator one_word_of(std::vector<std::string_view> words) {
  const auto check = [words](const std::string& text) {
    const bool good = std::find(words.begin(), words.end(), text) != words.end();
    return good ? std::string() : fmt::format("'{}' must be {}{}", text, one_of(words), did_you_mean(text, words));
  };
  return {check, ""};
}

void add_side(CLI::App& app, const std::string& prefix, const std::string& whose, SideFlags& flags) {
  const auto add = [&](const char* name, std::string& value, const char* type, const std::string& text) {
    app.add_option("--" + prefix + name, value, text + whose)->type_name(type)->group("Launch");
  };
  add("kernel", flags.kernel, "NAME", "kernel");
  add("grid", flags.grid, "X[,Y,Z]", "blocks");
  add("block", flags.block, "X[,Y,Z]", "threads a block; by default .reqntid");
  add("shared", flags.shared, "BYTES", "dynamic shared memory");
  add("args", flags.args, "x,y,0", "arguments by position: names, integers, 0 for a null pointer");
}

void add_launch(CLI::App& app, Options& options, bool pair) {
  app.add_option("--spec", options.spec, "a file that describes buffers, scalars and launches")
      ->type_name("FILE")
      ->group("Launch");
  add_side(app, "", pair ? ", both sides" : "", options.launch.both);
  if (pair) {
    add_side(app, "a-", ", of A", options.launch.a);
    add_side(app, "ref-", ", of REF", options.launch.ref);
  }
  app.add_option("--arg", options.launch.values, "a scalar's value")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group("Launch");
  app.add_option("--buffer", options.launch.buffers, "a buffer's type and size")
      ->type_name("NAME=f32[1024]")
      ->allow_extra_args(false)
      ->group("Launch");
}

void add_limits(CLI::App& app, Options& options, bool proof) {
  auto& limits = options.limits;
  app.add_option("--timeout", limits.timeout_s, "seconds for the whole run (60)")
      ->type_name("S")
      ->check(range(0.0, 1e7))
      ->group("Limits");
  app.add_option("--memory", limits.memory_mib, "MiB of memory; 0: no limit")
      ->type_name("MIB")
      ->check(range(0, 1 << 30))
      ->group("Limits");
  app.add_option("--max-input", options.max_input_mib, "MiB of the longest file read (32)")
      ->type_name("MIB")
      ->check(range(1, 1 << 20))
      ->group("Limits");
  app.add_option("--seed", limits.seed, "of random inputs (0)")->type_name("N")->group("Limits");
  app.add_option("--unroll", limits.unroll, "iterations of a loop whose count depends on data (4096)")
      ->type_name("N")
      ->check(range(1, 1 << 30))
      ->group("Limits");
  if (!proof) return;
  app.add_option("--jobs", limits.jobs, "threads; 0: one a core")
      ->type_name("N")
      ->check(range(0, 1024))
      ->group("Limits");
  app.add_option("--dump-smt2", limits.dump_smt2, "write the solver's queries into a folder")
      ->type_name("DIR")
      ->group("Output");
}

void add_output(CLI::App& app, Options& options, Raw& raw) {
  app.add_option("--format", raw.format, "text or json")
      ->check(one_word_of({"text", "json"}))
      ->type_name("FORMAT")
      ->group("Output");
  app.add_option("--color", raw.color, "auto, always or never")
      ->check(one_word_of({"auto", "always", "never"}))
      ->type_name("WHEN")
      ->group("Output");
  app.add_flag("-q,--quiet", options.quiet, "the verdict's line alone")->group("Output");
  app.add_flag("-v,--verbose", options.limits.verbose, "everything, without shortening")->group("Output");
}

void add_command(CLI::App& app, const Command& command, Options& options, Raw& raw) {
  auto& sub = *app.add_subcommand(command.name, command.text);
  if (std::string_view(command.name) == "isa") {
    sub.add_option("NAME", options.isa_name, "add, add.f32, or how names begin; all by default");
    sub.footer(std::string(isa_notation()));
  } else {
    sub.add_option("A", options.a, "PTX file; - is standard input")->required();
  }
  const bool prove = std::string_view(command.name) == "prove";
  if (command.ref) sub.add_option("REF", options.ref, "PTX file that it is compared with")->required(prove);
  if (command.launch) {
    add_launch(sub, options, command.ref);
    add_limits(sub, options, command.proof);
  }
  if (prove) {
    sub.add_option("--float", raw.floats, "auto, bits or real")
        ->check(one_word_of({"auto", "bits", "real"}))
        ->type_name("KIND")
        ->group("Proof");
    sub.add_option("--min-strength", raw.min_strength, "bits or real: the least that exits 0")
        ->check(one_word_of({"bits", "real"}))
        ->type_name("KIND")
        ->group("Proof");
    sub.add_flag("--concrete-blocks", options.limits.concrete_blocks,
                 "run each block of the grid on its own, no block id as a symbol")
        ->group("Proof");
  }
  add_output(sub, options, raw);
}

bool use_color(const std::string& color) {
  if (color != "auto") return color == "always";
  const char* terminal = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) && !(no_color && *no_color) && terminal && std::string_view(terminal) != "dumb";
}

void settle(Options& options, const Raw& raw) {
  options.json = raw.format == "json";
  options.color = use_color(raw.color);
  static const std::map<std::string, Float> floats{
      {"auto", Float::auto_}, {"bits", Float::bits}, {"real", Float::real}};
  static const std::map<std::string, Strength> strengths{{"bits", Strength::bits}, {"real", Strength::real}};
  if (!raw.floats.empty()) options.floats = floats.at(raw.floats);
  if (!raw.min_strength.empty()) options.min_strength = strengths.at(raw.min_strength);
}

// --format json must hold for usage errors too, before and although parsing failed.
bool wants_json(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--format=json" || (word == "--format" && i + 1 < argc && std::string_view(argv[i + 1]) == "json"))
      return true;
  }
  return false;
}

// CLI11's message, with the option or command that was meant.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv) {
  std::string message = error.what();
  std::vector<std::string> known;
  const auto used = app.get_subcommands();
  if (used.empty()) {
    if (argc < 2) return fmt::format("a command is missing: {}", "prove, check, run, spec or isa (--help says more)");
    for (const auto& command : commands) known.push_back(command.name);
  } else {
    for (const auto* option : used[0]->get_options())
      for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = std::string_view(argv[i]).substr(0, std::string_view(argv[i]).find('='));
    const bool relevant = used.empty() ? i == 1 : word.starts_with("--") && word.size() > 2;
    if (!relevant || std::find(candidates.begin(), candidates.end(), word) != candidates.end()) continue;
    return used.empty()
               ? fmt::format("no command is named '{}'{}; there are {}", word, did_you_mean(word, candidates),
                             one_of(candidates))
               : fmt::format("{} has no option {}{}", used[0]->get_name(), word, did_you_mean(word, candidates));
  }
  return message;
}

Answer dispatch(const Options& options) {
  if (const auto& dir = options.limits.dump_smt2; !dir.empty()) {
    std::error_code code;
    std::filesystem::create_directories(dir, code);
    if (!std::filesystem::is_directory(dir, code))
      return answer(
          failure(ReasonCode::usage, fmt::format("--dump-smt2 {}: no such folder, and it cannot be made", dir)),
          options);
  }
  for (const auto& command : commands)
    if (options.command == command.name) return command.function(options);
  return answer(failure(ReasonCode::internal, "a command without a function"), options);
}

Answer guarded(const Options& options) {
  try {
    return dispatch(options);
  } catch (const std::bad_alloc&) {
    Report report = failure(ReasonCode::memory, "memory ran out");
    report.verdict = Verdict::inconclusive;
    return answer(std::move(report), options);
  } catch (const std::exception& error) {
    return answer(failure(ReasonCode::internal, fmt::format("a bug in ptxeq: {}", error.what())), options);
  } catch (...) {
    return answer(failure(ReasonCode::internal, "a bug in ptxeq"), options);
  }
}

Answer parse_and_run(int argc, const char* const* argv) {
  Options options;
  options.start = Clock::now();
  options.json = wants_json(argc, argv);
  Raw raw;
  CLI::App app{"ptxeq proves or refutes that two PTX kernels compute the same", "ptxeq"};
  app.set_version_flag("--version", [] { return fmt::format("ptxeq {} (Z3 {})", version(), z3_version()); });
  app.require_subcommand(1);
  for (const auto& command : commands) add_command(app, command, options, raw);
  app.footer(
      "exit: 0 equivalent, 1 different, 2 error in usage, PTX or spec, 3 inconclusive, 4 invalid, 70 a bug in ptxeq");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return {app.help("", CLI::AppFormatMode::Normal), "", 0};
  } catch (const CLI::CallForVersion& shown) {
    return {std::string(shown.what()) + "\n", "", 0};
  } catch (const CLI::ParseError& error) {
    return answer(failure(ReasonCode::usage, usage_message(app, error, argc, argv)), options);
  }
  options.command = app.get_subcommands()[0]->get_name();
  settle(options, raw);
  return guarded(options);
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  try {
    const Answer answer = parse_and_run(argc, argv);
    std::fputs(answer.err.c_str(), stderr);
    std::fwrite(answer.out.data(), 1, answer.out.size(), stdout);
    return std::fflush(stdout) == 0 ? answer.exit : 70;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ptxeq: a bug in ptxeq: %s\n", error.what());
    return 70;
  }
}

}  // namespace ptxeq::check
