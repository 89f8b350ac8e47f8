# All dependencies come from Debian's packages; tools/setup.sh installs them.

if(LARMOR_STATIC)
  set(HDF5_USE_STATIC_LIBRARIES ON)
endif()
find_package(OpenMP REQUIRED COMPONENTS CXX)
if(LARMOR_STATIC)
  # Debian has no static fmt. FMT_SHARED is a definition of the shared fmt, so all builds share their objects.
  find_path(FMT_INCLUDE fmt/format.h REQUIRED)
  add_library(larmor_fmt STATIC ${CMAKE_SOURCE_DIR}/cmake/inline_fmt.cpp)
  target_compile_definitions(larmor_fmt PRIVATE FMT_HEADER_ONLY INTERFACE FMT_SHARED)
  target_include_directories(larmor_fmt SYSTEM PUBLIC ${FMT_INCLUDE})
  add_library(fmt::fmt ALIAS larmor_fmt)
else()
  find_package(fmt REQUIRED)
endif()
find_package(CLI11 REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(HDF5 REQUIRED COMPONENTS C HL)
find_package(Threads REQUIRED)
if(LARMOR_STATIC)
  # The static HDF5 could read from the network and lists libraries for this, which the linker omits because no code
  # of Larmor uses them.
  add_link_options(LINKER:--as-needed)
  # Programs need no library except for that of C. A module for Python shares libraries with Python.
  set(is_program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
  add_link_options($<${is_program}:-static-libstdc++> $<${is_program}:-static-libgcc>)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a
    OUTPUT_VARIABLE static_gomp OUTPUT_STRIP_TRAILING_WHITESPACE)
  set_target_properties(OpenMP::OpenMP_CXX PROPERTIES INTERFACE_LINK_LIBRARIES
    "$<IF:${is_program},${static_gomp},${OpenMP_gomp_LIBRARY}>;${OpenMP_pthread_LIBRARY}")
  foreach(name sz aec z)
    find_library(LARMOR_STATIC_${name} lib${name}.a)
    if(LARMOR_STATIC_${name})
      list(FILTER HDF5_C_LIBRARIES EXCLUDE REGEX "/lib${name}\\.so")
      list(APPEND HDF5_C_LIBRARIES ${LARMOR_STATIC_${name}})
    endif()
  endforeach()
endif()

# Finds a library, the static one for static programs.
macro(larmor_find_library variable name)
  if(LARMOR_STATIC)
    find_library(${variable} lib${name}.a REQUIRED)
  else()
    find_library(${variable} ${name} REQUIRED)
  endif()
endmacro()

find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
if(LARMOR_FFT STREQUAL fftw)
  find_path(FFTW_INCLUDE fftw3.h REQUIRED)
  larmor_find_library(FFTW_LIBRARY fftw3)
elseif(LARMOR_FFT STREQUAL pocketfft)
  # Debian has no package of this header. packaging/pocketfft.sh gets it from PyPI.
  find_path(POCKETFFT_INCLUDE pocketfft_hdronly.h HINTS ${CMAKE_SOURCE_DIR}/build/pocketfft REQUIRED)
else()
  message(FATAL_ERROR "LARMOR_FFT is \"${LARMOR_FFT}\": choose fftw or pocketfft")
endif()
find_path(SQLITE_INCLUDE sqlite3.h REQUIRED)
larmor_find_library(SQLITE_LIBRARY sqlite3)
find_path(SPGLIB_INCLUDE spglib.h REQUIRED)
larmor_find_library(SPGLIB_LIBRARY symspg)
find_path(GEMMI_INCLUDE gemmi/cif.hpp REQUIRED)
# The program opens the library muParser when it first needs it. Debian has no static version.
find_path(MUPARSER_INCLUDE muParserDLL.h REQUIRED)
# Debian's OpenBLAS for OpenMP uses Larmor's threads. It lies in another folder than the shared
# OpenBLAS, and is also found there at run time. The build of OpenBLAS without threads may give one
# buffer to two callers at a time, because its search for a free buffer is not locked.
set(openblas_openmp ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp)
find_path(OPENBLAS_OPENMP_INCLUDE cblas.h PATHS /usr/include/${openblas_openmp} NO_DEFAULT_PATH)
find_path(OPENBLAS_OPENMP_INCLUDE cblas.h PATH_SUFFIXES openblas REQUIRED)
if(LARMOR_STATIC)
  set(openblas_names libopenblas.a)
else()
  set(openblas_names openblas)
endif()
find_library(OPENBLAS_OPENMP_LIBRARY NAMES ${openblas_names} PATHS /usr/lib/${openblas_openmp} NO_DEFAULT_PATH)
find_library(OPENBLAS_OPENMP_LIBRARY NAMES ${openblas_names} REQUIRED)

# MUMPS without MPI: its "sequential" version contains a stand-in for MPI. It is always static, since a shared
# stand-in would replace the MPI that ranks use. It needs the libraries of its own build: Scotch and the Fortran
# run time, which the compiler locates.
find_path(MUMPS_INCLUDE dmumps_c.h PATH_SUFFIXES mumps_seq REQUIRED)
foreach(name dmumps_seq mumps_common_seq pord_seq mpiseq_seq esmumps scotch scotcherr)
  find_library(MUMPS_${name} lib${name}.a REQUIRED)
  list(APPEND mumps_libraries ${MUMPS_${name}})
endforeach()
# Programs get the Fortran run time as a static library. Its code cannot be a part of a module.
set(is_module $<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>)
foreach(name gfortran quadmath)
  foreach(kind a so)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${name}.${kind}
      OUTPUT_VARIABLE fortran_${kind} OUTPUT_STRIP_TRAILING_WHITESPACE)
  endforeach()
  list(APPEND mumps_libraries $<IF:${is_module},${fortran_so},${fortran_a}>)
