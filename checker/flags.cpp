#include "checker/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "checker/infer.h"
#include "checker/values.h"

namespace ptxeq::check {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Dim3> parse_dims(std::string_view text) {
  Dim3 dims{1, 1, 1};
  const auto parts = split(text, ',');
  if (parts.size() > 3) return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto value = parse_number<std::uint32_t>(parts[i]);
    if (!value || *value == 0) return std::nullopt;
    dims[i] = *value;
  }
  return dims;
}

bool is_literal(const std::string& text) {
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-');
}

// One parameter that a name is bound to.
struct Binding {
  Side side;
  const ir::Module* module;
  const ir::Function* kernel;
  std::size_t index;
  ParamUse use;
  const ir::Param& param() const { return kernel->params[index]; }
};

class FlagReader {
 public:
  FlagReader(const LaunchFlags& flags, FlagsResult& result) : flags_(flags), result_(result) {}

  void read(const ir::Module& a, const ir::Module* ref) {
    pair_ = ref != nullptr;
    const auto* kernel_a = launch(Side::a, a, flags_.a, result_.spec.a);
    const auto* kernel_ref = ref ? launch(Side::ref, *ref, flags_.ref, result_.spec.ref) : nullptr;
    missing();
    if (!kernel_a || (ref && !kernel_ref)) return;
    name_args(*kernel_a, kernel_ref);
    bind(Side::a, a, *kernel_a, result_.spec.a[0]);
    if (ref) bind(Side::ref, *ref, *kernel_ref, result_.spec.ref[0]);
    describe_buffers(*kernel_a);
    describe_values(*kernel_a);
    describe_rest();
  }

