#!/bin/sh
# test.sh archive ROOT NVCC what `scanlab release` makes: the same bytes from another copy of the tree; no line that
#                           students must not get, and a refusal when one is planted; the build is closed
# test.sh builds ROOT NVCC  the archive builds from scratch as an ordinary user; each skeleton is checked and scores 0
# shellcheck disable=SC2015,SC2034
set -u
what=$1 root=$2 nvcc=$3
tmp=$(mktemp -d) || exit 4
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$1"; [ ! -f "$tmp/said" ] || tail -n 10 "$tmp/said" | sed 's/^/  /'; failed=1; }
release() { "$1/scanlab" release --out "$tmp/$2.tar.gz" >"$tmp/said" 2>&1; }
unset SCANLAB_ROOT SCANLAB_BUILD

release "$root" first || { fail "release"; exit 1; }
mkdir "$tmp/unpacked" && tar -xzf "$tmp/first.tar.gz" -C "$tmp/unpacked" || fail "the archive cannot be unpacked"
students=$tmp/unpacked/scanlab
as=
if [ "$(id -u)" = 0 ]; then as='setpriv --reuid 65534 --regid 65534 --clear-groups'; fi

if [ "$what" = builds ]; then
  chmod 755 "$tmp" && mkdir "$tmp/home" && [ -z "$as" ] || chown -R 65534:65534 "$tmp/unpacked" "$tmp/home"
  $as test -x "$nvcc" || { echo "skipped: an ordinary user cannot reach $nvcc"; exit 77; }
  user() { (cd "$students" && $as env HOME="$tmp/home" SCANLAB_OFFLINE=1 SCANLAB_NVCC="$nvcc" "$@") >"$tmp/said" 2>&1; }
  user ./scanlab build || fail "build"
  for lab in "$students"/labs/0*; do
    lab=$(basename "$lab")
    user ./scanlab check "${lab%%_*}"; [ $? -eq 1 ] && grep -q '^score so far  0 / 100' "$tmp/said" || fail "check ${lab%%_*} of a skeleton"
  done
  user ./scanlab grade labs --no-plots --json all.json; [ $? -eq 1 ] || fail "grade labs"
  grep -q '^total 0 / [1-9]' "$tmp/said" && ! grep -E '"(points|score)": [0-9.]*[1-9]' "$students/all.json" || fail "a skeleton scores"
  user ./scanlab doctor || fail "doctor"
  user cmake --install build/sim --prefix "$tmp/home/installed" || fail "cmake --install"
  cp "$root/solutions/01_naive_scan/kernel.cu" "$tmp/home" && chmod 644 "$tmp/home/kernel.cu"
  user "$tmp/home/installed/bin/scanlab" trace 01 --n 4 --html "$tmp/home/trace.html" --file "$tmp/home/kernel.cu" || fail "the installed scanlab"
  user ./scanlab grade solutions; [ $? -eq 3 ] || fail "grade solutions without solutions"
  exit $failed
fi

# Every file of the course is one that students get, or one that stays; what `cmake --install` takes is among them.
# shellcheck source=grader/release/common.sh
(. "$root/grader/release/common.sh"; tree_files | undecided) >"$tmp/said"
[ ! -s "$tmp/said" ] || fail "grader/release/allow.txt does not say whether students get these"
sed -n 's/^ *install([A-Z]* \(.*\) DESTINATION.*/\1/p' "$root/harness/cmake/ScanlabInstall.cmake" | tr ' ' '\n' | grep '/' | grep -v '[$]' |
  while read -r name; do [ -e "$students/$name" ] || echo "$name"; done >"$tmp/said"
[ ! -s "$tmp/said" ] || fail "cmake --install takes these, and students do not have them"

