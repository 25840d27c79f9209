#!/bin/sh
# slurm.sh: grades a class on a cluster: one Slurm job a submission, and one that puts them together when all have ended.
#
#   grader/slurm.sh CLASS OUT [SBATCH OPTIONS..]      e.g. grader/slurm.sh submissions /shared/out --cpus-per-task=4
#
# The course, CLASS and OUT must be on disks that all nodes see, and the course be built there (./scanlab build). Each job is
# `scanlab grade CLASS --only NAME --out OUT`, which keeps its records in OUT; the last one grades the whole class, finds the records, and
# writes OUT/report.html, OUT/grades.csv and OUT/results.json. A job that was lost is simply graded by the last one, and
# starting all this again runs only what is missing. SBATCH names another sbatch.
set -u
sbatch=${SBATCH:-sbatch}
stop() {
  printf 'slurm.sh: error: %s\n' "$1" >&2
  exit "$2"
}
[ $# -ge 2 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
class=$(CDPATH='' cd -- "$1" 2>/dev/null && pwd -P) || stop "$1: is no folder" 3
mkdir -p "$2" || stop "$2: cannot be made" 3
out=$(CDPATH='' cd -- "$2" && pwd -P)
shift 2
command -v "$sbatch" >/dev/null 2>&1 || stop "there is no $sbatch here: grade without Slurm (./scanlab grade $class), or name it with SBATCH" 4

# Names as they are, one a line: a name with a newline in it is no name for a cluster.
find "$class" -mindepth 1 -maxdepth 1 -type d ! -name '.*' ! -name '*
*' -printf '%f\n' | LC_ALL=C sort >"$out/names.txt"
n=$(wc -l <"$out/names.txt")
[ "$n" -gt 0 ] || stop "$class: there is no folder in it" 3

cat >"$out/one.sh" <<END
#!/bin/sh
name=\$(sed -n "\${SLURM_ARRAY_TASK_ID}p" "\$2/names.txt")
SCANLAB_OFFLINE=1 "\$3/scanlab" grade "\$1" --only "\$name" --out "\$2" -j "\${SLURM_CPUS_PER_TASK:-1}" --no-plots
code=\$?
[ \$code -ne 1 ] || exit 0 # points were lost: that is no failure of the job
exit \$code
END
cat >"$out/all.sh" <<END
#!/bin/sh
SCANLAB_OFFLINE=1 exec "\$3/scanlab" grade "\$1" --out "\$2" -j "\${SLURM_CPUS_PER_TASK:-1}" --csv "\$2/grades.csv" --json "\$2/results.json"
END
id=$("$sbatch" --parsable --job-name=scanlab --array="1-$n" --output="$out/slurm-%a.log" "$@" "$out/one.sh" "$class" "$out" "$root") ||
  stop "the jobs could not be submitted" 4
last=$("$sbatch" --parsable --job-name=scanlab-all --dependency="afterany:${id%%;*}" --output="$out/slurm-all.log" "$@" "$out/all.sh" "$class" "$out" "$root") ||
  stop "the last job could not be submitted; the others ($id) run" 4
echo "$n submissions: job ${id%%;*}; all together: job ${last%%;*}, then $out/report.html"
