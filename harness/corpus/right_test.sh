#!/bin/sh
# right_test.sh SL-SIM PROGRAM SCHEDULE [N]: all right kernels of a folder (gather.sh), at least N, under a schedule, all observers: each
# must give the right result and none an alarm.
set -u
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
ulimit -t 120 # processor time: a busy machine ends nothing early
timeout 960 "$1" --schedule "$3" -- "$2" twin all >"$dir/out" 2>"$dir/err"
rc=$?
grep -v ': right$' "$dir/out"
grep -E -A 9 '(error|warning)\[' "$dir/err" | head -40
n=$(grep -c ': right$' "$dir/out")
echo "$n kernels are right"
[ "$rc" = 0 ] && [ "$n" -ge "${4-41}" ] && ! grep -qE '(error|warning)\[' "$dir/err"
