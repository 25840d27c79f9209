#!/bin/sh
# pictures.sh SL_GRADE SL_STUDENT ROOT WORK: `grade --pictures` makes pages of failed tests, and its report leads to them; without the
# option it names the command. A right kernel has none. `check --html` makes the page of the case that failed first.
set -u
. "$(dirname "$0")/problems.sh"
grade=$1 student=$2 root=$3 work=$4
rm -rf "$work"
mkdir -p "$work/wrong/01_naive_scan" "$work/right/01_naive_scan" && cd "$work" || exit 4
sh "$root/harness/corpus/labs/wrong.sh" 01_naive_scan/exclusive >wrong/01_naive_scan/kernel.cu || exit 4
cp "$root/solutions/01_naive_scan/kernel.cu" right/01_naive_scan/
graded() { # CODE NAME ARGS..
  want=$1 name=$2
  shift 2
  "$grade" "$name" --one --lab 01 --no-plots --out "out.$name" "$@" >said 2>&1
  got=$?
  [ $got -eq "$want" ] || { problem "grade $name $*: exit $got, expected $want"; cat said; }
}

graded 1 wrong
! [ -e out.wrong/pictures ] || problem "pictures were made that nobody asked for"
grep -q 'See it move: <code>./scanlab trace 01 --case' out.wrong/report.html || problem "the report names no command"
graded 1 wrong --pictures
links=$(grep -o 'href="pictures/[^"]*"' out.wrong/report.html | cut -d'"' -f2)
[ "$(echo "$links" | wc -l)" -eq 3 ] || problem "the report links other than three pages: $links"
for page in $links; do
  [ "$(wc -c <"out.wrong/$page")" -lt 2000000 ] || problem "$page is too large"
  grep -q '"status":"fail"' "out.wrong/$page" || problem "$page plays no failure"
  case $page in pictures/01.*.html) ;; *) problem "$page has another name" ;; esac
done
graded 0 right --pictures
! grep -q 'See it move' out.right/report.html || problem "a right kernel has pictures"

"$student" check 01 --file wrong/01_naive_scan/kernel.cu --html failed.html >said 2>&1
[ $? -eq 1 ] || { problem "check --html: another exit code"; cat said; }
grep -q '^failed.html: open it in a browser' said || { problem "check does not name its page"; cat said; }
grep -q '"status":"fail"' failed.html || problem "the page of check plays no failure"
"$student" check 01 --file right/01_naive_scan/kernel.cu --html none.html >said 2>&1 || problem "check of a right kernel fails"
! [ -e none.html ] || problem "check made a page of nothing"
no_problems
