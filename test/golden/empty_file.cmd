ptxeq check /dev/null
