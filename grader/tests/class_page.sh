#!/bin/sh
# The page of a class in a browser without a window: nothing is wider than a telephone's 420 points, a click sorts, a word
# and a choice filter, and on paper no row and no column is lost.   usage: class_page.sh SL_GRADE WORK
set -u
. "$(dirname "$0")/problems.sh"
grade=$1
work=$2
browser=
for try in chromium chromium-browser chromium-headless-shell google-chrome; do
  command -v "$try" > /dev/null && browser=$try && break
done
[ -n "$browser" ] || { echo "skipped: no Chromium here"; exit 77; }
begin_in "$work"
mkdir class || exit 4
# Nobody's kernels compile, but for two of lab 01: nothing takes long.
n=0
for name in anna 'Björn with a name that is rather long for a table' '<b>carl'; do
  for lab in 01_naive_scan 02_double_buffer 03_blelloch 04_bank_conflicts 05_arbitrary_size 06_radix_sort; do
    mkdir -p "class/$name/$lab"
    n=$((n + 1))
    printf 'int x%s = ;\n' $n > "class/$name/$lab/kernel.cu"
  done
done
cp "$SCANLAB_ROOT/solutions/01_naive_scan/kernel.cu" class/anna/01_naive_scan
sed 's/__syncthreads();/  __syncthreads(); \/* mine *\/ /' class/anna/01_naive_scan/kernel.cu > 'class/<b>carl/01_naive_scan/kernel.cu'
printf 'x' > class/zip.zip
printf 'id,name\nanna,A\nmissing,M\n' > roster.csv
"$grade" class --out out --roster roster.csv > said 2>&1
[ $? -eq 1 ] || { problem "the class"; cat said; }
grep -q 'the same kernel as &lt;b&gt;carl, the reference solution' out/report.html || problem "twins are not named"

# asks NAME WIDTH SCRIPT: what the page says when SCRIPT has run in it.
page=out/report.html
asks() {
  { cat "$page"; printf '<script>\nconst say = (s) => { document.title = "said:" + s; };\n%s\n</script>\n' "$3"; } > "$1.html"
  # A window of Chromium is at least 500 wide; a frame is not.
  printf '<!doctype html><iframe src="%s.html" width="%s" height="900" style="border:0" onload="document.title = this.contentDocument.title"></iframe>' \
    "$1" "$2" > "$1.frame.html"
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --allow-file-access-from-files --virtual-time-budget=5000 \
    --dump-dom "file://$work/$1.frame.html" 2> "$1.log" | sed -n 's/.*<title>said:\(.*\)<\/title>.*/\1/p' > "$1.said"
}
names='[...document.querySelectorAll("table.class tbody")].filter((s) => !s.hidden).map((s) => s.textContent[0]).join("")'
heads='document.querySelectorAll("table.class th button")'

asks order 1000 "say($names);"
[ "$(cat order.said)" = '&lt;Bamz' ] || problem "the rows stand as $(cat order.said)"
asks sorted 1000 "$heads[7].click(); const first = $names; $heads[7].click(); say(first + ' ' + $names);"
[ "$(cat sorted.said)" = '&lt;aBmz &lt;aBmz' ] && problem "a click does not turn the rows"
case $(cat sorted.said) in '&lt;a'*' '*'a'|'a&lt;'*) ;; *) problem "sorted by points: $(cat sorted.said)" ;; esac
asks filtered 1000 "const f = document.querySelector('.tools input'); f.value = 'RATHER long'; f.dispatchEvent(new Event('input')); say($names);"
[ "$(cat filtered.said)" = B ] || problem "filtered by words: $(cat filtered.said)"
asks absent 1000 "const s = document.querySelector('.tools select'); s.value = 'absent'; s.dispatchEvent(new Event('change')); say($names);"
[ "$(cat absent.said)" = m ] || problem "filtered by status: $(cat absent.said)"
asks folded 420 'const r = [...document.querySelectorAll("table.class tbody")];
say(r.filter((x) => x.querySelectorAll(".note").length > 1).length > 1 && r.every((x) => x.offsetHeight < 110));'
[ "$(cat folded.said)" = true ] || problem "rows with remarks are high: $(cat folded.said)"
asks wide 420 'document.querySelectorAll("details").forEach((d) => { d.open = true; });
const w = [...document.querySelectorAll(".remarks .note")].map((x) => x.getBoundingClientRect().width);
say((w.length > 5) + " " + (Math.min(...w) > 350));'
[ "$(cat wide.said)" = 'true true' ] || problem "remarks are narrow: $(cat wide.said)"
for width in 420 1280; do
  asks "w$width" $width 'const w = innerWidth, cut = [...document.querySelectorAll("td, th, h1, h2, svg, .note, figcaption")].filter((x) => x.getBoundingClientRect().right > w + 0.5 || x.scrollWidth > x.clientWidth + 1 && x.clientWidth > 0 && !x.closest("svg"));
