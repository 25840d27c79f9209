#!/bin/sh
# profile, trace and diff: what they show of kernels whose counters are known, wrong use, files that cannot be written.
# Usage: tools.sh BIN SOURCE TESTS
set -u
bin=$1 source=$2
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
SCANLAB_ROOT=$source
export SCANLAB_ROOT
mkdir "$tmp/locked"
k01=$source/solutions/01_naive_scan/kernel.cu k02=$source/solutions/02_double_buffer/kernel.cu
k03=$source/solutions/03_blelloch/kernel.cu k04=$source/solutions/04_bank_conflicts/kernel.cu
k06=$source/solutions/06_radix_sort/kernel.cu

. "$(dirname "$0")/said.sh"
narrow() { awk '{ gsub(/[\200-\277]/, "") } length($0) > 80 { print; bad = 1 } END { exit bad }' "$tmp/out" || fail "lines wider than 80"; }
svg() { head -c 200 "$1" 2>/dev/null | grep -q '<svg' || fail "$1 is no SVG"; }

# Help, misuse
for command in profile trace diff; do
  expect 0 out "./scanlab $command" $command --help
  expect 2 err 'unknown option' $command --no-such-option
  expect 2 err 'missing argument' $command
done
for command in profile trace; do
  expect 2 err 'did you mean 03_blelloch?' $command 03_bleloch
  expect 3 err 'no such file' $command 01 --file no/such.cu
  expect 2 err '--n' $command 01 --file "$k01" --n 99999999
  expect 2 err 'distribution' $command 01 --file "$k01" --dist nosuch
done
expect 3 err 'no such file' diff 01 "$k01" no/such.cu
expect 2 err 'unknown backend' diff 01 "$k01" "$k01" --backend tpu
expect 2 err 'these were: naive_scan_kernel' profile 01 --file "$k01" --kernel nosuch
expect 2 err '--launches' trace 01 --file "$k01" --launches x
expect 2 err 'unknown format' trace 01 --file "$k01" --format roman
expect 2 err 'unknown view' trace 01 --file "$k01" --view top
expect 3 err 'cannot create' trace 01 --file "$k01" --svg "$tmp/no/folder/x.svg"
expect 0 out 'plot: ' profile 01 --file "$k01" --svg "$tmp/it's.svg"
grep -q '</svg>' "$tmp/it's.svg" || fail "no plot in a file with a quote"
for command in 'profile 01 --svg' 'trace 01 --svg' 'trace 01 --html'; do # /dev/full stays a device
  expect 4 err '/dev/full: cannot write: No space left' $command /dev/full --file "$k01"
done
[ -c /dev/full ] || fail "/dev/full was replaced"
printf '#include "scanlab/lab.h"\nint x = ;\n' >"$tmp/broken.cu"
expect 3 err 'does not compile' profile 01 --file "$tmp/broken.cu"
expect 3 err 'launched no kernel' profile 01 --file "$source/labs/01_naive_scan/kernel.cu" --n 0

# Counters: 155 replays an access of the tree, and those of loads and stores in pairs (docs/theory); 2046 additions
expect 0 out '465 replays, 32-way conflict' profile 03 --file "$k03" --svg "$tmp/p.svg"
also 'additions     2046 (2.00 an element), barriers 21'
also '1304 of them replays, worst 32-way'
also '573    465  32      .   28        temp[right] = temp[left]..'
also 'further: lanes, excess, split, in a terminal of 111 columns'
# A line of source that does not fit ends so.
grep -E '^ +[0-9]+  [0-9]+ (replays|%)' "$tmp/out" | grep -q '[.][.]$' || fail 'a worst line is cut without a sign'
if LC_ALL=C grep '[^ -~]' "$tmp/out"; then fail 'characters that not every terminal has'; fi
narrow
svg "$tmp/p.svg"
expect 0 out '0 of them replays' profile 04 --file "$k04"
never 'way conflict'
expect 0 out '"shared_st_replays": 497' profile 03 --file "$k03" --json
expect 0 out 'atomic' profile 06 --file "$k06" --entry sort --n 300 --kernel count
narrow
expect 0 out '9217' profile 02 --file "$k02"

