ptxeq run vecadd.ptx --spec vecadd.toml --format json
