// Memory objects of a launch: buffers, module variables, shared and local variables, parameters. Separate objects
// never overlap; an address belongs to one of them (SOUNDNESS rule 14).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "ir/module.h"
#include "symbolic/ops.h"

namespace ptxeq::sym {

// What the bytes are before anyone writes them.
enum class Contents : u8 {
  input,      // arbitrary, the same on both sides: leaves of this object
  out,        // likewise, but reading them is an uninitialised read
  undefined,  // nobody wrote them: fresh at each read
};

using ObjectId = u32;
inline constexpr ObjectId no_object = ~ObjectId(0);

// Where an initialiser holds the address of a variable, or of something that has no object (a function).
struct InitialAddress {
  u64 offset = 0;  // bytes, in the object
  u8 size = 8;     // bytes: the low ones of the address
  u8 shift = 0;    // of which bits: a mask operator's byte
  ObjectId object = no_object;
  u64 addend = 0;
  bool generic = false;
};

struct Object {
  std::string name;
  ir::Space space = ir::Space::global;
  std::optional<u64> size{};  // bytes; nothing: unknown, bounds unchecked
  u64 align = 256;            // bytes, a power of two
  u8 element = 4;             // bytes of a leaf: 1, 2, 4 or 8
  Contents contents = Contents::input;
  bool per_thread = false;                  // one instance a thread (local, call parameters)
  bool placed_by_host = false;              // its address is the caller's choice: any that has `align`
  bool read_only = false;                   // .const, kernel parameters
  std::vector<u8> bytes{};                  // known initial contents, empty: `contents` says
  std::vector<InitialAddress> addresses{};  // in place of some of them
};

// All objects that the two sides can name; ids are indices. A buffer's id is the same for both sides.
struct World {
  std::deque<Object> objects;
  const Object& operator[](ObjectId id) const { return objects[id]; }
  ObjectId add(Object object) {
    objects.push_back(std::move(object));
    return ObjectId(objects.size() - 1);
  }
};

}  // namespace ptxeq::sym
