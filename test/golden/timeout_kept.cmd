ptxeq check - --timeout 0.2 < <(sleep 3)
