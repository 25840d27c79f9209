# The libraries that the project takes from the system, all of them. Link PkgConfig::NAME.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
if(SL_TESTS)
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)      # unit tests
  pkg_check_modules(SQLITE3 REQUIRED IMPORTED_TARGET sqlite3)    # the gradebook
endif()
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)      # JSON
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)         # fat binaries
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)           # fat binaries
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)  # what a student's program may not call
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)        # hashes and keys
pkg_check_modules(LIBARCHIVE REQUIRED IMPORTED_TARGET libarchive) # what students hand in
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)         # Gradescope's list of submitters

# The programs that start for every test are linked with all that they need, where that can be had: the loader takes as long as they do.
# SL_WHOLE holds the option of the linker; it is empty where the C library or one of these has no archive, and where such a program does
# not run: with a path or a loader in LDFLAGS (-rpath, --dynamic-linker), as the toolchain of arm64 has them, it crashes before main.
include(CheckCSourceRuns)
if(NOT SL_SANITIZE AND NOT SL_FUZZ)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
  check_c_source_runs("#include <stdio.h>\nstatic const char *const words[] = {\"a\", \"b\"};\nint main(int n, char **v) { return puts(words[n > 1] + !v) < 0; }"
                      SL_RUNS_WHOLE)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
endif()
if("${SL_RUNS_WHOLE}" STREQUAL 1) # FAILED_TO_RUN is true, too
  set(SL_WHOLE -static-pie)
endif()
foreach(name JANSSON ZSTD LZ4 SECCOMP)
  string(REPLACE ";" " " library "${${name}_LIBRARIES}")
  find_library(SL_${name}_ARCHIVE lib${library}.a HINTS ${${name}_LIBRARY_DIRS} ${${name}_LIBDIR})
  mark_as_advanced(SL_${name}_ARCHIVE)
  if(NOT SL_${name}_ARCHIVE)
    set(SL_WHOLE "")
  endif()
endforeach()
if(SL_WHOLE)
  foreach(name JANSSON ZSTD LZ4 SECCOMP)
    set_property(TARGET PkgConfig::${name} PROPERTY INTERFACE_LINK_LIBRARIES ${SL_${name}_ARCHIVE})
  endforeach()
endif()
