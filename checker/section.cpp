#include "checker/section.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "checker/problem.h"

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

using i64 = std::int64_t;

i64 floor_div(i64 a, i64 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

std::vector<Interval> runs(const sym::ObjectPages& pages, bool write) {
  std::vector<Interval> out;
  for (const auto& [start, page] : pages.pages())
    for (unsigned cell = 0; cell < page->cells(); ++cell) {
      const sym::Cell& c = (*page)[cell];
      if (write ? !c.writer.thread : !c.reader.thread || c.writer.thread) continue;
      const std::int64_t begin = std::int64_t(start + (std::uint64_t(cell) << page->log_cell()));
      const std::int64_t end = std::min(begin, std::numeric_limits<i64>::max() - 8) + (i64(1) << page->log_cell());
      if (!out.empty() && out.back().end == begin)
        out.back().end = end;
      else
        out.push_back({begin, end});
    }
  std::sort(out.begin(), out.end());  // pages before the form's place come last
  return out;
}

// Places where sums of offsets could wrap; nothing lies there.
bool far(const sym::ObjectPages& pages) {
  constexpr std::uint64_t most = std::uint64_t(1) << 56;
  for (const auto& [start, page] : pages.pages())
    if (start + most >= 2 * most) return true;
  return false;
}

// May a unit see what another one stores in a byte that both write?
bool reads_back(const sym::ObjectPages& pages) {
  for (const auto& [start, page] : pages.pages())
    for (unsigned cell = 0; cell < page->cells(); ++cell)
      if (const sym::Cell& c = (*page)[cell]; c.writer.thread && (c.reader.thread || c.writer.strong)) return true;
  return false;
}

// Bytes as a section's, and in how many units of either list each of them is for one place of the steps.
struct Part {
  std::vector<Interval> runs;
  std::vector<Section::Step> steps;  // each moves the runs
  std::array<std::uint64_t, 2> units{};
};

// Steps as long as each run make one longer run; then neighbours may touch, and so on: a tiled matrix is one interval.
void absorb(Part& p) {
  for (bool changed = true; changed && !p.runs.empty();) {
    changed = false;
    const i64 length = p.runs[0].end - p.runs[0].begin;
    if (std::any_of(p.runs.begin(), p.runs.end(), [&](const Interval& r) { return r.end - r.begin != length; })) return;
    for (auto step = p.steps.begin(); step != p.steps.end(); ++step) {
      if (step->stride != length) continue;
      for (Interval& r : p.runs) r.end = r.begin + length * i64(step->count);
      // Runs that overlap now would be bytes shared between units: the steps stay as they are.
      for (std::size_t i = 1; i < p.runs.size(); ++i)
        if (p.runs[i].begin < p.runs[i - 1].end) {
          for (Interval& r : p.runs) r.end = r.begin + length;
          return;
        }
      p.steps.erase(step);
      merge_neighbours(p.runs);
      changed = true;
      break;
    }
  }
}

// How many intervals the part is, or more than `most`.
std::uint64_t intervals(const Part& p, std::uint64_t most) {
  std::uint64_t count = p.runs.size();
  for (const Section::Step& step : p.steps) {
    if (count > most || step.count > most / count) return most + 1;
    count *= step.count;
  }
  return count;
}

template <class F>
void each_interval(const Part& p, F f) {
  std::vector<std::uint64_t> at(p.steps.size(), 0);
  for (;;) {
    i64 moved = 0;
    for (std::size_t k = 0; k < at.size(); ++k) moved += p.steps[k].stride * i64(at[k]);
    for (const Interval& r : p.runs) f(Interval{r.begin + moved, r.end + moved});
    std::size_t k = 0;
    while (k < at.size() && ++at[k] == p.steps[k].count) at[k++] = 0;
    if (k == at.size()) return;
  }
}

using See = std::function<bool(Interval)>;

class Search {
 public:
  Search(Wanted wanted, const SearchLimits& limits) : wanted_(wanted), limits_(limits) {}

  // False: too many intervals. With `stopped` the rest was not asked for.
  bool run(std::vector<Part> parts, const See& see) {
    std::uint64_t count = 0;
    for (Part& p : parts) {
      absorb(p);
      count = std::min(count + intervals(p, limits_.most), limits_.most + 1);
    }
    const bool told = told_;
    if (count > limits_.few && residues(parts, see)) return true;
    if (count > limits_.most || told_ != told) return false;
    compare(parts, see);
    return true;
  }

 private:
  void tell(const See& see, Interval where) {
    if (stopped_) return;
    told_ = true;
    if (!see(where)) stopped_ = true;
  }

  // Every interval, one by one.
  void compare(const std::vector<Part>& parts, const See& see) {
    struct Edge {
      i64 at = 0;
      const Part* part = nullptr;
      bool begins = false;
    };
    std::vector<Edge> edges;
    for (const Part& p : parts)
      each_interval(
          p, [&](const Interval& i) { edges.push_back({i.begin, &p, true}), edges.push_back({i.end, &p, false}); });
    std::sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) { return x.at < y.at; });
    std::array<std::uint64_t, 2> units{};
    std::optional<i64> since;
    for (std::size_t i = 0; i < edges.size() && !stopped_;) {
      const i64 at = edges[i].at;
      for (; i < edges.size() && edges[i].at == at; ++i)
        for (unsigned k = 0; k < 2; ++k)
          units[k] += edges[i].begins ? edges[i].part->units[k] : -edges[i].part->units[k];
      const bool here = wanted_(units[0], units[1]);
      if (since && !here) tell(see, {*since, at}), since.reset();
      if (!since && here) since = at;
    }
  }

  // The longest row of steps, `stride` apart, cuts the object into windows. What lies at the same place of each window
  // is compared by the windows' numbers, where that row is one interval. False: too many pieces.
  bool residues(const std::vector<Part>& parts, const See& see) {
    const Section::Step* longest = nullptr;
    for (const Part& p : parts)
      for (const Section::Step& step : p.steps)
        if (!longest || step.count > longest->count) longest = &step;
    if (!longest || longest->stride < 2) return false;
    const i64 window = longest->stride;
    std::vector<std::pair<Interval, Part>> pieces;  // a place in the window, and the windows' numbers
    for (const Part& p : parts)
      if (!cut(p, window, pieces)) return false;
    std::vector<i64> edges;
    for (const auto& [place, part] : pieces) edges.push_back(place.begin), edges.push_back(place.end);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    std::vector<std::vector<Part>> at(edges.size());  // from each edge to the next
    std::uint64_t filled = 0;
    for (const auto& [place, part] : pieces) {
      for (auto e = std::lower_bound(edges.begin(), edges.end(), place.begin); *e != place.end; ++e) {
        if (++filled > most_filled) return false;
        at[std::size_t(e - edges.begin())].push_back(part);
      }
    }
    for (std::size_t e = 0; e + 1 < edges.size() && !stopped_; ++e) {
      const Interval place{edges[e], edges[e + 1]};
      const bool found = run(std::move(at[e]), [&](Interval windows) {
        if (place.end - place.begin == window) tell(see, {windows.begin * window, windows.end * window});
        for (i64 w = windows.begin; w < windows.end && place.end - place.begin < window && !stopped_; ++w)
          tell(see, {w * window + place.begin, w * window + place.end});
        return !stopped_;
      });
      if (!found) return false;
    }
    return true;
  }

  // Steps by whole windows move the windows' numbers; by the others and the runs places are told apart.
  bool cut(const Part& p, i64 window, std::vector<std::pair<Interval, Part>>& pieces) const {
    Part within{p.runs, {}, p.units}, whole{{}, {}, p.units};
    for (const Section::Step& step : p.steps)
      if (step.stride % window == 0)
        whole.steps.push_back({step.stride / window, step.count});
      else
        within.steps.push_back(step);
    if (intervals(within, limits_.most) + pieces.size() > std::max<std::uint64_t>(limits_.few, 64)) return false;
    const auto add = [&](Interval place, i64 first, i64 last) {
      if (place.begin == place.end || first == last) return;
      pieces.push_back({place, whole});
      pieces.back().second.runs = {{first, last}};
    };
    each_interval(within, [&](const Interval& i) {
      const i64 first = floor_div(i.begin, window), last = floor_div(i.end, window);
      const i64 begin = i.begin - first * window, end = i.end - last * window;
      if (first == last) return add({begin, end}, first, first + 1);
      add({begin, window}, first, first + 1);
      add({0, window}, first + 1, last);
      add({0, end}, last, last + 1);
    });
    return true;
  }

  static constexpr std::uint64_t most_filled = 1u << 18;
  Wanted wanted_;
  SearchLimits limits_;
  bool stopped_ = false, told_ = false;
};

