#include "symbolic/memory.h"

#include <algorithm>
#include <bit>

namespace ptxeq::sym {

Page::Page(unsigned log_cell) : log_cell_(log_cell), cells_(new Cell[bytes >> log_cell]) {}

Page& ObjectPages::make(u64 number, unsigned log_cell) {
  auto page = std::make_unique<Page>(log_cell);
  Page& made = *page;
  replace(number, std::move(page));
  return made;
}

void ObjectPages::replace(u64 number, std::unique_ptr<Page> page) {
  constexpr u64 share = 16, at_first = 256;
  const bool known = number < dense_.size() && dense_[number];
  if (!known && (number >= std::min(dense_limit, at_first + share * filled_) || sparse_.contains(number))) {
    sparse_[number] = std::move(page);
    return;
  }
  if (number >= dense_.size()) dense_.resize(number + 1);
  filled_ += !known;
  dense_[number] = std::move(page);
}

std::vector<std::pair<u64, Page*>> ObjectPages::pages() const {
  std::vector<std::pair<u64, Page*>> out;
  for (u64 i = 0; i < dense_.size(); ++i)
    if (dense_[i]) out.emplace_back(i << Page::log_bytes, dense_[i].get());
  for (const auto& [number, page] : sparse_) out.emplace_back(number << Page::log_bytes, page.get());
  if (!sparse_.empty()) std::sort(out.begin(), out.end());
  return out;
}

ObjectPages& Memory::pages(ObjectId object, u32 instance) {
  if (object >= objects_.size()) objects_.resize(std::max<std::size_t>(object + 1, domain_.world().objects.size()));
  auto& instances = objects_[object];
  if (instance >= instances.size()) instances.resize(instance + 1);
  return instances[instance];
}

const ObjectPages* Memory::find_pages(ObjectId object, u32 instance) const {
  return object < objects_.size() && instance < objects_[object].size() ? &objects_[object][instance] : nullptr;
}

u32 Memory::view(ObjectId object, Tag form) {
  if (form == concrete_tag) return 0;
  if (object >= forms_.size()) forms_.resize(object + 1);
  std::vector<Tag>& forms = forms_[object];
  if (forms.empty()) forms.push_back(concrete_tag);
  const auto at = std::find(forms.begin(), forms.end(), form);
  if (at == forms.end()) forms.push_back(form);
  return u32(std::find(forms.begin(), forms.end(), form) - forms.begin());
}

std::vector<Memory::View> Memory::views(ObjectId object) const {
  std::vector<View> out;
  if (object >= objects_.size()) return out;
  for (u32 i = 0; i < objects_[object].size(); ++i)
    if (!objects_[object][i].empty()) out.push_back({i, form_of(object, i)});
  return out;
}

void Memory::forget(ObjectId object) {
  if (object < objects_.size()) objects_[object].clear();
}

// A cell made smaller: the parts hold the slices of its value, and everyone who touched it.
void Memory::split(ObjectPages& pages, u64 number, unsigned log_cell) {
  Page& old = *pages.find(number << Page::log_bytes);
  auto page = std::make_unique<Page>(log_cell);
  const unsigned parts = 1u << (old.log_cell() - log_cell), width = 8u << log_cell;
  for (unsigned c = 0; c < old.cells(); ++c) {
    const Cell& whole = old[c];
    if (whole.tag == initial_tag && !whole.writer.thread && !whole.reader.thread) continue;
    for (unsigned k = 0; k < parts; ++k) {
      Cell& to = (*page)[c * parts + k];
      to = whole;
      if (whole.tag == initial_tag || whole.tag == undefined_tag || whole.tag == unspecified_tag) continue;
      const Value part = domain_.extract({whole.bits, whole.tag, 8u << old.log_cell()}, k * width, width);
      to.bits = part.bits, to.tag = part.tag;
    }
  }
  pages.replace(number, std::move(page));
}

Memory::Cells Memory::cells(ObjectId object, u32 instance, u64 offset, unsigned size) {
  ObjectPages& in = pages(object, instance);
  const unsigned wanted = unsigned(std::countr_zero(offset | size));  // the largest cells that fit
  Page* page = &in.get(offset, wanted);
  if (page->log_cell() > wanted) {
    split(in, offset >> Page::log_bytes, wanted);
    page = in.find(offset);
  }
  const unsigned log_cell = page->log_cell();
  return {page, unsigned((offset & (Page::bytes - 1)) >> log_cell), std::max(1u, size >> log_cell)};
}

Value Memory::initial_element(ObjectId object, Tag form, u64 index, bool by_kernel) {
  const Object& o = domain_.world()[object];
  const unsigned width = o.element * 8u;
  if (!o.bytes.empty() && form == concrete_tag) {
    u64 v = 0;
    for (unsigned k = 0; k < o.element; ++k)
      if (const u64 at = index * o.element + k; at < o.bytes.size()) v |= u64(o.bytes[at]) << (8 * k);
    return SymbolicDomain::constant(width, v);
  }
  if (o.contents == Contents::undefined) return {0, undefined_tag, width};
  if (initial_)
    if (const auto known = initial_(object, index)) return SymbolicDomain::constant(width, *known);
  const bool stale = by_kernel && o.contents == Contents::out;
  const Leaf leaf{stale ? LeafKind::stale : LeafKind::memory, object, index, form};
  return domain_.value(domain_.store().leaf(leaf, width));
}

// `size` bytes at `offset` out of the object's leaves: one, a slice of one, or several joined.
Value Memory::initial_value(ObjectId object, Tag form, u64 offset, unsigned size, bool by_kernel) {
  const Object& o = domain_.world()[object];
  if (o.bytes.empty() && o.contents == Contents::undefined) return {0, undefined_tag, size * 8};
  for (const InitialAddress& a : o.addresses) {
    if (offset + size <= a.offset || offset >= a.offset + a.size) continue;
    if (a.offset <= offset && offset + size <= a.offset + a.size) {
      if (a.object == no_object) return {0, unspecified_tag, size * 8};
      const bool generic = a.generic && domain_.world()[a.object].space != ir::Space::global;
      const Value whole{a.addend, base_tag(a.object, generic), 64};
      const unsigned low = a.shift + unsigned(offset - a.offset) * 8;
      return low == 0 && size == 8 ? whole : domain_.extract(whole, low, size * 8);
    }
    const unsigned half = std::bit_floor(size - 1);  // it holds more than the address or not all of it
    const Value low = initial_value(object, form, offset, half, by_kernel);
    return domain_.concat(initial_value(object, form, offset + half, size - half, by_kernel), low);
  }
  const unsigned element = o.element;
  const u64 index = form == concrete_tag ? offset / element : u64(i64(offset) >> std::countr_zero(element));
  const unsigned within = unsigned(offset % element);
  if (within + size <= element) {
    const Value whole = initial_element(object, form, index, by_kernel);
    return size == element ? whole : domain_.extract(whole, within * 8, size * 8);
  }
  const unsigned first = element - within;  // bytes of the first leaf
  const unsigned low_size = within ? std::min(first, size) : std::min<unsigned>(std::bit_floor(size - 1), size);
  const Value low = initial_value(object, form, offset, low_size, by_kernel);
  return domain_.concat(initial_value(object, form, offset + low_size, size - low_size, by_kernel), low);
}

void Memory::fill(ObjectId object, u32 instance, u64 offset, Page& page, unsigned cell, bool by_kernel) {
  const Object& o = domain_.world()[object];
  if (o.contents == Contents::input && o.element == 1u << page.log_cell() && offset % o.element == 0 &&
      o.bytes.empty() && o.addresses.empty() && !initial_ &&
      instance == 0) {  // a leaf of its own, as initial_value says too, but slowly
    page[cell].bits = domain_.store().leaf({LeafKind::memory, object, offset / o.element}, o.element * 8u);
    page[cell].tag = term_tag;
    return;
  }
  const Value v = initial_value(object, form_of(object, instance), offset, 1u << page.log_cell(), by_kernel);
  page[cell].bits = v.bits, page[cell].tag = v.tag;
}

Value Memory::load(ObjectId object, u32 instance, u64 offset, unsigned size, bool by_kernel) {
  if (const unsigned room = unsigned(Page::bytes - (offset & (Page::bytes - 1))); room < size) {
    const Value low = load(object, instance, offset, room, by_kernel);
    return domain_.concat(load(object, instance, offset + room, size - room, by_kernel), low);
  }
  const Cells c = cells(object, instance, offset, size);
  Page& page = *c.page;
  const unsigned width = 8u << page.log_cell();
  Value out;
  for (unsigned k = c.count; k-- > 0;) {
    const unsigned cell = c.first + k;
    Value part{page[cell].bits, page[cell].tag, width};
    if (part.tag == initial_tag)
      part = initial_value(object, form_of(object, instance),
                           (offset & ~(Page::bytes - 1)) + (u64(cell) << page.log_cell()), 1u << page.log_cell(),
                           by_kernel);
    out = out.w == 0 ? part : domain_.concat(out, part);
  }
  return out;
}

void Memory::store(ObjectId object, u32 instance, u64 offset, unsigned size, const Value& value) {
  if (const unsigned room = unsigned(Page::bytes - (offset & (Page::bytes - 1))); room < size) {
    store(object, instance, offset, room, domain_.extract(value, 0, room * 8));
    store(object, instance, offset + room, size - room, domain_.extract(value, room * 8, (size - room) * 8));
    return;
  }
  const Cells c = cells(object, instance, offset, size);
  const unsigned width = 8u << c.page->log_cell();
  for (unsigned k = 0; k < c.count; ++k) {
    const bool whole = c.count == 1 || value.tag == undefined_tag || value.tag == unspecified_tag;
    const Value part = whole ? value : domain_.extract(value, k * width, width);
    Cell& cell = (*c.page)[c.first + k];
    cell.bits = part.bits, cell.tag = part.tag;
  }
}

}  // namespace ptxeq::sym
