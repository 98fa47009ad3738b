# ANTLR: the tool that writes the parser and the runtime that it is linked with. The serialised form of a grammar
# changed at 4.10, so a tool from one side does not fit a runtime from the other.
find_program(ANTLR4 antlr4)
find_path(ANTLR4_INC antlr4-runtime.h PATH_SUFFIXES antlr4-runtime)
find_library(ANTLR4_LIB antlr4-runtime)
if(NOT ANTLR4)
  ptxeq_problem("the ANTLR 4 tool is missing (-DANTLR4=<program> names one)" antlr4)
else()
  execute_process(COMMAND ${ANTLR4} OUTPUT_VARIABLE antlr_help ERROR_VARIABLE antlr_help_err)
  if("${antlr_help}${antlr_help_err}" MATCHES "Version ([0-9.]+)")
    set(antlr_tool ${CMAKE_MATCH_1})
  else()
    ptxeq_problem("${ANTLR4} does not run: \"ANTLR Parser Generator Version ...\" was expected from it" antlr4)
  endif()
endif()
if(NOT ANTLR4_INC OR NOT ANTLR4_LIB)
  ptxeq_problem("the ANTLR 4 runtime for C++ is missing" libantlr4-runtime-dev)
elseif(CMAKE_CXX_COMPILER_LOADED)
  try_run(antlr_runs antlr_compiles ${CMAKE_BINARY_DIR}/probe ${CMAKE_CURRENT_LIST_DIR}/probe/antlr_version.cpp
    CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${ANTLR4_INC} LINK_LIBRARIES ${ANTLR4_LIB} CXX_STANDARD 17
    RUN_OUTPUT_VARIABLE antlr_runtime)
  if(NOT antlr_compiles OR NOT antlr_runs EQUAL 0)
    ptxeq_problem("the ANTLR 4 runtime ${ANTLR4_LIB} does not link or run" libantlr4-runtime-dev)
  endif()
  unset(antlr_runs CACHE)
  unset(antlr_compiles CACHE)
endif()
if(antlr_tool AND antlr_runtime)
  message(STATUS "ANTLR tool ${antlr_tool}, runtime ${antlr_runtime}")
  foreach(part tool runtime)
    set(antlr_new_${part} YES)
    if(antlr_${part} VERSION_LESS 4.10)
      set(antlr_new_${part} NO)
    endif()
  endforeach()
  if(NOT antlr_new_tool STREQUAL antlr_new_runtime)
    ptxeq_problem("ANTLR tool ${antlr_tool} (${ANTLR4}) and runtime ${antlr_runtime} (${ANTLR4_LIB}) do not fit: the format between them changed at 4.10 (-DANTLR4=<program> names another tool)")
  endif()
endif()

if(NOT problems)
  set(gen ${CMAKE_BINARY_DIR}/ptx_parser)
  add_custom_command(
    OUTPUT ${gen}/PtxLexer.cpp ${gen}/PtxParser.cpp
    DEPENDS ${PROJECT_SOURCE_DIR}/grammar/Ptx.g4
    COMMAND ${ANTLR4} -Dlanguage=Cpp -no-listener -no-visitor -Xexact-output-dir -o ${gen} ${PROJECT_SOURCE_DIR}/grammar/Ptx.g4
    VERBATIM)
  add_library(ptx_parser STATIC ${gen}/PtxLexer.cpp ${gen}/PtxParser.cpp)
  target_include_directories(ptx_parser SYSTEM PUBLIC ${ANTLR4_INC} ${gen})
  target_compile_options(ptx_parser PRIVATE -w -fno-char8_t)  # only the generated lexer needs it
  target_link_libraries(ptx_parser PUBLIC ${ANTLR4_LIB})
endif()
