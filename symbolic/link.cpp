// Module variables as objects, paired between the two sides.
#include <algorithm>
#include <bit>

#include "symbolic/program.h"

namespace ptxeq::sym {
namespace {

bool has_addresses(const ir::Variable& v) {
  return std::any_of(v.initial.begin(), v.initial.end(), [](const ir::Initial& i) { return !i.symbol.empty(); });
}

std::vector<u8> initial_bytes(const ir::Variable& v) {
  std::vector<u8> bytes(v.bytes(), 0);  // what an initialiser does not reach is zero (PTX ISA 5.4.4)
  for (const ir::Initial& i : v.initial)
    for (unsigned k = 0; k < i.size && i.offset + k < bytes.size(); ++k)
      bytes[i.offset + k] = u8(u64(i.value) >> (8 * k));
  return bytes;
}

Object object_of(const ir::Variable& v) {
  Object o{v.name, v.space, v.bytes()};
  o.align = std::bit_ceil(std::max<u64>(v.align, (ir::bits(v.type) + 7) / 8));
  o.element = u8(std::clamp<unsigned>(ir::bits(v.type) / 8, 1, 8));
  o.read_only = v.space == ir::Space::const_;
  if (v.count == 0) o.size.reset();
  if (v.initialised && !has_addresses(v)) o.bytes = initial_bytes(v);
  return o;
}

}  // namespace

ModuleObjects link_variables(const ir::Module& module, World& world, const ir::Module* other,
                             const ModuleObjects* other_objects) {
  ModuleObjects out;
  for (const ir::Variable& v : module.variables) {
    std::optional<ObjectId> shared;
    for (std::size_t k = 0; other && k < other->variables.size(); ++k) {
      const ir::Variable& w = other->variables[k];
      const bool pairs =
          w.name == v.name && w.space == v.space && w.bytes() == v.bytes() && v.space != ir::Space::shared;
      if (pairs && v.initialised == w.initialised &&
          (!v.initialised || (!has_addresses(v) && !has_addresses(w) && initial_bytes(v) == initial_bytes(w))))
        shared = (*other_objects)[k];
    }
    out.push_back(shared ? *shared : world.add(object_of(v)));
  }
  return out;
}

}  // namespace ptxeq::sym
