#!/bin/sh
# kinds_test.sh SOURCE-DIR: every kind of finding that stands in a string of the sources has a row in kinds.def, and every row
# has a page that names it, which the index links.
cd "$1" || exit 2
rows=$(sed -n 's/^SL_KIND("\([a-z.]*\)".*/\1/p' harness/findings/kinds.def)
families=$(echo "$rows" | cut -d. -f1 | sort -u | paste -sd'|')
used=$(find harness grader -name '*.c' -not -path '*/tests/*' -not -name '*_test*.c' | xargs sed -E 's/\*\*.*//; s/\/\/.*//' |
  grep -oE '"[^"]*"' | grep -oE "(^\"|[^a-z./_])($families)\.[a-z]+(\"|[^a-z./_(%])" | grep -oE "($families)\.[a-z]+" | sort -u | grep -vE '\.(c|cu|h|json|o|def)$')
bad=0
say() { echo "$@"; bad=1; }
[ "$(echo "$used" | wc -l)" -ge 10 ] || say "only these kinds were found in the sources: $used"
for id in $used; do echo "$rows" | grep -qx "$id" || say "$id stands in the sources, but has no row in harness/findings/kinds.def"; done
for id in $rows; do
  page=docs/reference/findings/$id.md
  [ -f "$page" ] || { say "$id has no page $page"; continue; }
  head -1 "$page" | grep -qF "# $id" || say "$page does not begin with \"# $id\""
  grep -qF "($id.md)" docs/reference/findings/README.md || say "docs/reference/findings/README.md does not link $id.md"
done
exit $bad
