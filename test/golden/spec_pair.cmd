ptxeq spec vecadd.ptx vecsub.ptx --grid 4
