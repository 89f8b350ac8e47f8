# The library. Files called *.lanes.cpp hold hot loops. They are compiled once per instruction set,
# and the program chooses the set at run time.

add_library(larmor_flags INTERFACE)
# In a unity build, a source may shadow names of another source. GCC may take a source with an
# anonymous namespace for a header.
set(shadow_warnings -Wshadow)
if(LARMOR_UNITY)
  set(shadow_warnings -Wshadow=local -Wno-subobject-linkage)
endif()
target_compile_options(larmor_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;${shadow_warnings};-Wno-restrict;-Wno-stringop-overflow;-fno-math-errno;-fno-trapping-math>)
if(LARMOR_WERROR)
  target_compile_options(larmor_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(LARMOR_STRICT)
  target_compile_definitions(larmor_flags INTERFACE LARMOR_STRICT)
  target_compile_options(larmor_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off> $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>)
endif()
target_compile_options(larmor_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-Xcompiler=-fopenmp>)
if(LARMOR_SLOW_KERNELS)
  target_compile_options(larmor_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Ofc=max>)
  # The host compiler takes half of nvcc's time at -O3, although host code only launches kernels.
  string(REPLACE "-O3" "-O1" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
endif()
target_include_directories(larmor_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_link_libraries(larmor_flags INTERFACE OpenMP::OpenMP_CXX Threads::Threads)
if(LARMOR_HAS_CUDA)
  target_compile_definitions(larmor_flags INTERFACE LARMOR_HAS_CUDA)
endif()

# Reduces the optimisation of code in which little time is spent.
function(larmor_optimise_little target)
  target_compile_options(${target}
    PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:-O1;-Wno-maybe-uninitialized>)
endfunction()

# Compiles code for the tensor cores of one compute capability, with its special instructions.
function(larmor_add_tensor_cores target)
  add_library(${target}_tensor_cores OBJECT ${ARGN})
  set_target_properties(${target}_tensor_cores PROPERTIES CUDA_ARCHITECTURES 90a)
  target_link_libraries(${target}_tensor_cores PRIVATE larmor_flags)
  target_include_directories(${target}_tensor_cores SYSTEM PRIVATE ${CUTLASS_INCLUDE})
  # CUTLASS's headers have host code with long double, for which the GPU's compiler would warn.
  target_compile_options(${target}_tensor_cores
    PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcudafe=--diag_suppress=20208>)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_tensor_cores>)
endfunction()

file(GLOB_RECURSE larmor_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/larmor/*.cpp)
# The sources of the other library for Fourier transforms stay out.
if(LARMOR_FFT STREQUAL fftw)
  list(FILTER larmor_sources EXCLUDE REGEX "/core/fft/pocketfft\\.")
else()
  list(FILTER larmor_sources EXCLUDE REGEX "/core/fft/fftw\\.cpp$")
  set_source_files_properties(${CMAKE_SOURCE_DIR}/larmor/core/fft/pocketfft.lanes.cpp
    PROPERTIES COMPILE_OPTIONS "-isystem;${POCKETFFT_INCLUDE}")
endif()
set(lanes_sources ${larmor_sources})
list(FILTER lanes_sources INCLUDE REGEX "\\.lanes\\.cpp$")
list(FILTER larmor_sources EXCLUDE REGEX "\\.lanes\\.cpp$")
if(LARMOR_HAS_CUDA)
  file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/larmor/*.cu)
  set(tensor_core_sources ${cuda_sources})
  list(FILTER tensor_core_sources INCLUDE REGEX "\\.sm_90a\\.cu$")
  list(FILTER cuda_sources EXCLUDE REGEX "\\.sm_90a\\.cu$")
  list(APPEND larmor_sources ${cuda_sources})
endif()

# Sources called `.strict` compute equal bits on CPU and GPU: no product and sum is contracted.
foreach(source ${larmor_sources} ${lanes_sources})
  if(source MATCHES "\\.strict\\.(lanes\\.)?cpp$")
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
  elseif(source MATCHES "\\.strict\\.cu$")
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS --fmad=false)
  endif()
endforeach()

# The operators of packs are loops in these two files. The first file thus keeps the bits of earlier
# versions. The second file is a few per cent faster.
set_source_files_properties(${CMAKE_SOURCE_DIR}/larmor/spins/landscape/landscape_kernels.lanes.cpp
  ${CMAKE_SOURCE_DIR}/larmor/atoms/potentials/snap/group_kernel.lanes.cpp
  PROPERTIES COMPILE_DEFINITIONS LARMOR_PACKS_IN_LOOPS)

# If CUTLASS is missing, another source reports that the kernels for tensor cores are missing.
if(CUTLASS_INCLUDE)
  list(FILTER larmor_sources EXCLUDE REGEX "/without_tensor_cores\\.cpp$")
endif()

# Kernels compiled at run time include these headers, and all headers that these include.
file(GLOB jit_header_roots RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS larmor/spins/integrators/*_kernel.hpp
  larmor/spins/samplers/*_kernel.hpp larmor/spins/jit/*.hpp)
list(FILTER jit_header_roots INCLUDE REGEX "_kernel|summed_slot|energy_sums")
list(FILTER jit_header_roots EXCLUDE REGEX "midpoint|reflection")
file(GLOB_RECURSE embeddable CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/larmor/core/*.hpp
  ${CMAKE_SOURCE_DIR}/larmor/spins/*.hpp)
set(jit_header_source ${CMAKE_BINARY_DIR}/generated/jit_headers.cpp)
string(JOIN " " jit_header_root_list ${jit_header_roots})
add_custom_command(OUTPUT ${jit_header_source}
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${CMAKE_SOURCE_DIR} -DOUTPUT=${jit_header_source}
    "-DROOTS=${jit_header_root_list}" -P ${CMAKE_SOURCE_DIR}/cmake/LarmorJitHeaders.cmake
  DEPENDS ${embeddable} ${CMAKE_SOURCE_DIR}/cmake/LarmorJitHeaders.cmake VERBATIM)

# Code in which little time is spent: studies, files, keys, the translation of terms. With -O3, its
# compilation would take half as long again.
set(cold_sources ${larmor_sources})
list(FILTER cold_sources INCLUDE REGEX "/larmor/(study|io|imports|evaluation|symmetry|core/input|core/ranks|spins/terms)/.*cpp$")
list(REMOVE_ITEM larmor_sources ${cold_sources})
add_library(larmor_cold OBJECT ${cold_sources} ${jit_header_source})
target_link_libraries(larmor_cold PRIVATE larmor_flags fmt::fmt Eigen3::Eigen larmor_hdf5)
target_include_directories(larmor_cold SYSTEM PRIVATE ${TOMLPLUSPLUS_INCLUDE} ${SPGLIB_INCLUDE} ${GEMMI_INCLUDE})
larmor_optimise_little(larmor_cold)

add_library(larmor STATIC ${larmor_sources} $<TARGET_OBJECTS:larmor_cold>)
target_link_libraries(larmor
  PUBLIC larmor_flags
  PRIVATE fmt::fmt Eigen3::Eigen larmor_hdf5 larmor_fft larmor_sqlite larmor_spglib larmor_muparser larmor_mumps larmor_openblas
    ${CMAKE_DL_LIBS})
if(LARMOR_HAS_CUDA)
  target_link_libraries(larmor PRIVATE CUDA::cudart_static)
  if(CUTLASS_INCLUDE)
    larmor_add_tensor_cores(larmor ${tensor_core_sources})
  endif()
endif()

larmor_unite(larmor_cold ALONE larmor/io/files/toml.cpp larmor/imports/cif.cpp)
larmor_precompile(larmor_cold <algorithm> <cmath> <filesystem> <map> <numeric> <fmt/format.h>
  ${CMAKE_SOURCE_DIR}/larmor/study/measurements/measurement.hpp
  ${CMAKE_SOURCE_DIR}/larmor/study/models/spins/system/spin_system.hpp)
set(decompositions larmor/core/maths/dense_algebra.cpp larmor/core/statistics/mbar.cpp
  larmor/spinwaves/normal_modes.cpp)
# The test of pocketfft replaces the file with FFTW.
larmor_unite(larmor ALONE ${decompositions} larmor/core/fft/fftw.cpp)
if(LARMOR_UNITY)
  # Eigen generates similar code for all decompositions, so one unit combines them.
  list(TRANSFORM decompositions PREPEND ${CMAKE_SOURCE_DIR}/)
  set_source_files_properties(${decompositions}
    PROPERTIES SKIP_UNITY_BUILD_INCLUSION OFF UNITY_GROUP decompositions)
endif()
larmor_unite_cuda(larmor ALONE larmor/atoms/potentials/snap/gpu_snap.cu
  larmor/correlations/fourier/phase_product.cu larmor/correlations/pairs/gpu/fused_sums.cu
  larmor/ising/multispin/grid/kernels.cu larmor/ising/clusters/gpu_clusters.cu
  larmor/ising/multispin/samples/sample_kernels.cu larmor/spins/integrators/steps.cu
  larmor/spins/hamiltonian/energy_kernels.cu larmor/spins/landscape/landscape_kernels.cu
  larmor/spins/samplers/update_kernels.cu)
larmor_precompile(larmor <algorithm> <cmath> ${CMAKE_SOURCE_DIR}/larmor/spins/hamiltonian/model.hpp)

# Only this module links MPI, for runs on several ranks. It lies in the folder of the program, which
# opens it if mpirun started the program.
if(MPI_C_FOUND)
  add_library(larmor_mpi MODULE ${CMAKE_SOURCE_DIR}/mpi/message_passing.cpp)
  target_link_libraries(larmor_mpi PRIVATE MPI::MPI_C)
  target_include_directories(larmor_mpi PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(larmor_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  set_target_properties(larmor_mpi PROPERTIES CXX_VISIBILITY_PRESET default)
endif()

function(larmor_add_lanes isa)
  add_library(larmor_lanes_${isa} OBJECT ${lanes_sources})
  target_link_libraries(larmor_lanes_${isa} PRIVATE larmor_flags)
  # GCC 12 reports lanes as uninitialised if code sets them one after the other. It also warns about
  # its own AVX-512 header.
  target_compile_options(larmor_lanes_${isa}
    PRIVATE ${ARGN} -Wno-maybe-uninitialized -Wno-uninitialized)
  target_compile_definitions(larmor_lanes_${isa} PRIVATE LARMOR_ISA=${isa})
  target_sources(larmor PRIVATE $<TARGET_OBJECTS:larmor_lanes_${isa}>)
endfunction()

set(flags_of_v2 -march=x86-64-v2)
set(flags_of_v3 -march=x86-64-v3)
set(flags_of_v4 -march=x86-64-v4 -mprefer-vector-width=512)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  larmor_add_lanes(generic)
  target_compile_definitions(larmor_flags INTERFACE LARMOR_ONLY_SET=generic)
elseif(LARMOR_NATIVE)
  # Chooses the widest set in the list below that this processor supports. A program with all sets
  # would also choose it.
  include(CheckCSourceRuns)
  check_c_source_runs("int main(void) { __builtin_cpu_init(); return !(__builtin_cpu_supports(\"avx2\")
    && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi2\")); }" LARMOR_RUNS_V3)
  check_c_source_runs("int main(void) { __builtin_cpu_init(); return !(__builtin_cpu_supports(\"avx512f\")
    && __builtin_cpu_supports(\"avx512dq\") && __builtin_cpu_supports(\"avx512vl\")
    && __builtin_cpu_supports(\"avx512bw\") && __builtin_cpu_supports(\"avx512cd\")); }" LARMOR_RUNS_V4)
  set(set_here v2)
  if(LARMOR_RUNS_V4)
    set(set_here v4)
  elseif(LARMOR_RUNS_V3)
    set(set_here v3)
  endif()
  message(STATUS "Hot loops are for processors with x86-64-${set_here} only")
  larmor_add_lanes(${set_here} ${flags_of_${set_here}})
  target_compile_definitions(larmor_flags INTERFACE LARMOR_ONLY_SET=${set_here})
else()
  # Few machines lack AVX2, and GCC takes long to optimise eight numbers in SSE registers.
  larmor_add_lanes(v2 ${flags_of_v2} -O1)
  # For this instruction set, the file handles atoms one by one. It compiles fast, and is a third
  # faster than with -O1.
  set_source_files_properties(${CMAKE_SOURCE_DIR}/larmor/atoms/potentials/snap/group_kernel.lanes.cpp
    PROPERTIES COMPILE_OPTIONS $<$<STREQUAL:$<TARGET_PROPERTY:NAME>,larmor_lanes_v2>:-O2>)
  larmor_add_lanes(v3 ${flags_of_v3})
  larmor_add_lanes(v4 ${flags_of_v4})
endif()
