#!/bin/sh
# devices.sh ROOT: `scanlab sim FILE.cu` compiles again what has changed. `scanlab sim --device a100 -- FILE.cu` compiles for that device, and one that copies asynchronously is taken to be
# for an A100 unless another is named. PTX for older ones has no cp.async, so a copy that nobody waits for is a plain load there, and right.
set -u
root=$1
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"; rm -f "${SCANLAB_BUILD:-$root/build/sim}"/programs/*-scanlab_devices_test*' EXIT
cat >"$tmp/scanlab_devices_test.cu" <<'END'
#include <cuda_pipeline.h>
__global__ void turn(int *data) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &data[threadIdx.x], sizeof(int));
  __pipeline_commit();
  data[threadIdx.x] = s[threadIdx.x];
}
int main() {
  int *data;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  turn<<<1, 64>>>(data);
  return cudaFree(data);
}
END
failed=0
try() { # WANTED OPTIONS..: how many asynchronous copies are found to be read too early
  wanted=$1
  shift
  found=$("$root/scanlab" sim "$@" -- "$tmp/scanlab_devices_test.cu" 2>&1 | grep -c 'error\[race.async\]')
  [ "$found" -eq "$wanted" ] || { echo "FAILED: sim $*: $found findings of race.async, expected $wanted"; failed=1; }
}
try 1 --order in
try 1 --device a100
try 1 --profile=h100 --order in
try 1 --schedule order=in,device=a100,seed=3
try 0 --device t4
export SCANLAB_SCHEDULE=order=in,device=t4
try 0 --seed 3
export SCANLAB_SCHEDULE=device=h100
try 1 --order in
unset SCANLAB_SCHEDULE
# Behind an option's value it may be another program's argument. The hint says how it is compiled.
"$root/scanlab" sim --device a100 "$tmp/scanlab_devices_test.cu" 2>&1 | grep -q 'compiled behind --: scanlab sim OPTIONS -- ' || { echo "FAILED: no hint at --"; failed=1; }

# Compiled again when a header of its own has changed, and not when nothing has.
printf 'enum { ANSWER = 1 };\n' >"$tmp/my header.h"
printf '#include "my header.h"\n#include <stdio.h>\nint main() { return !printf("answer %%d\\n", ANSWER); }\n' >"$tmp/scanlab_devices_test_of_headers.cu"
answer() { # WANTED: what the program says
  said=$("$root/scanlab" sim "$tmp/scanlab_devices_test_of_headers.cu" 2>&1 | sed -n 's/^answer //p')
  [ "$said" = "$1" ] || { echo "FAILED: the program says '$said', expected $1"; failed=1; }
}
made() { ls -l --time-style=full-iso "${SCANLAB_BUILD:-$root/build/sim}"/programs/*-scanlab_devices_test_of_headers; }
answer 1
before=$(made)
answer 1
[ "$before" = "$(made)" ] || { echo "FAILED: compiled again though nothing has changed"; failed=1; }
printf 'enum { ANSWER = 2 };\n' >"$tmp/my header.h"
answer 2

# Messages, __FILE__ and findings name the file as it was given, also where it is compiled from behind prepared headers, under another
# name. Only quotes look beside it.
mkdir "$tmp/sub" && printf '#error beside\n' >"$tmp/sub/stdio.h"
printf 'enum { THREADS = 32 };\n' >"$tmp/sub/own.h"
cat >"$tmp/sub/scanlab_devices_test_of_names.cu" <<'END'
#include <stdio.h>
#include "own.h"
__global__ void late(int *p) {
  p[threadIdx.x] = 0;
}
int main() {
  int *p;
  cudaMalloc(&p, THREADS * sizeof(int));
  late<<<1, THREADS + 1>>>(p);
  return printf("file %s\n", __FILE__) < 0 ||
         WRONG;
}
END
named=sub/scanlab_devices_test_of_names.cu
names() { # PATTERN: what sim says of it
  (cd "$tmp" && "$root/scanlab" sim "$named" 2>&1) | grep -qx "$1" || { echo "FAILED: sim $named does not say '$1'"; failed=1; }
}
names "$named(11): error: identifier \"WRONG\" is undefined"
names " *WRONG;"
names "1 error detected in the compilation of \"$named\"."
sed -i s/WRONG/0/ "$tmp/$named"
names "file $named"
names "$named:4:3: error\[memory.bounds\].*"

# Device lambdas, which Thrust's users write, and functions of the C++ library that are constexpr.
cat >"$tmp/scanlab_devices_test_of_headers.cu" <<'END'
#include <algorithm>
#include <stdio.h>
template <class F> __global__ void set(int *out, F f) { *out = std::max(f(), 3); }
int main() {
  int *out, three = 0, k = 1;
  cudaMalloc(&out, sizeof(int));
  set<<<1, 1>>>(out, [=] __device__() { return k; });
  cudaMemcpy(&three, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  return !printf("answer %d\n", three);
}
END
answer 3

# Kernels that launch kernels: nvcc asks for another mode, which would not help here.
printf '__global__ void f() {}\n__global__ void g() { f<<<1, 1>>>(); }\nint main() { g<<<1, 1>>>(); }\n' >"$tmp/scanlab_devices_test_of_headers.cu"
"$root/scanlab" sim "$tmp/scanlab_devices_test_of_headers.cu" 2>&1 | grep -q 'hint: .* launch from the host' || { echo "FAILED: no hint at a launch of a kernel"; failed=1; }
exit "$failed"
