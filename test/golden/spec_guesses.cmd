ptxeq spec scale.ptx
