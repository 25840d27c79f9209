# Every function of the toolkit's runtime is in ours, and nothing else; and so is all that its header declares, so that no
# program fails at link time: exports_test.sh OURS THEIRS HEADER
set -eu
names() { nm -D --defined-only "$1" | sed -n 's/.* [TWi] \([A-Za-z0-9_]*\)@@libcudart.so.13$/\1/p' | sort -u; }
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
names "$1" > "$dir/ours"
names "$2" > "$dir/theirs"
grep -oE 'CUDARTAPI +cuda[A-Za-z0-9_]+' "$3" | sed 's/.* //' | sort -u > "$dir/declared"
test "$(wc -l < "$dir/theirs")" -gt 300 || { echo "cannot read the symbols of $2"; exit 1; }
test "$(wc -l < "$dir/declared")" -gt 250 || { echo "cannot read the functions of $3"; exit 1; }
diff "$dir/theirs" "$dir/ours"
comm -23 "$dir/declared" "$dir/ours" > "$dir/missing"
test ! -s "$dir/missing" || { echo "declared by $3, but neither implemented nor in refused:"; cat "$dir/missing"; exit 1; }
echo "$(wc -l < "$dir/ours") functions, $(wc -l < "$dir/declared") of them declared by $3"
