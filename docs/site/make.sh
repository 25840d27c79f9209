#!/bin/sh
# make.sh [--solutions] FOLDER [BUILD]: the pages of the course as a site in FOLDER: index.html and what it leads to, nothing from
# a network. Pages that are up to date stay. Needs pandoc.
#
# Solutions and their notes are left out. Moving pictures play what the solutions do, and show of their text what the
# skeletons have; with --solutions all of it. BUILD has the programs that make them (default: the folder around FOLDER);
# a tree without solutions shows the pictures of docs/site/pictures, if it has them.
set -u
plain=--plain
[ "$1" != --solutions ] || { plain=; shift; }
out=$1 build=${2:-$(dirname -- "$1")}
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
command -v pandoc >/dev/null || { echo "site: pandoc is missing; apt-get install pandoc" >&2; exit 77; }
mkdir -p "$out" || exit 4
out=$(CDPATH='' cd -- "$out" && pwd -P)
build=$(CDPATH='' cd -- "$build" && pwd -P)
cd "$root" || exit 4
pages=$out/.pages
# Pages, and files that pages may link.
find README.md datasets/README.md docs labs grader/README.md harness/fuzz/README.md -type f \
  \( -name '*.md' -o -name '*.svg' -o -name '*.csv' -o -name '*.ipynb' -o -path 'labs/*/kernel.cu' -o -path 'labs/*/lab.json' \) 2>/dev/null |
  sort >"$pages"
cp docs/site/site.css docs/site/site.js "$out/"

# moving NAME LAB TITLE ARGS..: the page pictures/NAME.html, if it can be made.
moving() {
  to=$out/pictures/$1.html kernel=$(echo solutions/"$2"_*/kernel.cu) title=$3
  kept=docs/site/pictures/$1.html
  lab=$2
  shift 3
  mkdir -p "$out/pictures"
  if [ -e "$kept" ]; then cp "$kept" "$to"
  elif [ -x "$build/bin/sl-student" ] && [ -e "$kernel" ]; then
    newest=$(ls -t "$kernel" "$build/bin/sl-student" harness/picture/player/* docs/site/make.sh | head -n 1)
    if [ -e "$to" ] && [ "$to" -nt "$newest" ]; then return 0; fi
    SCANLAB_ROOT=$root SCANLAB_BUILD=$build "$build/bin/sl-student" trace "$lab" --file "$kernel" --title "$title" $plain "$@" \
      --html "$to" >"$to.log" 2>&1 || { cat "$to.log" >&2; exit 4; }
    rm -f "$to.log"
  fi
}
moving 01 01 "Hillis and Steele, in place, n = 16" --n 16
moving 02 02 "Hillis and Steele, two buffers, n = 16" --n 16
moving 03 03 "Blelloch, n = 16" --n 16
moving 03-banks 03 "Blelloch without padding, n = 64: bank conflicts" --n 64
moving 04 04 "Blelloch with padding, n = 64: no bank conflicts" --n 64
moving 05 05 "Three tiles, their sums, offsets: n = 6000" --n 6000
moving 06 06 "A scan in one launch: blocks that wait for blocks, n = 10000" --n 10000

# up DEPTH: "../" as often as a page lies deep.
up() { printf %s "$1" | tr -dc / | sed 's|/|../|g'; }

# nav PAGE: the list of pages, seen from that one.
nav() {
  awk -v up="$(up "$1")" -v here="$1" '
    /^[A-Z][a-z]*$/ { if (open) print "</ul>"; print "<strong>" $0 "</strong><ul>"; open = 1; next }
    { url = $1; sub(/[.]md$/, ".html", url); text = $0; sub(/^[^ ]* /, "", text)
      printf "<li><a href=\"%s%s\"%s>%s</a></li>\n", up, url, $1 == here ? " aria-current=\"page\"" : "", text }
    END { print "</ul>" }' docs/site/nav.txt
}

page() {
  to=$out/${1%.md}.html
  newest=$(ls -t "$1" docs/site/* | head -n 1)
  if [ -e "$to" ] && [ "$to" -nt "$newest" ]; then return 0; fi
  mkdir -p "$(dirname "$to")"
  nav "$1" >"$to.nav"
  title=$(sed -n 's/^# *//p' "$1" | head -n 1 | tr -d '`')
  SITE_SOURCE=$root SITE_FOLDER=$(dirname "$1") SITE_KEPT=$pages SITE_OUT=$out pandoc -f gfm -t html5 --template docs/site/page.html --no-highlight \
    --toc --toc-depth=2 --lua-filter docs/site/links.lua -V "root=$(up "$1")" -M "pagetitle=$title" -B "$to.nav" -o "$to.tmp" "$1" || exit 4
  rm -f "$to.nav"
  mv "$to.tmp" "$to"
}

grep -v '[.]md$' "$pages" | while read -r file; do mkdir -p "$out/$(dirname "$file")" && cp "$file" "$out/$file"; done
running=0
grep '[.]md$' "$pages" >"$pages.md"
while read -r file; do
  page "$file" &
  running=$((running + 1))
  if [ $((running % 4)) -eq 0 ]; then wait; fi
done <"$pages.md"
wait
cp "$out/README.html" "$out/index.html"

# What the search looks at: title, headings and words of each page.
while read -r file; do
  awk -v url="${file%.md}.html" '
    function quoted(s) { gsub(/[\\"]/, "\\\\&", s); gsub(/[\t\r]/, " ", s); return "\"" s "\"" }
    /^# / && title == "" { title = substr($0, 3); next }
    /^##+ / { h = $0; sub(/^#+ /, "", h); heads = heads h " "; next }
    /^<!--/ || /^ *\|[-|]*$/ { next }
    { gsub(/\]\([^)]*\)/, ""); gsub(/[][*`|#<>]/, " "); gsub(/  +/, " "); text = text $0 " " }
    END { print "{\"url\":" quoted(url) ",\"title\":" quoted(title) ",\"heads\":" quoted(heads) ",\"text\":" quoted(text) "}," }' "$file"
done <"$pages.md" | { echo 'window.scanlabPages = ['; cat; echo '];'; } >"$out/search-index.js"
echo "site: $(wc -l <"$pages.md") pages in $out/index.html"
