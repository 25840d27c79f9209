#!/bin/sh
# The command lines of sl-run and sl-judge: results, misuse, bad input, interruption. Usage: run_cli.sh BIN HOSTILE.cu SOURCE
set -u
bin=$1 kernel=$2 source=$3
tmp=$(mktemp -d) && mkdir "$tmp/sockets" || exit 1
trap 'rm -rf "$tmp"' EXIT
export TMPDIR="$tmp/sockets"
failed=0 checks=0

# check CODE PHRASE COMMAND..: the exit code, and a phrase somewhere in what is printed.
check() {
  want=$1 phrase=$2
  shift 2
  checks=$((checks + 1))
  "$@" >"$tmp/out" 2>&1
  got=$?
  if [ "$got" != "$want" ] || ! grep -qF -- "$phrase" "$tmp/out"; then
    echo "FAILED: $* : exit code $got, expected $want and \"$phrase\" in:"
    sed 's/^/    /' "$tmp/out"
    failed=1
  fi
}
run() {
  want=$1 phrase=$2
  shift 2
  check "$want" "$phrase" "$bin/sl-run" "$@"
}

: >"$tmp/empty.cu"
printf 'int a;\0int b;\n' >"$tmp/binary.cu"
printf '#include "scanlab/lab.h"\n\nint x = ;\n' >"$tmp/my_kernel.cu"
head -c 1100000 /dev/zero | tr '\0' ' ' >"$tmp/large.cu"
printf 'not an array' >"$tmp/bad.npy"

# Right and wrong results
run 0 "right (exact)" 03 --file "$kernel" --n 1000 --repeats 2
run 0 "right (rounding)" 3 --file "$kernel" --n 2k --dist uniform --repeats 0
run 0 '"status": "pass"' blelloch --file "$kernel" --n 0 --json
run 1 "equals the inclusive result" 03 --file "$kernel" --n 1018
run 1 '"status": "fail"' 03 --file "$kernel" --n 1018 --json
run 1 "memory.bounds" 03 --file "$kernel" --n 1004

# Misuse
run 2 "there is no lab" 09
run 2 "did you mean 03_blelloch" 03_bleloch
run 2 'found "-5"' 03 --n -5
run 2 'found "many"' 03 --n many
run 2 "0 to 2048" 03 --n 3000
run 2 "0 to 2048" 03 --n 99999999999999999999
run 2 "did you mean uniform?" 03 --dist unifrom
run 2 "did you mean compose?" 05 --op compsoe
run 2 "unknown type" 05 --type f64
run 2 "not what lab 03_blelloch computes" 03 --type i32
run 2 "exclude each other" 03 --dist ones --data pm1
run 2 "unknown backend" 03 --backend cpu
run 2 "--sede" 03 --sede 3
run 2 "" 03 04
run 2 ""

# Bad input
run 3 "cannot open" 03 --file "$tmp/none.cu"
run 3 "found a directory" 03 --file "$tmp"
run 3 "the file is empty" 03 --file "$tmp/empty.cu"
run 3 "zero byte at offset 6" 03 --file "$tmp/binary.cu"
run 3 "at most 1048576 bytes" 03 --file "$tmp/large.cu"
run 3 "my_kernel.cu(3): error: expected an expression" 03 --file "$tmp/my_kernel.cu"
run 3 "no definition of lab05_scan" 05 --file "$kernel"
run 3 "ask for type i32" 05 --file "$source/labs/05_arbitrary_size/kernel.cu" --data walk_i32
run 3 "no_such_set" 03 --file "$kernel" --data no_such_set
run 3 "bad.npy" 03 --file "$kernel" --data "$tmp/bad.npy"
run 3 "none.npy" 03 --file "$kernel" --data "$tmp/none.npy"
check 2 "SCANLAB_SANDBOX: expected landlock, bubblewrap or off, found 'of'" env SCANLAB_SANDBOX=of "$bin/sl-run" 03 --file "$kernel" --n 5
check 2 "SCANLAB_GPU_NEEDS: expected words of processes, sockets, shared, found 'socket'" env SCANLAB_GPU_NEEDS=shared,socket "$bin/sl-run" 03 --file "$kernel" --n 5
check 4 "no compiler" env SCANLAB_NVCC=/no/such/nvcc "$bin/sl-run" 03 --file "$kernel"

# A record has the result or the error in fields; then neither is printed
record() {
  want=$1 phrase=$2
  shift 2
  "$bin/sl-run" 03 --record "$tmp/record" "$@" >"$tmp/out" 2>&1
  [ $? = "$want" ] && grep -q "$phrase" "$tmp/record" && [ ! -s "$tmp/out" ] && return
  echo "FAILED: --record $*: expected exit code $want, $phrase in the record, nothing printed"
  failed=1
}
record 0 '"status":"pass"' --file "$kernel" --n 5 --repeats 0
record 3 '"status":"error".*"message":"[^"]*cannot open' --file "$tmp/none.cu"
record 2 '"hint":"2^10' --n x
check 2 "none/record: cannot create" "$bin/sl-run" 03 --record "$tmp/none/record" --n x

# What the compiler's environment says must not matter
check 0 "right" env NVCC_PREPEND_FLAGS=--no-such-flag CPATH=/no/such "$bin/sl-run" 03 --file "$kernel" --n 5 --repeats 0

# sl-judge
lab=$source/labs/03_blelloch/lab.json
check 2 "are needed" "$bin/sl-judge" --lab "$lab"
check 3 "cannot open" "$bin/sl-judge" --lab "$tmp/none.json" --case a.b --runner x --record "$tmp/r"
check 2 "has no case" "$bin/sl-judge" --lab "$lab" --case scan.n99999 --runner x --record "$tmp/r"
check 4 "cannot run" "$bin/sl-judge" --lab "$lab" --case scan.n1000 --runner "$tmp/none" --record "$tmp/record"
grep -q '"status":"error"' "$tmp/record" || { echo "FAILED: no record of an error"; failed=1; }

# Ctrl-C: exit code 130, and neither a process nor a folder stays behind
"$bin/sl-run" 03 --file "$kernel" --n 1007 >"$tmp/out" 2>&1 &
pid=$!
tries=0
until ls "$TMPDIR"/scanlab-*/gpu >/dev/null 2>&1 || [ $tries -ge 100 ]; do
  tries=$((tries + 1))
  sleep 0.1
done
sleep 0.5
# Its children: the simulated GPU and the student's program. cat goes on where a process has ended meanwhile; awk would not.
children=$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent=$pid '$4 == parent { print $1 }')
[ "$(echo "$children" | wc -w)" = 2 ] || { echo "FAILED: expected two children of sl-run, found: $children"; failed=1; }
kill -TERM $pid
wait $pid
got=$?
[ $got = 130 ] || { echo "FAILED: interrupted sl-run ended with $got, expected 130"; failed=1; }
sleep 0.3
for child in $children; do # a dead process may wait for init to take note
  case $(awk '{ print $3 }' "/proc/$child/stat" 2>/dev/null) in '' | Z | X) continue ;; esac
  echo "FAILED: stays behind: $child $(cat "/proc/$child/comm")"
  failed=1
done
[ -z "$(ls -A "$TMPDIR")" ] || { echo "FAILED: left in the temporary folder:"; ls "$TMPDIR"; failed=1; }

echo "$checks command lines checked"
[ $checks -ge 30 ] || failed=1
exit $failed
