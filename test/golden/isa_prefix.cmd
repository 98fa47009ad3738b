ptxeq isa nanos
