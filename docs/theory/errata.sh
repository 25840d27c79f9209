#!/bin/sh
# errata.sh: docs/theory/errata.md has 49 rows, each once, and those that errata.awk computes have its figures. Every handout
# links it.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
page=$root/docs/theory/errata.md
tmp=$(mktemp) || exit 4
trap 'rm -f "$tmp"' EXIT
failed=0
rows=$(sed -n 's/^| \([0-9H]*-[0-9]*\) |.*/\1/p' "$page" | sort -u | wc -l)
[ "$rows" -eq 49 ] || { echo "$rows errata in place of 49"; failed=1; }
awk -f "$root/docs/theory/errata.awk" | sed 's/^\([^ ]*\) | /\1 /' >"$tmp"
[ "$(wc -l <"$tmp")" -ge 31 ] || { echo "errata.awk computes too few"; failed=1; }
while read -r id figures; do
  grep "^| $id |" "$page" | grep -qF -- "| $figures |" || { echo "$id: the page does not have: $figures"; failed=1; }
done <"$tmp"
for handout in "$root"/labs/[0-9]*/README.md; do
  grep -q 'docs/theory/errata.md' "$handout" || { echo "$handout does not link the errata"; failed=1; }
done
exit $failed
