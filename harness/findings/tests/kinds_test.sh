#!/bin/sh
# kinds_test.sh SOURCE-DIR: every kind of finding is raised by its name SL_FOUND_.., or by a row of notices.def, and by
# nothing else; every one has a page that begins with its id, which the index links.
cd "$1" || exit 2
rows=$(sed -n 's/^SL_KIND(\([A-Z_]*\), [A-Z]*, "\([a-z.]*\)".*/\1 \2/p' harness/findings/kinds.def)
sources=$(find harness grader -name '*.[ch]' -not -path '*/tests/*' -not -path 'harness/findings/*' -not -name '*_test*.c')
bad=0
say() { echo "$@"; bad=1; }
[ "$(echo "$rows" | wc -l)" = "$(grep -c '^SL_KIND(' harness/findings/kinds.def)" ] || say "rows of kinds.def that cannot be read"
while read -r name id; do
  page=docs/reference/findings/$id.md
  [ "$name" = "$(echo "$id" | tr a-z. A-Z_)" ] || say "$id is named $name"
  grep -qw "SL_FOUND_$name" $sources || grep -q "^SL_NOTICE([A-Z]*, $name," harness/gpu/notices.def || say "nobody raises $id"
  grep -Hn "\"$id\"" $sources && say "$id is written as a string: use SL_FOUND_$name"
  [ -f "$page" ] || { say "$id has no page $page"; continue; }
  head -1 "$page" | grep -qF "# $id" || say "$page does not begin with \"# $id\""
  grep -qF "(../../student/primer.md#" "$page" || say "$page does not link the section of the primer that explains its words"
  grep -qF "($id.md)" docs/reference/findings/README.md || say "docs/reference/findings/README.md does not link $id.md"
done <<END
$rows
END
exit $bad
