#!/bin/sh
# The student's commands: what they print, on which stream, and their exit codes, in a copy of the labs.
# Usage: commands.sh BIN SOURCE TESTS
set -u
bin=$1 source=$2
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/build" "$tmp/datasets" && cp -R "$source/labs" "$tmp/labs" && cp "$source"/datasets/*.json "$tmp/datasets" || exit 1
rm -f "$tmp"/labs/*/kernel.cu.bak.*
# The skeleton, whatever somebody may have made of the source tree's own labs.
for dir in "$source"/solutions/0*; do
  awk '/^ *\/\/ TODO\(/ { print; line = $0; sub(/[^ ].*/, "", line); id = $0; sub(/.*TODO\(/, "", id); sub(/,.*/, "", id)
                          print line "SL_TODO(\"" id "\");"; skip = 1; next }
       /^ *\/\/ END TODO\(/ { skip = 0 }
       !skip' "$dir/kernel.cu" >"$tmp/labs/${dir##*/}/kernel.cu" || exit 1
done
SCANLAB_ROOT=$tmp SCANLAB_BUILD=$tmp/build
export SCANLAB_ROOT SCANLAB_BUILD
lab01=$tmp/labs/01_naive_scan/kernel.cu
. "$(dirname "$0")/said.sh"

# Help, misuse
expect 2 err 'usage: sl-student'
expect 0 out 'example: sl-student check 03' --help
for command in check status hint reset doctor list profile trace diff; do
  expect 0 out "./scanlab $command" $command --help
  expect 2 err 'unknown option' $command --no-such-option
done
expect 2 err 'did you mean status?' statsu
for command in check hint reset; do
  expect 2 err 'missing argument' $command
  expect 2 err 'did you mean 03_blelloch?' $command 03_bleloch
  expect 2 err 'there is no lab "97"' $command 97
done
expect 2 err 'unexpected argument' status 03
expect 2 err 'unknown backend' check 01 --backend tpu
expect 3 err 'no such file' check 01 --file no/such/file.cu
expect 3 err 'labs: is a folder' check 01 --file labs
expect 2 err 'see ./scanlab check --help' check 01 02
{ printf '\377\376' && printf 'int x;' | sed 's/./&\x00/g'; } >"$tmp/utf16.cu"
expect 1 out 'utf16.cu: is encoded in UTF-16' check 01 --file utf16.cu

expect 3 err 'no/such/file.cu: no such file' diff 01 no/such/file.cu "$lab01"
never 'with --file'
expect 2 err 'profile: error: --n: expected a whole number' profile 01 --n 99999

# What an interrupted command left goes, what is no such thing stays.
mkdir -p "$tmp/build/student"
touch -d '2 days ago' "$tmp/build/student/99999999.report.json" "$tmp/build/student/01.json"
touch "$tmp/build/student/99999998.report.json"

# Untouched
expect 0 out 'labs/03_blelloch/kernel.cu        100 points  Work-efficient scan' list
also 'labs/06_radix_sort/kernel.cu'
expect 0 out '01_naive_scan      untouched   not checked' status
expect 0 out '  01.2   open   thread t >= offset' hint 01
also '3 of 3 open'
expect 0 out '  hint  The tree has m elements' hint 03.3
expect 0 out 'labs/03_blelloch/kernel.cu:' hint blelloch.1
for region in 03.0 03.7 03.x 03. 03.-1 03.99999999999999999999; do
  expect 2 err 'has regions 03.1 to 03.6' hint $region
done
expect 1 out '3 of 3 TODO regions are still open' check 01
also '  builds                                                yes'
also 'first failure: scan.n0 of "Right results, integers"'
[ ! -e "$tmp/build/student/99999999.report.json" ] || fail "a stale file is kept"
rm "$tmp/build/student/99999998.report.json" || fail "a young file is gone"
also 'labs/01_naive_scan/kernel.cu:18:1: made smaller: n = 2 of ones: 2 of 2'
also '  look   ./scanlab trace 01 --n 2 --dist ones --seed 101'
also '  edit   line 18, TODO 01.1: thread t copies'
also '  in call 2 of this case, n = 5'
also '  again  ./scanlab run 01 --n 2 --dist ones --seed 101'
also '  hint   ./scanlab hint 01.1'
also 'score so far  0 / 100'
never "$(printf '\033')"
expect 0 out '0 / 100, ' status
also 'read labs/01*/README.md'

# A lab by the paths that a shell completes to, and by the folder where the user is
for name in labs/01_naive_scan labs/01_naive_scan/ ./labs/01_naive_scan/kernel.cu "$tmp/labs/01_naive_scan"; do
  expect 0 out '3 of 3 open' hint "$name"
done
expect 0 out '  hint  The tree has m elements' hint labs/03_blelloch.3
expect 2 err 'there is no lab "labs/17_none/"' hint labs/17_none/
(cd "$tmp/labs/01_naive_scan" && "$bin/sl-student" hint . && "$bin/sl-student" hint kernel.cu) >"$tmp/out" 2>&1 || fail "hint ."

# One part alone; what is written is told of before what is still open
expect 2 err 'did you mean types?' check 06 --part typse
expect 2 err 'unknown part "E"' check 06 --part E
expect 2 err 'exclude each other' check 01 --watch --json
wrong=$(mktemp -p "$tmp" XXXX.cu)
awk '/TODO\(lab06\.(8|9|1[0-4]),/ { print; line = $0; id = $0; sub(/.*TODO\(/, "", id); sub(/,.*/, "", id); print "SL_TODO(\"" id "\");"; skip = 1; next }
     /END TODO/ { skip = 0 } !skip' "$source/solutions/06_radix_sort/kernel.cu" >"$tmp/b.cu"
expect 0 out 'part B  14.58 / 14.58' check 06 --part B --file b.cu
never 'scan  '
expect 1 out 'first failure: ' check 06 --part C --file b.cu
also '  hint   ./scanlab hint 06.8'
sed 's/zeros + before/zeros + before + (before == 1)/' "$tmp/b.cu" >"$wrong"
# The smallest case is told that asks for the result alone, though one with a bound fails before it, and for another reason.
sed 's/counts\[size_t(t) [*] gridDim.x + blockIdx.x\]/counts[size_t(blockIdx.x) * radix + t]/' "$source/solutions/06_radix_sort/kernel.cu" >"$tmp/turned.cu"
expect 1 out 'first failure: digits.n2049' check 06 --part C --file turned.cu
also 'TODO 06.8'
expect 1 out 'first failure: split.' check 06 --part B --file "${wrong##*/}"
also 'TODO 06.6'
never 'hint 06.8'

sed 's/threadIdx.x ? join(before, s\[threadIdx.x - 1\]) : before/join(before, s[threadIdx.x])/' "$source/solutions/13_segmented_scan/kernel.cu" >"$tmp/inclusive.cu"
expect 1 out 'first failure: sums.n0' check 13 --file inclusive.cu
also 'TODO 13.4'

# Checks again when the file is written, and ends with the user's signal
cp "$source/solutions/01_naive_scan/kernel.cu" "$tmp/watched.cu"
(cd "$tmp" && exec "$bin/sl-student" check 01 --part sync --watch --file watched.cu) >"$tmp/out" 2>"$tmp/err" &
watcher=$!
awaits() {
  for k in $(seq 150); do grep -qF -- "$1" "$tmp/out" && return; sleep 0.2; done
  fail "check --watch: no \"$1\""
}
awaits 'part sync  5 / 5'
sed -i 's|    __syncthreads();|    __syncthreads(), __syncthreads();|' "$tmp/watched.cu"
awaits 'part sync  0'
touch "$tmp/watched.cu" # an editor that writes twice saves once
sleep 0.6
head -c 900 "$source/solutions/01_naive_scan/kernel.cu" >"$tmp/watched.cu"
cp "$source/solutions/01_naive_scan/kernel.cu" "$tmp/watched.cu"
for k in $(seq 150); do [ "$(grep -c '^watching' "$tmp/out")" -ge 3 ] && break; sleep 0.2; done
sleep 0.6
[ "$(grep -c '^watching' "$tmp/out")" = 3 ] && [ "$(grep -c '^part sync' "$tmp/out")" = 3 ] || fail "check --watch: 3 texts, $(grep -c '^part sync' "$tmp/out") checks"
for how in 'mv watched.cu aside' ': >watched.cu'; do # back with the same text: nothing is checked
  (cd "$tmp" && cp watched.cu kept.cu && eval "$how")
  awaits "$(case $how in mv*) echo 'watched.cu is gone' ;; *) echo 'watched.cu is empty' ;; esac)"
  mv "$tmp/kept.cu" "$tmp/watched.cu"
  for k in $(seq 50); do tail -1 "$tmp/out" | grep -q 'watched.cu is back' && break; sleep 0.2; done
done
[ "$(grep -c 'watched.cu is back' "$tmp/out")" = 2 ] && [ "$(grep -c '^watching' "$tmp/out")" = 3 ] || { fail "check --watch: a file that goes and comes back"; cat "$tmp/out"; }
kill $watcher
wait $watcher 2>/dev/null

# One region filled in
sed 's|SL_TODO("lab01.3");|if (threadIdx.x < n) d_out[threadIdx.x] = s[threadIdx.x];|' "$lab01" >"$tmp/one.cu"
cp "$tmp/one.cu" "$lab01"
expect 0 out '2/3 open' status
also './scanlab hint 01.1'
expect 0 out '  01.3   edited thread t writes' hint 01
also '2 of 3 open. A hint for one: ./scanlab hint 01.1'

# Does not compile: the log, the region
sed 's|SL_TODO("lab01.2");|int a = ;|' "$tmp/one.cu" >"$lab01"
expect 1 out 'error: expected an expression' check 01
also 'builds                                                no'
also '  hint   ./scanlab hint 01.2'
also 'score so far  0 / 100'
expect 1 out '"builds": false' check 01 --json
also '"log": "kernel.cu('

# A crash that the compiler warned of: its line, outside of the regions.
sed '/return cudaGetLastError/d' "$source/solutions/01_naive_scan/kernel.cu" >"$tmp/outside.cu"
expect 1 out '  edit   line 42: the compiler warns of it' check 01 --part scan --file outside.cu
never 'TODO 01.'

# Written, but not started: the region that starts it
sed 's|SL_TODO("lab02.1");|if (threadIdx.x < n) temp[threadIdx.x] = d_in[threadIdx.x];|' "$tmp/labs/02_double_buffer/kernel.cu" >"$tmp/unstarted.cu"
expect 1 out '  hint   ./scanlab hint 02.4' check 02 --file unstarted.cu
also 'no kernel was launched: 5 of 5 elements'
never 'look '
cp "$tmp/labs/02_double_buffer/kernel.cu" "$tmp/unstarted.cu"
expect 1 out '  hint   ./scanlab hint 02.4' check 02 --file unstarted.cu
sed 's|SL_TODO("lab02.4");|(void)n;|' "$tmp/labs/02_double_buffer/kernel.cu" >"$tmp/unstarted.cu"
expect 1 out '  hint   ./scanlab hint 02.4' check 02 --file unstarted.cu

# Right, then wrong in ways that are told apart
cp "$source/solutions/01_naive_scan/kernel.cu" "$lab01"
expect 0 out 'score so far  100 / 100' check 01
never 'first failure'
never 'again'
expect 0 out '100 / 100, ' status
also 'done'
expect 0 out '"score": 100.0' check 01 --json
also '"first_failure": null'
sed 's|t >= offset \&\& t < n|t > offset \&\& t < n|' "$source/solutions/01_naive_scan/kernel.cu" >"$lab01"
expect 1 out 'first failure: scan.n0' check 01
expect 1 out '"again": "./scanlab run 01 --n 2 --dist ones --seed 101"' check 01 --json
sed 's|if (t < n) d_out|if (t <= n) d_out|' "$source/solutions/01_naive_scan/kernel.cu" >"$lab01"
expect 1 out '[memory.bounds]' check 01
also "if (t <= n) d_out[t] = s[t];"
also '  replay  ./scanlab run 01 '
never '  again  ' # one command is enough
also '  hint   ./scanlab hint 01.3'
sed 's|    __syncthreads();|    __syncthreads(), __syncthreads();|' "$source/solutions/01_naive_scan/kernel.cu" >"$lab01"
expect 1 out 'first failure: sync.barriers_n33' check 01
also 'score so far  95 / 100'
also '  again  ./scanlab run 01 --case sync.barriers_n33'
also '  look   ./scanlab profile 01 --n 33'
"$bin/sl-run" 01 --case sync.barriers_n33 >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] || fail "run --case does not fail where check does"

