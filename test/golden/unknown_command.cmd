ptxeq proof a b
