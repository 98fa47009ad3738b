ptxeq check vecadd.ptx --timeout soon