# Nothing is in it that was not let in, and what students need is.
tar -tzf "$tmp/first.tar.gz" >"$tmp/names"
grep -E '(^|/)(solutions|corpus|tests|nsight|fuzz|attacks|build|release|package)/' "$tmp/names" && fail "folders that students must not get"
for name in scanlab README.md labs/06_radix_sort/kernel.cu labs/06_radix_sort/lab.json harness/include/scanlab/lab.h \
    docs/student/rules.md docs/theory/figures/06.svg; do
  grep -qx "scanlab/$name" "$tmp/names" || fail "the archive has no $name"
done
tar -tvzf "$tmp/first.tar.gz" | awk '$1 !~ /^[d-]rwxr-xr-x$|^-rw-r--r--$/ || $2 != "0/0" || $4 != "2000-01-01" { print; bad = 1 } END { exit bad }' ||
  fail "modes, owners or times are not fixed"
"$root/docs/tests/check_links.sh" "$students" >"$tmp/said" 2>&1 || fail "pages with dead links"

# Of links that lead to pages that students do not have nothing stays but text that says something by itself.
mkdir -p "$tmp/pages/in"
cat >"$tmp/pages/in/page.md" <<'EOF'
It takes 2 ms ([measured](../none.md)), and more ([here](page.md)).
It takes 3 ms
([table](../none.md)). A sentence.
One. [How it works](../none.md). Two.

