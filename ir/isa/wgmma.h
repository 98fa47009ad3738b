// PTX ISA 9.7.15: asynchronous matrices of a warpgroup.
#pragma once

#include "ir/isa.h"

namespace ptxeq::ir::isa {

// clang-format off
inline constexpr Form wgmma_dense_forms[] = {
    {"wgmma mma_async sync aligned m64n*k16 f16|f32 f16 f16",
     "d:frag a:b64 b:b64 scale:pred scale_a:imm scale_b:imm trans_a:imm trans_b:imm", {80, 90, 'a', 90},
     Action::unmodelled, "9.7.15.5.2", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sync aligned m64n*k16 f16|f32 f16 f16",
     "d:frag a:frag1 b:b64 scale:pred scale_a:imm scale_b:imm trans_b:imm", {80, 90, 'a', 90}, Action::unmodelled,
     "9.7.15.5.2", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sync aligned m64n*k16 f32 bf16 bf16",
     "d:frag a:b64 b:b64 scale:pred scale_a:imm scale_b:imm trans_a:imm trans_b:imm", {80, 90, 'a', 90},
     Action::unmodelled, "9.7.15.5.2", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sync aligned m64n*k16 f32 bf16 bf16",
     "d:frag a:frag1 b:b64 scale:pred scale_a:imm scale_b:imm trans_b:imm", {80, 90, 'a', 90}, Action::unmodelled,
     "9.7.15.5.2", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sync aligned m64n*k8 f32 tf32 tf32",
     "d:frag a:b64/frag1 b:b64 scale:pred scale_a:imm scale_b:imm", {80, 90, 'a', 90}, Action::unmodelled,
     "9.7.15.5.2", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sync aligned m64n*k32 f16|f32 e4m3|e5m2 e4m3|e5m2",
     "d:frag a:b64/frag1 b:b64 scale:pred scale_a:imm scale_b:imm", {80, 90, 'a', 90}, Action::unmodelled,
     "9.7.15.5.2", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sync aligned m64n8k32|m64n16k32|m64n24k32|m64n32k32|m64n48k32|m64n64k32|m64n80k32|m64n96k32|"
     "m64n112k32|m64n128k32|m64n144k32|m64n160k32|m64n176k32|m64n192k32|m64n208k32|m64n224k32|m64n240k32|m64n256k32 "
     "[satfinite] s32 s8|u8 s8|u8",
     "d:frag a:b64/frag1 b:b64 scale:pred", {80, 90, 'a', 90}, Action::unmodelled, "9.7.15.5.2",
     "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sync aligned m64n8k256|m64n16k256|m64n24k256|m64n32k256|m64n48k256|m64n64k256|m64n80k256|"
     "m64n96k256|m64n112k256|m64n128k256|m64n144k256|m64n160k256|m64n176k256|m64n192k256|m64n208k256|m64n224k256|"
     "m64n240k256|m64n256k256 s32 b1 b1 and popc",
     "d:frag a:b64/frag1 b:b64 scale:pred", {80, 90, 'a', 90}, Action::unmodelled, "9.7.15.5.2",
     "start d = a * b + d over matrices of a warpgroup"},
};
// clang-format on

// clang-format off
inline constexpr Form wgmma_sparse_forms[] = {
    {"wgmma mma_async sp sync aligned m64n*k32 f16|f32 f16 f16",
     "d:frag a:b64 b:b64 meta:b32 select:imm scale:pred scale_a:imm scale_b:imm trans_a:imm trans_b:imm",
     {82, 90, 'a', 90}, Action::unmodelled, "9.7.15.6.3", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sp sync aligned m64n*k32 f16|f32 f16 f16",
     "d:frag a:frag1 b:b64 meta:b32 select:imm scale:pred scale_a:imm scale_b:imm trans_b:imm", {82, 90, 'a', 90},
     Action::unmodelled, "9.7.15.6.3", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sp sync aligned m64n*k32 f32 bf16 bf16",
     "d:frag a:b64 b:b64 meta:b32 select:imm scale:pred scale_a:imm scale_b:imm trans_a:imm trans_b:imm",
     {82, 90, 'a', 90}, Action::unmodelled, "9.7.15.6.3", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sp sync aligned m64n*k32 f32 bf16 bf16",
     "d:frag a:frag1 b:b64 meta:b32 select:imm scale:pred scale_a:imm scale_b:imm trans_b:imm", {82, 90, 'a', 90},
     Action::unmodelled, "9.7.15.6.3", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sp sync aligned m64n*k16 f32 tf32 tf32",
     "d:frag a:b64/frag1 b:b64 meta:b32 select:imm scale:pred scale_a:imm scale_b:imm", {82, 90, 'a', 90},
     Action::unmodelled, "9.7.15.6.3", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sp sync aligned m64n*k64 f16|f32 e4m3|e5m2 e4m3|e5m2",
     "d:frag a:b64/frag1 b:b64 meta:b32 select:imm scale:pred scale_a:imm scale_b:imm", {82, 90, 'a', 90},
     Action::unmodelled, "9.7.15.6.3", "start d = a * b + d over matrices of a warpgroup"},
    {"wgmma mma_async sp sync aligned m64n8k64|m64n16k64|m64n24k64|m64n32k64|m64n48k64|m64n64k64|m64n80k64|m64n96k64|"
     "m64n112k64|m64n128k64|m64n144k64|m64n160k64|m64n176k64|m64n192k64|m64n208k64|m64n224k64|m64n240k64|m64n256k64 "
     "[satfinite] s32 s8|u8 s8|u8",
     "d:frag a:b64/frag1 b:b64 meta:b32 select:imm scale:pred", {82, 90, 'a', 90}, Action::unmodelled, "9.7.15.6.3",
     "start d = a * b + d over matrices of a warpgroup"},
};
// clang-format on

// clang-format off
inline constexpr Form wgmma_order_forms[] = {
    {"wgmma fence sync aligned",
     "", {80, 90, 'a', 90}, Action::unmodelled, "9.7.15.7.1", "order register accesses before wgmma", true},
    {"wgmma commit_group sync aligned",
     "", {80, 90, 'a', 90}, Action::unmodelled, "9.7.15.7.2", "close the warpgroup's group", true},
    {"wgmma wait_group sync aligned",
     "n:imm", {80, 90, 'a', 90}, Action::unmodelled, "9.7.15.7.3", "wait for all but the n newest groups", true},
};
// clang-format on

}  // namespace ptxeq::ir::isa
