#include <z3.h>

#include <iostream>

int main() {
  unsigned major, minor, build, revision;
  Z3_get_version(&major, &minor, &build, &revision);
  std::cout << major << '.' << minor << '.' << build;
}