# Where only large cases are missing, the way to all points is --all, in 80 columns; not after a change of the file.
cp -p "$tmp/labs/06_radix_sort/kernel.cu" "$tmp/skeleton06.cu"
cp "$source/solutions/06_radix_sort/kernel.cu" "$tmp/labs/06_radix_sort/kernel.cu"
touch -d '2 hours ago' "$tmp/labs/06_radix_sort/kernel.cu"
score() { printf '{"score": %s, "max": 100, "left_out": 4.6875, "time": %s}\n' "$1" "$(($(date +%s) - 3500))" >"$tmp/build/student/06.json"; }
narrow() { [ "$(wc -L <"$tmp/out")" -le 80 ] || fail "wider than 80 columns"; }
score 95.3125
expect 0 out '06_radix_sort      no TODO     95.31 / 100, 58 min ago  ./scanlab check 06 --all' status
narrow
score 95.2
expect 0 out './scanlab check 06' status
never '--all'
score 95.3125
touch "$tmp/labs/06_radix_sort/kernel.cu"
expect 0 out '95.31 / 100, 58 min ago * ./scanlab check 06' status
never '--all'
narrow
"$bin/sl-run" 01 --n 1000 --file "$source/solutions/01_naive_scan/kernel.cu" >"$tmp/out" 2>"$tmp/err" || fail "run of a right kernel"
also 'result    '
narrow
# Times of more than 100 ms, which under qemu those above have.
[ -n "${SL_EMULATED:-}" ] || "$bin/sl-run" 06 --n 2^24 >"$tmp/out" 2>"$tmp/err" || fail "run of many elements"
narrow
mv "$tmp/skeleton06.cu" "$tmp/labs/06_radix_sort/kernel.cu" && rm "$tmp/build/student/06.json"

