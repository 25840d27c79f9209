#!/bin/sh
# unsupported.sh NM LIBRARY OUT OBJECT..: writes to OUT a row SL_UNSUPPORTED(name) for each function that the toolkit's
# LIBRARY exports and that no OBJECT defines.
set -eu
export LC_ALL=C
nm=$1 library=$2 out=$3
shift 3
"$nm" -D --defined-only "$library" | sed -n 's/.* [TWi] \([A-Za-z0-9_]*\)@.*/\1/p' | sort -u > "$out.theirs"
"$nm" --defined-only "$@" | sed -n 's/.* [TW] \(_*cuda[A-Za-z0-9_]*\)$/\1/p' | sort -u > "$out.ours"
[ -s "$out.theirs" ] || { echo "$library: exports nothing" >&2; exit 1; }
comm -23 "$out.theirs" "$out.ours" | sed 's/.*/SL_UNSUPPORTED(&)/' > "$out"
rm "$out.theirs" "$out.ours"
