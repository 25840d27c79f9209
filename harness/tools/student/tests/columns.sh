#!/bin/sh
# columns.sh BIN ROOT: what commands print fits into 80 columns, at wrong kernels of several labs and kinds of findings, and in
# errors. A longer line may only be a single long word (a path), source text or a command to be copied. At terminals of 80 and 40 columns
# not even these are longer, but for the word.
set -u
bin=$1 root=$2
SCANLAB_ROOT=$root
export SCANLAB_ROOT
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0 lines=0

# too_long FILE: lines over 80 columns that hold a blank before column 80, behind their indent, at which they could have been
# broken. Bytes after the first of a character are no columns.
too_long() {
  tr '\r' '\n' <"$1" | LC_ALL=C tr -d '\200-\277' | sed "s/$(printf '\033')\[[0-9;]*[mK]//g" | awk '
    /^ *[0-9]+ \|/ || /^ *\| *\^/ { next }                      # source text and its caret
    /^ *([a-z]+ +)?([^ ]*\/)?scanlab [a-z]+ [^:]*$/ { next }          # a command to be copied
    { while (match($0, /[^ ]*\/[^ \/]+\/[^ ]*/)) $0 = substr($0, 1, RSTART - 1) "path" substr($0, RSTART + RLENGTH) } # as long as the tree lies deep
    length($0) > 80 { text = substr($0, 1, 80); sub(/^ +/, "", text); if (index(text, " ")) print length($0) ": " $0 }'
}

# too_wide COLUMNS: lines of "out" with two words or more, and with more columns. Lines that the next one covers count by themselves.
too_wide() {
  tr '\r' '\n' <"$tmp/out" | LC_ALL=C tr -d '\200-\277' | sed "s/$(printf '\033')\[[0-9;]*[mK]//g" | awk -v most="$1" '
    length($0) > most { text = $0; gsub(/^ +| +$/, "", text); if (index(text, " ")) print length($0) ": " $0 }'
}

# at_terminal COMMAND..: the same at terminals of 80 and 40 columns; COLUMNS counts more than the terminal does.
if command -v script >/dev/null 2>&1 && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
  at_terminal() {
    for columns in 80 40; do
      printf 'stty cols %s\n' $columns >"$tmp/words"
      for word; do printf "'%s' " "$word"; done >>"$tmp/words"
      narrow script -qec "sh $tmp/words" /dev/null
      wide=$(too_wide $columns)
      [ -z "$wide" ] || { printf '%s\n%s\n' "too wide for $columns columns: $*" "$wide"; failed=1; }
    done
  }
else
  echo "no pseudo-terminal can be had: errors are not tried"
  at_terminal() { :; }
fi

# narrow COMMAND..: runs it, whatever its exit code; it must print something.
narrow() {
  "$@" >"$tmp/out" 2>&1 </dev/null
  [ -s "$tmp/out" ] || { echo "prints nothing: $*"; failed=1; }
  lines=$((lines + $(wc -l <"$tmp/out")))
  long=$(too_long "$tmp/out")
  [ -z "$long" ] || { printf '%s\n%s\n' "too long: $*" "$long"; failed=1; }
}

# The rule sees what it is to see, and leaves what cannot be broken.
printf '%090d\n  %090d\n%080d x\n   12 | %070d %070d\n' 0 0 0 0 0 >"$tmp/kept"
printf '%040d %040d\n' 0 0 >"$tmp/long"
[ -z "$(too_long "$tmp/kept")" ] && [ -n "$(too_long "$tmp/long")" ] || { echo "the rule itself is wrong"; exit 1; }

cd "$tmp" || exit 1
wrong() { # LAB/NAME: a wrong kernel as students hand it in
  sh "$root/harness/corpus/labs/wrong.sh" "$1" >kernel.cu || exit 1
}
for kernel in 01_naive_scan/no_barrier_after_load 02_double_buffer/room_for_one_buffer 03_blelloch/root_not_cleared \
  04_bank_conflicts/no_padding; do
  wrong "$kernel"
  narrow "$bin/sl-student" check "${kernel%%_*}" --file kernel.cu
  narrow "$bin/sl-run" "${kernel%%_*}" --n 65 --file kernel.cu
done
for kernel in 05_arbitrary_size/naive_without_barrier 06_radix_sort/tile_is_the_block_index 06_radix_sort/no_fence \
  16_sequential_sort/counts_not_cleared; do
  wrong "$kernel"
  narrow "$bin/sl-student" check "${kernel%%_*}" --file kernel.cu
