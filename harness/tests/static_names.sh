#!/bin/sh
# static_names.sh BUILD LINKS: every global name of a library is used by another file; one that its own file alone uses
# should be static. BUILD: a finished build. LINKS: its targets (harness/cmake/ScanlabLinks.cmake).
set -u
cd "$1" || exit 4
libraries=$(cut -d' ' -f1,2 "$2" | while read -r target folder; do
  [ ! -f "$folder/lib$target.a" ] || printf '%s ' "$folder/lib$target.a"
done)
[ -n "$libraries" ] || { echo "there is no library"; exit 4; }
{
  find . -name '*.o' -exec nm -u {} + 2>/dev/null
  nm -A --defined-only $libraries 2>/dev/null
} | awk '
  $1 == "U" { used[$2] = 1 }
  NF == 3 && $2 ~ /^[TDBR]$/ && $3 ~ /^sl_/ { split($1, at, ":"); where[$3] = at[1] "(" at[2] ")" }
  END {
    for (name in where) if (!(name in used)) { print name " is used only where it is defined: " where[name]; bad = 1 }
    exit bad
  }'
