# larmor_version.hpp in the build tree: version, commit and how it was built.

execute_process(
  COMMAND git -C ${CMAKE_SOURCE_DIR} describe --always --dirty --abbrev=10
  OUTPUT_VARIABLE LARMOR_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT LARMOR_COMMIT)
  set(LARMOR_COMMIT "unknown")
endif()
set(LARMOR_BUILD
  "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}, CUDA ${LARMOR_HAS_CUDA}")
configure_file(${CMAKE_SOURCE_DIR}/cmake/larmor_version.hpp.in
  ${CMAKE_BINARY_DIR}/generated/larmor_version.hpp)
