#!/bin/sh
# examples.sh ROOT: what handouts work out by hand is computed here again, and each first message that their tables of mistakes
# quote is one that docs/results/first_messages.md has for that lab.
set -u
root=$1
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
checks=0 failed=0

# has PAGE WORDS: a line of the page begins with these words, however wide the blanks between them are.
has() {
  checks=$((checks + 1))
  sed 's/|/ /g; s/  */ /g; s/^ //' "$root/$1" | grep -qE "^$2( |\$)" || { echo "$1 has no line \"$2\""; failed=1; }
}

# Scans of the example that all handouts share, step by step.
awk -v labs="$root" '
  function row(x, n,   i, s) { for (i = 0; i < n; i++) s = s (i ? " " : "") x[i]; return s }
  BEGIN {
    n = split("3 1 7 0 4 1 6 3", in1, " ")
    for (i = 0; i < n; i++) { a[i] = in1[i + 1]; e[i] = i ? in1[i] : 0; t[i] = a[i] }
    for (d = 1; d < n; d *= 2) {
      for (i = 0; i < n; i++) { b[i] = a[i] + (i >= d ? a[i - d] : 0); f[i] = e[i] + (i >= d ? e[i - d] : 0) }
      for (i = 0; i < n; i++) { a[i] = b[i]; e[i] = f[i] }
      print "01 " (d == 4 ? "result" : "offset " 2 * d) " " row(a, n)
      print "02 buffer " (d == 2 ? 0 : 1) " " row(e, n)
    }
    for (d = 1; d < n; d *= 2) {
      for (i = 2 * d - 1; i < n; i += 2 * d) t[i] += t[i - d]
      print "03 " row(t, n)
    }
    for (i = 0; i < n; i++) k[i] = t[i]
    for (d = n / 4; d >= 1; d /= 2) {
      for (i = 3 * d - 1; i < n; i += 2 * d) k[i] += k[i - d]
      print "17 " row(k, n)
    }
    split("1 0 1 0 0 0 1 0", head, " ")
    for (i = 0; i < n; i++) seg[i] = in1[i + 1] + (head[i + 1] + 0 ? 0 : seg[i - 1])
    print "13 out " row(seg, n)
    for (i = 0; i < n; i++) {
      before = before " " kept + 0
      if (in1[i + 1]) { out = out " " in1[i + 1]; kept++ }
    }
    print "11 Of the 3 1 7 0 4 1 6 3 of the other labs seven are kept: before is" before ", and out" out "."
    split("1 2 1 3 1 2 1 1", factor, " ")
    for (i = 0; i < n; i++) y[i] = factor[i + 1] * y[i - 1] + in1[i + 1]
    print "15 y " row(y, n)
    t[n - 1] = 0
    for (d = n / 2; d >= 1; d /= 2) {
      for (i = 2 * d - 1; i < n; i += 2 * d) { x = t[i - d]; t[i - d] = t[i]; t[i] += x }
      print "03 " row(t, n)
    }
    for (i = 0; i < n; i++) { w[i] = i + int(i / 4); b[i] = w[i] % 4 }
    print "04 word " row(w, n); print "04 bank " row(b, n)
    for (tile = 0; tile < 4; tile++) {
      total[tile] = in1[2 * tile + 1] + in1[2 * tile + 2]
      first[tile] = tile ? first[tile - 1] + total[tile - 1] : 0
      local = local (tile ? " " : "") "0 " in1[2 * tile + 1]
      done = done (tile ? " " : "") first[tile] " " first[tile] + in1[2 * tile + 1]
    }
    print "05 tile scans " local; print "05 totals " row(total, 4); print "05 their scan " row(first, 4); print "05 add " done
  }' >"$tmp/scans"
# Sorts: one bit a pass with equal keys marked, two bits a pass in two tiles of eight.
awk 'BEGIN {
    n = split("3a 1a 7 0 4 1b 6 3b", key, " ")
    for (bit = 0; bit < 3; bit++) {
      ones = 0; head = tail = places = ""
      for (i = 1; i <= n; i++) { one[i] = int(key[i] / 2 ^ bit) % 2; before[i] = ones; ones += one[i] }
      for (i = 1; i <= n; i++) {
        if (one[i]) tail = tail " " key[i]; else head = head " " key[i]
        places = places " " (one[i] ? n - ones + before[i] : i - 1 - before[i])
      }
      if (!bit) print "06 place" places
      print "06 after bit " bit head tail
      split(head tail, key, " ")
    }
    n = split("11 5 14 2 7 0 13 9 4 15 1 8 6 12 3 10", k, " ")
    for (i = 1; i <= n; i++) count[k[i] % 4, int((i - 1) / 8)]++
    for (d = 0; d < 4; d++) for (t = 0; t < 2; t++) { counts = counts " " count[d, t]; scan = scan " " sum; start[d, t] = sum; sum += count[d, t] }
    gsub("  ", " 0 ", scan)
    print "06 of tiles 0, 1" counts; print "06 their scan" scan
    for (i = 1; i <= n; i++) {
      t = int((i - 1) / 8); d = k[i] % 4
      rank[t] = rank[t] " " (seen[d, t] + 0); place[t] = place[t] " " start[d, t] + seen[d, t]; out[start[d, t] + seen[d, t]++] = k[i]
    }
    for (t = 0; t < 2; t++) { print "06 rank in tile " t rank[t]; print "06 place" place[t] }
    for (i = 0; i < n; i++) line = line " " out[i]
    print "06 out" line
  }' >"$tmp/sorts"
cat "$tmp/scans" "$tmp/sorts" >"$tmp/lines"
while read -r lab words; do
  for page in "$root"/labs/"${lab}"_*/README.md; do has "${page#"$root"/}" "$words"; done
done <"$tmp/lines"

# Keys and their codes: page 06, part D.
while read -r key bits code; do has labs/06_radix_sort/README.md "$key $bits $code"; done <<END
int.-1 ffffffff $(printf %08x $((0xffffffff ^ 0x80000000)))
int.1 00000001 $(printf %08x $((0x00000001 ^ 0x80000000)))
float.-2 c0000000 $(printf %08x $((0xc0000000 ^ 0xffffffff)))
float.-1 bf800000 $(printf %08x $((0xbf800000 ^ 0xffffffff)))
float.-0 80000000 $(printf %08x $((0x80000000 ^ 0xffffffff)))
float.[+]0 00000000 $(printf %08x $((0x00000000 ^ 0x80000000)))
float.1 3f800000 $(printf %08x $((0x3f800000 ^ 0x80000000)))
END

# Mistakes: the second column of the table in the section of that name. Optional labs are not in that page of results.
for page in "$root"/labs/0[0-9]_*/README.md; do
  lab=$(basename "$(dirname "$page")")
  grep "^| \`${lab%%_*}/" "$root/docs/results/first_messages.md" >"$tmp/messages"
  awk -F'|' '/^## /{ inside = /Mistakes/ } inside && /^\| / && $3 ~ /`/ { print $3 }' "$page" | sed 's/^[^`]*`\([^`]*\)`.*/\1/' >"$tmp/quoted"
  [ -s "$tmp/quoted" ] || { echo "$lab: no table of mistakes"; failed=1; }
  while IFS= read -r message; do
    checks=$((checks + 1))
    grep -qF -- "$message" "$tmp/messages" || { echo "$lab: nothing is told as \"$message\""; failed=1; }
  done <"$tmp/quoted"
done
echo "$checks lines"
[ "$failed" -eq 0 ] && [ "$checks" -gt 80 ]
