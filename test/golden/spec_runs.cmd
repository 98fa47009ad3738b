ptxeq spec vecadd.ptx vecadd.ptx > "$work/made.toml" && ptxeq prove vecadd.ptx vecadd.ptx --spec "$work/made.toml" -q
