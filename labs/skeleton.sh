#!/bin/sh
# skeleton.sh SOLUTION.cu: prints the skeleton that belongs to it, with SL_TODO alone in each TODO region.
exec awk '
  /^ *\/\/ TODO\(/ {
    print
    match($0, /lab[0-9]+[.][0-9]+/); id = substr($0, RSTART, RLENGTH)
    match($0, /^ */); printf "%*sSL_TODO(\"%s\");\n", RLENGTH, "", id
    inside = 1; next
  }
  /^ *\/\/ END TODO\(/ { inside = 0 }
  !inside' "$1"
