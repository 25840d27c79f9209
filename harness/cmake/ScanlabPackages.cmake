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
