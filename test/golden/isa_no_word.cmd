ptxeq isa add.f31
