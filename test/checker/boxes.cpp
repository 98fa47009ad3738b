// Boxes are parted without losing or doubling a unit, whatever is cut; what the domain says of a box holds at each of
// its units; and the matcher's units write what it says they write.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "checker/box.h"
#include "checker/match.h"
#include "test/symbolic/form_programs.h"

using namespace ptxeq;
using check::apart;
using check::Box;
using check::Linear;
using check::Mapped;
using check::Matcher;
using check::Piece;
using check::Unit;
using sym::Cut;
using sym::FormPart;
using i64 = std::int64_t;
using u64 = std::uint64_t;

namespace {

// Each point of the box's ranges.
std::vector<std::vector<i64>> points(const Box& box) {
  std::vector<std::vector<i64>> out;
  std::vector<i64> at = check::corner(box);
  for (;;) {
    out.push_back(at);
    std::size_t k = 0;
    while (k < at.size() && ++at[k] > box.symbols[k].high) at[k] = box.symbols[k].low, ++k;
    if (k == at.size()) return out;
  }
}

using UnitKey = std::pair<sym::Dim3, sym::Dim3>;
UnitKey key(const Unit& u) { return {u.block, u.thread}; }

std::vector<UnitKey> units(const Box& box) {
  std::vector<UnitKey> out;
  for (const auto& p : points(box)) out.push_back(key(check::unit_at(box, p)));
  std::sort(out.begin(), out.end());
  return out;
}

Box random_launch(std::mt19937& random, unsigned most) {
  const auto extent = [&] { return std::uint32_t(1 + random() % most); };
  sym::Shape shape;
  shape.grid = {extent(), random() % 2 ? extent() : 1u, random() % 3 ? 1u : extent()};
  shape.block = {extent(), random() % 3 ? 1u : extent(), 1};
  return random() % 2 ? check::all_threads(shape) : check::all_blocks(shape);
}

void check_is_partition(const Box& box, const std::vector<Box>& parts) {
  std::vector<UnitKey> all;
  for (const Box& part : parts) {
    CHECK(part.units() < box.units());
    for (const auto& s : part.symbols) CHECK(s.low < s.high);
    const auto of_part = units(part);
    CHECK(of_part.size() == part.units());
    all.insert(all.end(), of_part.begin(), of_part.end());
  }
  std::sort(all.begin(), all.end());
  CHECK(all == units(box));
}

i64 at(const Linear& sum, const std::vector<i64>& point) {
  i64 v = sum.constant;
  for (const FormPart& p : sum.parts) v += p.factor * point[p.symbol];
  return v;
}

}  // namespace

TEST_CASE("the parts of a box hold each of its units once") {
  std::mt19937 random(1);
  unsigned done = 0;
  for (unsigned round = 0; round < 600; ++round) {
    Box box = random_launch(random, 12);
    while (!box.symbols.empty()) {  // a part of a part, and so on
      Cut cut;
      cut.kind = random() % 2 ? Cut::Kind::divide : Cut::Kind::split;
      cut.symbol = std::uint32_t(random() % (box.symbols.size() + 1));
      cut.at = i64(random() % 14) - 1;
      const std::vector<Box> parts = apart(box, cut);
      if (parts.empty()) {  // no cut of this box
        if (random() % 8 == 0) break;
        continue;
      }
      // A division whose quotients are all whole is one part, of as many units, and of smaller ranges.
      if (parts.size() == 1) {
        CHECK(cut.kind == Cut::Kind::divide);
        CHECK(units(parts[0]) == units(box));
        CHECK(parts[0].symbols.size() == box.symbols.size() + 1);
      } else {
        check_is_partition(box, parts);
      }
      ++done;
      box = parts[random() % parts.size()];
    }
  }
  CHECK(done > 500);
}

namespace {

using Steps = std::vector<sym::test::FormStep>;

// The program's last value at each unit of the box, the box taken apart where its run asks for it. Counts the boxes.
struct Follower {
  explicit Follower(const Steps& s) : steps(s) {}
  const Steps& steps;
  sym::TermStore store{1u << 20};
  std::map<UnitKey, u64> values;
  unsigned boxes = 0;
  bool parted_always = true;

