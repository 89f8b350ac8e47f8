# Writes larmor_version.hpp in the build folder, with the version, commit and options of the build.

execute_process(
  COMMAND git -C ${CMAKE_SOURCE_DIR} describe --always --dirty --abbrev=10
  OUTPUT_VARIABLE LARMOR_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT LARMOR_COMMIT)
  set(LARMOR_COMMIT "unknown")
endif()
# After a commit, the next build configures again, so that the program names the new commit.
if(EXISTS ${CMAKE_SOURCE_DIR}/.git/logs/HEAD)
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/.git/logs/HEAD)
endif()
set(LARMOR_BUILD "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}")
if(LARMOR_HAS_CUDA)
  set(LARMOR_CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
  string(APPEND LARMOR_BUILD ", CUDA ${CUDAToolkit_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}")
  if(LARMOR_SLOW_KERNELS)
    string(APPEND LARMOR_BUILD " (built on a machine without a GPU: slow kernels)")
  endif()
else()
  set(LARMOR_CUDA_ARCHITECTURES "")
  string(APPEND LARMOR_BUILD ", no CUDA")
endif()
configure_file(${CMAKE_SOURCE_DIR}/cmake/larmor_version.hpp.in
  ${CMAKE_BINARY_DIR}/generated/larmor_version.hpp)
