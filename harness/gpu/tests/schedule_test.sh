# Schedules, replays and devices on the command line: schedule_test.sh CASE BIN_DIR.
set -u
case $1 in words) ;; *) unset SCANLAB_ROOT ;; esac # replays name that folder
. "$(dirname "$0")/said.sh"
weak=$bin/sim_weak
cd "$dir" || exit 1
# The replay commands of a report, one a line, with our sl-sim.
replays() { grep -o '"replay": "[^"]*"' "$1" | sed 's/"replay": "//; s/"$//' | sed "s#^./scanlab sim#'$sim'#"; }
# A report without times.
report() { sed 's/"seconds": [0-9.]*/"seconds": 0/' "$1"; }

case $1 in
differs)
  run --no-checks --schedules 9 --report r.json -- "$weak" last_block_no_fence; expect 0
  says err 'error\[schedule.differs\]'; says err '9 schedules, [1-9] differ'
  says r.json '"id": "schedule.differs"'; says r.json 'copy 1 from the device, of 4096 bytes, differs first at byte 0'
  says r.json 'after scanlab sim -- '
  replays r.json > again; [ "$(wc -l < again)" = 1 ] || fail "not one replay"
  sh again > out 2> err; status=$?; expect 1; says out 'last_block_no_fence: word 0 is'
  run --no-checks --schedules 9 --seed 3 --report r.json -- "$weak" last_block_no_fence; report r.json > first
  run --no-checks --schedules 9 --seed 3 --report r.json -- "$weak" last_block_no_fence; report r.json > second
  cmp first second || fail "the same command, another report"
  run --no-checks --schedules 5 --order in --warps greedy --resident 0 --visibility strong -- "$weak" last_block_no_fence
  expect 0; says err '5 schedules, 0 differ' ;; # all words are fixed, and nothing is random
findings)
  # What only another order finds is told with that order, once; the result is the same in all.
  run --schedules 4 --report r.json -- "$bin/cudart_first_comes_last"; expect 0
  says err '4 schedules, 0 differ'; says err 'first_comes_last.cu:9:[0-9]*: error\[memory.uninit\]'
  says err 'replay  ./scanlab sim --schedule order=reverse'; says err 'sl-sim: 1 finding$'
  replays r.json > again; sh again > out 2> err; says err 'error\[memory.uninit\]'
  run --check-order -- "$bin/cudart_first_comes_last"; expect 0; says err 'replay  ./scanlab sim --schedule order=reverse,resident=2'
  run -- "$bin/cudart_first_comes_last"; expect 0; [ ! -s err ] || fail "in order there is nothing to tell" ;;
input)
  # Every run reads what the first one could: from a file, from where it stands, and from a pipe.
  printf '#!/bin/sh\nread -r case || exit 9\ncat >/dev/null\nexec "%s" "$case"\n' "$weak" > reads; chmod +x reads
  { echo nothing; echo chain; seq 100000; } > input
  for first in 'read -r skipped <&3; cat <&3 |' 'read -r skipped <&3; exec 0<&3;'; do
    exec 3< input
    (eval "$first"' "$sim" --no-checks --schedules 5 --check-order -- ./reads') > out 2> err; status=$?
    exec 3<&-
    expect 0; says err '5 schedules, 0 differ'
  done
  # What a program does not read is not waited for.
  mkfifo never; exec 4<> never
  "$sim" --no-checks --schedules 3 -- "$weak" chain < never > out 2> err; status=$?; expect 0; says err '3 schedules, 0 differ' ;;
same)
  for case in chain last_block one_word passed_on; do
    run --no-checks --schedules 13 -- "$weak" $case; expect 0; says err '13 schedules, 0 differ'
  done ;;
cores)
  # The same results and report on any number of cores, from streams and from threads; numbers that are none are refused.
  for who in streams threads; do
    run --no-checks --cores 1 --report r.json -- "$bin/cudart_cores" $who; expect 0; cp out one.out; report r.json > one
    for cores in 2 5; do
      run --no-checks --cores $cores --report r.json -- "$bin/cudart_cores" $who; expect 0; report r.json > many
      cmp out one.out || fail "$who, $cores cores: another result"
      [ $who = threads ] || cmp one many || fail "$who, $cores cores: another report"
    done
  done
  SCANLAB_CORES=3 run --no-checks --digest d -- "$bin/cudart_cores" streams; expect 0; cmp out one.out || fail "another result"
  run --cores 0 -- "$weak" chain; expect 2; says err 'cores'
  SCANLAB_CORES=many run -- "$weak" chain; expect 2; says err "SCANLAB_CORES: expected a whole number from 1 to 64, found 'many'" ;;
repeat)
  # The same command, the same report: alone, on one core, and beside others that want the cores.
  for words in order=random,warps=random,visibility=weak,seed=5 order=reverse,warps=one-ahead,visibility=weak,resident=3,seed=6 \
               warps=round-robin,resident=1; do
    for case in chain_no_reader_fence last_block release; do
      run --schedule $words --report r.json -- "$weak" $case; cp out first.out; report r.json > first
      (while :; do :; done) & busy=$!
      taskset -c 0 "$sim" --schedule $words --report r.json -- "$weak" $case > out 2> err
      report r.json > second
      run --schedule $words --report r.json -- "$weak" $case; report r.json > third
      kill $busy
      cmp first second && cmp first third && cmp out first.out || fail "$words $case: another report"
    done
  done ;;