[How it works](../none.md#why).

Explained in [a term](../none.md).
As [the model](../none.md) says; see [a page](page.md) ([all rows](../none.md): 0.98).
EOF
cat >"$tmp/pages/expected" <<'EOF'
It takes 2 ms, and more ([here](page.md)).
It takes 3 ms. A sentence.
One. Two.

As the model says; see [a page](page.md) (all rows: 0.98).
EOF
(. "$root/grader/release/common.sh"; unlink_pages "$tmp/pages")
diff "$tmp/pages/in/page.md" "$tmp/pages/expected" >"$tmp/said" || fail "what is left of links"
(cd "$students" && find . -name '*.md' -print) | while read -r page; do
  grep -oE '[(]\[[^][]*\][(][^() ]+[)][)]' "$root/$page" 2>/dev/null | sed 's/^(\[\(.*\)\](.*/(\1)/' | sort -u |
    grep -nF -f - "$students/$page" | sed "s|^|$page:|"
done >"$tmp/said"
[ ! -s "$tmp/said" ] || fail "words of links that are gone"

# Another copy, without git, of another user and with other times and rights: the same bytes.
copy=$tmp/copy
mkdir "$copy"
(cd "$root" && { git ls-files 2>/dev/null | grep . || find . -path './build*' -prune -o -type f -print; } | tar -cf - -T -) | tar -xf - -C "$copy"
mkdir "$copy/build" "$copy/build/sim"
head -c 32 /dev/urandom >"$copy/build/sim/grade.key"
(cd "$copy" && chmod -R go-rwx . && find . -name '*.c' -exec touch {} + && echo mine >labs/01_naive_scan/kernel.cu.bak.1)
TZ=Asia/Tokyo LANG=C.UTF-8 release "$copy" second || fail "release of a copy"
cmp "$tmp/first.tar.gz" "$tmp/second.tar.gz" || fail "two archives of the same tree differ"

# refused FILE WORDS: with what was done to FILE of the copy, nothing is handed out, and FILE is named. FILE is put back.
refused() {
  rm -f "$tmp/bad.tar.gz"
  release "$copy" bad; code=$?
  [ $code -eq 3 ] && [ ! -e "$tmp/bad.tar.gz" ] && grep -qF "$2" "$tmp/said" || fail "exit $code with a planted $2"
  cp "$root/$1" "$copy/$1"
}
# line FILE PATTERN: a line of the copy's FILE.
line() { grep -m 1 -E "$2" "$copy/$1"; }
line solutions/03_blelloch/kernel.cu 'temp\[right\] =' >>"$copy/harness/base/error.c"
refused harness/base/error.c harness/base/error.c
grep -h 'atomicAdd' "$copy"/harness/corpus/06_radix_sort/*.cu | head -n 1 >>"$copy/harness/include/scanlab/lab.h"
refused harness/include/scanlab/lab.h harness/include/scanlab/lab.h
cp "$copy/solutions/02_double_buffer/kernel.cu" "$copy/labs/02_double_buffer/kernel.cu"
refused labs/02_double_buffer/kernel.cu "the labs are not as students should get them"
sed 's/"dist": "uniform_int"/"visibility": "hidden", &/' "$root/labs/01_naive_scan/lab.json" >"$copy/labs/01_naive_scan/lab.json"
refused labs/01_naive_scan/lab.json labs/01_naive_scan/lab.json
release "$copy" bad || fail "release after all was put back"

# leaks.sh finds each line that a solution has in its TODO regions, but for what every kernel has; and each wrong submission.
mkdir "$tmp/planted"
for file in "$root"/solutions/*/kernel.cu; do
  awk '/^ *\/\/ END TODO/ { open = 0 } open && length($1 $2 $3) >= 10; /^ *\/\/ TODO/ { open = 1 }' "$file" |
    grep -vE '^ *(__sync(threads|warp)\(\);|#pragma unroll)$' >>"$tmp/planted/solutions"
done
for file in "$root"/harness/corpus/labs/0*/*.diff; do
  grep '^[+]' "$file" | sed 's/^.//' | grep -vE '^ *(__sync(threads|warp)\(\);.*|.{0,9})$' >"$tmp/planted/$(basename "$file")"
done
"$root/grader/release/leaks.sh" "$root" "$tmp/planted" >"$tmp/said"
lines=$(wc -l <"$tmp/planted/solutions") found=$(grep -c '^solutions:' "$tmp/said")
[ "$lines" -gt 120 ] && [ $((lines - found)) -le 6 ] || fail "$found of $lines lines of the solutions are found"
for file in "$tmp"/planted/*.diff; do
  [ ! -s "$file" ] || grep -q "^$(basename "$file"):" "$tmp/said" || fail "nothing of $(basename "$file") is found"
done

# Hidden cases and keys: leaks.sh finds a line of any file that it is told of.
echo '{ "id": "late_tail", "n": [77777, 88889], "seed": 4711 }' >"$tmp/overlay.json"
"$root/grader/release/leaks.sh" "$root" "$students" "$tmp/overlay.json" >"$tmp/said" || fail "lines of an overlay that is nowhere"
echo '  { "id": "late_tail", "n": [77777, 88889], "seed": 4711 }' >>"$students/labs/05_arbitrary_size/lab.json"
"$root/grader/release/leaks.sh" "$root" "$students" "$tmp/overlay.json" >"$tmp/said"
[ $? -eq 1 ] && grep -q '^labs/05_arbitrary_size/lab.json:' "$tmp/said" || fail "a line of the overlay is not found"

# No file is replaced that is no archive.
echo precious >"$tmp/mine.tar.gz"
release "$root" mine; [ $? -eq 3 ] && grep -qx precious "$tmp/mine.tar.gz" || fail "a file that is no archive was replaced"

# In the students' tree: commands for the course alone say so, and the build needs nothing that is not there.
(cd "$students" && ./scanlab help) >"$tmp/said" 2>&1
grep -q '^  check ' "$tmp/said" && ! grep -E '^  (mutants|bench|release|package|test) ' "$tmp/said" || fail "help of the students' tree"
for command in mutants bench release test; do
  (cd "$students" && ./scanlab $command) >"$tmp/said" 2>&1; [ $? -eq 3 ] && grep -q 'in this tree' "$tmp/said" || fail "$command in the students' tree"
done
(cd "$students" && cmake --preset sim -DSL_NVCC="$nvcc" && ninja -C build/sim -n all) >"$tmp/said" 2>&1 || fail "the students' tree cannot be built"
exit $failed
