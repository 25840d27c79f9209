#!/bin/sh
# No program holds a public function of the libraries (sl_; sl__ are names inside one part, which two parts may
# use for different things). Usage: layers_symbols.sh LIBRARY.. -- PROGRAM..
set -u
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
names() { nm --defined-only "$@" 2>/dev/null | awk '$2 == "T" && $3 ~ /^sl_[^_]/ { print $3 }' | sort -u; }

while [ "$1" != -- ]; do names "$1"; shift; done >"$tmp/all"
shift
sort -u "$tmp/all" >"$tmp/library"
[ -s "$tmp/library" ] || { echo "the libraries define nothing"; exit 1; }
bad=0
for program in "$@"; do
  names "$program" | comm -12 - "$tmp/library" >"$tmp/common"
  [ ! -s "$tmp/common" ] || { echo "$program holds $(head -n 3 "$tmp/common" | tr '\n' ' ').."; bad=1; }
done
exit $bad
