// spec A [REF]: writes a spec that runs; what the kernels do not say is guessed and marked so.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "checker/command_input.h"
#include "checker/infer.h"
#include "checker/print.h"
#include "checker/values.h"
#include "checker/watchdog.h"

namespace ptxeq::check {
namespace {

constexpr std::uint32_t guessed_block = 256;
constexpr std::uint64_t guessed_elements = 1024;
constexpr std::uint64_t guessed_shared = 48 << 10;  // what every GPU gives without being asked specially

constexpr std::string_view preamble =
    "# A guess is what neither kernels nor flags say. Put it right first: a verdict holds for these values alone.\n";

std::string dims(const Dim3& d) { return fmt::format("[{}, {}, {}]", d[0], d[1], d[2]); }

// A PTX name may hold '$', which TOML's bare keys may not.
std::string key(const std::string& name) {
  const bool bare = std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return bare ? name : fmt::format("\"{}\"", name);
}

// Elements where nothing says how many: as in the largest buffer that a flag describes.
std::uint64_t usual_count(const Problem& problem) {
  std::uint64_t most = 0;
  for (const auto& buffer : problem.buffers) most = std::max(most, buffer.count.value_or(0));
  return most ? most : guessed_elements;
}

// Fills in what flags alone would have to give; says which of it is a guess.
struct Guess {
  bool grid = false, block = false, shared = false;
};

bool has_dynamic_shared(const ir::Module& module) {
  const auto in = [](const std::vector<ir::Variable>& variables) {
    return std::any_of(variables.begin(), variables.end(),
                       [](const ir::Variable& v) { return v.space == ir::Space::shared && v.count == 0; });
  };
  return in(module.variables) || std::any_of(module.functions.begin(), module.functions.end(),
                                             [&](const ir::Function& f) { return in(f.variables); });
}

Guess fill(SideFlags& flags, const SideFlags& both, const ir::Module& module, const ir::Function& kernel) {
  Guess guess;
  if (flags.kernel.empty()) flags.kernel = kernel.name;
  if (flags.grid.empty() && both.grid.empty()) {
    flags.grid = "1";
    guess.grid = true;
  }
  if (flags.block.empty() && both.block.empty() && !required_block(kernel)) {
    std::uint32_t threads = guessed_block;
    while (threads > 1 && !launch_error(kernel, {1, 1, 1}, {threads, 1, 1}).empty()) threads /= 2;
    flags.block = fmt::format("{}", threads);
    guess.block = true;
  }
  if (flags.shared.empty() && both.shared.empty() && has_dynamic_shared(module)) {
    flags.shared = fmt::format("{}", guessed_shared);
    guess.shared = true;
  }
  return guess;
}

// The first kernel when no name says which.
const ir::Function* choose(const ir::Module& module, const std::string& wanted, std::string& error) {
  if (!wanted.empty()) return find_kernel(module, wanted, error);
  for (const auto& function : module.functions)
    if (function.entry && function.has_body) return &function;
  return find_kernel(module, wanted, error);
}

// The guessed grid has a thread for each element, so that the usual kernels reach them all.
std::string launch(std::string_view side, const Launch& launch, const LaunchSpec& spec, Guess guess, bool several,
                   std::uint64_t elements) {
  std::string text = fmt::format("\n[{}]\nkernel = \"{}\"{}\n", side, launch.kernel->name,
                                 several ? "  # guess: the file has others" : "");
  const std::uint64_t threads = std::uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
  text += guess.grid ? fmt::format("grid = [{}, 1, 1]  # guess: a thread for each of {} elements\n",
                                   (elements + threads - 1) / threads, elements)
                     : fmt::format("grid = {}\n", dims(launch.grid));
  text += fmt::format("block = {}{}\n", dims(launch.block), guess.block ? "  # guess" : "");
  text += fmt::format("shared = {}  # {}dynamic shared memory, bytes\nargs = [", launch.shared,
                      guess.shared ? "guess: " : "");
  for (std::size_t i = 0; i < spec.args.size(); ++i) text += fmt::format("{}\"{}\"", i ? ", " : "", spec.args[i]);
  return text + "]\n";
}

// How the kernels use a buffer: in, out or both.
std::string_view role(const Problem& problem, std::uint32_t index) {
  bool loaded = false, stored = false;
  for (const auto* side : {&problem.a, &problem.ref}) {
    for (const auto& launch : side->launches) {
      const auto uses = infer_params(*launch.kernel);
      for (std::size_t i = 0; i < launch.args.size(); ++i) {
        if (launch.args[i].kind != Argument::Kind::buffer || launch.args[i].index != index) continue;
        loaded |= uses[i].loaded;
        stored |= uses[i].stored;
      }
    }
  }
  return stored ? (loaded ? "inout" : "out") : "in";
}

std::string table(const Problem& problem, std::uint32_t index, std::uint64_t elements) {
  const auto& buffer = problem.buffers[index];
  std::string text = fmt::format("\n[buffer.{}]\n", key(buffer.name));
  text += fmt::format("type = \"{}\"{}\n", ir::info(buffer.type).name,
                      buffer.from_spec ? "" : "  # guess, from the first access");
  // A wrong size would make accesses that are right `out-of-bounds`.
  text += buffer.count ? fmt::format("count = {}\n", *buffer.count)
                       : fmt::format("# count = {}  # unknown: without it bounds are not checked, and `run` refuses\n",
                                     elements);
  return text + fmt::format("role = \"{}\"  # guess, from loads and stores\n", role(problem, index));
}

// Sizes are what most integer arguments are. Of a float nothing is known; 1.0 at least is no special case of
// multiplication by zero.
std::string guessed_value(ir::Type type, std::uint64_t elements) {
  if (is_float(type)) return "1.0  # guess";
  const auto most = std::uint64_t(integer_limits(type)[1]);
  return fmt::format("{}  # guess: a number of elements", std::min(elements, most));
}

std::string table(const Scalar& scalar, std::uint64_t elements) {
  std::string text = fmt::format("\n[scalar.{}]\n", key(scalar.name));
  if (scalar.type == ir::Type::b8) {
    return text + fmt::format("type = \"b8[{}]\"\nvalue = \"{}\"  # guess: zero\n", scalar.size,
                              std::string(2 * scalar.size, '0'));
  }
  text += fmt::format("type = \"{}\"\n", ir::info(scalar.type).name);
  if (!scalar.value) return text + fmt::format("value = {}\n", guessed_value(scalar.type, elements));
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < scalar.value->size(); ++i) bits |= std::uint64_t((*scalar.value)[i]) << (8 * i);
  return text + fmt::format("value = \"0x{:x}\"\n", bits);
}

}  // namespace

