#!/bin/sh
# missed_test.sh SL-MUTANTS COURSE FOLDER: with a lab that tests n = 1 only, mutants are missed, and the exit status says so; a
# review of a mutant that changes something else, or that is not there, is told; a mutant that computes without end is stopped;
# what has ended is not judged again. FOLDER is made anew.
set -eu
mutants=$1 course=$2 folder=$3
failed=0
fail() { echo "FAILED: $*: $(cat "$folder/said")"; failed=1; }
rm -rf "$folder"
mkdir -p "$folder/harness/corpus/mutants" "$folder/labs/01_naive_scan"
for part in harness/include solutions datasets grader docs; do ln -s "$course/$part" "$folder/$part"; done
one_case() { # N SECONDS: the lab's only test
  cat >"$folder/labs/01_naive_scan/lab.json" <<J
{ "lab": "01_naive_scan", "title": "One test", "file": "kernel.cu", "points": 1, "hints": {}, "parts": [
  { "id": "scan", "title": "One size", "points": 1, "kind": "correct",
    "defaults": { "type": "f32", "op": "add", "scan": "inclusive", "dist": "uniform_int", "seed": 1, "check": "exact" },
    "cases": [ { "id": "only", "n": $1, "timeout": $2 } ] } ] }
J
}
SCANLAB_ROOT=$folder
export SCANLAB_ROOT
reviews=$folder/harness/corpus/mutants/equivalent.txt

run() { # OPTION..: sl-mutants with these options
  status=0
  timeout 200 "$mutants" --lab 01 "$@" --out "$folder/out" >"$folder/said" 2>&1 || status=$?
}
says() { grep -q "$1" "$folder/said"; }

one_case 1 60
: >"$reviews"
run --operator barrier-gone
[ "$status" = 1 ] || fail "missed mutants end with $status"
says '^01.2-barrier-gone-1.missed' || fail "a deleted barrier is not missed"

run --operator bound-turned
says '^01.1-bound-turned-1.killed, scan.only: cuda.finding' || fail "a guard the other way round is not killed"
run --operator bound-turned --whole
says '^01.1-bound-turned-1.killed, loses 1' || fail "a guard the other way round loses nothing"

printf '01.2-barrier-gone-1\tx -> y\tno reason\n' >"$reviews"
run --operator barrier-gone
says 'reviewed as "x -> y", but it is "__syncthreads() -> nothing"' || fail "a wrong review is not told"
[ "$status" = 1 ] || fail "a wrong review ends with $status"

printf '01.9-gone-1\tx -> y\tno reason\n' >"$reviews"
run --operator bound-turned
says '01.9-gone-1: reviewed as "x -> y", but there is no such mutant' || fail "a review of nothing is not told"
: >"$reviews"

# The loop `for (int offset = 1; offset < n; offset *= 2)` stands in the region, and the case allows an hour.
rm "$folder/solutions"
mkdir -p "$folder/solutions/01_naive_scan"
awk '/TODO\(lab01.2/ && !/END/ {next} / for \(/ {print "  // TODO(lab01.2, 6 lines): the steps"} {print}' \
  "$course/solutions/01_naive_scan/kernel.cu" >"$folder/solutions/01_naive_scan/kernel.cu"
one_case 1024 3600
run --operator number-less
says '^01.2-number-less-1.killed, scan.only: [0-9]* s of processor time, where the solution takes 0' || fail "an endless loop is not stopped"
sed -i 's/scan.only: [0-9]* s/what was kept: 9 s/' "$folder/out/01/ended"
run --operator number-less
says '^01.2-number-less-1.killed, what was kept' || fail "what has ended is judged again"
run --operator later
cp "$folder/said" "$folder/first"
run --operator later
sort "$folder/said" >"$folder/again"
grep -q unbuilt "$folder/first" && sort "$folder/first" | diff - "$folder/again" || fail "what is kept is told in other words"
exit $failed
