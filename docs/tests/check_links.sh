#!/bin/sh
# check_links.sh ROOT: every relative link of every Markdown page leads to a file or folder, every #anchor to a heading, and every
# source file of the simulator and its observers is named in docs/internals. Fails when it finds no link.
set -u
root=$1
links=0 bad=0
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT

# The anchors of a page's headings, as GitHub makes them.
anchors() {
  grep '^##* ' "$1" | sed 's/^#* //; s/\[\([^]]*\)\]([^)]*)/\1/g' | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

find "$root" -name build -prune -o -name '*.md' -print | while read -r page; do
  grep -oE '\]\([^): ]+' "$page" | sed 's/^](//' | while read -r link; do
    printf '%s\t%s\n' "$page" "$link"
  done
done >"$tmp"
while IFS=$(printf '\t') read -r page link; do
  links=$((links + 1))
  file=${link%%#*} target=$page
  [ -z "$file" ] || target=$(dirname "$page")/$file
  if ! [ -e "$target" ]; then
    echo "$page: no such file: $link"
    bad=$((bad + 1))
  elif [ "$file" != "$link" ] && ! anchors "$target" | grep -qxF -- "${link#*#}"; then
    echo "$page: no such heading: $link"
    bad=$((bad + 1))
  fi
done <"$tmp"

for source in "$root"/harness/engine/*.c "$root"/harness/observers/*.c; do
  [ -d "$root/docs/internals" ] || break # a students' tree
  name=${source##*/}
  case $name in *_test.c) continue ;; esac
  grep -qF "\`$name\`" "$root"/docs/internals/*.md || grep -qF "/$name\`" "$root"/docs/internals/*.md ||
    { echo "docs/internals does not say what ${source#"$root"/} is"; bad=$((bad + 1)); }
done
echo "$links links, $bad faults"
[ "$links" -gt 0 ] && [ "$bad" -eq 0 ]
