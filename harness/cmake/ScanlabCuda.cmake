# Finds nvcc and defines sl_add_cuda_program(): CUDA C compiled by nvcc to PTX (compute_75), linked with the
# shared runtime, so that the library path decides between the simulated and the real GPU.
#
# SL_NVCC is found in this order: -DSL_NVCC=, $SCANLAB_NVCC, PATH, /usr/local/cuda, the build folder's wheels.
find_program(SL_NVCC nvcc HINTS $ENV{SCANLAB_NVCC} /usr/local/cuda/bin ${CMAKE_SOURCE_DIR}/build/cuda/bin
             DOC "NVIDIA's compiler")
if(NOT SL_NVCC)
  message(FATAL_ERROR "nvcc was not found. Run ./scanlab setup, which fetches it, or install the CUDA toolkit "
                      "and name it with -DSL_NVCC=/path/to/nvcc")
endif()
# What was found may be a script that starts an nvcc elsewhere: the compiler says where it is at home, and that one is used.
execute_process(COMMAND ${SL_NVCC} --dryrun -x cu -c /dev/null OUTPUT_QUIET ERROR_VARIABLE nvcc_says)
if(nvcc_says MATCHES "#\\$ TOP=([^\n]+)")
  get_filename_component(nvcc_home "${CMAKE_MATCH_1}/bin/nvcc" REALPATH)
  if(EXISTS ${nvcc_home})
    set(SL_NVCC ${nvcc_home} CACHE FILEPATH "NVIDIA's compiler" FORCE)
  endif()
endif()
get_filename_component(SL_CUDA_BIN ${SL_NVCC} REALPATH)
get_filename_component(SL_CUDA_BIN ${SL_CUDA_BIN} DIRECTORY)
get_filename_component(SL_CUDA_ROOT ${SL_CUDA_BIN} DIRECTORY)
# What was found in another toolkit, with which this folder was configured before, is looked for anew.
foreach(found SL_CUDA_INCLUDE SL_CUDA_LIB)
  if(SL_CUDA_BEFORE AND NOT SL_CUDA_BEFORE STREQUAL SL_CUDA_ROOT AND ${found})
    cmake_path(IS_PREFIX SL_CUDA_BEFORE ${${found}} is_old)
    if(is_old)
      unset(${found} CACHE)
    endif()
  endif()
endforeach()
set(SL_CUDA_BEFORE ${SL_CUDA_ROOT} CACHE INTERNAL "The toolkit of the last configuration")
find_path(SL_CUDA_INCLUDE cuda_runtime_api.h NO_DEFAULT_PATH
          HINTS ${SL_CUDA_ROOT}/include ${SL_CUDA_ROOT}/targets/x86_64-linux/include /usr/include)
if(NOT SL_CUDA_INCLUDE)
  message(FATAL_ERROR "cuda_runtime_api.h was not found beside ${SL_NVCC}. Name its folder with -DSL_CUDA_INCLUDE=")
endif()

# SL_HOST_GXX: the g++ that nvcc calls, where it is not the machine's: the one that NVCC_CCBIN names; or, as nvcc takes g++ up to a
# version that its own header names, and the machine's is newer, the newest of the others. SL_NVCC_CALL: nvcc, told of it.
if(NOT "$ENV{NVCC_CCBIN}" STREQUAL "")
  set(SL_HOST_GXX $ENV{NVCC_CCBIN} CACHE FILEPATH "The g++ that nvcc calls" FORCE)
elseif(NOT CMAKE_CROSSCOMPILING AND EXISTS ${SL_CUDA_INCLUDE}/crt/host_config.h)
  file(STRINGS ${SL_CUDA_INCLUDE}/crt/host_config.h newest REGEX "^#if __GNUC__ > [0-9]+$")
  string(REGEX MATCH "[0-9]+$" newest "${newest}")
  execute_process(COMMAND gcc -dumpversion OUTPUT_VARIABLE has OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REGEX MATCH "^[0-9]+" has "${has}")
  if(newest AND has AND has GREATER newest)
    foreach(version RANGE ${newest} 9 -1)
      list(APPEND names g++-${version})
    endforeach()
    find_program(SL_HOST_GXX NAMES ${names} DOC "The g++ that nvcc calls")
    if(NOT SL_HOST_GXX)
      message(FATAL_ERROR "nvcc takes g++ up to version ${newest}, and this machine has ${has}. Run ./scanlab setup, which installs "
                          "an older one beside it, or let NVCC_CCBIN name one")
    endif()
  endif()
