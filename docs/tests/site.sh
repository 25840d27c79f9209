#!/bin/sh
# site.sh ROOT BUILD: the site is made; every link and every #anchor of its pages leads to something in it, nothing comes from a
# network, no solution is in it, the search finds pages. Exit code 77, skipped, without pandoc.
set -u
root=$1 site=$2/site
failed=0
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
"$root/docs/site/make.sh" "$site"
code=$?
[ $code -eq 0 ] || exit $code
cd "$site" || exit 4
find . -name '*.html' | sort >"$tmp/pages"
pages=$(wc -l <"$tmp/pages")
while read -r page; do
  grep -oE ' (href|src)="[^"]*"' "$page" | sed -E 's/^ (href|src)="//; s/"$//' | sort -u | sed "s|^|$page |"
done <"$tmp/pages" >"$tmp/links"
while read -r page link; do
  case $link in
    https://*|http://*|mailto:*) echo "$page $link" >>"$tmp/outside"; continue ;;
  esac
  file=${link%%#*} anchor=
  case $link in *'#'*) anchor=${link#*#} ;; esac
  target=$page
  [ -z "$file" ] || target=$(dirname "$page")/$file
  if ! [ -f "$target" ]; then echo "$page: no such file: $link"; failed=1
  elif [ -n "$anchor" ] && ! grep -qF " id=\"$anchor\"" "$target"; then echo "$page: no such heading: $link"; failed=1
  fi
done <"$tmp/links"
grep -lE '<(script|img|link)[^>]*(src|href)="https?:' $(cat "$tmp/pages") && { echo "a page loads something from a network"; failed=1; }
find . -path '*solutions*' | grep . && { echo "solutions are in the site"; failed=1; }
grep -q 'END TODO' labs/01_naive_scan/kernel.cu && ! grep -rqF 'const float left = active' . || { echo "a solution's line is in the site"; failed=1; }
# The text in a moving picture is one long line of its page.
mkdir "$tmp/shown"
for page in pictures/*.html; do sed 's/\\n/\n/g; s/\\u003c/</g; s/\\"/"/g' "$page" >"$tmp/shown/${page##*/}"; done
"$root/grader/release/leaks.sh" "$root" "$tmp/shown" || { echo "a solution's lines are in a moving picture"; failed=1; }
for page in labs/0[1-6]*/README.html docs/theory/README.html; do
  grep -q '<iframe' "$page" || { echo "$page plays no picture"; failed=1; }
done
for page in docs/student/primer.html labs/06_radix_sort/README.html docs/theory/errata.html; do
  grep -q "url\":\"$page" search-index.js || { echo "the search does not know $page"; failed=1; }
done
# The search at work, where there is a browser.
if command -v chromium >/dev/null; then
  timeout 100 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/profile" --virtual-time-budget=5000 --dump-dom \
    "file://$site/docs/theory/README.html?q=look-back%20ticket" >"$tmp/dom" 2>/dev/null
  tr '\n' ' ' <"$tmp/dom" | grep -q '<ol id="found"[^>]*><li><a href="../../[^"]*">' || { echo "the search shows nothing in a browser"; failed=1; }
else
  echo "the search was not tried: there is no chromium"
fi
echo "$pages pages, $(wc -l <"$tmp/links") links"
[ "$pages" -gt 50 ] && [ $failed -eq 0 ]
