// Sets of facts "accesses of this thread up to this stamp happened before", as a thread collects them by
// reading flags.
//
// A set is sorted by block and thread and never changes once made, so threads share it by reference.
// SL_WHO_ALL stands for all threads of a block, SL_WHO_WARP | w for all lanes of warp w.
#include <stdlib.h>
#include "observers/observers.h"

static inline uint64_t fact_place(const sl_fact *f) { return (uint64_t)f->block << 32 | f->who; }

static int by_place(const void *a, const void *b) {
  const uint64_t x = fact_place(a), y = fact_place(b);
  return x < y ? -1 : x > y;
}

static sl_facts *fresh(uint32_t n) {
  sl_facts *k = malloc(sizeof *k + n * sizeof *k->at);
  if (!k) abort();
  k->refs = 1, k->n = 0;
  return k;
}

static void append(sl_facts *k, const sl_fact *f) {
  sl_fact *last = k->n ? &k->at[k->n - 1] : NULL;
  if (last && last->block == f->block && last->who == f->who) {
    if (f->stamp > last->stamp) last->stamp = f->stamp;
  } else {
    k->at[k->n++] = *f;
  }
}

sl_facts *sl__known_make(const sl_fact *f, uint32_t n) {
  sl_facts *k = fresh(n), *sorted = fresh(n);
  memcpy(sorted->at, f, n * sizeof *f);
  qsort(sorted->at, n, sizeof *f, by_place);
  for (uint32_t i = 0; i < n; i++) append(k, &sorted->at[i]);
  free(sorted);
  return k;
}

sl_facts *sl__known_ref(sl_facts *k) {
  if (k) k->refs++;
  return k;
}

void sl__known_drop(sl_facts *k) {
  if (k && --k->refs == 0) free(k);
}

// The union of two sets. *more[0] and *more[1]: does it have more than the first, than the second?
static sl_facts *merge(const sl_facts *x, const sl_facts *y, bool more[2]) {
  sl_facts *k = fresh(x->n + y->n);
  const sl_fact *p = x->at, *q = y->at, *p_end = p + x->n, *q_end = q + y->n;
  sl_fact *to = k->at;
  bool more_x = false, more_y = false;
  while (p < p_end && q < q_end) {
    const uint64_t a = fact_place(p), b = fact_place(q);
    const bool newer = a == b && q->stamp > p->stamp;
    more_x |= b < a || newer, more_y |= a < b || (a == b && p->stamp > q->stamp);
    *to++ = a < b || (a == b && !newer) ? *p : *q;
    p += a <= b, q += b <= a;
  }
  more[0] = more_x || q < q_end, more[1] = more_y || p < p_end;
  while (p < p_end) *to++ = *p++;
  while (q < q_end) *to++ = *q++;
  k->n = (uint32_t)(to - k->at);
  return k;
}

void sl__known_join(sl_facts **a, sl_facts *b) {
  sl_facts *x = *a;
  bool more[2];
  if (x == b || !b) return;
  if (!x) {
    *a = sl__known_ref(b);
    return;
  }
  sl_facts *k = merge(x, b, more);
  sl_facts *keep = !more[0] ? x : !more[1] ? b : k; // shares a set that exists already
  sl__known_ref(keep);
  sl__known_drop(k), sl__known_drop(x);
  *a = keep;
}

bool sl__known_has(const sl_facts *k, uint32_t block, uint32_t thread, uint32_t stamp) {
  if (!k) return false;
  uint32_t lo = 0, hi = k->n;
  while (lo < hi) {
    uint32_t mid = (lo + hi) / 2;
    if (k->at[mid].block < block) lo = mid + 1;
    else hi = mid;
  }
  for (; lo < k->n && k->at[lo].block == block; lo++) {
    const sl_fact *f = &k->at[lo];
    bool about = f->who == thread ||
                 (thread < SL_WHO_COPIES && (f->who == SL_WHO_ALL || f->who == (SL_WHO_WARP | thread / 32)));
    if (about && stamp <= f->stamp) return true;
  }
  return false;
}
