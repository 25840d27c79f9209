#!/bin/sh
# compare.sh SL-SELFTEST: results that were saved are compared again; changed, cut short or foreign ones are noticed.
set -u
selftest=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# expect CODE TEXT ARGS: sl-selftest exits with CODE and says TEXT.
expect() {
  code=$1 text=$2
  shift 2
  "$selftest" "$@" >"$dir/out" 2>&1
  got=$?
  if [ $got != "$code" ] || ! grep -q -- "$text" "$dir/out"; then
    echo "sl-selftest $*: exit $got, expected $code and '$text':"
    tail -n 5 "$dir/out"
    exit 1
  fi
}

expect 0 ', 0 mismatches' --form add.f32 --save "$dir/saved"
expect 0 'simulated GPU against real GPU.* 0 mismatches' --form add.f32 --compare "$dir/saved" --report "$dir/report"
grep -q remarks "$dir/report" || { echo "the report lacks the remarks"; exit 1; }
cp "$dir/saved" "$dir/changed"
printf '\252' | dd of="$dir/changed" bs=1 seek=5001 conv=notrunc 2>/dev/null
expect 1 'simulated and real GPU: 1 of' --form add.f32 --compare "$dir/changed"
head -c 3000 "$dir/saved" >"$dir/cut"
expect 3 'cut short' --form add.f32 --compare "$dir/cut"
expect 3 'holds no results' --form add.f32 --compare "$0"
expect 2 'no form matches' --form 'nonsense'
expect 2 'exclude each other' --gpu --compare "$dir/saved"
