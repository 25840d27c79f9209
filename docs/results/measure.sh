#!/bin/sh
# docs/results/measure.sh [sim|gpu]: the table of times of the six solutions, as Markdown. Each cell is the median of five calls
# in milliseconds, as device events around the call give it; the last column is the sequential CPU reference of the exclusive sum.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
backend=${1:-gpu}

# cell KEY NN N OPTIONS..: the number that a run's record has under KEY, or "failed".
cell() {
  key=$1 lab=$2 n=$3
  shift 3
  "$root/scanlab" run "$lab" --n "$n" --file "$root"/solutions/"$lab"_*/kernel.cu --backend "$backend" --json "$@" 2>/dev/null |
    awk -F'[:,]' -v key="\"$key\"" '
      /"status": "pass"/ { pass = 1 }
      index($1, key) { ms = $2 }
      END { if (pass) printf "%.4f", ms; else printf "failed" }'
}

echo '| n | 01 naive | 02 double buffer | 03 Blelloch | 04 padded | 05 any size | 06 single-pass scan | 06 sort, 1 bit | 06 sort, 8 bits | CPU scan |'
echo '|---|---|---|---|---|---|---|---|---|---|'
for log in 5 8 10 11 14 17 20 22 24; do
  n=$((1 << log))
  row="| 2^$log"
  for lab in 01 02 03 04; do
    limit=1024
    case $lab in 03|04) limit=2048 ;; esac
    if [ "$n" -le "$limit" ]; then row="$row | $(cell device_median "$lab" "$n")"; else row="$row | -"; fi
  done
  row="$row | $(cell device_median 05 "$n") | $(cell device_median 06 "$n" --entry scan --type u32) | $(cell device_median 06 "$n" --entry sort --bits 1 --dist bits --type u32)"
  row="$row | $(cell device_median 06 "$n" --entry sort --bits 8 --dist bits --type u32) | $(cell reference_ms 05 "$n") |"
  echo "$row"
done
