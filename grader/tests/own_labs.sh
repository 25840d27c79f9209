#!/bin/sh
# own_labs.sh SL_GRADE ROOT WORK LAB..: optional labs. The solution has all points, and so has a right kernel in another style; the
# skeleton has none; every wrong kernel loses points, in the parts that its first line names and in no other; a grading
# that does not name these labs does not know them.
set -u
grader=$1 root=$2 work=$3
shift 3
corpus=$root/harness/corpus/labs
rm -rf "$work" && mkdir -p "$work" || exit 2
failed=0
fail() { echo "FAILED: $*"; failed=1; }
grade() { # FOLDER LAB: points; the rest is in $work/log and $work/out
  "$grader" "$1" --lab "$2" --no-plots --out "$work/out" >"$work/log" 2>&1 </dev/null
  sed -n 's/^total //p' "$work/log"
}
# The parts that lost points in the last grading, "11.keep." one a line. The table has "keep 58/60  clean 25/25  ..".
lost_parts() {
  awk -v lab="$number" '/ \/ 100 / { sub(/.* \/ 100 */, ""); for (k = 1; k < NF; k += 2) { split($(k + 1), p, "/"); if (p[1] != p[2]) print lab "." $k "." } }' \
    "$work/log" | sort -u
}

for lab; do
  number=${lab%%_*}
  [ "$(grade "$root/solutions" "$number")" = '100 / 100' ] || { cat "$work/log"; fail "the solution of $lab"; }
  [ "$(grade "$root/labs" "$number")" = '0 / 100' ] || { cat "$work/log"; fail "the skeleton of $lab"; }
  for right in "$corpus/$lab"/*.cu; do
    mkdir -p "$work/right/$lab" && cp "$right" "$work/right/$lab/kernel.cu" || exit 2
    [ "$(grade "$work/right" "$number")" = '100 / 100' ] || { cat "$work/log"; fail "$right is right"; }
  done
  for wrong in "$corpus/$lab"/*.diff; do
    mkdir -p "$work/wrong/$lab" && "$corpus/wrong.sh" "$lab/$(basename "$wrong" .diff)" >"$work/wrong/$lab/kernel.cu" || exit 2
    points=$(grade "$work/wrong" "$number")
    case $points in '100 / 100' | '') cat "$work/log"; fail "$wrong has $points" ;; esac
    want=$(sed -n '1s|^// expect: ||p' "$wrong" | tr ',' '\n' | tr -d ' *' | sort -u)
    kind=$(sed -n '2s|^// first: \([a-z._]*\) in .*|\1|p' "$wrong") # a finding is named in the table of failed tests
    case $kind in
      result.wrong) grep -q ' wrong, first ' "$work/log" ;;
      ?*) grep -qF "[$kind]" "$work/log" ;;
      *) false ;;
    esac || { cat "$work/log"; fail "$wrong: $kind is not told"; }
    [ "$(lost_parts)" = "$want" ] || { cat "$work/log"; fail "$wrong: expected $want, lost $(lost_parts)"; }
  done
done
"$grader" "$root/solutions" --lab 01 --no-plots --out "$work/out" >"$work/log" 2>&1 </dev/null
grep -q '^total 100 / 100' "$work/log" || { cat "$work/log"; fail "lab 01 beside the optional labs"; }
exit $failed
