ptxeq prove vecadd.ptx vecsub.ptx --gird 2
