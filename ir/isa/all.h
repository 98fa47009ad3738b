// Every row, in the order of Opcode::form: those that compute, with their semantics, then the rest.
#pragma once

#include <span>

#include "ir/isa/async.h"
#include "ir/isa/atomic.h"
#include "ir/isa/bits.h"
#include "ir/isa/carry.h"
#include "ir/isa/compare.h"
#include "ir/isa/control.h"
#include "ir/isa/convert.h"
#include "ir/isa/float.h"
#include "ir/isa/half.h"
#include "ir/isa/integer.h"
#include "ir/isa/logic.h"
#include "ir/isa/matrix.h"
#include "ir/isa/memory.h"
#include "ir/isa/move.h"
#include "ir/isa/tcgen05.h"
#include "ir/isa/texture.h"
#include "ir/isa/video.h"
#include "ir/isa/warp.h"
#include "ir/isa/wgmma.h"

namespace ptxeq::ir::isa {

// Calls f(row) for every row that computes, in order. (One tuple of them all would take minutes to compile.)
template <class F>
void for_each_row(F f) {
  auto each = [&](const auto&... chapters) {
    (std::apply([&](const auto&... rows) { (f(rows), ...); }, chapters), ...);
  };
  each(arithmetic_rows, multiply_rows, bit_rows, carry_rows, float_rows, half_rows, setp_rows, set_rows, select_rows,
       logic_rows, move_rows, convert_rows, policy_rows);
}

// The forms that the machine itself runs or that are only read: no functions, so plain arrays, which compile fast.
inline constexpr std::span<const Form> plain_forms[] = {
    load_forms,          store_forms,       hint_forms,        address_forms,     flow_forms,         barrier_forms,
    fence_forms,         misc_forms,        warp_forms,        atomic_forms,      video_forms,        tex_forms,
    surface_forms,       copy_forms,        bulk_forms,        tensor_forms,      mbarrier_forms,     wmma_forms,
    mma_forms,           sparse_mma_forms,  matrix_move_forms, wgmma_dense_forms, wgmma_sparse_forms, wgmma_order_forms,
    tensor_memory_forms, tcgen05_mma_forms,
};

}  // namespace ptxeq::ir::isa
