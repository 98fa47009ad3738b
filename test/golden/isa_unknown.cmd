ptxeq isa xyz
