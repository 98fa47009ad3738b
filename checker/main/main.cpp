#include <stdlib.h>  // defines __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "checker/cli.h"

// Each group of blocks frees its pages of cells for the next one to take: they are not given back to the kernel in
// between, which would clear them each time.
static void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

int main(int argc, char** argv) {
  keep_freed_memory();
  return ptxeq::check::run_command_line(argc, argv);
}
