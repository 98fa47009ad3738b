// The bytes of the objects: pages of cells, each cell a value and who touched it last. A page's cells have one size,
// that of the first access; a smaller or crooked access splits them, so every byte is told apart where it matters.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "symbolic/symbolic_domain.h"

namespace ptxeq::sym {

inline constexpr Tag initial_tag = 4;  // a cell nobody wrote; not a tag of values

// Who touched a cell, and when. Time counts the machine's synchronisations.
struct Touch {
  static constexpr u32 time_mask = (1u << 25) - 1;
  u32 thread = 0;  // global number + 1; 0: nobody
  u32 time : 25 = 0;
  u32 strong : 1 = 0;       // volatile, relaxed ...: no race with another strong access
  u32 read_only : 1 = 0;    // readers: with .nc, in this launch
  u32 conditional : 1 = 0;  // perhaps not at all
  u32 several : 1 = 0;  // readers, or writers of the same value: another thread of this block since its last barrier
  u32 several_blocks : 1 = 0;   // the same, another block of this launch
  u32 replaced : 1 = 0;         // writers: the cell held another written value since the block's last barrier
  u32 replaced_blocks : 1 = 0;  // the same, in this launch
};

// Everything about a few bytes, together in half a cache line.
struct Cell {
  u64 bits = 0;
  Tag tag = initial_tag;
  alignas(u64) Touch writer, reader;  // each copied as one word
};
static_assert(sizeof(Cell) == 32);

class Page {
 public:
  static constexpr unsigned log_bytes = 9;  // a tile's row of a wide matrix should not fill cells that nobody touches
  static constexpr u64 bytes = u64(1) << log_bytes;

  explicit Page(unsigned log_cell);
  unsigned log_cell() const { return log_cell_; }
  unsigned cells() const { return unsigned(bytes >> log_cell_); }

  Cell& operator[](unsigned cell) { return cells_[cell]; }
  const Cell& operator[](unsigned cell) const { return cells_[cell]; }

 private:
  unsigned log_cell_;
  std::unique_ptr<Cell[]> cells_;
};

// One object's pages, or one thread's copy of it.
class ObjectPages {
 public:
  Page* find(u64 offset) const {
    const u64 number = offset >> Page::log_bytes;
    if (number < dense_.size() && dense_[number]) return dense_[number].get();
    if (sparse_.empty()) return nullptr;
    const auto at = sparse_.find(number);
    return at == sparse_.end() ? nullptr : at->second.get();
  }
  Page& get(u64 offset, unsigned log_cell) {
    if (Page* p = find(offset)) return *p;
    return make(offset >> Page::log_bytes, log_cell);
  }
  void replace(u64 number, std::unique_ptr<Page> page);
  // Every page, in order of offset.
  std::vector<std::pair<u64, Page*>> pages() const;
  bool empty() const { return dense_.empty() && sparse_.empty(); }

 private:
  static constexpr u64 dense_limit = u64(1) << 19;
  Page& make(u64 number, unsigned log_cell);
  std::vector<std::unique_ptr<Page>> dense_;  // by number, as long as that is not mostly empty
  u64 filled_ = 0;                            // of them
  std::unordered_map<u64, std::unique_ptr<Page>> sparse_;
};

// What the contents of an input are, where they are known: element `index` of the object.
using InitialElement = std::function<std::optional<u64>(ObjectId object, u64 index)>;

class Memory {
 public:
  Memory(SymbolicDomain& domain, InitialElement initial) : domain_(domain), initial_(std::move(initial)) {}

  // Reads and writes `size` bytes (1, 2, 4, 8); bounds are the caller's business. `instance`: the thread, for an
  // object that each thread has, else a view. A load of what nobody wrote gives the object's initial contents.
  Value load(ObjectId object, u32 instance, u64 offset, unsigned size, bool by_kernel = true);
  void store(ObjectId object, u32 instance, u64 offset, unsigned size, const Value& value);

  // The cells that [offset, offset + size) covers, split so that they cover nothing else.
  struct Cells {
    Page* page = nullptr;
    unsigned first = 0, count = 0;
  };
  Cells cells(ObjectId object, u32 instance, u64 offset, unsigned size);
  // Fills an unwritten cell from the initial contents.
  void fill(ObjectId object, u32 instance, u64 offset, Page& page, unsigned cell, bool by_kernel);

  // An object seen from a place that launch symbols move, offsets being counted from there: a view of its own. Whether
  // two views of an object overlap is for the caller to find out. View 0 has no form.
  u32 view(ObjectId object, Tag form);
  struct View {
    u32 instance = 0;
    Tag form = concrete_tag;
  };
  std::vector<View> views(ObjectId object) const;

  ObjectPages& pages(ObjectId object, u32 instance = 0);
  const ObjectPages* find_pages(ObjectId object, u32 instance = 0) const;
  void forget(ObjectId object);  // undefined again
  // The object's contents before anyone wrote; `by_kernel`: as a load sees them, which marks reads of an `out` buffer.
  Value initial(ObjectId object, u64 offset, unsigned size, bool by_kernel, Tag form = concrete_tag) {
    return initial_value(object, form, offset, size, by_kernel);
  }
  SymbolicDomain& domain() { return domain_; }

 private:
  Value initial_value(ObjectId object, Tag form, u64 offset, unsigned size, bool by_kernel);
  Value initial_element(ObjectId object, Tag form, u64 index, bool by_kernel);
  Tag form_of(ObjectId object, u32 instance) const {
    return instance && object < forms_.size() && instance < forms_[object].size() ? forms_[object][instance]
                                                                                  : concrete_tag;
  }
  void split(ObjectPages& pages, u64 number, unsigned log_cell);
  SymbolicDomain& domain_;
  InitialElement initial_;
  std::vector<std::vector<ObjectPages>> objects_;  // by object and instance
  std::vector<std::vector<Tag>> forms_;            // by object and view
};

}  // namespace ptxeq::sym
