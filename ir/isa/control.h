// PTX ISA 9.7.12, 9.7.13.1 to 9.7.13.4, 9.7.17, 9.7.19: control flow, barriers, fences, stack, miscellaneous.
#pragma once

#include "ir/isa.h"

namespace ptxeq::ir::isa {

// clang-format off
inline constexpr Form flow_forms[] = {
    {"bra [uni]",
     "target:label", {}, Action::branch, "9.7.12.3", "go to target", true},
    {"brx idx [uni]",
     "index:u32 targets:label", {60, 30}, Action::branch_indexed, "9.7.12.4", "go to entry index of the list", true},
    {"call [uni]",
     "[result:list] callee:func [arguments:list] [targets:label]", {}, Action::call, "9.7.12.5",
     "call callee, directly or through a pointer", true},
    {"ret [uni]",
     "", {}, Action::ret, "9.7.12.6", "return from the function", true},
    {"exit",
     "", {}, Action::exit, "9.7.12.7", "end the thread", true},
    {"trap",
     "", {}, Action::trap, "9.7.19.4", "abort the kernel", true},
    {"brkpt",
     "", {}, Action::unmodelled, "9.7.19.1", "suspend execution", true},
};
// clang-format on

// clang-format off
inline constexpr Form barrier_forms[] = {
    {"bar [cta]@78 sync",
     "a:u32 [b:u32]", {}, Action::barrier, "9.7.13.1", "wait until b threads (all of the block) are at barrier a",
     true},
    {"bar [cta]@78 arrive",
     "a:u32 b:u32", {20, 20}, Action::barrier, "9.7.13.1", "count as being at barrier a, without waiting", true},
    {"bar [cta]@78 red popc u32",
     "d:t a:u32 [b:u32] c:pred", {20, 20}, Action::barrier, "9.7.13.1",
     "wait at barrier a; d = the number of threads with c"},
    {"bar [cta]@78 red and|or pred",
     "p:t a:u32 [b:u32] c:pred", {20, 20}, Action::barrier, "9.7.13.1",
     "wait at barrier a; p = whether c in all (any) threads"},
    {"barrier [cta]@78 sync [aligned]",
     "a:u32 [b:u32]", {60, 30}, Action::barrier, "9.7.13.1",
     "wait until b threads (all of the block) are at barrier a", true},
    {"barrier [cta]@78 arrive [aligned]",
     "a:u32 b:u32", {60, 30}, Action::barrier, "9.7.13.1", "count as being at barrier a, without waiting", true},
    {"barrier [cta]@78 red popc [aligned] u32",
     "d:t a:u32 [b:u32] c:pred", {60, 30}, Action::barrier, "9.7.13.1",
     "wait at barrier a; d = the number of threads with c"},
    {"barrier [cta]@78 red and|or [aligned] pred",
     "p:t a:u32 [b:u32] c:pred", {60, 30}, Action::barrier, "9.7.13.1",
     "wait at barrier a; p = whether c in all (any) threads"},
    {"bar warp sync",
     "mask:b32", {60, 30}, Action::barrier_warp, "9.7.13.2", "wait for the lanes of mask", true},
    {"barrier cluster arrive [release@80|relaxed@80] [aligned]",
     "", {78, 90}, Action::unmodelled, "9.7.13.3", "arrive at the cluster's barrier", true},
    {"barrier cluster wait [acquire]@80 [aligned]",
     "", {78, 90}, Action::unmodelled, "9.7.13.3", "wait at the cluster's barrier", true},
};
// clang-format on

// clang-format off
inline constexpr Form fence_forms[] = {
    {"membar cta|gl|sys@20,20",
     "", {14, 0}, Action::fence, "9.7.13.4", "order memory accesses", true},
    {"membar proxy alias",
     "", {75, 60}, Action::fence, "9.7.13.4", "order accesses through two proxies", true},
    {"fence [sc|acq_rel|acquire@86|release@86] cta|cluster@78,90|gpu|sys",
     "", {60, 70}, Action::fence, "9.7.13.4", "order memory accesses", true},
    {"fence acquire sync_restrict::shared::cluster cluster",
     "", {86, 90}, Action::fence, "9.7.13.4", "order accesses to shared memory of the cluster", true},
    {"fence release sync_restrict::shared::cta cluster",
     "", {86, 90}, Action::fence, "9.7.13.4", "order accesses to shared memory of the block", true},
    {"fence mbarrier_init release cluster",
     "", {80, 90}, Action::fence, "9.7.13.4", "order mbarrier.init before what follows", true},
    {"fence proxy alias|async@80,90",
     "", {75, 70}, Action::fence, "9.7.13.4", "order accesses through two proxies", true},
    {"fence proxy async global|shared::cta|shared::cluster",
     "", {80, 90}, Action::fence, "9.7.13.4", "order accesses through two proxies", true},
    {"fence proxy tensormap::generic release cta|cluster|gpu|sys",
     "", {83, 90}, Action::fence, "9.7.13.4", "order accesses to a tensor map", true},
    {"fence proxy tensormap::generic acquire cta|cluster|gpu|sys",
     "a:m size:imm=128", {83, 90}, Action::fence, "9.7.13.4", "order accesses to the tensor map at a", true},
    {"fence proxy async::generic acquire sync_restrict::shared::cluster cluster",
     "", {86, 90}, Action::fence, "9.7.13.4", "order accesses through two proxies", true},
    {"fence proxy async::generic release sync_restrict::shared::cta cluster",
     "", {86, 90}, Action::fence, "9.7.13.4", "order accesses through two proxies", true},
    {"griddepcontrol launch_dependents|wait",
     "", {78, 90}, Action::nothing, "9.7.13.13", "order this grid and those that depend on it", true},
};
// clang-format on

// clang-format off
inline constexpr Form misc_forms[] = {
    {"stacksave u32|u64",
     "d:t", {73, 52}, Action::unmodelled, "9.7.17.1", "d = the stack pointer"},
    {"stackrestore u32|u64",
     "a:t", {73, 52}, Action::unmodelled, "9.7.17.2", "the stack pointer = a", true},
    {"alloca u32|u64",
     "d:t size:t [align:imm]", {73, 52}, Action::unmodelled, "9.7.17.3", "d = size new bytes of the stack"},
    {"nanosleep u32",
     "t:t", {63, 70}, Action::nothing, "9.7.19.2", "wait a while", true},
    {"pmevent",
     "a:imm", {14, 0}, Action::nothing, "9.7.19.3", "trigger a performance monitor event", true},
    {"pmevent mask",
     "a:imm", {30, 20}, Action::nothing, "9.7.19.3", "trigger performance monitor events", true},
    {"setmaxnreg inc|dec sync aligned u32",
     "count:imm", {80, 90, 'f'}, Action::nothing, "9.7.19.5", "change the registers that a warp owns", true},
};
// clang-format on

}  // namespace ptxeq::ir::isa
