ptxeq prove vecadd.ptx vecsub.ptx
