ptxeq check vecadd.ptx --grid 1 --block 32 --arg x=5
