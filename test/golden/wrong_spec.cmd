ptxeq prove vecadd.ptx vecsub.ptx --spec wrong.toml
