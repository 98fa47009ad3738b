ptxeq isa ad
