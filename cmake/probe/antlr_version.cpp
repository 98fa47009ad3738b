// The runtime's version, read through the header that the parser includes. From 4.10 on it is in macros;
// 4.10's own RuntimeMetaData::VERSION spells their names.
#include <antlr4-runtime.h>

#include <iostream>

#if __has_include(<Version.h>)
#include <Version.h>
#endif

int main() {
#ifdef ANTLRCPP_VERSION_MAJOR
  std::cout << ANTLRCPP_VERSION_MAJOR << '.' << ANTLRCPP_VERSION_MINOR << '.' << ANTLRCPP_VERSION_PATCH;
#else
  std::cout << antlr4::RuntimeMetaData::VERSION;
#endif
}
