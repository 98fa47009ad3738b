ptxeq prove - - --grid 1 --block 32 < vecadd.ptx
