#!/bin/sh
# make.sh DIR: the sample class of docs/instructor/term.md, two exports of Gradescope made from the course's own files.
#   DIR/week1   anna: labs 01 and 02, right; bert: lab 01 without its barriers; carla: lab 01, right, a day and a half late
#   DIR/week2   bert: lab 01 mended, a day late; carla: lab 02, right; emil hands in nothing at all
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd -P)
mkdir -p "$1/week1" "$1/week2"

# hand_in WEEK NR NAME TIME LAB..: one submission, and its entry in the export's list.
hand_in() {
  folder=$1/submission_$2
  printf 'submission_%s:\n  :submitters:\n  - :name: %s\n    :sid: %s\n    :email: %s@example.edu\n  :created_at: %s\n' \
    "$2" "$3" "$3" "$3" "$4" >>"$1/submission_metadata.yml"
  shift 4
  for lab; do
    mkdir -p "$folder/$lab"
    cp "$root/solutions/$lab/kernel.cu" "$folder/$lab/kernel.cu"
  done
}

for week in week1 week2; do echo --- >"$1/$week/submission_metadata.yml"; done
hand_in "$1/week1" 1 anna '2026-10-30 17:20:00 Z' 01_naive_scan 02_double_buffer
hand_in "$1/week1" 2 bert '2026-10-30 21:59:00 Z' 01_naive_scan
sed 's/__syncthreads();//' "$root/solutions/01_naive_scan/kernel.cu" >"$1/week1/submission_2/01_naive_scan/kernel.cu"
hand_in "$1/week1" 3 carla '2026-11-01 08:00:00 Z' 01_naive_scan
hand_in "$1/week2" 4 bert '2026-10-31 20:00:00 Z' 01_naive_scan
hand_in "$1/week2" 5 carla '2026-11-06 12:00:00 Z' 02_double_buffer
