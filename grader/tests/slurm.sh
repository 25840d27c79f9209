#!/bin/sh
# slurm.sh WORK: a class of folders and archives is graded on a real Slurm that this test starts, with two nodes on this machine (no root,
# no systemd, a munge of its own). A task is cancelled and a node dies while they grade; the book is that of a grading without Slurm.
# Started again, nothing is graded twice. 77: there is no Slurm.
set -u
. "$(dirname "$0")/problems.sh"
work=$1
for program in slurmctld slurmd munged sbatch; do
  command -v $program > /dev/null 2>&1 || PATH=$PATH:/usr/sbin
  command -v $program > /dev/null 2>&1 || { echo "skipped: there is no $program (apt-get install slurm-wlm munge)"; exit 77; }
done
rm -rf "$work" && mkdir -p "$work/class" || exit 4
cd "$work" || exit 4
daemons=$(mktemp -d) && chmod 755 "$daemons" || exit 4
controller='' munge='' node1='' node2=''
stop_all() {
  for pid in $node1 $node2 $controller; do kill "$pid" 2> /dev/null; done
  [ -z "$controller" ] || wait "$controller" 2> /dev/null
  [ -z "$munge" ] || kill "$munge" 2> /dev/null
  rm -rf "$daemons"
}
trap stop_all EXIT
trap 'exit 130' INT TERM
give_up() {
  problem "$*"
  tail -n 20 "$daemons"/*.log
  exit 1
}
# within SECONDS COMMAND..: waits until COMMAND succeeds
within() {
  tries=$(($1 * 5))
  shift
  until "$@"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || return 1
    sleep 0.2
  done
}

# The cluster -----------------------------------------------------------------------------------------------
# Ports that nobody listens on.
port=$((20000 + $$ % 20000))
while grep -qi "$(printf ':%04X' $port)\|$(printf ':%04X' $((port + 1)))\|$(printf ':%04X' $((port + 2)))" /proc/net/tcp; do port=$((port + 3)); done
mkdir -m 700 "$daemons/munge" "$daemons/state" "$daemons/one" "$daemons/two" && mkdir -m 755 "$daemons/sock"
cat > "$daemons/slurm.conf" << END
ClusterName=lab
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$daemons/sock/s
CredType=cred/munge
StateSaveLocation=$daemons/state
SlurmdSpoolDir=$daemons/%n
SlurmctldPidFile=$daemons/slurmctld.pid
SlurmdPidFile=$daemons/%n.pid
SlurmctldPort=$port
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc=$daemons/ended.txt
ReturnToService=2
KillWait=2
SchedulerParameters=sched_min_interval=0,sched_interval=1,batch_sched_delay=0
NodeName=one NodeHostName=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 State=UNKNOWN
NodeName=two NodeHostName=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 State=UNKNOWN
PartitionName=lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$daemons/slurm.conf"
head -c 128 /dev/urandom > "$daemons/munge/key" && chmod 600 "$daemons/munge/key"
munged --foreground --key-file="$daemons/munge/key" --socket="$daemons/sock/s" --pid-file="$daemons/munge/pid" \
  --seed-file="$daemons/munge/seed" --log-file="$daemons/munge/log" > "$daemons/munged.log" 2>&1 & munge=$!
within 10 test -S "$daemons/sock/s" || give_up "munged does not start"
slurmctld -D -f "$SLURM_CONF" > "$daemons/slurmctld.log" 2>&1 & controller=$!
slurmd -D -N one -f "$SLURM_CONF" > "$daemons/one.log" 2>&1 & node1=$!
slurmd -D -N two -f "$SLURM_CONF" > "$daemons/two.log" 2>&1 & node2=$!
are_idle() { [ "$(sinfo -h -t idle -o %D 2> /dev/null)" = 2 ]; }
within 30 are_idle || give_up "the nodes do not come up: $(sinfo -N 2>&1)"

# The class -------------------------------------------------------------------------------------------------
place=01_naive_scan
for name in anna 'björn m' carla '=dora' emil finn; do
  mkdir -p "class/$name/$place"
  cp "$SCANLAB_ROOT/solutions/$place/kernel.cu" "class/$name/$place"
  # each of its processes sleeps, so that a task lasts long enough to be lost
  printf '// %s\n#include <unistd.h>\nstatic int late = usleep(300000);\n' "$name" >> "class/$name/$place/kernel.cu"
done
cp "$SCANLAB_ROOT/labs/$place/kernel.cu" class/finn/$place
echo 'int x = ;' > class/emil/$place/kernel.cu
for name in 'björn m' carla finn; do # as archives, flat or with a folder around everything
  case $name in
  carla) tar -cJf class/carla.tar.xz -C class carla ;;
  *) tar -czf "class/$name.tar.gz" -C "class/$name" $place ;;
  esac
  rm -r "class/$name"
done
echo 'no archive' > class/gabi.zip
head -c 32 /dev/urandom > 'a key' && chmod 600 'a key'
"$SCANLAB_ROOT/scanlab" grade class --lab 01 --key 'a key' --out local --json local.json > said 2>&1
[ $? -eq 1 ] || give_up "without Slurm: $(cat said)"
[ "$(grep -c '"status": "taken"' local/manifest.json)" -eq 6 ] && grep -q 'gabi.*cannot be read' said || problem "the archives: $(cat said)"

submit() { # options reach sbatch and the grading word by word
  "$SCANLAB_ROOT/grader/slurm.sh" class out --chunks=3 --no-requeue --comment='a b' -- --lab 01 --key "$work/a key" > said 2>&1 ||
    give_up "slurm.sh: $(cat said)"
  job=$(sed -n 's/.*: job \([0-9]*\); all.*/\1/p' said)
  last=$(sed -n 's/.*together: job \([0-9]*\),.*/\1/p' said)
  [ -n "$job" ] && [ -n "$last" ] || give_up "no numbers of jobs: $(cat said)"
}
has_ended() { [ -z "$(squeue -h -j "$1" 2> /dev/null)" ]; }
same_book() {
  grep -v '"seconds"' local.json > a && grep -v '"seconds"' out/results.json > b && cmp -s a b || { problem "$1: another book"; diff a b | head; }
  [ "$(wc -l < out/grades.csv)" -eq 8 ] && [ -s out/report.html ] || problem "$1: grades.csv, report.html"
}
ended_as() { grep -q "JobId=$1 .*JobState=$2 " "$daemons/ended.txt" || { problem "job $1 is not $2"; cat "$daemons/ended.txt"; }; }

