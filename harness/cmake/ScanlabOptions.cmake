# Options of the build, and the flags that every C target of the project is compiled with.
set(SL_BACKEND "sim" CACHE STRING "Where kernels run by default: sim or gpu")
set_property(CACHE SL_BACKEND PROPERTY STRINGS sim gpu)
option(SL_SANITIZE "Build every C part with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(SL_FUZZ "Link the fuzz targets with libFuzzer (clang), to search for inputs that fail" OFF)

add_library(sl_flags INTERFACE)
if(SL_FUZZ AND NOT CMAKE_C_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "libFuzzer comes with clang: configure with -DCMAKE_C_COMPILER=clang (Debian: clang, libclang-rt-14-dev)")
elseif(SL_FUZZ)
  target_compile_options(sl_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
target_compile_options(sl_flags INTERFACE -Wall -Wextra -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes
                       -Werror=incompatible-pointer-types -Werror=implicit-function-declaration)
target_compile_definitions(sl_flags INTERFACE _GNU_SOURCE)
if(SL_SANITIZE)
  target_compile_options(sl_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(sl_flags INTERFACE -fsanitize=address,undefined)
endif()

# Flags of the code whose speed counts: sl_engine, sl_observers.
set(SL_FAST_CODE -fno-strict-aliasing -fno-math-errno -ffp-contract=off)
if(NOT SL_SANITIZE)
  list(APPEND SL_FAST_CODE -O3)
endif()

# The program sl-gpu runs on every processor. On x86-64 there are two more, for processors that have all of SL_HAS_WIDE or of
# SL_HAS_WIDEST; what starts them takes the widest that runs (harness/gpu/start/control.c). A build for one kind of processor alone
# (-march) needs no others.
set(SL_GPUS sl-gpu)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT SL_SANITIZE AND NOT CMAKE_C_FLAGS MATCHES "-march=")
  set(SL_WIDTHS wide widest)
  set(SL_HAS_WIDE avx2 fma bmi bmi2)
  set(SL_HAS_WIDEST ${SL_HAS_WIDE} avx512f avx512bw avx512cd avx512dq avx512vl)
endif()
foreach(width ${SL_WIDTHS})
  list(APPEND SL_GPUS sl-gpu-${width})
endforeach()

# sl_add_wide(LIBRARY): LIBRARY_wide and LIBRARY_widest, the same sources with those instructions.
function(sl_add_wide library)
  foreach(width ${SL_WIDTHS})
    add_library(${library}_${width} STATIC $<TARGET_PROPERTY:${library},SOURCES>)
    foreach(property INCLUDE_DIRECTORIES INTERFACE_INCLUDE_DIRECTORIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES COMPILE_OPTIONS
                     LINK_LIBRARIES INTERFACE_LINK_LIBRARIES POSITION_INDEPENDENT_CODE)
      get_target_property(value ${library} ${property})
      if(value)
        list(TRANSFORM value REPLACE "^(sl_engine|sl_observers)$" "\\1_${width}")
        set_property(TARGET ${library}_${width} PROPERTY ${property} "${value}")
      endif()
    endforeach()
    string(TOUPPER ${width} has)
    list(TRANSFORM SL_HAS_${has} PREPEND -m OUTPUT_VARIABLE flags)
    target_compile_options(${library}_${width} PRIVATE ${flags})
  endforeach()
endfunction()
