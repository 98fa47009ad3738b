ptxeq check vecadd.ptx
