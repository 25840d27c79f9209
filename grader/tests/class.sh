#!/bin/sh
# A class as it comes: what is handed in under other names is named, names of every alphabet and every trick stand in their columns, and
# the files for other programs are read by other programs (python3, where there is one). A class is graded on after Ctrl-C, after a
# kill, after one file has changed; a full disk and a folder that cannot be written lose nothing.   usage: class.sh SL_GRADE WORK
set -u
. "$(dirname "$0")/problems.sh"
grade=$1
work=$2
solution=$SCANLAB_ROOT/solutions/01_naive_scan
begin_in "$work"
mkdir class || exit 4
student() { # NAME PATH [FILE]: hands FILE (the solution) in as PATH
  mkdir -p "class/$1/$(dirname "$2")"
  cp "${3:-$solution/kernel.cu}" "class/$1/$2"
}
run() { # CODE ARGS..: grades the class
  want=$1
  shift
  "$grade" class --lab 01 --out out "$@" > said 2>&1
  got=$?
  [ $got -eq "$want" ] || { problem "grade $*: exit $got, expected $want"; cat said; }
}
says() { grep -qF -- "$1" said || { problem "it does not say: $1"; cat said; }; }

printf 'int x = ;\n' > broken.cu
: > empty.cu
student anna 01_naive_scan/kernel.cu
sed '5i static const int MINE = 1;' "$solution/kernel.cu" > edited.cu
student 'Björn Müller' 01_naive_scan/kernel.cu edited.cu
student '王小明' 01_naive_scan/kernel.cu empty.cu
student '=cmd("x"),1' 01_naive_scan/kernel.cu broken.cu
student "$(printf 'u\342\200\256x')" 01_naive_scan/kernel.cu broken.cu
student flat 01_naive_scan.cu
student nested hw/lab01/kernel.cu
student nothing 01_naive_scan/kernel.cu.txt

run 1 --json r.json --csv r.csv --junit r.xml
# Two of the eight handed in a kernel that compiles.
says "$(($(grep -c '"name": "01[.]' r.json) / 4)) tests"
says '  Björn Müller       100     100 / 100'
says '  王小明               0       0 / 100'
says '  nothing              -       0 / 100'
says 'flat            01: no kernel.cu in its place: there is 01_naive_scan.cu, which belongs into 01_naive_scan/kernel.cu'
says 'nested          01: no kernel.cu in its place: there is hw/lab01/kernel.cu'
says 'nothing         there is no .cu file in the folder; the name of 01_naive_scan/kernel.cu.txt must end in .cu'
says '(--accept-misplaced grades files that can be of one lab only)'
says 'u\xE2\x80\xAEx'
says 'Changed outside of the TODO regions (no points taken; lines in the report): '
grep -q '"edited": "line 5"' r.json || problem 'the JSON does not say that line 5 stands outside of the TODO regions'
grep -q 'changed outside of the TODO regions: line 5' out/report.html || problem 'nor does the page of the class'
grep -q 'Changed outside of the TODO regions: line 5' out/students/Bj*/report.html || problem "nor does the student's"
if command -v python3 > /dev/null; then
  PYTHONIOENCODING=utf-8 python3 - > read 2>&1 << 'PY' || { problem "the files are not what python3 reads"; cat read; }
import csv, json, xml.etree.ElementTree as xml
assert open("r.csv", "rb").read(3) == b"\xef\xbb\xbf"  # somebody's name is beyond ASCII
rows = list(csv.DictReader(open("r.csv", newline="", encoding="utf-8-sig")))
results = json.load(open("r.json", encoding="utf-8"))
suites = xml.parse("r.xml").getroot()
assert len(rows) == len(results) == len(suites) == 8, (len(rows), len(results), len(suites))
for row, result, suite in zip(rows, results, suites):
    name = row["submission"].removeprefix("'")
    assert name == result["submission"] and suite.get("name") == name + "/01_naive_scan", (row, suite.get("name"))
    assert float(row["score"]) == result["score"] and float(row["max"]) == 100
    assert row["01_naive_scan"] == ("" if name == "nothing" else row["score"]), row
    tests = result["labs"][0]["tests"]
    assert int(suite.get("tests")) == len(tests) == len(suite.findall("testcase"))
    assert int(suite.get("failures")) == sum(t["status"] == "fail" for t in tests) == len(suite.findall("testcase/failure"))
