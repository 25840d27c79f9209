#!/bin/sh
# sl-steps gives what nvcc gives: messages, whether it succeeded, the device's code, the host's program; with and
# without precompiled headers.  Usage: steps_test.sh SL_STEPS NVCC INCLUDE OBJECT
set -u
steps=$1 nvcc=$2 include=$3 object=$4
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0 checks=0 ahead=
fail() { echo "FAILED: $*"; failed=1; }

# [where=FOLDER] in_folder PROGRAM..: compiles kernel.cu in a folder that has the same name for both; output in messages
# with the options in [ahead].
in_folder() {
  (cd "$tmp/${where:-here}" && "$@" $ahead -arch=compute_75 -lineinfo -O0 -Xcompiler=-fsanitize=return,-fsanitize-undefined-trap-on-error,-g1 -std=c++17 \
    -cudart shared -I "$include" --keep --no-device-link kernel.cu "$object" -o runner) >"$tmp/messages" 2>&1
}
fresh() { rm -rf "$tmp/here" && mkdir "$tmp/here" && cp "$1" "$tmp/here/kernel.cu"; }

# prepared FOLDER: what is prepared of the headers
prepared() {
  rm -rf "$tmp/another_folder"
  mkdir "$tmp/another_folder" "$1" && cp "$tmp/empty.cu" "$tmp/another_folder/kernel.cu"
  where=another_folder in_folder "$steps" --prepare "$nvcc" || { fail "headers cannot be prepared"; cat "$tmp/messages"; exit 1; }
  (cd "$tmp/another_folder" && cp headers.h headers.h.gch front.text front.image front.macros front.names device.text device.image device.macros device.names plan "$1") || fail "something is not prepared"
}
printf '#include "scanlab/lab.h"\nint sl_below_headers;\n' >"$tmp/empty.cu"
prepared "$tmp/headers"

# code_of FOLDER: the host's instructions, as a sum
code_of() { objdump -d --no-show-raw-insn "$tmp/$1/kernel.o" | sed 's/_[0-9a-f]*_9_kernel_cu_[0-9a-f]*//g; 1,3d' | cksum; }

# text_of FILE: each line with the file and the number that messages name it by. Which header begins and ends where may be said or not:
# one that is found to be read before is not entered again. What left_out.c names is left out.
text_of() {
  awk '/^# [0-9]+ "/ { split($0, part, "\""); file = part[2]; line = $2; next } file ~ /\/(specfun[.]h|tr1\/.*|(texture|surface)_indirect_functions[.]h)$/ { next } NF { print file ":" line ":" $0 } { line++ }' "$tmp/$1" | cksum
}

