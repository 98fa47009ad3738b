ptxeq isa add.f32