// Looks for the steps of a section that bring a run to a byte.
class Finder {
 public:
  Finder(const Section& section, std::size_t most, Touchers& out)
      : section_(section), most_(most), out_(out), at_(section.steps.size(), 0), order_(section.steps.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t(0));
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t x, std::size_t y) { return section.steps[x].stride > section.steps[y].stride; });
    later_.assign(order_.size() + 1, 0);
    for (std::size_t k = order_.size(); k-- > 0;)
      later_[k] = later_[k + 1] + section.steps[order_[k]].stride * i64(section.steps[order_[k]].count - 1);
  }

  void find(std::int64_t byte, std::size_t k = 0) {
    if (k == order_.size()) return finish(byte);
    const Section::Step& step = section_.steps[order_[k]];
    i64 first = 0, last = i64(step.count) - 1;
    if (step.stride > 0) {
      first = std::max(first, -floor_div(section_.runs.back().end - 1 + later_[k + 1] - byte, step.stride));
      last = std::min(last, floor_div(byte - section_.runs.front().begin, step.stride));
    }
    for (i64 t = first; t <= last && out_.all; ++t) {
      if (left_-- == 0) out_.all = false;
      at_[order_[k]] = step.first + (step.down ? -t : t);
      find(byte - t * step.stride, k + 1);
    }
  }

 private:
  void finish(i64 byte) {
    const auto run = std::upper_bound(section_.runs.begin(), section_.runs.end(), byte,
                                      [](i64 at, const Interval& r) { return at < r.end; });
    if (run == section_.runs.end() || run->begin > byte) return;
    if (out_.units.size() == most_)
      out_.all = false;
    else
      out_.units.push_back({section_.box, at_, run->end - byte});
  }

  const Section& section_;
  std::size_t most_;
  Touchers& out_;
  std::uint64_t left_ = 1u << 20;   // of the search's steps
  std::vector<i64> at_;             // the symbols
  std::vector<std::size_t> order_;  // of the steps, the widest first
  std::vector<i64> later_;          // how far the steps from there on move at most
};

}  // namespace

