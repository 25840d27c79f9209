#!/bin/sh
# locked_down.sh BIN FOLDER: which sandbox is used on kernels that lack Landlock or namespaces, as the record and doctor name it.
# What is right on this machine, with everything, is what the kernel has: exit code 77, skipped, without Landlock.
set -u
bin=$1
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
failed=0 under=
unset SCANLAB_SANDBOX SCANLAB_REQUIRE_SANDBOX
cat > "$work/kernel.cu" << 'END'
#include "scanlab/lab.h"
cudaError_t lab03_blelloch_scan(const float *, float *, int) { return cudaSuccess; }
END

# without WHAT.. -- COMMAND..: runs it where WHAT is lacking, as $under says.
# shellcheck disable=SC2086 # words
without() { $under "$bin/locked_down" "$@" > "$work/said" 2>&1; }

# expect NAMES WHAT..: without WHAT the record says one of NAMES (with |), and the line of doctor says the same.
expect() {
  names=$1
  shift
  rm -f "$work/record.json"
  without "$@" -- "$bin/sl-run" 03 --file "$work/kernel.cu" --n 0 --record "$work/record.json" ||
    { echo "without ${*:-nothing}: it does not run"; cat "$work/said"; failed=1; }
  got=$(sed -n 's/.*"sandbox":"\([^"]*\)".*/\1/p' "$work/record.json")
  echo "without ${*:-nothing}: $got"
  echo "$got" | grep -qxE "$names" || { echo "expected $names"; cat "$work/said"; failed=1; }
  case $got in none) line='note sandbox this system has neither Landlock' ;; *) line="ok sandbox $got: other people" ;; esac
  without "$@" -- "$bin/sl-student" doctor
  grep -A2 'sandbox' "$work/said" | tr -s ' \n' ' ' | grep -qF "$line" || { echo "doctor does not say: $line"; cat "$work/said"; failed=1; }
}
expect 'landlock([+]namespaces)?([+]cgroup)?'
case $got in landlock*) ;; *) echo "skipped: this kernel has no Landlock"; exit 77 ;; esac
expect 'landlock([+]cgroup)?' namespaces
expect 'bubblewrap([+]cgroup)?|none' landlock
if [ "$got" = none ] && bwrap --unshare-all --ro-bind / / --proc /proc true 2> /dev/null; then
  echo "bubblewrap is there and not used"
  failed=1
fi
expect none landlock namespaces
expect none landlock namespaces limits # as gVisor

# Without any, nothing of others is judged.
SCANLAB_REQUIRE_SANDBOX=1 "$bin/locked_down" landlock namespaces -- "$bin/sl-run" 03 --file "$work/kernel.cu" --n 0 > "$work/said" 2>&1
[ $? -eq 4 ] && grep -q 'there is no sandbox' "$work/said" || { echo "it ran without a sandbox:"; cat "$work/said"; failed=1; }

# Without filters of system calls nothing is run, which is said; SCANLAB_SANDBOX=off runs it all the same.
ran() { "$bin/locked_down" landlock namespaces filters -- env "$@" "$bin/sl-run" 03 --file "$work/kernel.cu" --n 0 > "$work/said" 2>&1; }
ran SCANLAB_SANDBOX= && { echo "it ran without a filter of system calls"; failed=1; }
grep -q 'a filter of system calls (seccomp)' "$work/said" || { echo "it does not say that filters of system calls are missing:"; cat "$work/said"; failed=1; }
ran SCANLAB_SANDBOX=off || { echo "it does not run without filters of system calls:"; cat "$work/said"; failed=1; }

# A container without privileges: no capability and no new privileges, with user namespaces and without.
if setpriv --no-new-privs --inh-caps=-all true 2> /dev/null; then
  under='setpriv --no-new-privs --inh-caps=-all'
  [ "$(id -u)" != 0 ] || under="$under --bounding-set=-all"
  echo "in a container without privileges:"
  expect 'landlock([+]namespaces)?([+]cgroup)?'
  expect 'landlock([+]cgroup)?' namespaces
else
  echo "not looked at: a container without privileges, for setpriv does not take them away here"
fi
exit $failed
