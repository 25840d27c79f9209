#!/bin/sh
# check_links.sh ROOT: every relative link of every tracked Markdown page leads to a file or folder. Fails when it finds no link.
set -u
root=$1
links=0 bad=0
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
find "$root" -name build -prune -o -name '*.md' -print | while read -r page; do
  grep -oE '\]\([^)#: ]+' "$page" | sed 's/^](//' | while read -r link; do
    echo "$page $link"
  done
done >"$tmp"
while read -r page link; do
  links=$((links + 1))
  if ! [ -e "$(dirname "$page")/$link" ]; then
    echo "$page: no such file: $link"
    bad=$((bad + 1))
  fi
done <"$tmp"
echo "$links links, $bad broken"
[ "$links" -gt 0 ] && [ "$bad" -eq 0 ]
