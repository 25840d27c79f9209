#!/bin/sh
# right.sh: right submissions in many styles. A line of a file here,
#
#   // right LAB NAME: MACRO[=VALUE] ..             full score
#   // right LAB NAME: MACRO .. | loses TEST[, TEST ..]: WHY   what the handout announces; "03.work.*" names several tests
#
# is one submission: the file compiled with these macros and LAB, the lab's number. What several files end with stands in one
# that a line "// then FILE" names.
#
#   right.sh list                   LAB NAME TESTS WHY of all, separated by tabs; "-" where a submission loses nothing
#   right.sh LAB/NAME               prints the kernel
#   right.sh FOLDER LAB [NAME..]    makes FOLDER/NAME/LAB_folder/kernel.cu of all of a lab's, as a class to grade
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
rows() { grep -H '^// right ' "$here"/*.cu; }

list() {
  rows | sed -E 's#^[^:]*:// right ([0-9]+) ([a-z0-9_]+): ([^|]*)$#\1\t\2\t-\t#
    s#^[^:]*:// right ([0-9]+) ([a-z0-9_]+): [^|]*[|] loses ([^:]*): (.*)$#\1\t\2\t\3\t\4#'
}

kernel() { # LAB NAME
  row=$(rows | grep -- "// right $1 $2:") || { echo "right.sh: there is no $1/$2; list names all" >&2; exit 3; }
  file=${row%%:*}
  macros=${row#*"right $1 $2:"}
  defines=$(
    echo "#define LAB $((1$1 - 100))"
    for macro in ${macros%%|*}; do
      case $macro in *=*) echo "#define ${macro%%=*} ${macro#*=}" ;; *) echo "#define $macro" ;; esac
    done
  )
  # behind the includes that the file begins with, where a student would write them
  awk -v defines="$defines" '!done && !/^(\/\/|#include|$)/ { print defines; print "#line " NR " \"kernel.cu\""; done = 1 } { print }' "$file"
  sed -n 's#^// then ##p' "$file" | while read -r rest; do cat "$here/$rest"; done
}

case $# in
0) sed -n '2,14s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
1) if [ "$1" = list ]; then list; else kernel "${1%/*}" "${1##*/}"; fi ;;
*)
  folder=$1 lab=$2
  shift 2
  place=$(basename "$(echo "$here/../../../../labs/$lab"_*)")
  [ $# -gt 0 ] || set -- $(list | awk -v lab="$lab" '$1 == lab { print $2 }')
  for name; do
    mkdir -p "$folder/$name/$place"
    kernel "$lab" "$name" >"$folder/$name/$place/kernel.cu"
  done ;;
esac