# A picture: values and where they came from
expect 0 out 'temp            0*    3*    4*   11*   11*   15*   16*   22*' \
  trace 03 --file "$k03" --svg "$tmp/t.svg"
grep -q '<title>blelloch_kernel, n = ' "$tmp/t.svg" || fail "a picture has no title of its own: $(grep '<title>' "$tmp/t.svg" | head -n 1)"
also 'temp           25*   27*   32*   33*   37*   37*   39*   47*'
also 'lines 46-47     1   0+1     3   2+3'
narrow
svg "$tmp/t.svg"
expect 0 out "temp'" trace 02 --file "$k02" --n 8
expect 0 out '== launch 8: split_kernel' trace 06 --file "$k06" --entry sort --bits 1 --array in,to --launches 0:8 --format bin
also 'to           0000* 0001* 0010* 0011*'
expect 0 out '   3    28  read       32       8   .......8.......8.......8.......8' trace 03 --view banks --n 256 --file "$k03"
expect 0 out '   3    38  read       32       1   11111111111111111111111111111111' trace 04 --view banks --n 256 --file "$k04" --svg "$tmp/b.svg"
svg "$tmp/b.svg"

expect 0 out 'an element of items is several cells: key, place' \
  trace 16 --file "$source/solutions/16_sequential_sort/kernel.cu" --n 2
# Without its first barrier of a step lab 01 has a race, which is marked
awk '/__syncthreads/ && ++n == 2 { next } { print }' "$k01" >"$tmp/race.cu"
expect 0 out '! race' trace 01 --file "$tmp/race.cu" --n 64 --cells 16

# Ranges of grouped cells, names of rows, bits of a pass
expect 0 out 'picture: ' trace 05 --file "$source/solutions/05_arbitrary_size/kernel.cu" --n 5000 --group 2048 --array in,out,sums \
  --names 'first;;sums of tiles' --svg "$tmp/t.svg"
for words in '>2048..4095<' '>4096..4999<' '>first<' '>out<' '>sums of tiles<'; do
  grep -q -- "$words" "$tmp/t.svg" || fail "no $words in the picture"
