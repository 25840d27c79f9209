# Computes the rows of the tables of docs/theory/README.md by walking through each algorithm step by step, n = 1024:
# awk -f tables.awk prints "row | figures".
function distances(n,   d, sum) { for (d = 1; d < n; d *= 2) sum += n - d; return sum }
function levels(n,   d, k) { for (d = 1; d < n; d *= 2) k++; return k }
function pairs_of_tree(n,   d, sum) { for (d = 1; d < n; d *= 2) sum += n / (2 * d); return sum }
function reverse_phase(n,   d, k, sum) { for (d = n / 4; d >= 1; d /= 2) for (k = 3 * d - 1; k < n; k += 2 * d) sum++; return sum }
function sklansky(n,   d, k, sum) { for (d = 1; d < n; d *= 2) for (k = 0; k < n; k++) if (int(k / d) % 2) sum++; return sum }
# The place of element i with a gap after every 2^s; s = 0: no gap, s = 510: gaps after every 2^5 and 2^10.
function place(i, s) { return i + (s == 510 ? int(i / 32) + int(i / 1024) : s ? int(i / 2 ^ s) : 0) }
# Replays of a warp's access to places at[0..lanes).
function replays(at, lanes,   l, bank, word, many, most) {
  split("", word); split("", many)
  for (l = 0; l < lanes; l++) {
    bank = at[l] % 32
    if (!((bank, at[l]) in word)) { word[bank, at[l]] = 1; if (++many[bank] > most) most = many[bank] }
  }
  return most - 1
}
# Of one access, over all levels of the tree; and of walking along the array, 32 neighbours at a time.
function of_tree(n, s,   d, w, l, at, sum, pairs) {
  for (d = 1; d < n; d *= 2) {
    pairs = n / (2 * d)
    for (w = 0; w < pairs; w += 32) { for (l = 0; l < 32 && w + l < pairs; l++) at[l] = place(d * (2 * (w + l) + 1) - 1, s); sum += replays(at, l) }
  }
  return sum + 0
}
function of_line(n, s,   w, l, at, sum) {
  for (w = 0; w < n; w += 32) { for (l = 0; l < 32; l++) at[l] = place(w + l, s); sum += replays(at, 32) }
  return sum + 0
}
function conflicts(s,   tree, line) { tree = of_tree(1024, s); line = of_line(1024, s); return 5 * tree + line " + " 3 * tree + line }
BEGIN {
  n = 1024
  print "sequential inclusive | " n - 1 " | 0"
  print "Hillis-Steele, double buffer (lab 02) | " distances(n) " | " levels(n) + 1
  print "the same in place (lab 01) | " distances(n) " | " 2 * levels(n) + 1
  print "Blelloch, exclusive (labs 03, 04) | " 2 * pairs_of_tree(n) " | " 2 * levels(n) + 1
  print "Brent-Kung, inclusive | " pairs_of_tree(n) + reverse_phase(n) " | " 2 * levels(n)
  print "Sklansky | " sklansky(n) " | " levels(n) + 1
  print "i | " conflicts(0)
  print "i + (i >> 5) | " conflicts(5)
  print "i + (i >> 5) + (i >> 10) | " conflicts(510)
  print "i + (i >> 4) | " conflicts(4)
  print "i + (i >> 6) | " conflicts(6)
  print "2048 | " of_tree(2048, 5) " " of_tree(2048, 510)
}
