#!/bin/sh
# locked_down.sh BIN FOLDER: which sandbox is used on kernels that lack Landlock or namespaces, as the record and doctor name it.
# What is right on this machine, with everything, is what the kernel has: exit code 77, skipped, without Landlock.
set -u
bin=$1
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
failed=0
unset SCANLAB_SANDBOX SCANLAB_REQUIRE_SANDBOX
cat > "$work/kernel.cu" << 'END'
#include "scanlab/lab.h"
cudaError_t lab03_blelloch_scan(const float *, float *, int) { return cudaSuccess; }
END

# expect NAMES WHAT..: without WHAT the record says one of NAMES (with |).
expect() {
  names=$1
  shift
  "$bin/locked_down" "$@" -- "$bin/sl-run" 03 --file "$work/kernel.cu" --n 0 --record "$work/record.json" > "$work/said" 2>&1
  got=$(sed -n 's/.*"sandbox":"\([^"]*\)".*/\1/p' "$work/record.json")
  echo "without ${*:-nothing}: $got"
  echo "$got" | grep -qxE "$names" || { echo "expected $names"; cat "$work/said"; failed=1; }
  rm -f "$work/record.json"
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

# Without any, nothing of others is judged, and doctor says what is missing.
SCANLAB_REQUIRE_SANDBOX=1 "$bin/locked_down" landlock namespaces -- "$bin/sl-run" 03 --file "$work/kernel.cu" --n 0 > "$work/said" 2>&1
[ $? -eq 4 ] && grep -q 'there is no sandbox' "$work/said" || { echo "it ran without a sandbox:"; cat "$work/said"; failed=1; }
# doctor_says WORDS WHAT..: the line of doctor about the sandbox, without WHAT.
doctor_says() {
  words=$1
  shift
  "$bin/locked_down" "$@" -- "$bin/sl-student" doctor > "$work/said" 2>&1
  grep -A2 'sandbox' "$work/said" | tr -s ' \n' ' ' | grep -qE "$words" || { echo "doctor without $*:"; cat "$work/said"; failed=1; }
}
doctor_says 'ok sandbox landlock([+]cgroup)?: other people' namespaces
doctor_says 'note sandbox this system has neither Landlock' landlock namespaces
exit $failed