done
# Without a word from the user a cell is a tile, so that sums and offsets are there; what is left out is told. Words are inside.
within() { # FILE: words that begin at the left end inside the picture, half their size a letter at least
  awk 'match($0, /viewBox="0 0 [0-9.]+/) { width = substr($0, RSTART + 13, RLENGTH - 13) + 0 }
    match($0, /translate\([0-9.]+/) { x = substr($0, RSTART + 10, RLENGTH - 10) + 0 }
    match($0, /font-size="[0-9.]+/) { size = substr($0, RSTART + 11, RLENGTH - 11) + 0; start = /text-anchor="start"/ }
    start && match($0, /<text>.*<\/text>/) {
      text = substr($0, RSTART, RLENGTH)
      gsub(/<[^>]*>|&[a-z]*;/, "", text)
      seen++
      if (x + length(text) * size / 2 > width) bad = 1
    }
    END { exit bad || !seen || !width }' "$1" || fail "words outside of the picture: $1"
}
expect 0 out 'each cell of a long array shows the last of its 2048 elements' trace 05 --n 5000 --svg "$tmp/t.svg" \
  --file "$source/solutions/05_arbitrary_size/kernel.cu"
for words in '>2048..4095<' '>sums<' '>data<'; do grep -q -- "$words" "$tmp/t.svg" || fail "no $words in the picture"; done
# A scan in place is the one that it writes; a cell that holds a sum of its own tile is no copy; names and lines fit in front of them.
also 'out                0*  6144* 12288*'
also 'lines 147-148      0      1      2 '
[ "$(grep -B 1 '>6143<' "$tmp/t.svg" | grep -c 'rgb(30,58,138)')" -eq 2 ] || fail "sums of a tile are not two blue cells"
expect 0 out 'picture: ' trace 06 --n 5000 --entry sort --svg "$tmp/t.svg" --file "$k06"
for words in '>4864..4999<' '>20<'; do grep -q -- "$words" "$tmp/t.svg" || fail "no $words in the picture of the sort"; done
grep -q '>5120\.\.' "$tmp/t.svg" && fail "elements behind the end have a range"
# Every lab has a picture: its own type of elements, and signs; values are never cut.
for lab in "$source"/solutions/1*; do
  expect 0 out 'result right' trace "$(basename "$lab" | cut -c1-2)" --n 12 --file "$lab/kernel.cu"
done
expect 0 out '-799' trace 13 --n 12 --dist ones --file "$source/solutions/13_segmented_scan/kernel.cu"
expect 0 out '3129888951  3431174084' trace 15 --n 8 --dist pm1 --file "$source/solutions/15_linear_recurrence/kernel.cu"
# Labs 11 to 17 show the examples of their handouts, values that pass through shared memory, and loops of a lone thread.
example() { # LAB WORDS, of a line whose blanks are made one
  expect 0 out 'result right' trace "$1" --n 8 --file "$(echo "$source/solutions/$1"_*)/kernel.cu"
  tr -s ' ' <"$tmp/out" | grep -qF -- "$2" || fail "trace $1: no \"$2\""
}
example 11 'd_out 3* 1* 4* 6* 3*'
example 12 'd_lengths 3* 1* 2* 2*'
example 13 'line 83 0 0+1 2 2+3 2+3+4 2+3.. 6 6+7'
example 14 'line 58 0 1 2 3 4+0 5+1 6+2 7+3'
example 15 'd_out 3* 7* 14* 42* 46* 93* 99* 102*'
example 16 'count 1* 2* 0 2* 1* 0 1* 1*'
# The name of the longest lab and its file fit into 80 columns.
mkdir -p "$tmp/labs/15_linear_recurrence"
cp "$source/solutions/15_linear_recurrence/kernel.cu" "$tmp/labs/15_linear_recurrence"
expect 0 out 'result right' trace 15 --n 16 --file labs/15_linear_recurrence/kernel.cu
awk '{ gsub(/[\200-\277]/, "") } length > 80 { print; bad = 1 } END { exit bad }' "$tmp/out" || fail 'trace 15: lines wider than 80'
# A length comes from one start at the end, and is not that start: computed, not copied.
expect 0 out 'result right' trace 12 --n 2 --array d_starts,d_lengths --svg "$tmp/t.svg" --file "$source/solutions/12_run_lengths/kernel.cu"
grep -q '>computed<' "$tmp/t.svg" || fail 'a difference is shown as a copy'
expect 0 out 'result right' trace 05 --type affine --n 4 --file "$source/solutions/05_arbitrary_size/kernel.cu"
also 'map k: its factor in cell 2k, its constant in cell 2k + 1'
grep -q '^index .* 7 *$' "$tmp/out" || fail 'trace 05: not all words of four maps'
expect 0 out 'elements 0 to 63 alone' trace 01 --n 65 --file "$k01"
expect 0 out 'picture: ' trace 06 --file "$k06" --entry sort --bits 1 --array from,to --launches 1:8 --format bin --split --svg "$tmp/t.svg"
grep -q 'the marked bit is 0' "$tmp/t.svg" || fail "no legend of bits"

# A plot for every lab: replays by step, or traffic by line
for k in "$k01" "$k03" "$k06"; do
  lab=$(basename "$(dirname "$k")")
  expect 0 out 'plot: ' profile "${lab%%_*}" --file "$k" --n 64 --svg "$tmp/plot.svg"
  case $lab in 03*) words='replays by step' ;; *) words='memory accesses by line' ;; esac
  grep -q "$words" "$tmp/plot.svg" || fail "the plot of $lab has no \"$words\""
done

