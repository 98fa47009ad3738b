ptxeq check vecadd.ptx --grid 1 --block 32 --args x,y
