#!/bin/sh
# libraries_test.sh SL_RUN NVCC: the libraries that a lab does not allow are refused, however their headers are
# opened, with the line that opens them; the others are not.
run=$1 failed=0 nvcc=$(readlink -f "$2")
toolkit=${nvcc%/bin/*}/include
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAILED: $*"; failed=1; }
kernel() { # TEXT: a right kernel of lab 01 for n = 1 behind TEXT
  printf "$1" >"$tmp/kernel.cu"
  cat >>"$tmp/kernel.cu" <<'END'
#include <scanlab/lab.h>
__global__ void copy(const float *in, float *out) { out[0] = in[0]; }
extern "C" cudaError_t lab01_naive_scan(const float *in, float *out, int n) {
  copy<<<1, 1>>>(in, out);
  return cudaGetLastError();
}
END
  "$run" 01 --n 1 --file "$tmp/kernel.cu" >"$tmp/out" 2>&1
  status=$?
}
refused() { # LINE LIBRARY TEXT
  kernel "$3"
  [ $status -eq 3 ] || fail "exit $status for: $3"
  grep -q "kernel.cu:$1: this line opens <.*lab 01 does not allow the library $2" "$tmp/out" || fail "$3: $(cat "$tmp/out")"
}
allowed() {
  kernel "$1"
  [ $status -eq 0 ] || fail "exit $status for: $1: $(cat "$tmp/out")"
}
cub=$toolkit/cccl/cub
[ -d "$cub" ] || cub=$toolkit/cub
refused 1 cub '#include <cub/version.cuh>\n'
refused 3 thrust '\n\n#include "thrust/version.h"\n'
refused 2 cub '#define NAME <cub/version.cuh>\n#include NAME\n'
refused 3 cub '#if __has_include(<cub/version.cuh>)\n\n#include <cub/version.cuh>\n#endif\n'
refused 2 thrust '#ifdef __CUDA_ARCH__\n#include <thrust/version.h>\n#endif\n'
refused 2 thrust '#ifndef __CUDA_ARCH__\n#include <thrust/version.h>\n#endif\n'
refused 1 cub "#include \"$cub/../cub/version.cuh\"\\n"
# relative to the folder where the compiler works, by a way that leads nowhere from here
refused 1 cub "#include \"./../../cache/../../../../../../../../../..${cub%/cub}/./cub/version.cuh\"\\n"
# by ways that the compiler's process has for itself, past the folder of a library that is allowed
for way in "/dev/..$cub/../cuda/.." "/proc/self/root$cub/../cuda/.."; do
  refused 1 cub "#include \"$way/cub/version.cuh\"\\n"
done
# another program's copy
mkdir -p "$tmp/tool/include/vendor/cub" "$tmp/dev/cub/include/own"
echo >"$tmp/tool/include/vendor/cub/version.cuh"
echo >"$tmp/dev/cub/include/own/version.cuh"
SCANLAB_TOOLCHAIN=$tmp/tool:$tmp/dev && export SCANLAB_TOOLCHAIN
refused 1 cub "#include \"$tmp/tool/include/vendor/cub/version.cuh\"\\n"
allowed "#include \"$tmp/dev/cub/include/own/version.cuh\"\\n"
unset SCANLAB_TOOLCHAIN
refused 2 cub "// nothing\\n#include_next <cub/version.cuh>\\n"
refused 2 cub '#include <cooperative_groups.h>\n#include <cub/version.cuh>\n'
refused 1 thrust '# 1 "/usr/include/stdio.h" 1\n#include <thrust/version.h>\n'
refused 1 cub '#include <cub/version.cuh>\nthis does not compile\n'
allowed '#include <cooperative_groups.h>\n#include <cooperative_groups/scan.h>\n#include <cuda/atomic>\n#include <cuda/barrier>\n'
allowed '#include <cuda_fp16.h>\n#include <cuda_pipeline.h>\n#include <algorithm>\n#include <vector>\n'
allowed '// #include <cub/cub.cuh>\nstatic const char *text = "#include <thrust/scan.h>";\n#line 9 "cub/cub.cuh"\n'
exit $failed