say((document.documentElement.scrollWidth <= w) + " " + cut.length + " " + (cut[0] ? cut[0].outerHTML.slice(0, 60).replace(/[<>]/g, "|") : ""));'
  [ "$(cat w$width.said)" = 'true 0' ] || problem "$width points wide: $(cat w$width.said)"
done

asks words 1000 'const told = [...document.querySelectorAll("#tests tbody tr")], parts = told.map((r) => r.cells[0].textContent.split(".", 2).join("."));
const jumps = [...document.querySelectorAll(".jumps a")].filter((a) => document.querySelector(a.getAttribute("href")));
const of3 = told.every((r) => / of 3$/.test(r.cells[2].textContent)); // zip.zip holds no kernel
say(told.length + " " + of3 + " " + told.every((r) => /^does not compile: .* error: expected/.test(r.cells[1].textContent)) + " " +
  parts.every((p, k) => parts.slice(0, k).filter((q) => q === p).length < 2) + " " + jumps.length);'
[ "$(cat words.said)" = '15 true true true 3' ] || problem "the hardest tests: $(cat words.said)"

# A student's page on a telephone: what a test says has the width of the page.
page=out/students/anna/report.html
asks student 420 'document.querySelectorAll("details").forEach((d) => { d.open = true; });
const w = [...document.querySelectorAll(".tests td.grow")].map((x) => x.getBoundingClientRect().width);
say((document.documentElement.scrollWidth <= innerWidth) + " " + (w.length > 10) + " " + (Math.min(...w) > 250));'
[ "$(cat student.said)" = 'true true true' ] || problem "a student's page, 420 points wide: $(cat student.said)"
grep -q '<h1>anna A</h1>' $page || problem "the full name is not on a student's page"

# On paper, as a class of 205 of whom all fail: every page with students has the heads of the columns; a student takes two lines, and
# only who is unfolded has all remarks.
{ cat out/report.html; printf '<script>\nfor (let k = 0; k < 40; k++) for (const s of %s) document.querySelector("table.class").append(s.cloneNode(true));\n%s\n</script>\n' \
  '[...document.querySelectorAll("table.class tbody")].slice(0, 5)' 'document.querySelector(".remarks details").open = true;'; } > many.html
timeout 120 "$browser" --headless --no-sandbox --disable-gpu --print-to-pdf="$work/page.pdf" "file://$work/many.html" > /dev/null 2>&1
[ "$(head -c 4 page.pdf)" = %PDF ] || problem "it does not print"
if command -v pdftotext > /dev/null; then
  pdftotext -layout page.pdf page.txt
  for word in anna carl missing zip 'Hardest tests' 06 '[0-9] remarks'; do grep -q -- "$word" page.txt || problem "on paper there is no $word"; done
  heads=$(grep -c '^ *Student .*06' page.txt)
  [ "$heads" -gt 5 ] || problem "only $heads pages have the heads of the columns"
  opened=$(grep -c 'does not compile: kernel.cu' page.txt) pages=$(tr -cd '\f' < page.txt | wc -c)
  [ "$opened" -ge 5 ] && [ "$opened" -lt 50 ] || problem "on paper $opened remarks are unfolded"
  [ "$pages" -gt 5 ] && [ "$pages" -le 16 ] || problem "a class of 205 prints $pages pages"
fi

no_problems
