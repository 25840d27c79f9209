#!/bin/sh
# check_names_test.sh ROOT BUILD: check_names.sh passes the tree's pages, and names what a page has wrong.
set -u
root=$1 build=$2
here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd -P)
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
ctest --test-dir "$build" -C Long -N >"$tmp/tests" || exit 4
"$here/check_names.sh" "$root" "$tmp/tests" || exit 1

mkdir -p "$tmp/root/labs/01_a"
cat >"$tmp/root/page.md" <<'END'
`labs/NN_name/` and the test `docs.links` are there; `labs/02_b/` and the tests `docs.links`, `docs.lost` are not all there.

| what | test |
|---|---|
| a pattern | `docs.l*` |
| a family that is gone | `gone.*` |
| a unit test that is gone: `gone_test` | |
END
"$here/check_names.sh" "$tmp/root" "$tmp/tests" >"$tmp/said" && { echo "a page with wrong names passes"; exit 1; }
for fault in 'file: labs/02_b/' 'test: docs.lost' 'test: gone.\*' 'test: gone_test'; do
  grep -q "^./page.md: no such $fault\$" "$tmp/said" || { echo "not said: no such $fault"; cat "$tmp/said"; exit 1; }
done
grep -q ' 4 faults$' "$tmp/said" || { cat "$tmp/said"; exit 1; }