Section section(const std::vector<Interval>& runs, const std::vector<sym::FormPart>& form,
                std::span<const sym::LaunchSymbol> symbols) {
  Section s;
  s.runs = runs;
  merge_neighbours(s.runs);
  for (std::uint32_t i = 0; i < symbols.size(); ++i) {
    const sym::LaunchSymbol& symbol = symbols[i];
    std::int64_t factor = 0;
    for (const sym::FormPart& p : form)
      if (p.symbol == i) factor = p.factor;
    const std::int64_t start = factor * (factor < 0 ? symbol.high : symbol.low);
    for (Interval& r : s.runs) r.begin += start, r.end += start;
    s.steps.push_back({factor < 0 ? -factor : factor, std::uint64_t(symbol.high - symbol.low + 1),
                       factor < 0 ? symbol.high : symbol.low, factor < 0});
  }
  return s;
}

Reach reach_of(const sym::World& world, sym::SideState& state, const sym::Forms& forms, std::size_t symbols) {
  Reach out;
  out.traps = state.trapped != 0;
  for (sym::ObjectId id = 0; id < world.objects.size(); ++id) {
    const sym::Object& object = world[id];
    if (object.per_thread || object.read_only) continue;
    const auto views = state.memory.views(id);
    if (object.space != ir::Space::global) {
      if (views.size() > 1) out.overlapping.push_back(id);
      continue;
    }
    const std::span<const sym::LaunchSymbol> of_box(forms.symbols().data(), symbols);
    if (state.read_anywhere.contains(id))
      out.reads[id].push_back(section({{0, std::int64_t(object.size.value_or(most_buffer_bytes))}}, {}, of_box));
    for (const auto& view : views) {
      const auto& parts = forms.form_of(view.form).parts;
      if (!parts.empty() && parts.back().symbol >= symbols) {
        out.overlapping.push_back(id);
        continue;
      }
      const sym::ObjectPages& pages = *state.memory.find_pages(id, view.instance);
      out.reads_back |= reads_back(pages);
      if (far(pages)) out.overlapping.push_back(id);
      if (auto list = runs(pages, true); !list.empty()) out.writes[id].push_back(section(list, parts, of_box));
      if (auto list = runs(pages, false); !list.empty()) out.reads[id].push_back(section(list, parts, of_box));
    }
  }
  return out;
}

