cat vecadd.ptx | ptxeq prove - vecadd.ptx --grid 2 --block 128 -q