# What the compiler warned of is said when something is wrong, and not that a variable is never used, unless what has been
# put into it in a region is lost.
sed 's|  return cudaGetLastError();||' "$source/solutions/01_naive_scan/kernel.cu" >"$tmp/noreturn.cu"
expect 1 out 'warning #940-D: missing return statement' check 01 --file noreturn.cu
also 'the program crashed in lab01_naive_scan'
never '  look '
sed 's|if (t < n) d_out|int never; if (t < n - 1) d_out|' "$source/solutions/01_naive_scan/kernel.cu" >"$tmp/unused.cu"
expect 1 out 'made smaller: n = 2 of ones: 1 of 2 elements were never' check 01 --file unused.cu
never 'warned'
sed 's|if (active) s\[t\] += left;|float sum; if (active) sum = s[t] + left;|' "$source/solutions/01_naive_scan/kernel.cu" >"$tmp/lost.cu"
expect 1 out 'warning #550-D: variable "sum" was set but never used' check 01 --file lost.cu

# A value in an int: sums of whole numbers are right. Where these are wrong, too, that is not said.
sed 's|      if (t >= offset) x = |&(int)|' "$source/solutions/02_double_buffer/kernel.cu" >"$tmp/whole.cu"
expect 1 out 'first failure: reals.' check 02 --file whole.cu
also '    Sums of whole numbers are right: is a value kept as a whole number'
sed 's|      if (t >= offset) x = .*|      if (t > offset + 1) x += temp[pin * n + t - offset];|' "$source/solutions/02_double_buffer/kernel.cu" >"$tmp/fewer.cu"
expect 1 out 'elements wrong' check 02 --file fewer.cu
never 'Sums of whole numbers are right'

