// Sets of facts "accesses of this thread up to this stamp happened before", as a thread collects them by
// reading flags.
//
// A set is sorted by block and thread and never changes once made, so threads share it by reference.
// SL_WHO_ALL stands for all threads of a block, SL_WHO_WARP | w for all lanes of warp w.
#include <stdlib.h>
#include "observers/observers.h"

static int by_place(const void *a, const void *b) {
  const sl_fact *x = a, *y = b;
  if (x->block != y->block) return x->block < y->block ? -1 : 1;
  return x->who < y->who ? -1 : x->who > y->who;
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

void sl__known_join(sl_facts **a, sl_facts *b) {
  sl_facts *x = *a;
  if (x == b || !b) return;
  if (!x) {
    *a = sl__known_ref(b);
    return;
  }
  sl_facts *k = fresh(x->n + b->n);
  for (uint32_t i = 0, j = 0; i < x->n || j < b->n;) {
    bool first = j == b->n || (i < x->n && by_place(&x->at[i], &b->at[j]) <= 0);
    append(k, first ? &x->at[i++] : &b->at[j++]);
  }
  sl__known_drop(x);
  *a = k;
}

bool sl__known_has(const sl_facts *k, uint32_t block, uint32_t thread, uint32_t stamp) {
  if (!k) return false;
  uint32_t lo = 0, hi = k->n;
  while (lo < hi) {
    uint32_t mid = (lo + hi) / 2;
    if (k->at[mid].block < block)
      lo = mid + 1;
    else
      hi = mid;
  }
  for (; lo < k->n && k->at[lo].block == block; lo++) {
    const sl_fact *f = &k->at[lo];
    bool about = f->who == thread || (thread < SL_WHO_COPIES && (f->who == SL_WHO_ALL || f->who == (SL_WHO_WARP | thread / 32)));
    if (about && stamp <= f->stamp) return true;
  }
  return false;
}
