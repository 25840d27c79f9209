#!/bin/sh
# attacks.sh: submissions that try to get points that they have not earned, or to harm. A line of a file here,
#
#   // attack LAB NAME [ci]: MACRO[=VALUE] .. | at most POINTS
#
# is one: the file, compiled with these macros behind the lab's solution, whose entry is called honest there. "ci": tried by every
# run of the tests. "sim" instead: not tried on a real GPU, whose driver needs what the simulated one forbids, or tells only the program
# what happened.
#
#   attacks.sh list                  LAB NAME POINTS of all
#   attacks.sh LAB/NAME              prints the kernel
#   attacks.sh ci|all|LAB/NAME.. WORK [OPTION..]   grades them, a class a lab, with the options of ./scanlab grade
#   attacks.sh ci:K/N|all:K/N WORK [OPTION..]      the K-th of N parts of them, for a machine lent for minutes
#
# None may get more than its points, none may reach anything (what it prints then begins with REACHED), and this must be as before
# afterwards: a file with a secret, the grader's key, its place in the schedule, the files of /tmp and /dev/shm, the processes, and
# the points of an honest submission of the same class. Nothing that grading leaves holds what a terminal obeys or what turns a text
# round. Grading on a GPU: attacks.sh all WORK --backend gpu. What a lab's class got
# is told when that class has been graded: a run that is cut short has said what it knows.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
root=${SCANLAB_ROOT:-$(CDPATH='' cd -- "$here/../../.." && pwd -P)}
build=${SCANLAB_BUILD:-$root/build/sim}
secret=${TMPDIR:-/tmp}/scanlab-attacks-secret

rows() { sed -n 's#^// attack \([0-9]*\) \([a-z0-9_]*\)\( ci\| sim\)\{0,1\}: \(.*\) | at most \([0-9]*\).*#\1 \2 \5 \3:\4#p' "$@"; }
lab_folder() { basename "$root/labs/$1"_*; }
# The prototype of an optional lab's entry point, on one line; nothing for the others.
prototype() { cat "$root/labs/$1"_*/entry.h 2> /dev/null | tr '\n' ' ' | sed -n 's/.*cudaError_t \(lab[0-9]*_[a-z0-9_]*([^)]*)\);.*/\1/p'; }
entry() {
  sed -n "s/^SL_LAB($1, .*, \([a-z0-9_]*_scan\), .*/\1/p" "$root/harness/include/scanlab/labs.def"
  prototype "$1" | sed 's/(.*//'
}
# Of an optional lab: its parameters, and their names.
params() { prototype "$1" | sed 's/^[^(]*(\(.*\))/\1/'; }
args() { params "$1" | sed 's/[^,]*[ *]\([a-z0-9_]*\) *\(,\|$\)/\1\2/g; s/,/, /g'; }

kernel() { # LAB NAME
  for file in "$here"/*.cu; do
    macros=$(rows "$file" | sed -n "s/^$1 $2 [0-9]* [^:]*:\(.*\)/\1/p")
    [ -n "$macros" ] && break
  done
  [ -n "$macros" ] || { echo "attacks.sh: there is no $1/$2" >&2; exit 3; }
  lab=$(lab_folder "$1")
  echo "#define $(entry "$1") honest"
  cat "$root/solutions/$lab/kernel.cu"
  echo "#undef $(entry "$1")"
  echo "#define LAB $((1$1 - 100))"
  echo "#define ENTRY $(entry "$1")"
  [ "$1" = 06 ] && echo '#define SIZE size_t' || echo '#define SIZE int'
  echo "#define PARAMS $(params "$1")"
  echo "#define ARGS $(args "$1")"
  echo "#define CANARY \"$secret/file\""
  echo "#define SOLUTION \"$root/solutions/$lab/kernel.cu\""
  echo "#define REFERENCE \"$build/lib/sl_reference_$1.so\""
  for macro in $macros; do
    case $macro in *=*) echo "#define ${macro%%=*} ${macro#*=}" ;; *) echo "#define $macro" ;; esac
  done
  sed -e "/^#include \"shared.cuh\"/{r $here/shared.cuh" -e 'd;}' "$file"
}

# What must not change.
state() {
  cat "$secret/file"
  stat -c '%a %u' "$secret/file"
  sha256sum "$build/grade.key"
  find /tmp /dev/shm /var/tmp /run -maxdepth 1 -name '*attack*' ! -name 'scanlab-attacks-secret' 2> /dev/null
  chrt -p $$ 2> /dev/null
  ionice -p $$ 2> /dev/null
  taskset -p $$ 2> /dev/null | sed 's/.*: //'
  cut -d ' ' -f 18-19 "/proc/$$/stat"
}

case ${1:-} in
list) rows "$here"/*.cu | sed 's/ [^ ]*:.*//' ; exit ;;
ci | all | ci:[1-9]*/[1-9]* | all:[1-9]*/[1-9]*) [ $# -gt 1 ] || { sed -n '2,20s/^# \{0,1\}//p' "$0" >&2; exit 2; } ;;
*/*) [ $# -gt 1 ] || { kernel "${1%/*}" "${1##*/}"; exit; } ;;
*) sed -n '2,20s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

