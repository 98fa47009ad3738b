// PTX ISA 9.7.9.8 to 9.7.9.24: loads, stores, hints, addresses.
#pragma once

#include "ir/isa/shared.h"

namespace ptxeq::ir::isa {

// clang-format off
inline constexpr Form load_forms[] = {
    {"ld [weak]@60,70 [const|global|local|param|param::entry@83|param::func@83|shared|shared::cta@78,30|"
     "shared::cluster@78,90] [ca|cg|cs|lu|cv] [L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|"
     "L1::no_allocate]@74,70 [L2::evict_normal|L2::evict_first|L2::evict_last]@88,100 [L2::cache_hint]@74,80 "
     "[L2::64B@74,75|L2::128B@74,75|L2::256B@74,80] [v2|v4|v8] b8|b16|b32|b64|b128@83,70|u8|u16|u32|u64|s8|s16|s32|"
     "s64|f32|f64",
     "d:vt a:m policy:b64?L2::cache_hint", {}, Action::load, "9.7.9.8", "d = the value at a"},
    {"ld volatile [global|local@91|shared|shared::cta@78,30|shared::cluster@78,90] [L2::64B@74,75|L2::128B@74,75|"
     "L2::256B@74,80] [v2|v4|v8] b8|b16|b32|b64|b128@83,70|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64",
     "d:vt a:m", {11, 0}, Action::load, "9.7.9.8", "d = the value at a, read every time"},
    {"ld relaxed|acquire cta|cluster@78,90|gpu|sys [global|shared|shared::cta@78,30|shared::cluster@78,90] "
     "[L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate]@74,70 [L2::evict_normal|"
     "L2::evict_first|L2::evict_last]@88,100 [L2::cache_hint]@74,80 [L2::64B@74,75|L2::128B@74,75|L2::256B@74,80] "
     "[v2|v4|v8] b8|b16|b32|b64|b128@83,70|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64",
     "d:vt a:m policy:b64?L2::cache_hint", {60, 70}, Action::load, "9.7.9.8",
     "d = the value at a, a synchronising read"},
    {"ld mmio relaxed sys [global] b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64",
     "d:t a:m", {82, 70}, Action::unmodelled, "9.7.9.8", "d = the value at a, a read of a device's memory"},
    {"ld global nc [ca|cg|cs] [L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|"
     "L1::no_allocate]@74,70 [L2::evict_normal|L2::evict_first|L2::evict_last]@88,100 [L2::cache_hint]@74,80 "
     "[L2::64B@74,75|L2::128B@74,75|L2::256B@74,80] [v2|v4|v8] b8|b16|b32|b64|b128@83,70|u8|u16|u32|u64|s8|s16|s32|"
     "s64|f32|f64",
     "d:vt a:m policy:b64?L2::cache_hint", {31, 32}, Action::load, "9.7.9.9",
     "d = the value at a, which nobody writes while the kernel runs"},
    {"ldu [global] [v2|v4] b8|b16|b32|b64|b128@83,70|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64",
     "d:vt a:m", {20, 20}, Action::load, "9.7.9.10", "d = the value at a, the same address in every thread"},
};
// clang-format on

// clang-format off
inline constexpr Form store_forms[] = {
    {"st [weak]@60,70 [global|local|param|param::func@83|shared|shared::cta@78,30|shared::cluster@78,90] [wb|cg|cs|"
     "wt] [L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate]@74,70 "
     "[L2::evict_normal|L2::evict_first|L2::evict_last]@88,100 [L2::cache_hint]@74,80 [v2|v4|v8] b8|b16|b32|b64|"
     "b128@83,70|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64",
     "a:m b:vt policy:b64?L2::cache_hint", {}, Action::store, "9.7.9.11", "the value at a = b", true},
    {"st volatile [global|local@91|shared|shared::cta@78,30|shared::cluster@78,90] [v2|v4|v8] b8|b16|b32|b64|"
     "b128@83,70|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64",
     "a:m b:vt", {11, 0}, Action::store, "9.7.9.11", "the value at a = b, written every time", true},
    {"st relaxed|release cta|cluster@78,90|gpu|sys [global|shared|shared::cta@78,30|shared::cluster@78,90] "
     "[L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate]@74,70 [L2::evict_normal|"
     "L2::evict_first|L2::evict_last]@88,100 [L2::cache_hint]@74,80 [v2|v4|v8] b8|b16|b32|b64|b128@83,70|u8|u16|u32|"
     "u64|s8|s16|s32|s64|f32|f64",
     "a:m b:vt policy:b64?L2::cache_hint", {60, 70}, Action::store, "9.7.9.11",
     "the value at a = b, a synchronising write", true},
    {"st mmio relaxed sys [global] b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64",
     "a:m b:t", {82, 70}, Action::unmodelled, "9.7.9.11", "the value at a = b, a write to a device's memory", true},
    {"st async [weak] [shared::cluster] mbarrier::complete_tx::bytes [v2|v4] b32|b64|u32|u64|s32|s64|f32|f64",
     "a:m b:vt mbar:m", {81, 90}, Action::unmodelled, "9.7.9.12", "an asynchronous store that mbar completes", true},
    {"st async [mmio] release gpu|sys [global] b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64",
     "a:m b:t", {87, 100}, Action::unmodelled, "9.7.9.12", "an asynchronous store", true},
    {"st bulk [weak] [shared::cta]",
     "a:m size:b64 value:imm", {86, 100}, Action::unmodelled, "9.7.9.13", "size bytes at a = 0", true},
    {"multimem ld_reduce [weak|relaxed|acquire] [cta|cluster|gpu|sys] [global] min|max u32|s32|u64|s64",
     "d:t a:m", {81, 90}, Action::unmodelled, "9.7.9.14", "d = the reduction of all copies of a"},
    {"multimem red [relaxed|release] [cta|cluster|gpu|sys] [global] min|max u32|s32|u64|s64",
     "a:m b:t", {81, 90}, Action::unmodelled, "9.7.9.14", "all copies of a combined with b", true},
    {"multimem ld_reduce [weak|relaxed|acquire] [cta|cluster|gpu|sys] [global] add u32|s32|u64",
     "d:t a:m", {81, 90}, Action::unmodelled, "9.7.9.14", "d = the reduction of all copies of a"},
    {"multimem red [relaxed|release] [cta|cluster|gpu|sys] [global] add u32|s32|u64",
     "a:m b:t", {81, 90}, Action::unmodelled, "9.7.9.14", "all copies of a combined with b", true},
    {"multimem ld_reduce [weak|relaxed|acquire] [cta|cluster|gpu|sys] [global] and|or|xor b32|b64",
     "d:t a:m", {81, 90}, Action::unmodelled, "9.7.9.14", "d = the reduction of all copies of a"},
    {"multimem red [relaxed|release] [cta|cluster|gpu|sys] [global] and|or|xor b32|b64",
     "a:m b:t", {81, 90}, Action::unmodelled, "9.7.9.14", "all copies of a combined with b", true},
    {"multimem ld_reduce [weak|relaxed|acquire] [cta|cluster|gpu|sys] [global] min|max|add [acc::f32@82|acc::f16@86] "
     "[v2|v4|v8] f16|f16x2|bf16|bf16x2|e5m2@86,100f|e5m2x2@86,100f|e5m2x4@86,100f|e4m3@86,100f|e4m3x2@86,100f|"
     "e4m3x4@86,100f",
     "d:vt a:m", {81, 90}, Action::unmodelled, "9.7.9.14", "d = the reduction of all copies of a"},
    {"multimem ld_reduce [weak|relaxed|acquire] [cta|cluster|gpu|sys] [global] add [v2|v4] f32|f64",
     "d:vt a:m", {81, 90}, Action::unmodelled, "9.7.9.14", "d = the reduction of all copies of a"},
    {"multimem st [weak|relaxed|release] [cta|cluster|gpu|sys] [global] b32|b64|u32|u64|s32|s64|f64",
     "a:m b:t", {81, 90}, Action::unmodelled, "9.7.9.14", "all copies of a = b", true},
    {"multimem st [weak|relaxed|release] [cta|cluster|gpu|sys] [global] [v2|v4|v8] f16|f16x2|bf16|bf16x2|f32|"
     "e5m2@86,100f|e5m2x2@86,100f|e5m2x4@86,100f|e4m3@86,100f|e4m3x2@86,100f|e4m3x4@86,100f",
     "a:m b:vt", {81, 90}, Action::unmodelled, "9.7.9.14", "all copies of a = b", true},
    {"multimem red [relaxed|release] [cta|cluster|gpu|sys] [global] add [v2|v4|v8] f16|f16x2|bf16|bf16x2|f32|f64",
     "a:m b:vt", {81, 90}, Action::unmodelled, "9.7.9.14", "b added to all copies of a", true},
};
// clang-format on

// clang-format off
inline constexpr Form hint_forms[] = {
    {"prefetch [global|local] L1|L2",
     "a:m", {20, 20}, Action::prefetch, "9.7.9.15", "a hint: fetch a's line", true},
    {"prefetch global L2::evict_last|L2::evict_normal",
     "a:m", {74, 80}, Action::prefetch, "9.7.9.15", "a hint: fetch a's line", true},
    {"prefetchu L1",
     "a:m", {20, 20}, Action::prefetch, "9.7.9.15", "a hint: fetch a's line", true},
    {"prefetch [const|param] tensormap",
     "a:m", {80, 90}, Action::prefetch, "9.7.9.15", "a hint: fetch the tensor map at a", true},
    {"applypriority [global] L2::evict_normal",
     "a:m size:imm=128", {74, 80}, Action::prefetch, "9.7.9.16", "a hint on the eviction of a's line", true},
    {"discard [global] L2",
     "a:m size:imm=128", {74, 80}, Action::unmodelled, "9.7.9.17", "the bytes at a become undefined", true},
    {"createpolicy range [global] L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged "
     "[L2::evict_first|L2::evict_unchanged] b64",
     "d:t a:m primary:u32 total:u32", {74, 80}, Action::unmodelled, "9.7.9.18", "d = a cache policy for a range"},
    {"createpolicy cvt L2 b64",
     "d:t a:b64", {74, 80}, Action::unmodelled, "9.7.9.18", "d = the cache policy of an access property"},
};
// clang-format on

// clang-format off
inline constexpr Form address_forms[] = {
    {"isspacep const@31|global|local|shared|shared::cta@78,30|shared::cluster@78,90|param@77,70|param::entry@83,70",
     "p:pred a:any", {20, 20}, Action::address, "9.7.9.19", "p = whether the generic address a is in the space"},
    {"cvta const@31|global|local|shared|shared::cta@78,30|shared::cluster@78,90|param@77,70|param::entry@83,70 u32|"
     "u64",
     "d:t a:t", {20, 20}, Action::address, "9.7.9.20", "d = the generic address of a, an address in the space"},
    {"cvta to const@31|global|local|shared|shared::cta@78,30|shared::cluster@78,90|param@77,70|param::entry@83,70 "
     "u32|u64",
     "d:t a:t", {20, 20}, Action::address, "9.7.9.20", "d = the address in the space of a generic address a"},
    {"mapa u32|u64",
     "d:t a:t b:u32", {78, 90}, Action::unmodelled, "9.7.9.23", "d = the address of a in block b of the cluster"},
    {"mapa shared::cluster u32|u64",
     "d:t a:t b:u32", {78, 90}, Action::unmodelled, "9.7.9.23", "d = the address of a in block b of the cluster"},
    {"getctarank u32|u64",
     "d:u32 a:t", {78, 90}, Action::unmodelled, "9.7.9.24", "d = the rank of the block that holds a"},
    {"getctarank shared::cluster u32|u64",
     "d:u32 a:t", {78, 90}, Action::unmodelled, "9.7.9.24", "d = the rank of the block that holds a"},
};
// clang-format on

// A cache policy steers no value: it is an opaque function of the opcode and its fraction.
inline constexpr auto policy_rows =
    std::make_tuple(row({"createpolicy fractional L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged "
                         "[L2::evict_first|L2::evict_unchanged] b64",
                         "d:t",
                         {74, 80},
                         Action::compute,
                         "9.7.9.18",
                         "d = a cache policy"},
                        [](auto& d, const Opcode& op) { return d.unspecified(op, 64, d.constant(32, 0)); }),
                    row({"createpolicy fractional L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged "
                         "[L2::evict_first|L2::evict_unchanged] b64",
                         "d:t fraction:f32",
                         {74, 80},
                         Action::compute,
                         "9.7.9.18",
                         "d = a cache policy for a fraction of accesses"},
                        [](auto& d, const Opcode& op, auto fraction) { return d.unspecified(op, 64, fraction); }));
}  // namespace ptxeq::ir::isa
