ptxeq check .
