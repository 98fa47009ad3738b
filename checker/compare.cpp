#include "checker/compare.h"

#include <set>

namespace ptxeq::check {

using sym::Page;
using sym::SideState;

namespace {

class Comparer {
 public:
  Comparer(sym::SymbolicDomain& domain, SideState& a, SideState& ref, std::optional<Side> written_by,
           const Places* only)
      : domain_(domain), a_(a), ref_(ref), written_by_(written_by), only_(only) {}

  void object(sym::ObjectId id) {
    std::set<sym::Tag> forms;
    for (const SideState* side : {&a_, &ref_})
      for (const auto& view : side->memory.views(id)) forms.insert(view.form);
    for (const sym::Tag form : forms) view(id, form);
  }

  Comparison out;

 private:
  void view(sym::ObjectId id, sym::Tag form) {
    wanted_ = nullptr;
    if (only_) {
      const auto at = only_->find({id, domain_.forms.form_of(form).parts});
      if (at == only_->end()) return;
      wanted_ = &at->second;
    }
    form_ = form, in_a_ = a_.memory.view(id, form), in_ref_ = ref_.memory.view(id, form);
    std::set<std::uint64_t> starts;
    for (const sym::ObjectPages* pages : {&a_.memory.pages(id, in_a_), &ref_.memory.pages(id, in_ref_)})
      for (const auto& [offset, page] : pages->pages()) starts.insert(offset);
    for (const std::uint64_t start : starts) page(id, start);
  }

  static bool written(const Page* p, unsigned cell) { return p && (*p)[cell].writer.thread != 0; }

  void page(sym::ObjectId id, std::uint64_t start) {
    const Page *pa = a_.memory.pages(id, in_a_).find(start), *pr = ref_.memory.pages(id, in_ref_).find(start);
    if (pa && pr && pa->log_cell() != pr->log_cell()) {  // the coarser one is split
      SideState& coarse = pa->log_cell() > pr->log_cell() ? a_ : ref_;
      coarse.memory.cells(id, &coarse == &a_ ? in_a_ : in_ref_, start, 1u << std::min(pa->log_cell(), pr->log_cell()));
      pa = a_.memory.pages(id, in_a_).find(start), pr = ref_.memory.pages(id, in_ref_).find(start);
    }
    const unsigned log_cell = (pa ? pa : pr)->log_cell();
    for (unsigned cell = 0; cell < (pa ? pa : pr)->cells(); ++cell) {
      const bool wa = written(pa, cell), wr = written(pr, cell);
      if (!(written_by_ == Side::ref ? wr : wa) && (written_by_ || !wr)) continue;
      const std::uint64_t offset = start + (std::uint64_t(cell) << log_cell);
      const std::int64_t begin = std::int64_t(offset);
      if (wanted_ && !meets(*wanted_, {begin, begin + (std::int64_t(1) << log_cell)})) continue;
      out.same_cells &= wa == wr;
      ++out.compared;
      const sym::Value x = final_value(a_, id, offset, log_cell, wa ? pa : nullptr, cell);
      const sym::Value y = final_value(ref_, id, offset, log_cell, wr ? pr : nullptr, cell);
      judge({id, offset, 1u << log_cell, x, y, form_});
    }
  }

  sym::Value final_value(SideState& side, sym::ObjectId id, std::uint64_t offset, unsigned log_cell, const Page* page,
                         unsigned cell) {
    const auto initial = [&] { return side.memory.initial(id, offset, 1u << log_cell, false, form_); };
    if (!page) return initial();
    const sym::Value v{(*page)[cell].bits, (*page)[cell].tag, 8u << log_cell};
    // A copy of the former contents to where they were is no write.
    if (v.tag == sym::term_tag && (domain_.store()[sym::Term(v.bits)].flags & sym::has_undefined) &&
        v.same(side.memory.initial(id, offset, 1u << log_cell, true, form_)))
      return initial();
    return v;
  }

  void judge(const Mismatch& m) {
    const bool same = m.a.same(m.ref) && m.a.tag != sym::undefined_tag && m.a.tag != sym::unspecified_tag;
    if (!same) return out.mismatches.push_back(m);
    if (m.a.tag != sym::term_tag) return;
    const sym::u8 flags = domain_.store()[sym::Term(m.a.bits)].flags;
    if (flags & (sym::has_undefined | sym::has_address)) out.doubtful.push_back(m);
    if (flags & sym::has_contraction) out.contraction = true;
  }

  sym::SymbolicDomain& domain_;
  SideState &a_, &ref_;
  std::optional<Side> written_by_;
  const Places* only_;
  const std::vector<Interval>* wanted_ = nullptr;  // of the view
  sym::Tag form_ = sym::concrete_tag;              // the view that is compared
  std::uint32_t in_a_ = 0, in_ref_ = 0;
};

}  // namespace

Comparison compare(const Setup& setup, SideState& a, SideState& ref, sym::SymbolicDomain& domain,
                   std::optional<Side> written_by, const Places* only) {
  Comparer comparer(domain, a, ref, written_by, only);
  for (const sym::ObjectId id : setup.compared) comparer.object(id);
  return std::move(comparer.out);
}

}  // namespace ptxeq::check