# same NAME SPARED: the source on stdin; SPARED: 1 if the headers' text is to be spared, 0 if not, - if that depends on the system's headers. The first one is also compiled without headers.
same() {
  name=$1
  cat >"$tmp/$name.cu"
  fresh "$tmp/$name.cu"
  in_folder "$nvcc"
  plain=$?
  cp "$tmp/messages" "$tmp/expected"
  rm -rf "$tmp/plain" && cp -R "$tmp/here" "$tmp/plain"
  for headers in "$tmp/headers" -; do
    [ "$name$headers" = right- ] || [ "$headers" != - ] || continue
    checks=$((checks + 1))
    fresh "$tmp/$name.cu"
    in_folder "$steps" "$headers" "$nvcc"
    code=$?
    [ $((code == 0)) = $((plain == 0)) ] || fail "$name: exit code $code, nvcc's is $plain"
    # temporary names of objects stand in the linker's messages
    sed 's/kernel[.]o:.*(/(/' "$tmp/expected" >"$tmp/a" && sed 's/kernel[.]o:.*(/(/' "$tmp/messages" >"$tmp/b"
    diff "$tmp/a" "$tmp/b" || fail "$name: other messages than nvcc's ($headers)"
    if [ $plain = 0 ]; then
      for folder in plain here; do sed 's/_[0-9a-f]*_9_kernel_cu_[0-9a-f]*//g' "$tmp/$folder/kernel.ptx" >"$tmp/$folder.ptx"; done
      cmp "$tmp/plain.ptx" "$tmp/here.ptx" || fail "$name: other device code ($headers)"
      # but for the folder's name, which is left out
      sed -i '2{\,^# 1 "/.*//"$,d}' "$tmp/plain/kernel.cpp1.ii" "$tmp/plain/kernel.cpp4.ii"
      [ "$headers" = - ] || grep -q "kernel.cu" "$tmp/here/front.below.ii" "$tmp/here/device.below.ii" && [ ! -s "$tmp/here/front.said.log" ] && [ ! -s "$tmp/here/device.said.log" ] ||
        fail "$name: the headers were preprocessed again"
      for text in kernel.cpp1.ii kernel.cpp4.ii; do
        [ "$(text_of "plain/$text")" = "$(text_of "here/$text")" ] || fail "$name: other preprocessed text ($headers)"
      done
      [ -x "$tmp/here/runner" ] || fail "$name: no program"
      [ "$(code_of plain)" = "$(code_of here)" ] || fail "$name: other code of the host ($headers)"
      if [ "$headers" != - ]; then
        [ "$2" = - ] || [ "$2" = "$([ -e "$tmp/here/below.cpp" ] && echo 1 || echo 0)" ] || fail "$name: headers spared or not, as not expected"
        [ -e "$tmp/here/front.resumed" ] && [ -e "$tmp/here/device.resumed" ] && [ ! -e "$tmp/here/stale" ] || fail "$name: a compiler was not taken up behind the headers"
      fi
      for stage in front_end device_compiler host_compiler link; do
        grep -q "^$stage [0-9.]* [0-9.]*$" "$tmp/here/steps" || fail "$name: no time of $stage"
      done
    fi
  done
}
entry='extern "C" cudaError_t lab01_naive_scan(const float *d_in, float *d_out, int n)'
same right 1 <<EOF
#include "scanlab/lab.h"
namespace { __device__ int hidden; __global__ void k(float *p) { p[threadIdx.x] += hidden; } }
static __global__ void own(float *p) { p[0] = 1; }
$entry { k<<<1, n>>>(d_out); own<<<1, 1>>>(d_out); return cudaGetLastError(); }
EOF
same headers_of_its_own 0 <<EOF
#include <algorithm>
#include <cstdio>
#include "scanlab/lab.h"
$entry { printf("%d\n", std::max(n, 3)); return cudaSuccess; }
EOF
same so_large_that_memory_grows - <<EOF
#include "scanlab/lab.h"
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
$entry { k<<<1, n>>>(d_out); return cudaGetLastError(); }
EOF
same warnings_on_both_sides 1 <<EOF
#include "scanlab/lab.h"
__global__ void k(int *p) { int unused; p[0] = 0; }
$entry { int unused_too; }
EOF
same syntax 1 <<EOF
#include "scanlab/lab.h"
$entry { return 0 }
EOF
same device_only 1 <<EOF
#include "scanlab/lab.h"
__global__ void k(float *p) { asm("no such instruction;" : : "l"(p), "d"(*p)); }
$entry { k<<<1, 1>>>(d_out); return cudaSuccess; }
EOF
same host_compiler_alone 1 <<EOF
#include "scanlab/lab.h"
$entry { asm("" : : "nosuch"(n)); return cudaSuccess; }
EOF
same missing_entry 1 <<EOF
#include "scanlab/lab.h"
__global__ void k(float *p) { p[0] = 0; }
EOF
same missing_header 1 <<EOF
#include "scanlab/lab.h"
#include "no_such_header.h"
EOF

