#!/bin/sh
# slurm.sh: grades a class on a cluster: an array of Slurm jobs, each with a part of the class, and a last job that puts it together.
#
#   grader/slurm.sh CLASS OUT [--chunks=N] [SBATCH OPTIONS..] [-- GRADE OPTIONS..]
#   grader/slurm.sh submissions /shared/out --cpus-per-task=4 -- --roster roster.csv --overlay hidden.json
#
# The course, CLASS and OUT must be on disks that all nodes see, and the course be built there (./scanlab build). N (by default a chunk
# for each 4 entries of CLASS, at most 250) is the number of jobs in the array. Each runs `scanlab grade CLASS --part K/N --out OUT` with
# GRADE OPTIONS and keeps its records in OUT. The last job grades the whole class, finds the records, and writes OUT/report.html,
# OUT/grades.csv and OUT/results.json. What a lost job left out, the last one grades; starting all this again runs only what is missing.
# Points that are lost are no failure of a job. SBATCH names another sbatch.
set -u
sbatch=${SBATCH:-sbatch}
stop() {
  printf 'slurm.sh: error: %s\n' "$1" >&2
  exit "$2"
}
[ $# -ge 2 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
class=$(realpath -- "$1" 2>/dev/null) && [ -e "$class" ] || stop "$1: is not there" 3
mkdir -p "$2" || stop "$2: cannot be made" 3
out=$(CDPATH='' cd -- "$2" && pwd -P)
shift 2
command -v "$sbatch" >/dev/null 2>&1 || stop "there is no $sbatch here: grade without Slurm (./scanlab grade $class), or name it with SBATCH" 4

# Entries of a folder, or lines of a list of repositories. Names may have newlines: each entry prints one dot.
if [ -d "$class" ]; then n=$(find "$class" -mindepth 1 -maxdepth 1 ! -name '.*' -printf . | wc -c); else n=$(grep -c . "$class"); fi
[ "$n" -gt 0 ] || stop "$class: there is nothing in it" 3
chunks=$(((n + 3) / 4))
[ $chunks -le 250 ] || chunks=250

# "$@" becomes: SBATCH OPTIONS, run.sh and its arguments. A turn moves the first word to the end.
left=$#
while [ $left -gt 0 ] && [ "$1" != -- ]; do
  case $1 in
  --chunks=*) chunks=${1#--chunks=} ;;
  *) set -- "$@" "$1" ;;
  esac
  shift
  left=$((left - 1))
done
case $chunks in '' | *[!0-9]* | 0) stop "--chunks=$chunks is no number of jobs" 2 ;; esac
[ $left -eq 0 ] || { shift; left=$((left - 1)); }
set -- "$@" "$out/run.sh" "$class" "$out" "$root" "$chunks"
while [ $left -gt 0 ]; do
  set -- "$@" "$1"
  shift
  left=$((left - 1))
done

# run.sh CLASS OUT ROOT N GRADE OPTIONS..: one job, or without an array the last one.
cat >"$out/run.sh" <<'END'
#!/bin/sh
class=$1 out=$2 root=$3 n=$4
shift 4
jobs=${SLURM_CPUS_PER_TASK:-1}
if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
  set -- --part "$SLURM_ARRAY_TASK_ID/$n" --no-plots -j "$jobs" "$@"
else
  set -- -j "$jobs" --csv "$out/grades.csv" --json "$out/results.json" "$@"
fi
SCANLAB_OFFLINE=1 "$root/scanlab" grade "$class" --out "$out" "$@"
code=$?
[ $code -ne 1 ] || exit 0 # points were lost: that is no failure of the job
exit $code
END
id=$("$sbatch" --parsable --job-name=scanlab --array="1-$chunks" --output="$out/slurm-%a.log" "$@") ||
  stop "the jobs could not be submitted" 4
last=$("$sbatch" --parsable --job-name=scanlab-all --dependency="afterany:${id%%;*}" --output="$out/slurm-all.log" "$@") ||
  stop "the last job could not be submitted; the others ($id) run" 4
echo "$n submissions in $chunks jobs: job ${id%%;*}; all together: job ${last%%;*}, then $out/report.html"
