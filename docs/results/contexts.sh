#!/bin/bash
# docs/results/contexts.sh [NVCC]: how many processes a second get a context on this machine's GPUs: on 1, 2, 4 .. of them, with one and
# with four processes at a time on each. What it says of four H200s stands in docs/results/h200.md.
set -eu
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
printf '#include <cuda_runtime.h>\nint main() { cudaStream_t s; return cudaFree(0) || cudaStreamCreate(&s); }\n' >"$tmp/context.cu"
"${1:-nvcc}" -cudart static -o "$tmp/context" "$tmp/context.cu"
gpus=$(nvidia-smi -L | wc -l)
"$tmp/context" # the first one loads what the others find

turns() { # GPU N: N processes, one after the other
  for ((k = 0; k < $2; k++)); do CUDA_VISIBLE_DEVICES=$1 "$tmp/context"; done
}
for ((n = 1; n <= gpus; n *= 2)); do
  for workers in 1 4; do
    begun=$(date +%s%N)
    for ((gpu = 0; gpu < n; gpu++)); do
      for ((w = 0; w < workers; w++)); do turns $gpu $((16 / workers)) & done
    done
    wait
    echo "$begun $(date +%s%N)" | awk -v n=$n -v w=$workers '{ printf "%d GPUs, %d at a time on each: %.1f contexts a second\n", n, w, n * 16e9 / ($2 - $1) }'
  done
done
