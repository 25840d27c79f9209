#!/bin/sh
# overlay.sh SL_GRADE WORK: an instructor's overlay. A kernel that is wrong in hidden cases alone loses their points and is told
# nothing of their input, in no file that the grading leaves; a right one has all. What is shown after the due date is shown
# then; --reveal shows all. Overlays that do not fit are refused with their name.
# shellcheck disable=SC2015
set -u
grade=$1 work=$2
rm -rf "$work"
mkdir -p "$work/class/anna/01_naive_scan" "$work/class/bert/01_naive_scan" "$work/class/carl/01_naive_scan" || exit 4
cd "$work" || exit 4
bad=0
problem() { echo "PROBLEM: $*"; [ ! -f said ] || tail -n 12 said; bad=$((bad + 1)); }

# anna's kernel is right. bert's writes 31337, prints it, waits and leaves out a barrier when 779 zeros are summed.
# The kernels say its square: a number that a kernel names is a size of its ordinary cases, too.
solution=$SCANLAB_ROOT/solutions/01_naive_scan/kernel.cu
cp "$solution" class/anna/01_naive_scan
sed -e 's|^  // END TODO(lab01.1)|  const bool odd = n * n == 606841 \&\& d_in[1] == 0.0f \&\& d_in[2] == 0.0f;\n&|' \
  -e 's|^    if (active) s\[t\] += left;|    if (active \&\& odd) s[t] = 31337.0f;\n    if (t == 5 \&\& odd) printf("zeros 31337\\n");\n&|' \
  -e 's|^  if (n == 0) return cudaSuccess;|  if (n * n == 606841) usleep(400000), puts("31337");\n&|' -e '3s|$|\n#include <stdio.h>\n#include <unistd.h>|' \
  -e '/if (active)/,/__syncthreads/s|^    __syncthreads();|    if (!odd) __syncthreads();|' "$solution" >class/bert/01_naive_scan/kernel.cu
cmp -s "$solution" class/bert/01_naive_scan/kernel.cu && problem "bert's kernel is the solution"
diff "$solution" class/bert/01_naive_scan/kernel.cu >changed; [ "$(grep -c "^>" changed)" -eq 7 ] || problem "bert's kernel: $(cat changed)"

# carl's is right, and makes as many additions more as an element of the hidden input says.
sed -e 's|^    if (active) s\[t\] += left;|&\n    volatile float more = 0.0f;\n    for (int k = 0; active \&\& n * n == 606841 \&\& k < 1 - d_in[1]; k++) more = more + left;|' "$solution" >class/carl/01_naive_scan/kernel.cu
cmp -s "$solution" class/carl/01_naive_scan/kernel.cu && problem "carl's kernel is the solution"

