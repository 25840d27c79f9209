#!/bin/sh
# run_programs.sh PAGE.md [update]: every ```cuda block of a page is a program, and the ```text block after it is what
# `./scanlab sim` prints for it; <!-- options: .. --> before the program are those of sim. With update the page gets the text.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
page=$(realpath "$1")
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 4
awk '/^<!-- options: .* -->$/ { options = $0; sub(/^<!-- options: /, "", options); sub(/ -->$/, "", options); next }
     /^```cuda$/ { name = sprintf("p%02d", ++n); print options > (name ".options"); options = ""; out = name ".cu"; next }
     /^```text$/ { out = name ".said"; printf "" > out; next }
     /^```/ { out = ""; next }
     out { print > out }' "$page"
one() {
  # shellcheck disable=SC2046 # words
  "$root/scanlab" sim $(cat "$1.options") -- "$1.cu" >"$1.out" 2>&1 </dev/null
  echo $? >"$1.code"
  # left out of the page: where the program was built, and that the other one of two waited for a build
  sed -i "/^scanlab: /d; s|'$root/scanlab'|./scanlab|; s|$root/scanlab|./scanlab|; s|-- '*[^']*/programs/[0-9]*-$1'*|$1.cu|; s|$1\\.cu|program.cu|g" "$1.out"
  [ -s "$1.out" ] && [ -z "$(tail -c 1 "$1.out" | tr -d '\n')" ] || echo >>"$1.out"
}
"$root/scanlab" sim -- true || exit 4  # build what is stale once
for first in p*[13579].cu; do
  next=p$(printf %02d $((1$(printf %s "$first" | tr -dc 0-9) - 99)))
  one "${first%.cu}" &
  [ ! -f "$next.cu" ] || one "$next"
  wait
done
failed=0
for program in p*.cu; do
  name=${program%.cu}
  [ "$(cat "$name.code")" -eq 0 ] || { echo "$page: program $name ends with $(cat "$name.code")"; cat "$name.out"; failed=1; }
  if [ "${2-}" != update ]; then diff -u "$name.said" "$name.out" || { echo "$page: $name prints something else"; failed=1; }; fi
done
if [ "${2-}" = update ]; then
  awk '/^```cuda$/ { name = sprintf("p%02d", ++n) }
       /^```text$/ { print; while ((getline line < (name ".out")) > 0) print line; skip = 1; next }
       /^```$/ { skip = 0 } !skip' "$page" >new.md && cat new.md >"$page"
fi
programs=$(ls p*.cu | wc -l)
echo "$programs programs"
[ "$failed" -eq 0 ] && [ "$programs" -gt 0 ]
