// PTX ISA 9.7.16: tensor memory and the fifth-generation tensor core.
#pragma once

#include "ir/isa.h"

namespace ptxeq::ir::isa {

// clang-format off
inline constexpr Form tensor_memory_forms[] = {
    {"tcgen05 alloc cta_group::1|cta_group::2 sync aligned [shared::cta] b32",
     "dst:m columns:u32", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.7.1", "allocate tensor memory", true},
    {"tcgen05 dealloc cta_group::1|cta_group::2 sync aligned b32",
     "a:b32 columns:u32", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.7.1", "free tensor memory", true},
    {"tcgen05 relinquish_alloc_permit cta_group::1|cta_group::2 sync aligned",
     "", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.7.1", "give up the right to allocate", true},
    {"tcgen05 ld sync aligned 16x64b|16x128b|16x256b|32x32b x1|x2|x4|x8|x16|x32|x64|x128 [pack::16b] b32",
     "r:{b32} a:m", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.8.3", "r = tensor memory at a"},
    {"tcgen05 ld sync aligned 16x32bx2 x1|x2|x4|x8|x16|x32|x64|x128 [pack::16b] b32",
     "r:{b32} a:m split:imm", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.8.3", "r = tensor memory at a"},
    {"tcgen05 ld red sync aligned 32x32b x1|x2|x4|x8|x16|x32|x64|x128 min|max [abs] [NaN] f32",
     "r:{t} reduced:t a:m", {88, 101, 'f', 119}, Action::unmodelled, "9.7.16.8.3",
     "r = tensor memory at a, reduced its least or greatest"},
    {"tcgen05 ld red sync aligned 16x32bx2 x1|x2|x4|x8|x16|x32|x64|x128 min|max [abs] [NaN] f32",
     "r:{t} reduced:t a:m split:imm", {88, 101, 'f', 119}, Action::unmodelled, "9.7.16.8.3",
     "r = tensor memory at a, reduced its least or greatest"},
    {"tcgen05 ld red sync aligned 32x32b x1|x2|x4|x8|x16|x32|x64|x128 min|max u32|s32",
     "r:{t} reduced:t a:m", {88, 101, 'f', 119}, Action::unmodelled, "9.7.16.8.3",
     "r = tensor memory at a, reduced its least or greatest"},
    {"tcgen05 ld red sync aligned 16x32bx2 x1|x2|x4|x8|x16|x32|x64|x128 min|max u32|s32",
     "r:{t} reduced:t a:m split:imm", {88, 101, 'f', 119}, Action::unmodelled, "9.7.16.8.3",
     "r = tensor memory at a, reduced its least or greatest"},
    {"tcgen05 st sync aligned 16x64b|16x128b|16x256b|32x32b x1|x2|x4|x8|x16|x32|x64|x128 [unpack::16b] b32",
     "a:m r:{b32}", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.8.4", "tensor memory at a = r", true},
    {"tcgen05 st sync aligned 16x32bx2 x1|x2|x4|x8|x16|x32|x64|x128 [unpack::16b] b32",
     "a:m split:imm r:{b32}", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.8.4", "tensor memory at a = r", true},
    {"tcgen05 wait::ld|wait::st sync aligned",
     "", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.8.5", "wait for tensor memory loads or stores", true},
    {"tcgen05 cp cta_group::1|cta_group::2 128x256b|4x256b|128x128b|64x128b|32x128b [warpx2::02_13|warpx2::01_23|"
     "warpx4] [b8x16] [b6x16_p32|b4x16_p64]",
     "a:m descriptor:b64", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.9.2", "copy shared to tensor memory",
     true},
    {"tcgen05 shift cta_group::1|cta_group::2 down",
     "a:m", {86, 100, 'a', 119}, Action::unmodelled, "9.7.16.9.3", "shift rows of tensor memory", true},
    {"tcgen05 fence::before_thread_sync|fence::after_thread_sync",
     "", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.11.1", "order tensor memory accesses", true},
    {"tcgen05 commit cta_group::1|cta_group::2 mbarrier::arrive::one [shared::cluster] [multicast::cluster] b64",
     "mbar:m mask:b16?multicast::cluster", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.12.1",
     "arrive at mbar when the operations are done", true},
};
// clang-format on

// clang-format off
inline constexpr Form tcgen05_mma_forms[] = {
    {"tcgen05 mma cta_group::1|cta_group::2 kind::f16|kind::tf32|kind::f8f6f4 [ashift] [collector::a::fill|"
     "collector::a::use|collector::a::lastuse|collector::a::discard]",
     "d:m a:b64/m b:b64 idesc:b32 [lanes:<b32>] enable:pred [scale:imm]", {86, 100, 'f', 119}, Action::unmodelled,
     "9.7.16.10.9.1", "start d = a * b + d over matrices in tensor memory", true},
    {"tcgen05 mma cta_group::1|cta_group::2 kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4@87 block_scale [scale_vec::1X|"
     "scale_vec::2X|scale_vec::4X|block16@88|block32@88] [collector::a::fill|collector::a::use|collector::a::lastuse|"
     "collector::a::discard]",
     "d:m a:b64/m b:b64 idesc:b32 scale_a:m scale_b:m enable:pred", {86, 100, 'f', 119}, Action::unmodelled,
     "9.7.16.10.9.1", "start d = a * b + d over matrices in tensor memory", true},
    {"tcgen05 mma cta_group::1|cta_group::2 kind::i8 [ashift] [collector::a::fill|collector::a::use|"
     "collector::a::lastuse|collector::a::discard]",
     "d:m a:b64/m b:b64 idesc:b32 [lanes:<b32>] enable:pred", {86, 100, 'a', 119}, Action::unmodelled, "9.7.16.10.9.1",
     "start d = a * b + d over matrices in tensor memory", true},
    {"tcgen05 mma sp cta_group::1|cta_group::2 kind::f16|kind::tf32|kind::f8f6f4 [ashift] [collector::a::fill|"
     "collector::a::use|collector::a::lastuse|collector::a::discard]",
     "d:m a:b64/m b:b64 meta:m idesc:b32 [lanes:<b32>] enable:pred [scale:imm]", {86, 100, 'f', 119},
     Action::unmodelled, "9.7.16.10.9.2", "start d = a * b + d over matrices in tensor memory", true},
    {"tcgen05 mma sp cta_group::1|cta_group::2 kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4@87 block_scale "
     "[scale_vec::1X|scale_vec::2X|scale_vec::4X|block16@88|block32@88] [collector::a::fill|collector::a::use|"
     "collector::a::lastuse|collector::a::discard]",
     "d:m a:b64/m b:b64 meta:m idesc:b32 scale_a:m scale_b:m enable:pred", {86, 100, 'f', 119}, Action::unmodelled,
     "9.7.16.10.9.2", "start d = a * b + d over matrices in tensor memory", true},
    {"tcgen05 mma sp cta_group::1|cta_group::2 kind::i8 [ashift] [collector::a::fill|collector::a::use|"
     "collector::a::lastuse|collector::a::discard]",
     "d:m a:b64/m b:b64 meta:m idesc:b32 [lanes:<b32>] enable:pred", {86, 100, 'a', 119}, Action::unmodelled,
     "9.7.16.10.9.2", "start d = a * b + d over matrices in tensor memory", true},
    {"tcgen05 mma ws cta_group::1 kind::f16|kind::tf32|kind::f8f6f4 [collector::b0::fill|collector::b0::use|"
     "collector::b0::lastuse|collector::b0::discard|collector::b1::fill|collector::b1::use|collector::b1::lastuse|"
     "collector::b1::discard|collector::b2::fill|collector::b2::use|collector::b2::lastuse|collector::b2::discard|"
     "collector::b3::fill|collector::b3::use|collector::b3::lastuse|collector::b3::discard]",
     "d:m a:b64/m b:b64 idesc:b32 enable:pred [mask:b64]", {86, 100, 'f', 119}, Action::unmodelled, "9.7.16.10.9.3",
     "start d = a * b + d over matrices in tensor memory", true},
    {"tcgen05 mma ws cta_group::1 kind::i8 [collector::b0::fill|collector::b0::use|collector::b0::lastuse|"
     "collector::b0::discard|collector::b1::fill|collector::b1::use|collector::b1::lastuse|collector::b1::discard|"
     "collector::b2::fill|collector::b2::use|collector::b2::lastuse|collector::b2::discard|collector::b3::fill|"
     "collector::b3::use|collector::b3::lastuse|collector::b3::discard]",
     "d:m a:b64/m b:b64 idesc:b32 enable:pred [mask:b64]", {86, 100, 'a', 119}, Action::unmodelled, "9.7.16.10.9.3",
     "start d = a * b + d over matrices in tensor memory", true},
    {"tcgen05 mma ws sp cta_group::1 kind::f16|kind::tf32|kind::f8f6f4 [collector::b0::fill|collector::b0::use|"
     "collector::b0::lastuse|collector::b0::discard|collector::b1::fill|collector::b1::use|collector::b1::lastuse|"
     "collector::b1::discard|collector::b2::fill|collector::b2::use|collector::b2::lastuse|collector::b2::discard|"
     "collector::b3::fill|collector::b3::use|collector::b3::lastuse|collector::b3::discard]",
     "d:m a:b64/m b:b64 meta:m idesc:b32 enable:pred [mask:b64]", {86, 100, 'f', 119}, Action::unmodelled,
     "9.7.16.10.9.4", "start d = a * b + d over matrices in tensor memory", true},
    {"tcgen05 mma ws sp cta_group::1 kind::i8 [collector::b0::fill|collector::b0::use|collector::b0::lastuse|"
     "collector::b0::discard|collector::b1::fill|collector::b1::use|collector::b1::lastuse|collector::b1::discard|"
     "collector::b2::fill|collector::b2::use|collector::b2::lastuse|collector::b2::discard|collector::b3::fill|"
     "collector::b3::use|collector::b3::lastuse|collector::b3::discard]",
     "d:m a:b64/m b:b64 meta:m idesc:b32 enable:pred [mask:b64]", {86, 100, 'a', 119}, Action::unmodelled,
     "9.7.16.10.9.4", "start d = a * b + d over matrices in tensor memory", true},
};
// clang-format on

}  // namespace ptxeq::ir::isa