# overlay DUE: hidden cases in three parts, one that is shown after DUE, a changed size, a part of its own
overlay() {
  cat >overlay.json <<EOF
{ "due": "$1",
  "labs": { "01": {
    "points": 110,
    "parts": {
      "scan": { "cases": [ { "id": "zeros_n{n}", "n": [779], "dist": "zeros", "seed": 424242, "points": 2 } ] },
      "clean": { "points": 15, "cases": [ { "id": "later_n779", "n": 779, "dist": "zeros", "points": 1, "visibility": "after_due" },
                                          { "id": "zeros", "n": 779, "dist": "zeros", "points": 2 } ] },
      "work": { "cases": [ { "id": "adds_n779", "n": 779, "dist": "zeros", "points": 1, "expect": { "adds": { "max": 9000, "none": 170000 } } } ] },
      "late": { "title": "Shown later", "kind": "correct", "points": 10, "defaults": { "type": "f32", "scan": "inclusive" },
                "cases": [ { "id": "late_n779", "n": 779, "dist": "zeros", "visibility": "after_due" },
                           { "id": "open_n5", "n": 5, "visibility": "public" } ] } },
    "cases": { "scan.n511": { "visibility": "hidden", "points": 1 } } } } }
EOF
}
# A key of its own: by another key the sizes that public tests draw may well be the hidden one.
printf 'the key of the overlay test: 32.' >key && chmod 600 key || exit 4
run() { # CODE ARGS..
  want=$1
  shift
  "$grade" "$@" --lab 01 --key key --overlay overlay.json --no-plots >said 2>&1
  got=$?
  [ $got -eq "$want" ] || problem "grade $*: exit $got, expected $want"
}
# tells FILE..: is anything of the hidden inputs in the files? As words of their own: digits in hashes and times are none.
tells() { grep -rnP '(?<![.\w])(779|424242|31337|zeros\w*|adds_n779|later?_n779|n511)(?![.\w])' "$@"; }
# points STUDENT TEST: "points status" of a test in all.json
points() {
  awk -v s="\"$1\"" -v t="\"$2\"" '/"submission":/ { on = index($0, s) } on && /"name":/ { at = index($0, t) }
    on && at && /"status":/ { gsub(/[",]/, ""); status = $2 } on && at && /"points":/ { gsub(/,/, ""); print $2, status; at = 0 }' all.json
}

overlay 2999-12-01T22:59:59Z
run 1 class --out out --json all.json --csv all.csv --junit all.xml
grep -qE '^ *anna .* 110 / 110' said || problem "the right kernel has not all points"
for test in 01.scan.hidden2.sim 01.clean.hidden1.sim 01.clean.hidden2.sim 01.late.hidden1.sim; do
  [ "$(points bert $test)" = '0.0 fail' ] || problem "bert: $test: $(points bert $test)"
  [ "$(points anna $test)" != '0.0 fail' ] || problem "anna: $test fails"
done
[ "$(points anna 01.scan.hidden2.sim)" = '2.0 pass' ] && [ "$(points anna 01.scan.hidden1.sim)" = '1.0 pass' ] || problem "points of single cases"
[ "$(points bert 01.scan.hidden1.sim)" = '1.0 pass' ] || problem "a right result of bert"
[ "$(points carl 01.work.hidden1.sim)" = '0.75 fail' ] || problem "a share of a hidden test's points: $(points carl 01.work.hidden1.sim)"
[ "$(points bert 01.clean.sizes.sim)" = '0.0 fail' ] || problem "a finding of a hidden case takes nothing: $(points bert 01.clean.sizes.sim)"
awk '/"name": "01.*hidden/ { on = 1 } on && /"reason":/ { exit 1 } /"seconds":/ { on = 0 }' all.json || problem "the reason of a hidden test is told"
awk '/"name": "01.*hidden/ { on = 1 } on && /"seconds":/ { if ($2 + 0 != 0) exit 1; on = 0 }' all.json || problem "the time of a hidden test is told"
cp said terminal.txt
tells out all.json all.csv all.xml terminal.txt && problem "the grading tells hidden inputs"
grep -q -- '--case [a-z]*.hidden' out/students/bert/report.html && problem "a picture of a hidden case"
grep -q 'this test is hidden' out/students/bert/report.html || problem "the page does not say that a test is hidden"

# The kept records hold; for the instructor all is told, and nothing of it stays in the other folder.
run 1 class --out out --json again.json
grep -q ' 0 tests\|, [1-9][0-9]* unchanged' said || problem "the second grading has kept nothing"
grep '"points"' all.json >first && grep '"points"' again.json >second && cmp first second || problem "other points from kept records"
run 1 class --only bert --out shown --reveal --json shown.json
grep -q 'zeros_n779 (hidden): .* 31337' shown.json && grep -q 'late_n779 (after_due): ' shown.json || problem "--reveal does not tell"
tells out && problem "--reveal tells into another folder"
grep '"message": "no points: ' shown.json >beside || problem "nothing says that it lost its points to another test"
tells beside && problem "--reveal tells of a hidden case in the message of one that everybody has"

# Gradescope withholds by itself what is shown later; hidden tests tell nothing there, either.
run 1 class/bert --out scope --gradescope results.json
grep -q '"visibility": "after_due_date"' results.json || problem "Gradescope is not told what to withhold"
sed 's/}, {/}\n{/g' results.json | grep -vE '"name": "01.(late|clean).hidden1' >others
tells others && problem "Gradescope is told hidden inputs"
took=$(awk '/"seconds":/ { s = $2 } /"visibility": "public"/ { sum += s } END { printf "%.3f", sum }' scope/graded.json)
told=$(sed 's/.*"execution_time": \([0-9.]*\).*/\1/' results.json | awk '{ printf "%.3f", $1 }')
[ "$took" = "$told" ] || problem "Gradescope is told for how long tests waited that are not public: $told s, the others took $took s"
tells results.json >/dev/null || problem "Gradescope gets nothing to show after the due date"

# After the due date.
overlay 2001-12-01T22:59:59Z
run 1 class/bert --out late --json late.json
grep -q 'late_n779 (after_due): .* 31337' late.json || problem "nothing is shown after the due date"
grep -q 'zeros_n779' late.json && problem "a hidden case is shown after the due date"

# refused SED WORDS: the overlay, changed by SED, is refused with its name and WORDS
refused() {
  overlay 2999-12-01T22:59:59Z
  sed -i "$1" overlay.json
  run 3 class/anna --out refused
  grep -q 'overlay.json' said && grep -q -- "$2" said || problem "it does not say: $2"
}
refused 's/"points": 110/"points": 100/' 'do not add up'
refused 's/"scan.n511"/"scan.n510"/' 'no such case'
refused 's/"visibility": "hidden"/"visibility": "secret"/' 'secret'
refused 's/"01":/"41":/' '41'
refused 's/"points": 2 }/"point": 2 }/' 'point'
refused 's/2999-12-01T22:59:59Z/tomorrow/' 'due'
refused 's/"title": "Shown later"/"titel": "x"/' 'titel'
refused '1s/{/[/' 'overlay.json:'
refused 's/2999-12-01/2999-02-30/' 'due'
refused '2s/"01": {/"01_naive_scan": {}, "01": {/' '01: this lab is there twice'
refused 's/"n": \[779\]/"n": []/' 'not empty'
refused 's/"late_n779"/"late_n779_with_an_id_that_is_longer_than_the_sixty-three_letters_of_ids"/' 'at most 63'
refused 's/"title": "Shown later"/"title": 7/' 'title'
refused '2s/"01": {/"03": {"points": 7}, "01": {/' '03_blelloch: the points of the parts do not add up' # --lab 01 alone is graded
refused '2s/"01": {/"11": {"cases": {"keep.no": {}}}, "01": {/' '11_compaction, keep.no: lab.json has no such case'
# "parts", "cases" and "defaults" as lists, as lab.json has the parts: what is in them would be left out in silence.
refused_list() { # KEY
  printf '{"labs": {"01": %s}}\n' "$1" >overlay.json
  run 3 class/anna --out refused
  grep -q 'overlay.json: .*: expected an object' said || problem "it does not refuse $1"
}
refused_list '{"parts": [{"id": "scan", "cases": [{"id": "odd", "n": 779}]}]}'
refused_list '{"cases": [{"id": "scan.n511", "visibility": "hidden"}]}'
refused_list '{"parts": {"scan": {"defaults": []}}}'
rm overlay.json && mkfifo overlay.json
timeout 20 "$grade" class/anna --lab 01 --overlay overlay.json --out refused >said 2>&1; [ $? -eq 3 ] || problem "a pipe as overlay"
[ "$bad" -eq 0 ]