 private:
  template <class... Values>
  void usage(fmt::format_string<Values...> text, Values&&... values) {
    result_.usage.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  std::string flag(Side side, std::string_view name) const {
    return pair_ ? fmt::format("--{} (or --{}-{})", name, ptxeq::name(side), name) : fmt::format("--{}", name);
  }

  // What neither flags nor kernels say; one message where both sides lack it.
  void missing(std::string_view what, bool of_a, bool of_ref, std::string_view type) {
    if (of_a && of_ref) usage("the {} of both kernels is missing: give --{} {}", what, what, type);
    if (of_a && !of_ref)
      usage("the {}{} is missing: give {} {}", what, pair_ ? " of a" : "", flag(Side::a, what), type);
    if (!of_a && of_ref) usage("the {} of ref is missing: give {} {}", what, flag(Side::ref, what), type);
  }

  void missing() {
    const auto& [both, a, ref] = std::tie(flags_.both, flags_.a, flags_.ref);
    missing("grid", both.grid.empty() && a.grid.empty(), pair_ && both.grid.empty() && ref.grid.empty(), "X[,Y,Z]");
    const auto no_block = [&](const std::vector<LaunchSpec>& launches, const SideFlags& own) {
      return flags_.both.block.empty() && own.block.empty() && !launches.empty() && !launches[0].block;
    };
    missing("block", no_block(result_.spec.a, flags_.a), no_block(result_.spec.ref, flags_.ref),
            "X[,Y,Z] (there is no .reqntid)");
  }

  const ir::Function* launch(Side side, const ir::Module& module, const SideFlags& own, std::vector<LaunchSpec>& out) {
    const auto& both = flags_.both;
    const auto pick = [](const std::string& mine, const std::string& shared) { return mine.empty() ? shared : mine; };
    LaunchSpec launch;
    launch.kernel = pick(own.kernel, both.kernel);
    std::string error;
    const auto* kernel = find_kernel(module, launch.kernel, error);
    if (!kernel) {
      usage("{}: {}", flag(side, "kernel"), error);
      return nullptr;
    }
    launch.kernel = kernel->name;
    launch.at = kernel->at;
    const auto grid = pick(own.grid, both.grid), block = pick(own.block, both.block),
               shared = pick(own.shared, both.shared);
    launch.grid = parse_dims(grid);
    launch.block = block.empty() ? required_block(*kernel) : parse_dims(block);
    if (!grid.empty() && !launch.grid)
      usage("{} {}: must be one to three positive integers X[,Y,Z]", flag(side, "grid"), grid);
    if (!block.empty() && !launch.block)
      usage("{} {}: must be one to three positive integers X[,Y,Z]", flag(side, "block"), block);
    if (!shared.empty()) {
      const auto bytes = parse_number<std::uint64_t>(shared);
      if (!bytes || *bytes > (1u << 20))
        usage("{} {}: must be a number of bytes up to 1048576", flag(side, "shared"), shared);
      launch.shared = bytes.value_or(0);
    }
    if (const auto args = pick(own.args, both.args); !args.empty()) {
      launch.args = split(args, ',');
      launch.has_args = true;
    }
    out.push_back(std::move(launch));
    return kernel;
  }

  // Without --args a parameter is called as A calls it, and the reference's pair with them by position.
  void name_args(const ir::Function& a, const ir::Function* ref) {
    auto& launch_a = result_.spec.a[0];
    if (!launch_a.has_args)
      for (const auto& param : a.params) launch_a.args.push_back(param.name);
    if (!ref || result_.spec.ref[0].has_args) return;
    auto& launch_ref = result_.spec.ref[0];
    launch_ref.args = launch_a.args;
    if (ref->params.size() != a.params.size()) {
      mismatch(Side::ref, *ref,
               fmt::format("{} takes {} arguments and {} takes {}: say which is which with --a-args and --ref-args",
                           a.name, a.params.size(), ref->name, ref->params.size()));
    }
  }

  void mismatch(Side side, const ir::Function& kernel, std::string message) {
    Finding finding;
    finding.code = "param-mismatch";
    finding.side = side;
    finding.at = kernel.at;
    finding.message = std::move(message);
    result_.findings.push_back(std::move(finding));
  }

  void bind(Side side, const ir::Module& module, const ir::Function& kernel, const LaunchSpec& launch) {
    if (launch.args.size() != kernel.params.size()) return;  // the resolver says so
    const auto uses = infer_params(kernel);
    for (std::size_t i = 0; i < launch.args.size(); ++i) {
      if (is_literal(launch.args[i])) continue;
      const std::string base = launch.args[i].substr(0, launch.args[i].find('+'));
      if (!bindings_.contains(base)) order_.push_back(base);
      bindings_[base].push_back({side, &module, &kernel, i, uses[i]});
    }
  }

  // A NAME of --arg and --buffer: one that --args uses, A's own for a parameter, or its index.
  std::optional<std::string> argument_name(std::string_view text, const ir::Function& a, std::string_view flag) {
    const auto& args = result_.spec.a[0].args;
    if (bindings_.contains(std::string(text))) return std::string(text);
    for (std::size_t i = 0; i < std::min(args.size(), a.params.size()); ++i)
      if (a.params[i].name == text || fmt::format("{}", i) == text) return args[i].substr(0, args[i].find('+'));
    std::vector<std::string_view> names(order_.begin(), order_.end());
    usage("{} {}: no argument has that name or index{}; there {} {}", flag, text, did_you_mean(text, names),
          names.size() == 1 ? "is" : "are", names.empty() ? "none" : one_of(names));
    return std::nullopt;
  }

  void describe_buffers(const ir::Function& a) {
    for (const auto& text : flags_.buffers) {
      const auto equals = text.find('='), open = text.find('[', equals == std::string::npos ? 0 : equals);
      const bool formed = equals != std::string::npos && open != std::string::npos && text.ends_with(']');
      const auto type = formed ? spec_type(text.substr(equals + 1, open - equals - 1)) : std::nullopt;
      const auto count =
          formed ? parse_number<std::uint64_t>(text.substr(open + 1, text.size() - open - 2)) : std::nullopt;
      if (!type || !count || *count > (std::uint64_t(1) << 40) / (ir::bits(*type) / 8)) {
        usage("--buffer {}: write NAME=TYPE[COUNT] with a type of {}", text, one_of(spec_type_names()));
        continue;
      }
      const auto name = argument_name(std::string_view(text).substr(0, equals), a, "--buffer");
      if (!name) continue;
      Buffer buffer;
      buffer.name = *name;
      buffer.type = *type;
      buffer.count = *count;
      if (!result_.spec.places.emplace(*name, Location{}).second)
        usage("--buffer {}: '{}' is described twice", text, *name);
      result_.spec.buffers.push_back(std::move(buffer));
    }
  }

  void describe_values(const ir::Function& a) {
    for (const auto& text : flags_.values) {
      const auto equals = text.find('=');
      if (equals == std::string::npos) {
        usage("--arg {}: write NAME=VALUE", text);
        continue;
      }
      const auto name = argument_name(std::string_view(text).substr(0, equals), a, "--arg");
      if (!name || !bindings_.contains(*name)) continue;
      Scalar scalar = scalar_for(*name);
      if (scalar.size > 8) {
        usage("--arg {}: '{}' is a struct of {} bytes; describe it in a spec", text, *name, scalar.size);
        continue;
      }
      const auto bits = number(scalar, text.substr(equals + 1));
      if (!bits) {
        usage("--arg {}: must be a value of {} or a bit pattern (0x...)", text, ir::info(scalar.type).name);
        continue;
      }
      scalar.value.emplace();
      for (std::uint64_t i = 0; i < scalar.size; ++i) scalar.value->push_back(std::uint8_t(*bits >> (8 * i)));
      if (!result_.spec.places.emplace(*name, Location{}).second)
        usage("--arg {}: '{}' is described twice", text, *name);
      result_.spec.scalars.push_back(std::move(scalar));
    }
  }

  // Integers of both signs are read whatever sign the parameter's type has: .u32 often carries an int.
  static std::optional<std::uint64_t> number(const Scalar& scalar, std::string_view text) {
    if (const auto bits = parse_value(scalar.type, text)) return bits;
    if (is_float(scalar.type)) return std::nullopt;
    const auto width = ir::bits(scalar.type);
    return parse_value(width == 8    ? ir::Type::s8
                       : width == 16 ? ir::Type::s16
                       : width == 32 ? ir::Type::s32
                                     : ir::Type::s64,
                       text);
  }

  // Names that no flag describes: pointers become objects of unknown size, the others symbols.
  void describe_rest() {
    for (const auto& name : order_) {
      if (result_.spec.places.contains(name)) continue;
      const auto& bindings = bindings_.at(name);
      const auto pointer =
          std::find_if(bindings.begin(), bindings.end(), [](const Binding& b) { return b.use.pointer_like(); });
      if (pointer != bindings.end()) {
        Buffer buffer;
        buffer.name = name;
        buffer.type = element_type(bindings);
        buffer.from_spec = false;
        result_.spec.buffers.push_back(std::move(buffer));
      } else {
        result_.spec.scalars.push_back(scalar_for(name));
      }
    }
  }

  static ir::Type element_type(const std::vector<Binding>& bindings) {
    for (const auto& binding : bindings)
      if (binding.use.element != ir::Type::none)
        if (const auto type = described_type(binding.use.element)) return *type;
    return ir::Type::u8;
  }

  // The spec's type of the same width and kind.
  static std::optional<ir::Type> described_type(ir::Type type) {
    const auto& info = ir::info(type);
    if (spec_type(info.name)) return type;
    return spec_type(fmt::format("u{}", info.bits));
  }

  Scalar scalar_for(const std::string& name) const {
    const auto& param = bindings_.at(name).front().param();
    Scalar scalar;
    scalar.name = name;
    scalar.size = param.bytes();
    const auto type = param.is_array ? std::nullopt : described_type(param.type);
    scalar.type = type.value_or(ir::Type::b8);
    return scalar;
  }

  const LaunchFlags& flags_;
  FlagsResult& result_;
  bool pair_ = false;
  std::map<std::string, std::vector<Binding>> bindings_;
  std::vector<std::string> order_;  // names as first used
};

}  // namespace

bool LaunchFlags::any() const {
  const auto given = [](const SideFlags& s) {
    return !(s.kernel.empty() && s.grid.empty() && s.block.empty() && s.shared.empty() && s.args.empty());
  };
  return given(both) || given(a) || given(ref) || !values.empty() || !buffers.empty();
}

FlagsResult read_flags(const LaunchFlags& flags, const ir::Module& a, const ir::Module* ref) {
  FlagsResult result;
  FlagReader(flags, result).read(a, ref);
  return result;
}

}  // namespace ptxeq::check
