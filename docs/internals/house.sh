#!/bin/sh
# The picture of the house: which part uses which. Solid arrows are the links of the build (BUILD/links.txt), dashed ones are
# further folders whose headers a part may include (harness/tests/layers.txt).
#   docs/internals/house.sh [BUILD]            draws docs/internals/house.svg; needs dot and tred (Debian: graphviz)
#   docs/internals/house.sh --check [BUILD]    fails when the arrows in house.svg are not those of the build and the table
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P) || exit 4
check=
[ "${1:-}" = --check ] && { check=1; shift; }
links=${1:-${SCANLAB_BUILD:-$root/build/sim}}/links.txt
picture=$root/docs/internals/house.svg
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT

# What is written into each box.
words() {
  cat <<'END'
grader|plans, runs and scores a class
tools|the programs behind ./scanlab
judge|judges one case
picture|traces and plots
compile|nvcc, in a sandbox
jail|sandboxes
datasets|inputs
reference|the CPU's scans and sorts
timing|when a time counts
runner|main of the student's process
libcudart|the CUDA runtime, as messages
gpu|the messages
gpu/start|starts the simulated GPU
gpu/server|sl-gpu, the simulated GPU
observers|races, counters, ..
engine|decodes and executes
device|what a device is
findings|kinds and words of findings
ptx|PTX text to checked structure
selftest|instruction forms against a GPU
corpus|wrong kernels, mutants
base|errors, files, processes
END
}

# "A links B" and "A sees B", sorted. Only programs and libraries count (their names begin with sl), not tests.
edges() {
  awk '
    function room(folder) {
      sub("^harness/", "", folder)
      if (folder !~ "^gpu/") sub("/.*", "", folder)
      return folder
    }
    FNR == NR && /^sl/ { home[$1] = room($2); links[$1] = $0; next }
    FNR == NR || !/^(harness|datasets|grader)/ { next }
    $2 == "all" { next }
    { for (k = 2; k <= NF; k++) sees[room($1), room($k)] = $k ~ "^harness|^datasets" }
    END {
      for (t in home) {
        n = split(links[t], part)
        for (k = 3; k <= n; k++)
          if (part[k] != "sl_flags" && part[k] in home && home[t] != home[part[k]]) linked[home[t], home[part[k]]] = 1
      }
      for (pair in linked) { split(pair, r, SUBSEP); print r[1], "links", r[2] }
      for (pair in sees) if (sees[pair] && !(pair in linked)) { split(pair, r, SUBSEP); print r[1], "sees", r[2] }
    }' "$links" "$root/harness/tests/layers.txt" | LC_ALL=C sort
}
edges >"$tmp/edges"

if [ -n "$check" ]; then
  sed -n '/^<!-- edges$/,/^-->$/p' "$picture" | sed '1d;$d' >"$tmp/drawn"
  diff "$tmp/drawn" "$tmp/edges" && exit 0
  echo "house.svg is out of date (<: drawn, >: in the build): docs/internals/house.sh draws it anew"
  exit 1
fi

{
  echo 'digraph house {'
  echo '  graph [ranksep=0.45 nodesep=0.3 fontname="sans-serif"]'
  echo '  node [shape=box style="filled,rounded" fillcolor="#f4f6f8" color="#5b6770" fontname="sans-serif" fontsize=13 margin="0.15,0.08"]'
  echo '  edge [color="#5b6770" arrowsize=0.7]'
  awk '{ print $1; print $3 }' "$tmp/edges" | sort -u | while read -r room; do
    text=$(words | sed -n "s!^$room|!!p")
    [ -n "$text" ] || { echo "house.sh: no words for $room" >&2; exit 1; }
    echo "  \"$room\" [label=<<b>$room</b><br/><font point-size=\"10\" color=\"#44505a\">$text</font>>]"
  done || exit 1
  awk '{ printf "  \"%s\" -> \"%s\"%s\n", $1, $3, $2 == "sees" ? " [style=dashed]" : "" }' "$tmp/edges"
  echo '}'
} >"$tmp/all.dot" || exit 1
tred "$tmp/all.dot" >"$tmp/few.dot" && dot -Tsvg "$tmp/few.dot" >"$tmp/dot.svg" || exit 1
{
  sed '/^<!--.*-->$/d; /^<!--/,/-->/d; /<\/svg>/d' "$tmp/dot.svg"  # without graphviz's version
  echo '<!-- edges'
  cat "$tmp/edges"
  echo '-->'
  echo '</svg>'
} >"$picture"