# Threads leave a loop that holds a barrier: they are to stay. A barrier in a branch is to leave it.
sed 's|    if (t < pairs) {|    if (t >= pairs) break;\n    {|' "$source/solutions/03_blelloch/kernel.cu" >"$tmp/leaves.cu"
expect 1 out 'error[barrier.divergent]' check 03 --file leaves.cu
also 'do      Let all threads make every trip of this loop: no break'
sed '0,/    if (t < pairs) {/s//&\n      __syncthreads();/' "$source/solutions/03_blelloch/kernel.cu" >"$tmp/inside.cu"
expect 1 out 'error[barrier.divergent]' check 03 --file inside.cu
also 'do      Move the barrier out of the branch or loop'

# The smallest sort that shows it: two keys that fall, where a run of equal ones hides it up to n = 512.
sed 's|to.values\[place\] = from.values\[i\];|to.values[place] = from.values[place];|' "$source/solutions/06_radix_sort/kernel.cu" >"$tmp/place.cu"
expect 1 out 'made smaller: n = 2 of reversed: 2 of 2 elements wrong: the' check 06 --part digits --file place.cu
also 'keys are right, but the values are in the order of the input'

# State that a launch leaves behind: the cause is said, not only where it ended.
sed 's|^__global__|__device__ int launched;\n&|; s|  if (t < n) d_out\[t\] = s\[t\];|  if (t < n) d_out[t] = s[t] + launched;\n  __syncthreads();\n  if (t == 0) launched = 1;|' \
  "$source/solutions/01_naive_scan/kernel.cu" >"$tmp/counts.cu"
