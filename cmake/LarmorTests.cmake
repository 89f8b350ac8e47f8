# ctest labels: unit, physics, reliability, examples, python, house, gpu (skipped without a GPU),
# and the rooms of larmor/. The label depth marks tests that `make test` omits.

find_package(GTest REQUIRED)
include(LarmorRooms)
include(LarmorFuzz)

# Adds one test per suite of a program. Most systems are small: two tests at a time on one thread
# each take less time than one after the other on two threads.
function(larmor_add_tests name label)
  if(NOT ARGN)
    return()
  endif()
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE larmor fmt::fmt GTest::gtest GTest::gtest_main)
  # The code of the tests is optimised little, because they spend their time in the library.
  larmor_optimise_little(${name})
  set(suites_program ${name})
  set(suites_label ${label})
  set(suites_path $<TARGET_FILE:${name}>)
  larmor_rooms_of_suites(suites_rooms ${ARGN})
  configure_file(${CMAKE_SOURCE_DIR}/cmake/LarmorSuites.cmake.in ${name}.suites.cmake.in @ONLY)
  file(GENERATE OUTPUT ${name}.suites.cmake INPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.suites.cmake.in)
  set_property(DIRECTORY APPEND PROPERTY
    TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.suites.cmake)
endfunction()

file(GLOB unit_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/*_test.cpp)
file(GLOB physics_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/physics/*_test.cpp)
larmor_add_tests(unit_tests unit ${unit_sources})
# `using namespace` and short names in these sources would cause conflicts with names in other sources of a unit.
larmor_unite(unit_tests ALONE tests/unit/replica_exchange_test.cpp tests/unit/structure_factor_test.cpp
  tests/unit/tb2j_test.cpp tests/unit/vampire_test.cpp tests/unit/window_test.cpp)
larmor_precompile(unit_tests <gtest/gtest.h> <algorithm> <cmath> <random> <vector>)
target_link_libraries(unit_tests PRIVATE larmor_bench)
# `make fuzz` drives these readers for longer.
target_sources(unit_tests PRIVATE ${CMAKE_SOURCE_DIR}/tests/fuzz/mutations.cpp
  ${CMAKE_SOURCE_DIR}/tests/fuzz/readers.cpp ${CMAKE_SOURCE_DIR}/tests/fuzz/studies.cpp)
target_compile_definitions(unit_tests PRIVATE LARMOR_FUZZ_FOLDER="${CMAKE_SOURCE_DIR}/tests/fuzz")
larmor_add_tests(physics_tests physics ${physics_sources})
larmor_unite(physics_tests FILES 4)
larmor_precompile(physics_tests <gtest/gtest.h> ${CMAKE_SOURCE_DIR}/tests/physics/test_system.hpp
  ${CMAKE_SOURCE_DIR}/tests/physics/study_test.hpp)
# This test compares its own arithmetic with that of the library, bit for bit.
set_source_files_properties(${CMAKE_SOURCE_DIR}/tests/physics/phi4_test.cpp
  PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
target_link_libraries(physics_tests PRIVATE Eigen3::Eigen)
# Tests of the code for every model kind need a small model kind.
target_sources(physics_tests PRIVATE ${CMAKE_SOURCE_DIR}/tests/gaussian_field/gaussian_field.cpp)
if(LARMOR_HAS_CUDA)
  file(GLOB gpu_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/gpu/*_test.cu
    ${CMAKE_SOURCE_DIR}/tests/gpu/*_test.cpp)
  larmor_add_tests(gpu_tests gpu ${gpu_sources})
  target_link_libraries(gpu_tests PRIVATE larmor_bench CUDA::cudart_static)
  larmor_unite(gpu_tests FILES 4)
  larmor_unite_cuda(gpu_tests)
  larmor_precompile(gpu_tests <gtest/gtest.h> <cmath> ${CMAKE_SOURCE_DIR}/tests/named.hpp
    ${CMAKE_SOURCE_DIR}/larmor/study/models/spins/system/spin_system.hpp
    ${CMAKE_SOURCE_DIR}/larmor/study/run/run.hpp)
endif()

# The tests of Fourier transforms once more, with the library of the packages.
find_path(POCKETFFT_INCLUDE pocketfft_hdronly.h HINTS ${CMAKE_SOURCE_DIR}/build/pocketfft)
if(LARMOR_FFT STREQUAL fftw AND POCKETFFT_INCLUDE)
  add_executable(pocketfft_tests tests/unit/fft_test.cpp larmor/core/fft/pocketfft.cpp)
  target_link_libraries(pocketfft_tests PRIVATE larmor GTest::gtest GTest::gtest_main)
  larmor_optimise_little(pocketfft_tests)
  foreach(isa generic v2 v3 v4)
    if(TARGET larmor_lanes_${isa})
      get_target_property(options larmor_lanes_${isa} COMPILE_OPTIONS)
      add_library(pocketfft_${isa} OBJECT larmor/core/fft/pocketfft.lanes.cpp)
      target_compile_options(pocketfft_${isa} PRIVATE ${options})
      target_compile_definitions(pocketfft_${isa} PRIVATE LARMOR_ISA=${isa})
      target_include_directories(pocketfft_${isa} SYSTEM PRIVATE ${POCKETFFT_INCLUDE})
      target_link_libraries(pocketfft_${isa} PRIVATE larmor_flags)
      target_sources(pocketfft_tests PRIVATE $<TARGET_OBJECTS:pocketfft_${isa}>)
    endif()
  endforeach()
  add_test(NAME unit.pocketfft COMMAND pocketfft_tests --gtest_brief=1)
  set_tests_properties(unit.pocketfft PROPERTIES LABELS "unit;core" ENVIRONMENT OMP_NUM_THREADS=1)
endif()

# The program with one more model kind (tests/gaussian_field).
file(GLOB field_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/gaussian_field/*.cpp)
add_executable(larmor_field ${field_sources})
target_link_libraries(larmor_field PRIVATE larmor_commands)
set_target_properties(larmor_field PROPERTIES OUTPUT_NAME larmor-field)

# Comparisons in standard errors also hold in single precision.
set(in_sigmas */ExactAverage.*:*HeatBathDynamics.FreeSpins*:*HeatBathDynamics.UnequalMoments*)
set(in_sigmas_in_depth *HeatBathDynamicsInDepth.FreeSpins*:CubicHeisenbergInDepth.HeatBath*)
add_test(NAME physics.single_precision
  COMMAND physics_tests --gtest_brief=1 "--gtest_filter=${in_sigmas}")
