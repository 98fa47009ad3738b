// A spec file's text -> Spec. Every mistake is reported, not the first alone.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>

#include "checker/expression.h"
#include "checker/spec.h"
#include "checker/spec_fields.h"
#include "checker/values.h"

namespace ptxeq::check {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

const Words spec_keys{"title", "family", "expect", "accept", "float", "buffer", "scalar", "a", "ref"};
const Words buffer_keys{"type", "count", "role", "values", "align", "init", "shape", "strides"};
const Words scalar_keys{"type", "value", "range", "multiple_of"};
const Words launch_keys{"kernel", "grid", "block", "shared", "args", "min_threads", "max_threads"};
const Words expectations{"equivalent", "different", "invalid"};
const Words verdicts{"equivalent", "different", "invalid", "inconclusive"};
const Words floats{"auto", "bits", "real"};
const Words roles{"in", "out", "inout", "temp"};

class Reader {
 public:
  Reader(Spec& spec, Mistakes& mistakes) : spec_(spec), mistakes_(mistakes) {}

  void read(const toml::table& root) {
    const Fields fields(root, "a spec", spec_keys, mistakes_);
    spec_.title = fields.text("title").value_or("");
    spec_.family = fields.text("family").value_or("");
    spec_.expect = fields.choice("expect", expectations).value_or("");
    spec_.accept = fields.choices("accept", verdicts).value_or(std::vector<std::string>{});
    if (const auto word = fields.choice("float", floats))
      spec_.floats = *word == "bits" ? Float::bits : *word == "real" ? Float::real : Float::auto_;
    each_table(fields, "scalar", [&](const std::string& name, const toml::table& table) { scalar(name, table); });
    each_table(fields, "buffer", [&](const std::string& name, const toml::table& table) { buffer(name, table); });
    side(fields, "a", Side::a, spec_.a);
    side(fields, "ref", Side::ref, spec_.ref);
  }

 private:
  // Uses the tables in the order of the file; toml++ keeps them by name.
  template <class Use>
  void each_table(const Fields& fields, std::string_view key, Use use) {
    const auto* tables = fields.table(key);
    if (!tables) return;
    std::vector<std::pair<std::string, const toml::node*>> entries;
    for (const auto& [name, node] : *tables) entries.emplace_back(name.str(), &node);
    const auto place = [](const auto& entry) {
      const auto at = place_of(*entry.second);
      return std::pair(at.line, at.column);
    };
    std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    for (const auto& [name, node] : entries) {
      if (!name_is_fine(name)) {
        mistakes_.add("syntax", place_of(*node),
                      fmt::format("[{}.{}]: a name has letters, digits and _ . $ %, and no digit first", key, name));
      } else if (const auto* table = node->as_table()) {
        if (!spec_.places.emplace(name, place_of(*node)).second)
          mistakes_.add("duplicate-symbol", place_of(*node), fmt::format("'{}' is a buffer and a scalar", name));
        use(name, *table);
      } else {
        mistakes_.add("syntax", place_of(*node),
                      fmt::format("{}.{} must be a table: write [{}.{}]", key, name, key, name));
      }
    }
  }

  static bool name_is_fine(const std::string& name) {
    const auto allowed = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("_.$%").find(c) != std::string_view::npos;
    };
    return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
           std::all_of(name.begin(), name.end(), allowed);
  }

  // --- scalars ---

  void scalar(const std::string& name, const toml::table& table) {
    const Fields fields(table, fmt::format("[scalar.{}]", name), scalar_keys, mistakes_);
    Scalar scalar;
    scalar.name = name;
    const auto type = fields.text("type");
    if (!type) {
      if (!fields.has("type")) fields.missing("type", one_of(spec_type_names()) + ", or b8[N] for a struct of N bytes");
    } else if (const auto plain = spec_type(*type)) {
      scalar.type = *plain;
      scalar.size = ir::bits(*plain) / 8;
      number(fields, scalar);
    } else if (unsigned size = 0; struct_size(*type, size)) {
      scalar.type = ir::Type::b8;
      scalar.size = size;
      struct_value(fields, scalar);
    } else {
      fields.wrong("type", "must be " + one_of(spec_type_names()) + ", or b8[N] for a struct of N bytes" +
                               did_you_mean(*type, spec_type_names()));
    }
    spec_.scalars.push_back(std::move(scalar));
  }

