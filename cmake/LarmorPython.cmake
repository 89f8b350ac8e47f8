# The module `_engine` of Python, which larmor.engine opens. It lies in the folder of the program.
# nanobind comes from PyPI, for the Python of .venv, or for the Python that Python_EXECUTABLE names.

set(LARMOR_PYTHON AUTO CACHE STRING "The module of Python: AUTO, ON or OFF")
set_property(CACHE LARMOR_PYTHON PROPERTY STRINGS AUTO ON OFF)

set(LARMOR_HAS_PYTHON OFF)
if(LARMOR_STATIC AND NOT LARMOR_MODULE_HDF5)
  if(LARMOR_PYTHON STREQUAL ON)
    message(FATAL_ERROR "LARMOR_PYTHON=ON with LARMOR_STATIC=ON needs LARMOR_MODULE_HDF5 (packaging/hdf5.sh)")
  endif()
elseif(NOT LARMOR_PYTHON STREQUAL OFF)
  if(NOT Python_EXECUTABLE AND EXISTS ${CMAKE_SOURCE_DIR}/.venv/bin/python)
    set(Python_EXECUTABLE ${CMAKE_SOURCE_DIR}/.venv/bin/python)
  endif()
  find_package(Python 3.10 QUIET COMPONENTS Interpreter Development.Module)
  if(Python_FOUND)
    execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
      OUTPUT_VARIABLE nanobind_folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    find_package(nanobind CONFIG QUIET HINTS ${nanobind_folder})
  endif()
  if(Python_FOUND AND nanobind_FOUND)
    set(LARMOR_HAS_PYTHON ON)
  elseif(LARMOR_PYTHON STREQUAL ON)
    message(FATAL_ERROR "LARMOR_PYTHON=ON, but nanobind or the headers of Python were not found: "
      "install python3-dev, and `python3 -m pip install nanobind`")
  endif()
endif()
message(STATUS "Python: ${LARMOR_HAS_PYTHON}")

if(LARMOR_HAS_PYTHON)
  file(GLOB module_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/module/*.cpp)
  nanobind_add_module(larmor_engine NB_STATIC NOMINSIZE ${module_sources})
  target_link_libraries(larmor_engine PRIVATE larmor)
  # Python may open another HDF5 or BLAS. No name of the libraries in this module may meet theirs.
  target_link_options(larmor_engine PRIVATE LINKER:--exclude-libs,ALL)
  larmor_optimise_little(larmor_engine)
  set_target_properties(larmor_engine PROPERTIES OUTPUT_NAME _engine
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endif()
