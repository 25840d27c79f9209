#!/bin/sh
# How long `check` takes after a change of one line, and where the time goes.
#
#   ./scanlab bench check [--repeats R] [LAB ..]
#
# Each lab's solution gets a new line at its end and is checked, R times
# (default 3); the run with the least CPU time counts. The columns of the
# steps are CPU seconds. "2 cores" is the longest chain of them with the runs
# on both cores: what two cores with nothing else to do need. The clock of a
# busy machine shows more.
set -u
usage() {
  sed -n '2,10s/^# \{0,1\}//p' "$0"
  exit "$1"
}
stop() {
  echo "bench check: error: $2" >&2
  exit "$1"
}
root=$SCANLAB_ROOT build=$SCANLAB_BUILD repeats=3 labs=
while [ $# -gt 0 ]; do
  case $1 in
  --help | -h) usage 0 ;;
  --repeats)
    case ${2:-} in '' | *[!0-9]* | 0) stop 2 "--repeats takes a number, found '${2:-}'" ;; esac
    repeats=$2
    shift 2 ;;
  -*) echo "bench check: error: unknown option '$1'" >&2; usage 2 >&2 ;;
  *) labs="$labs $1"; shift ;;
  esac
done
[ -d "$root/solutions" ] || stop 3 "there are no solutions in this tree, and they are what is checked"
for lab in ${labs:-$(ls "$root/solutions" | sed -n 's/^\([0-9][0-9]\)_.*/\1/p')}; do
  set -- "$root/solutions/${lab%%_*}"_*/kernel.cu
  [ -f "$1" ] || stop 2 "there is no lab '$lab'"
done
work=$build/bench_check
rm -rf "$work" && mkdir -p "$work" || exit 4

# one LAB FILE: "CLOCK CPU FRONT_END DEVICE HOST LINK" of one check
one() {
  { cat "$2"; echo "// changed $(date +%s.%N)"; } >"$work/kernel.cu"
  begin=$(date +%s.%N)
  ("$build/bin/sl-student" check "$1" --file "$work/kernel.cu" --json >"$work/said" 2>"$work/errors"
    code=$?
    [ $code -le 1 ] || { cat "$work/errors" >&2; exit $code; }
    times >"$work/times") || return
  awk -v from="$begin" -v to="$(date +%s.%N)" 'function seconds(s,  p) { split(s, p, "m"); return 60 * p[1] + p[2] }
    FNR == 2 && FILENAME ~ /times$/ { cpu = seconds($1) + seconds($2) }
    /"(front_end|device_compiler|host_compiler|link)": / { gsub(/[",:]/, ""); step[$1] = $2 }
    END { printf "%f %f %f %f %f %f\n", to - from, cpu, step["front_end"], step["device_compiler"], step["host_compiler"], step["link"] }
  ' "$work/times" "$work/said"
}

printf '%-5s%9s%9s%11s%8s%8s%7s%8s%10s\n' lab clock CPU 'front end' device host link runs '2 cores'
for lab in ${labs:-$(ls "$root/solutions" | sed -n 's/^\([0-9][0-9]\)_.*/\1/p')}; do
  set -- "$root/solutions/${lab%%_*}"_*/kernel.cu
  k=0
  while [ $k -lt "$repeats" ]; do
    one "${lab%%_*}" "$1" || exit
    k=$((k + 1))
  done | sort -k2,2n | head -n 1 | awk -v lab="${lab%%_*}" '
    NF == 6 {
      runs = $2 - $3 - $4 - $5 - $6
      printf "%-5s%9.2f%9.2f%11.2f%8.2f%8.2f%7.2f%8.2f%10.2f\n", lab, $1, $2, $3, $4, $5, $6, runs, ($3 > $4 ? $3 : $4) + $5 + $6 + runs / 2
      ok = 1
    }
    END { exit !ok }' || exit 4
done
