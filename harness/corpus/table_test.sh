#!/bin/sh
# table_test.sh CONFUSION.SH: the table, with what a GPU has answered, is the page that lies beside the script; it says
# that every mistake is found and no twin has an alarm.
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
page=$(dirname "$1")/findings.md
"$1" table >"$tmp/table" || exit 1
grep '^| all |' "$tmp/table"
diff "$page" "$tmp/table" || { echo "docs/results/findings.md is old: docs/results/confusion.sh table >docs/results/findings.md"; exit 1; }
awk -F' *[|] *' '$2 == "all" { seen = 1; bad = $3 < 72 || $4 != $3 || $8 != 0 } END { exit bad || !seen }' "$tmp/table"
