#include "checker/open_launch.h"

#include <algorithm>
#include <limits>

#include "checker/spec.h"

namespace ptxeq::check {

using sym::SymbolicDomain;

using i64 = std::int64_t;

namespace {

constexpr i64 most_in_row = most_blocks[0];  // blocks

struct Bounds {
  sym::i128 low = 0, high = 0;
};

std::optional<Bounds> bounds_of(const Scalar& s) {
  if (s.range) return Bounds{(*s.range)[0], (*s.range)[1]};
  if (s.size > 4) return std::nullopt;
  const sym::i128 half = sym::i128(1) << (8 * s.size - 1);
  return ir::is_signed(s.type) ? Bounds{-half, half - 1} : Bounds{0, 2 * half - 1};
}

// The least and most that each node can be; nothing where a step can leave 64 bits or divide by zero.
std::optional<std::vector<Bounds>> bounds_of(const Problem& problem, const Expression& e) {
  using K = ExpressionNode::Kind;
  std::vector<Bounds> out;
  for (const ExpressionNode& n : e.nodes) {
    Bounds b;
    if (n.kind == K::number) {
      b = {n.number, n.number};
    } else if (n.kind == K::scalar) {
      const auto of = bounds_of(problem.scalars[n.scalar]);
      if (!of) return std::nullopt;
      b = *of;
    } else {
      const Bounds x = out[n.left], y = out[n.right];
      if (n.kind == K::add) {
        b = {x.low + y.low, x.high + y.high};
      } else if (n.kind == K::sub) {
        b = {x.low - y.high, x.high - y.low};
      } else {
        if (n.kind == K::div && y.low <= 0) return std::nullopt;
        const auto of = [&](sym::i128 p, sym::i128 q) { return n.kind == K::mul ? p * q : p / q; };
        const auto all = {of(x.low, y.low), of(x.low, y.high), of(x.high, y.low), of(x.high, y.high)};
        b = {std::min(all), std::max(all)};
      }
    }
    if (b.low < std::numeric_limits<i64>::min() || b.high > std::numeric_limits<i64>::max()) return std::nullopt;
    out.push_back(b);
  }
  return out;
}

std::optional<i64> most(const Problem& problem, const std::optional<Expression>& e) {
  if (!e) return std::nullopt;
  const auto bounds = bounds_of(problem, *e);
  if (!bounds) return std::nullopt;
  return i64(bounds->back().high);
}

const Launch& launch_of(const PreparedSide& side) { return side.problem->launches[0]; }

const OpenLaunch& open_of(const Launch& l) {
  static const OpenLaunch fixed;
  return l.open ? *l.open : fixed;
}

// Fixed by the spec, or 0.
i64 block_of(const Launch& l) { return open_of(l).any_block ? 0 : i64(l.block[0]); }

}  // namespace

bool is_open(const PreparedSide& side) {
  return side.by_index || (!side.problem->launches.empty() && launch_of(side).open);
}

bool is_open(const Setup& setup) {
  return setup.a.by_index || setup.ref.by_index || !open_part(*setup.problem).empty();
}

i64 most_threads(const Setup& setup, const PreparedSide& side) {
  const Launch& l = launch_of(side);
  const i64 blocks = open_of(l).any_grid ? most_in_row : i64(l.grid[0]);
  i64 n = blocks * (block_of(l) ? block_of(l) : i64(most_block_threads));
  if (const auto bound = most(*setup.problem, open_of(l).max_threads)) n = std::min(n, std::max<i64>(*bound, 1));
  for (const Buffer& b : setup.problem->buffers) {
    const auto count = b.count ? std::optional(i64(*b.count)) : most(*setup.problem, b.count_of);
    if (count && *count < most_buffer_bytes) n = std::max(n, *count);
  }
  return n;
}

Box open_box(const Setup& setup, const PreparedSide& side, bool by_blocks) {
  Box box;
  const i64 n = most_threads(setup, side), block = block_of(launch_of(side));
  if (block == 0 || !by_blocks) {
    box.symbols.push_back({"index", 0, std::max<i64>(n, 2) - 1});
    box.thread[0].parts.push_back({0, 1});
    return box;
  }
  box.symbols.push_back({"ctaid.x", 0, std::max<i64>((n + block - 1) / block, 2) - 1});
  box.block[0].parts.push_back({0, 1});
  if (block > 1) {
    box.symbols.push_back({"tid.x", 0, block - 1});
    box.thread[0].parts.push_back({1, 1});
  }
  return box;
}

OpenLaunches::OpenLaunches(const Setup& setup, SymbolicDomain& domain, bool by_blocks)
    : setup_(setup), domain_(domain), by_blocks_(by_blocks) {
  for (const Buffer& b : setup.problem->buffers) {
    if (!b.count_of) continue;
    const auto count = value(*b.count_of);
    if (!count) return;
    const i64 element = (ir::bits(b.type) + 7) / 8;
    require_order(SymbolicDomain::constant(64, 0), *count);
    require_order(*count, SymbolicDomain::constant(64, std::uint64_t(most_buffer_bytes / element)));
    set_size(b, *count);
  }
  add_side(setup, setup.a, sides_[0]);
  if (!setup.ref.programs.empty()) add_side(setup, setup.ref, sides_[1]);
}

void OpenLaunches::set_size(const Buffer& buffer, const sym::Value& count) {
  const std::uint64_t element = (ir::bits(buffer.type) + 7) / 8;
  const sym::Value bytes = domain_.mul(count, SymbolicDomain::constant(64, element));
  const std::size_t at = std::size_t(&buffer - setup_.problem->buffers.data());
  for (const PreparedSide* s : {&setup_.a, &setup_.ref})
    if (at < s->buffers.size()) domain_.set_size(s->buffers[at], bytes);
}

void OpenLaunches::open_sizes() {
  for (const Buffer& b : setup_.problem->buffers)
    if (b.count && *b.count < std::uint64_t(most_buffer_bytes)) set_size(b, SymbolicDomain::constant(64, *b.count));
}

sym::Value OpenLaunches::symbol(std::string name, i64 low, i64 high, unsigned width) {
  if (low == high) return SymbolicDomain::constant(width, std::uint64_t(low));
  sym::Form form;
  form.parts.push_back({domain_.forms.add_symbol({std::move(name), low, high}), 1});
  return {0, domain_.forms.make(std::move(form), width), width};
}

void OpenLaunches::add_side(const Setup& setup, const PreparedSide& side, One& one) {
  one.launch = &launch_of(side);
  if (!is_open(side)) return;
  const OpenLaunch& open = open_of(*one.launch);
  const i64 n = most_threads(setup, side);
  one.block = block_of(*one.launch);
  const std::uint32_t first = std::uint32_t(domain_.forms.symbols().size());
  if (one.block == 0) {
    one.size_symbol = first;
    const i64 largest = std::max<i64>(i64(most_threads(*one.launch->kernel)), 2);
    one.block_size = symbol("ntid.x", 1, largest, 32);
    one.place = symbol("tid.x", 0, largest - 1, 32);
    if (open.any_grid) {
      const std::uint32_t grid = std::uint32_t(domain_.forms.symbols().size());
      one.grid_size = symbol("nctaid.x", 1, most_in_row, 32);
      one.symbol = std::uint32_t(domain_.forms.symbols().size());
      one.threads = symbol("threads", 1, std::max<i64>(n, 2), 64);
      domain_.define_product(one.size_symbol, grid, one.threads);
    } else {
      one.grid_size = SymbolicDomain::constant(32, one.launch->grid[0]);
      one.symbol = one.size_symbol, one.factor = one.launch->grid[0];
      one.threads = domain_.mul(domain_.zext(one.block_size, 64), SymbolicDomain::constant(64, one.launch->grid[0]));
    }
  } else {
    one.block_size = SymbolicDomain::constant(32, std::uint64_t(one.block));
    one.grid_size = SymbolicDomain::constant(32, one.launch->grid[0]);
    if (open.any_grid) {
      one.symbol = first, one.factor = one.block;
      one.grid_size = symbol("nctaid.x", 1, std::max<i64>((n + one.block - 1) / one.block, 2), 32);
    }
    one.threads = domain_.mul(domain_.zext(one.grid_size, 64), SymbolicDomain::constant(64, std::uint64_t(one.block)));
    one.place = symbol("tid.x", 0, one.block - 1, 32);
  }
  if (open.min_threads)
    if (const auto least = value(*open.min_threads)) require_order(*least, one.threads);
  if (open.max_threads)
    if (const auto most_of = value(*open.max_threads)) require_order(one.threads, *most_of);
}

// The expression as a value of 64 bits, which no step of it leaves.
std::optional<sym::Value> OpenLaunches::value(const Expression& e) {
  using K = ExpressionNode::Kind;
  if (!bounds_of(*setup_.problem, e)) {
    failed_ = to_text(*setup_.problem, e) + " can leave 64 bits or divide by zero (a range for its scalars would help)";
    return std::nullopt;
  }
  std::vector<sym::Value> out;
  for (const ExpressionNode& n : e.nodes) {
    if (n.kind == K::number) {
      out.push_back(SymbolicDomain::constant(64, std::uint64_t(n.number)));
    } else if (n.kind == K::scalar) {
      const Scalar& s = setup_.problem->scalars[n.scalar];
      const unsigned width = unsigned(s.size) * 8;
      const sym::Value v = domain_.value(domain_.store().leaf({sym::LeafKind::scalar, n.scalar, 0}, width));
      out.push_back(ir::is_signed(s.type) ? domain_.sext(v, 64) : domain_.zext(v, 64));
    } else {
      const sym::Value x = out[n.left], y = out[n.right];
      out.push_back(n.kind == K::add   ? domain_.add(x, y)
                    : n.kind == K::sub ? domain_.sub(x, y)
                    : n.kind == K::mul ? domain_.mul(x, y)
                                       : domain_.sdiv(x, y));
    }
  }
  return out.back();
}

// A relation of terms, even between forms: it is not for the ranges to decide.
void OpenLaunches::require_order(const sym::Value& least, const sym::Value& most) {
  const sym::Term x = domain_.term(least), t = domain_.store().make(sym::Op::sle, 1, 0, x, domain_.term(most));
  known_ = conjunction(domain_.store(), known_, t);
}

Linear OpenLaunches::index(Side side, const Linear& block, const Linear& thread) const {
  const i64 size = sides_[side == Side::a ? 0 : 1].block;
  Linear out = thread;
  if (size == 0 || !by_blocks_) return out;
  out.constant += size * block.constant;
  for (const sym::FormPart& p : block.parts) {
    const auto at = std::find_if(out.parts.begin(), out.parts.end(), [&](auto& o) { return o.symbol == p.symbol; });
    if (at != out.parts.end())
      at->factor += size * p.factor;
    else
      out.parts.push_back({p.symbol, size * p.factor});
  }
  std::erase_if(out.parts, [](const sym::FormPart& p) { return p.factor == 0; });
  return out;
}

sym::ThreadId OpenLaunches::thread(Side side, const Linear& block, const Linear& thread, bool strided) {
  const One& one = sides_[side == Side::a ? 0 : 1];
  const sym::Value index64 = value_of(index(side, block, thread), domain_.forms, 64);
  sym::ThreadId id;
  for (auto* component : {&id.block, &id.thread}) component->fill(SymbolicDomain::constant(32, 0));
  for (auto* component : {&id.block_size, &id.grid_size}) component->fill(SymbolicDomain::constant(32, 1));
  id.block_size[0] = one.block_size, id.grid_size[0] = one.grid_size;
  if (one.block && by_blocks_) {
    id.block[0] = value_of(block, domain_.forms, 32), id.thread[0] = value_of(thread, domain_.forms, 32);
  } else {
    // A block number of its own, for which ctaid * ntid + tid is this index.
    const std::uint32_t number = std::uint32_t(domain_.forms.symbols().size());
    id.block[0] = symbol("ctaid.x", 0, most_in_row - 1, 32);
    id.thread[0] = one.place;
    const sym::Value place64{one.place.bits, one.place.tag, 64};
    const sym::Value first = domain_.sub(index64, place64);
    if (one.block)
      domain_.define_multiple(number, std::uint64_t(one.block), first);
    else
      domain_.define_product(number, one.size_symbol, first);
  }
  if (!strided) {
    const sym::Term x = domain_.term(index64);
    id.exists = domain_.store().make(sym::Op::ult, 1, 0, x, domain_.term(one.threads));
  }
  return id;
}

}  // namespace ptxeq::check
