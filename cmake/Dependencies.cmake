# Every third-party library is found here; each is linked by the one folder that wraps it.
foreach(package fmt CLI11 nlohmann_json tomlplusplus TBB doctest)
  find_package(${package} REQUIRED)
endforeach()

set(PTXEQ_Z3 "" CACHE PATH "Folder with include/z3++.h and lib/libz3.so (the unpacked Python wheel's z3/)")
find_path(Z3_HOME include/z3++.h PATHS ${PTXEQ_Z3} /usr NO_DEFAULT_PATH REQUIRED)
find_library(Z3_LIB z3 PATHS ${Z3_HOME}/lib PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH REQUIRED)
add_library(z3 SHARED IMPORTED)
set_target_properties(z3 PROPERTIES IMPORTED_LOCATION ${Z3_LIB} INTERFACE_INCLUDE_DIRECTORIES ${Z3_HOME}/include)

find_program(ANTLR4 antlr4 REQUIRED)
find_path(ANTLR4_INC antlr4-runtime.h PATH_SUFFIXES antlr4-runtime REQUIRED)
find_library(ANTLR4_LIB antlr4-runtime REQUIRED)
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