  void follow(const Box& box) {
    if (++boxes > 100'000) return;
    const sym::World world;
    store.clear();
    sym::SymbolicDomain d(store, world);
    for (const auto& s : box.symbols) d.forms.add_symbol(s);
    std::vector<sym::Value> v;
    for (const auto* component : {&box.block, &box.thread})
      for (const Linear& sum : *component) v.push_back(check::value_of(sum, d.forms, 32));
    for (const auto& s : steps) {
      v.push_back(run_step(d, s, v));
      if (!d.cut) continue;
      const auto parts = apart(box, *d.cut);
      parted_always &= !parts.empty();
      for (const Box& part : parts) follow(part);
      return;
    }
    for (const auto& p : points(box))
      CHECK(values.emplace(key(check::unit_at(box, p)), sym::test::value_at(d, v.back(), p)).second);
  }
};

u64 value_of_unit(const Steps& steps, const UnitKey& unit, bool& specified) {
  sym::ConcreteDomain d;
  std::vector<sym::ConcreteValue> v;
  for (const auto* component : {&unit.first, &unit.second})
    for (const std::uint32_t n : *component) v.push_back({n, 32});
  for (const auto& s : steps) v.push_back(run_step(d, s, v));
  specified &= !d.unspecified_hit;
  return v.back().bits;
}

}  // namespace

TEST_CASE("cuts lead to boxes that are decided, and right at every unit") {
  std::mt19937 random(2);
  sym::test::FormPrograms programs(3);
  unsigned taken_apart = 0;
  for (unsigned round = 0; round < 12000; ++round) {
    const Box launch = random_launch(random, 9);
    const Steps steps = programs.make(std::vector<unsigned>(6, 32), 1 + round % 7);
    if (steps.empty() || launch.units() > 600) continue;
    const auto all = units(launch);
    std::map<UnitKey, u64> right;
    bool specified = true;
    for (const UnitKey& u : all) right[u] = value_of_unit(steps, u, specified);
    if (!specified) continue;
    CAPTURE(round);
    Follower f(steps);
    f.follow(launch);
    CHECK(f.parted_always);
    // No more boxes than a tree with a leaf for each unit has, and one above each for a division.
    CHECK(f.boxes <= 4 * all.size());
    CHECK(f.values == right);
    taken_apart += f.boxes > 1;
  }
  CHECK(taken_apart > 300);
}

namespace {

// Where units write: the sum of a form of theirs and an offset. A tiling of `size` bytes an element.
struct Writes {
  Box box;
  Linear place;
  std::vector<i64> offsets;
};

Piece piece_of(const Writes& w) {
  Piece p;
  p.parts = w.place.parts;
  std::sort(p.parts.begin(), p.parts.end());
  for (const i64 o : w.offsets) p.offsets.insert(w.place.constant + o);
  p.low = *std::min_element(p.offsets.begin(), p.offsets.end());
  p.high = *std::max_element(p.offsets.begin(), p.offsets.end());
  p.size = 4;
  return p;
}

// What the matcher finds writes the place, at every point. Units and places by brute force.
void check_writer(const Box& driver, const std::vector<FormPart>& form, i64 offset, const Mapped& found,
                  const Writes& follower) {
  std::map<UnitKey, std::vector<i64>> point_of;
  for (const auto& p : points(follower.box)) point_of[key(check::unit_at(follower.box, p))] = p;
  for (const auto& p : points(driver)) {
    i64 place = offset;
    for (const FormPart& f : form) place += f.factor * p[f.symbol];
    UnitKey unit;
    for (unsigned c = 0; c < 3; ++c)
      unit.first[c] = std::uint32_t(at(found.block[c], p)), unit.second[c] = std::uint32_t(at(found.thread[c], p));
    const auto who = point_of.find(unit);
    REQUIRE(who != point_of.end());
    const i64 base = at(follower.place, who->second);
    CHECK(std::any_of(follower.offsets.begin(), follower.offsets.end(), [&](i64 o) { return base + o == place; }));
  }
}

// A matrix of rows of `pitch` elements: each unit of a box of blocks or threads writes a tile of it.
Writes tiling(const sym::Shape& shape, bool threads, i64 width, i64 height, i64 pitch) {
  Writes w;
  w.box = threads ? check::all_threads(shape) : check::all_blocks(shape);
  const auto add = [&](const Linear& sum, i64 factor) {
    for (const FormPart& p : sum.parts) w.place.parts.push_back({p.symbol, p.factor * factor});
  };
  const i64 columns = threads ? shape.block[0] : 1, rows = threads ? shape.block[1] : 1;
  add(w.box.block[0], 4 * columns * width), add(w.box.block[1], 4 * pitch * rows * height);
  if (threads) add(w.box.thread[0], 4 * width), add(w.box.thread[1], 4 * pitch * height);
  for (i64 y = 0; y < height; ++y)
    for (i64 x = 0; x < width; ++x) w.offsets.push_back(4 * (y * pitch + x));
  return w;
}

// The tiling of columns x rows elements with these units and tiles; both sides of a tile divide the matrix.
Writes random_tiling(std::mt19937& random, i64 columns, i64 rows) {
  const auto divisor = [&](i64 n) {
    for (;;)
      if (const i64 d = 1 + i64(random() % u64(n)); n % d == 0) return d;
  };
  const i64 width = divisor(columns), height = divisor(rows);
  const bool threads = random() % 2;
  const i64 tx = threads ? divisor(columns / width) : 1, ty = threads ? divisor(rows / height) : 1;
  sym::Shape shape;
  shape.block = {std::uint32_t(tx), std::uint32_t(ty), 1};
  shape.grid = {std::uint32_t(columns / width / tx), std::uint32_t(rows / height / ty), 1};
  return tiling(shape, threads, width, height, columns);
}

struct Search {
  const Writes& follower;
  std::vector<Box> boxes;
  std::vector<Piece> pieces;
  unsigned parted = 0, found = 0;
  bool lost = false;

