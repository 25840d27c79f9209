#!/bin/sh
# Wrong command lines and wrong submissions: each gives one clear error, the documented exit code, no partial file and
# no process left behind.   usage: bad_input.sh SL_GRADE WORK
set -u
. "$(dirname "$0")/problems.sh"
grade=$1
work=$2
begin_in "$work"

# expect CODE TEXT ARGS...: sl-grade ARGS ends with CODE and says TEXT (a basic regular expression).
expect() {
  code=$1 text=$2
  shift 2
  "$grade" --out "$work/out" "$@" > said 2>&1
  got=$?
  [ $got -eq "$code" ] || { problem "sl-grade $*: exit $got, expected $code"; cat said; }
  grep -q -- "$text" said || { problem "sl-grade $*: does not say '$text'"; cat said; }
  if [ "$code" -ge 2 ] && [ "$(grep -c 'error:' said)" -ne 1 ]; then problem "sl-grade $*: not one error"; cat said; fi
}

mkdir -p empty "one/01_naive_scan" class/alice class/bob/02_double_buffer
printf 'int x;\n' > class/bob/02_double_buffer/kernel.cu
: > file

# Command lines.
expect 2 'missing argument'
expect 2 "did you mean --json" one --jsno x
expect 2 'unexpected argument' one two
expect 2 'option -j' one -j 0
expect 2 'option -j' one -j many
expect 2 'option -j' one -j -3
expect 2 'backend' one --backend cuda
expect 2 'needs an argument' one --out
expect 2 '99' one --lab 99
expect 2 'did you mean\|03_blelloch' one --lab 03_bleloch
expect 0 'usage:' --help

# Folders.
expect 3 'missing: cannot be opened' missing
expect 3 'found a file' file
expect 3 'no lab folder' empty
"$grade" one --out "$work/file/out" > said 2>&1
[ $? -eq 3 ] || { problem "--out below a file"; cat said; }
expect 3 'results.json' one --json "$work/nowhere/results.json"
SCANLAB_ROOT=/nonexistent expect 4 'course tree' one

# What the compiler ended for is told in words, not by its tools' last message.
mkdir -p big/01_naive_scan && printf 'char a[4ull << 30] = {1};\nchar *use() { return a; }\n' > big/01_naive_scan/kernel.cu
expect 1 'does not compile: it makes a file of more than 64 MiB' big --lab 01

# A name that leaves no room for nvcc's endings.
mkdir -p long && printf '#error here\n' > "long/$(printf '%0250d' 1).cu"
expect 1 'does not compile: kernel.cu:1:2: error: #error here' long --lab 01 --accept-misplaced

# No result takes the place of what is read.
printf 'id\nalice\n' > people.csv && cp people.csv kept
for option in --csv --json --junit; do expect 2 'people.csv: is read by this grading' class --roster people.csv $option people.csv; done
cmp -s people.csv kept || problem "a roster was replaced"

# A key that is none is told and stays as it is, also if it belongs to something else.
cp /bin/sh precious && chmod 600 precious && ln -s precious link && mkfifo pipe
printf '12345678901234567890123456789012' > open && chmod 644 open
expect 3 'precious: is no key: it does not have 32 bytes' one --key precious
cmp -s precious /bin/sh || problem "--key changed a file that is no key"
{ head -c 32 /bin/sh; echo; } > edited && chmod 600 edited
expect 3 'edited: is no key: it has a byte or two more than 32' one --key edited
[ "$(stat -c %s edited)" = 33 ] || problem "--key changed a key that has a line end"
expect 3 'link: is no key: it is a link' one --key link
expect 3 'pipe: is no key: it is no regular file' one --key pipe
expect 3 'open: is no key: others may read' one --key open
[ "$(cat open)" = 12345678901234567890123456789012 ] || problem "--key changed a file that others may read"
[ -p pipe ] && [ -L link ] || problem "--key replaced a file"
expect 1 'report:' one --key made --lab 02
[ "$(stat -c '%s %a' made)" = '32 600' ] || problem "--key made no key: $(stat -c '%s %a' made)"
expect 3 'typo: there is no such folder of datasets' one --data typo
[ -e typo ] && problem "--data made a folder"

