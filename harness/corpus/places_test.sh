#!/bin/sh
# places_test.sh CORPUS_CHECK SL-SIM NVCC FOLDER: programs compiled by a copy of NVCC's toolkit at an odd place: findings at an
# atomic, a shuffle and cudaMalloc, whose code nvcc takes from its headers, name the student's own lines. The sources lie in
# folders whose names are those of a toolkit's folders.
set -eu
check=$1 sim=$2 nvcc=$3 here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd -P)
mkdir -p "$4" && work=$(CDPATH='' cd -- "$4" && pwd -P)
toolkit=$work/odd+place/v1.2
own=$work/cub/include/cuda
rm -rf "$toolkit" "$work/cub"
mkdir -p "$toolkit" "$own/programs" "$work/cub/include/include/scanlab"
cp -rs "$(dirname "$(dirname "$(readlink -f "$nvcc")")")"/* "$toolkit"
cp "$here/corpus.h" "$own"
cp "$here/../include/scanlab/must.h" "$work/cub/include/include/scanlab"
for name in shared_atomic lane_not_in_mask leak; do cp "$here/programs/$name.cu" "$own/programs"; done
cp "$here"/programs/*.cuh "$own/programs"

"$here/gather.sh" "$own/programs" >"$work/all.cu"
compile() { "$toolkit/bin/nvcc" -arch=compute_75 -lineinfo -g -Xcompiler -fno-inline -std=c++17 -cudart shared "$work/all.cu" "$@"; }
compile -o "$work/all"
cd "$own" # findings name files from here on
"$check" "$sim" "$work/all" wrong programs/*.cu

# The compiler took its headers from the copy, unless they lie with the system's.
[ -e "$toolkit/include/cuda_runtime.h" ] || exit 0
compile -ptx -o "$work/all.ptx"
grep -q "odd+place.*device_atomic_functions" "$work/all.ptx" || { echo "no header of the copy is in the PTX"; exit 1; }
