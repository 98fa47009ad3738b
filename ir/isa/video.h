// PTX ISA 9.7.18: video instructions.
#pragma once

#include "ir/isa.h"

namespace ptxeq::ir::isa {

inline constexpr Form video_forms[] = {
    {"vadd u32|s32 u32|s32 u32|s32 [sat] [add|min|max]", "d:t a:t1 b:t2 [c:t]", {20, 20}, Action::unmodelled, "9.7.18.1.1",
         "a video operation on selected bytes or halves"},
    {"vsub u32|s32 u32|s32 u32|s32 [sat] [add|min|max]", "d:t a:t1 b:t2 [c:t]", {20, 20}, Action::unmodelled, "9.7.18.1.1",
         "a video operation on selected bytes or halves"},
    {"vabsdiff u32|s32 u32|s32 u32|s32 [sat] [add|min|max]", "d:t a:t1 b:t2 [c:t]", {20, 20}, Action::unmodelled, "9.7.18.1.1",
         "a video operation on selected bytes or halves"},
    {"vmin u32|s32 u32|s32 u32|s32 [sat] [add|min|max]", "d:t a:t1 b:t2 [c:t]", {20, 20}, Action::unmodelled, "9.7.18.1.1",
         "a video operation on selected bytes or halves"},
    {"vmax u32|s32 u32|s32 u32|s32 [sat] [add|min|max]", "d:t a:t1 b:t2 [c:t]", {20, 20}, Action::unmodelled, "9.7.18.1.1",
         "a video operation on selected bytes or halves"},
    {"vshl u32|s32 u32|s32 u32 [sat] clamp|wrap [add|min|max]", "d:t a:t1 b:t2 [c:t]", {20, 20}, Action::unmodelled, "9.7.18.1.2",
         "a video operation on selected bytes or halves"},
    {"vshr u32|s32 u32|s32 u32 [sat] clamp|wrap [add|min|max]", "d:t a:t1 b:t2 [c:t]", {20, 20}, Action::unmodelled, "9.7.18.1.2",
         "a video operation on selected bytes or halves"},
    {"vmad u32|s32 u32|s32 u32|s32 [po] [sat] [shr7|shr15]", "d:t a:t1 b:t2 c:t", {20, 20}, Action::unmodelled, "9.7.18.1.3",
         "a video operation on selected bytes or halves"},
    {"vset u32|s32 u32|s32 eq|ne|lt|le|gt|ge [add|min|max]", "d:u32 a:t b:t1 [c:u32]", {20, 20}, Action::unmodelled, "9.7.18.1.4",
         "a video operation on selected bytes or halves"},
    {"vadd2 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.1",
         "a video operation on selected bytes or halves"},
    {"vsub2 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.1",
         "a video operation on selected bytes or halves"},
    {"vavrg2 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.1",
         "a video operation on selected bytes or halves"},
    {"vabsdiff2 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.1",
         "a video operation on selected bytes or halves"},
    {"vmin2 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.1",
         "a video operation on selected bytes or halves"},
    {"vmax2 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.1",
         "a video operation on selected bytes or halves"},
    {"vset2 u32|s32 u32|s32 eq|ne|lt|le|gt|ge [add]", "d:u32 a:t b:t1 c:u32", {30, 30}, Action::unmodelled, "9.7.18.2.2",
         "a video operation on selected bytes or halves"},
    {"vadd4 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.3",
         "a video operation on selected bytes or halves"},
    {"vsub4 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.3",
         "a video operation on selected bytes or halves"},
    {"vavrg4 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.3",
         "a video operation on selected bytes or halves"},
    {"vabsdiff4 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.3",
         "a video operation on selected bytes or halves"},
    {"vmin4 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.3",
         "a video operation on selected bytes or halves"},
    {"vmax4 u32|s32 u32|s32 u32|s32 [sat] [add]", "d:t a:t1 b:t2 c:t", {30, 30}, Action::unmodelled, "9.7.18.2.3",
         "a video operation on selected bytes or halves"},
    {"vset4 u32|s32 u32|s32 eq|ne|lt|le|gt|ge [add]", "d:u32 a:t b:t1 c:u32", {30, 30}, Action::unmodelled, "9.7.18.2.4",
         "a video operation on selected bytes or halves"}};

}  // namespace ptxeq::ir::isa
