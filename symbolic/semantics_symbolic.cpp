#include "ir/isa/all.h"
#include "symbolic/semantics_loops.h"
#include "symbolic/semantics_tables.h"

namespace ptxeq::sym {
namespace {

template <class F>
void loop(SymbolicDomain& d, const ir::Opcode& op, unsigned count, const Value* in, Value* out) {
  constexpr std::size_t n = loops::arity<F, SymbolicDomain>(), m = loops::results<F, SymbolicDomain>();
  const F f = loops::callable<F>();
  for (unsigned i = 0; i < count; ++i, in += n, out += m) {
    const auto result = loops::call(f, d, op, in, std::make_index_sequence<n>());
    if constexpr (m == 1 && std::is_same_v<decltype(result), const Value>) {
      *out = result;
    } else {
      for (std::size_t k = 0; k < m; ++k) out[k] = result[k];
    }
  }
}

}  // namespace

std::vector<SymbolicEntry> symbolic_loops() {
  std::vector<SymbolicEntry> out;
  ir::isa::for_each_row([&]<class Does>(const ir::Row<Does>&) {
    if constexpr (std::is_same_v<Does, ir::Nothing>)
      out.push_back({});
    else
      out.push_back({unsigned(loops::arity<Does, SymbolicDomain>()), unsigned(loops::results<Does, SymbolicDomain>()),
                     loop<Does>});
  });
  return out;
}

const std::vector<Semantics>& semantics() {
  static const std::vector<Semantics> table = [] {
    const auto concrete = concrete_loops();
    const auto symbolic = symbolic_loops();
    std::vector<Semantics> out(ir::forms().size());  // rows that compute come first
    for (std::size_t i = 0; i < concrete.size(); ++i)
      out[i] = {symbolic[i].sources, symbolic[i].results, concrete[i], symbolic[i].loop};
    return out;
  }();
  return table;
}

}  // namespace ptxeq::sym
