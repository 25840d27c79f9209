#!/bin/sh
# In a terminal of 60 columns the picture of 16 cells stands in two pieces; findings are in colour. Exit code 77, skipped, where no pseudo-terminal can be
# had. Usage: terminal.sh BIN SOURCE
set -u
skip() { echo "skipped: $*"; exit 77; }
command -v script >/dev/null 2>&1 || skip "no program script, which makes pseudo-terminals"
script -qec true /dev/null >/dev/null 2>&1 </dev/null || skip "no pseudo-terminal can be had here (is /dev/pts mounted?)"
SCANLAB_ROOT=$2
SCANLAB_WIDE="'$1/sl-student' trace 01 --file '$2/solutions/01_naive_scan/kernel.cu'"
export SCANLAB_ROOT SCANLAB_WIDE
out=$(script -qec 'stty cols 60 && sh -c "$SCANLAB_WIDE"' /dev/null 2>&1 </dev/null)
code=$?
printf '%s\n' "$out"
[ "$code" -eq 0 ] || { echo "FAILED: trace in a terminal: exit code $code"; exit 1; }
printf '%s\n' "$out" | grep -qF 'index           8     9    10' || { echo "FAILED: the picture is not in two pieces"; exit 1; }

# Findings are in colour there, unless NO_COLOR is set.
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
sed '0,/__syncthreads();/s///' "$2/solutions/03_blelloch/kernel.cu" >"$tmp/kernel.cu"
# One part alone: on a slow machine the other ones' failures take long, and then `check` leaves out what has not begun.
SCANLAB_RACE="'$1/sl-student' check 03 --part clean --file '$tmp/kernel.cu'" TERM=xterm
export SCANLAB_RACE TERM
unset NO_COLOR
red=$(printf '\033[1;31m')
script -qec 'sh -c "$SCANLAB_RACE"' /dev/null 2>&1 </dev/null | grep -qF "${red}error[race.shared]:" || { echo "FAILED: no colour in a terminal"; exit 1; }
# A tick or a cross before each part.
tick=$(printf '\033[1;32m✓\033[m sync') cross=$(printf '\033[1;31m✗\033[m clean')
SCANLAB_RIGHT="'$1/sl-student' check 01 --part sync --file '$2/solutions/01_naive_scan/kernel.cu'"
export SCANLAB_RIGHT
marks() { LC_ALL=C.UTF-8 script -qec "sh -c \"\$$1\"" /dev/null 2>&1 </dev/null; }
marks SCANLAB_RIGHT | grep -qF "$tick" || { echo "FAILED: no tick before a part that is right"; exit 1; }
marks SCANLAB_RACE | grep -qF "$cross" || { echo "FAILED: no cross before a part that is not"; exit 1; }
NO_COLOR=1 script -qec 'sh -c "$SCANLAB_RACE"' /dev/null 2>&1 </dev/null | grep -qF ": error[race.shared]:" || { echo "FAILED: colour in spite of NO_COLOR"; exit 1; }

# At 40 columns no row of the table, and no progress that the next one is to cover, is longer than a line; a title has what is left.
SCANLAB_ROWS="'$1/sl-student' check 03 --file '$tmp/kernel.cu'"
export SCANLAB_ROWS
rows() { # COLUMNS: the rows of the table, and the progress
  script -qec "stty cols $1 && sh -c \"\$SCANLAB_ROWS\"" /dev/null 2>&1 </dev/null | tr '\r' '\n' | sed "s/$(printf '\033')\[[0-9;]*[mK]//g" |
    grep -E '^(..|[^ ]* )(scan|reals|clean|work|sync|builds) '
}
for columns in 40 60 80; do
  rows $columns >"$tmp/rows"
  [ "$(wc -l <"$tmp/rows")" -ge 12 ] || { echo "FAILED: few rows at $columns columns"; cat "$tmp/rows"; exit 1; }
  LC_ALL=C.UTF-8 awk -v most=$columns 'length($0) > most { print; bad = 1 } END { exit bad }' "$tmp/rows" || { echo "FAILED: rows wider than $columns columns"; exit 1; }
done
grep -q 'Right results' "$tmp/rows" || { echo "FAILED: no titles at 80 columns"; exit 1; }

# Lists of labs: in 80 columns each column begins at one place, in 40 no line is wider.
lists() { script -qec "stty cols $1 && '$bin/sl-student' list && '$bin/sl-student' status" /dev/null 2>&1 </dev/null | tr -d '\r' | sed '/^[* ] the file/d'; }
bin=$1
lists 40 >"$tmp/narrow"
lists 80 >"$tmp/list"
[ "$(wc -l <"$tmp/narrow")" -gt "$(wc -l <"$tmp/list")" ] || { echo "FAILED: lists at 40 columns as at 80"; exit 1; }
awk 'length($0) > 40 { print; bad = 1 } END { exit bad }' "$tmp/narrow" || { echo "FAILED: lists wider than 40 columns"; exit 1; }
awk '/^optional,/ { at = 0; next } # list aligns these by themselves
  /^lab  / { at = 0 }
  match($0, / (100 points|not checked|last check|[0-9.]+ \/ 100)/) { if (at && at != RSTART) { print; bad = 1 } at = RSTART; n++ }
  END { exit bad || n < 14 }' "$tmp/list" || { echo "FAILED: columns of lists"; exit 1; }
