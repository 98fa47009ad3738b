#include "checker/footprint.h"

#include <algorithm>
#include <set>

namespace ptxeq::check {
namespace {

// A cell more, joined with the run that it continues. The list's runs from `first` on are of one object.
void extend(std::vector<Touched>& runs, std::size_t first, const Touched& cell) {
  if (runs.size() > first && runs.back().end == cell.begin)
    runs.back().end = cell.end;
  else
    runs.push_back(cell);
}

void touched(const sym::ObjectPages& pages, sym::ObjectId object, std::uint32_t group, Footprint& out) {
  const std::size_t first_read = out.reads.size(), first_write = out.writes.size();
  for (const auto& [start, page] : pages.pages()) {
    const std::uint64_t size = std::uint64_t(1) << page->log_cell();
    for (unsigned cell = 0; cell < page->cells(); ++cell) {
      const sym::Cell& c = (*page)[cell];
      if (!(c.reader.thread | c.writer.thread)) continue;
      const std::uint64_t begin = start + cell * size;
      const Touched here{object, begin, begin + size, group};
      if (c.reader.thread) extend(out.reads, first_read, here);
      if (c.writer.thread) extend(out.writes, first_write, here);
    }
  }
}

// Two sorted lists; do runs of different groups overlap?
bool overlap(const std::vector<Touched>& xs, const std::vector<Touched>& ys) {
  std::size_t first = 0;
  // The longest end so far bounds how far back a run can reach.
  std::uint64_t longest = 0;
  for (const Touched& y : ys) longest = std::max(longest, y.end - y.begin);
  for (const Touched& x : xs) {
    while (first < ys.size() &&
           (ys[first].object < x.object || (ys[first].object == x.object && ys[first].begin + longest <= x.begin)))
      ++first;
    for (std::size_t k = first; k < ys.size() && ys[k].object == x.object && ys[k].begin < x.end; ++k)
      if (ys[k].group != x.group && ys[k].end > x.begin) return true;
  }
  return false;
}

}  // namespace

void Footprint::add(const sym::World& world, const sym::SideState& state, std::uint32_t group) {
  for (sym::ObjectId id = 0; id < world.objects.size(); ++id) {
    if (world[id].space != ir::Space::global) continue;
    if (state.read_anywhere.contains(id))
      reads.push_back({id, 0, world[id].size.value_or(~std::uint64_t(0) >> 1), group});
    const sym::ObjectPages* pages = state.memory.find_pages(id);
    if (!pages) continue;
    touched(*pages, id, group, *this);
  }
}

void Footprint::add(const Footprint& other) {
  reads.insert(reads.end(), other.reads.begin(), other.reads.end());
  writes.insert(writes.end(), other.writes.begin(), other.writes.end());
}

bool conflict(Footprint& f) {
  std::sort(f.writes.begin(), f.writes.end());
  std::set<sym::ObjectId> written;
  for (const Touched& w : f.writes) written.insert(w.object);
  std::erase_if(f.reads, [&](const Touched& r) { return !written.count(r.object); });  // may be read by all
  std::sort(f.reads.begin(), f.reads.end());
  return overlap(f.writes, f.writes) || overlap(f.writes, f.reads);
}

}  // namespace ptxeq::check
