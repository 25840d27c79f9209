#!/bin/sh
# After the first build `check` of each solution takes less than ten seconds. Usage: check_time.sh BIN SOURCE
set -u
bin=$1 source=$2 most=10 failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
SCANLAB_ROOT=$source
export SCANLAB_ROOT
for dir in "$source"/solutions/0*; do
  lab=${dir##*/}
  # builds it
  "$bin/sl-run" "${lab%%_*}" --n 1 --file "$dir/kernel.cu" --repeats 0 >"$tmp/out" 2>&1 || { cat "$tmp/out"; failed=1; }
  start=$(date +%s%N)
  "$bin/sl-student" check "${lab%%_*}" --file "$dir/kernel.cu" >"$tmp/out" 2>&1 || { cat "$tmp/out"; failed=1; }
  ms=$((($(date +%s%N) - start) / 1000000))
  grep -q '^score so far' "$tmp/out" || { echo "$lab: no score"; failed=1; }
  echo "$lab: $ms ms"
  [ "$ms" -lt $((most * 1000)) ] || { echo "FAILED: $lab takes more than $most s"; failed=1; }
done
exit $failed
