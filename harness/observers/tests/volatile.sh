#!/bin/bash
# volatile.sh SIM PLAIN VOLATILE: a program whose data are declared volatile costs little more than one whose data are not.
# CPU time, the lesser of two runs, so that a busy machine does no harm.
set -eu
TIMEFORMAT='%U %S'

least() { # PROGRAM: milliseconds
  for _ in 1 2; do
    { time "$sim" -- "$1" >&2; } 2>&1 | tail -1
  done | awk '{ms = 1000 * ($1 + $2); if (NR == 1 || ms < least) least = ms} END {printf "%d", least}'
}

sim=$1
plain=$(least "$2") volatile=$(least "$3")
echo "plain $plain ms, volatile $volatile ms"
[ "$plain" -gt 0 ] && [ "$volatile" -le $((3 * plain)) ] || {
  echo "volatile.sh: volatile data cost more than three times as much: see harness/observers/hearing.c"
  exit 1
}
