// The CPU reference of the sorts: (rank, index) pairs in 64-bit numbers, blocks sorted by bytes, then merged.
//
// Interface: sl_sort_rank gives a key's place in the order as an unsigned number, sl_sort_order the sorted
// order. The index in the low half makes all pairs different, so the result is the stable order whatever
// merges them. Blocks that fit into a core's cache are sorted first; then the whole array is merged in turns,
// each twice as wide. Each core makes a range of places of the result; a binary search finds where that range
// begins in the two inputs.
#include "reference/reference.h"

#include "base/base.h"

static uint32_t rank_u32(uint32_t bits) { return bits; }
static uint32_t rank_i32(uint32_t bits) { return bits ^ 0x80000000u; }
// totalOrder: negative floats grow backwards, so all their bits flip; positive ones move above them.
static uint32_t rank_f32(uint32_t bits) { return bits & 0x80000000u ? ~bits : bits | 0x80000000u; }

uint32_t sl_sort_rank(sl_type type, uint32_t bits) {
  static uint32_t (*const rank[SL_TYPE_COUNT])(uint32_t) = {
      [SL_F32] = rank_f32, [SL_I32] = rank_i32, [SL_U32] = rank_u32, [SL_AFFINE] = rank_u32};
  return rank[type](bits);
}

typedef uint64_t pair; // rank and index

// In pairs: the size of a block, and the least work of a thread.
enum { BLOCK = 1 << 17, SORT_GRAIN = 1 << 17 };

typedef struct sorting {
  sl_type type;
  const uint32_t *keys;
  uint32_t *order;
  size_t n, width;
  pair *from, *to;
} sorting;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Two ascending rows.
typedef struct rows {
  const pair *a, *b;
  size_t n_a, n_b;
} rows;

// How many of the first [place] pairs of the merged rows come from a.
static size_t split(const rows *r, size_t place) {
  size_t lo = place > r->n_b ? place - r->n_b : 0, hi = least(place, r->n_a);
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (r->a[mid] < r->b[place - 1 - mid]) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

// Makes places [from, to) of the merged rows. The choice is made without a branch, often mispredicted.
static void merge(const rows *r, size_t from, size_t to, pair *out) {
  size_t i = split(r, from), j = from - i, i_end = split(r, to), j_end = to - i_end, k = from;
  while (i < i_end && j < j_end) {
    pair x = r->a[i], y = r->b[j];
    size_t right = y < x;
    out[k++] = right ? y : x;
    j += right;
    i += 1 - right;
  }
  while (i < i_end) out[k++] = r->a[i++];
  while (j < j_end) out[k++] = r->b[j++];
}

// Makes places [from, to) of one turn: merges pairs of rows of s->width, from s->from to s->to.
static void merge_range(void *context, size_t from, size_t to) {
  const sorting *s = context;
  while (from < to) {
    size_t lo = from / (2 * s->width) * (2 * s->width), mid = least(lo + s->width, s->n),
           hi = least(lo + 2 * s->width, s->n);
    size_t end = least(hi, to);
    rows r = {s->from + lo, s->from + mid, mid - lo, hi - mid};
    merge(&r, from - lo, end - lo, s->to + lo);
    from = end;
  }
}

enum { DIGITS = 256 };

// Moves pairs to their places by one byte of them. Pairs that are equal there keep their order.
static void sort_by_byte(const pair *from, pair *to, size_t n, int shift) {
  size_t place[DIGITS + 1] = {0};
  for (size_t i = 0; i < n; i++) place[(from[i] >> shift & (DIGITS - 1)) + 1]++;
  for (size_t d = 1; d < DIGITS; d++) place[d] += place[d - 1];
  for (size_t i = 0; i < n; i++) to[place[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

// Packs blocks [from, to) into s->from, sorted by the bytes of ranks, lowest first. Indices ascend already.
static void sort_blocks(void *context, size_t from, size_t to) {
  const sorting *s = context;
  for (size_t lo = from * BLOCK; lo < least(to * BLOCK, s->n); lo += BLOCK) {
    size_t n = least(BLOCK, s->n - lo);
    pair *at = s->from + lo, *other = s->to + lo;
    for (size_t i = 0; i < n; i++)
      at[i] = (pair)sl_sort_rank(s->type, s->keys[lo + i]) << 32 | (uint32_t)(lo + i);
    for (int shift = 32; shift < 64; shift += 16) {
      sort_by_byte(at, other, n, shift);
      sort_by_byte(other, at, n, shift + 8);
    }
  }
}

static void unpack(void *context, size_t from, size_t to) {
  const sorting *s = context;
  for (size_t i = from; i < to; i++) s->order[i] = (uint32_t)s->from[i];
}

static void on_cores(unsigned threads, size_t n, size_t grain,
                     void (*run)(void *context, size_t from, size_t to), sorting *s) {
  if (threads == 1) run(s, 0, n);
  else sl_parallel(n, grain, run, s);
}

static void swap_ends(sorting *s) {
  pair *t = s->from;
  s->from = s->to;
  s->to = t;
}

bool sl_sort_order(sl_type type, const uint32_t *keys, size_t n, uint32_t *order, unsigned threads) {
  SL_FREED pair *a = sl_alloc_array(n * sizeof *a), *b = sl_alloc_array(n * sizeof *b);
  sorting s = {type, keys, order, n, BLOCK, a, b};
  if (!a || !b) return false;
  on_cores(threads, (n + BLOCK - 1) / BLOCK, SORT_GRAIN / BLOCK, sort_blocks, &s);
  for (; s.width < n; s.width *= 2, swap_ends(&s)) on_cores(threads, n, SORT_GRAIN, merge_range, &s);
  on_cores(threads, n, SORT_GRAIN, unpack, &s);
  return true;
}
