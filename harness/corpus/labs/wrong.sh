#!/bin/sh
# wrong.sh: the wrong submissions, made of the solutions. LAB/NAME.diff begins with the tests that it fails (../expectation.h),
# "// first: WHAT in NN.K", what `check` should tell first (docs/results/first_messages.sh), and a line that says why; then comes
# what it changes in the solution's kernel.cu: after each @@ a piece of it, lines that stay (a blank before them), that go (-)
# and that come (+). The piece must be there exactly once. ../mistakes/LAB.txt has more of them, each behind "=== NAME" and
# without the tests: they are asked only what `check` tells first.
#
#   wrong.sh LAB/NAME         prints the wrong kernel: wrong.sh 03_blelloch/root_not_cleared
#   wrong.sh FOLDER LAB..     makes FOLDER/NAME/LAB/kernel.cu of all of a lab's, as a class to grade
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
solutions=$here/../../../solutions

mistake() { awk -v name="$2" '/^=== / { ours = $2 == name; next } ours' "$here/../mistakes/$1.txt"; }

print_one() { # LAB NAME
  diff=$here/$1/$2.diff begin=expect
  if [ ! -f "$diff" ] && grep -qx "=== $2" "$here/../mistakes/$1.txt" 2>/dev/null; then diff=- begin=first; fi
  [ "$diff" = - ] || [ -f "$diff" ] || { echo "wrong.sh: there is no $1/$2.diff; there are: $(cd "$here" && echo 0*/*.diff)" >&2; exit 3; }
  if [ "$diff" = - ]; then mistake "$1" "$2"; fi | awk -v name="$1/$2" -v begin="// $begin: " '
    function stop(why) { printf "wrong.sh: %s: %s\n", name, why >"/dev/stderr"; failed = 1; exit 1 }
    function times(text, piece,    n, at) { while ((at = index(text, piece)) > 0) { n++; text = substr(text, at + 1) } return n + 0 }
    function apply(    at) {
      if (!hunk) return
      if (times(kernel, "\n" old) != 1) stop("piece " hunk " is in kernel.cu " times(kernel, "\n" old) " times, and must be once:\n" old)
      at = index(kernel, "\n" old)
      kernel = substr(kernel, 1, at) new substr(kernel, at + 1 + length(old))
      old = new = ""
    }
    BEGIN { kernel = "\n" }
    FNR == NR { kernel = kernel $0 "\n"; next }
    FNR == 1 && index($0, begin) != 1 { stop("the first line is not \"" begin "..\"") }
    /^\/\/ / && !hunk { head = head $0 "\n"; why = !/^\/\/ [a-z]*: /; next }
    /^@@/ { apply(); hunk++; next }
    hunk && /^[ +-]/ { if (!/^[+]/) old = old substr($0, 2) "\n"; if (!/^-/) new = new substr($0, 2) "\n"; next }
    hunk && /^$/ { old = old "\n"; new = new "\n"; next }
    { stop("line " FNR " is no part of a piece: " $0) }
    END {
      if (failed) exit 1
      if (!why) stop("no line says what is wrong")
      if (!hunk) stop("it changes nothing")
      apply()
      printf "%s%s", head, substr(kernel, 2)
    }' "$solutions/$1/kernel.cu" "$diff"
}

case $# in
0) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
1) print_one "${1%/*}" "${1##*/}" ;;
*)
  folder=$1
  shift
  for lab; do
    for diff in "$here/$lab"/*.diff; do
      name=$(basename "$diff" .diff)
      mkdir -p "$folder/$name/$lab"
      print_one "$lab" "$name" >"$folder/$name/$lab/kernel.cu"
    done
  done ;;
esac