expect 1 out 'error[repeat.state]: ' check 01 --file counts.cu
also 'still holds what the first launch left'

# An optional lab: the first wrong element is said, whatever else stands below the message, and no sums are listed that nobody has.
sh "$source/harness/corpus/labs/wrong.sh" 14_summed_area/own_sum_to_the_next >"$tmp/own_sum.cu" || exit 1
expect 1 out 'made smaller: n = 33 with --dist ones: 1 of 33 elements' check 14 --file "$tmp/own_sum.cu"
also 'wrong, first out[32]: got 2'
also 'called with width 33'
never 'which elements these sums hold'

# Right sizes with few heads say little of more of them: two elements show a sum that never begins anew, few a head that is lost.
sed 's/if (!b.head) both.sum/both.sum/' "$source/solutions/13_segmented_scan/kernel.cu" >"$tmp/heads.cu"
expect 1 out 'made smaller: n = 2 with --dist ones: 1 of 2 elements' check 13 --file heads.cu
sed 's/both.head = a.head | b.head;//' "$source/solutions/13_segmented_scan/kernel.cu" >"$tmp/heads.cu"
expect 1 out 'made smaller: n = 16 with --dist spike: 4 of 16 elements' check 13 --file heads.cu

# Where an optional lab has sums of one input, they are listed, and what is said of the call is said once.
sed 's/threadIdx.x >= offset) x/threadIdx.x > offset) x/' "$source/solutions/14_summed_area/kernel.cu" >"$tmp/more.cu"
expect 1 out 'called with width 33' check 14 --file "$tmp/more.cu"
also '    out[1]: got in[1], expected in[0] + in[1]'
[ "$(grep -c 'called with width' "$tmp/out")" -eq 1 ] || fail "the width is said twice"
sed 's/temp\[right\] += temp/temp[right] = temp/' "$source/solutions/17_brent_kung/kernel.cu" >"$tmp/alone.cu"
expect 1 out 'which elements these sums hold' check 17 --file "$tmp/alone.cu"
also '    out[1]: got in[0], expected in[0] + in[1]'

# A kernel that needs its blocks to start in order: hangs in reverse, and is told that this is why.
# Memory has the names of the source. Threads that are done have not returned early; others have.
"$source/harness/corpus/labs/wrong.sh" 06_radix_sort/waits_for_itself >"$tmp/itself.cu"
expect 1 out 'waits for c->published to be more than 1' check 06 --part A --file "$tmp/itself.cu"
"$source/harness/corpus/labs/wrong.sh" 05_arbitrary_size/last_reads_without_gap >"$tmp/gap.cu"
expect 1 out 'memory.uninit' check 05 --part sizes --file "$tmp/gap.cu"
never 'had ended before'
sed 's|const T x = lo, y = hi;|& if (i >= n) return;|' "$source/solutions/05_arbitrary_size/kernel.cu" >"$tmp/early.cu"
expect 1 out 'threads had ended before the last barrier' check 05 --part clean --file "$tmp/early.cu"
"$source/harness/corpus/labs/wrong.sh" 06_radix_sort/tile_is_the_block_index >"$tmp/ordered.cu"
expect 1 out 'error[progress.deadlock]: ' check 06 --part A --file ordered.cu
also 'With blocks started in order of their index it does end'
also ' A: speed against the reference' # of part E, of which A has a test