# Headers of libraries that are read ahead of the source give the same code as where they stand.
checks=$((checks + 1))
cat >"$tmp/ahead.cu" <<EOF
#include "scanlab/lab.h"
#include <cuda/atomic>
#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
__global__ void k(float *p, int *n) {
  cuda::atomic_ref<int, cuda::thread_scope_device> all(*n);
  all.fetch_add(1);
  cg::this_thread_block().sync();
  p[cg::this_grid().thread_rank()] = 1;
}
$entry { k<<<1, n>>>(d_out, NULL); return cudaGetLastError(); }
EOF
fresh "$tmp/ahead.cu"
in_folder "$nvcc" || fail "ahead: $(cat "$tmp/messages")"
rm -rf "$tmp/plain" && cp -R "$tmp/here" "$tmp/plain"
fresh "$tmp/ahead.cu"
ahead="-include cooperative_groups.h -include cuda/atomic -include cuda/barrier"
prepared "$tmp/libraries"
in_folder "$steps" "$tmp/libraries" "$nvcc" && [ ! -s "$tmp/messages" ] && [ -x "$tmp/here/runner" ] || fail "ahead: $(cat "$tmp/messages")"
ahead=
[ -e "$tmp/here/below.cpp" ] && [ -e "$tmp/here/front.resumed" ] && [ -e "$tmp/here/device.resumed" ] || fail "ahead: the headers' text was not spared"
# the name of the source's own functions is in the debugger's texts, too, as bytes
for folder in plain here; do sed '/^[.]b8 /d; s/_[0-9a-f]*_9_kernel_cu_[0-9a-f]*//g' "$tmp/$folder/kernel.ptx" >"$tmp/$folder.ptx"; done
cmp "$tmp/plain.ptx" "$tmp/here.ptx" || fail "ahead: other device code"
[ "$(code_of plain)" = "$(code_of here)" ] || fail "ahead: other code of the host"

# The text of the headers lacks functions that kernels do not name. A kernel that does is compiled with all: here, the library's
# function fits better than the kernel's own.
checks=$((checks + 1))
grep -q hermitef "$tmp/headers/front.text" "$tmp/headers/device.text" && fail "names: nothing is left out"
cat >"$tmp/names.cu" <<EOF
#include <cmath>
#include "scanlab/lab.h"
double hermite(double n, double x) { return n + x; }
using namespace std;
$entry { return hermite(1u, 2.0f) == 4.0f ? cudaSuccess : cudaErrorUnknown; }
EOF
fresh "$tmp/names.cu"
in_folder "$steps" "$tmp/headers" "$nvcc" && [ ! -s "$tmp/messages" ] && [ -x "$tmp/here/runner" ] || fail "names: $(cat "$tmp/messages")"
nm "$tmp/here/kernel.o" | grep -q ' _ZSt7hermite' || fail "names: the library's function is not the one that is called"

# nvcc is asked for its plan when the headers are prepared, and again only for another call.
checks=$((checks + 1))
cat >"$tmp/asked" <<EOF
#!/bin/sh
: >"$tmp/was_asked"
exec "$nvcc" "\$@"
EOF
chmod +x "$tmp/asked"
rm -rf "$tmp/planned" && cp -R "$tmp/headers" "$tmp/planned" && sed -i "1s|.*|$tmp/asked|" "$tmp/planned/plan"
fresh "$tmp/right.cu"
in_folder "$steps" "$tmp/planned" "$tmp/asked" && [ ! -s "$tmp/messages" ] && [ -x "$tmp/here/runner" ] || fail "plan: $(cat "$tmp/messages")"
[ -e "$tmp/was_asked" ] && fail "plan: it was asked for again"
ahead=-DANOTHER
fresh "$tmp/right.cu"
in_folder "$steps" "$tmp/planned" "$tmp/asked" && [ -e "$tmp/was_asked" ] || fail "plan: that of another call was used"
ahead=

