ptxeq check nowhere.ptx