replay)
  run --schedule seed=4,warps=random --visibility weak --report r.json -- "$weak" 'no such case; it is quoted'
  expect 2
  run --checks order.fence --schedule seed=4,warps=random,device=t4 --report r.json -- "$weak" last_block_no_fence
  says err 'replay  ./scanlab sim --schedule warps=random,seed=4,device=t4 -- '
  says err '1 finding'
  replays r.json | head -1 > again; sh again > out 2> err; says err 'error\[order.fence\]'
  # In another folder than the project's, the command names that.
  SCANLAB_ROOT="/opt/scan lab" "$sim" --checks order.fence -- "$weak" last_block_no_fence 2> "$dir/err"
  says err "replay  '/opt/scan lab/scanlab' sim -- "
  SCANLAB_ROOT="$dir" "$sim" --checks order.fence -- "$weak" last_block_no_fence 2> "$dir/err"; says err 'replay  ./scanlab sim -- '
  # Words that are the default are left out, unless the environment says something else.
  run --schedule order=in,seed=0,device=default --checks order.fence -- "$weak" last_block_no_fence; says err 'replay  ./scanlab sim -- '
  SCANLAB_SCHEDULE=seed=3 run --schedule seed=0 --checks order.fence -- "$weak" last_block_no_fence
  says err 'replay  ./scanlab sim --schedule order=in -- ' ;;
words)
  run --schedule orde=in -- "$weak" chain; expect 2; says err 'did you mean order?'
  run --schedule order -- "$weak" chain; expect 2; says err 'KEY=VALUE'
  run --schedule order=sideways -- "$weak" chain; expect 2; says err "no block order 'sideways'"
  run --schedule seed=x -- "$weak" chain; expect 2; says err 'whole number'
  run --lanes sideways -- "$weak" chain; expect 2; says err "no order of the lanes of an atomic 'sideways'"
  run --visibility week -- "$weak" chain; expect 2; says err 'did you mean weak?'
  run --resident 2000000 -- "$weak" chain; expect 2; says err '0 to 1048576'
  run --device t5 -- "$weak" chain; expect 2; says err 'did you mean t4?'
  SCANLAB_SCHEDULE=visibility=week run -- "$weak" chain; expect 2; says err 'SCANLAB_SCHEDULE'
  SCANLAB_SCHEDULE=visibility=weak,seed=1,warps=random run --no-checks -- "$weak" chain_no_publisher_fence; expect 1
  SCANLAB_SCHEDULE=visibility=weak,seed=1 run --no-checks --schedule order=in -- "$weak" chain_no_publisher_fence; expect 0
  "$bin/sl-run" 01 --schedule warp=random > out 2> err; status=$?; expect 2; says err 'did you mean warps?'
  "$bin/sl-bench" sim --schedule device=t5 > out 2> err; status=$?; expect 2; says err 'did you mean t4?'
  "$bin/sl-student" check 01 --schedule x=1 > out 2> err; status=$?; expect 2; says err "has no 'x'" ;;
memory)
  # What nobody has written: marked bytes, zeros, or anything, the same for the same seed. Read all the same: memory.uninit.
  run --no-checks -- "$bin/cudart_fresh"; expect 0
  for what in device heap shared; do says out "$what cdcdcdcd"; done
  run --memory zeros --report r.json -- "$bin/cudart_fresh"; expect 0
  for what in device heap shared; do says out "$what 00000000"; done
  says err 'error\[memory.uninit\]'; says err 'replay  ./scanlab sim --schedule memory=zeros -- '
  run --no-checks --schedule memory=random,seed=3 --digest a -- "$bin/cudart_fresh"; expect 0
  for what in device heap shared; do says out "$what mixed"; done
  run --no-checks --memory random --seed 3 --digest b -- "$bin/cudart_fresh"; cmp a b || fail "the same seed, other memory"
  run --no-checks --memory random --seed 4 --digest b -- "$bin/cudart_fresh"; cmp -s a b && fail "another seed, the same memory"
  run --memory zeroes -- "$bin/cudart_fresh"; expect 2; says err 'did you mean zeros?' ;;
device)
  run --device list; expect 0; says out 'h200'; says out 'multiprocessors  *40  *40  *108  *132  *132  *2 '
  run --device t4 -- "$bin/cudart_device"; expect 0; says out '7.5, 40 multi.* 4 blocks'
  run --device h200 -- "$bin/cudart_device"; expect 0; says out '9.0, 132 multiprocessors, 150109880320 bytes, shared 232448 + 1024 of 233472, 8 blocks'
  echo '{"name": "half a T4", "base": "t4", "multiprocessors": 20, "total_memory": 8589934592}' > half.json
  run --device half.json -- "$bin/cudart_device"; expect 0; says out '(half.json): 7.5, 20 multiprocessors, 8589934592 bytes'
  bad() { echo "$1" > bad.json; run --device bad.json -- "$weak" chain; expect 3; says err "bad.json.*$2"; }
  bad '{"multiprocesors": 3}' "has no 'multiprocesors'"; says err 'did you mean multiprocessors?'
  bad '{"multiprocessors": "3"}' 'is a string, expected a whole number from 1 to 1024'
  bad '{"multiprocessors": 2.5}' 'a number with a fraction'
  bad '{"multiprocessors": 0}' 'is 0, expected 1 to 1024'
  bad '{"multiprocessors": -1}' 'is -1, expected'
  bad '{"shared_per_block_optin": 200000}' 'more shared memory than it could get'
  bad '{"base": "t5"}' 'built-in device'
  bad '[1]' 'expected a JSON object'
  bad '{"sm": 75,}' ':1: '
  bad '{"sm": 75, "sm": 80}' 'duplicate'
  run --device none.json -- "$weak" chain; expect 3; says err 'none.json' ;;
*) fail "no such case" ;;
esac
