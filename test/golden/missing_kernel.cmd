ptxeq check vecadd.ptx --kernel vecad --grid 1 --block 32
