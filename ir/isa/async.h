// PTX ISA 9.7.9.25 to 9.7.9.28, 9.7.13.15 to 9.7.13.18: asynchronous copies, mbarriers, tensor maps.
#pragma once

#include "ir/isa.h"

namespace ptxeq::ir::isa {

// clang-format off
inline constexpr Form copy_forms[] = {
    {"cp async ca shared|shared::cta@78 global [L2::cache_hint]@74,80 [L2::64B|L2::128B|L2::256B]@74,80",
     "dst:m src:m size:imm=4,8,16 [source_size:any] policy:b64?L2::cache_hint", {70, 80}, Action::unmodelled, "9.7.9.25.3.1",
     "copy size bytes later, in this thread's next group", true},
    {"cp async cg shared|shared::cta@78 global [L2::cache_hint]@74,80 [L2::64B|L2::128B|L2::256B]@74,80",
     "dst:m src:m size:imm=16 [source_size:any] policy:b64?L2::cache_hint", {70, 80}, Action::unmodelled,
     "9.7.9.25.3.1", "copy 16 bytes later, in this thread's next group", true},
    {"cp async commit_group",
     "", {70, 80}, Action::unmodelled, "9.7.9.25.3.2", "close this thread's group", true},
    {"cp async wait_group",
     "n:imm", {70, 80}, Action::unmodelled, "9.7.9.25.3.3", "wait for all but the n newest groups", true},
    {"cp async wait_all",
     "", {70, 80}, Action::unmodelled, "9.7.9.25.3.3", "wait for all copies", true},
    {"cp async mbarrier arrive [noinc] [shared|shared::cta@78] b64",
     "a:m", {70, 80}, Action::unmodelled, "9.7.13.15.15", "arrive at a when this thread's copies are done", true},
};
// clang-format on

// clang-format off
inline constexpr Form bulk_forms[] = {
    {"cp async bulk shared::cta@86 global mbarrier::complete_tx::bytes [L2::cache_hint]",
     "dst:m src:m size:u32 mbar:m policy:b64?L2::cache_hint", {80, 90}, Action::unmodelled, "9.7.9.25.4.1",
     "copy size bytes, which mbar completes", true},
    {"cp async bulk shared::cluster global mbarrier::complete_tx::bytes [multicast::cluster] [L2::cache_hint]",
     "dst:m src:m size:u32 mbar:m mask:b16?multicast::cluster policy:b64?L2::cache_hint", {80, 90}, Action::unmodelled,
     "9.7.9.25.4.1", "copy size bytes, which mbar completes", true},
    {"cp async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes",
     "dst:m src:m size:u32 mbar:m", {80, 90}, Action::unmodelled, "9.7.9.25.4.1",
     "copy size bytes, which mbar completes", true},
    {"cp async bulk global shared::cta bulk_group [L2::cache_hint] [cp_mask]@86,100",
     "dst:m src:m size:u32 policy:b64?L2::cache_hint mask:b16?cp_mask", {80, 90}, Action::unmodelled, "9.7.9.25.4.1",
     "copy size bytes, in this thread's next bulk group", true},
    {"cp reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes and|or|xor b32",
     "dst:m src:m size:u32 mbar:m", {80, 90}, Action::unmodelled, "9.7.9.25.4.2",
     "combine size bytes with those at dst, which mbar completes", true},
    {"cp reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes add u32|s32|u64",
     "dst:m src:m size:u32 mbar:m", {80, 90}, Action::unmodelled, "9.7.9.25.4.2",
     "combine size bytes with those at dst, which mbar completes", true},
    {"cp reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes inc|dec u32",
     "dst:m src:m size:u32 mbar:m", {80, 90}, Action::unmodelled, "9.7.9.25.4.2",
     "combine size bytes with those at dst, which mbar completes", true},
    {"cp reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes min|max u32|s32",
     "dst:m src:m size:u32 mbar:m", {80, 90}, Action::unmodelled, "9.7.9.25.4.2",
     "combine size bytes with those at dst, which mbar completes", true},
    {"cp reduce async bulk global shared::cta bulk_group [L2::cache_hint] and|or|xor b32|b64",
     "dst:m src:m size:u32 policy:b64?L2::cache_hint", {80, 90}, Action::unmodelled, "9.7.9.25.4.2",
     "combine size bytes with those at dst", true},
    {"cp reduce async bulk global shared::cta bulk_group [L2::cache_hint] add u32|s32|u64|f32|f64",
     "dst:m src:m size:u32 policy:b64?L2::cache_hint", {80, 90}, Action::unmodelled, "9.7.9.25.4.2",
     "combine size bytes with those at dst", true},
    {"cp reduce async bulk global shared::cta bulk_group [L2::cache_hint] inc|dec u32",
     "dst:m src:m size:u32 policy:b64?L2::cache_hint", {80, 90}, Action::unmodelled, "9.7.9.25.4.2",
     "combine size bytes with those at dst", true},
    {"cp reduce async bulk global shared::cta bulk_group [L2::cache_hint] min|max u32|s32|u64|s64|f16|bf16",
     "dst:m src:m size:u32 policy:b64?L2::cache_hint", {80, 90}, Action::unmodelled, "9.7.9.25.4.2",
     "combine size bytes with those at dst", true},
    {"cp reduce async bulk global shared::cta bulk_group [L2::cache_hint] add noftz f16|bf16",
     "dst:m src:m size:u32 policy:b64?L2::cache_hint", {80, 90}, Action::unmodelled, "9.7.9.25.4.2",
     "combine size bytes with those at dst", true},
    {"cp async bulk prefetch L2 global [L2::cache_hint]",
     "src:m size:u32 policy:b64?L2::cache_hint", {80, 90}, Action::prefetch, "9.7.9.25.4.3",
     "a hint: fetch size bytes", true},
    {"cp async bulk commit_group",
     "", {80, 90}, Action::unmodelled, "9.7.9.27.2.1", "close this thread's bulk group", true},
    {"cp async bulk wait_group [read]",
     "n:imm", {80, 90}, Action::unmodelled, "9.7.9.27.2.2", "wait for all but the n newest bulk groups", true},
    {"multimem cp async bulk global shared::cta bulk_group [cp_mask]@91,100",
     "dst:m src:m size:u32 mask:b16?cp_mask", {91, 90}, Action::unmodelled, "9.7.9.26",
     "copy size bytes to all copies of dst", true},
    {"multimem cp reduce async bulk global shared::cta bulk_group and|or|xor b32|b64",
     "dst:m src:m size:u32", {91, 90}, Action::unmodelled, "9.7.9.27", "combine size bytes with all copies of dst",
     true},
    {"multimem cp reduce async bulk global shared::cta bulk_group add u32|s32|u64|f32|f64",
     "dst:m src:m size:u32", {91, 90}, Action::unmodelled, "9.7.9.27", "combine size bytes with all copies of dst",
     true},
    {"multimem cp reduce async bulk global shared::cta bulk_group inc|dec u32",
     "dst:m src:m size:u32", {91, 90}, Action::unmodelled, "9.7.9.27", "combine size bytes with all copies of dst",
     true},
    {"multimem cp reduce async bulk global shared::cta bulk_group min|max u32|s32|u64|s64|f16|bf16",
     "dst:m src:m size:u32", {91, 90}, Action::unmodelled, "9.7.9.27", "combine size bytes with all copies of dst",
     true},
    {"multimem cp reduce async bulk global shared::cta bulk_group add noftz f16|bf16",
     "dst:m src:m size:u32", {91, 90}, Action::unmodelled, "9.7.9.27", "combine size bytes with all copies of dst",
     true},
};
// clang-format on

// clang-format off
inline constexpr Form tensor_forms[] = {
    {"cp async bulk tensor 1d|2d|3d|4d|5d shared::cta@86 global [tile|tile::gather4@86,100|im2col|im2col::w@86,100|"
     "im2col::w::128@86,100] mbarrier::complete_tx::bytes [cta_group::1|cta_group::2]@86,100f-119 [L2::cache_hint]",
     "dst:m map:mm mbar:m [info:<b16>] policy:b64?L2::cache_hint", {80, 90}, Action::unmodelled, "9.7.9.27.1.2",
     "copy a tile of a tensor, which mbar completes", true},
    {"cp async bulk tensor 1d|2d|3d|4d|5d shared::cluster global [tile|tile::gather4@86,100f-119|im2col|"
     "im2col::w@86,100f-119|im2col::w::128@86,100f-119] mbarrier::complete_tx::bytes [multicast::cluster] "
     "[cta_group::1|cta_group::2]@86,100f-119 [L2::cache_hint]",
     "dst:m map:mm mbar:m [info:<b16>] mask:b16?multicast::cluster policy:b64?L2::cache_hint", {80, 90},
     Action::unmodelled, "9.7.9.27.1.2", "copy a tile of a tensor, which mbar completes", true},
    {"cp async bulk tensor 1d|2d|3d|4d|5d global shared::cta [tile|tile::scatter4@86,100f-119|im2col_no_offs] "
     "bulk_group [L2::cache_hint]",
     "map:mm src:m policy:b64?L2::cache_hint", {80, 90}, Action::unmodelled, "9.7.9.27.1.2", "copy a tile of a tensor",
     true},
    {"cp reduce async bulk tensor 1d|2d|3d|4d|5d global shared::cta add|min|max|inc|dec|and|or|xor [tile|"
     "im2col_no_offs] bulk_group [L2::cache_hint]",
     "map:mm src:m policy:b64?L2::cache_hint", {80, 90}, Action::unmodelled, "9.7.9.27.1.3",
     "combine with a tile of a tensor", true},
    {"cp async bulk prefetch tensor 1d|2d|3d|4d|5d L2 global [tile|tile::gather4@86,100f-119|im2col|"
     "im2col::w@86,100f|im2col::w::128@86,100f] [L2::cache_hint]",
     "map:mm [info:<b16>] policy:b64?L2::cache_hint", {80, 90}, Action::prefetch, "9.7.9.27.1.4",
     "a hint: fetch a tile of a tensor", true},
    {"tensormap replace tile rank [global|shared::cta] b1024 b32",
     "a:m value:t", {83, 90, 'f'}, Action::unmodelled, "9.7.9.28", "change a field of the tensor map at a", true},
    {"tensormap replace tile global_address [global|shared::cta] b1024 b64",
     "a:m value:t", {83, 90, 'f'}, Action::unmodelled, "9.7.9.28", "change a field of the tensor map at a", true},
    {"tensormap replace tile box_dim|global_dim|element_stride [global|shared::cta] b1024 b32",
     "a:m index:imm value:t", {83, 90, 'f'}, Action::unmodelled, "9.7.9.28", "change a field of the tensor map at a",
     true},
    {"tensormap replace tile global_stride [global|shared::cta] b1024 b64",
     "a:m index:imm value:t", {83, 90, 'f'}, Action::unmodelled, "9.7.9.28", "change a field of the tensor map at a",
     true},
    {"tensormap replace tile elemtype|interleave_layout|swizzle_mode|swizzle_atomicity@86,100|fill_mode [global|"
     "shared::cta] b1024 b32",
     "a:m value:imm", {83, 90, 'f'}, Action::unmodelled, "9.7.9.28", "change a field of the tensor map at a", true},
    {"tensormap cp_fenceproxy global shared::cta tensormap::generic release cta|cluster|gpu|sys sync aligned",
     "dst:m src:m size:imm=128", {83, 90}, Action::unmodelled, "9.7.13.16",
     "copy a tensor map and order accesses to it", true},
};
// clang-format on

// clang-format off
inline constexpr Form mbarrier_forms[] = {
    {"mbarrier init [shared|shared::cta@78] b64",
     "a:m count:u32", {70, 80}, Action::unmodelled, "9.7.13.15.9", "make a barrier object for count arrivals at a",
     true},
    {"mbarrier inval [shared|shared::cta@78] b64",
     "a:m", {70, 80}, Action::unmodelled, "9.7.13.15.10", "end the barrier object at a", true},
    {"mbarrier expect_tx|complete_tx [relaxed] [cta|cluster] [shared|shared::cta|shared::cluster] b64",
     "a:m count:u32", {80, 90}, Action::unmodelled, "9.7.13.15.11", "change the transaction count of a", true},
    {"mbarrier arrive|arrive_drop [release@80|relaxed@86,90] [cta@80|cluster@80,90] [shared|shared::cta@78|"
     "shared::cluster@80,90] b64",
     "state:b64 a:m", {70, 80}, Action::unmodelled, "9.7.13.15.13", "arrive at a"},
    {"mbarrier arrive|arrive_drop [release@80|relaxed@86,90] [cta@80|cluster@80,90] [shared|shared::cta|"
     "shared::cluster@80] b64",
     "state:b64 a:m count:u32", {78, 90}, Action::unmodelled, "9.7.13.15.13", "arrive count times at a"},
    {"mbarrier arrive|arrive_drop expect_tx [release|relaxed@86] [cta|cluster] [shared|shared::cta|shared::cluster] "
     "b64",
     "state:b64 a:m count:u32", {80, 90}, Action::unmodelled, "9.7.13.15.13", "expect count bytes at a and arrive"},
    {"mbarrier arrive|arrive_drop noComplete [release]@80 [cta]@80 [shared|shared::cta@78] b64",
     "state:b64 a:m count:u32", {70, 80}, Action::unmodelled, "9.7.13.15.13",
     "arrive count times at a, not completing the phase"},
    {"mbarrier test_wait [acquire@80|relaxed@86,90] [cta@80|cluster@80,90] [shared|shared::cta@78] b64",
     "done:pred a:m state:b64", {70, 80}, Action::unmodelled, "9.7.13.15.16", "done = whether the phase is complete"},
    {"mbarrier try_wait [acquire@80|relaxed@86] [cta@80|cluster@80] [shared|shared::cta] b64",
     "done:pred a:m state:b64 [hint:u32]", {78, 90}, Action::unmodelled, "9.7.13.15.16",
     "wait a while; done = whether the phase is complete"},
    {"mbarrier test_wait parity [acquire@80|relaxed@86,90] [cta@80|cluster@80,90] [shared|shared::cta@78] b64",
     "done:pred a:m phase:u32", {71, 80}, Action::unmodelled, "9.7.13.15.16", "done = whether the phase is complete"},
    {"mbarrier try_wait parity [acquire@80|relaxed@86] [cta@80|cluster@80] [shared|shared::cta] b64",
     "done:pred a:m phase:u32 [hint:u32]", {78, 90}, Action::unmodelled, "9.7.13.15.16",
     "wait a while; done = whether the phase is complete"},
    {"mbarrier pending_count b64",
     "count:u32 state:b64", {70, 80}, Action::unmodelled, "9.7.13.15.17",
     "count = the arrivals that state still waits for"},
    {"clusterlaunchcontrol try_cancel async [shared::cta] mbarrier::complete_tx::bytes "
     "[multicast::cluster::all]@86,100f b128",
     "a:m mbar:m", {86, 100}, Action::unmodelled, "9.7.13.17", "ask to cancel a cluster not yet launched", true},
    {"clusterlaunchcontrol query_cancel is_canceled pred b128",
     "p:t a:t1", {86, 100}, Action::unmodelled, "9.7.13.18", "p = whether the answer a says canceled"},
    {"clusterlaunchcontrol query_cancel get_first_ctaid v4 b32 b128",
     "d:{t} a:t1", {86, 100}, Action::unmodelled, "9.7.13.18", "d = the first block of the canceled cluster"},
    {"clusterlaunchcontrol query_cancel get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z b32 b128",
     "d:t a:t1", {86, 100}, Action::unmodelled, "9.7.13.18", "d = the first block of the canceled cluster"},
};
// clang-format on

}  // namespace ptxeq::ir::isa
