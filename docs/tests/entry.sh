#!/bin/sh
# entry.sh ROOT: the entry script's help and misuse: texts, streams, exit codes.
set -u
root=$1
failed=0
out=$(mktemp) err=$(mktemp)
trap 'rm -f "$out" "$err"' EXIT

# expect CODE STREAM PATTERN ARGS..: runs ./scanlab ARGS.
expect() {
  code=$1 stream=$2 pattern=$3
  shift 3
  "$root/scanlab" "$@" >"$out" 2>"$err" </dev/null
  got=$?
  file=$out
  [ "$stream" = err ] && file=$err
  if [ "$got" -ne "$code" ] || ! grep -q -- "$pattern" "$file"; then
    echo "scanlab $*: exit $got (want $code), no '$pattern' on std$stream"
    cat "$out" "$err"
    failed=1
  fi
}

expect 0 out 'usage: ./scanlab' help
expect 0 out 'usage: ./scanlab' --help
expect 2 err 'usage: ./scanlab'
expect 2 err "did you mean 'grade'" grdae
expect 2 err 'unknown command' xyzzy
expect 0 out 'example' grade --help
expect 0 out 'example' check --help
expect 0 out 'example' doctor --help
expect 0 out '03  Work-efficient scan' list
expect 0 out '03_blelloch' status
expect 2 err "did you mean 'status'" statsu
expect 2 err 'did you mean 03_blelloch' hint 03_bleloch
expect 0 out 'example' run --help
expect 0 out 'example' sim --help
expect 0 out 'example' datasets --help
expect 2 err 'did you mean' run 03 --sede 4
expect 2 err 'error' run 99
expect 2 err 'error' run 03 --n -5
expect 2 err 'error' run 03 --n many
expect 2 err 'error' run 03 --n 99999999999999999999
expect 2 err 'error' run 03 --dist no_such_distribution
expect 2 err 'error' run 03 --type f99
expect 3 err 'error' run 03 --file no/such/file.cu
expect 3 err 'error' run 03 --file "$root/labs"
expect 3 err 'error' run 03 --file /dev/null
expect 3 err 'error' run 03 --data no_such_dataset
expect 2 err 'error' grade
expect 3 err 'error' grade /no/such/folder
expect 2 err 'error' grade solutions --lab 17
expect 2 err 'error' datasets frobnicate
expect 2 err 'error' sim
expect 125 err 'error' sim -- /no/such/program
expect 0 out 'Usage' sim -- ls --help
[ "$failed" -eq 0 ] && echo "entry script: all as documented"
exit "$failed"
