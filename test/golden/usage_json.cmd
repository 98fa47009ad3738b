ptxeq prove vecadd.ptx --format json
