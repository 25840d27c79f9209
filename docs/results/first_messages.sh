#!/bin/sh
# Compares what `scanlab check` tells first of each wrong submission (harness/corpus/labs) with the cause. The line
# "// first: WHAT in NN.K" of a submission says what should be told, a finding, a pattern, a counter or a reason, and in which
# TODO region the student has to edit.
#
#   first_messages.sh                  prints docs/results/first_messages.md
#   first_messages.sh mistakes         prints docs/results/mistakes.md, of the mistakes in harness/corpus/mistakes
#   first_messages.sh LAB/NAME ..      exits 1 if what is told first of one of these is not the cause
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
labs=$root/harness/corpus/labs
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

check() { # NAME [OPTIONS]: the object that check prints for it
  "$root/scanlab" check "${1%%_*}" --json --file "$tmp/$1/kernel.cu" ${2-} 2>/dev/null
}

one() { # LAB/NAME: "CAUSE|LAB|NAME|WHY|TEXT|REGION"
  mkdir -p "$tmp/$1" && "$labs/wrong.sh" "$1" >"$tmp/$1/kernel.cu" || return 1
  head=$(sed '/^\/\/ Lab /,$d' "$tmp/$1/kernel.cu")
  want=$(printf '%s\n' "$head" | sed -n 's|^// first: ||p')
  why=$(printf '%s\n' "$head" | sed -n '/^\/\/ [a-z]*: /!s|^// ||p' | tr '\n' ' ')
  told=$(check "$1")
  case $told in *'"first": '*) ;; *) told=$(check "$1" --all) ;; esac # large cases alone fail
  printf '%s\n' "$told" | awk -v want="$want" -v id="$1" -v why="$why" '
    function value(    v) { v = $0; sub(/^ *"[a-z]*": "?/, "", v); sub(/"?,?$/, "", v); gsub(/\\"/, "\"", v); return v }
    /"first": [{]/ { inside = 1 }
    inside && /"what": / { what = value() }
    inside && /"text": / { text = value() }
    inside && /"region": / { region = value(); inside = 0 }
    END {
      split(id, name, "/")
      place = substr(name[1], 1, 2) "." region
      sub(/^.*kernel\.cu/, "kernel.cu", text)
      cause = want == "" ? "? " what " in " place : want == what " in " place ? "yes" : "no, in " place
      printf "%s|%s|%s|%s|%s|%s\n", cause, name[1], name[2], why, text, place
    }'
}

rows() { xargs -n 1 -P "$(nproc)" "$0" row | LC_ALL=C sort -t'|' -k2,3 >"$tmp/table"; }

all() { (cd "$labs" && printf '%s\n' [0-9]*/*.diff | sed 's/\.diff$//'); }

all_mistakes() { (cd "$labs/../mistakes" && for of in *.txt; do sed -n "s|^=== |${of%.txt}/|p" "$of"; done); }

# Reads names, prints their rows and how many name the cause.
table() {
  rows
  awk -F'|' '{ gsub(/</, "\\&lt;"); printf "| `%s/%s` | %s | %s | %s | %s |\n", substr($2, 1, 2), $3, $4, $5, $6, $1 }' "$tmp/table"
  awk -F'|' '{ n++; yes += $1 == "yes" } END { printf "\n%d of %d name the cause.\n", yes, n }' "$tmp/table"
}

page_of_mistakes() {
  cat <<'END'
# Honest mistakes, and what is told first

Mistakes that a student may make who has read the handout, made one at a time in the reference solution, apart from
those of [the corpus](first_messages.md): what is wrong, what `scanlab check` printed first, and the TODO region that its line `edit` names. The last
column is a judgement: `yes` if message and region are what `harness/corpus/mistakes` says they should be, else the region that was told.
`docs/results/first_messages.sh mistakes` makes this page; a test runs a sample.

| mistake | what is wrong | printed first | region | leads there |
|---|---|---|---|---|
END
  all_mistakes | table
}

page() {
  cat <<'END'
# What is told first

The first message of `scanlab check` for every wrong submission in `harness/corpus/labs`: what is wrong, what was printed first, and the TODO
region that the line `edit` names. The last column says whether that is the cause, as the submission's own line `// first:` has it.
`docs/results/first_messages.sh` makes this page.

| submission | what is wrong | printed first | region | the cause |
|---|---|---|---|---|
END
  all | table
}

case $#,${1-} in
0,) page ;;
1,mistakes) page_of_mistakes ;;
2,row) one "$2" ;;
*)
  printf '%s\n' "$@" | rows
  grep -v '^yes|' "$tmp/table" && exit 1
  [ "$(grep -c '^yes|' "$tmp/table")" -eq $# ] ;;
esac
