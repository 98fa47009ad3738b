#include "checker/cli.h"

int main(int argc, char** argv) { return ptxeq::check::run_command_line(argc, argv); }
