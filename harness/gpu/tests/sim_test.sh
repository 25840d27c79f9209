# What sl-sim prints and how it exits: sim_test.sh CASE BIN_DIR. Each case says what it expects.
set -u
. "$(dirname "$0")/said.sh"
prog=$bin/cudart_faults
clean() { ls -d "$dir"/scanlab-* > /dev/null 2>&1 && fail "a folder was left behind"; alive && fail "a process was left behind"; }
alive() { grep -alq "$dir" /proc/[0-9]*/environ 2>/dev/null && pgrep -f "sl-gpu --listen $dir" > /dev/null; }
# Waits at most 10 seconds until the command given succeeds.
until_true() { for _ in $(seq 100); do "$@" && return 0; sleep 0.1; done; return 1; }
dead() { ! alive; }
gone() { ! alive && ! ls -d "$dir"/scanlab-* > /dev/null 2>&1; }
# Is the report JSON? Where there is something to ask.
json() { ! command -v python3 > /dev/null || python3 -m json.tool "$dir/r.json" > /dev/null || fail "not JSON"; }
ready() { grep -q ready "$dir/out"; }
# Starts a program whose kernel never ends; $pid is sl-sim's.
start_loop() { "$sim" -- "$prog" loop > "$dir/out" 2> "$dir/err" & pid=$!; until_true ready || fail "did not start"; sleep 0.2; }

case $1 in
status) run -- "$prog" exit 37; expect 37; run -- "$prog"; expect 0; says out cudaSuccess ;;
signal)
  run -- "$prog" signal; expect 143; says err 'was ended by signal 15 (Terminated); what it had printed but not yet written is lost'
  start_loop; kill -TERM $pid; wait $pid; status=$?; expect 130; says err 'stopped by SIGTERM' ;;
findings)
  run -- "$prog" bounds; expect 10; says out cudaErrorIllegalAddress; says err 'faults.cu:[0-9:]*: error\[memory.bounds\]'
  says err '1 finding'
  run -- "$prog" misaligned; expect 10; says out cudaErrorMisalignedAddress; says err 'error\[memory.misaligned\]'
  run -- "$prog" assert; expect 10; says out cudaErrorAssert
  run -- "$prog" trap; expect 10; says out cudaErrorLaunchFailure
  run -- "$prog" print; expect 0; says out 'thread 1 of print' ;;
report)
  run --report "$dir/r.json" -- "$prog" none; expect 0
  says r.json '{"findings": \[\],'; says r.json '"launch": 0, "grid": \[1, 1, 1\], "block": \[2, 1, 1\]'
  says r.json '"global_st_sectors": 1,'; [ "$(grep -c '"name"' "$dir/r.json")" = 1 ] || fail "not one launch"; json
  run --report "$dir/r.json" -- "$prog" bounds; expect 10
  says r.json '"id": "memory.bounds".*"file": ".*faults.cu", "line": [1-9]'; json
  run --report "$dir/r.json" -- "$prog" signal; expect 143; says r.json '"findings"' ;;
report_unwritable) run --report "$dir/none/r.json" -- "$prog"; [ "$status" != 0 ] || fail "success without a report"; says err none ;;
misuse)
  run; expect 2
  run --ordr in -- "$prog"; expect 2; says err 'did you mean --order'
  run --order sideways -- "$prog"; expect 2; says err sideways
  run --profile h300 -- "$prog"; expect 2; says err "did you mean h[12]00"
  run --seed x -- "$prog"; expect 2 ;;