# Memory that cannot be taken up: cut off, of another system, none at all. Then the compilers start anew.
cut_off() { truncate -s 100000 "$1"; }
of_another_system() { dd if=/dev/zero of="$1" bs=8 count=3 conv=notrunc status=none; }
none() { truncate -s 0 "$1"; }
for harm in cut_off of_another_system none; do
  checks=$((checks + 1))
  rm -rf "$tmp/damaged" && cp -R "$tmp/headers" "$tmp/damaged"
  for image in "$tmp"/damaged/*.image; do $harm "$image"; done
  fresh "$tmp/right.cu"
  in_folder "$steps" "$tmp/damaged" "$nvcc" && [ ! -s "$tmp/messages" ] && [ -x "$tmp/here/runner" ] || fail "$harm: $(cat "$tmp/messages")"
  [ -e "$tmp/here/front.resumed" ] || [ -e "$tmp/here/device.resumed" ] && fail "$harm: it was taken up"
  [ -e "$tmp/here/stale" ] || fail "$harm: nothing says that it should be made anew"
done

# A process that was taken up and does not end: a device compiler that reaches the seconds it is given with the library in it.
checks=$((checks + 1))
real=$("$nvcc" --dryrun -x cu -c "$tmp/empty.cu" -I "$include" 2>&1 | sed -n 's/^#[$] CICC_PATH=//p')
[ -x "$real/cicc" ] || fail "nvcc does not say where cicc is"
cat >"$tmp/cicc" <<EOF
#!/bin/sh
[ -z "\${SL_RESUME_INPUT:-}" ] || { ulimit -t >"$tmp/looping"; kill -XCPU \$\$; }
exec "$real/cicc" "\$@"
EOF
cat >"$tmp/nvcc" <<EOF
#!/bin/sh
case \$1 in --dryrun) "$nvcc" "\$@" 2>&1 | sed 's|^#[$] CICC_PATH=.*|#$ CICC_PATH=$tmp|'; exit ;; esac
exec "$nvcc" "\$@"
EOF
chmod +x "$tmp/cicc" "$tmp/nvcc"
rm -rf "$tmp/damaged" && cp -R "$tmp/headers" "$tmp/damaged" && truncate -s 0 "$tmp/damaged/device.image"
fresh "$tmp/right.cu"
in_folder "$steps" "$tmp/damaged" "$tmp/nvcc" && [ ! -s "$tmp/messages" ] && [ -x "$tmp/here/runner" ] || fail "endless: $(cat "$tmp/messages")"
[ "$(cat "$tmp/looping")" = 10 ] && [ ! -e "$tmp/here/device.resumed" ] || fail "endless: it was not taken up, or its words stay"

# Commands that it does not know are left to nvcc; what nvcc cannot do it cannot do either.
checks=$((checks + 1))
fresh "$tmp/right.cu"
(cd "$tmp/here" && "$steps" - "$nvcc" -arch=compute_75 -std=c++17 -I "$include" -ptx kernel.cu) >"$tmp/messages" 2>&1 && [ -s "$tmp/here/kernel.ptx" ] ||
  fail "another command of nvcc"
checks=$((checks + 1))
"$steps" - "$tmp/no/nvcc" kernel.cu >"$tmp/messages" 2>&1
[ $? -eq 126 ] || fail "no compiler"
# A step that a signal ends is told as nvcc tells it.
checks=$((checks + 1))
fresh "$tmp/right.cu"
(ulimit -t 1; sed -i 's/^namespace/template <int N> struct t { static const int v = t<N - 1>::v + t<N - 2>::v; }; template <class T, class U> struct w {}; template <int N, class T> struct g { typedef typename g<N - 1, w<T, int> >::type a; typedef typename g<N - 1, w<T, char> >::type type; }; template <class T> struct g<0, T> { typedef T type; }; g<18, int>::type big;\n&/' "$tmp/here/kernel.cu"
  in_folder "$steps" - "$nvcc")
grep -q 'died due to signal 24\|died due to signal 9' "$tmp/messages" || fail "a step that a signal ended: $(tail -n 3 "$tmp/messages")"

# program.sh: into a folder whose name has a blank, with headers prepared there and without.
checks=$((checks + 1))
mkdir "$tmp/my programs"
printf '#include "own.h"\nint main() { return ANSWER; }\n' >"$tmp/program.cu" && echo 'enum { ANSWER = 42 };' >"$tmp/own.h"
for sets in "$tmp/my programs" ''; do
  rm -f "$tmp/my programs/program"
  SL_PREPARE_NOW=1 "$(dirname "$0")/../program.sh" "$steps" "$nvcc" "$sets" "$tmp/program.cu" "$tmp/my programs/program" -arch=compute_75 -cudart shared >"$tmp/messages" 2>&1 ||
    fail "program.sh: $(cat "$tmp/messages")"
  (LD_LIBRARY_PATH=${object%/*} "$tmp/my programs/program")
  [ $? -eq 42 ] || fail "program.sh: another program"
  [ "$(sort "$tmp/my programs/program.d")" = "$(printf '%s\n' "$tmp/own.h" "$tmp/program.cu")" ] || fail "program.sh: made of $(cat "$tmp/my programs/program.d")"
done
ls "$tmp/my programs"/headers-*/plan >/dev/null || fail "program.sh: no headers are prepared"

echo "$checks checks"
exit $failed
