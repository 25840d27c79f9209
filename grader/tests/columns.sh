#!/bin/sh
# What a grading and the gradebook tell of a class fits into 80 and 40 columns of a terminal; elsewhere each remark is one line.
#   usage: columns.sh SL_GRADE SL_BOOK WORK
set -u
. "$(dirname "$0")/problems.sh"
[ "${SCANLAB_SANDBOX:-}" != off ] || { echo "skipped: it grades, which needs a sandbox, and SCANLAB_SANDBOX turns it off"; exit 77; }
grade=$1 book=$2 work=$3
begin_in "$work"
script -qec true /dev/null >/dev/null 2>&1 </dev/null || { echo "skipped: no pseudo-terminal can be had"; exit 77; }
hand_in() { mkdir -p "class/$1" && cat >"class/$2"; }
echo 'int x = ;' | hand_in 'anna/01_naive_scan' 'anna/01_naive_scan/kernel.cu'
echo 'int x;' | hand_in 'björn/hw1/the last version' 'björn/hw1/the last version/Lab 1 with a long name that tells much.cu'
echo 'int x;' | hand_in 'carla' 'carla/kernel.cu'
echo 'int x;' | hand_in 'felix' 'felix/kernel.cu'
echo 'no archive' >class/dora.zip
cat >roster.csv <<'END'
id,name
anna,"García Márquez López de la Cruz y Santamaría, Anna Gabriela Josefina Magdalena"
björn,Björn Müller
dora.of.the.second.section@students.example.edu,Dora Smith
emil,"Smith, Jr., Emil"
felix,Felix
END
# at_terminal NAME COMMAND..: what it writes on a terminal of 80 columns, into NAME.
at_terminal() {
  name=$1
  shift
  printf 'stty cols 80\n' >words
  for word; do printf "'%s' " "$word"; done >>words
  script -qec 'sh words' /dev/null >typed 2>&1 </dev/null
  tr -d '\r' <typed | grep -v '^scanlab\|^building \|^grading [0-9]*/' >"$name"
  [ -s "$name" ] || problem "$name: nothing is printed"
  # paths are as long as they are
  LC_ALL=C tr -d '\200-\277' <"$name" | sed 's|/[^ ]*/[^ ]*|path|' | awk 'length > 80 { print length ": " $0 }' >long
  [ ! -s long ] || { problem "$name: longer than the terminal"; cat long; }
  # At 40 columns each line fits, unless it is one word.
  sed -i 's/stty cols 80/stty cols 40/' words
  script -qec 'sh words' /dev/null 2>&1 </dev/null | tr '\r' '\n' | sed "s/$(printf '\033')\[[0-9;]*[mK]//g" >"$name.40"
  LC_ALL=C tr -d '\200-\277' <"$name.40" | awk 'length > 40 && NF > 1 { print length ": " $0 }' >long
  [ ! -s long ] || { problem "$name: longer than a terminal of 40 columns"; cat long; }
}
at_terminal table "$grade" class --no-plots --roster roster.csv --out out
grep -q '<div class="note">nothing says which lab it is of: kernel.cu</div>' out/report.html || problem "the page does not tell of a file that is of no lab"
"$book" import out --book b.db >/dev/null 2>&1
mkdir loose && echo 'int x;' >loose/kernel.cu
at_terminal alone "$grade" loose --no-plots --out out.alone
grep -q '^nothing says which lab it is of: kernel.cu$' alone || { problem "a file of no lab, alone"; cat alone; }
at_terminal import "$book" import out --book b.db
at_terminal show "$book" show --book b.db
at_terminal student "$book" show anna --book b.db
at_terminal history "$book" history anna --book b.db
at_terminal stats "$book" stats --book b.db
for command in import show history diff override export stats; do at_terminal help "$book" $command --help; done
at_terminal help "$book" --help
at_terminal help "$grade" --help
at_terminal help "$grade" --export --help
grep -q '^  anna .* 0 / 600' table && grep -q '^  carla .*  unknown: not in the roster;' table || { problem "the table"; cat table; }
grep -q '^    Emil Smith Jr.; absent: in the roster, and nothing handed in$' show || { problem "the name of somebody absent"; cat show; }
"$grade" class --no-plots --roster roster.csv --out out >piped 2>/dev/null
grep -q 'björn .* 01: no kernel.cu in its place: there is hw1/.*/Lab 1 .*, which belongs into 01_naive_scan/kernel.cu$' piped ||
  { problem "without a terminal a remark is broken"; cat piped; }
# The row of a lab has its parts below each other where they are many.
"$grade" class/anna --no-plots --out out.anna >piped 2>/dev/null
awk '/^  0[1-6]_/ { rows++ } /^  0[1-6]_|^ *[a-z]* [0-9.]*\/[0-9]/ { if (length > 80) { print; bad = 1 } } END { exit bad || rows < 6 }' piped ||
  { problem "without a terminal the row of a lab is longer than 80 columns"; cat piped; }
grep -q '^anna  01 0  02 -' show.40 || { problem "the scores at 40 columns"; cat show.40; }
# Doubles in a roster: five are listed, and how many there are besides.
for doubles in 5 300; do
  { printf '\357\273\277id,name\r\nanna,A\r\n' && yes 'anna,A' | head -n $doubles; } >doubles.csv
  "$grade" class --lab 01 --no-plots --roster doubles.csv --out out >/dev/null 2>told
  [ "$(grep -c '^roster .*, line [0-9]*: the same student as in an earlier line, taken once: anna$' told)" = 5 ] ||
    { problem "$doubles doubles are not told"; cat told; }
  [ "$(sed -n 's/^roster .*: \(.* are not listed\)/\1/p' told)" = "$([ $doubles = 5 ] || echo '295 more lines of this kind are not listed')" ] ||
    { problem "$doubles doubles: how many are not listed"; cat told; }
done
no_problems
