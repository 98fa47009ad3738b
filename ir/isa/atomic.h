// PTX ISA 9.7.13.5 to 9.7.13.7: atomic operations and reductions on memory.
#pragma once

#include "ir/isa.h"

namespace ptxeq::ir::isa {

// clang-format off
inline constexpr Form atomic_forms[] = {
    {"atom [relaxed|acquire|release|acq_rel]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|"
     "shared::cta@78,30|shared::cluster@78,90] and|or|xor [L2::cache_hint]@74,80 b32|b64@31,32",
     "d:t a:m b:t policy:b64?L2::cache_hint", {11, 11}, Action::unmodelled, "9.7.13.5",
     "d = the old value at a, which becomes old op b"},
    {"atom [relaxed|acquire|release|acq_rel]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|"
     "shared::cta@78,30|shared::cluster@78,90] add [L2::cache_hint]@74,80 u32|s32|u64|f32@20,20|f64@50,60",
     "d:t a:m b:t policy:b64?L2::cache_hint", {11, 11}, Action::unmodelled, "9.7.13.5",
     "d = the old value at a, which becomes old + b"},
    {"atom [relaxed|acquire|release|acq_rel]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|"
     "shared::cta@78,30|shared::cluster@78,90] inc [L2::cache_hint]@74,80 u32",
     "d:t a:m b:t policy:b64?L2::cache_hint", {11, 11}, Action::unmodelled, "9.7.13.5",
     "d = the old value at a, which becomes old >= b ? 0 : old + 1"},
    {"atom [relaxed|acquire|release|acq_rel]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|"
     "shared::cta@78,30|shared::cluster@78,90] dec [L2::cache_hint]@74,80 u32",
     "d:t a:m b:t policy:b64?L2::cache_hint", {11, 11}, Action::unmodelled, "9.7.13.5",
     "d = the old value at a, which becomes old = 0 or old > b ? b : old - 1"},
    {"atom [relaxed|acquire|release|acq_rel]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|"
     "shared::cta@78,30|shared::cluster@78,90] min|max [L2::cache_hint]@74,80 u32|s32|u64@31,32|s64@31,32",
     "d:t a:m b:t policy:b64?L2::cache_hint", {11, 11}, Action::unmodelled, "9.7.13.5",
     "d = the old value at a, which becomes the lesser (greater) of old and b"},
    {"atom [relaxed|acquire|release|acq_rel]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|"
     "shared::cta@78,30|shared::cluster@78,90] exch [L2::cache_hint]@74,80 b32|b64|b128@83,90",
     "d:t a:m b:t policy:b64?L2::cache_hint", {11, 11}, Action::unmodelled, "9.7.13.5",
     "d = the old value at a, which becomes b"},
    {"atom [relaxed|acquire|release|acq_rel]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|"
     "shared::cta@78,30|shared::cluster@78,90] cas [L2::cache_hint]@74,80 b16@63,70|b32|b64|b128@83,90",
     "d:t a:m b:t c:t policy:b64?L2::cache_hint", {11, 11}, Action::unmodelled, "9.7.13.5",
     "d = the old value at a, which becomes c if it was b"},
    {"atom [relaxed|acquire|release|acq_rel]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|"
     "shared::cta@78,30|shared::cluster@78,90] add noftz [L2::cache_hint]@74,80 f16@63,70|f16x2@62,60|bf16@78,90|"
     "bf16x2@78,90",
     "d:t a:m b:t policy:b64?L2::cache_hint", {62, 60}, Action::unmodelled, "9.7.13.5",
     "d = the old value at a, which becomes old + b"},
    {"atom [relaxed|acquire|release|acq_rel]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global] add "
     "[L2::cache_hint]@74,80 v2|v4 f32",
     "d:vt a:m b:vt policy:b64?L2::cache_hint", {81, 90}, Action::unmodelled, "9.7.13.5",
     "d = the old value at a, which becomes old + b, an element at a time"},
    {"atom [relaxed|acquire|release|acq_rel]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global] add|min|max noftz "
     "[L2::cache_hint]@74,80 v2|v4|v8 f16|bf16",
     "d:vt a:m b:vt policy:b64?L2::cache_hint", {81, 90}, Action::unmodelled, "9.7.13.5",
     "d = the old value at a, which becomes old op b, an element at a time"},
    {"atom [relaxed|acquire|release|acq_rel]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global] add|min|max noftz "
     "[L2::cache_hint]@74,80 v2|v4 f16x2|bf16x2",
     "d:vt a:m b:vt policy:b64?L2::cache_hint", {81, 90}, Action::unmodelled, "9.7.13.5",
     "d = the old value at a, which becomes old op b, an element at a time"},
    {"red [relaxed|release]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|shared::cta@78,30|"
     "shared::cluster@78,90] and|or|xor [L2::cache_hint]@74,80 b32|b64@31,32",
     "a:m b:t policy:b64?L2::cache_hint", {12, 12}, Action::unmodelled, "9.7.13.6", "the value at a becomes old op b",
     true},
    {"red [relaxed|release]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|shared::cta@78,30|"
     "shared::cluster@78,90] add [L2::cache_hint]@74,80 u32|s32|u64|f32@20,20|f64@50,60",
     "a:m b:t policy:b64?L2::cache_hint", {12, 12}, Action::unmodelled, "9.7.13.6", "the value at a becomes old + b",
     true},
    {"red [relaxed|release]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|shared::cta@78,30|"
     "shared::cluster@78,90] inc [L2::cache_hint]@74,80 u32",
     "a:m b:t policy:b64?L2::cache_hint", {12, 12}, Action::unmodelled, "9.7.13.6",
     "the value at a becomes old >= b ? 0 : old + 1", true},
    {"red [relaxed|release]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|shared::cta@78,30|"
     "shared::cluster@78,90] dec [L2::cache_hint]@74,80 u32",
     "a:m b:t policy:b64?L2::cache_hint", {12, 12}, Action::unmodelled, "9.7.13.6",
     "the value at a becomes old = 0 or old > b ? b : old - 1", true},
    {"red [relaxed|release]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|shared::cta@78,30|"
     "shared::cluster@78,90] min|max [L2::cache_hint]@74,80 u32|s32|u64@31,32|s64@31,32",
     "a:m b:t policy:b64?L2::cache_hint", {12, 12}, Action::unmodelled, "9.7.13.6",
     "the value at a becomes the lesser (greater) of old and b", true},
    {"red [relaxed|release]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global|shared|shared::cta@78,30|"
     "shared::cluster@78,90] add noftz [L2::cache_hint]@74,80 f16@63,70|f16x2@62,60|bf16@78,90|bf16x2@78,90",
     "a:m b:t policy:b64?L2::cache_hint", {62, 60}, Action::unmodelled, "9.7.13.6", "the value at a becomes old + b",
     true},
    {"red [relaxed|release]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global] add [L2::cache_hint]@74,80 v2|v4 f32",
     "a:m b:vt policy:b64?L2::cache_hint", {81, 90}, Action::unmodelled, "9.7.13.6",
     "the value at a becomes old + b, an element at a time", true},
    {"red [relaxed|release]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global] add|min|max noftz "
     "[L2::cache_hint]@74,80 v2|v4|v8 f16|bf16",
     "a:m b:vt policy:b64?L2::cache_hint", {81, 90}, Action::unmodelled, "9.7.13.6",
     "the value at a becomes old op b, an element at a time", true},
    {"red [relaxed|release]@60,70 [cta|cluster@78,90|gpu|sys]@50,60 [global] add|min|max noftz "
     "[L2::cache_hint]@74,80 v2|v4 f16x2|bf16x2",
     "a:m b:vt policy:b64?L2::cache_hint", {81, 90}, Action::unmodelled, "9.7.13.6",
     "the value at a becomes old op b, an element at a time", true},
    {"red async relaxed cluster [shared::cluster] mbarrier::complete_tx::bytes inc|dec u32",
     "a:m b:t mbar:m", {81, 90}, Action::unmodelled, "9.7.13.7", "an asynchronous reduction that mbar completes",
     true},
    {"red async relaxed cluster [shared::cluster] mbarrier::complete_tx::bytes min|max u32|s32",
     "a:m b:t mbar:m", {81, 90}, Action::unmodelled, "9.7.13.7", "an asynchronous reduction that mbar completes",
     true},
    {"red async relaxed cluster [shared::cluster] mbarrier::complete_tx::bytes and|or|xor b32",
     "a:m b:t mbar:m", {81, 90}, Action::unmodelled, "9.7.13.7", "an asynchronous reduction that mbar completes",
     true},
    {"red async relaxed cluster [shared::cluster] mbarrier::complete_tx::bytes add u32|s32|u64",
     "a:m b:t mbar:m", {81, 90}, Action::unmodelled, "9.7.13.7", "an asynchronous reduction that mbar completes",
     true},
    {"red async [mmio] release gpu|sys|cluster [global] add u32|s32|u64|s64",
     "a:m b:t", {87, 100}, Action::unmodelled, "9.7.13.7", "an asynchronous reduction", true},
};
// clang-format on

}  // namespace ptxeq::ir::isa
