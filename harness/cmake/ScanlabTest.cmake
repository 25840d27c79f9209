# sl_add_unit_test(NAME [SOURCES..] [LIBS..] LABELS ..): one cmocka program, one CTest test of the same name.
# Names are unique over the project (CMake itself refuses a second target of the name).
find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

add_custom_target(unit_tests)  # every unit test program, without the CUDA programs

function(sl_add_unit_test name)
  cmake_parse_arguments(A "" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  if(NOT A_LABELS)
    message(FATAL_ERROR "test ${name} needs LABELS (part and cost, e.g. ptx quick)")
  endif()
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE sl_flags ${A_LIBS} PkgConfig::CMOCKA)
  add_dependencies(unit_tests ${name})
  add_test(NAME ${name} COMMAND ${name})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "unit;${A_LABELS}" TIMEOUT ${A_TIMEOUT})
endfunction()