endif()
set(SL_NVCC_CALL ${SL_NVCC})
if(SL_HOST_GXX)
  list(APPEND SL_NVCC_CALL -ccbin ${SL_HOST_GXX})
  file(WRITE ${CMAKE_BINARY_DIR}/host_gxx.cmake "set(ENV{NVCC_CCBIN} [==[${SL_HOST_GXX}]==])\n") # for tests that call nvcc
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_BINARY_DIR}/host_gxx.cmake)
endif()

find_path(SL_CUDA_LIB libcudart.so.13 NO_DEFAULT_PATH HINTS ${SL_CUDA_ROOT}/lib64 ${SL_CUDA_ROOT}/lib
          ${SL_CUDA_ROOT}/targets/x86_64-linux/lib)

# SL_COMPILER_FOLDERS: where nvcc and its host compiler look for headers, each folder with a ':' after it, once as they say it and
# once without links. Findings name no line of such a header (harness/ptx/toolkit.c).
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C --unset=CPATH --unset=C_INCLUDE_PATH --unset=CPLUS_INCLUDE_PATH --
                        ${SL_NVCC_CALL} -x cu -E -Xcompiler -v /dev/null
                OUTPUT_QUIET ERROR_VARIABLE nvcc_says)
string(REGEX MATCH "search starts here:.*" nvcc_says "${nvcc_says}")
string(REGEX REPLACE "End of search list.*" "" nvcc_says "${nvcc_says}")
string(REGEX MATCHALL "\n /[^\n]+" said_folders "${nvcc_says}")
set(folders)
foreach(folder ${said_folders})
  string(SUBSTRING "${folder}" 2 -1 folder)
  file(REAL_PATH "${folder}" real)
  cmake_path(NORMAL_PATH folder)
  list(APPEND folders ${folder} ${real})
endforeach()
list(REMOVE_DUPLICATES folders)
if(NOT folders)
  message(FATAL_ERROR "${SL_NVCC} does not say where it looks for headers. Is there a host compiler (g++)?")
endif()
list(JOIN folders ":" SL_COMPILER_FOLDERS)
string(APPEND SL_COMPILER_FOLDERS ":")

set(SL_NVCC_FLAGS -arch=compute_75 -lineinfo -O3 -std=c++17 -cudart shared CACHE STRING "")

# sl_add_cuda_program(NAME SOURCES a.cu .. [FLAGS ..] [ARCH compute_90] [ARCHS 75 80 ..] [HOST 0]): bin/NAME, built by nvcc alone;
# ARCHS: one program with PTX for each, of which the device takes its own. HOST: how far the host compiler optimises, which is what
# nvcc's -O says; kernels are the same.
function(sl_add_cuda_program name)
  cmake_parse_arguments(A "" "ARCH;HOST" "SOURCES;FLAGS;DEPENDS;ARCHS" ${ARGN})
  set(base ${SL_NVCC_FLAGS})
  if(DEFINED A_HOST)
    list(TRANSFORM base REPLACE "^-O.*" "-O${A_HOST}")
  endif()
  if(A_ARCH)
    list(TRANSFORM base REPLACE "^-arch=.*" "-arch=${A_ARCH}")
  endif()
  if(A_ARCHS)
    list(FILTER base EXCLUDE REGEX "^-arch=")
    foreach(arch ${A_ARCHS})
      list(APPEND base -gencode arch=compute_${arch},code=compute_${arch})
    endforeach()
  endif()
  set(out ${CMAKE_BINARY_DIR}/bin/${name})
  list(TRANSFORM A_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]" OUTPUT_VARIABLE srcs)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${SL_NVCC_CALL} ${base} ${A_FLAGS} -I ${CMAKE_SOURCE_DIR}/harness/include ${srcs} -o ${out}
    DEPENDS ${srcs} ${A_DEPENDS}
    COMMENT "nvcc ${name}"
    VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${out})
endfunction()
