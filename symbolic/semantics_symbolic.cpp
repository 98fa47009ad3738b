#include "ir/isa/all.h"
#include "symbolic/semantics_loops.h"
#include "symbolic/semantics_tables.h"

namespace ptxeq::sym {
namespace {

void put(const SymbolicResult& to, unsigned i, const Value& v) { to.bits[i] = v.bits, to.tags[i] = v.tag; }

template <class F, std::size_t... I, std::size_t... K>
void loop_over(SymbolicDomain& d, const ir::Opcode& op, unsigned count, const SymbolicSource* sources,
               SymbolicResult* results, std::index_sequence<I...>, std::index_sequence<K...>) {
  const F f = loops::callable<F>();
  const std::array<SymbolicSource, sizeof...(I)> in{sources[I]...};  // copies, which no store through `results` changes
  const std::array<SymbolicResult, sizeof...(K)> to{results[K]...};
  for (unsigned i = 0; i < count; ++i) {
    const auto result = f(d, op, in[I][i]...);
    if constexpr (std::is_same_v<decltype(result), const Value>)
      put(to[0], i, result), results[0].width = result.w;
    else
      (..., (put(to[K], i, result[K]), results[K].width = result[K].w));
  }
}

template <class F>
void loop(SymbolicDomain& d, const ir::Opcode& op, unsigned count, const SymbolicSource* sources,
          SymbolicResult* results) {
  loop_over<F>(d, op, count, sources, results, std::make_index_sequence<loops::arity<F, SymbolicDomain>()>(),
               std::make_index_sequence<loops::results<F, SymbolicDomain>()>());
}

void fma_terms(TermStore& store, Attr attr, unsigned width, unsigned count, const u64* const* in, u64* result) {
  store.make_fmas(width, attr.pack(), count, in[0], in[1], in[2], result);
}

template <class Does>
constexpr TermLoop term_loop() {
  return std::is_same_v<Does, std::remove_const_t<decltype(ir::isa::one_fma)>> ? fma_terms : nullptr;
}

}  // namespace

std::vector<SymbolicEntry> symbolic_loops() {
  std::vector<SymbolicEntry> out;
  ir::isa::for_each_row([&]<class Does>(const ir::Row<Does>&) {
    if constexpr (std::is_same_v<Does, ir::Nothing>)
      out.push_back({});
    else
      out.push_back({unsigned(loops::arity<Does, SymbolicDomain>()), unsigned(loops::results<Does, SymbolicDomain>()),
                     loop<Does>, term_loop<Does>()});
  });
  return out;
}

const std::vector<Semantics>& semantics() {
  static const std::vector<Semantics> table = [] {
    const auto concrete = concrete_loops();
    const auto symbolic = symbolic_loops();
    std::vector<Semantics> out(ir::forms().size());  // rows that compute come first
    for (std::size_t i = 0; i < concrete.size(); ++i)
      out[i] = {symbolic[i].sources, symbolic[i].results, concrete[i], symbolic[i].loop, symbolic[i].terms};
    return out;
  }();
  return table;
}

}  // namespace ptxeq::sym