add_test(NAME physics.single_precision_in_depth
  COMMAND physics_tests --gtest_brief=1 "--gtest_filter=${in_sigmas_in_depth}")
set_tests_properties(physics.single_precision physics.single_precision_in_depth
  PROPERTIES LABELS "physics;spins" TIMEOUT 900 COST 80 ENVIRONMENT "LARMOR_TEST_PRECISION=single;OMP_NUM_THREADS=1")
set_property(TEST physics.single_precision_in_depth APPEND PROPERTY LABELS depth)

# Tests of kernels for instruction sets below the set of this processor.
set(other_sets v2 v3)
if(LARMOR_NATIVE OR NOT TARGET larmor_lanes_v2)
  set(other_sets)
endif()
foreach(set ${other_sets})
  add_test(NAME physics.instruction_set_${set}
    COMMAND physics_tests --gtest_brief=1 "--gtest_filter=*EveryTerm.FieldIs*:*EveryIntegrator.*:*SnapOfEveryFlag.MethodsAgree*")
  set_tests_properties(physics.instruction_set_${set} PROPERTIES LABELS "physics;spins;atoms" TIMEOUT 900
    ENVIRONMENT "LARMOR_INSTRUCTION_SET=${set};OMP_NUM_THREADS=1"
    SKIP_REGULAR_EXPRESSION "this processor runs those up to")
endforeach()

set(venv_python ${CMAKE_SOURCE_DIR}/.venv/bin/python)
if(NOT EXISTS ${venv_python})
  find_program(venv_python_fallback python3 REQUIRED)
  set(venv_python ${venv_python_fallback})
endif()

