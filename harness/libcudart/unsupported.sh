#!/bin/sh
# unsupported.sh NM LIBRARY OUT TWINS OBJECT..: the functions that the toolkit's LIBRARY exports and that no OBJECT defines. Those for
# per-thread default streams, NAME_ptds and NAME_ptsz, are NAME if an OBJECT has that: TWINS tells the linker so. OUT gets a row
# SL_UNSUPPORTED(name) for each other one.
set -eu
export LC_ALL=C
nm=$1 library=$2 out=$3 twins=$4
shift 4
"$nm" -D --defined-only "$library" | sed -n 's/.* [TWi] \([A-Za-z0-9_]*\)@.*/\1/p' | sort -u > "$out.theirs"
"$nm" --defined-only "$@" | sed -n 's/.* [TW] \(_*cuda[A-Za-z0-9_]*\)$/\1/p' | sort -u > "$out.ours"
[ -s "$out.theirs" ] || { echo "$library: exports nothing" >&2; exit 1; }
comm -23 "$out.theirs" "$out.ours" > "$out.missing"
sed 's/.*/&_ptds = &;\n&_ptsz = &;/' "$out.ours" | sort | join - "$out.missing" > "$twins"
join -v 2 "$twins" "$out.missing" | sed 's/.*/SL_UNSUPPORTED(&)/' > "$out"
rm "$out.theirs" "$out.ours" "$out.missing"
