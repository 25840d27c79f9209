// Sets of facts "accesses of this thread up to this stamp happened before", which flags tell a thread.
//
// A set is sorted by block and thread and never changes once made, so threads share it by reference.
// SL_WHO_ALL stands for all threads of a block, SL_WHO_WARP | w for all lanes of warp w.
#include "observers/observers.h"

static inline uint64_t fact_place(const sl_fact *f) { return (uint64_t)f->block << 32 | f->who; }

static int by_place(const void *a, const void *b) {
  const uint64_t x = fact_place(a), y = fact_place(b);
  return x < y ? -1 : x > y;
}

static sl_facts *fresh(uint32_t n) {
  sl_facts *k = sl_must(malloc(sizeof *k + n * sizeof *k->at));
  k->refs = 1, k->n = 0, k->packed = 0;
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
  k->packed = x->packed > y->packed ? x->packed : y->packed;
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

// The first fact of [k] that is not before (block, who).
static uint32_t place_of(const sl_facts *k, uint32_t block, uint32_t who) {
  const uint64_t place = (uint64_t)block << 32 | who;
  uint32_t lo = 0, hi = k->n;
  while (lo < hi) {
    const uint32_t mid = (lo + hi) / 2;
    if (fact_place(&k->at[mid]) < place) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static uint32_t stamp_of(const sl_facts *k, uint32_t block, uint32_t who) {
  const uint32_t at = place_of(k, block, who);
  return at < k->n && k->at[at].block == block && k->at[at].who == who ? k->at[at].stamp : 0;
}

bool sl__known_has(const sl_facts *k, uint32_t block, uint32_t thread, uint32_t stamp) {
  if (!k) return false;
  if (stamp <= stamp_of(k, block, thread)) return true;
  return thread < SL_WHO_COPIES &&
         (stamp <= stamp_of(k, block, SL_WHO_WARP | thread / 32) || stamp <= stamp_of(k, block, SL_WHO_ALL));
}

// Up to which stamp is every lane of each warp known, by facts about the warp or about all its lanes?
static void whole_warps(const sl_facts *k, uint32_t block, uint32_t n_threads, uint32_t stamp[32]) {
  uint32_t lanes[32] = {0}, least[32];
  for (uint32_t i = place_of(k, block, 0); i < k->n && k->at[i].block == block && k->at[i].who < n_threads;
       i++) {
    const uint32_t w = k->at[i].who / 32, s = k->at[i].stamp;
    if (!lanes[w]++ || s < least[w]) least[w] = s;
  }
  for (uint32_t w = 0; 32 * w < n_threads; w++) {
    const uint32_t rest = n_threads - 32 * w;
    stamp[w] = stamp_of(k, block, SL_WHO_WARP | w);
    if (lanes[w] == (rest < 32 ? rest : 32) && least[w] > stamp[w]) stamp[w] = least[w];
  }
}

void sl__known_pack(sl_facts **a, uint32_t block, uint32_t n_threads) {
  const sl_facts *x = *a;
  if (!x || x->n < 32 || x->n < 2 * x->packed) return;
  uint32_t stamp[32] = {0}, all = stamp_of(x, block, SL_WHO_ALL), i = 0;
  whole_warps(x, block, n_threads, stamp);
  sl_facts *k = fresh(x->n + 32);
  for (; i < x->n && (x->at[i].block < block || (x->at[i].block == block && x->at[i].who < SL_WHO_WARP));
       i++) {
    const sl_fact *f = &x->at[i];
    if (f->block < block || (f->stamp > all && f->stamp > stamp[f->who / 32])) k->at[k->n++] = *f;
  }
  for (uint32_t w = 0; w < 32; w++)
    if (stamp[w] > all) k->at[k->n++] = (sl_fact){block, SL_WHO_WARP | w, stamp[w]};
  for (; i < x->n; i++)
    if (x->at[i].block != block || x->at[i].who >= SL_WHO_ALL) k->at[k->n++] = x->at[i];
  k->packed = k->n;
  sl__known_drop(*a);
  *a = k;
}
