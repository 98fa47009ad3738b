#include "ir/isa/all.h"
#include "symbolic/semantics_loops.h"
#include "symbolic/semantics_tables.h"

namespace ptxeq::sym {
namespace {

template <class F>
void loop(ConcreteDomain& domain, const ir::Opcode& opcode, const Lanes& lanes, const ConcreteSource* sources,
          u64* const* results) {
  constexpr std::size_t n = loops::arity<F, ConcreteDomain>();
  using Indices = std::make_index_sequence<n>;
  // Local copies: the compiler then knows that the stores below do not change them.
  ConcreteDomain d = domain;
  const ir::Opcode op = opcode;
  const F f = loops::callable<F>();
  ConcreteSource source[n + 1];
  for (std::size_t i = 0; i < n; ++i) source[i] = sources[i];
  const auto one = [&](unsigned lane) {
    ConcreteDomain::Value in[n + 1];
    for (std::size_t i = 0; i < n; ++i) in[i] = {source[i].bits[lane], source[i].width};
    const auto out = loops::call(f, d, op, in, Indices{});
    if constexpr (std::is_same_v<decltype(out), const ConcreteDomain::Value>) {
      results[0][lane] = out.bits;
    } else {
      for (std::size_t i = 0; i < out.size(); ++i) results[i][lane] = out[i].bits;
    }
  };
  if (lanes.index) {
    for (unsigned i = 0; i < lanes.count; ++i) one(lanes.index[i]);
  } else {
    for (unsigned lane = lanes.first, end = lanes.first + lanes.count; lane < end; ++lane) one(lane);
  }
  domain = d;
}

}  // namespace

std::vector<ConcreteLoop> concrete_loops() {
  std::vector<ConcreteLoop> out;
  ir::isa::for_each_row([&]<class Does>(const ir::Row<Does>&) {
    if constexpr (std::is_same_v<Does, ir::Nothing>)
      out.push_back(nullptr);
    else
      out.push_back(loop<Does>);
  });
  return out;
}

}  // namespace ptxeq::sym
