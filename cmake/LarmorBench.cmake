# The program larmor-bench, which `larmor bench` starts, and the library of its benchmarks. The
# program larmor needs neither of them.

file(GLOB_RECURSE bench_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/*.cpp)
list(REMOVE_ITEM bench_sources ${CMAKE_SOURCE_DIR}/bench/main.cpp)
if(LARMOR_HAS_CUDA)
  file(GLOB_RECURSE bench_cuda_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/*.cu)
  set(bench_tensor_core_sources ${bench_cuda_sources})
  list(FILTER bench_tensor_core_sources INCLUDE REGEX "\\.sm_90a\\.cu$")
  list(FILTER bench_cuda_sources EXCLUDE REGEX "\\.sm_90a\\.cu$")
  list(APPEND bench_sources ${bench_cuda_sources})
endif()
if(CUTLASS_INCLUDE)
  list(FILTER bench_sources EXCLUDE REGEX "/without_tensor_cores\\.cpp$")
endif()

add_library(larmor_bench STATIC ${bench_sources})
target_link_libraries(larmor_bench PUBLIC larmor PRIVATE fmt::fmt)
# The measured code is in larmor's library, except for the plain loops of comparisons.
larmor_optimise_little(larmor_bench)
larmor_precompile(larmor_bench <algorithm> <chrono> <cmath> <fmt/core.h> ${CMAKE_SOURCE_DIR}/bench/command.hpp
  ${CMAKE_SOURCE_DIR}/bench/systems.hpp ${CMAKE_SOURCE_DIR}/bench/timing.hpp)
set_source_files_properties(${CMAKE_SOURCE_DIR}/bench/correlations_on_cpu.cpp
  ${CMAKE_SOURCE_DIR}/bench/naive_pairs.cpp ${CMAKE_SOURCE_DIR}/bench/snap_reference.cpp
  ${CMAKE_SOURCE_DIR}/bench/timing.cpp
  PROPERTIES COMPILE_OPTIONS -O3 SKIP_PRECOMPILE_HEADERS ON)
if(LARMOR_HAS_CUDA)
  target_link_libraries(larmor_bench PRIVATE CUDA::cudart_static)
  if(CUTLASS_INCLUDE)
    larmor_add_tensor_cores(larmor_bench ${bench_tensor_core_sources})
  endif()
endif()

larmor_unite_cuda(larmor_bench ALONE bench/snap_variants/textbook.cu)

add_executable(larmor_bench_program ${CMAKE_SOURCE_DIR}/bench/main.cpp)
target_link_libraries(larmor_bench_program PRIVATE larmor_bench larmor_command_line)
set_target_properties(larmor_bench_program PROPERTIES OUTPUT_NAME larmor-bench)