  static bool struct_size(std::string_view type, unsigned& size) {
    int end = 0;
    const std::string text(type);
    return std::sscanf(text.c_str(), "b8[%5u]%n", &size, &end) == 1 && std::size_t(end) == text.size() && size > 0 &&
           size <= 32764;  // what a kernel's parameters may take, PTX ISA 7.4
  }

  void struct_value(const Fields& fields, Scalar& scalar) {
    for (const auto key : {"range", "multiple_of"})
      if (fields.has(key)) fields.wrong(key, "a struct has no such precondition");
    const auto digits = fields.text("value");
    if (!digits) return;
    const bool hex = std::all_of(digits->begin(), digits->end(), [](unsigned char c) { return std::isxdigit(c); });
    if (!hex || digits->size() != 2 * scalar.size) {
      fields.wrong("value",
                   fmt::format("must be a string of {} hex digits, two a byte in memory order", 2 * scalar.size));
      return;
    }
    scalar.value.emplace();
    for (std::size_t i = 0; i < digits->size(); i += 2)
      scalar.value->push_back(std::uint8_t(std::stoi(digits->substr(i, 2), nullptr, 16)));
  }

  void number(const Fields& fields, Scalar& scalar) {
    const bool floating = is_float(scalar.type);
    for (const auto key : {"range", "multiple_of"})
      if (floating && fields.has(key)) fields.wrong(key, "is for integers; this is a float");
    if (!floating && fields.has("range")) scalar.range = fields.integer_range("range", integer_limits(scalar.type));
    if (!floating) scalar.multiple_of = std::uint64_t(fields.integer("multiple_of", 1, most).value_or(1));
    if (scalar.range && !multiple_between(*scalar.range, std::int64_t(scalar.multiple_of)))
      fields.wrong("multiple_of",
                   fmt::format("no multiple lies in range = [{}, {}]", (*scalar.range)[0], (*scalar.range)[1]));
    if (const auto* node = fields.find("value")) {
      const auto bits = element(*node, scalar.type);
      if (!bits) {
        fields.wrong("value", element_rule(scalar.type));
        return;
      }
      scalar.value.emplace();
      for (std::uint64_t i = 0; i < scalar.size; ++i) scalar.value->push_back(std::uint8_t(*bits >> (8 * i)));
      if (!floating) check_value(fields, scalar, decode_integer(scalar.type, *bits));
    }
  }

  void check_value(const Fields& fields, const Scalar& scalar, std::int64_t value) {
    if (scalar.range && (value < (*scalar.range)[0] || value > (*scalar.range)[1]))
      fields.wrong("value", fmt::format("is outside range = [{}, {}]", (*scalar.range)[0], (*scalar.range)[1]));
    if (value % std::int64_t(scalar.multiple_of) != 0)
      fields.wrong("value", fmt::format("is no multiple of {}", scalar.multiple_of));
  }

  static bool multiple_between(std::array<std::int64_t, 2> range, std::int64_t factor) {
    const std::int64_t above = range[0] > 0 ? range[0] / factor + (range[0] % factor != 0) : range[0] / factor;
    std::int64_t multiple = 0;
    return !__builtin_mul_overflow(above, factor, &multiple) && multiple <= range[1];
  }

  // --- numbers as elements ---

  static std::optional<std::uint64_t> element(const toml::node& node, ir::Type type) {
    if (const auto text = node.value_exact<std::string>()) return parse_bits(*text, ir::bits(type));
    if (is_float(type)) {
      if (!node.is_number()) return std::nullopt;
      return encode_float(type, *node.value<double>());
    }
    const auto value = node.value_exact<std::int64_t>();
    const auto [low, high] = integer_limits(type);
    if (!value || *value < low || *value > high) return std::nullopt;
    return encode_integer(type, *value);
  }

  static std::string element_rule(ir::Type type) {
    const auto name = ir::info(type).name;
    const unsigned digits = ir::bits(type) / 4;
    if (is_float(type))
      return fmt::format("must be a number, or a bit pattern of at most {} digits (\"0x...\")", digits);
    const auto [low, high] = integer_limits(type);
    return fmt::format("must be an integer from {} to {} ({}), or a bit pattern of at most {} digits (\"0x...\")", low,
                       high, name, digits);
  }

  // --- buffers ---

