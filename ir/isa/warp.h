// PTX ISA 9.7.9.5, 9.7.9.6, 9.7.13.8 to 9.7.13.14: exchange between the lanes of a warp.
#pragma once

#include "ir/isa.h"

namespace ptxeq::ir::isa {

// clang-format off
inline constexpr Form warp_forms[] = {
    {"shfl up|down|bfly|idx b32",
     "d[|p]:t a:t b:u32 c:u32", {30, 30}, Action::unmodelled, "9.7.9.5", "d = a of another lane", false, {64, 70}},
    {"shfl sync up|down|bfly|idx b32",
     "d[|p]:t a:t b:u32 c:u32 mask:u32", {60, 30}, Action::unmodelled, "9.7.9.6",
     "d = a of another lane; p = whether it is in range"},
    {"vote all|any|uni pred",
     "d:t a:pred", {12, 12}, Action::unmodelled, "9.7.13.8", "d = whether a in all (any) lanes, or the same in all",
     false, {64, 70}},
    {"vote ballot b32",
     "d:t a:pred", {12, 20}, Action::unmodelled, "9.7.13.8", "d = the lanes with a", false, {64, 70}},
    {"vote sync all|any|uni pred",
     "d:t a:pred mask:u32", {60, 30}, Action::unmodelled, "9.7.13.9",
     "d = whether a in all (any) lanes of mask, or the same in all"},
    {"vote sync ballot b32",
     "d:t a:pred mask:u32", {60, 30}, Action::unmodelled, "9.7.13.9", "d = the lanes of mask with a"},
    {"match any sync b32|b64",
     "d:u32 a:t mask:u32", {60, 70}, Action::unmodelled, "9.7.13.10", "d = the lanes of mask whose a is this lane's"},
    {"match all sync b32|b64",
     "d[|p]:u32 a:t mask:u32", {60, 70}, Action::unmodelled, "9.7.13.10",
     "d = mask and p if all lanes of mask have one a, else 0"},
    {"activemask b32",
     "d:t", {62, 30}, Action::unmodelled, "9.7.13.11", "d = the active lanes"},
    {"redux sync add|min|max u32|s32",
     "d:t a:t mask:u32", {70, 80}, Action::unmodelled, "9.7.13.12", "d = the reduction of a over the lanes of mask"},
    {"redux sync and|or|xor b32",
     "d:t a:t mask:u32", {70, 80}, Action::unmodelled, "9.7.13.12", "d = the reduction of a over the lanes of mask"},
    {"redux sync min|max [abs] [NaN] f32",
     "d:t a:t mask:u32", {86, 100, 'f', 119}, Action::unmodelled, "9.7.13.12",
     "d = the reduction of a over the lanes of mask"},
    {"elect sync",
     "d|p:b32 mask:u32", {80, 90}, Action::unmodelled, "9.7.13.14",
     "p = whether this lane is the leader that d names"},
};
// clang-format on

}  // namespace ptxeq::ir::isa
