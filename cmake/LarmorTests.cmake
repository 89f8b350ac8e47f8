# ctest labels: unit, physics, reliability, python, house, gpu (which skip where there is no GPU).

find_package(GTest REQUIRED)
include(GoogleTest)

# @param processors as many as a test has threads
function(larmor_add_tests name label processors)
  if(NOT ARGN)
    return()
  endif()
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE larmor fmt::fmt GTest::gtest GTest::gtest_main)
  # What takes time in a test is the library's.
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1;-Wno-maybe-uninitialized>)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES
    PROPERTIES LABELS ${label} TIMEOUT 900 PROCESSORS ${processors})
endfunction()

file(GLOB unit_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/*_test.cpp)
file(GLOB physics_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/physics/*_test.cpp)
larmor_add_tests(unit_tests unit 1 ${unit_sources})
target_link_libraries(unit_tests PRIVATE larmor_bench)
larmor_add_tests(physics_tests physics 2 ${physics_sources})
# Compares fields with what it computes itself, bit for bit.
set_source_files_properties(${CMAKE_SOURCE_DIR}/tests/physics/phi4_test.cpp
  PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
target_link_libraries(physics_tests PRIVATE Eigen3::Eigen)
# Tests of what is written for every kind of matter.
target_sources(physics_tests PRIVATE ${CMAKE_SOURCE_DIR}/tests/gaussian_field/gaussian_field.cpp)
if(LARMOR_HAS_CUDA)
  file(GLOB gpu_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/gpu/*_test.cu
    ${CMAKE_SOURCE_DIR}/tests/gpu/*_test.cpp)
  larmor_add_tests(gpu_tests gpu 1 ${gpu_sources})
  target_link_libraries(gpu_tests PRIVATE larmor_bench CUDA::cudart_static)
endif()

# The program with one more kind of matter (tests/gaussian_field).
file(GLOB field_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/gaussian_field/*.cpp)
add_executable(larmor_field ${field_sources})
target_link_libraries(larmor_field PRIVATE larmor_commands)
set_target_properties(larmor_field PROPERTIES OUTPUT_NAME larmor-field)

# What is compared in sigmas holds in single precision too.
add_test(NAME physics.single_precision
  COMMAND physics_tests --gtest_brief=1
    "--gtest_filter=*ExactAverage*:*HeatBathDynamics.FreeSpins*:*HeatBathDynamics.UnequalMoments*:CubicHeisenberg.HeatBath*")
set_tests_properties(physics.single_precision PROPERTIES LABELS physics TIMEOUT 900 PROCESSORS 2
  ENVIRONMENT "LARMOR_TEST_PRECISION=single")

# Kernels for processors with less than this one.
foreach(set v2 v3)
  add_test(NAME physics.instruction_set_${set}
    COMMAND physics_tests --gtest_brief=1 "--gtest_filter=*EveryTerm.FieldIs*:*EveryIntegrator.*:*SnapOfEveryFlag.MethodsAgree*")
  set_tests_properties(physics.instruction_set_${set} PROPERTIES LABELS physics TIMEOUT 900 PROCESSORS 2
    ENVIRONMENT "LARMOR_INSTRUCTION_SET=${set}"
    SKIP_REGULAR_EXPRESSION "this processor runs those up to")
endforeach()

set(venv_python ${CMAKE_SOURCE_DIR}/.venv/bin/python)
if(NOT EXISTS ${venv_python})
  find_program(venv_python_fallback python3 REQUIRED)
  set(venv_python ${venv_python_fallback})
endif()

# @param processors as many threads as the program uses
function(larmor_add_pytest name label processors path)
  add_test(NAME ${name}
    COMMAND ${venv_python} ${CMAKE_SOURCE_DIR}/tools/run_pytest.py -q ${path} -p no:cacheprovider
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 1800 PROCESSORS ${processors} SKIP_RETURN_CODE 77
    ENVIRONMENT "OMP_NUM_THREADS=${processors};LARMOR=$<TARGET_FILE:larmor_cli>;PYTHONPATH=${CMAKE_SOURCE_DIR}/python")
endfunction()

file(GLOB reliability_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/reliability/test_*.py)
foreach(test ${reliability_tests})
  get_filename_component(name ${test} NAME_WE)
  larmor_add_pytest(reliability.${name} reliability 2 ${test})
endforeach()
file(GLOB example_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/examples/test_*.py)
foreach(test ${example_tests})
  get_filename_component(name ${test} NAME_WE)
  # Small systems: two that run side by side take less time than one after the other on two threads.
  larmor_add_pytest(examples.${name} examples 1 ${test})
endforeach()
file(GLOB python_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/tests/test_*.py)
larmor_add_pytest(kinds.gaussian_field reliability 2 ${CMAKE_SOURCE_DIR}/tests/gaussian_field)
set_tests_properties(kinds.gaussian_field PROPERTIES
  ENVIRONMENT "OMP_NUM_THREADS=2;LARMOR=$<TARGET_FILE:larmor_field>;PYTHONPATH=${CMAKE_SOURCE_DIR}/python")
if(python_tests)
  larmor_add_pytest(python.larmor python 1 ${CMAKE_SOURCE_DIR}/python/tests)
endif()
larmor_add_pytest(house.skips house 1 ${CMAKE_SOURCE_DIR}/tests/house/test_skips.py)

function(larmor_add_check name)
  add_test(NAME house.${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(house.${name} PROPERTIES LABELS house TIMEOUT 900 PROCESSORS 2)
endfunction()
larmor_add_check(includes ${venv_python} tools/check_includes.py)
larmor_add_check(includes_self_test ${venv_python} tools/check_includes.py --self-test)
larmor_add_check(headers_alone bash tools/check_headers.sh ${CMAKE_BINARY_DIR}/generated)
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
  larmor_add_check(without_cuda ${venv_python} tools/check_without_cuda.py ${CMAKE_BINARY_DIR})
endif()
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