# The command that a failure names fails in the same way.
"$source/harness/corpus/labs/wrong.sh" 05_arbitrary_size/commutes >"$tmp/commutes.cu"
expect 1 out 'first failure: operators.compose_inclusive_n33' check 05 --file commutes.cu
also 'left out: 4 cases (12.83 points) of more than 2^20 elements. With them:'
also '  ./scanlab check 05 --file commutes.cu --all'
again=$(sed -n 's/^  again  .\/scanlab run //p' "$tmp/out")
(cd "$tmp" && eval "\"$bin/sl-run\" $again") >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] || fail "run $again does not fail"
grep -q '1 of 4 elements wrong' "$tmp/out" || fail "run $again fails in another way"
expect 0 out '05_arbitrary_size  untouched   not checked' status  # another file's score is not the lab's

# The replay's own misuse
"$bin/sl-run" 01 --case scan.n0 --n 5 >"$tmp/out" 2>"$tmp/err"
[ $? -eq 2 ] || fail "run --case with --n"
"$bin/sl-run" 01 --case scan.n0x >"$tmp/out" 2>"$tmp/err"
[ $? -eq 2 ] && grep -q 'did you mean scan.n0' "$tmp/err" || fail "run --case with an unknown case"

# Reset: twice, two copies, nothing lost
cp "$lab01" "$tmp/mine.cu"
expect 0 out '3 of 3 TODO regions put back' reset 01
also 'the old file is labs/01_naive_scan/kernel.cu.bak.1'
cmp -s "$lab01.bak.1" "$tmp/mine.cu" || fail "the first copy is not the old file"
grep -q 'SL_TODO("lab01.2");' "$lab01" || fail "no skeleton"
expect 0 out 'labs/01_naive_scan/kernel.cu: nothing to put back' reset 01
[ ! -e "$lab01.bak.2" ] || fail "a skeleton was kept beside itself"
sed -i 's/SL_TODO("lab01.2");/__syncthreads();/' "$lab01" && cp "$lab01" "$tmp/second.cu"
expect 0 out 'the old file is labs/01_naive_scan/kernel.cu.bak.2' reset 01
cmp -s "$lab01.bak.2" "$tmp/second.cu" || fail "the second copy is not the old file"
cmp -s "$lab01.bak.1" "$tmp/mine.cu" || fail "the first copy changed"
expect 0 out '01_naive_scan      untouched' status
for lab in 01_naive_scan 02_double_buffer 03_blelloch 04_bank_conflicts 05_arbitrary_size 06_radix_sort; do
  cp "$tmp/labs/$lab/kernel.cu" "$tmp/before.cu"
  cp "$source/solutions/$lab/kernel.cu" "$tmp/labs/$lab/kernel.cu"
  expect 0 out 'put back' reset $lab
  cmp -s "$tmp/before.cu" "$tmp/labs/$lab/kernel.cu" || fail "$lab: reset of the solution is not the skeleton"
done

for lab in 02_double_buffer 05_arbitrary_size; do cp "$source/solutions/$lab/kernel.cu" "$tmp/labs/$lab/kernel.cu"; done
expect 2 err 'unexpected argument' reset --all 03
expect 0 out 'labs/05_arbitrary_size/kernel.cu: 7 of 7 TODO regions put back' reset --all
also 'labs/02_double_buffer/kernel.cu: 4 of 4 TODO regions put back'
also 'labs/06_radix_sort/kernel.cu: nothing to put back'

# Damaged markers where the original cannot be had: named, nothing changed
cp "$lab01" "$tmp/skeleton.cu"
grep -v 'END TODO(lab01.2)' "$lab01" >"$tmp/damaged.cu"
cp "$tmp/damaged.cu" "$lab01"
expect 3 err 'kernel.cu:26:1: a TODO inside of another' reset 01
cmp -s "$lab01" "$tmp/damaged.cu" || fail "a damaged file was changed"
: >"$lab01"
expect 3 err 'the file has no TODO region' reset 01

