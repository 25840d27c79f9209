#!/bin/sh
# search.sh SECONDS [TARGET...]: searches for inputs that fail, with libFuzzer and the sanitizers, and prints for each
# target the executions, the corpus reached and what was found. Exit 1 when something was.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
root=$here/../..
build=$root/build/fuzz
seconds=${1:-}
case $seconds in '' | *[!0-9]*) echo "usage: search.sh SECONDS [parse] [fatbin] [server] [npy]" >&2; exit 2 ;; esac
shift
[ $# -gt 0 ] || set -- parse fatbin server npy
for t in "$@"; do
  [ -f "$here/$t.c" ] && [ -d "$here/corpus_$t" ] || { echo "search.sh: no target $t in $here" >&2; exit 2; }
done
cmake -S "$root" --preset fuzz ${SCANLAB_NVCC:+-DSL_NVCC="$SCANLAB_NVCC"} >/dev/null && ninja -C "$build" fuzz_targets >/dev/null || {
  echo "search.sh: the fuzz targets do not build: cmake --preset fuzz && ninja -C build/fuzz fuzz_targets" >&2
  exit 4
}
status=0
for t in "$@"; do
  mkdir -p "$build/found_$t"
  log=$build/found_$t.log
  "$build/bin/fuzz_$t" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2000 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$build/found_$t/" "$build/found_$t" "$here/corpus_$t" >"$log" 2>&1 || status=1
  runs=$(sed -n 's/^stat::number_of_executed_units: //p' "$log")
  cover=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
  echo "$t: ${runs:-0} executions, $cover edges, $(ls "$build/found_$t" | grep -cE '^(crash|timeout|leak|oom)-') failing inputs"
  grep -E '^(SUMMARY|==[0-9]+==ERROR)' "$log"
done
exit $status
