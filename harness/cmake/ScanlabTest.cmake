# sl_begin_tests(): the rest of this CMakeLists.txt is tests. In a tree without tests it is passed over.
macro(sl_begin_tests)
  if(NOT SL_TESTS)
    return()
  endif()
endmacro()

# sl_add_unit_test(NAME [SOURCES..] [LIBS..] LABELS ..): one cmocka program, one CTest test of the same name.
# Names are unique over the project (CMake itself refuses a second target of the name).
add_custom_target(unit_tests)  # every unit test program, without the CUDA programs

add_custom_target(long_programs)  # what ctest -C Long alone needs, which builds it first (fixture long_programs)

add_custom_target(places)  # what the tests with the label places need; they need no other CUDA programs (SCANLAB_PRESET=places)

function(sl_add_unit_test name)
  cmake_parse_arguments(A "" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  if(NOT A_LABELS)
    message(FATAL_ERROR "test ${name} needs LABELS (part and cost, e.g. ptx quick)")
  endif()
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE sl_flags ${A_LIBS} sl_unit)
  add_dependencies(unit_tests ${name})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 120)
  endif()
  if(SL_SANITIZE)
    math(EXPR A_TIMEOUT "4 * ${A_TIMEOUT}") # sanitizers take that much, more on a busy machine
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "unit;${A_LABELS}" TIMEOUT ${A_TIMEOUT})
endfunction()

# sl_add_test(NAME LABELS .. TIMEOUT S [CONFIGURATIONS Long] [COURSE] [SKIPS] [PROPERTIES ..] COMMAND ..): any other test. COURSE: it
# is told the course and its build. SKIPS: it may end with 77. A script is named by its path from here. No word may have a semicolon.
function(sl_add_test name)
  cmake_parse_arguments(A "COURSE;SKIPS" "TIMEOUT;CONFIGURATIONS" "LABELS;PROPERTIES;COMMAND" ${ARGN})
  set(when)
  if(A_CONFIGURATIONS)
    set(when CONFIGURATIONS ${A_CONFIGURATIONS})
  endif()
  list(TRANSFORM A_COMMAND REPLACE "^[a-z][a-z0-9_/.]*[.]sh$" "${CMAKE_CURRENT_SOURCE_DIR}/\\0" AT 0)
  add_test(NAME ${name} ${when} COMMAND ${A_COMMAND})
  set_tests_properties(${name} PROPERTIES LABELS "${A_LABELS}" TIMEOUT ${A_TIMEOUT} ${A_PROPERTIES})
  if(A_COURSE)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "SCANLAB_ROOT=${CMAKE_SOURCE_DIR};SCANLAB_BUILD=${CMAKE_BINARY_DIR}")
  endif()
  if(A_SKIPS)
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  endif()
endfunction()

# Built for another machine (preset arm64), every test runs where programs of that machine can be started, and has ten times the
# time, or is passed over where arm64/slow.txt names it. Words are passed on in brackets, for a list would lose what is in them.
if(CMAKE_CROSSCOMPILING)
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/arm64/slow.txt SL_SLOW_TESTS REGEX "^[^#]")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/arm64/slow.txt)
  function(add_test)
    set(call "")
    set(before "")
    foreach(k RANGE 1 ${ARGC})
      math(EXPR k "${k} - 1")
      set(word "${ARGV${k}}")
      if(before STREQUAL "COMMAND" AND NOT TARGET "${word}") # before a target CMake puts it
        string(APPEND call " [==[${CMAKE_CROSSCOMPILING_EMULATOR}]==]")
        string(REGEX REPLACE "^sl-[a-z-]+$" "$<TARGET_FILE:\\0>" word "${word}") # a target of a later folder
      endif()
      string(APPEND call " [==[${word}]==]")
      set(before "${word}")
    endforeach()
    cmake_language(EVAL CODE "_add_test(${call})")
    _set_tests_properties(${ARGV1} PROPERTIES SKIP_RETURN_CODE 77)
    foreach(line IN LISTS SL_SLOW_TESTS)
      if(line MATCHES "^([^ ]+) +(.+)$" AND CMAKE_MATCH_1 STREQUAL ARGV1)
        _set_tests_properties(${ARGV1} PROPERTIES ENVIRONMENT_MODIFICATION "SL_SLOW=set:${CMAKE_MATCH_2}")
      endif()
    endforeach()
  endfunction()

  function(set_tests_properties)
    set(call "")
    set(before "")
    foreach(k RANGE 1 ${ARGC})
      math(EXPR k "${k} - 1")
      set(word "${ARGV${k}}")
      if(before STREQUAL "TIMEOUT")
        math(EXPR word "10 * ${word}")
      endif()
      string(APPEND call " [==[${word}]==]")
      set(before "${word}")
    endforeach()
    cmake_language(EVAL CODE "_set_tests_properties(${call})")
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