endforeach()

add_library(larmor_hdf5 INTERFACE)
target_include_directories(larmor_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
set(hdf5_libraries ${HDF5_HL_LIBRARIES} ${HDF5_C_LIBRARIES})
if(LARMOR_STATIC)
  # Debian's static libraries of these names cannot be a part of a module. packaging/hdf5.sh builds an HDF5 that can.
  set(LARMOR_MODULE_HDF5 "" CACHE PATH "Folder of libhdf5_hl.a and libhdf5.a for the module of Python")
  set(of_modules ${LARMOR_MODULE_HDF5}/libhdf5_hl.a ${LARMOR_MODULE_HDF5}/libhdf5.a z)
  foreach(library ${hdf5_libraries})
    target_link_libraries(larmor_hdf5 INTERFACE $<$<NOT:${is_module}>:${library}>)
  endforeach()
  foreach(library ${of_modules})
    target_link_libraries(larmor_hdf5 INTERFACE $<${is_module}:${library}>)
  endforeach()
  find_library(SHARED_SQLITE_LIBRARY libsqlite3.so REQUIRED)
  set(SQLITE_LIBRARY $<IF:${is_module},${SHARED_SQLITE_LIBRARY},${SQLITE_LIBRARY}>)
else()
  target_link_libraries(larmor_hdf5 INTERFACE ${hdf5_libraries})
endif()

add_library(larmor_fft INTERFACE)
if(LARMOR_FFT STREQUAL fftw)
  target_include_directories(larmor_fft SYSTEM INTERFACE ${FFTW_INCLUDE})
  target_link_libraries(larmor_fft INTERFACE ${FFTW_LIBRARY})
endif()

add_library(larmor_sqlite INTERFACE)
target_include_directories(larmor_sqlite SYSTEM INTERFACE ${SQLITE_INCLUDE})
target_link_libraries(larmor_sqlite INTERFACE ${SQLITE_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS})

add_library(larmor_spglib INTERFACE)
target_link_libraries(larmor_spglib INTERFACE ${SPGLIB_LIBRARY})

add_library(larmor_muparser INTERFACE)
target_include_directories(larmor_muparser SYSTEM INTERFACE ${MUPARSER_INCLUDE})
target_link_libraries(larmor_muparser INTERFACE ${CMAKE_DL_LIBS})

add_library(larmor_openblas INTERFACE)
target_include_directories(larmor_openblas SYSTEM INTERFACE ${OPENBLAS_OPENMP_INCLUDE})
target_link_libraries(larmor_openblas INTERFACE ${OPENBLAS_OPENMP_LIBRARY})

add_library(larmor_mumps INTERFACE)
target_include_directories(larmor_mumps SYSTEM INTERFACE ${MUMPS_INCLUDE})
target_link_libraries(larmor_mumps INTERFACE ${mumps_libraries} larmor_openblas)
target_link_options(larmor_mumps INTERFACE -Wl,--exclude-libs,libmpiseq_seq.a)

# MPI and CUDA are used if they are found. Without them, the rest of the build is unchanged.
find_package(MPI QUIET COMPONENTS C)
message(STATUS "MPI: ${MPI_C_FOUND}")

set(LARMOR_HAS_CUDA OFF)
if(NOT LARMOR_CUDA STREQUAL OFF)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    # The default is machine code for 9.0, and PTX for later GPUs. The preset "portable" includes
    # all from 7.5 on.
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 90)
    endif()
    if(NOT CMAKE_CUDA_ARCHITECTURES MATCHES "^[0-9]+[af]?(-real|-virtual)?(;[0-9]+[af]?(-real|-virtual)?)*$")
      message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES is \"${CMAKE_CUDA_ARCHITECTURES}\": name architectures, "
        "as \"80;90\"; the program tells users which GPUs it has kernels for")
    endif()
    enable_language(CUDA)
    # CMake 3.25 does not list C++20 for newer nvcc.
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    find_package(CUDAToolkit REQUIRED)
    set(LARMOR_HAS_CUDA ON)
    # On a machine without a GPU (Linux, or Linux within Windows), kernels do not run, and so their
    # speed does not matter.
    if(NOT DEFINED LARMOR_SLOW_KERNELS AND LARMOR_NATIVE AND NOT EXISTS /dev/nvidiactl AND NOT EXISTS /dev/dxg
        AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0)
      set(LARMOR_SLOW_KERNELS ON)
      message(STATUS "No GPU on this machine: kernels for GPUs are hardly optimised; -DLARMOR_SLOW_KERNELS=OFF optimises them")
    endif()
    # Only the headers of CUTLASS are used, from PyPI's nvidia-cutlass. Without them, the build
    # omits the correlation kernels for tensor cores.
    file(GLOB cutlass_hints ${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/cutlass_library/source/include)
    find_path(CUTLASS_INCLUDE cutlass/cutlass.h HINTS ${cutlass_hints})
    message(STATUS "CUTLASS: ${CUTLASS_INCLUDE}")
  elseif(LARMOR_CUDA STREQUAL ON)
    message(FATAL_ERROR "LARMOR_CUDA=ON, but no CUDA compiler was found")
  endif()
endif()
message(STATUS "CUDA: ${LARMOR_HAS_CUDA}")
