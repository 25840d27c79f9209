#!/bin/sh
# attacks.sh [--check]: makes docs/results/attacks.md of the rows in grader/tests/attacks; with --check says whether it is up to date.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
folder=$here/../../grader/tests/attacks
made=$(mktemp) && trap 'rm -f "$made"' EXIT

# The rows of a file: labs with the same attack and points are one.
table() {
  echo '| what it does | macros | labs | points at most | |'
  echo '|---|---|---|---|---|'
  sed -n 's#^// attack \([0-9]*\) \([a-z0-9_]*\)\( ci\| sim\)\{0,1\}: \(.*\) | at most \([0-9]*\).*#\2\t\4\t\1\t\5\t\3#p' "$1" |
    awk -F '\t' '{ key = $1 "\t" $2 "\t" $4; if (!(key in labs)) { order[++n] = key; labs[key] = $3 } else labs[key] = labs[key] ", " $3
                   where[key] = where[key] $5 }
      END { for (k = 1; k <= n; k++) { split(order[k], f, "\t"); gsub("_", " ", f[1]); gsub("[|]", "\\|", f[2]); w = where[order[k]]
            print "| " f[1] " | `" f[2] "` | " labs[order[k]] " | " f[3] " | " (w ~ /ci/ ? "sample" : w ~ /sim/ ? "not on a GPU" : "") " |" } }'
}

{
  cat << 'END'
# Attacks

Submissions that try to get points that they have not earned, or to harm the grader or its machine: all of `grader/tests/attacks`. Each is
the lab's solution and a piece of code, chosen by macros; it may get the points of the last column but one, and must reach nothing: no file, process, schedule or
memory of others changes, and an honest submission of the same class keeps its 100 points. Where that many points are 100, the kernel is right and its host
code tries to harm. What stops them is in [the grader's README](../../grader/README.md). `grader/tests/attacks/attacks.sh all WORK` grades all,
a fourth of those marked "sample" in each run of the tests (`grade_attacks`), and `--backend gpu` at the end those that are possible on a GPU. `docs/results/attacks.sh` makes this page.

END
  printf '%s rows in %s files.\n' "$(cat "$folder"/*.cu | grep -c '^// attack ')" "$(ls "$folder"/*.cu | wc -l)"
  for file in "$folder"/*.cu; do
    name=$(basename "$file" .cu)
    printf '\n## %s\n\n' "$(echo "$name" | sed 's/^./\U&/')"
    sed '/^\/\/$/,$d' "$file" | sed 's#^// ##' | tr '\n' ' ' | sed 's/ *The solution stands before.*//; s/ *$/\n/'
    echo
    table "$file"
  done
} > "$made"
if [ "${1:-}" = --check ]; then
  cmp -s "$made" "$here/attacks.md" && exit 0
  echo 'docs/results/attacks.md is not up to date: run docs/results/attacks.sh'
  diff "$here/attacks.md" "$made" | head -20
  exit 1
fi
cp "$made" "$here/attacks.md"
chmod 644 "$here/attacks.md"
