ptxeq spec scale.ptx scale.ptx > "$work/made.toml" && ptxeq prove scale.ptx scale.ptx --spec "$work/made.toml"
