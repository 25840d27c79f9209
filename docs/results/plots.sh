#!/bin/sh
# The plots of docs/results/h200-bench, from the values beside them: at most eight lines each, none of one size.
#   docs/results/plots.sh            makes them anew
#   docs/results/plots.sh --check    fails when one of them is not what it would make
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
folder=$root/docs/results/h200-bench
command -v gnuplot >/dev/null || { echo "gnuplot is missing"; exit 77; }
version=$(gnuplot --version)
case ${1-}:$version in
--check:'gnuplot 5.4 '*) ;;
--check:*) echo "skipped: this is $version, the plots are of version 5.4, and others write other files"; exit 77 ;;
esac
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
failed=0

# plot NAME CSV FAMILY TITLE LINE..
plot() {
  name=$1 csv=$2 family=$3 title=$4
  shift 4
  : >"$tmp/$name.dat"
  for line; do
    awk -F, -v family="$family" -v line="$line" '
      $1 == family && $2 == line && (elements == "" || $3 == elements) { elements = $3; if (!n++) print "\"" line "\""; print $4, $5 }
      END { print "\n"; exit n < 2 }' "$folder/$csv" >>"$tmp/$name.dat" || { echo "$csv: no line $line"; failed=1; }
  done
  gnuplot - <<EOT
set terminal svg size 960,560 font 'sans-serif,14' background 'white'
set output '$tmp/$name.svg'
set logscale xy
set logscale x 2
set format x '2^{%L}'
set format y '10^{%L}'
set key outside right maxcols 1 Left reverse samplen 2.5 font ',12' noenhanced
set grid lc rgb '#dddddd'
set border 3
set tics nomirror
set xlabel 'elements'
set ylabel 'time (ms)'
set title '$title'
stats '$tmp/$name.dat' using 1 nooutput
set xrange [STATS_min/1.5:STATS_max*1.5]
array c[8] = ['#4477aa', '#ee6677', '#228833', '#b8860b', '#2e9fbf', '#aa3377', '#e67e00', '#444444']
plot for [i=0:$(($# - 1))] '$tmp/$name.dat' index i using 1:2 with linespoints lc rgb c[i+1] pt 7 ps 0.6 lw 2 title columnheader(1)
EOT
}

plot scan bench.csv scan 'one scan on an H200' '05 arbitrary size' '06 single pass' 'CPU one core' 'CPU all cores' best lookback CUB copy
plot sort bench.csv sort 'one sort on an H200' '06 1-bit digits' '06 4-bit digits' '06 8-bit digits' 'CPU one core' 'CPU all cores' onesweep CUB
plot ladder ladder.csv scan 'steps of lab 05 on an H200' 05a_taught 05b_coarse 05c_vectors 05e_reduce lookback pipeline CUB copy

# Other versions of gnuplot may place things elsewhere: then only the words are compared.
content() {
  case $(gnuplot --version) in
    "gnuplot 5.4"*) sed '/^<desc>/d' "$1" ;;
    *) sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' "$1" | sed 's/<[^>]*>//g' ;;
  esac
}
for name in scan sort ladder; do
  if [ "${1:-}" != --check ]; then [ $failed -ne 0 ] || cp "$tmp/$name.svg" "$folder/"; continue; fi
  content "$tmp/$name.svg" >"$tmp/new"
  content "$folder/$name.svg" | cmp -s - "$tmp/new" || { echo "$name.svg is out of date: docs/results/plots.sh makes it anew"; failed=1; }
done
exit $failed
