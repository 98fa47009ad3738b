#include "checker/section.h"

#include <algorithm>

namespace ptxeq::check {

void merge_neighbours(std::vector<Interval>& runs) {
  std::size_t kept = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[kept].end == runs[i].begin)
      runs[kept].end = runs[i].end;
    else
      runs[++kept] = runs[i];
  }
  if (!runs.empty()) runs.resize(kept + 1);
}

namespace {

constexpr std::uint64_t most_intervals = 4'000'000;

std::vector<Interval> runs(const sym::ObjectPages& pages, bool write) {
  std::vector<Interval> out;
  for (const auto& [start, page] : pages.pages())
    for (unsigned cell = 0; cell < page->cells(); ++cell) {
      const sym::Cell& c = (*page)[cell];
      if (write ? !c.writer.thread : !c.reader.thread || c.writer.thread) continue;
      const std::int64_t begin = std::int64_t(start + (std::uint64_t(cell) << page->log_cell())),
                         end = begin + (std::int64_t(1) << page->log_cell());
      if (!out.empty() && out.back().end == begin)
        out.back().end = end;
      else
        out.push_back({begin, end});
    }
  std::sort(out.begin(), out.end());  // pages before the form's place come last
  return out;
}

// Steps as long as each run make one longer run; then neighbours may touch, and so on: a tiled matrix is one interval.
void absorb(Section& s) {
  for (bool changed = true; changed && !s.runs.empty();) {
    changed = false;
    const std::int64_t length = s.runs[0].end - s.runs[0].begin;
    if (std::any_of(s.runs.begin(), s.runs.end(), [&](const Interval& r) { return r.end - r.begin != length; })) return;
    for (auto step = s.steps.begin(); step != s.steps.end(); ++step) {
      if (step->stride != length) continue;
      for (Interval& r : s.runs) r.end = r.begin + length * std::int64_t(step->count);
      // Runs that overlap now would be bytes shared between units: the steps stay as they are.
      for (std::size_t i = 1; i < s.runs.size(); ++i)
        if (s.runs[i].begin < s.runs[i - 1].end) {
          for (Interval& r : s.runs) r.end = r.begin + length;
          return;
        }
      s.steps.erase(step);
      merge_neighbours(s.runs);
      changed = true;
      break;
    }
  }
}

// Every unit's runs; false: too many.
bool expand(Section s, std::vector<Interval>& out) {
  absorb(s);
  std::uint64_t count = s.runs.size();
  for (const Section::Step& step : s.steps) {
    if (step.count > most_intervals || count * step.count + out.size() > most_intervals) return false;
    count *= step.count;
  }
  std::vector<std::uint64_t> at(s.steps.size(), 0);
  for (;;) {
    std::int64_t moved = 0;
    for (std::size_t k = 0; k < at.size(); ++k) moved += s.steps[k].stride * std::int64_t(at[k]);
    for (const Interval& r : s.runs) out.push_back({r.begin + moved, r.end + moved});
    std::size_t k = 0;
    while (k < at.size() && ++at[k] == s.steps[k].count) at[k++] = 0;
    if (k == at.size()) return true;
  }
}

}  // namespace

Section section(const std::vector<Interval>& runs, const std::vector<sym::FormPart>& form,
                const std::vector<sym::LaunchSymbol>& symbols) {
  Section s;
  s.runs = runs;
  for (std::uint32_t i = 0; i < symbols.size(); ++i) {
    const sym::LaunchSymbol& symbol = symbols[i];
    std::int64_t factor = 0;
    for (const sym::FormPart& p : form)
      if (p.symbol == i) factor = p.factor;
    const std::int64_t start = factor * (factor < 0 ? symbol.high : symbol.low);
    for (Interval& r : s.runs) r.begin += start, r.end += start;
    s.steps.push_back({factor < 0 ? -factor : factor, std::uint64_t(symbol.high - symbol.low + 1)});
  }
  return s;
}

Reach reach_of(const sym::World& world, sym::SideState& state, const sym::Forms& forms) {
  Reach out;
  for (sym::ObjectId id = 0; id < world.objects.size(); ++id) {
    const sym::Object& object = world[id];
    if (object.per_thread || object.read_only) continue;
    const auto views = state.memory.views(id);
    if (object.space != ir::Space::global) {
      if (views.size() > 1) out.overlapping.push_back(id);
      continue;
    }
    for (const auto& view : views) {
      const sym::ObjectPages& pages = *state.memory.find_pages(id, view.instance);
      const std::vector<sym::FormPart> form = forms.form_of(view.form).parts;
      if (auto list = runs(pages, true); !list.empty()) out.writes[id].push_back(section(list, form, forms.symbols()));
      if (auto list = runs(pages, false); !list.empty()) out.reads[id].push_back(section(list, form, forms.symbols()));
    }
  }
  return out;
}

void append(Sections& to, const Sections& from) {
  for (const auto& [id, list] : from) to[id].insert(to[id].end(), list.begin(), list.end());
}

Union joined(const std::vector<Section>& sections) {
  Union out;
  for (const Section& s : sections) {
    const bool unmoved = std::any_of(s.steps.begin(), s.steps.end(),
                                     [](const Section::Step& step) { return step.stride == 0 && step.count > 1; });
    if (unmoved) {  // a symbol that does not move the place
      out.shared = s.runs[0].begin;
      return out;
    }
    if (!expand(s, out.intervals)) {
      out.too_many = true;
      return out;
    }
  }
  std::sort(out.intervals.begin(), out.intervals.end());
  for (std::size_t i = 1; i < out.intervals.size(); ++i)
    if (out.intervals[i].begin < out.intervals[i - 1].end) {
      out.shared = out.intervals[i].begin;
      return out;
    }
  merge_neighbours(out.intervals);
  return out;
}

std::optional<std::int64_t> meeting(const Union& writes, const std::vector<Section>& reads, bool& too_many) {
  std::vector<Interval> list;
  for (Section s : reads) {
    std::erase_if(s.steps, [](const Section::Step& step) { return step.stride == 0; });
    if (!expand(std::move(s), list)) {
      too_many = true;
      return std::nullopt;
    }
  }
  for (const Interval& r : list) {
    const auto after = std::upper_bound(writes.intervals.begin(), writes.intervals.end(), r.begin,
                                        [](std::int64_t at, const Interval& w) { return at < w.end; });
    if (after != writes.intervals.end() && after->begin < r.end) return std::max(after->begin, r.begin);
  }
  return std::nullopt;
}

}  // namespace ptxeq::check
