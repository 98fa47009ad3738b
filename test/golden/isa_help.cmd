ptxeq isa --help | sed -n '/^A form/,/^Words/p'
