#!/bin/sh
# verdicts.sh [--check] PROGRAM: writes verdicts.md from harness/judge/verdicts.def, as PROGRAM (verdicts) prints it; with
# --check it says instead whether the page is up to date, and whether the sources give every reason and a test asks for it.
cd "$(dirname "$0")/../.." || exit 2
page=docs/reference/verdicts.md check=
[ "${1-}" = --check ] && { check=1; shift; }
new=$(mktemp) || exit 4
trap 'rm -f "$new"' EXIT
{
  cat <<'END'
# Verdicts

Why a case passed, failed or could not be judged: the `reason` in a record and in the results of the grader, with its `fields`
([format](../internals/interfaces.md#test-names-and-records)). The message is made of the two; names in braces are fields, and
what stands in angle brackets is left out where a field in it is unknown. `call` and `n` begin the message where a case has
several calls, and ` (under the schedule {schedule})` ends it where that is not the usual one, `order=in`.

Made by `verdicts.sh` from `harness/judge/verdicts.def`.

END
  "$1" || exit 4
} > "$new"
[ "$check" ] || { cat "$new" > "$page"; exit 0; }
bad=0
diff -u "$page" "$new" || { echo "$page is not up to date: run docs/reference/verdicts.sh"; bad=1; }
sources=$(find harness/judge harness/tools grader -name '*.c' -not -path '*/tests/*')
tests=$(find harness/judge harness/tools grader -path '*/tests/*' -type f)
for name in $(sed -n 's/^SL_REASON(\([A-Z_]*\),.*/\1/p' harness/judge/verdicts.def); do
  id=$(sed -n "s/^SL_REASON($name, \"\([a-z_.]*\)\".*/\1/p" harness/judge/verdicts.def)
  [ "$name" = RIGHT ] || grep -qw "SL_REASON_$name" $sources || { echo "nobody gives $id"; bad=1; }
  grep -qwE "SL_REASON_$name|\"reason\": \"$id\"" $tests || { echo "no test asks for $id"; bad=1; }
done
exit $bad