# Output that cannot be written is told.
"$grade" --help > /dev/full 2> said
[ $? -eq 4 ] && grep -q 'cannot write the output: No space left' said || { problem "stdout is full"; cat said; }

# So is a report of `run`, also of a kernel whose result is wrong.
for folder in solutions labs; do
  "${grade%grade}run" 01 --n 4 --file "$SCANLAB_ROOT/$folder/01_naive_scan/kernel.cu" --report /dev/full > said 2>&1
  [ $? -eq 4 ] && grep -q '/dev/full: cannot write: No space left' said || { problem "run --report to a full disk, $folder"; cat said; }
done

# A summary that cannot be written is told once, and takes nothing from the other files.
"$grade" one --lab 02 --no-plots --csv full.csv --json full.json > /dev/full 2> said
[ $? -eq 4 ] && [ "$(grep -c 'error:' said)" -eq 1 ] && ! grep -q ioctl said || { problem "the summary to a full disk"; cat said; }
[ -s full.csv ] && [ -s full.json ] || problem "a summary that cannot be written leaves no files"

# A class of one submission is a class: its results are an array.
mkdir -p few/alice/01_naive_scan
expect 1 'alice' few --lab 01 --json few.json
[ "$(head -c 1 few.json)" = '[' ] || problem "the results of a class of one are no array: $(head -c 40 few.json)"
[ -d out/students/alice ] || problem "a class of one has no folder a student"
rm -rf out
expect 1 'total' few/alice --lab 01 --json one.json
[ "$(head -c 1 one.json)" = '{' ] || problem "the results of a submission are no object"

# Submissions that cannot be graded: 0 with the reason, and nothing crashes.
mkdir -p sub/01_naive_scan/kernel.cu sub/02_double_buffer sub/03_blelloch sub/04_bank_conflicts sub/05_arbitrary_size
: > sub/02_double_buffer/kernel.cu
printf '\177ELF\0\0\0' > sub/03_blelloch/kernel.cu
ln -s /etc/passwd sub/04_bank_conflicts/kernel.cu
printf '#include "scanlab/lab.h"\n\n\nint x = ;  // line 4\n' > sub/05_arbitrary_size/kernel.cu
expect 1 'total 0 / 600' sub --json results.json
grep -q 'is a directory' said || problem "a directory as kernel.cu"
grep -q 'kernel.cu is empty' said || problem "an empty kernel.cu"
grep -q 'binary' said || problem "a binary kernel.cu"
grep -q 'symbolic link' said || problem "a link as kernel.cu"
grep -q 'no kernel.cu' said || problem "no kernel.cu"
grep -q 'kernel.cu(4): error' said || { problem "the compiler's message with the student's line"; cat said; }
grep -q root: said out/report.html results.json && problem "the target of the link is shown"
[ -s out/report.html ] || problem "no report of a submission that fails"

# What is wrong with all labs of a submission is told once.
mkdir -p linked/ann/01_naive_scan && printf '#error x\n' > linked/ann/01_naive_scan/kernel.cu && ln -s ann linked/bob
expect 1 'bob .* 01 to 06: the submission is a symbolic link' linked --out linked_out --no-plots
[ "$(grep -c 'is a symbolic link' said)" -eq 1 ] || { problem "a link in a class is told several times"; cat said; }

# Names that terminals, pages and CMake would obey.
odd=$(printf 'odd/%b' 'a"b$HOME;(<i>) \033[31mx\n]=]')
mkdir -p "$odd/01_naive_scan" odd/plain/01_naive_scan
printf 'int x = ;\n' > "$odd/01_naive_scan/kernel.cu"
expect 1 'x1B' odd --lab 01 --json results.json
if grep -q "$(printf '\033')" said results.json out/report.html; then problem "an escape character came through"; fi
grep -q '<i>' out/report.html && problem "a tag came through"
[ "$(find out/students -name report.html | wc -l)" -eq 2 ] || problem "two students, two reports"

