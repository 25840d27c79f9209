#!/bin/sh
# docs/results/harris.sh OUT: measures our columns of the table "Times then and now" (docs/theory/README.md) on a real GPU, at all
# eleven sizes of Harris (2007, Table 2): one core of the CPU, labs 01 to 05, the tuned scans and a copy, from 2^10 to 2^24.
# OUT/bench.csv gets the times, OUT/said.txt the names of GPU and CPU, and the tables.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
out=${1:?"usage: docs/results/harris.sh OUT"}
mkdir -p "$out"
sed -n '/^model name/{s/^[^:]*: /CPU: /p;q}' /proc/cpuinfo >"$out/said.txt"
rc=0
"$root/scanlab" bench 05 --backend gpu --from 10 --to 24 --step 1 --out "$out" >>"$out/said.txt" || rc=$?
cat "$out/said.txt"
exit "$rc"
