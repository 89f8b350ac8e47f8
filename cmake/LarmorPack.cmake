# Settings of CPack that depend on the kind of package.

if(CPACK_GENERATOR STREQUAL DEB)
  # The module for MPI has a package of its own, so that the program needs no MPI.
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
  set(CPACK_COMPONENTS_ALL program python debian examples documentation licences mpi)
  foreach(component program python debian examples documentation licences)
    string(TOUPPER ${component} name)
    set(CPACK_COMPONENT_${name}_GROUP larmor)
  endforeach()
  set(CPACK_COMPONENT_MPI_GROUP mpi)
  set(CPACK_DEBIAN_LARMOR_PACKAGE_NAME larmor)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME larmor-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "larmor (= ${CPACK_PACKAGE_VERSION})")
  set(CPACK_COMPONENT_GROUP_LARMOR_DESCRIPTION "Simulations of magnetic and lattice systems")
  set(CPACK_COMPONENT_GROUP_MPI_DESCRIPTION "Runs of Larmor on several ranks by Open MPI")
endif()
