ptxeq check spin.ptx --grid 4 --block 32 --timeout 1 --unroll 100000000
