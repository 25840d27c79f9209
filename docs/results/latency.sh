#!/bin/sh
# docs/results/latency.sh [NVCC]: measures what single things cost on this machine's GPU, and prints CSV: the constants of
# the model of speed. On an H200 its output is docs/results/h200-bench/latency.csv.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
"${1:-nvcc}" -arch=native -O3 -std=c++17 -I "$root/harness/include" "$root/harness/tools/bench/device/latency.cu" -o "$tmp/latency"
"$tmp/latency"
