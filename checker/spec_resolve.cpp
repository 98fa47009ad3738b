// Spec + modules -> Problem: kernels found, parameters matched with arguments, launches checked.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "checker/infer.h"
#include "checker/spec.h"

namespace ptxeq::check {
namespace {

__extension__ typedef unsigned __int128 u128;

std::vector<std::string_view> kernel_names(const ir::Module& module) {
  std::vector<std::string_view> names;
  for (const auto& function : module.functions)
    if (function.entry && function.has_body) names.push_back(function.name);
  return names;
}

const ir::Directive* directive(const ir::Function& kernel, std::string_view name) {
  const auto found = std::find_if(kernel.directives.begin(), kernel.directives.end(),
                                  [&](const ir::Directive& d) { return d.name == name; });
  return found == kernel.directives.end() ? nullptr : &*found;
}

Dim3 dims_of(const ir::Directive& directive) {
  Dim3 dims{1, 1, 1};
  for (std::size_t i = 0; i < std::min<std::size_t>(directive.values.size(), 3); ++i) {
    const auto& text = directive.values[i];
    std::from_chars(text.data(), text.data() + text.size(), dims[i]);
  }
  return dims;
}

std::uint64_t threads(const Dim3& block) { return std::uint64_t(block[0]) * block[1] * block[2]; }

// "x+256" -> x, 256. A name alone has offset 0; nothing when the offset is no number.
std::optional<std::pair<std::string_view, std::uint64_t>> split_offset(std::string_view text) {
  const auto plus = text.find('+');
  if (plus == std::string_view::npos) return std::pair(text, std::uint64_t(0));
  const auto digits = text.substr(plus + 1);
  std::uint64_t offset = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), offset);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return std::pair(text.substr(0, plus), offset);
}

// A literal of `bytes` bytes: "5", "-1", "0x10".
std::optional<std::uint64_t> parse_literal(std::string_view text, std::uint64_t bytes) {
  const bool negative = text.starts_with('-');
  auto digits = text.substr(negative);
  const bool hex = digits.starts_with("0x");
  digits.remove_prefix(hex ? 2 : 0);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  if (bytes > 8 || bytes == 0) return std::nullopt;
  const std::uint64_t mask = bytes == 8 ? ~std::uint64_t(0) : (std::uint64_t(1) << (8 * bytes)) - 1;
  if (value > (negative ? mask / 2 + 1 : mask)) return std::nullopt;
  return (negative ? -value : value) & mask;
}

template <class Named>
std::optional<std::uint32_t> index_of(const std::vector<Named>& items, std::string_view name) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name == name) return std::uint32_t(i);
  return std::nullopt;
}

class Resolver {
 public:
  explicit Resolver(const Spec& spec) : spec_(spec) {
    result_.problem.buffers = spec.buffers;
    result_.problem.scalars = spec.scalars;
    result_.problem.floats = spec.floats;
  }

  void side(Side side, const ir::Module& module, const std::vector<LaunchSpec>& launches, ProblemSide& out) {
    side_ = side;
    module_ = &module;
    out.module = &module;
    if (launches.empty())
      fail("syntax", {}, fmt::format("the spec has no table [{}] with kernel, grid, block and args", name(side)));
    for (const auto& launch : launches) out.launches.push_back(resolve_launch(launch));
  }

  Resolution result() && { return std::move(result_); }

 private:
  // Mistakes stand in the spec when there is one, else at the kernel.
  void fail(std::string code, Location at, std::string message) {
    Finding finding;
    finding.code = std::move(code);
    finding.side = spec_.file.empty() ? side_ : Side::spec;
    finding.file = spec_.file.empty() ? module_->file : spec_.file;
    finding.at = at;
    finding.message = std::move(message);
    result_.findings.push_back(std::move(finding));
  }

  Launch resolve_launch(const LaunchSpec& spec) {
    Launch launch;
    std::string error;
    launch.kernel = find_kernel(*module_, spec.kernel, error);
    if (!launch.kernel) {
      fail("unknown-symbol", spec.at, error);
      return launch;
    }
    const auto& kernel = *launch.kernel;
    const auto at = spec_.file.empty() ? kernel.at : spec.at;
    launch.shared = spec.shared;
    resolve_size(spec, at, launch);
    resolve_args(spec, at, launch);
    return launch;
  }

