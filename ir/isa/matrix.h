// PTX ISA 9.7.14: matrices of a warp.
#pragma once

#include "ir/isa.h"

namespace ptxeq::ir::isa {

// clang-format off
inline constexpr Form wmma_forms[] = {
    {"wmma load a sync aligned row|col m16n16k16@60|m8n32k16@61|m32n8k16@61 [global|shared|shared::cta@78] f16|"
     "s8@63,72|u8@63,72|bf16@70,80",
     "r:frag p:m [stride:u32]", {60, 70}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix a"},
    {"wmma load b sync aligned row|col m16n16k16@60|m8n32k16@61|m32n8k16@61 [global|shared|shared::cta@78] f16|"
     "s8@63,72|u8@63,72|bf16@70,80",
     "r:frag p:m [stride:u32]", {60, 70}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix b"},
    {"wmma load c sync aligned row|col m16n16k16@60|m8n32k16@61|m32n8k16@61 [global|shared|shared::cta@78] f16|f32|"
     "s32@63,72",
     "r:frag p:m [stride:u32]", {60, 70}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix c"},
    {"wmma load a sync aligned row|col m16n16k8 [global|shared|shared::cta@78] tf32",
     "r:frag p:m [stride:u32]", {70, 80}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix a"},
    {"wmma load b sync aligned row|col m16n16k8 [global|shared|shared::cta@78] tf32",
     "r:frag p:m [stride:u32]", {70, 80}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix b"},
    {"wmma load c sync aligned row|col m16n16k8 [global|shared|shared::cta@78] f32",
     "r:frag p:m [stride:u32]", {70, 80}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix c"},
    {"wmma load a sync aligned row|col m8n8k4 [global|shared|shared::cta@78] f64",
     "r:frag p:m [stride:u32]", {70, 80}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix a"},
    {"wmma load b sync aligned row|col m8n8k4 [global|shared|shared::cta@78] f64",
     "r:frag p:m [stride:u32]", {70, 80}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix b"},
    {"wmma load c sync aligned row|col m8n8k4 [global|shared|shared::cta@78] f64",
     "r:frag p:m [stride:u32]", {70, 80}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix c"},
    {"wmma load a sync aligned row m8n8k32 [global|shared|shared::cta@78] s4|u4",
     "r:frag p:m [stride:u32]", {63, 75}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix a"},
    {"wmma load b sync aligned col m8n8k32 [global|shared|shared::cta@78] s4|u4",
     "r:frag p:m [stride:u32]", {63, 75}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix b"},
    {"wmma load c sync aligned row|col m8n8k32 [global|shared|shared::cta@78] s32",
     "r:frag p:m [stride:u32]", {63, 75}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix c"},
    {"wmma load a sync aligned row m8n8k128 [global|shared|shared::cta@78] b1",
     "r:frag p:m [stride:u32]", {63, 75}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix a"},
    {"wmma load b sync aligned col m8n8k128 [global|shared|shared::cta@78] b1",
     "r:frag p:m [stride:u32]", {63, 75}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix b"},
    {"wmma load c sync aligned row|col m8n8k128 [global|shared|shared::cta@78] s32",
     "r:frag p:m [stride:u32]", {63, 75}, Action::unmodelled, "9.7.14.4.3", "r = a fragment of matrix c"},
    {"wmma store d sync aligned row|col m16n16k16@60|m8n32k16@61|m32n8k16@61 [global|shared|shared::cta@78] f16|f32|"
     "s32@63,72",
     "p:m r:frag [stride:u32]", {60, 70}, Action::unmodelled, "9.7.14.4.4", "store a fragment of matrix d", true},
    {"wmma store d sync aligned row|col m8n8k32|m8n8k128 [global|shared|shared::cta@78] s32",
     "p:m r:frag [stride:u32]", {63, 75}, Action::unmodelled, "9.7.14.4.4", "store a fragment of matrix d", true},
    {"wmma store d sync aligned row|col m16n16k8 [global|shared|shared::cta@78] f32",
     "p:m r:frag [stride:u32]", {70, 80}, Action::unmodelled, "9.7.14.4.4", "store a fragment of matrix d", true},
    {"wmma store d sync aligned row|col m8n8k4 [global|shared|shared::cta@78] f64",
     "p:m r:frag [stride:u32]", {70, 80}, Action::unmodelled, "9.7.14.4.4", "store a fragment of matrix d", true},
    {"wmma mma sync aligned row|col row|col m16n16k16@60|m8n32k16@61|m32n8k16@61 f16|f32 f16|f32 [satfinite]",
     "d:frag a:{b32} b:{b32} c:frag1", {60, 70}, Action::unmodelled, "9.7.14.4.5",
     "d = a * b + c over matrices, in an order that is left open"},
    {"wmma mma sync aligned row|col row|col m16n16k16@60|m8n32k16@61|m32n8k16@61 s32 s8 s8 s32 [satfinite]",
     "d:frag a:frag1 b:frag2 c:frag3", {63, 72}, Action::unmodelled, "9.7.14.4.5",
     "d = a * b + c over matrices, in an order that is left open"},
    {"wmma mma sync aligned row|col row|col m16n16k16@60|m8n32k16@61|m32n8k16@61 s32 u8 u8 s32 [satfinite]",
     "d:frag a:frag1 b:frag2 c:frag3", {63, 72}, Action::unmodelled, "9.7.14.4.5",
     "d = a * b + c over matrices, in an order that is left open"},
    {"wmma mma sync aligned row|col row|col m16n16k16@60|m8n32k16@61|m32n8k16@61 f32 bf16 bf16 f32",
     "d:frag a:frag1 b:frag2 c:frag3", {70, 80}, Action::unmodelled, "9.7.14.4.5",
     "d = a * b + c over matrices, in an order that is left open"},
    {"wmma mma sync aligned row|col row|col m16n16k8 f32 tf32 tf32 f32",
     "d:frag a:frag1 b:frag2 c:frag3", {70, 80}, Action::unmodelled, "9.7.14.4.5",
     "d = a * b + c over matrices, in an order that is left open"},
    {"wmma mma sync aligned row|col row|col m8n8k4 [rn|rz|rm|rp] f64 f64 f64 f64",
     "d:frag a:frag1 b:frag2 c:frag3", {70, 80}, Action::unmodelled, "9.7.14.4.5",
     "d = a * b + c over matrices, in an order that is left open"},
    {"wmma mma sync aligned row col m8n8k32 s32 s4|u4 s4|u4 s32 [satfinite]",
     "d:frag a:frag1 b:frag2 c:frag3", {63, 75}, Action::unmodelled, "9.7.14.4.5",
     "d = a * b + c over matrices, in an order that is left open"},
    {"wmma mma xor|and@71,80 popc sync aligned row col m8n8k128 s32 b1 b1 s32",
     "d:frag a:frag1 b:frag2 c:frag3", {63, 75}, Action::unmodelled, "9.7.14.4.5",
     "d = a * b + c over matrices, in an order that is left open"},
};
// clang-format on

// clang-format off
inline constexpr Form mma_forms[] = {
    {"mma sync aligned m8n8k4 row|col row|col f16|f32 f16 f16 f16|f32",
     "d:frag a:frag1 b:frag2 c:frag3", {64, 70}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k8@65,75|m16n8k16@70,80 row col f16 f16 f16 f16",
     "d:frag a:frag1 b:frag2 c:frag3", {65, 75}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k8@65,75|m16n8k16@70,80 row col f32 f16 f16 f32",
     "d:frag a:frag1 b:frag2 c:frag3", {65, 75}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32",
     "d:frag a:frag1 b:frag2 c:frag3", {70, 80}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32",
     "d:frag a:frag1 b:frag2 c:frag3", {70, 80}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k32 row col f32 e4m3|e5m2 e4m3|e5m2 f32",
     "d:frag a:frag1 b:frag2 c:frag3", {84, 89}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k16 row col f32 e4m3|e5m2 e4m3|e5m2 f32",
     "d:frag a:frag1 b:frag2 c:frag3", {87, 89}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k16|m16n8k32 row col f16 e4m3|e5m2 e4m3|e5m2 f16",
     "d:frag a:frag1 b:frag2 c:frag3", {87, 89}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k32 row col kind::f8f6f4 f16 e4m3|e5m2|e3m2@87,120f|e2m3@87,120f|"
     "e2m1@87,120f e4m3|e5m2|e3m2@87,120f|e2m3@87,120f|e2m1@87,120f f16",
     "d:frag a:frag1 b:frag2 c:frag3", {87, 100, 'f'}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k32 row col kind::f8f6f4 f32 e4m3|e5m2|e3m2@87,120f|e2m3@87,120f|"
     "e2m1@87,120f e4m3|e5m2|e3m2@87,120f|e2m3@87,120f|e2m1@87,120f f32",
     "d:frag a:frag1 b:frag2 c:frag3", {87, 100, 'f'}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k64 row col kind::mxf4 block_scale [scale_vec::2X] f32 e2m1 e2m1 f32 ue8m0",
     "d:frag a:frag1 b:frag2 c:frag3 scale_a:b32 which_a:<b16> scale_b:b32 which_b:<b16>", {87, 120, 'f'},
     Action::unmodelled, "9.7.14.5.14", "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k64 row col kind::mxf4nvf4 block_scale scale_vec::2X|scale_vec::4X f32 e2m1 e2m1 f32 "
     "ue8m0|ue4m3",
     "d:frag a:frag1 b:frag2 c:frag3 scale_a:b32 which_a:<b16> scale_b:b32 which_b:<b16>", {87, 120, 'f'},
     Action::unmodelled, "9.7.14.5.14", "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m16n8k32 row col kind::mxf8f6f4 block_scale [scale_vec::1X] f32 e4m3|e5m2|e3m2|e2m3|e2m1 e4m3|"
     "e5m2|e3m2|e2m3|e2m1 f32 ue8m0",
     "d:frag a:frag1 b:frag2 c:frag3 scale_a:b32 which_a:<b16> scale_b:b32 which_b:<b16>", {87, 120, 'f'},
     Action::unmodelled, "9.7.14.5.14", "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m8n8k4|m16n8k4@78,90|m16n8k8@78,90|m16n8k16@78,90 row col [rn|rz|rm|rp] f64 f64 f64 f64",
     "d:frag a:frag1 b:frag2 c:frag3", {70, 80}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m8n8k16@65,75|m16n8k16@70,80|m16n8k32@70,80 row col [satfinite] s32 u8|s8 u8|s8 s32",
     "d:frag a:frag1 b:frag2 c:frag3", {65, 75}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m8n8k32@65,75|m16n8k32@70,80|m16n8k64@70,80 row col [satfinite] s32 u4|s4 u4|s4 s32",
     "d:frag a:frag1 b:frag2 c:frag3", {65, 75}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
    {"mma sync aligned m8n8k128@70,75|m16n8k128@70,80|m16n8k256@70,80 row col s32 b1 b1 s32 xor|and@71,80 popc",
     "d:frag a:frag1 b:frag2 c:frag3", {70, 75}, Action::unmodelled, "9.7.14.5.14",
     "d = a * b + c over matrices, in an order that is left open"},
};
// clang-format on

// clang-format off
inline constexpr Form sparse_mma_forms[] = {
    {"mma sp|sp::ordered_metadata@85 sync aligned m16n8k16|m16n8k32 row col f16 f16 f16 f16",
     "d:frag a:frag1 b:frag2 c:frag3 e:b32 f:imm", {71, 80}, Action::unmodelled, "9.7.14.6.3",
     "d = a * b + c over matrices, a sparse, in an order that is left open"},
    {"mma sp|sp::ordered_metadata@85 sync aligned m16n8k16|m16n8k32 row col f32 f16 f16 f32",
     "d:frag a:frag1 b:frag2 c:frag3 e:b32 f:imm", {71, 80}, Action::unmodelled, "9.7.14.6.3",
     "d = a * b + c over matrices, a sparse, in an order that is left open"},
    {"mma sp|sp::ordered_metadata@85 sync aligned m16n8k16|m16n8k32 row col f32 bf16 bf16 f32",
     "d:frag a:frag1 b:frag2 c:frag3 e:b32 f:imm", {71, 80}, Action::unmodelled, "9.7.14.6.3",
     "d = a * b + c over matrices, a sparse, in an order that is left open"},
    {"mma sp|sp::ordered_metadata@85 sync aligned m16n8k8|m16n8k16 row col f32 tf32 tf32 f32",
     "d:frag a:frag1 b:frag2 c:frag3 e:b32 f:imm", {71, 80}, Action::unmodelled, "9.7.14.6.3",
     "d = a * b + c over matrices, a sparse, in an order that is left open"},
    {"mma sp|sp::ordered_metadata@85 sync aligned m16n8k64 row col f32 e4m3|e5m2 e4m3|e5m2 f32",
     "d:frag a:frag1 b:frag2 c:frag3 e:b32 f:imm", {84, 89}, Action::unmodelled, "9.7.14.6.3",
     "d = a * b + c over matrices, a sparse, in an order that is left open"},
    {"mma sp::ordered_metadata sync aligned m16n8k64 row col kind::f8f6f4 f16|f32 e4m3|e5m2|e3m2|e2m3|e2m1 e4m3|e5m2|"
     "e3m2|e2m3|e2m1 f16|f32",
     "d:frag a:frag1 b:frag2 c:frag3 e:b32 f:imm", {87, 120, 'f'}, Action::unmodelled, "9.7.14.6.3",
     "d = a * b + c over matrices, a sparse, in an order that is left open"},
    {"mma sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4 block_scale [scale_vec::2X] f32 e2m1 e2m1 "
     "f32 ue8m0",
     "d:frag a:frag1 b:frag2 c:frag3 e:b32 f:imm scale_a:b32 which_a:<b16> scale_b:b32 which_b:<b16>", {87, 120, 'f'},
     Action::unmodelled, "9.7.14.6.3", "d = a * b + c over matrices, a sparse, in an order that is left open"},
    {"mma sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4nvf4 block_scale scale_vec::2X|scale_vec::4X "
     "f32 e2m1 e2m1 f32 ue8m0|ue4m3",
     "d:frag a:frag1 b:frag2 c:frag3 e:b32 f:imm scale_a:b32 which_a:<b16> scale_b:b32 which_b:<b16>", {87, 120, 'f'},
     Action::unmodelled, "9.7.14.6.3", "d = a * b + c over matrices, a sparse, in an order that is left open"},
    {"mma sp::ordered_metadata sync aligned m16n8k64 row col kind::mxf8f6f4 block_scale [scale_vec::1X] f32 e4m3|"
     "e5m2|e3m2|e2m3|e2m1 e4m3|e5m2|e3m2|e2m3|e2m1 f32 ue8m0",
     "d:frag a:frag1 b:frag2 c:frag3 e:b32 f:imm scale_a:b32 which_a:<b16> scale_b:b32 which_b:<b16>", {87, 120, 'f'},
     Action::unmodelled, "9.7.14.6.3", "d = a * b + c over matrices, a sparse, in an order that is left open"},
    {"mma sp|sp::ordered_metadata@85 sync aligned m16n8k32|m16n8k64 row col [satfinite] s32 u8|s8 u8|s8 s32",
     "d:frag a:frag1 b:frag2 c:frag3 e:b32 f:imm", {71, 80}, Action::unmodelled, "9.7.14.6.3",
     "d = a * b + c over matrices, a sparse, in an order that is left open"},
    {"mma sp|sp::ordered_metadata@85 sync aligned m16n8k64|m16n8k128 row col [satfinite] s32 u4|s4 u4|s4 s32",
     "d:frag a:frag1 b:frag2 c:frag3 e:b32 f:imm", {71, 80}, Action::unmodelled, "9.7.14.6.3",
     "d = a * b + c over matrices, a sparse, in an order that is left open"},
};
// clang-format on

// clang-format off
inline constexpr Form matrix_move_forms[] = {
    {"ldmatrix sync aligned m8n8 x1|x2|x4 [trans] [shared|shared::cta@78] b16",
     "r:{b32} p:m", {65, 75}, Action::unmodelled, "9.7.14.5.15", "r = this lane's pieces of 8x8 matrices"},
    {"ldmatrix sync aligned m16n16 x1|x2 trans [shared|shared::cta] b8",
     "r:{b32} p:m", {86, 100, 'f'}, Action::unmodelled, "9.7.14.5.15", "r = this lane's pieces of 16x16 matrices"},
    {"ldmatrix sync aligned m8n16 x1|x2|x4 [shared|shared::cta] b8x16 b6x16_p32|b4x16_p64",
     "r:{b32} p:m", {86, 100, 'f'}, Action::unmodelled, "9.7.14.5.15",
     "r = this lane's pieces of matrices, decompressed"},
    {"ldmatrix sync aligned m16n16 x1|x2 trans [shared|shared::cta] b8x16 b6x16_p32|b4x16_p64",
     "r:{b32} p:m", {86, 100, 'f'}, Action::unmodelled, "9.7.14.5.15",
     "r = this lane's pieces of matrices, decompressed"},
    {"stmatrix sync aligned m8n8 x1|x2|x4 [trans] [shared|shared::cta] b16",
     "p:m r:{b32}", {78, 90}, Action::unmodelled, "9.7.14.5.16", "store this lane's pieces of 8x8 matrices", true},
    {"stmatrix sync aligned m16n8 x1|x2|x4 trans [shared|shared::cta] b8",
     "p:m r:{b32}", {86, 100, 'f'}, Action::unmodelled, "9.7.14.5.16", "store this lane's pieces of 16x8 matrices",
     true},
    {"movmatrix sync aligned m8n8 trans b16",
     "d:b32 a:b32", {78, 75}, Action::unmodelled, "9.7.14.5.17", "d = this lane's piece of the transposed matrix"},
};
// clang-format on

}  // namespace ptxeq::ir::isa
