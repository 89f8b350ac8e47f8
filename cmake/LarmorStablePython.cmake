# A second module `_engine` for wheels. It serves all versions of Python from 3.12 on. The headers of such a version are
# enough to build it (packaging/python_headers.sh).

set(LARMOR_STABLE_PYTHON "" CACHE PATH "Headers of Python 3.12 or newer, for a module that serves all these versions")

function(larmor_add_stable_module)
  # nanobind reads these variables and this target of FindPython.
  set(Python_VERSION 3.12)
  set(Python_INCLUDE_DIRS ${LARMOR_STABLE_PYTHON})
  add_library(Python::SABIModule INTERFACE IMPORTED)
  target_include_directories(Python::SABIModule SYSTEM INTERFACE ${LARMOR_STABLE_PYTHON})
  get_target_property(sources larmor_engine SOURCES)
  nanobind_add_module(larmor_engine_abi3 STABLE_ABI NB_STATIC NOMINSIZE ${sources})
  target_link_libraries(larmor_engine_abi3 PRIVATE larmor)
  target_link_options(larmor_engine_abi3 PRIVATE LINKER:--exclude-libs,ALL)
  larmor_optimise_little(larmor_engine_abi3)
  set_target_properties(larmor_engine_abi3 PROPERTIES OUTPUT_NAME _engine SUFFIX .abi3.so
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()

if(LARMOR_STABLE_PYTHON AND LARMOR_HAS_PYTHON)
  larmor_add_stable_module()
endif()
