// Interning. A node is found again through the list of nodes that share its key operand (the addend of an fma, else
// the larger id): accumulation chains then touch memory in order. A list that grows long moves to a hash table.
#include "symbolic/term.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ptxeq::sym {
namespace {

// Pages come as they are touched: small ones first, huge ones for stores that grow, which then fault a tenth as long.
template <class T>
T* reserve(std::size_t n) {
  constexpr std::size_t small = 2 << 20;  // bytes
  const std::size_t size = n * sizeof(T);
  void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  if (size > small) madvise(static_cast<char*>(p) + small, size - small, MADV_HUGEPAGE);  // a hint
  return static_cast<T*>(p);
}
template <class T>
void release(T* p, std::size_t n) {
  if (p) munmap(p, n * sizeof(T));
}

u32 hash(const Node& n) {
  const u64 head = u64(n.op) | u64(n.width) << 8 | u64(n.attr) << 16;
  u64 h = (u64(n.a) | u64(n.b) << 32) * 0x9e3779b97f4a7c15ull;
  h ^= (u64(n.c) | head << 32) * 0xc2b2ae3d27d4eb4full + (h >> 29);
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93ull;
  return u32(h >> 32);
}
}  // namespace

TermStore::TermStore(u32 capacity) : table_(1u << 12) {
  for (; capacity >= 1u << 16; capacity /= 2) {
    nodes_ = reserve<Node>(capacity);
    newest_parent_ = reserve<u32>(capacity);
    sibling_ = reserve<u32>(capacity);
    capacity_ = capacity;
    if (nodes_ && newest_parent_ && sibling_) break;
    release(nodes_, capacity), release(newest_parent_, capacity), release(sibling_, capacity);
    nodes_ = nullptr, newest_parent_ = sibling_ = nullptr, capacity_ = 0;
  }
  limit_ = capacity_;
  exhausted_ = capacity_ == 0;
}

TermStore::TermStore(TermStore&& other) noexcept
    : nodes_(std::exchange(other.nodes_, nullptr)),
      newest_parent_(std::exchange(other.newest_parent_, nullptr)),
      sibling_(std::exchange(other.sibling_, nullptr)),
      count_(std::exchange(other.count_, 1)),
      capacity_(std::exchange(other.capacity_, 0)),
      limit_(std::exchange(other.limit_, 0)),
      exhausted_(std::exchange(other.exhausted_, true)),
      table_(std::move(other.table_)),
      table_used_(std::exchange(other.table_used_, 0)),
      leaf_runs_(std::move(other.leaf_runs_)),
      recent_runs_(std::exchange(other.recent_runs_, {})),
      tags_(std::move(other.tags_)),
      tag_of_(std::move(other.tag_of_)),
      views_(std::move(other.views_)) {}

TermStore::~TermStore() {
  release(nodes_, capacity_);
  release(newest_parent_, capacity_);
  release(sibling_, capacity_);
}

void TermStore::grow_table() {
  std::vector<u32> bigger(table_.size() * 4);
  const u32 mask = u32(bigger.size() - 1);
  for (const u32 id : table_) {
    if (!id) continue;
    u32 slot = hash(nodes_[id]) & mask;
    while (bigger[slot]) slot = (slot + 1) & mask;
    bigger[slot] = id;
  }
  table_.swap(bigger);
}

Term TermStore::intern_hashed(const Node& node) {
  if (std::size_t(table_used_) * 2 >= table_.size()) grow_table();
  const u32 mask = u32(table_.size() - 1);
  for (u32 slot = hash(node) & mask;; slot = (slot + 1) & mask) {
    const u32 id = table_[slot];
    if (!id) {
      const Term made = append(node);
      table_[slot] = made;
      ++table_used_;
      return made;
    }
    if (nodes_[id].same(node)) return id;
  }
}

// A list that has grown long moves to the table.
Term TermStore::intern_popular(const Node& node, Term key) {
  for (u32 id = newest_parent_[key]; id; id = sibling_[id]) {
    if (std::size_t(table_used_) * 2 >= table_.size()) grow_table();
    const u32 mask = u32(table_.size() - 1);
    u32 slot = hash(nodes_[id]) & mask;
    while (table_[slot]) slot = (slot + 1) & mask;
    table_[slot] = id;
    ++table_used_;
  }
  newest_parent_[key] = popular;
  return intern_hashed(node);
}

Term TermStore::constant(unsigned width, u64 bits) {
  bits &= mask(width);
  return intern_hashed({Op::constant, u8(width), 0, 0, u32(bits), u32(bits >> 32), 0});
}

Term TermStore::leaf(const Leaf& leaf, unsigned width) {
  u8 flags = has_leaf;
  if (leaf.kind == LeafKind::undefined || leaf.kind == LeafKind::stale) flags = has_undefined;
  if (leaf.kind == LeafKind::special) flags = has_unspecified;
  if (leaf.kind == LeafKind::address) flags = has_address;
  if (leaf.kind == LeafKind::launch) flags = has_launch;
  const u32 object = leaf.form ? view(leaf.object, leaf.form) : leaf.object;
  const Node node{Op::leaf, u8(width), u8(leaf.kind), flags, u32(leaf.index), u32(leaf.index >> 32), object};
  const bool memory = leaf.kind == LeafKind::memory || leaf.kind == LeafKind::stale;
  if (!memory || leaf.index >> 32 || object >> 24) return intern_hashed(node);
  const u64 key = leaf.index / leaves_a_run | u64(object) << 24 | u64(node.attr) << 48 | u64(width) << 56;
  Term& t = leaf_run(key)[leaf.index % leaves_a_run];
  if (!t) t = append(node);
  return t;
}

