#!/bin/sh
# table_test.sh CONFUSION.SH: the table here, with two results that a GPU might have given.
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/gpu.json" <<'END'
[{"device": "a GPU", "sanitizer": "Version 1"}
, {"lab": "01", "name": "one_barrier_a_step", "variant": "wrong", "tool": "racecheck", "result": "found"}
, {"lab": "01", "name": "one_barrier_a_step", "variant": "wrong", "tool": "plain", "result": "right"}
]
END
"$1" table "$tmp/gpu.json" >"$tmp/table" || exit 1
grep '^| all |' "$tmp/table"
awk -F' *[|] *' '$2 == "all" { seen = 1; bad = $3 < 72 || $4 != $3 || $5 != 1 || $7 != 0 || $8 != 0 || $10 != 0 } END { exit bad || !seen }' "$tmp/table" &&
  grep -q '| 01 | one_barrier_a_step | race.shared | yes | differs | racecheck | right |' "$tmp/table"
