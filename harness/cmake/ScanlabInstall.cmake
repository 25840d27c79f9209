# cmake --install BUILD --prefix P, and CPack's .deb. What is installed has the form of a source tree with its build:
#
#   P/bin/scanlab          the entry script, which sees that it is installed
#   P/lib/scanlab          as the build folder: bin/ with the programs, lib/ with libcudart.so.13 and the runners, course
#   P/share/scanlab        as the source tree: labs/, datasets/, docs/, grader/, harness/include/
#
# Nothing is built by it: build the target `tools` first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(SL_INSTALLED_BUILD lib/scanlab)
set(SL_INSTALLED_TREE share/scanlab)

install(PROGRAMS scanlab DESTINATION bin)
install(TARGETS sl-grade sl-test sl-judge sl-run sl-student sl-jail sl-steps sl-resume ${SL_GPUS} sl-sim sl-data sl-ptx DESTINATION ${SL_INSTALLED_BUILD}/bin)
if(TARGET sl-book)
  install(TARGETS sl-book DESTINATION ${SL_INSTALLED_BUILD}/bin)
endif()
install(TARGETS sl_cudart DESTINATION ${SL_INSTALLED_BUILD}/lib)
install(DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/ DESTINATION ${SL_INSTALLED_BUILD}/lib FILES_MATCHING PATTERN "sl_runner_*.o" PATTERN "sl_reference_*.so")
file(WRITE ${CMAKE_BINARY_DIR}/installed/course "root=../../${SL_INSTALLED_TREE}\ninstalled=yes\nversion=${PROJECT_VERSION}\n")
install(FILES ${CMAKE_BINARY_DIR}/installed/course DESTINATION ${SL_INSTALLED_BUILD})

install(DIRECTORY harness/include DESTINATION ${SL_INSTALLED_TREE}/harness)
install(DIRECTORY labs docs DESTINATION ${SL_INSTALLED_TREE}
        PATTERN tests EXCLUDE PATTERN CMakeLists.txt EXCLUDE PATTERN "*.sh" EXCLUDE PATTERN "*.bak.*" EXCLUDE)
install(FILES datasets/catalog.json datasets/manifest.json datasets/README.md DESTINATION ${SL_INSTALLED_TREE}/datasets)
install(DIRECTORY grader/plots DESTINATION ${SL_INSTALLED_TREE}/grader)
install(DIRECTORY harness/picture/player DESTINATION ${SL_INSTALLED_TREE}/harness/picture)
install(FILES grader/report.css grader/report.js grader/README.md DESTINATION ${SL_INSTALLED_TREE}/grader)
install(PROGRAMS grader/slurm.sh DESTINATION ${SL_INSTALLED_TREE}/grader)
install(PROGRAMS harness/compile/program.sh DESTINATION ${SL_INSTALLED_TREE}/harness/compile)
install(FILES docs/reference/scanlab.1 DESTINATION share/man/man1)
install(FILES README.md LICENSE DESTINATION ${SL_INSTALLED_TREE})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scanlab)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "lab course on parallel scan and radix sort in CUDA C, with a simulated GPU")
set(CPACK_PACKAGE_CONTACT scanlab)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libc6, libjansson4, libzstd1, liblz4-1, libnettle8, libseccomp2, libsqlite3-0, libarchive13, libyaml-0-2, gcc, g++, cmake")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, python3-pip")
include(CPack)
