ptxeq run vecadd.ptx --spec any_launch.toml
