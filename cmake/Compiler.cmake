# A C++20 compiler.
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  try_compile(cxx20 ${CMAKE_BINARY_DIR}/probe ${CMAKE_CURRENT_LIST_DIR}/probe/cxx20.cpp CXX_STANDARD 20
    CMAKE_FLAGS -DCMAKE_EXE_LINKER_FLAGS=-pthread)
  if(NOT cxx20)
    ptxeq_problem("${CMAKE_CXX_COMPILER} (${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}) does not compile C++20: g++ from 11 or clang from 19 do" g++)
  endif()
else()
  ptxeq_problem("no C++ compiler (g++ from 11 or clang from 19): -DCMAKE_CXX_COMPILER=<program> names one" g++)
  # Libraries are still looked for; without a compiler CMake does not know Debian's folder for them.
  file(GLOB multiarch RELATIVE /usr/lib /usr/lib/*-linux-gnu)
  if(multiarch)
    list(GET multiarch 0 CMAKE_LIBRARY_ARCHITECTURE)
  endif()
endif()
