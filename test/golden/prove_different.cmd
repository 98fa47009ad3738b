ptxeq prove vecadd.ptx vecsub.ptx --spec vecadd.toml -q