Answer command_spec(const Options& original) {
  Options options = original;
  const Watchdog watchdog(original);
  if (!options.spec.empty())
    return watchdog.finish(answer(failure(ReasonCode::usage, "spec writes a spec; it takes none"), original));
  const bool pair = !options.ref.empty();
  Input input(options);
  const auto failed = [&] {
    Report report = input.take_report();
    return watchdog.finish(std::move(report), input.take_messages());
  };
  if (!input.read_module(Side::a) || (pair && !input.read_module(Side::ref))) return failed();

  Guess guess_a, guess_ref;
  std::string error;
  for (const auto side : pair ? std::vector{Side::a, Side::ref} : std::vector{Side::a}) {
    auto& flags = side == Side::a ? options.launch.a : options.launch.ref;
    const auto& both = options.launch.both;
    const auto* kernel = choose(input.module(side), flags.kernel.empty() ? both.kernel : flags.kernel, error);
    if (!kernel) return watchdog.finish(failure(ReasonCode::usage, error));
    (side == Side::a ? guess_a : guess_ref) = fill(flags, both, input.module(side), *kernel);
  }
  if (!input.read_question(pair)) return failed();

  const auto& problem = input.problem();
  const auto kernels = [](const ir::Module& module) {
    return std::count_if(module.functions.begin(), module.functions.end(),
                         [](auto& f) { return f.entry && f.has_body; });
  };
  const auto several = [&](Side side) {
    const auto& own = side == Side::a ? original.launch.a : original.launch.ref;
    return own.kernel.empty() && original.launch.both.kernel.empty() && kernels(input.module(side)) > 1;
  };
  const auto elements = usual_count(problem);
  std::string text = fmt::format("{}title = \"{}\"\n", preamble, problem.a.launches[0].kernel->name);
  for (std::uint32_t i = 0; i < problem.buffers.size(); ++i) text += table(problem, i, elements);
  for (const auto& scalar : problem.scalars) text += table(scalar, elements);
  text += launch("a", problem.a.launches[0], input.spec().a[0], guess_a, several(Side::a), elements);
  if (pair)
    text += launch("ref", problem.ref.launches[0], input.spec().ref[0], guess_ref, several(Side::ref), elements);
  Answer result;
  result.out = options.json ? print_spec_json(text) : text;
  return watchdog.finish(std::move(result));
}

}  // namespace ptxeq::check