  explicit Search(const Writes& f) : follower(f), boxes{f.box}, pieces{piece_of(f)} {}

  // Each place that the driver writes has its writer, the driver's box taken apart as the matcher asks.
  void cover(const Box& box, const Linear& place, const std::vector<i64>& offsets) {
    Matcher matcher(boxes, pieces);
    std::vector<FormPart> form = place.parts;
    std::sort(form.begin(), form.end());
    for (const i64 o : offsets) {
      std::optional<Cut> cut;
      const auto unit = matcher.writer(box, 0, form, place.constant + o, cut);
      if (unit) {
        check_writer(box, form, place.constant + o, *unit, follower);
        ++found;
        continue;
      }
      if (!cut || ++parted > 2000) {
        lost = true;
        return;
      }
      const auto parts = apart(marked(box, place), *cut);
      lost |= parts.empty();
      for (Box part : parts) {
        const Linear moved = part.thread[2];
        part.thread[2] = {};
        cover(part, moved, offsets);
      }
      return;
    }
  }

  // The place rides in a component that tilings have no use for, so that it is parted with the box.
  static Box marked(Box box, const Linear& place) {
    box.thread[2] = place;
    return box;
  }
};

}  // namespace

TEST_CASE("the matcher finds the writers of a tiling among those of another") {
  std::mt19937 random(4);
  unsigned parted = 0, found = 0;
  for (unsigned round = 0; round < 400; ++round) {
    const i64 columns = 1 + i64(random() % 24), rows = random() % 2 ? 1 : 1 + i64(random() % 12);
    const Writes driver = random_tiling(random, columns, rows), follower = random_tiling(random, columns, rows);
    CAPTURE(round);
    CAPTURE(columns);
    CAPTURE(rows);
    Search s(follower);
    s.cover(driver.box, driver.place, driver.offsets);
    CHECK(!s.lost);
    parted += s.parted, found += s.found;
  }
  CHECK(parted > 100);
  CHECK(found > 1000);
}

TEST_CASE("the matcher names no writer of what is not written") {
  std::mt19937 random(5);
  unsigned found = 0, none = 0;
  for (unsigned round = 0; round < 400; ++round) {
    const i64 columns = 1 + i64(random() % 24), rows = 1 + i64(random() % 6);
    const Writes driver = random_tiling(random, columns, rows);
    Writes follower = random_tiling(random, columns, rows);
    follower.offsets.resize(1 + random() % follower.offsets.size());  // holes
    follower.place.constant += 4 * i64(random() % 3);
    Search s(follower);
    Matcher matcher(s.boxes, s.pieces);
    std::vector<FormPart> form = driver.place.parts;
    std::sort(form.begin(), form.end());
    for (const i64 o : driver.offsets) {
      std::optional<Cut> cut;
      const auto unit = matcher.writer(driver.box, 0, form, o, cut);
      if (unit) check_writer(driver.box, form, o, *unit, follower);
      if (cut) CHECK(!apart(driver.box, *cut).empty());
      ++(unit ? found : none);
    }
  }
  CHECK(found > 100);
  CHECK(none > 100);
}
