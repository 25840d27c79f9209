# sl_begin_tests(): the rest of this CMakeLists.txt is tests. In a tree without tests it is passed over.
macro(sl_begin_tests)
  if(NOT SL_TESTS)
    return()
  endif()
endmacro()

# sl_add_unit_test(NAME [SOURCES..] [LIBS..] LABELS ..): one cmocka program, one CTest test of the same name.
# Names are unique over the project (CMake itself refuses a second target of the name).
add_custom_target(unit_tests)  # every unit test program, without the CUDA programs

add_custom_target(places)  # what the tests with the label places need; they need no other CUDA programs (preset places)

function(sl_add_unit_test name)
  cmake_parse_arguments(A "" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  if(NOT A_LABELS)
    message(FATAL_ERROR "test ${name} needs LABELS (part and cost, e.g. ptx quick)")
  endif()
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE sl_flags ${A_LIBS} PkgConfig::CMOCKA)
  add_dependencies(unit_tests ${name})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 120)
  endif()
  if(CMAKE_CROSSCOMPILING) # only the whole CMakeLists.txt tells which programs the test depends on
    cmake_language(EVAL CODE "cmake_language(DEFER CALL sl_add_emulated_test ${name} [[unit;${A_LABELS}]] ${A_TIMEOUT})")
  else()
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS "unit;${A_LABELS}" TIMEOUT ${A_TIMEOUT})
  endif()
endfunction()

# Built for another machine (preset arm64), unit and fuzz tests that start no other program run by qemu. All other tests are
# there, too, and say why they do not run.
function(sl_add_emulated_test name labels timeout)
  get_target_property(started ${name} MANUALLY_ADDED_DEPENDENCIES)
  if(started)
    add_test(NAME ${name} COMMAND another-program)
  else()
    add_test(NAME ${name} COMMAND ${name})
  endif()
  set_property(TEST ${name} PROPERTY LABELS "${labels}")
  set_property(TEST ${name} PROPERTY TIMEOUT ${timeout})
endfunction()
if(CMAKE_CROSSCOMPILING)
  function(add_test)
    cmake_parse_arguments(A "" "NAME" "COMMAND" ${ARGN})
    list(GET A_COMMAND 0 program)
    if(program STREQUAL A_NAME OR A_NAME MATCHES "^arm64[.]")
      _add_test(${ARGN})
    else()
      _add_test(NAME ${A_NAME} COMMAND ${CMAKE_COMMAND} -E echo "skipped: it starts programs for arm64 by other programs, which qemu-user does not do")
      set_tests_properties(${A_NAME} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
    endif()
  endfunction()
endif()

add_custom_target(fuzz_targets)  # every fuzz target

# sl_add_fuzz_target(NAME LIBS .. LABELS ..): NAME.c over its corpus as a test fuzz_NAME; with SL_FUZZ a program of libFuzzer.
function(sl_add_fuzz_target name)
  cmake_parse_arguments(A "" "" "LIBS;LABELS" ${ARGN})
  set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/corpus_${name})
  add_executable(fuzz_${name} ${name}.c)
  target_link_libraries(fuzz_${name} PRIVATE sl_flags ${A_LIBS})
  add_dependencies(fuzz_targets fuzz_${name})
  if(SL_FUZZ)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    return()
  endif()
  target_sources(fuzz_${name} PRIVATE replay.c)
  add_test(NAME fuzz_${name} COMMAND fuzz_${name} ${corpus})
  set_tests_properties(fuzz_${name} PROPERTIES LABELS "${A_LABELS};fuzz;quick" TIMEOUT 60)
endfunction()