# With the original, as students' trees have it, neither hint nor reset is locked by them.
cp "$tmp/skeleton.cu" "$tmp/labs/01_naive_scan/.skeleton"
damage() { # PHRASE AWK..: the skeleton with one region filled in, and damaged
  damage_is=$1
  shift
  sed 's|SL_TODO("lab01.3");|if (threadIdx.x < n) d_out[threadIdx.x] = s[threadIdx.x];|' "$tmp/skeleton.cu" | awk "$@" >"$lab01"
  cp "$lab01" "$tmp/damaged.cu"
  rm -f "$lab01".bak.*
  expect 0 out '  01.3   edited thread t writes' hint 01
  also '2 of 3 open'
  also "$damage_is"
  expect 0 out '  hint  ' hint 01.2
  also '  task  thread t >= offset'
  expect 1 out "warning: $damage_is" check 01 --part sync
  expect 0 out '01_naive_scan      damaged' status
  expect 0 out 'the whole skeleton is back' reset 01
  also 'the old file is labs/01_naive_scan/kernel.cu.bak.1'
  cmp -s "$lab01.bak.1" "$tmp/damaged.cu" || fail "reset lost the old file"
  cmp -s "$lab01" "$tmp/skeleton.cu" || fail "reset of a damaged file is not the skeleton"
}
damage 'an END TODO without its TODO' '!/ TODO.lab01.2,/'
damage 'a TODO inside of another' '!/END TODO.lab01.2/'
damage 'not the TODO of this place' '/ TODO.lab01.2/ { gsub(/lab01.2/, "lab01.two") } 1'
damage 'a TODO inside of another' '/ TODO.lab01.2,/ { print } 1'
damage 'an END TODO without its TODO' '/ TODO.lab01.2,/ { moved = $0; next } /END TODO.lab01.3/ { print; print moved; next } 1'

# A failure that no finding explains names the damaged marker's line. The labs stand in 80 columns.
grep -v 'END TODO(lab01.2)' "$tmp/skeleton.cu" >"$lab01"
expect 1 out '  edit   line 26: a TODO inside of another' check 01 --part scan
expect 0 out 'labs/06_radix_sort/kernel.cu' list
narrow

# A line outside of the regions that is not the skeleton's is told of; the original itself, or blanks, are not.
cp "$tmp/skeleton.cu" "$lab01"
expect 1 out '3 of 3 TODO regions' check 01 --part sync
never 'warning:'
sed 's/^__global__/\n\n  &/; s/ *$/  /' "$source/solutions/01_naive_scan/kernel.cu" | sed 's/^  __global__/__global__/' >"$lab01"
expect 0 out 'score so far' check 01
never 'warning:'
sed 's/return cudaGetLastError/if (n < 0) return cudaSuccess;\n  &/' "$source/solutions/01_naive_scan/kernel.cu" >"$lab01"
expect 0 out "labs/01_naive_scan/kernel.cu:$(grep -n 'n < 0' "$lab01" | cut -d: -f1):1: warning: changed outside of TODOs" check 01
# That is at fault where a finding tells of a place outside; no region is named.
sed 's/n \* sizeof(float)/n/' "$source/solutions/01_naive_scan/kernel.cu" >"$tmp/outside.cu"
expect 1 out '  edit   line 41: changed outside of the TODO regions' check 01 --part scan --file outside.cu
never 'TODO 01.'
# So is a line that was added, where the program ends in the lab's function.
for added in 'd_out[0] = 1;' 'exit(0);'; do
  sed "s|^  naive_scan_kernel<|  $added\n&|" "$source/solutions/01_naive_scan/kernel.cu" >"$tmp/outside.cu"
  expect 1 out '  edit   line 41: changed outside of the TODO regions' check 01 --part scan --file outside.cu
  never 'TODO 01.'