assert sum(float(row["score"]) for row in rows) == 200
assert rows[0]["submission"][0] == "'" and not any(row["submission"][0] in "=+-@" for row in rows)
PY
fi

# Archives and a roster: who is absent, unknown or not to be read has a row, and the manifest tells.
rm -rf mixed && mkdir -p mixed/clara/01_naive_scan && cp "$solution/kernel.cu" mixed/clara/01_naive_scan
# Another kernel of the lab is told; a copy and the handout are not.
for other in labs copy handout; do mkdir -p mixed/clara/$other/01_naive_scan; done
cp edited.cu mixed/clara/labs/01_naive_scan/kernel.cu
cp "$solution/kernel.cu" mixed/clara/copy/01_naive_scan/kernel.cu
cp "$SCANLAB_ROOT/labs/01_naive_scan/kernel.cu" mixed/clara/handout/01_naive_scan/kernel.cu
mkdir -p packed/work/01_naive_scan && cp "$solution/kernel.cu" packed/work/01_naive_scan && tar -czf 'mixed/otto o.tar.gz' -C packed work
tar -cf mixed/flat.tar -C "$solution" kernel.cu
printf 'no archive' > mixed/broken.zip
printf 'x' > mixed/readme.txt
mkdir -p mixed/.hidden/01_naive_scan mixed/.git && : > mixed/.hidden/01_naive_scan/kernel.cu && : > mixed/.DS_Store && : > mixed/._clara.zip
printf '\357\273\277id;name\r\nclara;C\r\nmissing;M\r\notto o;O\r\nflat;F\r\n' > roster.csv
"$grade" mixed --lab 01 --out mixed.out --roster roster.csv --accept-misplaced --csv mixed.csv > said 2>&1
[ $? -eq 1 ] || problem "a mixed class"
says '  missing          -       0 / 100'
says '  otto o         100     100 / 100'
[ ! -e mixed.out/students/missing ] || problem "somebody absent has a folder"
grep -q 'students/missing' mixed.out/report.html && problem "the page of the class has a link to none"
grep -q 'data-v="missing">missing' mixed.out/report.html || problem "somebody absent is not on the page of the class"
grep -q '4 handed in (1 could not be read: 0 points), mean' mixed.out/report.html || problem "the points' picture does not tell the 0 of what cannot be read"
says '  missing     absent: in the roster, and nothing handed in'
says '  broken      cannot be read: broken.zip: expected an archive of a kind that is read: zip, tar, tar.gz, tar.xz; not in the roster'
says '  flat        01: taken from kernel.cu'
says '  readme.txt  left out: expected a folder, an archive or a .cu file'
says '  clara       01_naive_scan/kernel.cu is graded, labs/01_naive_scan/kernel.cu is not; 01: the same'
says '  .hidden     left out: its name begins with a dot: rename it'
[ "$(grep -c 'left out:' said)" -eq 2 ] || { problem "what systems leave behind is told"; cat said; }
[ "$(wc -l < mixed.csv)" -eq 6 ] || problem "the rows of a mixed class"
hash=$(sha256sum "$solution/kernel.cu" | cut -d' ' -f1)
[ "$(grep -c "\"sha256\": \"$hash\"" mixed.out/manifest.json)" -eq 3 ] || { problem "the manifest"; cat mixed.out/manifest.json; }
grep -q '"misplaced": "kernel.cu"' mixed.out/manifest.json || problem "the manifest does not tell what was misplaced"
"$grade" 'mixed/otto o.tar.gz' --lab 01 --out packed.out --no-plots > said 2>&1 || { problem "one archive"; cat said; }
says 'total 100 / 100'
"$grade" mixed --lab 01 --out mixed.out --roster roster.csv --only 'otto o' > said 2>&1 || { problem "one of a mixed class"; cat said; }
says ' unchanged'