not_found) run -- no_such_program; expect 125; says err 'no_such_program'; run -- ./no/such; expect 125; says err 'No such file' ;;
folder) run -- "$dir"; expect 125; says err 'folder' ;;
not_executable) echo hello > "$dir/text"; run -- "$dir/text"; expect 125; says err 'not executable' ;;
static) run -- "$bin/cudart_static"; expect 125; says err 'cudart shared' ;;
driver) # linked with a library of that name, as -lcuda does
  echo 'int cuInit(unsigned flags) { return (int)flags; }' > "$dir/lib.c"
  echo 'int cuInit(unsigned); int main(void) { return cuInit(0); }' > "$dir/main.c"
  ${CC:-cc} -shared -fPIC -Wl,-soname,libcuda.so.1 "$dir/lib.c" -o "$dir/libcuda.so"
  ${CC:-cc} "$dir/main.c" -L"$dir" -lcuda -o "$dir/program"
  run -- "$dir/program"; expect 125; says err 'library of the CUDA driver'; says err 'without -lcuda' ;;
no_ptx) run -- "$bin/cudart_no_ptx"; expect 125; says err 'compute_75' ;;
no_device)
  LD_LIBRARY_PATH=$bin/../lib SCANLAB_GPU='' "$prog" > "$dir/out" 2> "$dir/err"; status=$?
  expect 9; says out cudaErrorNoDevice; says err 'scanlab sim -- PROGRAM'
  LD_LIBRARY_PATH=$bin/../lib SCANLAB_GPU=/no/such "$prog" > "$dir/out" 2> "$dir/err"; status=$?
  expect 9; says err '/no/such' ;;
stopped)
  # What was found before a signal is told, in the report, too, and where the kernel was: a signal to sl-sim alone, one to
  # its group (Ctrl-C), and both, as timeout(1) sends them.
  for to in TERM INT 'INT group' 'TERM group' 'TERM both'; do
    setsid "$sim" --report "$dir/r.json" -- "$prog" read_then_loop > "$dir/out" 2> "$dir/err" & pid=$!
    until_true ready || fail "did not start"; sleep 0.5; sig=${to%% *}
    case $to in *group) ;; *) kill -"$sig" $pid ;; esac
    case $to in *' '*) kill -"$sig" -$pid ;; esac
    wait $pid; status=$?; expect 130
    says err 'error\[memory.uninit\]'; says err '2 findings$'; grep -q '"id": "memory.uninit"' "$dir/r.json" || fail "not in the report"
  done ;;
interrupt) start_loop; kill -INT $pid; wait $pid; status=$?; expect 130 ;;
killed_launcher) start_loop; kill -KILL $pid; wait $pid 2> /dev/null; until_true gone || fail "something was left behind" ;;
killed_both)
  # Nobody is left to remove the folder: the next one does, once it is old. It spares the folder of one that runs, and what else has
  # such a name.
  setsid "$sim" -- "$prog" loop > "$dir/out" 2> "$dir/err" & pid=$!
  until_true ready || fail "did not start"; kill -KILL -$pid; wait $pid 2> /dev/null; until_true dead || fail "a process was left behind"
  left=$(echo "$dir"/scanlab-gpu-*); [ -S "$left/gpu" ] || fail "nothing was left behind"; mkdir -m 755 "$dir/scanlab-gpu-others"
  rm "$dir/out"; start_loop; touch -d '1 hour ago' "$dir"/scanlab-gpu-*; run -- "$prog" none; expect 0
  [ ! -e "$left" ] || fail "the folder is still there"
  [ -S "$(echo "$dir"/scanlab-gpu-??????/gpu)" ] || fail "the folder in use is gone"
  kill -INT $pid; wait $pid; status=$?; expect 130; rmdir "$dir/scanlab-gpu-others" || fail "another folder was removed" ;;
killed_gpu)
  # Who ended the simulated GPU is told, once.
  start_loop; pkill -KILL -f "sl-gpu.* --listen $dir"; wait $pid; status=$?
  [ "$status" != 0 ] || fail "success"; says err 'error: the simulated GPU (sl-gpu) was ended from outside: Killed'
  [ "$(grep -c 'sl-sim: error' "$dir/err")" = 1 ] || fail "not told once"
  (ulimit -t 2; exec "$sim" -- "$prog" loop) > "$dir/out" 2> "$dir/err"; status=$?
  [ "$status" != 0 ] || fail "success"; says err 'has used up the processor time that its shell allows' ;;
