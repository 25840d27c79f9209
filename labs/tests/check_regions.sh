#!/bin/sh
# check_regions.sh LABS SOLUTIONS: does every solution differ from its skeleton only inside the TODO regions?
#
# A region is "// TODO(labNN.K, ~S lines): text", anything, "// END TODO(labNN.K)"; in a skeleton the anything is
# SL_TODO("labNN.K"); alone. For every LABS/NN_name/kernel.cu there must be SOLUTIONS/NN_name/kernel.cu and the other
# way round, with the same text outside the regions, the regions numbered from 1 in order, and at least one. "barriers"
# of lab.json lists the regions that speak of a barrier, and the solution has one there. Prints each fault; exits 1 if
# there is one or if there is no pair at all, 0 if all is well.
set -u
labs=$1
solutions=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0
pairs=0

fault() {
  echo "$*"
  faults=$((faults + 1))
}

# The file without the insides of its regions.
outside() {
  awk '/^ *\/\/ END TODO\(/ { inside = 0 }
       !inside { print }
       /^ *\/\/ TODO\(/ { inside = 1 }' "$1"
}

# Faults of the markers of one file: grammar, nesting, numbers; in a skeleton also what is inside.
markers() { # FILE NUMBER skeleton|solution
  awk -v lab="lab$2" -v kind="$3" '
    function fault(text) { printf "%s:%d: %s\n", FILENAME, FNR, text }
    /SL_TODO\(/ && !open { fault("SL_TODO outside a region") }
    /SL_TODO\(/ && kind == "solution" { fault("SL_TODO in a solution") }
    /^ *\/\/ END TODO\(/ {
      if (!open) fault("END TODO without TODO")
      line = $0; sub(/^ */, "", line)
      if (line != "// END TODO(" lab "." count ")") fault("expected: // END TODO(" lab "." count ")")
      if (kind == "skeleton" && body != "SL_TODO(\"" lab "." count "\");") fault("a skeleton has only SL_TODO in a region")
      if (kind == "solution" && body == "") fault("the region is empty")
      open = 0; next
    }
    /^ *\/\/ TODO\(/ {
      if (open) fault("TODO inside a region")
      count++; open = 1; body = ""
      start = "// TODO(" lab "." count ", ~"
      line = $0; sub(/^ */, "", line)
      if (substr(line, 1, length(start)) != start) fault("expected: " start "N lines): text")
      else if (substr(line, length(start) + 1) !~ /^[1-9][0-9]* lines?\): ./) fault("expected: ~N lines): text")
      next
    }
    /TODO/ && !/SL_TODO\(/ && !/EDIT ONLY between/ { fault("not a marker of the grammar") }
    open { line = $0; sub(/^ */, "", line); body = body line }
    END {
      if (open) fault("region not closed")
      if (!count) fault("no region")
    }' "$1"
}

# The regions whose TODO line speaks of a barrier, "1, 2"; a region without one in the solution has a "?".
barriers() { # SOLUTION
  awk '/^ *\/\/ TODO\(/ { k++; told = /barrier/; held = 0 }
       /sync/ { held = 1 }
       /^ *\/\/ END TODO\(/ && told { list = list (list ? ", " : "") k (held ? "" : "?") }
       END { print list }' "$1"
}

# What lab.json says of barriers is what the TODO lines say and the solution does.
check_barriers() { # NAME
  said=$(sed -n 's/^  "barriers": \[\(.*\)\],$/\1/p' "$labs/$1/lab.json" 2>/dev/null)
  found=$(barriers "$solutions/$1/kernel.cu")
  [ "$said" = "$found" ] || fault "$1: \"barriers\" of lab.json: [$said], expected [$found]"
}

check_pair() { # NAME
  number=${1%%_*}
  skeleton=$labs/$1/kernel.cu
  solution=$solutions/$1/kernel.cu
  if [ ! -f "$skeleton" ]; then fault "$skeleton: missing, but there is $solution"; return; fi
  if [ ! -f "$solution" ]; then fault "$solution: missing, but there is $skeleton"; return; fi
  pairs=$((pairs + 1))
  { markers "$skeleton" "$number" skeleton; markers "$solution" "$number" solution; } > "$work/markers"
  if [ -s "$work/markers" ]; then fault "$(cat "$work/markers")"; fi
  outside "$skeleton" > "$work/skeleton"
  outside "$solution" > "$work/solution"
  if ! diff -u "$work/skeleton" "$work/solution" > "$work/diff"; then
    fault "$1: skeleton and solution differ outside the regions:
$(cat "$work/diff")"
  fi
  if cmp -s "$skeleton" "$solution"; then fault "$1: skeleton and solution are the same"; fi
  check_barriers "$1"
}

for name in $({ ls "$labs"; ls "$solutions"; } 2>/dev/null | grep '^[0-9][0-9]_' | sort -u); do
  check_pair "$name"
done
if [ "$pairs" -eq 0 ]; then fault "no pair of skeleton and solution in $labs and $solutions"; fi
echo "$pairs pairs, $faults faults"
[ "$faults" -eq 0 ]
