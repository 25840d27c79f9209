#!/bin/sh
# errata.sh: docs/theory/errata.md has 49 rows, each once, and they say what is so: what errata.awk computes, what a compiler says of
# printed lines, what the corpus expects of kernels. Each handout has the rows of its lab, the theory those of none.
# errata.sh --handouts: writes them there, between the line "All errors .. errata" and the next heading.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
page=$root/docs/theory/errata.md
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
failed=0

problem() { echo "$*"; failed=1; }

# The rows that a reader of PAGE meets: those of lab NN (with its part), or of none.
met() {
  awk -F' [|] ' -v lab="$1" '
    /^## / { source = $0; sub(/^## /, "", source); sub(/[,(].*/, "", source); sub(/ $/, "", source) }
    /^[|] [0-9H]+-[0-9]+ [|]/ {
      where = $2; sub(/^[|] /, "", where)
      row = $0; sub(/^[|] /, "", row); sub(/ *[|]$/, "", row)
      n = split(row, f, / [|] ?/)
      at = f[2]; gsub(/ /, "", at)
      if (substr(at, 1, 2) != lab) next
      if (f[7] ~ /^`harness/) { f[7] = "the finding"; f[8] = "[" f[8] "](../reference/findings/" f[8] ".md)" }
      if (!any++) print "| | " "text | it says | right is | input | printed | result |\n|---|---|---|---|---|---|---|"
      print "| " f[1] " | " source " | " f[3] " | " f[5] " | " f[6] " | " f[7] " | " f[8] " |"
    }' "$page" | sed "s|](\.\./|](../../docs/|g; s|](README.md|](../../docs/theory/README.md|g"
}

# The page's last rows, of the table that met prints.
shown() { awk '/^[|] [|] text [|] it says/ { on = 1 } !/^[|]/ { on = 0 } on' "$1"; }

for lab in 01 02 03 04 05 06 ''; do
  to=$(echo "$root"/labs/"$lab"_*/README.md)
  if [ -z "$lab" ]; then to=$root/docs/theory/README.md; fi
  met "$lab" >"$tmp/rows"
  [ -s "$tmp/rows" ] || problem "no erratum of lab '$lab'"
  if [ "${1:-}" = --handouts ]; then
    awk -v rows="$tmp/rows" '
      /^[|] [|] text [|] it says/ { skip = 1 }
      skip && !/^[|]/ { skip = 0 }
      skip { next }
      /errata.md\)[^|]*$/ && /:$/ { print; getline; print ""; while ((getline line < rows) > 0) print line; if ($0 ~ /^[|]/) skip = 1; next }
      { print }' "$to" >"$tmp/new" && cp "$tmp/new" "$to"
  else
    shown "$to" | cmp -s - "$tmp/rows" || problem "$to: not the errata of its lab; docs/theory/errata.sh --handouts writes them"
  fi
done
rows=$(sed -n 's/^| \([0-9H]*-[0-9]*\) |.*/\1/p' "$page" | sort -u | wc -l)
[ "$rows" -eq 49 ] || problem "$rows errata in place of 49"

awk -f "$root/docs/theory/errata.awk" | sed 's/^\([^ ]*\) | /\1 /' >"$tmp/computed"
[ "$(wc -l <"$tmp/computed")" -ge 38 ] || problem "errata.awk computes too few"
while read -r id figures; do
  grep "^| $id |" "$page" | grep -qF -- "| $figures |" || problem "$id: the page does not have: $figures"
done <"$tmp/computed"

# compiles LINE: in a function with what the listings declare.
compiles() {
  printf 'void f(float *g_odata, float *temp, float *sharedMem, int thid, int pout, int n, int left, int right) {\n%s\n}\n' "$1" |
    ${CC:-cc} -fsyntax-only -xc - 2>/dev/null
}
# printed ID PRINTED MENDED
printed() {
  grep "^| $1 |" "$page" | grep -qF '| does not compile | compiles |' || problem "$1: the page says something else"
  ! compiles "$2" || problem "$1 compiles as printed"
  compiles "$3" || problem "$1 does not compile when mended"
}
printed H-3 'g_odata[thid] = temp[pout*n+thid1];' 'g_odata[thid] = temp[pout*n+thid];'
printed 003-3 'sharedMem[right] += sharedMem[left]' 'sharedMem[right] += sharedMem[left];'

# Kernels of the corpus: their tests run them for the finding that they name.
sed -n 's/^| \([0-9H]*-[0-9]*\) |.*| `\(harness[^`]*\)`\(: `\([^`]*\)`\)\{0,1\} | \([a-z.]*\) |$/\1 \2 \5 \4/p' "$page" >"$tmp/kernels"
[ "$(wc -l <"$tmp/kernels")" -eq 4 ] || problem "not four kernels are named"
while read -r id kernel finding name; do
  grep -q "^// expect${name:+ $name}: $finding" "$root/$kernel" || problem "$id: $kernel is not expected to give $finding"
done <"$tmp/kernels"
exit $failed