  void buffer(const std::string& name, const toml::table& table) {
    const Fields fields(table, fmt::format("[buffer.{}]", name), buffer_keys, mistakes_);
    Buffer buffer;
    buffer.name = name;
    const auto type = fields.choice("type", spec_type_names());
    if (!type && !fields.has("type")) fields.missing("type", one_of(spec_type_names()));
    if (const auto role = fields.choice("role", roles))
      buffer.role = Role(std::find(roles.begin(), roles.end(), *role) - roles.begin());
    else if (!fields.has("role"))
      fields.missing("role", one_of(roles));
    if (const auto align = fields.integer("align", 1, 256)) {
      if (*align & (*align - 1)) fields.wrong("align", "must be a power of two up to 256");
      buffer.align = std::uint64_t(*align);
    }
    if (type) {
      buffer.type = *spec_type(*type);
      shape(fields, buffer);
      if (fields.has("values")) values(fields, buffer);
      if (fields.has("init")) init(fields, buffer);
    }
    spec_.buffers.push_back(std::move(buffer));
  }

  std::optional<std::uint32_t> integer_scalar(std::string_view name) const {
    for (std::size_t i = 0; i < spec_.scalars.size(); ++i) {
      const auto& scalar = spec_.scalars[i];
      if (scalar.name == name && !is_float(scalar.type) && scalar.type != ir::Type::b8) return std::uint32_t(i);
    }
    return std::nullopt;
  }