  void resolve_size(const LaunchSpec& spec, Location at, Launch& launch) {
    const auto& kernel = *launch.kernel;
    OpenLaunch open = spec.open;
    auto block = spec.block;
    if (!block && open.blocks.empty()) {
      block = required_block(kernel);
      open.any_block = open.any_block && !block;
    }
    if (!block && !open.any_block)
      return fail("syntax", at,
                  fmt::format("{}: {}: the block's size is missing (block = [x, y, z])", name(side_), kernel.name));
    launch.grid = spec.grid.value_or(Dim3{1, 1, 1});
    launch.block = block.value_or(Dim3{1, 1, 1});
    if (const auto why = size_error(kernel, launch, open); !why.empty())
      return fail("param-mismatch", at, fmt::format("{}: {}: {}", name(side_), kernel.name, why));
    if (open.any_grid || open.any_block) launch.open = std::move(open);
  }

  std::string size_error(const ir::Function& kernel, const Launch& launch, const OpenLaunch& open) const {
    for (const auto& block : open.blocks.empty() ? std::vector{launch.block} : open.blocks)
      if (auto why = launch_error(kernel, launch.grid, block); !why.empty()) return why;
    return bounds_error(kernel, launch, open);
  }

  // Why no launch of this size keeps to its bounds, or a fixed one not for every scalar; empty when there is no reason.
  std::string bounds_error(const ir::Function& kernel, const Launch& launch, const OpenLaunch& open) const {
    const bool fixed = !open.any_grid && !open.any_block;
    std::optional<std::int64_t> low, high;
    for (const auto& [bound, value] : {std::pair(&open.min_threads, &low), std::pair(&open.max_threads, &high)}) {
      if (*bound) *value = evaluate(**bound);
      if (*bound && !*value && fixed)
        return fmt::format("\"{}\" depends on a scalar without value: beside a fixed launch, say its range instead",
                           to_text(result_.problem, **bound));
    }
    const auto [fewest, most] = range_of_threads(kernel, launch, open);
    const auto whatever = fixed ? "" : ", whatever its size";
    if (low && u128(*low) > most) return fmt::format("min_threads = {}: the launch has fewer{}", *low, whatever);
    if (high && u128(*high) < fewest) return fmt::format("max_threads = {}: the launch has more{}", *high, whatever);
    return "";
  }

  // Of the whole grid, fewest and most.
  static std::pair<u128, u128> range_of_threads(const ir::Function& kernel, const Launch& launch,
                                                const OpenLaunch& open) {
    std::uint64_t smallest = threads(launch.block), largest = open.any_block ? most_threads(kernel) : smallest;
    if (!open.blocks.empty()) {
      const auto less = [](const Dim3& x, const Dim3& y) { return threads(x) < threads(y); };
      const auto [low, high] = std::minmax_element(open.blocks.begin(), open.blocks.end(), less);
      smallest = threads(*low), largest = threads(*high);
    }
    const auto in_grid = [](const Dim3& grid, u128 block) { return block * grid[0] * grid[1] * grid[2]; };
    return {in_grid(launch.grid, smallest), in_grid(open.any_grid ? most_blocks : launch.grid, largest)};
  }

  void resolve_args(const LaunchSpec& spec, Location at, Launch& launch) {
    const auto& kernel = *launch.kernel;
    if (spec.args.size() != kernel.params.size()) {
      std::string params;
      for (const auto& param : kernel.params) params += (params.empty() ? "" : ", ") + param.name;
      fail("param-mismatch", at,
           fmt::format("{}: {} has {} parameter{} ({}), {} has {}", name(side_), kernel.name, kernel.params.size(),
                       kernel.params.size() == 1 ? "" : "s", params, spec.has_args ? "args" : "the launch without args",
                       spec.args.size()));
      return;
    }
    const auto uses = infer_params(kernel);
    for (std::size_t i = 0; i < spec.args.size(); ++i) {
      std::string why;
      launch.args.push_back(argument(spec.args[i], kernel.params[i], uses[i], why));
      if (!why.empty())
        fail("param-mismatch", at,
             fmt::format("{}: parameter {} ({}) of {}: {}", name(side_), i, kernel.params[i].name, kernel.name, why));
    }
  }

  Argument argument(const std::string& text, const ir::Param& param, const ParamUse& use, std::string& why) {
    const bool pointer = use.pointer == ParamUse::Pointer::yes;
    const auto& problem = result_.problem;
    if (const auto scalar = index_of(problem.scalars, text)) {
      const auto size = problem.scalars[*scalar].size;
      if (size != param.bytes())
        why = fmt::format("takes {} bytes, the scalar '{}' has {}", param.bytes(), text, size);
      else if (pointer)
        why = fmt::format("is used as an address, but '{}' is a scalar: describe it as a buffer", text);
      return {Argument::Kind::scalar, *scalar, 0, 0};
    }
    if (!text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-')) {
      const auto value = parse_literal(text, param.bytes());
      if (!value)
        why = fmt::format("{} is no integer of {} bytes", text, param.bytes());
      else if (pointer && *value != 0)
        why = fmt::format("is used as an address; {} is no pointer (0 is a null pointer)", text);
      return {Argument::Kind::literal, 0, 0, value.value_or(0)};
    }
    return pointer_argument(text, param, why);
  }

