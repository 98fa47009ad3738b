// A block's registers: for each slot an array of bits over the lanes and a tag, one for all lanes where they agree.
#pragma once

#include <algorithm>
#include <vector>

#include "symbolic/semantics.h"

namespace ptxeq::sym {

class Registers {
 public:
  static constexpr Tag mixed = mixed_tag;  // lanes disagree

  Registers(std::size_t slots, unsigned lanes) : lanes_(lanes), bits_(slots * lanes), common_(slots, undefined_tag) {}

  // As new: nothing is set.
  void reset() { std::fill(common_.begin(), common_.end(), undefined_tag); }

  unsigned lanes() const { return lanes_; }
  u64* bits(u32 slot) { return bits_.data() + std::size_t(slot) * lanes_; }
  const u64* bits(u32 slot) const { return bits_.data() + std::size_t(slot) * lanes_; }
  Tag tag(u32 slot, unsigned lane) const {
    return common_[slot] != mixed ? common_[slot] : tags_[std::size_t(slot) * lanes_ + lane];
  }
  Value get(u32 slot, unsigned lane, unsigned width) const { return {bits(slot)[lane], tag(slot, lane), width}; }

  // The tag of all lanes, or `mixed`: then each has its own.
  Tag common(u32 slot) const { return common_[slot]; }
  const Tag* tags(u32 slot) const { return tags_.data() + std::size_t(slot) * lanes_; }

  // The tag that all of `lanes` have, or `mixed`.
  Tag common(u32 slot, const Lanes& lanes) const {
    if (common_[slot] != mixed) return common_[slot];
    const Tag* t = tags_.data() + std::size_t(slot) * lanes_;
    const Tag first = t[lanes[0]];
    Tag different = 0;
    if (lanes.index) {
      for (unsigned i = 0; i < lanes.count; ++i) different |= t[lanes.index[i]] ^ first;
    } else {
      for (unsigned i = lanes.first; i < lanes.first + lanes.count; ++i) different |= t[i] ^ first;
    }
    return different ? mixed : first;
  }
  void set_tags(u32 slot, const Lanes& lanes, Tag tag) {
    if (lanes.count == lanes_ || common_[slot] == tag) {
      common_[slot] = tag;
      return;
    }
    Tag* t = spread(slot);
    for (unsigned i = 0; i < lanes.count; ++i) t[lanes[i]] = tag;
  }
  // Each lane's own, by position.
  void set_tags(u32 slot, const Lanes& lanes, const Tag* each) {
    Tag different = 0;
    for (unsigned i = 0; i < lanes.count; ++i) different |= each[i] ^ each[0];
    if (!different) return set_tags(slot, lanes, each[0]);
    Tag* t = spread(slot);
    for (unsigned i = 0; i < lanes.count; ++i) t[lanes[i]] = each[i];
  }
  void set(u32 slot, unsigned lane, const Value& v) {
    bits(slot)[lane] = v.bits;
    if (common_[slot] == v.tag) return;
    spread(slot)[lane] = v.tag;
  }

 private:
  Tag* spread(u32 slot) {
    if (tags_.empty()) tags_.resize(bits_.size());
    Tag* t = tags_.data() + std::size_t(slot) * lanes_;
    if (common_[slot] != mixed) {
      std::fill_n(t, lanes_, common_[slot]);
      common_[slot] = mixed;
    }
    return t;
  }
  unsigned lanes_;
  std::vector<u64> bits_;
  std::vector<Tag> common_, tags_;
};

}  // namespace ptxeq::sym
