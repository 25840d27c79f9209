#!/bin/sh
# static_names.sh BUILD LINKS: every global name of a library is used by another file; one that its own file alone uses
# should be static. LINKS: the build's targets (harness/cmake/ScanlabLinks.cmake). Skipped (77) while BUILD is not finished.
set -u
cd "$1" || exit 4
objects=$(sed -n 's/.* -o \([^ ]*\.o\) .*/\1/p' compile_commands.json)
[ -n "$objects" ] || { echo "no file is compiled"; exit 4; }
for object in $objects; do [ -f "$object" ] || { echo "skipped: $object is not built"; exit 77; }; done
libraries=$(cut -d' ' -f1,2 "$2" | while read -r target folder; do
  [ ! -f "$folder/lib$target.a" ] || printf '%s ' "$folder/lib$target.a"
done)
{
  nm -u $objects
  nm -A --defined-only $libraries
} 2>/dev/null | awk '
  $1 == "U" { used[$2] = 1 }
  NF == 3 && $2 ~ /^[TDBR]$/ && $3 ~ /^sl_/ { split($1, at, ":"); where[$3] = at[1] "(" at[2] ")" }
  END {
    for (name in where) if (!(name in used)) { print name " is used only where it is defined: " where[name]; bad = 1 }
    exit bad
  }'
