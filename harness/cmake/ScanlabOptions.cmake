# Options of the build, and the flags that every C target of the project is compiled with.
set(SL_BACKEND "sim" CACHE STRING "Where kernels run by default: sim or gpu")
set_property(CACHE SL_BACKEND PROPERTY STRINGS sim gpu)
option(SL_SANITIZE "Build every C part with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(SL_FUZZ "Link the fuzz targets with libFuzzer (clang), to search for inputs that fail" OFF)
option(SL_NATIVE "Let the compiler use every instruction of this machine's processor" ON)

add_library(sl_flags INTERFACE)
if(SL_FUZZ AND NOT CMAKE_C_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "libFuzzer comes with clang: configure with -DCMAKE_C_COMPILER=clang (Debian: clang, libclang-rt-14-dev)")
elseif(SL_FUZZ)
  target_compile_options(sl_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
target_compile_options(sl_flags INTERFACE -Wall -Wextra -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes
                       -Werror=incompatible-pointer-types)
target_compile_definitions(sl_flags INTERFACE _GNU_SOURCE)
if(SL_SANITIZE)
  target_compile_options(sl_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(sl_flags INTERFACE -fsanitize=address,undefined)
endif()
