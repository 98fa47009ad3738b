ptxeq run vecadd.ptx --spec vecadd.toml
