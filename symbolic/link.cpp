// Module variables as objects, paired between the two sides.
#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>

#include "symbolic/program.h"

namespace ptxeq::sym {
namespace {

std::vector<u8> initial_bytes(const ir::Variable& v) {
  std::vector<u8> bytes(v.bytes(), 0);  // what an initialiser does not reach is zero (PTX ISA 5.4.4)
  for (const ir::Initial& i : v.initial)
    for (unsigned k = 0; i.symbol.empty() && k < i.size && i.offset + k < bytes.size(); ++k)
      bytes[i.offset + k] = u8(u64(i.value) >> (8 * k));
  return bytes;
}

Object object_of(const ir::Variable& v) {
  Object o{v.name, v.space, v.bytes()};
  o.align = std::bit_ceil(std::max<u64>(v.align, (ir::bits(v.type) + 7) / 8));
  o.element = u8(std::clamp<unsigned>(ir::bits(v.type) / 8, 1, 8));
  o.read_only = v.space == ir::Space::const_;
  if (v.count == 0) o.size.reset();
  if (v.initialised) o.bytes = initial_bytes(v);
  return o;
}

bool same_initial(const ir::Variable& v, const ir::Variable& w) {
  if (v.initialised != w.initialised || initial_bytes(v) != initial_bytes(w)) return false;
  const auto same = [](const ir::Initial& i, const ir::Initial& k) {
    return i.symbol == k.symbol &&
           (i.symbol.empty() || (i.offset == k.offset && i.size == k.size && i.value == k.value &&
                                 i.generic == k.generic && i.mask_shift == k.mask_shift));
  };
  return std::equal(v.initial.begin(), v.initial.end(), w.initial.begin(), w.initial.end(), same);
}

std::optional<std::size_t> index_of(const ir::Module& module, std::string_view name) {
  for (std::size_t k = 0; k < module.variables.size(); ++k)
    if (module.variables[k].name == name) return k;
  return std::nullopt;
}

// Which variable of `other` each variable is one with: same name, space, size and initialiser, and the same for every
// variable that the initialiser points to.
std::vector<std::optional<std::size_t>> pairs(const ir::Module& module, const ir::Module& other) {
  std::vector<std::optional<std::size_t>> out;
  for (const ir::Variable& v : module.variables) {
    const auto k = index_of(other, v.name);
    const bool fits = k && v.space != ir::Space::shared && other.variables[*k].space == v.space &&
                      other.variables[*k].bytes() == v.bytes() && same_initial(v, other.variables[*k]);
    out.push_back(fits ? k : std::nullopt);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < out.size(); ++i)
      for (const ir::Initial& initial : module.variables[i].initial) {
        if (!out[i] || initial.symbol.empty()) continue;
        const auto target = index_of(module, initial.symbol);
        if (!target || !out[*target]) out[i].reset(), changed = true;
      }
  }
  return out;
}

void resolve_addresses(const ir::Module& module, World& world, const ModuleObjects& objects) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    Object& object = world.objects[objects[i]];
    if (!object.addresses.empty()) continue;  // the other side's, already done
    for (const ir::Initial& initial : module.variables[i].initial) {
      if (initial.symbol.empty()) continue;
      const auto target = index_of(module, initial.symbol);
      const bool known = target && module.variables[*target].space != ir::Space::shared;
      object.addresses.push_back({initial.offset, initial.size, u8(initial.mask_shift == 0xff ? 0 : initial.mask_shift),
                                  known ? objects[*target] : no_object, u64(initial.value), initial.generic});
    }
  }
}

}  // namespace

ModuleObjects link_variables(const ir::Module& module, World& world, const ir::Module* other,
                             const ModuleObjects* other_objects) {
  ModuleObjects out;
  const auto paired = other ? pairs(module, *other) : std::vector<std::optional<std::size_t>>(module.variables.size());
  for (std::size_t i = 0; i < module.variables.size(); ++i)
    out.push_back(paired[i] ? (*other_objects)[*paired[i]] : world.add(object_of(module.variables[i])));
  resolve_addresses(module, world, out);
  return out;
}

}  // namespace ptxeq::sym
