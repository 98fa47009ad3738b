ptxeq