done
sed '/^ \*.*Launch:/d' "$source/solutions/01_naive_scan/kernel.cu" >"$lab01"
expect 0 out "labs/01_naive_scan/kernel.cu:$(grep -n '^ \*.*Shared:' "$lab01" | cut -d: -f1):1: warning" check 01

: >"$lab01"
expect 0 out 'the whole skeleton is back' reset 01
rm "$lab01"
expect 3 err 'error' hint 01
expect 3 err 'no such file' check 01
expect 3 err 'cannot create' check 01 --html "$tmp/no/folder/p.html" # told before anything runs
expect 0 out 'was not there: the whole skeleton is back' reset 01
cmp -s "$lab01" "$tmp/skeleton.cu" || fail "reset of a file that is gone is not the skeleton"
rm "$lab01"

# Two labs: what differs between the files, or between the skeletons; misuse
cp "$source/solutions/02_double_buffer/kernel.cu" "$tmp/labs/02_double_buffer/kernel.cu"
cp "$source/solutions/03_blelloch/kernel.cu" "$tmp/labs/03_blelloch/kernel.cu"
cp "$source/solutions/04_bank_conflicts/kernel.cu" "$tmp/labs/04_bank_conflicts/.skeleton"
expect 0 out '+++ labs/03_blelloch/kernel.cu' diff 02 labs/03_blelloch
also '+      temp[right] = temp[right] + sum;'
never 'SL_TODO'
expect 0 out '+++ skeleton of 04_bank_conflicts' diff 02 04 --skeleton
also 'SL_TODO("lab04.2")'
never 'place += (i >> 5)'
expect 0 out 'are the same' diff 03 03
expect 2 err 'did you mean 03_blelloch?' diff 03_bleloch 04
expect 2 err 'for two versions of one lab' diff 03 04 --json
expect 2 err 'for two labs' diff 03 a.cu b.cu --skeleton
rm "$tmp/labs/04_bank_conflicts/.skeleton"

# Doctor: every line has a state; what is missing is named
expect 0 out 'a tiny kernel ran on the simulated GPU' doctor
also 'ready'
taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" "$bin/sl-student" doctor >"$tmp/out" 2>"$tmp/err" || fail "doctor on one core"
also 'cores      1: 1 kernel is compiled or judged at once'
NVCC_CCBIN=/usr/bin/no-such-g++ "$bin/sl-student" doctor >"$tmp/out" 2>"$tmp/err" && fail "doctor without the g++ that nvcc is told of"
also 'missing  g++        does not run'
# What WSL calls its kernels, and where the drives of Windows are.
cp "$bin/../lib/pretend_wsl.so" "$tmp/" # LD_PRELOAD takes no path with a blank
also "ok       system     $(uname -sr), ${SL_EMULATED:-$(uname -m)}"
wsl() {
  LD_PRELOAD=$tmp/pretend_wsl.so "$@" "$bin/sl-student" doctor 2>"$tmp/err" | tr -s ' \n' ' ' >"$tmp/out"
  checks=$((checks + 1))
}
wsl env WSL_RELEASE=5.15.153.1-microsoft-standard-WSL2
also 'ok system Linux 5.15.153.1-microsoft-standard-WSL2, x86_64 (WSL2) '
wsl env WSL_RELEASE=6.6.87.2-microsoft-standard-WSL2 WSL_DRIVE=1
also 'note system Linux 6.6.87.2-microsoft-standard-WSL2, x86_64 (WSL2); the build folder is on a drive of Windows, which is slow'
also '> move the course into your home folder of Linux'
wsl env WSL_RELEASE=4.4.0-19041-Microsoft
also 'note system Linux 4.4.0-19041-Microsoft, x86_64: WSL1, which lacks what the sandbox needs'
also 'wsl --set-version NAME 2'
checks=$((checks + 1))
SCANLAB_NVCC=/no/such/nvcc "$bin/sl-student" doctor >"$tmp/out" 2>"$tmp/err"
[ $? -eq 4 ] || fail "doctor without nvcc"
also 'missing  nvcc       does not run'
also 'missing  simulator  nvcc could not compile'

[ -z "$(ls "$tmp/build/student" | grep -v '^0[1-6].json$')" ] || fail "files left in build/student"
echo "$checks checks"
exit $failed