# "ci:2/3": every third row, from the second on.
part() { case $1 in *:*) awk -v k="${1#*:}" '{ split(k, f, "/") } NR % f[2] == f[1] % f[2]' ;; *) cat ;; esac; }
case $1 in
all*) wanted=$(rows "$here"/*.cu | sed 's#^\([0-9]*\) \([a-z0-9_]*\) .*#\1/\2#' | part "$1"); shift ;;
ci*) wanted=$(rows "$here"/*.cu | sed -n 's#^\([0-9]*\) \([a-z0-9_]*\) [0-9]*  ci:.*#\1/\2#p' | part "$1"); shift ;;
*)
  wanted=
  while case ${1:-} in */*) [ ! -d "$1" ] && [ "${1#/}" = "$1" ] ;; *) false ;; esac do wanted="$wanted $1"; shift; done ;;
esac
work=$1
shift
case " $* " in *' --backend gpu '*)
  for one in $(rows "$here"/*.cu | sed -n 's#^\([0-9]*\) \([a-z0-9_]*\) [0-9]*  sim:.*#\1/\2#p'); do
    wanted=$(echo "$wanted" | tr ' ' '\n' | grep -vx "$one")
  done ;;
esac
bad=0
problem() { echo "PROBLEM: $*"; bad=$((bad + 1)); }

[ -n "$wanted" ] || { echo 'attacks.sh: there is no such row' >&2; exit 2; }
rm -rf "$work"
mkdir -p "$work" "$secret" || exit 4
work=$(CDPATH='' cd -- "$work" && pwd -P)
trap 'rm -rf "$secret"' EXIT
echo 'secret-7b1e9' > "$secret/file"
chmod 600 "$secret/file"
for one in $wanted; do
  lab=${one%/*} name=${one##*/}
  mkdir -p "$work/$lab/$name/$(lab_folder "$lab")"
  kernel "$lab" "$name" > "$work/$lab/$name/$(lab_folder "$lab")/kernel.cu" || exit 3
done
[ -e "$build/grade.key" ] || "$build/bin/sl-grade" "$root/labs" --lab 01 --no-plots --out "$work/key" > /dev/null 2>&1
state > "$work/before"
tell() { # LAB NAME
  lab=$1 name=$2 one=$1/$2
  most=$(rows "$here"/*.cu | sed -n "s/^$lab $name \([0-9]*\) .*/\1/p")
  got=$(sed -n "s/^\"$name\",\([0-9.]*\),.*/\1/p" "$work/$lab.csv")
  echo "$one: $got of $most"
  [ -n "$got" ] && awk "BEGIN { exit !($got <= $most) }" || problem "$one got ${got:-nothing}, and may get $most"
  [ "$most" != 0 ] && grep -q "^\"$name\".*does not compile" "$work/$lab.csv" && ! grep -q "attack $lab $name[ :]" "$here/compile.cu" &&
    problem "$one does not compile: $(grep "^\"$name\"" "$work/$lab.csv")"
  reached=$(grep -rhoE 'secret-7b1e9|REACHED[^\\"<]*' "$work/out/$lab/students/$name" | sort | uniq -c | head -5)
  [ -z "$reached" ] || problem "$one reached: $reached"
}
for lab in $(echo "$wanted" | tr ' ' '\n' | sed -n 's#/.*##p' | sort -u); do
  mkdir -p "$work/$lab/zz_honest/$(lab_folder "$lab")"
  cp "$root/solutions/$(lab_folder "$lab")/kernel.cu" "$work/$lab/zz_honest/$(lab_folder "$lab")/"
  "$build/bin/sl-grade" "$work/$lab" --lab "$lab" --no-plots --out "$work/out/$lab" --csv "$work/$lab.csv" "$@" > "$work/$lab.said" 2>&1
  code=$?
  [ $code -le 1 ] || { problem "lab $lab: sl-grade ended with $code"; tail -5 "$work/$lab.said"; }
  for one in $(echo "$wanted" | tr ' ' '\n' | grep "^$lab/"); do tell "$lab" "${one#*/}"; done
  odd=$(LC_ALL=C grep -rlaP '[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]' "$work/out/$lab" "$work/$lab.csv" "$work/$lab.said")
  [ -z "$odd" ] || problem "lab $lab: control characters in $(echo "$odd" | head -3)"
  grep -q '^"zz_honest",100' "$work/$lab.csv" || problem "lab $lab: the honest submission got $(grep zz_honest "$work/$lab.csv")"
done
state > "$work/after"
cmp -s "$work/before" "$work/after" || { problem 'something has changed:'; diff "$work/before" "$work/after"; }
left=$(for p in /proc/[0-9]*; do { tr '\0' ' ' < "$p/cmdline"; } 2> /dev/null | grep -F "$work" | grep -v attacks.sh; done)
[ -z "$left" ] || problem "still running: $left"
echo "$(echo "$wanted" | wc -w) attacks, $bad problems"
[ $bad -eq 0 ]