  Argument pointer_argument(const std::string& text, const ir::Param& param, std::string& why) {
    const auto& problem = result_.problem;
    const auto parts = split_offset(text);
    if (!parts) {
      why = fmt::format("'{}': write a name, name+bytes or an integer", text);
      return {};
    }
    const auto buffer = index_of(problem.buffers, parts->first);
    if (!buffer) {
      std::vector<std::string_view> names;
      for (const auto& b : problem.buffers) names.push_back(b.name);
      for (const auto& s : problem.scalars) names.push_back(s.name);
      why = index_of(problem.scalars, parts->first)
                ? fmt::format("'{}': only a buffer takes an offset", text)
                : fmt::format("no buffer or scalar is named '{}'{}", parts->first, did_you_mean(parts->first, names));
      return {};
    }
    const auto& b = problem.buffers[*buffer];
    if (param.bytes() != 8)
      why = fmt::format("takes {} bytes, the pointer to '{}' has 8", param.bytes(), b.name);
    else if (b.count && parts->second > *b.count * (ir::bits(b.type) / 8))
      why = fmt::format("'{}' points past the end of the buffer's {} bytes", text, *b.count * (ir::bits(b.type) / 8));
    return {Argument::Kind::buffer, *buffer, parts->second, 0};
  }

  const Spec& spec_;
  Resolution result_;
  Side side_ = Side::a;
  const ir::Module* module_ = nullptr;
};

}  // namespace

const ir::Function* find_kernel(const ir::Module& module, std::string_view wanted, std::string& error) {
  const auto names = kernel_names(module);
  if (names.empty()) {
    error = fmt::format("{} has no kernel (.entry with a body)", module.file);
  } else if (wanted.empty() && names.size() > 1) {
    error = fmt::format("{} has {} kernels: name one of {}", module.file, names.size(), one_of(names));
  } else if (wanted.empty() || std::find(names.begin(), names.end(), wanted) != names.end()) {
    return module.find(wanted.empty() ? names[0] : wanted);
  } else {
    error = fmt::format("{} has no kernel '{}'{}; it has {}", module.file, wanted, did_you_mean(wanted, names),
                        one_of(names));
  }
  return nullptr;
}

std::optional<Dim3> required_block(const ir::Function& kernel) {
  const auto* found = directive(kernel, ".reqntid");
  return found ? std::optional(dims_of(*found)) : std::nullopt;
}

std::uint64_t most_threads(const ir::Function& kernel) {
  const auto* most = directive(kernel, ".maxntid");
  return most ? std::min(threads(dims_of(*most)), most_block_threads) : most_block_threads;
}

std::string launch_error(const ir::Function& kernel, const Dim3& grid, const Dim3& block) {
  if (grid[0] > most_blocks[0] || grid[1] > most_blocks[1] || grid[2] > most_blocks[2])
    return fmt::format("the grid {}×{}×{} is over the limit {}", grid[0], grid[1], grid[2],
                       fmt::join(most_blocks, "×"));
  if (block[0] > 1024 || block[1] > 1024 || block[2] > 64 || threads(block) > most_block_threads)
    return fmt::format("the block {}×{}×{} is over the limit: 1024 threads, 64 in z", block[0], block[1], block[2]);
  if (const auto required = required_block(kernel); required && *required != block)
    return fmt::format("its .reqntid demands blocks of {}×{}×{}, the launch has {}×{}×{}", (*required)[0],
                       (*required)[1], (*required)[2], block[0], block[1], block[2]);
  if (threads(block) > most_threads(kernel))
    return fmt::format("its .maxntid allows {} threads a block, the launch has {}", most_threads(kernel),
                       threads(block));
  return "";
}

Resolution resolve(const Spec& spec, const ir::Module& a, const ir::Module* ref) {
  Resolver resolver(spec);
  Resolution result;
  ProblemSide side_a, side_ref;
  resolver.side(Side::a, a, spec.a, side_a);
  if (ref) resolver.side(Side::ref, *ref, spec.ref, side_ref);
  result = std::move(resolver).result();
  result.problem.a = std::move(side_a);
  result.problem.ref = std::move(side_ref);
  return result;
}

}  // namespace ptxeq::check
