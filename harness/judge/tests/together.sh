#!/bin/sh
# Several cases in one process of a student (sl-judge --many): programs that are right, wrong only at their first call, wrong only
# at later ones, that print or end badly are graded as if each case had a process of its own.
# On the simulated GPU, and on a real one where there is one. Usage: together.sh BIN FOLDER WORK
set -u
[ "${SCANLAB_SANDBOX:-}" != off ] || { echo "skipped: it grades, which needs a sandbox, and SCANLAB_SANDBOX turns it off"; exit 77; }
bin=$1 here=$2 work=$3
lab=$SCANLAB_ROOT/labs/01_naive_scan/lab.json
rm -rf "$work"
mkdir -p "$work/records" || exit 4
cd "$work" || exit 4
failed=0
problem() {
  echo "FAILED: $*"
  failed=1
}

for kind in FIRST_WRONG LATER_WRONG PRINTS ENDS_BADLY RIGHT; do
  mkdir -p "class/$kind/01_naive_scan"
  { echo "#define $kind"; cat "$here/together.cu"; } > "class/$kind/01_naive_scan/kernel.cu"
done
"$bin/sl-grade" class --lab 01 --no-plots --out out > said 2>&1 || [ $? -eq 1 ] || { cat said; exit 1; }
passed() { # KIND: how many tests of part scan passed
  grep -l '"status":"pass"' "out/students/$1/records"/01.scan.*.sim.json 2> /dev/null | wc -l
}
all=$(passed RIGHT)
# KIND, how many pass: alone, the first call of a process is its only one, but for cases of several calls
calls=$(grep -l '"call":' out/students/LATER_WRONG/records/01.scan.*.sim.json | wc -l)
[ "$calls" -gt 0 ] || problem "no case has several calls"
while read -r kind want; do
  got=$(passed "$kind")
  [ "$got" -eq "$want" ] || problem "$kind: $got of $all cases pass, expected $want"
done << EOF
LATER_WRONG $((all - calls))
PRINTS $all
ENDS_BADLY 0
EOF
[ "$(passed FIRST_WRONG)" -le 1 ] || problem "FIRST_WRONG: $(passed FIRST_WRONG) cases pass" # n = 0 has no result

# The same cases in one process, in this order.
cases='n1024 n33 n64 n1000'
{
  printf '['
  for c in $cases; do
    [ "$c" = n1024 ] || printf ','
    printf '{"case": "scan.%s", "record": "records/%s", "nonce": "00", "salt": "0123456789abcdef"}' "$c" "$c"
  done
  printf ']'
} > list
together() { # BACKEND KIND PASS FAIL: how many records of either kind that leaves
  backend=$1
  shift
  rm -f records/*
  runner=$(sed -n 's/.*"runner": "\(.*\)",/\1/p' "out/ctest/$1/jobs.01.json" | head -n 1)
  "$bin/sl-judge" --many --lab "$lab" --runner "$runner" --backend "$backend" < list > said 2>&1 ||
    { problem "$backend $1: exit $?"; cat said; }
  set -- "$@" "$(grep -l '"status":"pass"' records/* | wc -l)" "$(grep -l '"status":"fail"' records/* | wc -l)"
  [ "$4 $5" = "$2 $3" ] || problem "$backend $1: $4 passed, $5 failed, expected $2 and $3"
}
for backend in sim $([ ! -e /dev/nvidia0 ] || echo gpu); do
  together "$backend" RIGHT 4 0
  together "$backend" LATER_WRONG 4 0
  together "$backend" FIRST_WRONG 0 4
  together "$backend" PRINTS 4 0
  together "$backend" ENDS_BADLY 0 4
done

# What is no list, or names no case, is an error.
runner=$(sed -n 's/.*"runner": "\(.*\)",/\1/p' out/ctest/RIGHT/jobs.01.json | head -n 1)
refused() { # CODE LIST
  echo "$2" | "$bin/sl-judge" --many --lab "$lab" --runner "$runner" > said 2>&1
  code=$?
  [ $code -eq "$1" ] || { problem "the list $2: exit $code"; cat said; }
}
refused 3 '{'
refused 3 '{}'
refused 2 '[{"case": "scan.none", "record": "records/x", "nonce": "00", "salt": "0123456789abcdef"}]'
[ $failed -eq 0 ] && echo "5 programs: the same verdicts together and alone"
exit $failed
