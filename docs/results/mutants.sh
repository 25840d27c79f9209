#!/bin/sh
# All mutants of the solutions, judged: writes the table of docs/results/mutants.md.
#   mutants.sh [OPTION..]    options of ./scanlab mutants: --out FOLDER goes on with what a run there has left
# Ends with 1, and leaves the page as it is, if a mutant is missed.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P) || exit 4
page=$root/docs/results/mutants.md
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
"$root/scanlab" mutants "$@" >"$tmp/said" || { tail -30 "$tmp/said"; exit 1; }
sed '/^| /,$d' "$page" >"$tmp/page"
{
  echo '| lab | made | killed | same code | equivalent | unbuilt |'
  echo '|---|---:|---:|---:|---:|---:|'
  awk '($1 ~ /^[0-9][0-9]$/ || $1 == "all") && NF == 8 { print "| " $1 " | " $2 " | " $3 " | " $4 " | " $5 " | " $7 " |" }' "$tmp/said"
} >>"$tmp/page"
cat "$tmp/page" >"$page"
echo "wrote $page"
