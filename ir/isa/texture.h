// PTX ISA 9.7.10, 9.7.11: textures and surfaces.
#pragma once

#include "ir/isa.h"

namespace ptxeq::ir::isa {

// clang-format off
inline constexpr Form tex_forms[] = {
    {"tex 1d|2d|3d|a1d@23|a2d@23 v4 u32|s32|f16@42,53|f32 s32|f32",
     "d[|p]:{t} a:mm [e:any] [f:any]", {}, Action::unmodelled, "9.7.10.3", "d = a texel"},
    {"tex cube@30|acube@30,20 v4 u32|s32|f16@42,53|f32 f32",
     "d[|p]:{t} a:mm [e:any] [f:any]", {}, Action::unmodelled, "9.7.10.3", "d = a texel"},
    {"tex 2dms@32,30|a2dms@32,30 v4 u32|s32|f16@42,53|f32 s32",
     "d[|p]:{t} a:mm [e:any] [f:any]", {}, Action::unmodelled, "9.7.10.3", "d = a texel"},
    {"tex 1d|2d|3d|a1d|a2d v2 f16x2 s32|f32",
     "d[|p]:{t} a:mm [e:any] [f:any]", {42, 53}, Action::unmodelled, "9.7.10.3", "d = a texel"},
    {"tex cube|acube v2 f16x2 f32",
     "d[|p]:{t} a:mm [e:any] [f:any]", {42, 53}, Action::unmodelled, "9.7.10.3", "d = a texel"},
    {"tex 2dms|a2dms v2 f16x2 s32",
     "d[|p]:{t} a:mm [e:any] [f:any]", {42, 53}, Action::unmodelled, "9.7.10.3", "d = a texel"},
    {"tex base 1d|2d|3d|a1d|a2d v4 u32|s32|f16@42,53|f32 s32|f32",
     "d[|p]:{t} a:mm [e:any] [f:any]", {31, 20}, Action::unmodelled, "9.7.10.3", "d = a texel of the base level"},
    {"tex base cube|acube v4 u32|s32|f16@42,53|f32 f32",
     "d[|p]:{t} a:mm [e:any] [f:any]", {31, 20}, Action::unmodelled, "9.7.10.3", "d = a texel of the base level"},
    {"tex level 1d|2d|3d|a1d|a2d v4 u32|s32|f16@42,53|f32 s32|f32",
     "d[|p]:{t} a:mm lod:t1 [e:any] [f:any]", {31, 20}, Action::unmodelled, "9.7.10.3", "d = a texel of a level"},
    {"tex level cube|acube v4 u32|s32|f16@42,53|f32 f32",
     "d[|p]:{t} a:mm lod:t1 [e:any] [f:any]", {31, 20}, Action::unmodelled, "9.7.10.3", "d = a texel of a level"},
    {"tex grad 1d|2d|3d|a1d|a2d v4 u32|s32|f16@42,53|f32 s32|f32",
     "d[|p]:{t} a:mm x:any y:any [e:any] [f:any]", {31, 20}, Action::unmodelled, "9.7.10.3",
     "d = a texel of the level that the gradients choose"},
    {"tex grad cube|acube v4 u32|s32|f16@42,53|f32 f32",
     "d[|p]:{t} a:mm x:any y:any [e:any] [f:any]", {31, 20}, Action::unmodelled, "9.7.10.3",
     "d = a texel of the level that the gradients choose"},
    {"tex base 1d|2d|3d|a1d|a2d v2 f16x2 s32|f32",
     "d[|p]:{t} a:mm [e:any] [f:any]", {42, 53}, Action::unmodelled, "9.7.10.3", "d = a texel of the base level"},
    {"tex base cube|acube v2 f16x2 f32",
     "d[|p]:{t} a:mm [e:any] [f:any]", {42, 53}, Action::unmodelled, "9.7.10.3", "d = a texel of the base level"},
    {"tex level 1d|2d|3d|a1d|a2d v2 f16x2 s32|f32",
     "d[|p]:{t} a:mm lod:t1 [e:any] [f:any]", {42, 53}, Action::unmodelled, "9.7.10.3", "d = a texel of a level"},
    {"tex level cube|acube v2 f16x2 f32",
     "d[|p]:{t} a:mm lod:t1 [e:any] [f:any]", {42, 53}, Action::unmodelled, "9.7.10.3", "d = a texel of a level"},
    {"tex grad 1d|2d|3d|a1d|a2d v2 f16x2 s32|f32",
     "d[|p]:{t} a:mm x:any y:any [e:any] [f:any]", {42, 53}, Action::unmodelled, "9.7.10.3",
     "d = a texel of the level that the gradients choose"},
    {"tex grad cube|acube v2 f16x2 f32",
     "d[|p]:{t} a:mm x:any y:any [e:any] [f:any]", {42, 53}, Action::unmodelled, "9.7.10.3",
     "d = a texel of the level that the gradients choose"},
    {"tld4 r|g|b|a 2d|a2d@43,30|cube@43,30|acube@43,30 v4 u32|s32|f32 f32",
     "d[|p]:{t} a:mm [e:any] [f:any]", {22, 20}, Action::unmodelled, "9.7.10.4", "d = one component of four texels"},
    {"txq width|height|depth|channel_data_type|channel_order|normalized_coords|array_size@41|num_mipmap_levels@41,20|"
     "num_samples@41,30|force_unnormalized_coords@22|filter_mode|addr_mode_0|addr_mode_1|addr_mode_2 b32",
     "d:t a:m", {15, 0}, Action::unmodelled, "9.7.10.5", "d = an attribute of a texture or sampler"},
    {"txq level width|height|depth b32",
     "d:t a:m lod:u32", {43, 30}, Action::unmodelled, "9.7.10.5", "d = an attribute of a texture's level"},
    {"istypep texref|samplerref|surfref",
     "p:pred a:any", {40, 30}, Action::unmodelled, "9.7.10.6", "p = whether a is such a reference"},
};
// clang-format on

// clang-format off
inline constexpr Form surface_forms[] = {
    {"suld b 1d|2d|3d@30,20|a1d@30,20|a2d@30,20 [ca|cg|cs|cv]@20,20 [v2|v4] b8|b16|b32|b64 trap|clamp@20|zero@20",
     "d:vt a:mm", {15, 0}, Action::unmodelled, "9.7.11.1", "d = an element of a surface"},
    {"sust b 1d|2d|3d@30,20|a1d@30,20|a2d@30,20 [wb|cg|cs|wt]@20,20 [v2|v4] b8|b16|b32|b64 trap|clamp@20|zero@20",
     "a:mm c:vt", {15, 0}, Action::unmodelled, "9.7.11.2", "an element of a surface = c", true},
    {"sust p 1d|2d|3d [v2|v4] b32 trap|clamp|zero",
     "a:mm c:vt", {20, 20}, Action::unmodelled, "9.7.11.2", "an element of a surface = c, converted", true},
    {"sured b add 1d|2d|3d u32|u64|s32 trap|clamp|zero",
     "a:mm c:t", {20, 20}, Action::unmodelled, "9.7.11.3", "an element of a surface combined with c", true},
    {"sured b min|max 1d|2d|3d u32|s32|u64|s64 trap|clamp|zero",
     "a:mm c:t", {20, 20}, Action::unmodelled, "9.7.11.3", "an element of a surface combined with c", true},
    {"sured b and|or 1d|2d|3d b32 trap|clamp|zero",
     "a:mm c:t", {20, 20}, Action::unmodelled, "9.7.11.3", "an element of a surface combined with c", true},
    {"sured p add|and|or 1d|2d|3d b32 trap|clamp|zero",
     "a:mm c:t", {20, 20}, Action::unmodelled, "9.7.11.3", "an element of a surface combined with c", true},
    {"sured p min|max 1d|2d|3d b32|b64@81,50 trap|clamp|zero",
     "a:mm c:t", {20, 20}, Action::unmodelled, "9.7.11.3", "an element of a surface combined with c", true},
    {"suq width|height|depth|channel_data_type|channel_order|array_size@41|memory_layout@42 b32",
     "d:t a:m", {15, 0}, Action::unmodelled, "9.7.11.4", "d = an attribute of a surface"},
};
// clang-format on

}  // namespace ptxeq::ir::isa
