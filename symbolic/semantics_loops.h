// From a row's callable to loops over lanes. Included by semantics_*.cpp alone.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "ir/isa.h"
#include "symbolic/semantics.h"

namespace ptxeq::sym::loops {

template <class F, class D, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  using V = typename D::Value;
  return std::is_invocable_v<const F&, D&, const ir::Opcode&, decltype((void(I), std::declval<V>()))...>;
}
// Number of operands of a row's callable.
template <class F, class D, std::size_t N = 0>
constexpr std::size_t arity() {
  static_assert(N <= max_sources, "a row's semantics takes too many operands");
  if constexpr (takes<F, D>(std::make_index_sequence<N>()))
    return N;
  else
    return arity<F, D, N + 1>();
}

template <class V>
struct result_count : std::integral_constant<std::size_t, 1> {};
template <class V, std::size_t N>
struct result_count<std::array<V, N>> : std::integral_constant<std::size_t, N> {};

template <class F, class D, std::size_t... I>
auto call(const F& f, D& d, const ir::Opcode& op, const typename D::Value* in, std::index_sequence<I...>) {
  return f(d, op, in[I]...);
}
template <class F, class D>
using result_type = decltype(call(std::declval<const F&>(), std::declval<D&>(), std::declval<const ir::Opcode&>(),
                                  std::declval<const typename D::Value*>(), std::make_index_sequence<arity<F, D>()>()));

// A stateless callable, made again where it is needed, so that a loop is a plain function.
template <class F>
F callable() {
  static_assert(std::is_empty_v<F>, "a row's semantics must not capture");
  return F{};
}

template <class F, class D>
constexpr std::size_t results() {
  constexpr std::size_t n = result_count<result_type<F, D>>::value;
  static_assert(n <= max_results, "a row's semantics has too many results");
  return n;
}

}  // namespace ptxeq::sym::loops