# Two gradings into one folder.
flock out/lock sleep 5 &
holder=$!
sleep 1
expect 4 'another grading' one
kill $holder
wait $holder 2> /dev/null

# A disk (here: a limit) that is full: one error, no report.
rm -rf out
(ulimit -f 4; "$grade" one --out "$work/out" > /dev/null 2> said)
[ $? -eq 4 ] || { problem "file size limit: wrong exit code"; cat said; }
[ -e out/report.html ] && problem "file size limit: a partial report"
[ -z "$(find out -name '*.tmp.*')" ] || problem "file size limit: temporary files"

# A disk that is full, where this user may mount one: one error, and with more space the same command goes on.
cat > full.sh << 'FULL'
grade=$1
mount -t tmpfs -o size=64k none disk || exit 77
"$grade" odd --lab 01 --no-plots --out disk/out > said 2>&1
[ $? -eq 4 ] && grep -q 'No space left' said && [ "$(grep -c 'error:' said)" -eq 1 ] && [ ! -e disk/out/report.html ] || exit 1
mount -o remount,size=16m disk || exit 77
"$grade" odd --lab 01 --no-plots --out disk/out > said 2>&1
[ $? -eq 1 ] && [ -s disk/out/report.html ]
FULL
rm -rf odd && mkdir -p disk
for k in 1 2 3 4 5 6 7 8 9; do mkdir -p odd/$k/01_naive_scan && : > odd/$k/01_naive_scan/kernel.cu; done
unshare -rm sh full.sh "$grade" 2> mounted
case $? in
0) ;;
77) echo "skipped: no disk can be mounted: $(cat mounted)" ;;
*) grep -q 'unshare' mounted && echo "skipped: $(cat mounted)" || { problem "a full disk"; cat said; } ;;
esac

# 300 students: one is in the roster twice, one is absent, one has a name in Latin-1.
mkdir -p many packed/01_naive_scan
: > packed/01_naive_scan/kernel.cu
{
  printf 'id,name\n'
  for k in $(seq 1 300); do printf 's%03d,Student %d\n' "$k" "$k"; done
  printf 's007,Bj\366rn\n'
} > roster.csv
tar -cf many/s001.tar -C packed 01_naive_scan
for k in $(seq 2 299); do cp many/s001.tar "many/$(printf s%03d "$k").tar"; done
rm -rf out
expect 1 'roster.csv, line 302: the same student as in an earlier line, taken once: s007' many --lab 01 --no-plots --roster roster.csv --csv many.csv
[ "$(wc -l < many.csv)" -eq 301 ] && [ "$(grep -c '"status": "taken"' out/manifest.json)" -eq 299 ] || problem "300 students"
grep -q '^ *s300 *absent' said || { problem "who is absent of 300"; cat said; }

# Ctrl-C.
if [ -d "$SCANLAB_ROOT/solutions" ]; then
  rm -rf out
  env --default-signal=INT "$grade" solutions --lab 05 --fresh --out "$work/out" > said 2>&1 &
  pid=$!
  tries=0
  until ls out/ctest/solutions/raw/*.json > /dev/null 2>&1 || [ $tries -ge 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -INT $pid 2> /dev/null
  wait $pid
  got=$?
  [ $got -eq 130 ] || { problem "Ctrl-C: exit $got"; cat said; }
  [ -e out/report.html ] && problem "Ctrl-C: a report"
  sleep 1
  for p in /proc/[0-9]*; do
    tr '\0' ' ' < "$p/cmdline" 2> /dev/null | grep -q -- "$work/out" && problem "Ctrl-C: still running: $(tr '\0' ' ' < "$p/cmdline")"
  done
fi

no_problems
