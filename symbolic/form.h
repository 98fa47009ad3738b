// Linear forms over launch symbols. A launch symbol is an integer of the launch that is not fixed: a block's number, or
// a thread's, within a range. A form is sum of factor * symbol, perhaps from where an object begins; a value is a form
// plus bits (symbolic/value.h), modulo 2^width. "Does not wrap" is decided from the ranges, in 128 bits (SOUNDNESS rule
// 13). Where the ranges cannot decide, a cut of one symbol is named, after which they can.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbolic/value.h"

namespace ptxeq::sym {

__extension__ using i128 = __int128;

struct LaunchSymbol {
  std::string name;
  i64 low = 0, high = 0;  // inclusive; low < high: a symbol of one value is a constant, and none
  unsigned leaf_width() const { return low >= 0 && high <= i64(mask(32)) ? 32 : 64; }  // of the symbol as a term
};

// What would decide: the symbol divided into [low, at) and [at, high], or taken as divisor * quotient + rest.
struct Cut {
  enum class Kind : u8 { split, divide } kind = Kind::split;
  u32 symbol = 0;
  i64 at = 0;  // divide: the divisor
};

struct FormPart {
  u32 symbol = 0;
  i64 factor = 0;
  friend auto operator<=>(const FormPart&, const FormPart&) = default;
};
struct Form {
  Tag base = concrete_tag;      // or an object's beginning
  std::vector<FormPart> parts;  // by symbol, none with factor 0
  friend auto operator<=>(const Form&, const Form&) = default;
};

struct Range {
  i128 low = 0, high = 0;  // inclusive
  bool point() const { return low == high; }
};

class Forms {
 public:
  u32 add_symbol(LaunchSymbol s);
  // The symbol stands for fewer values from now on, at least two; forms keep their tags.
  void narrow(u32 symbol, i64 low, i64 high);
  const std::vector<LaunchSymbol>& symbols() const { return symbols_; }

  // The tag of a form whose factors count modulo 2^width: concrete_tag or a base where no symbol is left.
  Tag make(Form form, unsigned width);
  const Form& operator[](Tag tag) const { return entries_[tag - first_form].form; }
  Form form_of(Tag tag) const;                                                    // of a concrete, base or form tag
  const Range& range(Tag tag) const { return entries_[tag - first_form].range; }  // of the sum, the base left out
  Range range_of(Tag tag) const { return is_form(tag) ? range(tag) : Range{}; }
  Tag base_of(Tag tag) const { return is_form(tag) ? (*this)[tag].base : tag; }

  // Nothing where both have a base, or where one is no form, base or number.
  std::optional<Tag> sum(Tag a, Tag b, unsigned width);
  std::optional<Tag> difference(Tag a, Tag b, unsigned width);  // the same base on both sides cancels
  std::optional<Tag> scaled(Tag a, i64 factor, unsigned width);

  // The number that form + bits is when read as an unsigned or signed integer of `width` bits, as form + the result;
  // nothing where it wraps for some values of the symbols and not for others: `cut` then says what would decide.
  std::optional<i128> exact(Tag tag, u64 bits, unsigned width, bool is_signed, std::optional<Cut>& cut) const;
  // Is form + offset negative? The same.
  std::optional<bool> negative(Tag tag, i128 offset, std::optional<Cut>& cut) const;
  std::optional<bool> zero(Tag tag, i128 offset, std::optional<Cut>& cut) const;
  // Is every value of the form a multiple of `divisor`, a power of two?
  bool multiple_of(Tag tag, u64 divisor, std::optional<Cut>& cut) const;
  // floor((form + offset) / divisor), exact: a form and an offset.
  struct Quotient {
    Form form;
    i128 offset = 0;
  };
  std::optional<Quotient> quotient(Tag tag, i128 offset, i128 divisor, std::optional<Cut>& cut) const;
  // Can one threshold a symbol decide a question of the form? Else its parts weigh about the same.
  bool graded(Tag tag) const;

 private:
  Cut cut_at(const std::vector<FormPart>& parts, i128 boundary) const;
  struct Entry {
    Form form;
    Range range;
  };
  Range range_of_parts(const std::vector<FormPart>& parts) const;
  std::vector<LaunchSymbol> symbols_;
  std::vector<Entry> entries_;
  std::map<Form, Tag> index_;
  std::unordered_map<u64, Tag> sums_;  // of 64-bit and of 32-bit forms, by both tags
};

}  // namespace ptxeq::sym