u32 TermStore::view(u32 object, u32 form) {
  const auto at = std::find(views_.rbegin(), views_.rend(), std::pair{object, form});
  if (at != views_.rend()) return first_view + u32(views_.rend() - at) - 1;
  views_.emplace_back(object, form);
  return first_view + u32(views_.size() - 1);
}

TermStore::LeafRun& TermStore::leaf_run(u64 key) {
  RecentRun& recent = recent_runs_[(key ^ key >> 24) % recent_runs_.size()];
  if (recent.key != key) recent = {key, &leaf_runs_[key]};
  return *recent.run;
}

void TermStore::clear() {
  std::fill_n(newest_parent_, count_, 0);
  std::fill(table_.begin(), table_.end(), 0);
  table_used_ = 0;
  leaf_runs_.clear();
  views_.clear();
  tags_.clear(), tag_of_.clear();
  recent_runs_.fill({});
  count_ = 1;
  exhausted_ = capacity_ == 0;
}

Leaf TermStore::leaf_of(Term t) const {
  const Node& n = nodes_[t];
  const LeafKind kind = LeafKind(n.attr);
  const u64 index = u64(n.b) << 32 | n.a;
  if ((kind == LeafKind::memory || kind == LeafKind::stale) && n.c >= first_view) {
    const auto& [object, form] = views_[n.c - first_view];
    return {kind, object, index, form};
  }
  return {kind, n.c, index};
}

u32 TermStore::tag(const std::string& name, bool unspecified, std::vector<Term> body) {
  const auto [at, fresh] = tag_of_.try_emplace(name, u32(tags_.size()));
  if (fresh) tags_.push_back({name, unspecified, std::move(body)});
  return at->second;
}

Term find_in_cone(const TermStore& store, Term t, u8 flags, const std::function<bool(Term)>& wanted) {
  std::vector<Term> stack{t};
  std::unordered_set<Term> seen;
  while (!stack.empty()) {
    const Term x = stack.back();
    stack.pop_back();
    const Node& n = store[x];
    if ((flags && !(n.flags & flags)) || !seen.insert(x).second) continue;
    if (wanted(x)) return x;
    for (const Term o : operands(n))
      if (o) stack.push_back(o);
    if (n.op == Op::approx) stack.insert(stack.end(), store.tag_body(n.c).begin(), store.tag_body(n.c).end());
  }
  return 0;
}

Term substitute(TermStore& store, Term t, const std::unordered_map<Term, Term>& by) {
  std::unordered_map<Term, Term> done = by;
  std::vector<Term> stack{t};
  while (!stack.empty()) {
    const Term x = stack.back();
    const Node n = store[x];
    const std::size_t before = stack.size();
    if (!done.count(x))
      for (const Term o : operands(n))
        if (o && !done.count(o)) stack.push_back(o);
    if (stack.size() > before) continue;
    stack.pop_back();
    if (done.count(x)) continue;
    const auto [a, b, c] = operands(n);
    const auto now = [&](Term o, u32 number) { return o ? done[o] : number; };
    done[x] = a ? store.make(n.op, n.width, n.attr, done[a], now(b, n.b), now(c, n.c)) : x;
  }
  return done[t];
}

std::vector<u64> evaluate(const TermStore& store, std::span<const Term> roots, const Assignment& assignment) {
  std::unordered_map<Term, u64> value;
  std::vector<Term> stack(roots.begin(), roots.end());
  const auto operand = [&](Term t) { return t ? value[t] : 0; };
  while (!stack.empty()) {
    const Term t = stack.back();
    if (t == 0 || value.count(t)) {
      stack.pop_back();
      continue;
    }
    const Node& n = store[t];
    const std::size_t before = stack.size();
    for (const Term o : operands(n))
      if (o && !value.count(o)) stack.push_back(o);
    if (stack.size() > before) continue;
    stack.pop_back();
    if (n.op == Op::constant) {
      value[t] = store.constant_bits(t);
    } else if (n.op == Op::leaf) {
      value[t] = assignment.leaf_value(t) & mask(n.width);
    } else if (n.op == Op::approx) {
      value[t] = assignment.approx_value(n, operand(n.a), operand(n.b)) & mask(n.width);
    } else {
      const u64 b = n.op == Op::extract ? n.b : operand(n.b);
      value[t] = apply(n.op, n.attr, n.width, store.width(n.a), operand(n.a), b, operand(n.c));
    }
  }
  std::vector<u64> out;
  for (const Term t : roots) out.push_back(operand(t));
  return out;
}

std::string to_string(const TermStore& store, Term t, const std::function<std::string(const Leaf&)>& name) {
  const Node& n = store[t];
  if (n.op == Op::constant) return fmt::format("{:#x}", store.constant_bits(t));
  if (n.op == Op::leaf) {
    const Leaf leaf = store.leaf_of(t);
    return name ? name(leaf) : fmt::format("leaf{}.{}[{}]", unsigned(leaf.kind), leaf.object, leaf.index);
  }
  const std::string head = n.op == Op::approx ? store.tag_name(n.c) : std::string(sym::name(n.op));
  std::string out;
  for (const Term o : operands(n))
    if (o) out += (out.empty() ? "" : ", ") + to_string(store, o, name);
  if (n.op == Op::extract) out += fmt::format(", {}, {}", n.b, n.width);
  return head + "(" + out + ")";
}

}  // namespace ptxeq::sym
