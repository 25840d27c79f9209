#!/bin/sh
# missed_test.sh SL-MUTANTS COURSE FOLDER: with a lab that tests n = 1 only, mutants are missed, and the exit status says so; a
# review of a mutant that changes something else is told. FOLDER is made anew.
set -eu
mutants=$1 course=$2 folder=$3
failed=0
fail() { echo "FAILED: $*"; failed=1; }
rm -rf "$folder"
mkdir -p "$folder/harness/corpus/mutants" "$folder/labs/01_naive_scan"
for part in harness/include solutions datasets grader docs; do ln -s "$course/$part" "$folder/$part"; done
cat >"$folder/labs/01_naive_scan/lab.json" <<'J'
{ "lab": "01_naive_scan", "title": "One test", "file": "kernel.cu", "points": 1, "hints": {}, "parts": [
  { "id": "scan", "title": "One element", "points": 1, "kind": "correct",
    "defaults": { "type": "f32", "op": "add", "scan": "inclusive", "dist": "uniform_int", "seed": 1, "check": "exact" },
    "cases": [ { "id": "n1", "n": 1 } ] } ] }
J
SCANLAB_ROOT=$folder
export SCANLAB_ROOT
reviews=$folder/harness/corpus/mutants/equivalent.txt

run() { status=0; "$mutants" --lab 01 --operator "$1" --out "$folder/out" >"$folder/said" 2>&1 || status=$?; }
: >"$reviews"
run barrier-gone
[ "$status" = 1 ] || fail "missed mutants end with $status: $(cat "$folder/said")"
grep -q '^01.2-barrier-gone-1.missed' "$folder/said" || fail "a deleted barrier is not missed: $(cat "$folder/said")"

run bound-turned
grep -q '^01.1-bound-turned-1.killed, loses 1' "$folder/said" || fail "a guard the other way round is not killed: $(cat "$folder/said")"

printf '01.2-barrier-gone-1\tx -> y\tno reason\n' >"$reviews"
run barrier-gone
grep -q 'reviewed as "x -> y", but it is "__syncthreads() -> nothing"' "$folder/said" || fail "a wrong review is not told"
[ "$status" = 1 ] || fail "a wrong review ends with $status"
exit $failed
