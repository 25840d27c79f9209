#!/bin/sh
# gpu_attacks.sh BIN ROOT WORK: on a machine with a GPU, every way of gpu_attacks.cu round the timing must fail for its reason.
# Exits 77 (skipped) without a GPU.
set -u
bin=$1 root=$2 work=$3 bad=0
[ -e /dev/nvidia0 ] || exit 77
mkdir -p "$work"

expect() { # number of the attack, name, exit code, phrase
  { echo "#define ATTACK $1"; echo '#define lab05_scan honest_scan'; cat "$root/solutions/05_arbitrary_size/kernel.cu" \
    "$root/harness/judge/tests/gpu_attacks.cu"; } >"$work/$2.cu"
  said=$("$bin/sl-run" 05 --case speed.scan_n1000003 --file "$work/$2.cu" --backend gpu --repeats 0 2>&1)
  code=$?
  if [ $code -eq "$3" ] && echo "$said" | grep -q "$4"; then
    echo "$2: $(echo "$said" | grep -m1 "$4")"
  else
    echo "$2: exit $code, expected $3 and \"$4\":" "$said"
    bad=1
  fi
}

expect 0 repeats 1 'timed calls of one batch'
expect 1 answers_early 1 'timed calls of one batch'
expect 2 slows_others 4 'no verdict'
expect 3 on_host 1 'right, but slow: 0.0'
expect 4 now_and_then 1 'timed calls of one batch'
expect 5 twice 1 'right, but slow: 0.[45]'
expect 6 greedy 1 "MiB of the machine's memory" # SL_REASON_PROGRAM_GREEDY
exit $bad
