#!/bin/sh
# tables.sh [profile]: the tables of docs/theory/README.md have the figures that tables.awk computes; with profile, the table of
# what labs 01 to 04 cost has those that `./scanlab profile` counts for the solutions, and so has the one of lab 17, which sets three trees
# side by side, from `./scanlab run`, and so have the targets of labs 11 to 16.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
page=$root/docs/theory/README.md
failed=0 rows=0
# The row of a table that begins with NAME, without its formulas and blanks.
row() { awk -F'|' -v name="$1" '{ k = $2; gsub(/^ +| +$/, "", k) } k == name { print; exit }' "${2:-$page}"; }
if [ "${1:-}" = profile ]; then
  for lab in 01_naive_scan 02_double_buffer 03_blelloch 04_bank_conflicts; do
    figures=$("$root/scanlab" profile "${lab%%_*}" --n 1024 --file "$root/solutions/$lab/kernel.cu" | awk '
      /^  instructions/ { i = $2 } /^  additions/ { a = $2; b = $NF } /^  shared/ { w = $6 } /of them replays/ { r = $1 } /^  global/ { s = $2 + $5 }
      END { print a " | " b " | " i " | " w " | " r " | " s }')
    rows=$((rows + 1))
    row "lab ${lab%%_*}" | grep -qF "| $figures |" || { echo "lab ${lab%%_*}: the page does not have $figures"; failed=1; }
  done
  beside=$root/labs/17_brent_kung/README.md
  for lab in 02_double_buffer 03_blelloch 17_brent_kung; do
    # Levels are the phases between barriers in which something is added.
    figures=$("$root/scanlab" run "${lab%%_*}" --n 1024 --json --file "$root/solutions/$lab/kernel.cu" | awk '
      { gsub(/[",]/, "") }
      /^ [a-z_]+:/ { of = $1 }
      of == "phases:" && $1 == "adds:" { levels += $2 > 0 }
      of == "counters:" { value[$1] = $2 }
      END { r = value["shared_ld_replays:"] + value["shared_st_replays:"]
        print value["adds:"] " | " levels " | " value["barriers:"] " | " r " | " value["warp_instructions:"] }')
    rows=$((rows + 1))
    row "lab ${lab%%_*}" "$beside" | grep -qF "| $figures |" || { echo "lab ${lab%%_*}: lab 17's page does not have $figures"; failed=1; }
  done
  # The targets of the optional labs: launches, sectors loaded and stored, bytes loaded, each as the handout says them.
  counted() { # LAB "WORDS": the words hold L, S, T, B for these counts
    lab=$1 words=$2
    shift 2
    words=$("$root/scanlab" run "$lab" --json --file "$(echo "$root/solutions/$lab"_*)/kernel.cu" "$@" | awk -v words="$words" '
      { gsub(/[",]/, "") }
      /^ [a-z_]+:/ { of = $1 }
      of == "counters:" { value[$1] = $2 }
      END { sub(/L/, value["launches:"], words); sub(/S/, value["global_ld_sectors:"], words)
        sub(/T/, value["global_st_sectors:"], words); sub(/B/, value["global_ld_bytes:"], words); print words }')
    rows=$((rows + 1))
    tr '\n' ' ' <"$(echo "$root/labs/$lab"_*)/README.md" | grep -qF "$words" || { echo "lab $lab: the handout does not say: $words"; failed=1; }
  }
  counted 11 'the reference loads S sectors, where the input twice is 16384, in L launches' --n 65536 --dist sparse
  counted 12 'in L launches. At n = 65536, `--dist few_distinct`, where six of seven elements begin a run, the reference loads S sectors and stores T' \
    --n 65536 --dist few_distinct
  counted 13 "and S with the tiles' parts, in L launches" --n 65536
  counted 14 'S sectors loaded and as many stored for 256 rows of 256, in L launches' --n 65536 --scalars 256
  counted 15 "and S with the tiles' maps, in L launches" --n 65536
  counted 16 'B bytes loaded for 1000 keys' --n 1000
else
  awk -f "$root/docs/theory/tables.awk" >"${TMPDIR:-/tmp}/tables.$$"
  while IFS='|' read -r name first second; do
    rows=$((rows + 1))
    name=${name% } first=${first# } second=${second# }
    case $name in 2048) [ "$first" = '5 0' ] || { echo "n = 2048: $first replays an access"; failed=1; } ;;
      *) for figure in "${first% }" $second; do
           row "$name" | grep -qF "| $figure |" || { echo "$name: the page does not have $figure"; failed=1; }
         done ;;
    esac
  done <"${TMPDIR:-/tmp}/tables.$$"
  # The times of eleven sizes, from the measurements.
  awk -f "$root/docs/theory/times.awk" "$root/docs/results/h100-harris/bench.csv" >"${TMPDIR:-/tmp}/tables.$$"
  while IFS='|' read -r name figures; do
    rows=$((rows + 1))
    row "${name% }" | grep -qF "|$figures |" || { echo "times of n = ${name% }: the page does not have$figures"; failed=1; }
  done <"${TMPDIR:-/tmp}/tables.$$"
  rm -f "${TMPDIR:-/tmp}/tables.$$"
fi
echo "$rows rows"
[ "$rows" -ge 4 ] && [ "$failed" -eq 0 ]