killed_client)
  # Another program on the same device goes on when the first one is killed in the middle of a kernel.
  cat > "$dir/both.sh" <<SH
"$prog" loop & first=\$!
sleep 1; kill -KILL \$first; wait \$first
exec "$prog" none
SH
  run -- /bin/sh "$dir/both.sh"; expect 0; says out cudaSuccess ;;
timeout) run --timeout 1 -- "$prog" loop; expect 10; says out cudaErrorLaunchTimeout; says err 'error\[progress' ;;
timeout_busy)
  # A machine that is busy for longer than the kernel may take is no fault of the kernel: its processor time counts.
  most=${SL_EMULATED:+30} most=${most:-2} # seconds; qemu takes some ten times as much
  "$sim" --timeout $most -- "$prog" slow > "$dir/out" 2> "$dir/err" & pid=$!
  until_true ready || fail "did not start"
  pkill -STOP -f "sl-gpu.* --listen $dir"; sleep $((most + 1)); pkill -CONT -f "sl-gpu.* --listen $dir"
  wait $pid; status=$?; expect 0; says out cudaSuccess ;;
script) printf '#!/bin/sh\nexec "%s" "$@"\n' "$prog" > "$dir/s.sh"; chmod +x "$dir/s.sh"; run -- "$dir/s.sh" none; expect 0; says out cudaSuccess ;;
gpu)
  run --gpu -- "$prog"
  if [ -e /dev/nvidia0 ] && [ -z "${SL_EMULATED:-}" ]; then expect 0; says out cudaSuccess; else expect 4; says err 'no GPU'; fi
  run --gpu --report "$dir/r.json" -- "$prog"; expect 2 ;;
disassemble)
  run --disassemble -- "$prog"; expect 0; says out 'kernel bounds(int\*)'; says out 'kernel none(int\*)'; says out '  // faults.cu:16: __global__ void none'
  says out ' st.global.u32 \[%rd[0-9]*\], '; ! grep -q cudaSuccess "$dir/out" || fail "the program was run"
  run --disassemble=loop -- "$prog"; expect 0; says out 'bra .*// to [0-9]'; ! grep -q 'kernel none' "$dir/out" || fail "another kernel"
  run --disassemble=lop -- "$prog"; expect 2; says err "no kernel of .* has 'lop' in its name"
  run --disassemble -- /bin/true; expect 3; says err 'holds no kernels' ;;
trace)
  run --trace -- "$prog" none; expect 0; says err '^trace: none(int\*), grid (1,1,1), block (2,1,1)'
  says err 'block (0,0,0) warp 0 .*00000003  faults.cu:16 .*st.global.u32 .*lane 0: %rd[0-9]*=0x2000'
  run --trace=none --trace-lane -1 --trace-file "$dir/t" -- "$prog" none; expect 0; cp "$dir/t" "$dir/err"; says err '    lane 1: .*'
  run --trace=lop -- "$prog" none; expect 0; ! grep -q trace "$dir/err" || fail "another kernel is traced"
  run --trace-block 1 --trace -- "$prog" none; ! grep -q 'warp 0' "$dir/err" || fail "another block is traced"
  run --trace --trace-limit 3 --timeout 1 -- "$prog" loop; expect 10; says err 'trace: 3 instructions shown'; [ "$(grep -c '^block .*warp 0' "$dir/err")" = 3 ] || fail "not 3"
  run --trace-file "$dir/t" -- "$prog" none; expect 2; says err 'without --trace'
  run --trace --trace-file /no/such -- "$prog" none; [ "$status" != 0 ] || fail "no error"; says err '/no/such' ;;
fd) printf '#!/bin/sh\nread x <&5; echo "got $x"\n' > "$dir/s.sh"; chmod +x "$dir/s.sh"; echo five > "$dir/five"; run -- "$dir/s.sh" 5< "$dir/five"; expect 0; says out 'got five' ;;
*) fail "unknown case $1" ;;
esac
until_true gone || clean
echo "$1: all right"
