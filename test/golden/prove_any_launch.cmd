ptxeq prove vecadd.ptx vecadd.ptx --spec any_launch.toml
