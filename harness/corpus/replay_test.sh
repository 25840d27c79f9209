#!/bin/sh
# replay_test.sh ROOT SL-SIM AGREE PROGRAM EACH FILE.cu..: wrong kernels of the corpus, every EACH-th mistake and the first. The command that is
# printed with a finding, run as it is printed, must say the same again, letter by letter, and the report in JSON must hold the
# same facts as the text (findings_agree). PROGRAM holds the kernels (gather.sh).
set -u
root=$1 sim=$2 agree=$3 program=$4 each=$5
shift 5
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$root" || exit 2
failed=0 n=0 replays=0 k=0
fail() { echo "FAILED: $name: $*"; failed=$((failed + 1)); }
# Processor time is what is limited: a busy machine ends nothing early.
limited() (ulimit -t 60; exec timeout 480 "$@")
findings() { sed -n '/\(error\|warning\)\[/,$p' "$1" | sed 's/0x7f[0-9a-f]\{10\}/0x../'; } # the host's own addresses
"$root/harness/corpus/gather.sh" --names "$@" >"$dir/names"
while read -r name file; do
  k=$((k + 1))
  [ $((k % each)) = 0 ] || [ $k = 1 ] || continue
  with=$(awk -v its="$name:" '!/^\/\// { exit } $2 ~ /^expect/ { on = $2 == "expect:" || $3 == its } on && sub(/^\/\/ with: /, "")' "$file")
  case $with in *--thorough*) continue ;; esac # several runs, of which each replay is one
  limited "$sim" $with --report "$dir/r.json" -- "$program" wrong "$name" > "$dir/out" 2> "$dir/err"
  grep -q '^  replay  ' "$dir/err" || continue # a counter, or the result alone
  n=$((n + 1))
  "$agree" "$dir/r.json" "$dir/err" > "$dir/agree" || { fail "the text and the report differ"; cat "$dir/agree"; }
  sed -n 's/^  replay  //p' "$dir/err" | sort -u > "$dir/replays"
  while read -r line; do
    replays=$((replays + 1))
    command=$line
    [ -z "${SL_EMULATED:-}" ] || command="'$sim' ${line#./scanlab sim }" # the entry script has the programs of this machine
    limited sh -c "$command" > "$dir/out2" 2> "$dir/err2"
    findings "$dir/err" > "$dir/a"; findings "$dir/err2" > "$dir/b"
    cmp -s "$dir/a" "$dir/b" || { fail "$line says something else"; diff "$dir/a" "$dir/b" | head -20; }
  done < "$dir/replays"
done < "$dir/names"
echo "$n kernels with findings, $replays replays, $failed failed"
[ "$failed" = 0 ] && [ "$n" -gt 0 ]
