ptxeq prove vecadd.ptx vecadd.ptx --spec vecadd.toml -q
