#!/bin/sh
# check_names.sh ROOT TESTS: what pages name exists. TESTS is a file with the output of ctest -N.
# * Paths in backticks below harness/, grader/, labs/, datasets/ and docs/, where NN_name, NAME, ID and MISTAKE stand for any name.
# * Tests: names in backticks after the word "test" or "tests", names that end with _test, and the last column of tables headed
#   "test". A name may be a pattern: sim.mbarrier.*
set -u
root=$1 tests=$2
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
cd "$root" || exit 4

sed -n 's/^ *Test *#[0-9]*: //p' "$tests" >"$tmp/tests"
find . -name build -prune -o -name '*.md' -print | while read -r page; do
  grep -oE '`(harness|grader|labs|datasets|docs)/[^` ]*' "$page" | sed 's/^`//' | while read -r path; do
    found=$(printf %s "$path" | sed 's/NN_name/*/g; s/NAME/*/g; s/MISTAKE/*/g; s/\<ID\>/*/g')
    for file in $found; do break; done # the pattern's first match
    [ -e "$file" ] || echo "$page: no such file: $path"
    echo path >>"$tmp/seen"
  done
  {
    tr '\n' ' ' <"$page" | grep -oE '\<tests? `[a-z][^`]*`(,? (and )?`[a-z][^`]*`)*'
    grep -oE '`[a-z_]+_test`' "$page"
    awk -F'|' '/^\|/ { if ($(NF - 1) == " test ") last = 1; if (last) print $(NF - 1) } !/^\|/ { last = 0 }' "$page"
  } | grep -oE '`[^`]*`' | tr -d '`' | while read -r name; do
    found=0
    while read -r test; do
      case $test in $name) found=1; break ;; esac
    done <"$tmp/tests"
    [ $found = 1 ] || echo "$page: no such test: $name"
    echo test >>"$tmp/seen"
  done
done >"$tmp/faults"
cat "$tmp/faults"
for kind in path test; do
  grep -q "^$kind\$" "$tmp/seen" 2>/dev/null || { echo "no $kind found in any page"; exit 1; }
done
echo "$(wc -l <"$tmp/seen") names, $(wc -l <"$tmp/faults") faults"
! [ -s "$tmp/faults" ]
