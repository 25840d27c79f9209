#!/bin/sh
# solutions.sh SL-RUN SOURCE-DIR: no finding in the six solutions; without either of its two fences that of lab 06 has one.
run=$1
cd "$2" || exit 2
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0

findings() { # LAB KERNEL OPTIONS..: prints the ids that were found
  lab=$1 kernel=$2
  shift 2
  "$run" "$lab" --file "$kernel" --check --json --repeats 1 "$@" >"$tmp/out" 2>"$tmp/err"
  grep -q '"findings": \[' "$tmp/out" || { echo no-record; cat "$tmp/err" >&2; return; }
  grep -o '"id": "[a-z.]*"' "$tmp/out"
}

clean() {
  got=$(findings "$1" "$(echo solutions/"$1"_*/kernel.cu)" $2)
  [ -z "$got" ] && echo "lab $1 $2: clean" && return
  echo "lab $1 $2: $got"
  failed=1
}

without() { # removes the line of a fence that matches
  sed "s|__threadfence(); *// $1.*||" solutions/06_radix_sort/kernel.cu >"$tmp/kernel.cu"
  cmp -s "$tmp/kernel.cu" solutions/06_radix_sort/kernel.cu && { echo "no fence '$1' in the solution"; failed=1; }
  findings 06 "$tmp/kernel.cu" --n 9000 --entry scan | grep -q order.fence && echo "fence '$1': its absence is found" && return
  echo "fence '$1': its absence is not found"
  failed=1
}

clean 01 "--n 1024"
clean 02 "--n 1024"
clean 03 "--n 2048"
clean 04 "--n 2048"
clean 05 "--n 40000"
clean 05 "--n 5000 --type affine --op compose --scan inclusive"
clean 06 "--n 40000 --entry scan"
clean 06 "--n 9000 --entry sort --bits 8 --values"
clean 06 "--n 3000 --entry sort --bits 1 --type f32"
without "the prefix is visible"
without "nothing below"
exit $failed
