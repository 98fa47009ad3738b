ptxeq check vecadd.toml
