# The program of `make fuzz`, if Clang is installed. Clang compiles the readers of files with the counters of
# libFuzzer, the address sanitizer and the undefined-behaviour sanitizer. The rest of the library is that of this
# build, since sanitizers would multiply its compilation.

find_program(LARMOR_FUZZ_CLANG clang++)
if(NOT LARMOR_FUZZ_CLANG)
  return()
endif()
set(reader_folders core/input io/files io/graphs io/potentials io/structures symmetry imports imports/tb2j imports/uppasd
  imports/vampire fitting study/input)
set(fuzz_sources ${CMAKE_SOURCE_DIR}/tests/fuzz/fuzz.cpp ${CMAKE_SOURCE_DIR}/tests/fuzz/mutations.cpp
  ${CMAKE_SOURCE_DIR}/tests/fuzz/readers.cpp ${CMAKE_SOURCE_DIR}/tests/fuzz/studies.cpp)
foreach(folder ${reader_folders})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/larmor/${folder}/*.cpp)
  list(APPEND fuzz_sources ${sources})
endforeach()
# These files write results, or compute.
list(FILTER fuzz_sources EXCLUDE REGEX "/(durable_file|checksum|solution_file|fit|fit_results|design|errors|reduction|solution|potential_files|imports/cif)\\.cpp$")
add_executable(larmor_fuzz EXCLUDE_FROM_ALL ${fuzz_sources})
set_target_properties(larmor_fuzz PROPERTIES EXPORT_COMPILE_COMMANDS OFF
  CXX_COMPILER_LAUNCHER "sh;${CMAKE_SOURCE_DIR}/tests/fuzz/clang.sh;${LARMOR_FUZZ_CLANG}"
  CXX_LINKER_LAUNCHER "sh;${CMAKE_SOURCE_DIR}/tests/fuzz/clang.sh;${LARMOR_FUZZ_CLANG}")
# Clang refuses gemmi in C++20, whose vectors have types that are not yet complete. GCC's counters need code of their own.
add_library(larmor_fuzz_cif OBJECT EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/larmor/imports/cif.cpp)
target_link_libraries(larmor_fuzz_cif PRIVATE larmor_flags fmt::fmt)
target_include_directories(larmor_fuzz_cif SYSTEM PRIVATE ${GEMMI_INCLUDE})
target_sources(larmor_fuzz PRIVATE $<TARGET_OBJECTS:larmor_fuzz_cif>)
target_link_libraries(larmor_fuzz PRIVATE larmor fmt::fmt)
target_include_directories(larmor_fuzz SYSTEM PRIVATE ${TOMLPLUSPLUS_INCLUDE} ${SPGLIB_INCLUDE})
target_compile_definitions(larmor_fuzz PRIVATE LARMOR_FUZZ_FOLDER="${CMAKE_SOURCE_DIR}/tests/fuzz")
set(sanitizers address,undefined,float-cast-overflow)
set(options -w -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all)
target_compile_options(larmor_fuzz PRIVATE ${options} -gline-tables-only -fsanitize=fuzzer-no-link,${sanitizers})
target_compile_options(larmor_fuzz_cif PRIVATE ${options} -g1 -fsanitize=${sanitizers} -fsanitize-coverage=trace-pc)
# The objects with counters replace those of the library.
target_link_options(larmor_fuzz PRIVATE -fsanitize=fuzzer,${sanitizers} LINKER:--allow-multiple-definition
  LINKER:--wrap=__sanitizer_cov_trace_pc)
larmor_unite(larmor_fuzz ALONE larmor/io/files/toml.cpp tests/fuzz/readers.cpp)
