#!/bin/sh
# How fast a class is graded, and where the time goes.
#
#   ./scanlab bench grade [--size N] [-j N]
#
# Makes a class of N submissions (default 50), each of one of the six labs:
# solutions, right kernels of other styles, wrong kernels and skeletons in
# turn, every source a new one. It is graded three times without plots: as it
# comes, with the kernels that are built by then, and without the sandbox. CPU
# seconds say more than the clock where a machine does other work, too.
set -u
usage() {
  sed -n '2,10s/^# \{0,1\}//p' "$0"
  exit "$1"
}
root=$SCANLAB_ROOT build=$SCANLAB_BUILD size=50 jobs=$(nproc)
while [ $# -gt 0 ]; do
  case $1 in
  --help) usage 0 ;;
  --size | -j)
    case ${2:-} in '' | *[!0-9]* | 0) echo "bench grade: error: $1 takes a number, found '${2:-}'" >&2; exit 2 ;; esac
    [ "$1" = -j ] && jobs=$2 || size=$2
    shift 2 ;;
  *) echo "bench grade: error: unknown argument '$1'" >&2; usage 2 >&2 ;;
  esac
done
[ -d "$root/solutions" ] || { echo "bench grade: error: there are no solutions in this tree, and the class is made of them" >&2; exit 3; }
work=$build/bench_grade
# The folder of the run before goes last: a file system may look over what was deleted in the last minute
# for each file that it makes (ext4 without a journal), and nobody grades then.
rm -rf "$work.before" && { [ ! -e "$work" ] || mv "$work" "$work.before"; } && mkdir -p "$work/class" || exit 4
trap 'rm -rf "$work.before"' EXIT

# pick LINE < NAMES: one of the names, over and over
pick() { awk -v k="$1" '{ at[NR - 1] = $0 } END { print at[k % NR] }'; }

make_kernel() { # K PLACE: the kernel of submission K
  right=$root/harness/corpus/labs/right/right.sh wrong=$root/harness/corpus/labs
  lab=${2%%_*}
  case $(($1 / 6 % 4)) in
  0) cat "$root/solutions/$2/kernel.cu" ;;
  1) sh "$right" "$lab/$(sh "$right" list | awk -v lab="$lab" '$1 == lab { print $2 }' | pick $(($1 / 24 * 2)))" ;;
  2) sh "$wrong/wrong.sh" "$2/$(basename "$(ls "$wrong/$2"/*.diff | pick $(($1 / 24 * 5 + 1)))" .diff)" ;;
  3) cat "$root/labs/$2/kernel.cu" ;;
  esac
  echo "// handed in by $1 at $(date +%s)"
}
k=0
while [ $k -lt "$size" ]; do
  place=$(ls "$root/labs" | grep '^0[1-6]_' | pick $k)
  mkdir -p "$work/class/s$k/$place"
  make_kernel $k "$place" > "$work/class/s$k/$place/kernel.cu" || exit 4
  k=$((k + 1))
done

# measured NAME COMMAND..: writes "SECONDS CPU_SECONDS SYSTEM_SECONDS" to NAME
measured() {
  name=$1
  shift
  begin=$(date +%s.%N)
  (
    "$@" > "$work/said" 2>&1
    code=$?
    [ $code -le 1 ] || { cat "$work/said" >&2; exit $code; }
    times > "$work/times"
  ) || exit $?
  awk -v from="$begin" -v to="$(date +%s.%N)" 'function seconds(s,  p) { split(s, p, "m"); return 60 * p[1] + p[2] }
    END { print to - from, seconds($1) + seconds($2), seconds($2) }' "$work/times" > "$work/$name"
}
grade() { "$build/bin/sl-grade" "$work/class" --out "$work/out" --no-plots --fresh -j "$jobs" "$@"; }
measured cold grade
measured warm grade
cat "$work"/out/students/*/records/*.json > "$work/records"
measured open env SCANLAB_SANDBOX=off "$build/bin/sl-grade" "$work/class" --out "$work/out" --no-plots --fresh -j "$jobs" --no-sandbox

# The steps of the builds, as sl-steps timed them.
stages=$(find "$build/cache" -name steps -newer "$work/class" -exec cat {} + | awk '
  NF == 3 { sum[$1] += $3; all += $3 }
  END {
    if (all) printf "front end %.0f %%, device compiler %.0f %%, host compiler %.0f %%, link %.0f %%", 100 * sum["front_end"] / all,
      100 * sum["device_compiler"] / all, 100 * sum["host_compiler"] / all, 100 * sum["link"] / all
  }')

# What the judge measured of each test.
efforts=$(grep -o '"effort_s":{[^}]*}' "$work/records" | tr -d '"{}' | tr ',:' '\n\n' | awk '
  /^[a-z_]+$/ { name = $0; next } { sum[name] += $0; all += $0 }
  END { if (all) printf "the program and its simulated GPU %.0f %%, the judge %.0f %%", 100 * sum["program"] / all, 100 * (all - sum["program"]) / all }')
cat "$work/cold" "$work/warm" "$work/open" | awk -v n="$size" -v jobs="$jobs" -v stages="$stages" -v efforts="$efforts" '
  { clock[NR] = $1; cpu[NR] = $2; system_[NR] = $3 }
  END {
    printf "%d lab submissions, %d jobs\n", n, jobs
    printf "as handed in      %6.1f a minute   %5.2f CPU s each, %2.0f %% of it in the system\n", 60 * n / clock[1], cpu[1] / n, 100 * system_[1] / cpu[1]
    printf "kernels built     %6.1f a minute   %5.2f CPU s each, %2.0f %% of it in the system\n", 60 * n / clock[2], cpu[2] / n, 100 * system_[2] / cpu[2]
    printf "builds            %5.2f CPU s each: %s\n", (cpu[1] - cpu[2]) / n, stages
    printf "tests             %5.2f CPU s each; of the time within a test: %s\n", cpu[2] / n, efforts
    printf "sandbox of tests  %5.2f CPU s each\n", (cpu[2] - cpu[3]) / n
  }'