  // Known scalars as numbers: what is left are symbols. Gives an error or "".
  std::string insert_values(Expression& expression) const {
    for (auto& node : expression.nodes) {
      if (node.kind != ExpressionNode::Kind::scalar) continue;
      const auto& scalar = spec_.scalars[node.scalar];
      if (!scalar.value) continue;
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < scalar.value->size(); ++i) bits |= std::uint64_t((*scalar.value)[i]) << (8 * i);
      if (!ir::is_signed(scalar.type) && bits >> 63) return fmt::format("the scalar '{}' leaves 64 bits", scalar.name);
      node = constant_expression(decode_integer(scalar.type, bits)).nodes[0];
    }
    return "";
  }

  // An integer or an expression, nothing when it is wrong. Where it depends on no symbol, it is a number up to `high`.
  std::optional<Expression> expression(const Fields& fields, std::string_view key, std::int64_t high) const {
    const auto* node = fields.find(key);
    std::optional<std::int64_t> value = node->value_exact<std::int64_t>();
    if (const auto text = node->value_exact<std::string>()) {
      auto [parsed, error] = parse_expression(*text, [&](std::string_view name) { return integer_scalar(name); });
      if (error.empty()) error = insert_values(parsed);
      if (error.empty() && never_has_value(parsed)) error = "divides by zero or leaves 64 bits";
      if (!error.empty()) {
        fields.wrong(key, error);
        return std::nullopt;
      }
      value = evaluate(parsed);
      if (!value) return std::move(parsed);
    }
    if (value && *value >= 0 && *value <= high) return constant_expression(*value);
    fields.wrong(key, fmt::format("must be an integer from 0 to {}, or an expression of scalars and + - * /", high));
    return std::nullopt;
  }

  void count(const Fields& fields, Buffer& buffer, std::int64_t most_elements) const {
    auto count = expression(fields, "count", most_elements);
    if (!count) return;
    if (const auto known = evaluate(*count))
      buffer.count = std::uint64_t(*known);
    else
      buffer.count_of = std::move(count);
  }

  void shape(const Fields& fields, Buffer& buffer) {
    const std::int64_t most_elements = most_buffer_bytes / (ir::bits(buffer.type) / 8);
    if (fields.has("count")) count(fields, buffer, most_elements);
    const auto shape = fields.integers("shape", 1, most_elements);
    const auto strides = fields.integers("strides", 0, most_elements);
    if (!shape) {
      if (strides) fields.wrong("strides", "needs shape as well");
      return;
    }
    if (shape->empty()) return fields.wrong("shape", "needs at least one dimension");
    if (strides && strides->size() != shape->size())
      return fields.wrong("strides", fmt::format("must have one entry a dimension: {}", shape->size()));
    std::int64_t extent = 1;
    bool overflow = false;
    for (std::size_t i = 0; i < shape->size(); ++i) {
      std::int64_t step = 0;
      overflow |= strides ? __builtin_mul_overflow((*shape)[i] - 1, (*strides)[i], &step) ||
                                __builtin_add_overflow(extent, step, &extent)
                          : __builtin_mul_overflow(extent, (*shape)[i], &extent);
    }
    if (overflow || extent > most_elements) return fields.wrong("shape", "has too many elements");
    if (!fields.has("count")) buffer.count = std::uint64_t(extent);
    if (buffer.count && std::uint64_t(extent) > *buffer.count)
      fields.wrong("shape", fmt::format("takes {} elements, count = {}", std::uint64_t(extent), *buffer.count));
    buffer.shape.assign(shape->begin(), shape->end());
    if (strides) buffer.strides.assign(strides->begin(), strides->end());
  }

  void values(const Fields& fields, Buffer& buffer) {
    const auto name = ir::info(buffer.type).name;
    if (const auto word = fields.find("values")->value_exact<std::string>()) {
      if (*word != "finite" || !is_float(buffer.type))
        return fields.wrong("values", is_float(buffer.type) ? "must be [lowest, highest] or \"finite\""
                                                            : "must be [lowest, highest]: integers are finite");
      buffer.finite = true;
    } else if (is_float(buffer.type)) {
      buffer.values = fields.float_range("values");
      if (buffer.values && !has_float_between(buffer.type, (*buffer.values)[0], (*buffer.values)[1]))
        fields.wrong("values", fmt::format("no {} lies in this range", name));
    } else {
      buffer.integer_values = fields.integer_range("values", integer_limits(buffer.type));
    }
  }

  static bool allowed(const Buffer& buffer, std::uint64_t bits) {
    if (buffer.integer_values) {
      const auto value = decode_integer(buffer.type, bits);
      return value >= (*buffer.integer_values)[0] && value <= (*buffer.integer_values)[1];
    }
    if (!is_float(buffer.type)) return true;
    const double value = decode_float(buffer.type, bits);
    if (buffer.finite) return std::isfinite(value);
    return !buffer.values || (value >= (*buffer.values)[0] && value <= (*buffer.values)[1]);
  }

  void init(const Fields& fields, Buffer& buffer) {
    const auto* array = fields.find("init")->as_array();
    if (!array) return fields.wrong("init", "must be a list of numbers or bit patterns (\"0x...\")");
    if (buffer.count && array->size() > *buffer.count)
      return fields.wrong("init", fmt::format("has {} elements, the buffer {}", array->size(), *buffer.count));
    for (std::size_t i = 0; i < array->size(); ++i) {
      const auto& node = (*array)[i];
      const auto bits = element(node, buffer.type);
      if (!bits) {
        mistakes_.add("syntax", place_of(node),
                      fmt::format("[buffer.{}] init[{}]: {}", buffer.name, i, element_rule(buffer.type)));
      } else if (!allowed(buffer, *bits)) {
        mistakes_.add("syntax", place_of(node),
                      fmt::format("[buffer.{}] init[{}] = {} is outside the buffer's values", buffer.name, i,
                                  format_value(buffer.type, *bits)));
      }
      buffer.init.push_back(bits.value_or(0));
    }
    // What is not said is zero, so that a run does not depend on the seed in part.
    if (buffer.count && !buffer.init.empty()) buffer.init.resize(*buffer.count, 0);
  }

  // --- launches ---

  void side(const Fields& root, std::string_view name, Side side, std::vector<LaunchSpec>& launches) {
    const auto* table = root.table(name);
    if (!table) {
      if (!root.has(name) && side == Side::a)
        mistakes_.add("syntax", {1, 1}, "a spec needs a table [a] with kernel, grid, block and args");
      return;
    }
    const auto* several = table->get("launch");
    if (!several) {
      launches.push_back(launch(*table, fmt::format("[{}]", name)));
      return;
    }
    const Fields fields(*table, fmt::format("[{}]", name), {"launch"}, mistakes_);
    const auto* array = several->as_array();
    if (!array || array->empty() || !array->is_homogeneous(toml::node_type::table))
      return fields.wrong("launch", fmt::format("must be tables: write [[{}.launch]] for each", name));
    for (const auto& node : *array) launches.push_back(launch(*node.as_table(), fmt::format("[[{}.launch]]", name)));
  }

  LaunchSpec launch(const toml::table& table, const std::string& title) {
    const Fields fields(table, title, launch_keys, mistakes_);
    LaunchSpec launch;
    launch.at = fields.place();
    launch.kernel = fields.text("kernel").value_or("");
    grid(fields, launch);
    block(fields, launch);
    launch.shared = std::uint64_t(fields.integer("shared", 0, 1 << 20).value_or(0));
    if (fields.has("args")) args(fields, title, launch);
    threads(fields, launch.open);
    return launch;
  }

  static bool is_any(const toml::node& node) { return node.value_exact<std::string>() == "any"; }

  void grid(const Fields& fields, LaunchSpec& launch) const {
    const auto* node = fields.find("grid");
    if (!node) return fields.missing("grid", "the number of blocks, [x, y, z]");
    launch.open.any_grid = is_any(*node);
    if (!launch.open.any_grid) launch.grid = dims(*node);
    if (!launch.open.any_grid && !launch.grid)
      fields.wrong("grid", "must be one to three positive integers [x, y, z], or \"any\"");
  }

  void block(const Fields& fields, LaunchSpec& launch) const {
    const auto* node = fields.find("block");
    if (!node) return;
    launch.open.any_block = is_any(*node);
    if (launch.open.any_block) return;
    launch.block = dims(*node);
    if (launch.block) return;
    auto blocks = list_of_dims(*node);
    if (blocks.empty())
      return fields.wrong("block",
                          "must be one to three positive integers [x, y, z], \"any\", or a list of blocks "
                          "[[x, y, z], ...]");
    if (blocks.size() == 1) {
      launch.block = blocks[0];
      return;
    }
    launch.open.any_block = true;
    launch.open.blocks = std::move(blocks);
  }

  static std::optional<Dim3> dims(const toml::node& node) {
    const auto* array = node.as_array();
    if (!array || array->empty() || array->size() > 3) return std::nullopt;
    Dim3 dims{1, 1, 1};
    for (std::size_t i = 0; i < array->size(); ++i) {
      const auto value = (*array)[i].value_exact<std::int64_t>();
      if (!value || *value < 1 || *value > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
      dims[i] = std::uint32_t(*value);
    }
    return dims;
  }

  // Empty when it is none.
  static std::vector<Dim3> list_of_dims(const toml::node& node) {
    std::vector<Dim3> list;
    const auto* array = node.as_array();
    for (std::size_t i = 0; array && i < array->size(); ++i) {
      const auto one = dims((*array)[i]);
      if (!one) return {};
      list.push_back(*one);
    }
    return list;
  }

  void args(const Fields& fields, const std::string& title, LaunchSpec& launch) {
    const auto* array = fields.find("args")->as_array();
    if (!array) return fields.wrong("args", "must be a list of names (\"x\", \"x+256\") and integers");
    launch.has_args = true;
    for (const auto& node : *array) {
      const auto text = node.value_exact<std::string>();
      const auto number = node.value_exact<std::int64_t>();
      if (!text && !number)
        mistakes_.add("syntax", place_of(node),
                      fmt::format("{} args: must be names (\"x\", \"x+256\") and integers", title));
      launch.args.push_back(text ? *text : number ? fmt::format("{}", *number) : "0");
    }
  }

  // Whether the launch can keep to them is seen when its kernel is known.
  void threads(const Fields& fields, OpenLaunch& open) const {
    if (fields.has("min_threads")) open.min_threads = expression(fields, "min_threads", most);
    if (fields.has("max_threads")) open.max_threads = expression(fields, "max_threads", most);
    if (!open.min_threads || !open.max_threads) return;
    const auto low = evaluate(*open.min_threads), high = evaluate(*open.max_threads);
    if (low && high && *low > *high)
      fields.wrong("min_threads", fmt::format("no launch has at least {} and at most {} threads", *low, *high));
  }

  Spec& spec_;
  Mistakes& mistakes_;
};

}  // namespace

SpecResult read_spec(std::string_view text, std::string file) {
  SpecResult result;
  Spec& spec = result.spec;
  spec.file = file;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    spec.lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  Mistakes mistakes{std::move(file), {}};
  try {
    Reader(spec, mistakes).read(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    mistakes.add("syntax", {std::uint32_t(begin.line), std::uint32_t(begin.column)}, std::string(error.description()));
  }
  result.findings = std::move(mistakes.findings);
  const auto before = [](const Finding& a, const Finding& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  };
  std::stable_sort(result.findings.begin(), result.findings.end(), before);
  return result;
}

}  // namespace ptxeq::check
