#!/bin/sh
# wrong_test.sh: every wrong submission can be made and differs from the solution; a change that does not fit is refused.
dir=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0 n=0
fail() { echo "FAILED: $*"; failed=1; }
for diff in "$dir"/*/*.diff; do
  lab=$(basename "$(dirname "$diff")") n=$((n + 1))
  "$dir/wrong.sh" "$lab/$(basename "$diff" .diff)" >"$tmp/kernel.cu" || { fail "$diff"; continue; }
  lines=$(grep -c '^// ' "$diff")
  [ "$(head -n "$lines" "$tmp/kernel.cu")" = "$(head -n "$lines" "$diff")" ] || fail "$diff: its first lines are lost"
  sed "1,${lines}d" "$tmp/kernel.cu" | cmp -s - "$dir/../../../solutions/$lab/kernel.cu" && fail "$diff changes nothing"
done
[ "$n" -ge 30 ] || fail "only $n wrong submissions"

here=$tmp/harness/corpus/labs
mkdir -p "$here/01" "$tmp/solutions/01" && printf 'one\ntwo\ntwo\n' >"$tmp/solutions/01/kernel.cu" && cp "$dir/wrong.sh" "$here"
refused() { # PHRASE TEXT: the change TEXT is refused, and why is said
  printf "$2" >"$here/01/x.diff"
  "$here/wrong.sh" 01/x >"$tmp/out" 2>"$tmp/err" && fail "accepted: $2"
  grep -q -- "$1" "$tmp/err" || fail "no \"$1\" but: $(cat "$tmp/err")"
}
good='// expect: 01.scan.*\n// Why.\n'
refused 'is in kernel.cu 0 times' "$good@@\n-three\n"
refused 'is in kernel.cu 2 times' "$good@@\n-two\n"
refused 'the first line is not' '// wrong\n@@\n-one\n'
refused 'no line says what is wrong' '// expect: 01.scan.*\n@@\n-one\n'
refused 'it changes nothing' "$good"
refused 'no part of a piece' "$good@@\n-one\n?two\n"
printf "$good@@\n one\n-two\n+2\n" >"$here/01/x.diff"
"$here/wrong.sh" "$tmp/class" 01 || fail "a class of one"
printf "${good}one\n2\ntwo\n" | cmp - "$tmp/class/x/01/kernel.cu" || fail "not as it should be"
exit $failed
