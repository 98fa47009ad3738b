// Which units of one side write what a unit of the other writes. The answer is a guess that is checked: the units found
// are run, and what they write is compared by address.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "checker/box.h"

namespace ptxeq::check {

// Where the units of a box write in one object: form + one of the offsets, over the box's symbols.
struct Piece {
  std::size_t box = 0;  // index into the follower's boxes
  sym::ObjectId object = 0;
  std::vector<sym::FormPart> parts;
  std::unordered_set<std::int64_t> offsets;
  std::int64_t low = 0, high = 0;  // of the offsets
  unsigned size = 0;               // bytes at each
};

// A unit of the follower as sums over the driver's symbols.
struct Mapped {
  std::array<Linear, 3> block, thread;
};

class Matcher {
 public:
  // `boxes` and `pieces`: the follower's; they outlive the matcher.
  Matcher(const std::vector<Box>& boxes, const std::vector<Piece>& pieces) : boxes_(boxes), pieces_(pieces) {}

  // The unit that writes form + offset of the object for every value of the driver's symbols. Where there is none,
  // `cut` may say after which cut of the driver's box there could be one.
  std::optional<Mapped> writer(const Box& driver, sym::ObjectId object, const std::vector<sym::FormPart>& form,
                               std::int64_t offset, std::optional<sym::Cut>& cut);

 private:
  // How one form is made from a piece's symbols, whatever the offset: each of them, largest factor first, as a sum over
  // the driver's symbols plus a number from [least, most], for which it stays in its range.
  struct Digit {
    std::uint32_t symbol = 0;
    std::int64_t factor = 0;
    std::vector<sym::FormPart> of;  // over the driver's symbols
    std::int64_t least = 0, most = 0;
    std::int64_t some_least = 0, some_most = 0;  // for which it does so for some values of the driver's symbols
  };
  struct Plan {
    bool possible = false;
    std::vector<Digit> digits;
    std::optional<sym::Cut> cut;  // where it is not possible: what may help
  };
  const Plan& plan(const Box& driver, const Piece& piece, const std::vector<sym::FormPart>& form);
  bool in_reach(const Box& driver, sym::ObjectId object, const std::vector<sym::FormPart>& form,
                std::int64_t offset) const;
  // `everywhere`: for all values of the driver's symbols, else for some.
  bool solve(const Piece& piece, const Plan& plan, std::size_t at, std::int64_t rest, bool everywhere,
             std::vector<std::int64_t>& q) const;
  // Where the first symbol of the piece that runs out of its range does so.
  std::optional<sym::Cut> carry(const Box& driver, const Piece& piece, const Plan& plan,
                                const std::vector<std::int64_t>& q) const;

  const std::vector<Box>& boxes_;
  const std::vector<Piece>& pieces_;
  std::vector<std::pair<std::pair<const Piece*, std::vector<sym::FormPart>>, Plan>> plans_;
  std::size_t last_ = 0;  // the piece that matched last
};

}  // namespace ptxeq::check
