# Libraries that come with a CMake package: its name, the least version, a header and the Debian package.
set(libraries
  "fmt 8.0 fmt/format.h libfmt-dev"
  "CLI11 2.1 CLI/CLI.hpp libcli11-dev"
  "nlohmann_json 3.9 nlohmann/json.hpp nlohmann-json3-dev"
  "tomlplusplus 3.0 toml++/toml.h libtomlplusplus-dev"
  "TBB 2021.0 tbb/version.h libtbb-dev"
  "doctest 2.4 doctest/doctest.h doctest-dev")

foreach(entry ${libraries})
  separate_arguments(entry)
  list(GET entry 0 name)
  list(GET entry 1 least)
  list(GET entry 2 header)
  list(GET entry 3 package)
  if(CMAKE_CXX_COMPILER_LOADED)
    find_package(${name} QUIET)
    if(${name}_FOUND AND ${name}_VERSION VERSION_LESS least)
      ptxeq_problem("${name} ${${name}_VERSION} (${${name}_DIR}) is too old: ${least} or newer is needed" ${package})
    elseif(NOT ${name}_FOUND)
      ptxeq_problem("${name} is missing (${least} or newer)" ${package})
    endif()
  else()  # packages may need a compiler to be looked at; their headers do not
    find_path(header_path ${header} NO_CACHE)
    if(NOT header_path)
      ptxeq_problem("${name} is missing (${least} or newer)" ${package})
    endif()
    unset(header_path)
  endif()
endforeach()

find_package(Python3 3.11 QUIET COMPONENTS Interpreter)  # runs the corpus in the tests; tomllib came with 3.11
if(NOT Python3_FOUND)
  ptxeq_problem("Python is missing (3.11 or newer)" python3)
endif()
