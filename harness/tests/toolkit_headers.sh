#!/bin/sh
# Checks that C files get headers of the toolkit from the folder that the build names. A machine may have them in a folder that every
# compiler reads, too; there a target that lacks target_include_directories(.. SL_CUDA_INCLUDE) builds, and nowhere else.
# Usage: toolkit_headers.sh BUILD TOOLKIT_INCLUDE   (what was compiled in BUILD is looked at)
# Exit code 77: skipped, where ninja does not build or nothing is compiled.
set -u
[ -f "$1/build.ninja" ] || { echo "skipped: $1 is not built by ninja"; exit 77; }

# strays BUILD TOOLKIT: objects that have a header of TOOLKIT's names from elsewhere.
strays() {
  { find "$2/" -maxdepth 1 -name '*.h'; ninja -C "$1" -t deps; } | awk -v toolkit="$2/" '
    function name_of(path) { sub(".*/", "", path); return path }
    index($0, toolkit) == 1 && !deps { named[name_of($0)]; next }
    /^[^ ]/ { deps = 1; object = $1; sub(/:$/, "", object); n += object ~ /[.]c[.]o$/; next }
    object ~ /[.]c[.]o$/ && /^ *\// {
      path = $0; sub(/^ */, "", path)
      if (name_of(path) in named && index(path, toolkit) != 1) { printf "%s has %s, not that of %s\n", object, path, toolkit; bad++ }
    }
    END { if (!n) { print "skipped: nothing is compiled"; exit 77 } exit bad > 0 }'
}
strays "$1" "$2" || exit $?
planted=$(mktemp -d) && trap 'rm -rf "$planted"' EXIT && : > "$planted/driver_types.h" || exit 4
strays "$1" "$planted" | grep -q 'driver_types[.]h, not that of' || { echo "a header from elsewhere is not found"; exit 1; }