void append(Sections& to, const Sections& from, std::size_t box) {
  for (const auto& [id, list] : from)
    for (const Section& s : list) {
      to[id].push_back(s);
      to[id].back().box = box;
    }
}

bool each_range(const std::vector<Section>& first, const std::vector<Section>& second, Wanted wanted, const See& see,
                const SearchLimits& limits) {
  std::vector<Part> parts;
  for (const auto* list : {&first, &second})
    for (const Section& s : *list) {
      Part p{s.runs, {}, {}};
      std::uint64_t& units = p.units[list == &second];
      units = 1;
      for (const Section::Step& step : s.steps)
        if (step.stride != 0)
          p.steps.push_back(step);
        else
          units *= step.count;
      std::erase_if(p.steps, [](const Section::Step& step) { return step.count == 1; });
      parts.push_back(std::move(p));
    }
  return Search(wanted, limits).run(std::move(parts), see);
}

Touchers touchers(const std::vector<Section>& sections, std::int64_t byte, std::size_t most) {
  Touchers out;
  for (const Section& s : sections)
    if (out.all) Finder(s, most, out).find(byte);
  for (Toucher& t : out.units) t.end += byte;  // counted from the byte so far
  return out;
}

bool meet(const std::vector<Section>& first, const std::vector<Section>& second) {
  bool met = false;
  const auto see = [&](Interval) {
    met = true;
    return false;
  };
  const auto both = [](std::uint64_t x, std::uint64_t y) { return x && y; };
  return !each_range(first, second, both, see) || met;
}

std::optional<std::vector<Interval>> separate_bytes(const std::vector<Section>& sections) {
  constexpr std::size_t most_ranges = 1'000'000;
  bool shared = false;
  const auto see = [&](Interval) {
    shared = true;
    return false;
  };
  if (!each_range(sections, {}, [](std::uint64_t x, std::uint64_t) { return x > 1; }, see) || shared)
    return std::nullopt;
  std::vector<Interval> out;
  const auto collect = [&](Interval i) {
    out.push_back(i);
    return out.size() < most_ranges;
  };
  if (!each_range(
          sections, {}, [](std::uint64_t x, std::uint64_t) { return x > 0; }, collect) ||
      out.size() >= most_ranges)
    return std::nullopt;
  std::sort(out.begin(), out.end());
  merge_neighbours(out);
  return out;
}

}  // namespace ptxeq::check
