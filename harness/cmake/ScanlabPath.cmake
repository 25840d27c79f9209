# Compilers, shells and lists of paths cannot take every character: a folder with one that they cannot take is refused at
# once. The entry script refuses the same ones (check_path).
foreach(folder "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}")
  if("${folder}" MATCHES "[]\t\n!-$&-*,:;<>?[\\^`{|}]")
    message(FATAL_ERROR "the path of this folder holds the character ${CMAKE_MATCH_0}: ${folder}\nMove or rename it.")
  endif()
endforeach()