done
wrong 01_naive_scan/no_barrier_after_load
narrow "$bin/sl-run" 01 --n 65 --check --file kernel.cu
narrow "$bin/sl-sim" -- "$bin/corpus_05" --list
# What is shown of a kernel: its picture, its profile with the source, its banks.
for kernel in 01_naive_scan/no_barrier_after_load 04_bank_conflicts/no_padding 06_radix_sort/no_fence; do
  wrong "$kernel"
  for what in "trace ${kernel%%_*} --n 64" "profile ${kernel%%_*} --n 1000"; do
    narrow "$bin/sl-student" $what --file kernel.cu
  done
done
for command in list status doctor 'hint 03' 'hint 03.1' 'hint 06' 'status --json x'; do narrow "$bin/sl-student" $command; done
for command in check trace profile diff hint reset list status doctor; do narrow "$bin/sl-student" "$command" --help; done

# At a terminal: findings with source and a command, tables, pictures, help.
wrong 06_radix_sort/tile_is_the_block_index
at_terminal "$bin/sl-student" check 06 --part A --file kernel.cu
wrong 04_bank_conflicts/no_padding
at_terminal "$bin/sl-student" check 04 --file kernel.cu
at_terminal "$bin/sl-run" 04 --n 64 --file kernel.cu
at_terminal "$bin/sl-student" diff 04 "$root/labs/04_bank_conflicts/kernel.cu" kernel.cu --n 64
for command in 'trace 04' 'profile 04 --n 1000'; do at_terminal "$bin/sl-student" $command --file kernel.cu; done
for command in list status doctor 'hint 06' 'hint 06.9' 'check --help' 'diff 03 04 --skeleton'; do at_terminal "$bin/sl-student" $command; done
for program in sl-run sl-sim sl-bench sl-measure sl-data sl-selftest; do at_terminal "$bin/$program" --help; done

# Rows of a table are lists at 40 columns, and a command there is still one: its lines end with a backslash.
if [ "$(command -v script)" ]; then
  at_terminal "$bin/sl-student" diff 04 kernel.cu kernel.cu --n 64
  tr -d '\r' <out | grep -q '^launches  A 1  B 1' || { echo "no list in place of a table"; failed=1; }
  at_terminal env COLUMNS=30 "$bin/sl-student" check 04 --file kernel.cu
  tr -d '\r' <out | awk '/scanlab (run|hint|trace) .* \\$/ { n++ } END { exit !n }' || { echo "no command with a backslash"; failed=1; }
fi

# Errors: a file that does not build, a name that ends as a finding does, wrong words.
printf '__global__ void scan(int *d) { d[0] = x; }\n' >kernel.cu
at_terminal "$bin/sl-student" check 01 --file kernel.cu
sh "$root/harness/corpus/labs/wrong.sh" 01_naive_scan/no_barrier_after_load | sed 's/__syncthreads/a_function_of_a_name_so_long_that_no_line_of_the_compiler_holds_it/' >kernel.cu
narrow "$bin/sl-student" check 01 --file kernel.cu
grep -q '^ *"a_function_of_a_name_so_long' out || { echo "the compiler's words are not broken"; cat out; failed=1; }
at_terminal "$bin/sl-student" check 99
at_terminal "$bin/sl-data" list
at_terminal "$bin/sl-student" check 01 --file "$tmp/nothing.cu"
at_terminal "$bin/sl-student" check 01 --part 'of no such name'
at_terminal "$bin/sl-student" trace 01 --n 100000000
at_terminal "$bin/sl-run" 01 --dist 'of no such name'
at_terminal "$bin/sl-sim" --order 'of no such name' -- true
at_terminal "$bin/sl-sim" -- "$tmp/load.ptx"
at_terminal "$bin/sl-sim" -- kernel.cu

if [ -d "$root/docs" ]; then
  for words in 'release --help' 'package --help' 'new-lab --help' 'bench check --help' 'bench grade --help' 'release --nothing' \
    'package nothing' 'new-lab of-no-good-name' 'setup --help' 'test --help' 'completion --help' 'clean --help'; do
    at_terminal "$root/scanlab" $words
  done
  for words in help '' grdae 'help chekc' 'version 3' 'completion tcsh' 'completion' 'clean everything' 'start x'; do
    at_terminal "$root/scanlab" $words
  done
  at_terminal env SCANLAB_JOBS='of no such number' "$root/scanlab" list
fi
echo "$lines lines"
exit "$failed"
