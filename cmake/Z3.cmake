# Z3: header and library from one place, first the folder that PTXEQ_Z3 names, then the system's.
set(PTXEQ_Z3 "" CACHE PATH "Folder with include/z3++.h and lib/libz3.so, such as z3/ of the unpacked Python wheel")
set(z3_least 4.8.12)

find_path(Z3_HOME include/z3++.h PATHS ${PTXEQ_Z3} /usr NO_DEFAULT_PATH NO_CACHE)
if(Z3_HOME)
  find_library(Z3_LIB z3 PATHS ${Z3_HOME}/lib PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH NO_CACHE)
endif()
if(PTXEQ_Z3 AND Z3_HOME AND NOT EXISTS ${PTXEQ_Z3}/include/z3++.h)
  message(STATUS "no Z3 in ${PTXEQ_Z3}: taking the system's")
endif()
if(NOT Z3_HOME OR NOT Z3_LIB)
  ptxeq_problem("Z3 is missing (${z3_least} or newer): -DPTXEQ_Z3=<folder with include/z3++.h and lib/libz3.so> names one" libz3-dev)
elseif(CMAKE_CXX_COMPILER_LOADED)
  # The wheel brings no z3_version.h, so the library is asked.
  try_run(z3_runs z3_compiles ${CMAKE_BINARY_DIR}/probe ${CMAKE_CURRENT_LIST_DIR}/probe/z3_version.cpp
    CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${Z3_HOME}/include LINK_LIBRARIES ${Z3_LIB} RUN_OUTPUT_VARIABLE Z3_VERSION)
  if(NOT z3_compiles OR NOT z3_runs EQUAL 0)
    ptxeq_problem("Z3 in ${Z3_HOME} does not link or run: header and library may be of different machines or versions" libz3-dev)
  elseif(Z3_VERSION VERSION_LESS z3_least)
    ptxeq_problem("Z3 ${Z3_VERSION} in ${Z3_HOME} is too old: ${z3_least} or newer is needed" libz3-dev)
  else()
    message(STATUS "Z3 ${Z3_VERSION} in ${Z3_HOME}")
  endif()
  unset(z3_runs CACHE)  # asked again at the next configure: PTXEQ_Z3 may have changed
  unset(z3_compiles CACHE)
  add_library(z3 SHARED IMPORTED)
  set_target_properties(z3 PROPERTIES IMPORTED_LOCATION ${Z3_LIB} INTERFACE_INCLUDE_DIRECTORIES ${Z3_HOME}/include)
endif()
