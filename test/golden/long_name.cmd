sed s/mul.rn/add.rn/ scale.ptx | ptxeq prove scale.ptx - --grid 1 --block 4 --float bits --args x,measured_values,a | sed -n 2p