# What nobody has written is a ?, and what comes from it; nothing is marked in the right kernel
sh "$source/harness/corpus/labs/wrong.sh" 03_blelloch/leaves_not_filled >"$tmp/unset.cu"
expect 0 out '? nobody has written it' trace 03 --file "$tmp/unset.cu" --n 12 --svg "$tmp/t.svg"
also '    4*    ?     ?     ?     ? '
also '?*'
never '-4316'
grep -q '>?<' "$tmp/t.svg" || fail "no ? in the picture"
expect 0 out '? nobody has written it' trace 03 --file "$tmp/unset.cu" --n 3 --svg "$tmp/t.svg"
within "$tmp/t.svg"
expect 0 out 'result right' trace 03 --file "$k03" --n 12
never '?'
# Elements of the output that are passed over are missing; no launch, no picture.
sed 's/if (t < n) d_out/if (t > 2 \&\& t < n) d_out/' "$k01" >"$tmp/unset.cu"
expect 0 out '? nobody has written it' trace 01 --file "$tmp/unset.cu"
sed '/<<<.*>>>/d' "$k01" >"$tmp/unset.cu"
expect 3 err 'unset.cu: no kernel was launched: 16 of 16' trace 01 --file "$tmp/unset.cu"
grep -q 'hint: fill in its TODO regions first' "$tmp/err" || fail "the skeleton is not named as why"
expect 3 err 'launched no kernel' profile 01 --file "$k01" --n 0
grep -q 'hint: the result is right without one' "$tmp/err" || fail "n = 0 is not named as why"
# What tells the findings has the input and the schedule that showed them.
sh "$source/harness/corpus/labs/wrong.sh" 06_radix_sort/ranks_without_syncwarp >"$tmp/ranks.cu" || exit 1
expect 0 out 'run 06 --n 64 --entry sort --schedule lanes=reverse --seed 3 --check' trace 06 --entry sort --n 64 --seed 3 --schedule lanes=reverse --html "$tmp/p.html" --file "$tmp/ranks.cu"

# A page that plays it, of a case of the tests too; what cannot be written or is too large
expect 0 out 'open it in a browser' trace 03 --file "$k03" --html "$tmp/p.html"
grep -q '"steps":\[\[' "$tmp/p.html" || fail "no steps in the page"
expect 0 out 'n = 33' trace 03 --file "$k03" --case scan.n33 --html "$tmp/p.html"
{ printf '// caf\351 </script><b>\n'; cat "$k03"; } >"$tmp/latin.cu"
expect 0 out 'open it in a browser' trace 03 --file "$tmp/latin.cu" --html "$tmp/p.html"
grep -q 'caf? .u003c/script>' "$tmp/p.html" || fail "a source that is no UTF-8, or ends the page's data"
expect 2 err 'did you mean scan.n33' trace 03 --file "$k03" --case 03.scan.n33 --html "$tmp/p.html"
expect 2 err '1 to 131072' trace 03 --file "$k03" --n 200000 --html "$tmp/p.html"
for picture in html svg; do # told before anything runs
  expect 3 err 'cannot create' trace 03 --file "$tmp/no_such.cu" --$picture "$tmp/no/folder/p"
done
# The whole tree, also where the input does not fill it
expect 0 out '33*   37*   37*   37*   37*' trace 03 --file "$k03" --n 12

# Two versions: padding takes all replays away
sed 's/place += (i >> 5) + (i >> 10);//' "$k04" >"$tmp/unpadded.cu"
expect 0 out 'shared replays                      1240             0    0.00' diff 04 "$tmp/unpadded.cu" "$k04" --repeats 1
also 'shared wavefronts                   1593           353    0.22'
also 'float additions                     2046          2046       ='
expect 0 out '"shared_degree": 32' diff 04 "$tmp/unpadded.cu" "$k04" --repeats 1 --json

ls "$tmp" | grep -q 'gnuplot\|\.tmp$' && fail "files left behind"
echo "$checks checks"
exit $failed
