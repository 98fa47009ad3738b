ptxeq check vecadd.ptx --spec any_launch.toml
