# Computes, for each erratum of docs/theory/errata.md that can be computed, what the printed text makes of the smallest
# input and what is right: awk -f errata.awk prints "ID | input | as printed | right".
function join(x, from, to,   i, s) { for (i = from; i <= to; i++) s = s (i > from ? " " : "") x[i]; return s }
function tell(id, input, printed, right) { print id " | " input " | " printed " | " right }
function fill(x, words,   list, n, i) { n = split(words, list, " "); for (i = 0; i < n; i++) x[i] = list[i + 1]; return n }
function log2(n,   k) { while (n > 1) { n /= 2; k++ } return k + 0 }
function scan(words, inclusive,   x, n, i, sum, s) {
  n = fill(x, words)
  for (i = 0; i < n; i++) { s = s (i ? " " : "") (inclusive ? sum + x[i] : sum + 0); sum += x[i] }
  return s
}
# Hillis and Steele's steps on x[0..n); in step d an element is added where k >= least(d).
function steps(words, printed,   x, y, n, d, k) {
  n = fill(x, words)
  for (d = 1; 2 ^ (d - 1) < n; d++) {
    for (k = 0; k < n; k++) y[k] = x[k] + (k >= (printed ? 2 ^ d : 2 ^ (d - 1)) ? x[k - 2 ^ (d - 1)] : 0)
    for (k = 0; k < n; k++) x[k] = y[k]
  }
  return join(x, 0, n - 1)
}
# The same in place on ones, warps of 32 in ascending order, each in lock step.
function in_place(n,   x, y, d, w, k) {
  for (k = 0; k < n; k++) x[k] = 1
  for (d = 1; d < n; d *= 2)
    for (w = 0; w < n; w += 32) {
      for (k = w; k < w + 32 && k < n; k++) y[k] = x[k] + (k >= d ? x[k - d] : 0)
      for (k = w; k < w + 32 && k < n; k++) x[k] = y[k]
    }
  return x[n - 1]
}
function steps_of_ones(n,   k, words, x) { for (k = 0; k < n; k++) words = words " 1"; split(steps(words, 0), x, " "); return x[n] }
# The double buffer with += on zeroed shared memory.
function double_buffer(words,   in1, t, n, p, d, k) {
  n = fill(in1, words)
  for (k = 0; k < n; k++) { t[0, k] = k ? in1[k - 1] : 0; t[1, k] = 0 }
  for (d = 1; d < n; d *= 2) {
    p = 1 - p
    for (k = 0; k < n; k++) { if (k >= d) t[p, k] += t[1 - p, k - d]; else t[p, k] = t[1 - p, k] }
  }
  for (k = 0; k < n; k++) in1[k] = t[p, k]
  return join(in1, 0, n - 1)
}
# Blelloch's tree on x[0..n). first: the level that the down-sweep begins with; clear: is the root cleared?
function tree(x, n, first, clear,   d, k, t) {
  for (d = 1; d < n; d *= 2) for (k = 2 * d - 1; k < n; k += 2 * d) x[k] += x[k - d]
  root = x[n - 1]
  if (clear) x[n - 1] = 0
  cleared = x[n - 1]
  for (d = 2 ^ first; d >= 1; d /= 2) for (k = 0; k < n; k += 2 * d) { t = x[k + d - 1]; x[k + d - 1] = x[k + 2 * d - 1]; x[k + 2 * d - 1] += t }
  return join(x, 0, n - 1)
}
function shr(a, b) { return b >= 32 ? 0 : int(a / 2 ^ b) }
# Harris's padded tree with the offset of the other element taken for both loads: how many of n are wrong.
function block_a(n, log_banks,   t, x, k, wrong, m, d, a, b, v, off) {
  m = n / 2
  for (k = 0; k < n; k++) x[k] = 1
  for (k = 0; k < m; k++) { t[k + shr(k, log_banks)] = 1; t[k + m + shr(k, log_banks)] = 1 }
  off = 1
  for (d = n / 2; d >= 1; d /= 2) {
    for (k = 0; k < d; k++) { a = off * (2 * k + 1) - 1; b = off * (2 * k + 2) - 1; t[b + shr(b, log_banks)] += t[a + shr(a, log_banks)] }
    off *= 2
  }
  t[n - 1 + shr(n - 1, log_banks)] = 0
  for (d = 1; d < n; d *= 2) {
    off /= 2
    for (k = 0; k < d; k++) {
      a = off * (2 * k + 1) - 1; b = off * (2 * k + 2) - 1; a += shr(a, log_banks); b += shr(b, log_banks)
      v = t[a]; t[a] = t[b]; t[b] += v
    }
  }
  for (k = 0; k < n; k++) if (t[k + shr(k % m, log_banks)] != k) wrong++ # the store has the wrong offset, too
  return wrong + 0
}
# Replays of one access over all levels of the tree of n elements, element i at i + (i >> s).
function replays(n, s,   d, w, l, k, bank, word, many, most, sum, pairs) {
  for (d = 1; d < n; d *= 2) {
    pairs = n / (2 * d)
    for (w = 0; w < pairs; w += 32) {
      split("", many); split("", word); most = 0
      for (l = w; l < w + 32 && l < pairs; l++) {
        k = d * (2 * l + 1) - 1; k += shr(k, s); bank = k % 32
        if (!((bank, k) in word)) { word[bank, k] = 1; if (++many[bank] > most) most = many[bank] }
      }
      sum += most - 1
    }
  }
  return sum + 0
}
# A stable sort by [bits] bits, one a pass.
function sort_bits(words, bits,   x, n, b, i, zero, ones, list) {
  n = split(words, x, " ")
  for (b = 0; b < bits; b++) {
    zero = ones = ""
    for (i = 1; i <= n; i++) if (int(x[i] / 2 ^ b) % 2) ones = ones " " x[i]; else zero = zero " " x[i]
    list = zero ones; sub(/^ /, "", list); split(list, x, " ")
  }
  return list
}
# (pout, pin) after each of [count] steps; printed: pin goes by itself.
function buffers(pout, pin, count, printed,   s) {
  for (; count > 0; count--) { pout = 1 - pout; pin = printed ? 1 - pin : 1 - pout; s = s (s == "" ? "" : " ") "(" pout "," pin ")" }
  return s
}
# How many of the words 0, a0, .. a(n-1) an exclusive scan of n results uses.
function words_used(n,   i, k, used, words) { for (i = 0; i < n; i++) for (k = 0; k <= i; k++) used[k]; for (k in used) words++; return words }
# Two keys 1, a before b, after a pass that keeps their order or turns it, with their letters or without.
function equal_keys(stable, letters,   s) { s = stable ? "1a 1b" : "1b 1a"; if (!letters) gsub(/[ab]/, "", s); return s }
# What readers of a tile's word see in turn, tiles of two ones: the tile's total is stored, then the prefix.
function published(printed) { return (printed ? 2 ", then " : "") 2 + 2 }
BEGIN {
  tell("000-1", "1 1", steps("1 1", 1), steps("1 1", 0))
  tell("000-2", "33 ones", "last " in_place(33), "last " steps_of_ones(33))
  tell("000-3", "1 1", double_buffer("1 1"), scan("1 1", 0))
  tell("000-4", "5", "called inclusive: " scan("5", 0), "inclusive: " scan("5", 1))
  tell("000-5", "both 0 at first", buffers(0, 0, 1, 1), buffers(0, 0, 1, 0))
  tell("000-6", "n = 16", "(1,0) (1,0) (0,1) (1,0)", buffers(0, 1, log2(16), 0))
  tell("000-9", "n = 8", 1 + 8 " words", words_used(8) " words")
  split("", x); fill(x, "1 1 0 7"); a = tree(x, 2, 1, 1); tell("000-7", "1 1, then 0 7", substr(a, 1), scan("1 1", 0))
  tell("000-8", "n = 16", "5 levels", log2(16) " levels")
  tell("H-1", "any i below 2048", "offset " padding(), "offset i / 32")
  tell("H-2", "64 ones, 32 banks", block_a(64, 5) " wrong", block_a(32, 5) " wrong for n = 32")
  tell("H-4", "n = 8", "8 additions", adds(8) " additions")
  tell("H-5", "n = 8", "8 steps", log2(8) " steps")
  tell("H-6", "2^23", "8388688", 2 ^ 23)
  tell("H-7", "n = 1024", replays(1024, 6) " replays an access", replays(1024, 5) " replays an access")
  tell("001-1", "n = 1024, exclusive", 2 * 1024 - 2 - log2(1024) " additions", 2 * 1023 " additions")
  tell("001-2", "n = 16", "single step", log2(16) " steps")
  tell("001-3", "maximum of -5 -3", "0 0", "-inf -5")
  tell("001-4", "3 1", scan("3 1", 1) " or " scan("3 1", 0), scan("3 1", 0))
  tell("001-5", "8 ones, 2 a section", sections(1), sections(0))
  split("", x); fill(x, "3 1"); tree(x, 2, 0, 1); tell("001-6", "3 1", "total " cleared, "total " root)
  tell("001-7", "4194305 elements", int((4194305 + 2047) / 2048) " sums", "2048 fit into a block")
  tell("002-1", "1 0 5 2 6 4 7 2", "0 1 2 4 5 6 7", sort_bits("1 0 5 2 6 4 7 2", 3))
  tell("002-2", "1 8 5 2 6 4 7 2, 3 bits", sort_bits("1 8 5 2 6 4 7 2", 3), sort_bits("1 8 5 2 6 4 7 2", 4))
  tell("002-3", "1a 1b", equal_keys(1, 0) == equal_keys(0, 0) ? "the same" : "another", equal_keys(1, 1) != equal_keys(0, 1) ? "1a before 1b" : "the same")
  tell("002-4", "n keys, 32 passes of 1 bit", "32 n words", 32 * (1 + 1 + 1 + 1 + 1) " n words")
  tell("002-6", "-1 1 as 32-bit keys", sprintf("%.0f 1", 2 ^ 32 - 1), sprintf("%.0f %.0f", 2 ^ 31 - 1, 2 ^ 31 + 1))
  tell("002-7", "-2.0 -1.0, sign bit flipped", "40000000 3f800000", "3fffffff 407fffff")
  tell("002-8", "two launches of 1 block", "second tile " second_ticket(0), "second tile " second_ticket(1))
  tell("002-12", "blocks of 512 threads", 2 * 512 " words", 2 * 512 + 1 " words")
  tell("002-13", "block of 1 1, exclusive", "total " last_prefix(), "total " last_prefix() + 1)
  tell("002-14", "tiles of two ones", published(1), published(0))
  tell("003-1", "5 in front, 8 threads", intuition(5), "5")
  split("", x); fill(x, "3 1 7 0 4 1 6 3"); a = tree(x, 8, 2, 0); tell("003-2", "3 1 7 0 4 1 6 3", a, scan("3 1 7 0 4 1 6 3", 0))
  tell("003-6", "8 threads", "index " (7 + 1) * 0 * 2 - 1, "0 to " 8 - 1)
  tell("004-1", "3 1 7 0 4 1 6 3", "3 4 11 11 14 16 22 25", scan("3 1 7 0 4 1 6 3", 1))
  tell("004-2", "5", "left 0 5, right 5", "one of them")
  tell("004-4", "1e8 1 -1e8 as floats", floats(0), floats(1))
}
# ((n) >> 16 + (n) >> (2 * 4)) as C reads it: (n >> (16 + n)) >> 8. The largest over all places.
function padding(   n, most) { for (n = 0; n < 2048; n++) if (shr(shr(n, 16 + n), 8) > most) most = shr(shr(n, 16 + n), 8); return most + 0 }
function adds(n,   k, sum) { for (k = 1; k < n; k++) sum++; return sum }
# The tile that the second launch of one block draws.
function second_ticket(reset,   counter, launch, tile) { for (launch = 0; launch < 2; launch++) { if (reset) counter = 0; tile = counter++ } return tile }
function last_prefix(   x) { split(scan("1 1", 0), x, " "); return x[2] }
# Ones in sections of two; printed: the inclusive scan of the sums is added to the section itself.
function sections(printed,   b, k, s) {
  for (b = 0; b < 4; b++) for (k = 1; k <= 2; k++) s = s (b + k > 1 ? " " : "") 2 * (printed ? b + 1 : b) + k
  return s
}
# In two levels of stride 0 every one of 8 threads adds element -1 to itself.
function intuition(v,   level, t) { for (level = 0; level < 2; level++) for (t = 0; t < 8; t++) v += v; return v }
function round24(v,   s, e) {
  if (v == 0) return 0
  s = v < 0 ? -1 : 1; v *= s; e = 0
  while (v >= 2 ^ 24) { v /= 2; e++ }
  return s * int(v + 0.5) * 2 ^ e
}
function floats(right) { return right ? round24(1e8 - 1e8) + 1 : round24(round24(1e8 + 1) - 1e8) }
