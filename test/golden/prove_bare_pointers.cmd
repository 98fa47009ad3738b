sed s/mul.rn/add.rn/ scale.ptx | ptxeq prove scale.ptx - --grid 1 --block 4 --float bits --args measured_values,o,a | sed -n 2,3p
