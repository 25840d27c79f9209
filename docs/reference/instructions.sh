#!/bin/sh
# The page of all instructions, made of the instruction table.
#   docs/reference/instructions.sh            makes docs/reference/instructions.md anew
#   docs/reference/instructions.sh --check    fails when the page is not what it would make
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P) || exit 4
page=$root/docs/reference/instructions.md
program=${SCANLAB_BUILD:-$root/build/sim}/bin/instructions_page

if [ "${1:-}" = --check ]; then
  "$program" | diff "$page" - || { echo "instructions.md is out of date: docs/reference/instructions.sh makes it anew"; exit 1; }
else
  "$program" >"$page"
fi
