#include "checker/grid_diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ptxeq::check {
namespace {

constexpr std::size_t most_touchers = 16;  // of one byte
constexpr unsigned most_runs = 8, most_bytes = 1u << 16;

class Diagnoser {
 public:
  Diagnoser(const Setup& setup, const GroupOptions& options, const Swept& a, const Swept& ref)
      : setup_(setup), options_(options), a_(a), ref_(ref) {}

  Diagnosis run(bool differences) {
    out_.separate = out_.harmless = true;
    for (const Side side : {Side::ref, Side::a}) {  // the reference's fault is told first (rule 2)
      meetings(side);
      if (!out_.shown.empty()) return std::move(out_);
    }
    if (!differences || !out_.harmless) return std::move(out_);
    out_.same_bytes = true;
    for (const sym::ObjectId id : setup_.compared) {
      compare_bytes(id, Side::ref, Side::a);
      if (out_.shown.empty()) compare_bytes(id, Side::a, Side::ref);
      if (!out_.shown.empty()) break;
    }
    return std::move(out_);
  }

 private:
  const Swept& of(Side side) const { return side == Side::a ? a_ : ref_; }

  static const std::vector<Section>& in(const Sections& sections, sym::ObjectId id) {
    static const std::vector<Section> none;
    const auto at = sections.find(id);
    return at == sections.end() ? none : at->second;
  }

  void doubt(Side side, std::string message) {
    out_.reason.code = ReasonCode::address_unresolved, out_.reason.side = side;
    out_.reason.message = std::move(message);
  }

  // Rule 18 for one side.
  void meetings(Side side) {
    const Reach& reach = of(side).reach;
    for (const auto& [id, writes] : reach.writes) {
      const std::vector<Section>& reads = in(reach.reads, id);
      const auto look = [&](Interval where) { return settle(side, id, where); };
      const bool told = each_range(
                            writes, {}, [](auto w, auto) { return w > 1; }, look) &&
                        (reads.empty() || each_range(writes, reads, [](auto w, auto r) { return w && r; }, look));
      if (!told) {
        out_.separate = out_.harmless = false;
        doubt(side, "what the blocks write is too scattered");
      }
      if (!out_.harmless || !out_.shown.empty()) return;
    }
  }

  // Bytes that several units touch: those are run, block by block, until one pair shows a race. False: no more.
  bool settle(Side side, sym::ObjectId id, Interval where) {
    const Reach& reach = of(side).reach;
    out_.separate = false;
    doubt(side, fmt::format("two blocks or threads may touch {}+{}", setup_.world[id].name, where.begin));
    if (open_) return out_.harmless = false;
    for (std::int64_t byte = where.begin; byte < where.end;) {
      const Touchers writers = touchers(in(reach.writes, id), byte, most_touchers),
                     readers = touchers(in(reach.reads, id), byte, most_touchers);
      std::set<std::uint64_t> blocks;
      for (const Touchers* list : {&writers, &readers})
        for (const Toucher& t : list->units) blocks.insert(block_of(side, t));
      std::int64_t next = where.end;
      for (const Touchers* list : {&writers, &readers})
        for (const Toucher& t : list->units) next = std::min(next, t.end);
      const bool few = ++bytes_ <= most_bytes && seen_[side].size() < most_runs;
      const bool known = seen_[side].contains(blocks);
      if (!known && few && !same_value(side, blocks)) return false;
      // A byte that is read may hold what another unit stores: the blocks' own runs do not say what follows.
      if (!writers.all || !readers.all || !readers.units.empty() || reach.reads_back || (!known && !few))
        return out_.harmless = false;
      byte = next;
    }
    return true;
  }

  // Do the blocks store the same where they meet? Else what they do is shown, or unknown.
  bool same_value(Side side, const std::set<std::uint64_t>& blocks) {
    seen_[side].insert(blocks);
    GroupResult result = run_blocks(side, {blocks.begin(), blocks.end()}, Bytes{});
    if (result.invalid.empty() && !result.unfinished && result.reasons.empty()) return true;
    out_.harmless = false;
    if (!result.invalid.empty()) out_.shown.push_back(std::move(result));
    return false;
  }

  // Bytes that `writer` alone writes. The other side leaves there what was there.
  void compare_bytes(sym::ObjectId id, Side writer, Side other) {
    const std::vector<Section>&written = in(of(writer).reach.writes, id), &others = in(of(other).reach.writes, id);
    const bool told = each_range(
        written, others, [](auto w, auto o) { return w && !o; },
        [&](Interval where) {
          out_.same_bytes = false;
          doubt(writer, fmt::format("this side alone writes {}+{}", setup_.world[id].name, where.begin));
          if (!open_) show_difference(writer, id, where);
          return false;
        });
    if (told) return;
    out_.same_bytes = false;
    doubt(writer, "what the blocks write is too scattered");
  }

  void show_difference(Side writer, sym::ObjectId id, Interval where) {
    if (a_.reach.traps && ref_.reach.traps) return;  // after a trap memory is not looked at
    const Touchers writers = touchers(in(of(writer).reach.writes, id), where.begin, most_touchers);
    if (writers.units.empty() || !writers.all) return;
    std::set<std::uint64_t> units;
    for (const Toucher& t : writers.units) units.insert(block_of(writer, t)), where.end = std::min(where.end, t.end);
    const BlockList blocks(units.begin(), units.end());
    GroupResult result = run_blocks(writer, blocks, Bytes{id, where.begin, where.end});
    if (auto& r = result.refutation) {
      r->partial = true;
      (writer == Side::a ? r->blocks_a : r->blocks_ref) = blocks;
    }
    if (result.refutation || !result.invalid.empty()) out_.shown.push_back(std::move(result));
  }

  GroupResult run_blocks(Side side, const BlockList& blocks, const Bytes& compared) {
    const BlockList none;
    GroupOptions options = options_;
    options.only = compared;
    sym::TermStore store;
    Group group(setup_, options, {side == Side::a ? &blocks : &none, side == Side::a ? &none : &blocks}, store);
    group.execute();
    group.decide();
    group.result.writes_a = !a_.reach.writes.empty(), group.result.writes_ref = !ref_.reach.writes.empty();
    return std::move(group.result);
  }

  std::uint64_t block_of(Side side, const Toucher& t) const {
    const Box& box = of(side).boxes[t.box];
    return linear_block((side == Side::a ? setup_.a : setup_.ref).shapes[0], unit_at(box, t.symbols).block);
  }

  const Setup& setup_;
  const GroupOptions& options_;
  const Swept &a_, &ref_;
  const bool open_ = is_open(setup_);
  Diagnosis out_;
  std::map<Side, std::set<std::set<std::uint64_t>>> seen_;  // blocks that were run together
  unsigned bytes_ = 0;
};

}  // namespace

Diagnosis diagnose(const Setup& setup, const GroupOptions& options, const Swept& a, const Swept& ref,
                   bool differences) {
  return Diagnoser(setup, options, a, ref).run(differences);
}

bool nobody_writes(const Swept& side, const Sections& bytes) {
  for (const auto& [id, list] : bytes) {
    const auto at = side.reach.writes.find(id);
    if (at != side.reach.writes.end() && meet(list, at->second)) return false;
  }
  return true;
}

bool nobody_writes(const Swept& side, sym::ObjectId object, std::int64_t byte) {
  const auto at = side.reach.writes.find(object);
  if (at == side.reach.writes.end()) return true;
  const Touchers found = touchers(at->second, byte, 1);
  return found.units.empty() && found.all;
}

}  // namespace ptxeq::check
