# build/editor/compile_commands.json: how an editor's clangd is to read the kernels (.clangd names the folder).
if(NOT CMAKE_BINARY_DIR MATCHES "^${CMAKE_SOURCE_DIR}/build/")
  return()
endif()
file(GLOB kernels ${CMAKE_SOURCE_DIR}/labs/0?_*/kernel.cu ${CMAKE_SOURCE_DIR}/solutions/0?_*/kernel.cu)
set(entries "")
foreach(kernel ${kernels})
  list(APPEND entries "{\"directory\": \"${CMAKE_SOURCE_DIR}\", \"file\": \"${kernel}\", \"arguments\": [\"clang++\", \"-x\", \"cuda\",
  \"--cuda-host-only\", \"-nocudainc\", \"-nocudalib\", \"-Wno-unknown-cuda-version\", \"-std=c++17\", \"-I\", \"${CMAKE_SOURCE_DIR}/harness/include\",
  \"-isystem\", \"${SL_CUDA_INCLUDE}\", \"-include\", \"scanlab/editor.h\", \"-c\", \"${kernel}\"]}")
endforeach()
list(JOIN entries ",\n" entries)
file(CONFIGURE OUTPUT ${CMAKE_SOURCE_DIR}/build/editor/compile_commands.json CONTENT "[${entries}]\n" @ONLY)
