#!/bin/sh
# page_test.sh PAGE.md SL-SIM NVCC FOLDER [update]: the page of a kind of finding says what really happens. The first ```cuda
# block is a wrong program: the text printed for it must be the page's ```text block, about the line marked "// here". The
# second is the corrected program: nothing is found, and it exits 0. <!-- options: .. --> are those of scanlab sim,
# <!-- nvcc: .. --> those of the compiler (with -arch=.. for more than compute_75); without a second program the page says so in <!-- no corrected program: WHY -->.
# With update the page gets the text. The report in JSON must hold the same facts as the text.
set -u
unset SCANLAB_ROOT # else a replay names that folder
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
page=$(realpath "$1"); sim=$(realpath "$2"); nvcc=$3; id=$(basename "$1" .md)
mkdir -p "$4/$id" && cd "$4/$id" || exit 2
rm -f ./*.new ./*.txt
say() { echo "FAILED: $*"; exit 1; }
awk '/^```cuda$/ { out = ++n == 1 ? "wrong.new" : "right.new"; next } /^```text$/ { out = "page.txt"; next } /^```/ { out = ""; next }
     out { print > out }' "$page"
options=$(sed -n 's/^<!-- options: \(.*\) -->$/\1/p' "$page")
flags=$(sed -n 's/^<!-- nvcc: \(.*\) -->$/\1/p' "$page")
# Compiled again only when something has changed. Those with the usual flags share what is prepared of the headers.
# SL_EMULATED: the compilers are of this machine, the programs of another one.
build() {
  { echo "// $nvcc $flags" && cat "$1.new"; } > "$1.key.new"
  cmp -s "$1.key.new" "$1.key" && [ -x "$1" ] && return
  cp "$1.new" "$1.cu"
  sets=..
  if [ -n "$flags${SL_EMULATED:-}" ]; then sets=; fi
  case $flags in *-arch=*) arch= ;; *) arch=-arch=compute_75 ;; esac
  SL_PREPARE_NOW=1 "$here/../../compile/program.sh" "$(dirname "$sim")/sl-steps" "$nvcc" "$sets" "$1.cu" "$1" \
    $arch -lineinfo -O3 -std=c++17 -cudart shared $flags || say "$1.cu does not compile"
  cp "$1.key.new" "$1.key"
}
# Limited in processor time: a busy machine ends nothing early.
run() { (ulimit -t 60; exec timeout 480 "$sim" $options --report "$1.json" -- ./"$1" > out.txt 2> "$1.raw")
  code=$?
  # paths of this folder and addresses are left out of the page
  sed "s|$PWD/||g; s/0x[0-9a-f]\{12\}/0x.../; s/0x[0-9a-f]\{10\}\b/0x.../" "$1.raw" > "$1.txt"
  return $code
}
[ -f wrong.new ] || { grep -q '^<!-- no wrong program: ' "$page" && exit 0; say "the page has no wrong program"; }
grep -q '^<!-- no corrected program: ' "$page" || [ -f right.new ] || say "the page has no corrected program"
build wrong
if [ -f right.new ]; then build right; fi
run wrong
line=$(grep -n '// here' wrong.cu | head -1 | cut -d: -f1)
grep -qE "^(wrong.cu:${line:-[0-9]+}:([0-9]+:)? )?(error|warning|note)\[$id\]: " wrong.txt || { cat wrong.txt; say "$id is not found at line ${line:-?}"; }
if [ "${5-}" = update ]; then
  awk 'FNR == NR { text = text $0 "\n"; next } /^```text$/ { print; printf "%s", text; skip = 1; next } /^```$/ { skip = 0 } !skip' \
    wrong.txt "$page" > page.new && cat page.new > "$page"
else
  diff -u page.txt wrong.txt || say "the page says something else than scanlab sim"
fi
"$(dirname "$sim")/findings_agree" wrong.json wrong.raw || say "the text and the report in JSON differ"
[ -f right.new ] || exit 0
run right
code=$?
[ $code -eq 0 ] || { cat right.txt; say "the corrected program ends with $code"; }
grep -E '(error|warning|note)\[' right.txt && say "something is found in the corrected program"
exit 0
