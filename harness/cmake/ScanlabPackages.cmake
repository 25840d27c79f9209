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
pkg_check_modules(LIBCRYPTO REQUIRED IMPORTED_TARGET libcrypto)  # hashes and keys
# SHA-256 alone, without the 1.6 ms that loading all of libcrypto costs each start of the judge.
find_library(SL_SHA256 libcrypto.a HINTS ${LIBCRYPTO_LIBRARY_DIRS})
if(NOT SL_SHA256)
  set(SL_SHA256 PkgConfig::LIBCRYPTO)
endif()
mark_as_advanced(SL_SHA256)
pkg_check_modules(LIBARCHIVE REQUIRED IMPORTED_TARGET libarchive) # what students hand in
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)         # Gradescope's list of submitters
