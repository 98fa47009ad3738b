# Every third-party library is found here; each is linked by the one folder that wraps it. What is missing or does
# not fit is collected and said in one run, with the Debian package that brings it.
set(problems "")
set(packages "")

# A line of the list of problems; ARGN are Debian packages to install.
macro(ptxeq_problem text)
  list(APPEND problems "${text}")
  list(APPEND packages ${ARGN})
endmacro()

include(${CMAKE_CURRENT_LIST_DIR}/Compiler.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Packages.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Mpfr.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Z3.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Antlr.cmake)

if(problems)
  list(JOIN problems "\n  - " text)
  if(packages)
    list(REMOVE_DUPLICATES packages)
    list(JOIN packages " " packages)
    string(APPEND text "\nOn Debian and Ubuntu (scripts/setup does it too):\n  apt-get install ${packages}")
  endif()
  message(FATAL_ERROR "ptxeq cannot be built here:\n  - ${text}")
endif()