# @param processors number of threads that the program uses
function(larmor_add_pytest name label processors path)
  add_test(NAME ${name}
    COMMAND ${venv_python} ${CMAKE_SOURCE_DIR}/tools/run_pytest.py -q ${path} -p no:cacheprovider
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
  if(label MATCHES "reliability|examples")
    larmor_rooms_of(${path} rooms)
    list(APPEND label ${rooms})
  endif()
  # Python modules take longer than suites, so they start first. Those on all processors start
  # before the others.
  math(EXPR cost "50 * ${processors}")
  set_tests_properties(${name} PROPERTIES LABELS "${label}" TIMEOUT 1800 PROCESSORS ${processors} SKIP_RETURN_CODE 77
    COST ${cost}
    ENVIRONMENT "OMP_NUM_THREADS=${processors};LARMOR=$<TARGET_FILE:larmor_cli>;PYTHONPATH=${CMAKE_SOURCE_DIR}/python")
endfunction()

# A library that makes file-changing calls of the program fail.
add_library(larmor_faults SHARED ${CMAKE_SOURCE_DIR}/tests/reliability/faults.cpp)
target_link_libraries(larmor_faults PRIVATE ${CMAKE_DL_LIBS})
# Its functions take the places of those of the C library.
set_target_properties(larmor_faults PROPERTIES CXX_VISIBILITY_PRESET default)
file(GLOB reliability_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/reliability/test_*.py)
foreach(test ${reliability_tests})
  get_filename_component(name ${test} NAME_WE)
  # These modules start several processes, or measure time or memory.
  if(name MATCHES "_(ranks|shared_grids|convergence_told|profile|kill_and_resume)$")
    larmor_add_pytest(reliability.${name} reliability 2 ${test})
  else()
    larmor_add_pytest(reliability.${name} reliability 1 ${test})
  endif()
endforeach()
# In depth, these modules use more numbers of ranks, longer chains, and more moments at which a run is killed or a
# disk fails.
foreach(name test_ranks test_kill_and_resume test_failing_disks test_memory_forecast test_atoms test_commands
    test_free_quantum_chains test_landscape_resumes test_malformed_studies test_mutated_inputs test_paths_converge test_sample_ladders test_scans test_small_graphs test_hostile_files)
  larmor_add_pytest(reliability.${name}_in_depth "reliability;depth" 2
    ${CMAKE_SOURCE_DIR}/tests/reliability/${name}.py)
  set_property(TEST reliability.${name}_in_depth APPEND PROPERTY ENVIRONMENT LARMOR_TEST_DEPTH=1)
endforeach()
set_property(TEST reliability.test_failing_disks reliability.test_failing_disks_in_depth
  APPEND PROPERTY ENVIRONMENT LARMOR_FAULTS=$<TARGET_FILE:larmor_faults>)
# This test runs several lattices. The module python.larmor tests how crossings are found.
set_property(TEST reliability.test_critical_kappa APPEND PROPERTY LABELS depth)
file(GLOB example_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/examples/test_*.py)
foreach(test ${example_tests})
  get_filename_component(name ${test} NAME_WE)
  # The systems are small: two tests at a time take less time than one after the other on two
  # threads.
  larmor_add_pytest(examples.${name} examples 1 ${test})
endforeach()
# Long runs whose physics shorter tests cover: exact averages, S(q,w) compared with spin-wave
# theory, scaling, dipoles, correlations of glasses, levels of quantum spins, atoms with SNAP.
set_property(TEST examples.test_bcc_iron examples.test_critical_slowing_down examples.test_equilibrium_of_dynamics
  examples.test_ising_3d examples.test_kagome_antiferromagnet examples.test_kagome_dmi examples.test_magnetic_vortex
  examples.test_magnetocaloric examples.test_potts_first_order examples.test_quantum_critical_point
  examples.test_quantum_spin_glass examples.test_random_quantum_chain examples.test_replica_exchange_cluster
  examples.test_spin_glass examples.test_spin_glass_3d
  examples.test_spin_waves_square examples.test_tungsten_beryllium_md APPEND PROPERTY LABELS depth)
file(GLOB python_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/tests/test_*.py)
larmor_add_pytest(kinds.gaussian_field reliability 2 ${CMAKE_SOURCE_DIR}/tests/gaussian_field/test_gaussian_field.py)
set_tests_properties(kinds.gaussian_field PROPERTIES
  ENVIRONMENT "OMP_NUM_THREADS=2;LARMOR=$<TARGET_FILE:larmor_field>;PYTHONPATH=${CMAKE_SOURCE_DIR}/python")
if(python_tests)
  # This test computes many sets of curves. Other tests compare errors with those of linear fits.
  set(python_tests_in_depth ${CMAKE_SOURCE_DIR}/python/tests/test_scaling_coverage.py)
  list(REMOVE_ITEM python_tests ${python_tests_in_depth})
  larmor_add_pytest(python.larmor python 1 "${python_tests}")
  larmor_add_pytest(python.larmor_in_depth "python;depth" 1 "${python_tests_in_depth}")
endif()
larmor_add_pytest(house.skips house 1 ${CMAKE_SOURCE_DIR}/tests/house/test_skips.py)
larmor_add_pytest(house.packaging house 1 ${CMAKE_SOURCE_DIR}/tests/house/test_packaging.py)
# The longest tests start first. A long test at the end would occupy a single processor.
foreach(test reliability.test_tempering examples.test_spin_waves_square examples.test_bcc_iron
    examples.test_tungsten_beryllium_md python.larmor)
  # A copy of the sources for mutants has neither examples nor Python.
  if(TEST ${test})
    set_tests_properties(${test} PROPERTIES COST 80)
  endif()
endforeach()

function(larmor_add_check name)
  add_test(NAME house.${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(house.${name} PROPERTIES LABELS house TIMEOUT 900)
endfunction()
# Adds a test that compiles for minutes on all processors. `make test-all` runs it.
function(larmor_add_long_check name)
  larmor_add_check(${name} ${ARGN})
  set_tests_properties(house.${name} PROPERTIES LABELS "house;depth" TIMEOUT 3600 PROCESSORS 2)
endfunction()
larmor_add_check(includes ${venv_python} tools/check_includes.py)
larmor_add_check(includes_self_test ${venv_python} tools/check_includes.py --self-test)
larmor_add_check(language ${venv_python} tools/check_language.py)
larmor_add_check(language_self_test ${venv_python} tools/check_language.py --self-test)
larmor_add_long_check(headers_alone bash tools/check_headers.sh ${CMAKE_BINARY_DIR}/generated)
larmor_add_check(instruction_sets bash tools/check_instruction_sets.sh ${CMAKE_BINARY_DIR})
set(tests_with_mutants $<TARGET_FILE:physics_tests>)
if(LARMOR_HAS_CUDA)
  list(APPEND tests_with_mutants $<TARGET_FILE:gpu_tests>)
endif()
larmor_add_check(mutants ${venv_python} tools/mutants.py --check ${tests_with_mutants})
larmor_add_check(mutants_self_test ${venv_python} tools/mutants.py --self-test)
set(test_programs $<TARGET_FILE:unit_tests> $<TARGET_FILE:physics_tests>)
if(LARMOR_HAS_CUDA)
  list(APPEND test_programs $<TARGET_FILE:gpu_tests>)
endif()
larmor_add_check(test_names ${venv_python} tools/check_test_names.py ${test_programs})
larmor_add_check(test_names_self_test ${venv_python} tools/check_test_names.py --self-test)
if(LARMOR_HAS_CUDA)
  larmor_add_long_check(without_cuda ${venv_python} tools/check_without_cuda.py ${CMAKE_BINARY_DIR})
endif()
larmor_add_long_check(sources_alone ${venv_python} tools/check_sources_alone.py ${CMAKE_BINARY_DIR}/alone)
larmor_add_check(build_cost_self_test ${venv_python} tools/build_cost.py --self-test)
find_program(CLANG_FORMAT clang-format)
if(CLANG_FORMAT)
  larmor_add_check(format bash tools/check_format.sh)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/.venv/bin/sphinx-build)
  larmor_add_check(docs ${CMAKE_SOURCE_DIR}/.venv/bin/sphinx-build -W -q -b html docs
    ${CMAKE_BINARY_DIR}/docs)
endif()

find_program(CLANG_TIDY run-clang-tidy)
if(CLANG_TIDY)
  add_custom_target(tidy COMMAND ${CLANG_TIDY} -quiet -p ${CMAKE_BINARY_DIR} "larmor/.*(?<!lanes)\\.cpp$"
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endif()