# Hand-in times from a table reach the late policy; who is marked late without a time loses nothing and is named.
mkdir -p late && cp broken.cu 'late/Anna A_11_assignsubmission_file_lab.cu' && cp broken.cu late/bert_LATE_12_13_lab.cu
printf 'Identifier,Full name,Last modified (submission)\nParticipant 11,Anna A,"Saturday, 31 October 2026, 12:30 AM"\nParticipant 14,Dora D,"Saturday, 31 October 2026, 12:31 AM"\n' > times.csv
printf '{"deadline": "2026-10-30T22:59:59Z", "percent_a_day": 10}' > late.db.policy.json
book=${grade%/*}/sl-book
"$grade" late --lab 01 --accept-misplaced --no-plots --times times.csv --zone Europe/Berlin --out late.out > said 2>&1
[ $? -eq 1 ] || { problem "hand-in times"; cat said; }
says '1 of 2 who handed in has a time'
says 'table of times times.csv, line 3: a time of somebody of whom nothing is here: Dora D'
says 'bert_12     late, as its system says; when is not known'
"$book" import late.out --book late.db > said 2>&1
[ $? -eq 1 ] || { problem "import of one without a time"; cat said; }
says 'bert_12: is late, as its system says, and when is not known'
"$book" show 'Anna A_11' --book late.db > said 2>&1
says '0  / 100  1 attempt  2026-10-30T23:30:00Z, 1 day late'
"$book" show bert_12 --book late.db > said 2>&1
says '1 attempt  time not known'
says 'late, as its system says; when is not known'
"$grade" late --lab 01 --accept-misplaced --no-plots --times times.csv --out late.out > said 2>&1
[ $? -eq 3 ] || { problem "a time without a zone"; cat said; }
says 'a time without a zone'
"$grade" late --lab 01 --zone Berlin/Europe --times times.csv --out late.out > said 2>&1
[ $? -eq 2 ] || { problem "a zone that is none"; cat said; }

# Once more: nothing is run again. Then one file changes. of_lab: the tests of lab 01.
of_lab=$(grep -c '"name": "01\..*\.sim"' r.json)
of_lab=$((of_lab / 8))
run 1 --json again.json
says 'tests, '
grep -q ' unchanged' said && cmp -s r.json again.json || problem "graded again, it is not the same"
printf '// changed\n' >> 'class/Björn Müller/01_naive_scan/kernel.cu'
run 1 --json again.json
says "$((2 * of_lab)) tests, $of_lab unchanged"

# One submission, for Gradescope; a class is none.
"$grade" class/anna --lab 01 --out one --gradescope results.json --no-plots > said 2>&1 || { problem "anna alone"; cat said; }
grep -q '"score": 100.0' results.json && grep -q '"max_score"' results.json || problem "results.json"
run 2 --gradescope results.json
says 'its file is of one submission, and here is a class of'
run 3 --csv nowhere/r.csv

# Interrupted and killed, it goes on where it was, and the results are the same.
for signal in INT KILL; do
  rm -rf out
  env --default-signal=INT "$grade" class --lab 01 -j 1 --out out > said 2>&1 &
  pid=$!
  tries=0
  until [ "$(find out/students -path '*records/*.json' 2> /dev/null | wc -l)" -ge 5 ] || [ $tries -ge 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -$signal $pid 2> /dev/null || problem "$signal: it had ended before"
  wait $pid 2> /dev/null
  got=$?
  [ $signal = KILL ] || [ $got -eq 130 ] || problem "$signal: exit $got"
  [ -e out/report.html ] && problem "$signal: a report"
  sleep 1
  for p in /proc/[0-9]*; do # what goes on would write into the next grading
    { tr '\0' ' ' < "$p/cmdline"; } 2> /dev/null | grep -q -- "sl-test $work/out" && problem "$signal: still running: $p"
  done
  tries=0
  until run_after=$("$grade" class --lab 01 --out out --json after.json 2>&1) || ! echo "$run_after" | grep -q 'another grading' || [ $tries -ge 50 ]; do
    sleep 0.2 # what the killed one had started may still end
    tries=$((tries + 1))
  done
  echo "$run_after" | grep -q ' unchanged' || { problem "$signal: nothing was kept"; echo "$run_after"; }
  grep -vE '"(seconds|commit)"' again.json > a && grep -vE '"(seconds|commit)"' after.json > b && cmp -s a b || problem "$signal: other results"
done

# One of the class alone, into the class's folder; then the class finds its records.
rm -rf out
run 0 --only anna
run 3 --only annna
says 'there is no submission "annna"'
says 'names of the roster need --roster'
run 2 --part 4/3
# The three parts of the class at once. None of them writes what is the whole class's.
for part in 1 2 3; do
  "$grade" class --lab 01 --out parts --part $part/3 > said$part 2>&1 &
done
wait
[ "$(ls parts/students | wc -l)" -eq 8 ] && [ ! -e parts/report.html ] || { problem "--part"; cat said1 said2 said3; }
"$grade" class --lab 01 --out parts --json parts.json > said 2>&1
says "$((2 * of_lab)) tests, $((2 * of_lab)) unchanged"
grep -vE '"(seconds|commit)"' parts.json > b && cmp -s a b || problem "--part: other results"
run 1
says "$((2 * of_lab)) tests, $of_lab unchanged"

# On a cluster, whose sbatch here runs each job at once: all are kept when the last job puts them together.
cat > sbatch << 'FAKE'
#!/bin/sh
tasks=0
while :; do
  case $1 in
  --array=1-*) tasks=${1#--array=1-} ;;
  --*) ;;
  *) break ;;
  esac
  echo "$1" >> "$SBATCH_LOG"
  shift
done
script=$1
shift
k=1
while [ $k -le "$tasks" ]; do
  SLURM_ARRAY_TASK_ID=$k sh "$script" "$@" > "job$k.log" 2>&1 || echo "task $k: exit $?" >> "$SBATCH_LOG"
  k=$((k + 1))
done
[ "$tasks" -gt 0 ] || sh "$script" "$@" > last.log 2>&1
echo "17;cluster"
FAKE
chmod +x sbatch
rm -rf small && mkdir small && cp -r class/anna class/flat 'class/=cmd("x"),1' small
SBATCH_LOG=$work/sbatch.log SBATCH=$work/sbatch "$SCANLAB_ROOT/grader/slurm.sh" small cluster --partition=gpu --chunks=2 -- --lab 01 --deadline "2030-01-01 00:00 +0000" > said 2>&1 || { problem "slurm.sh"; cat said; }
says '3 submissions in 2 jobs: job 17; all together: job 17'
grep -q -- '--dependency=afterany:17$' sbatch.log && grep -q -- '--partition=gpu' sbatch.log || { problem "what sbatch was told"; cat sbatch.log; }
grep -q 'exit' sbatch.log && { problem "a job failed"; cat sbatch.log job*.log; }
grep -q "[0-9] tests, $of_lab unchanged" last.log && [ -s cluster/report.html ] && [ "$(wc -l < cluster/grades.csv)" -eq 4 ] || { problem "the last job"; cat last.log; }
SBATCH=no-such-sbatch "$SCANLAB_ROOT/grader/slurm.sh" small cluster > said 2>&1 && problem "without sbatch"
says 'there is no no-such-sbatch here'

# Results among the submissions would be a submission in the next grading.
for out in class class/out; do
  "$grade" class --lab 01 --out $out > said 2>&1
  [ $? -eq 3 ] || problem "--out $out"
  says 'lies among the submissions'
done
[ -e class/out ] && problem "a folder that is refused stays"
[ -d class ] || problem "the class's own folder is gone"

# A failed test names the command that makes a moving picture of it, and the command works; a passed one names none.
sed 's/d_out\[t\] = s\[t\]/d_out[t] = s[t] + (n > 1000)/' "$solution/kernel.cu" > off.cu
mkdir -p wrong/01_naive_scan && cp off.cu wrong/01_naive_scan/kernel.cu
"$grade" wrong --one --lab 01 --no-plots --out moving > said 2>&1
sed -n 's|.*<code>./scanlab \(trace 01 --case scan.n1024 --html\) picture.html</code>.*|\1|p' moving/report.html > command
[ -s command ] || problem "no picture of a failed test"
grep -q 'trace 01 --case scan.n33 ' moving/report.html && problem "a picture of a passed test"
"${grade%/*}/sl-student" $(cat command) picture.html --file off.cu > said 2>&1 && grep -q 'the reference has' picture.html ||
  { problem "the command for a picture"; cat said; }

# Optional labs beside others: a column apart from the total, none of whose kernels need be there.
mkdir -p both/with/11_compaction
for one in with without; do mkdir -p both/$one/01_naive_scan && cp "$solution/kernel.cu" both/$one/01_naive_scan; done
cp "$SCANLAB_ROOT/labs/11_compaction/kernel.cu" both/with/11_compaction
"$grade" both --lab 01 --lab 11 --no-plots --out both.out --csv both.csv > said 2>&1
got=$?
[ $got -eq 1 ] || problem "a class with a skeleton of an optional lab: exit $got"
says '  with           100     100 / 100        0'
says '  without        100     100 / 100        -'
cut -d, -f1-4 both.csv | tr -d '\r' > columns
printf 'submission,01_naive_scan,score,max\n"with",100,100,100\n"without",100,100,100\n' | cmp -s - columns || { problem "both.csv"; cat both.csv; }
head -1 both.csv | grep -q ',11_compaction' || problem "both.csv has no column 11_compaction"
"$grade" both/with --lab 01 --lab 11 --no-plots --out both.one --gradescope both.json > said 2>&1
says 'total 100 / 100'
says 'optional, apart from the total'
grep -q '"score": *100.0' both.json && ! grep -q '"name": *"11[.]' both.json || problem "a platform adds an optional lab's points"
"$grade" both/without --lab 01 --lab 11 --no-plots --out both.one > said 2>&1 || problem "an absent optional kernel is a failure"
grep -q '11_compaction' said && problem "an absent optional lab has a row"

# A folder that cannot be written.
"$grade" class/anna --lab 01 --out /proc/nowhere > said 2>&1
got=$?
grep -q 'No such file' said || problem "--out /proc/nowhere: not the reason"
{ [ $got -eq 3 ] || [ $got -eq 4 ]; } && [ "$(grep -c 'error:' said)" -eq 1 ] || { problem "--out /proc/nowhere: exit $got"; cat said; }

# A roster of many who handed in nothing: what a class takes grows with it, and no faster. Four times as many take four times as
# long; 9 times, where it grew with the square. 45000 take 380 MB: who handed in nothing shares the tests of the lab. A build with
# AddressSanitizer does not start within such a limit.
limit=:
mkdir -p few/p0/01_naive_scan && cp "$SCANLAB_ROOT/labs/01_naive_scan/kernel.cu" few/p0/01_naive_scan
# roster_of N: sets took to the hundredths of a second that its class takes of a processor
roster_of() {
  awk -v n="$1" 'BEGIN { print "id,name"; for (k = 0; k < n; k++) printf "p%d,N%d M%d\n", k, k, k % 70 }' > many.csv
  times > before
  ($limit && exec "$grade" few --lab 01 --roster many.csv --no-plots --out many.out --csv many.out.csv) > said 2>&1
  [ $? -eq 1 ] && [ "$(wc -l < many.out.csv)" -eq $(($1 + 1)) ] || { problem "a roster of $1"; head -5 said; }
  times > after
  took=$(awk 'FNR == 2 { for (k = 1; k <= 2; k++) { split($k, t, /[ms]/); s += (t[1] * 60 + t[2]) * (FILENAME == "after" ? 100 : -100) } }
    END { printf "%d", s }' before after)
}
roster_of 1 # it is built and judged then
limit='ulimit -v 500000'
($limit && "$grade" --help) > said 2>&1 || limit=:
roster_of 11250
few_took=$took
roster_of 45000
[ "$took" -lt $((6 * few_took)) ] || problem "a roster of 45000 takes $took hundredths of a second, one of 11250 $few_took"

# Where memory is short, that is what is said.
[ "$limit" = : ] || {
  (ulimit -v 200000 && exec "$grade" few --lab 01 --roster many.csv --no-plots --out many.out) > said 2>&1
  got=$?
  [ $got -eq 4 ] && grep -q 'error: .*out of memory' said || { problem "45000 within 200 MB: exit $got"; head -5 said; }
}

no_problems
