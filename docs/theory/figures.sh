#!/bin/sh
# The pictures of the handouts, drawn from what the solutions do on the simulated GPU.
#   docs/theory/figures.sh            makes docs/theory/figures/*.svg anew
#   docs/theory/figures.sh --check    fails when one of them is not what it would make
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P) || exit 4
folder=$root/docs/theory/figures
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
failed=0

# figure NAME LAB ARGS..
figure() {
  name=$1 lab=$2
  shift 2
  "$root/scanlab" trace "${lab%%_*}" --file "$root/solutions/$lab/kernel.cu" --svg "$tmp/$name.svg" --quiet --plain "$@" \
    >"$tmp/log" 2>&1 || { cat "$tmp/log"; failed=1; }
}

# What a picture shows, without what names gnuplot's version. Other versions may place things otherwise: words alone.
content() {
  case $(gnuplot --version) in
    "gnuplot 5.4"*) sed '/^<desc>/d' "$1" ;;
    *) sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' "$1" | sed 's/<[^>]*>//g' ;;
  esac
}

figure 01 01_naive_scan --title 'Hillis and Steele: each step adds the element twice as far away'
figure 02 02_double_buffer --title 'The same from one half of the buffer to the other: one barrier a step'
figure 03 03_blelloch --title 'Blelloch: up-sweep to the total, 0 at the root, down-sweep to the prefixes'
figure 03-banks 03_blelloch --view banks --n 256 --title 'Lab 03, n = 256: words of the worst request of each step, by bank'
figure 04-banks 04_bank_conflicts --view banks --n 256 --title 'Lab 04, n = 256: the same tree at padded addresses'
figure 05 05_arbitrary_size --n 8192 --group 2048 --array in,out,sums,data,offsets \
  --names 'input;scanned tiles;sums of tiles;scanned sums;result' \
  --title 'Four tiles of 2048, each cell shows the last element: scan tiles, scan their sums, add'
figure 06 06_radix_sort --entry sort --bits 1 --array from,to --launches 1:8 --format bin --split \
  --names 'keys;by bit 0;by bits 1, 0;by bits 2 to 0;sorted' \
  --title 'One bit a pass, least significant first: zeros to the front, stably'
figure 11 11_compaction --title 'Compaction: kept elements move to the left, in their order'
figure 12 12_run_lengths --title 'Run lengths: values and starts by number of the run, lengths from starts'
figure 13 13_segmented_scan --title 'Segmented scan: sums that begin anew at each head'
figure 14 14_summed_area --title 'Summed-area table, rows of four: along the rows, then down the columns'
figure 17 17_brent_kung --title 'Brent and Kung: up as in lab 03, and back to the late places'

# One pass of it: computed, not traced.
echo 3 1 7 0 4 1 6 3 | awk -v bit=0 -f "$root/docs/theory/split.awk" >"$tmp/06-split.svg" || failed=1

if [ "${1:-}" = --check ]; then
  for file in "$tmp"/*.svg; do
    old=$folder/${file##*/}
    content "$file" >"$tmp/new.txt"
    content "$old" >"$tmp/old.txt"
    cmp -s "$tmp/new.txt" "$tmp/old.txt" || { echo "${file##*/} is out of date: docs/theory/figures.sh makes it anew"; failed=1; }
  done
  for file in "$folder"/*.svg; do [ -e "$tmp/${file##*/}" ] || { echo "${file##*/}: nothing makes it"; failed=1; }; done
elif [ $failed -eq 0 ]; then
  mkdir -p "$folder" && cp "$tmp"/*.svg "$folder/"
fi
exit $failed
