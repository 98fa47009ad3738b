#include "checker/places.h"

#include <algorithm>

namespace ptxeq::check {
namespace {

// The first interval that ends after `at`.
std::vector<Interval>::const_iterator first_after(const std::vector<Interval>& list, std::int64_t at) {
  return std::upper_bound(list.begin(), list.end(), at, [](std::int64_t x, const Interval& i) { return x < i.end; });
}

void note(std::vector<Interval>& list, const Interval& i) {
  if (!list.empty() && list.back().end == i.begin)
    list.back().end = i.end;
  else
    list.push_back(i);
}

void put(Places& to, const View& view, std::vector<Interval> list) {
  if (list.empty()) return;
  std::sort(list.begin(), list.end());  // pages before the form's place come last
  merge_neighbours(list);
  to[view] = std::move(list);
}

}  // namespace

Accesses accesses_since(const sym::World& world, const sym::SideState& state, const sym::Forms& forms,
                        std::uint32_t time) {
  Accesses out;
  for (sym::ObjectId id = 0; id < world.objects.size(); ++id) {
    const sym::Object& object = world[id];
    if (object.space != ir::Space::global || object.per_thread || object.read_only) continue;
    for (const auto& view : state.memory.views(id)) {
      std::vector<Interval> writes, reads;
      for (const auto& [start, page] : state.memory.find_pages(id, view.instance)->pages())
        for (unsigned cell = 0; cell < page->cells(); ++cell) {
          const sym::Cell& c = (*page)[cell];
          const std::int64_t begin = std::int64_t(start + (std::uint64_t(cell) << page->log_cell()));
          const Interval here{begin, begin + (std::int64_t(1) << page->log_cell())};
          const bool written = c.writer.thread && c.writer.time >= time;
          if (written) note(writes, here);
          if ((c.reader.thread && c.reader.time >= time) || (written && c.writer.conditional)) note(reads, here);
        }
      const View key{id, forms.form_of(view.form).parts};
      put(out.writes, key, std::move(writes)), put(out.reads, key, std::move(reads));
    }
  }
  return out;
}

bool meets(const std::vector<Interval>& list, const Interval& i) {
  const auto at = first_after(list, i.begin);
  return at != list.end() && at->begin < i.end;
}

std::vector<Interval> united(std::vector<Interval> a, const std::vector<Interval>& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  std::vector<Interval> out;
  for (const Interval& i : a) {
    if (!out.empty() && i.begin <= out.back().end)
      out.back().end = std::max(out.back().end, i.end);
    else
      out.push_back(i);
  }
  return out;
}

std::vector<Interval> without(const std::vector<Interval>& from, const std::vector<Interval>& what) {
  std::vector<Interval> out;
  for (Interval i : from) {
    for (auto w = first_after(what, i.begin); w != what.end() && w->begin < i.end; ++w) {
      if (i.begin < w->begin) out.push_back({i.begin, w->begin});
      i.begin = w->end;
    }
    if (i.begin < i.end) out.push_back(i);
  }
  return out;
}

Places without(const Places& from, const Places& what) {
  Places out;
  for (const auto& [view, list] : from) {
    const auto at = what.find(view);
    if (auto rest = at == what.end() ? list : without(list, at->second); !rest.empty()) out[view] = std::move(rest);
  }
  return out;
}

}  // namespace ptxeq::check