# A node dies, with all that runs there; then a task is cancelled ---------------------------------------------
to_all() { for pid in $pids; do [ "$pid" -le 1 ] || kill "$1" "$pid" 2> /dev/null; done; }
holds() { # NODE: sets [held] to the job that grades there, which is stopped, so that it cannot end before; [pids]: its processes, slurmstepd
  held=$(squeue -h -t R -w "$1" -o %A) pids='' seen=''
  [ -n "$held" ] || return 1
  for p in $(grep -slzxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ | xargs -r grep -slzxF "SLURM_JOB_ID=$held"); do
    p=${p%/environ}
    kill -STOP "${p#/proc/}" 2> /dev/null || continue
    { tr '\0' ' ' < "$p/cmdline"; } 2> /dev/null | grep -q -- '--part' && seen=1
    pids="$(sed -n 's/^PPid:[^0-9]*//p' "$p/status" 2> /dev/null) $pids ${p#/proc/}"
  done
  [ -n "$seen" ] || { to_all -CONT; return 1; }
}
submit
within 60 holds two || give_up "nothing runs on node two: $(squeue)"
lost=$held
kill -9 "$node2"
to_all -9
node2=''
scontrol update nodename=two state=down reason=lost || problem "node two is not given up"
within 60 holds one || give_up "nothing runs on node one: $(squeue)"
cancelled=$held
scancel "$(squeue -h -w one -o %i)" # an array's task goes by the array's number
within 120 has_ended "$last" || give_up "the last job does not end: $(squeue)"
same_book "after a node and a task were lost"
ended_as "$lost" NODE_FAIL
ended_as "$cancelled" CANCELLED
ended_as "$last" COMPLETED # though points were lost

# Once more: everything is kept -------------------------------------------------------------------------------
touch before
submit
within 120 has_ended "$last" || give_up "the last job does not end: $(squeue)"
same_book "graded again"
[ -z "$(find out/students -path '*records/*' -newer before)" ] || problem "tests ran again"
[ "$(grep -l ' unchanged' out/slurm-*.log | wc -l)" -eq 4 ] || { problem "the logs of four jobs"; cat out/slurm-*.log; }
for k in 1 2 3; do grep -q "ArrayTaskId=$k .*JobState=COMPLETED\|JobState=COMPLETED .*ArrayTaskId=$k" "$daemons/ended.txt" || problem "task $k"; done
no_problems
