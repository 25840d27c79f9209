# Every function of the toolkit's runtime is in ours, and nothing else: exports_test.sh OURS THEIRS
set -eu
names() { nm -D --defined-only "$1" | sed -n 's/.* [TWi] \([A-Za-z0-9_]*\)@@libcudart.so.13$/\1/p' | sort -u; }
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
names "$1" > "$dir/ours"
names "$2" > "$dir/theirs"
test "$(wc -l < "$dir/theirs")" -gt 300 || { echo "cannot read the symbols of $2"; exit 1; }
diff "$dir/theirs" "$dir/ours" && echo "$(wc -l < "$dir/ours") functions"
