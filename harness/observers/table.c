// A hash table from pairs of 64-bit numbers to values of a fixed size. Set value_bytes (and limit, the most
// entries) before the first use; the rest of an empty table is zero. Values move as the table grows.
#include "observers/observers.h"

static size_t slot_of(const sl_table *t, uint64_t a, uint64_t b) {
  uint64_t h = (a ^ b * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  size_t k = (size_t)(h ^ h >> 31) & (t->cap - 1);
  while (t->used[k] && (t->keys[k][0] != a || t->keys[k][1] != b)) k = (k + 1) & (t->cap - 1);
  return k;
}

void *sl__table_find(const sl_table *t, uint64_t a, uint64_t b) {
  if (!t->n) return NULL;
  size_t k = slot_of(t, a, b);
  return t->used[k] ? t->values + k * t->value_bytes : NULL;
}

static bool grow(sl_table *t) {
  sl_table n = *t;
  n.cap = t->cap ? 2 * t->cap : 64;
  n.keys = malloc(n.cap * sizeof *n.keys), n.used = calloc(n.cap, 1),
  n.values = malloc(n.cap * n.value_bytes);
  if (!n.keys || !n.used || !n.values) {
    free(n.keys), free(n.used), free(n.values);
    return false;
  }
  for (size_t k = 0; k < t->cap; k++) {
    if (!t->used[k]) continue;
    size_t to = slot_of(&n, t->keys[k][0], t->keys[k][1]);
    n.used[to] = 1;
    memcpy(n.keys[to], t->keys[k], sizeof *n.keys);
    memcpy(n.values + to * n.value_bytes, t->values + k * n.value_bytes, n.value_bytes);
  }
  free(t->keys), free(t->used), free(t->values);
  *t = n;
  return true;
}

void *sl__table_put(sl_table *t, uint64_t a, uint64_t b) {
  void *old = sl__table_find(t, a, b);
  if (old) return old;
  if ((t->limit && t->n >= t->limit) || (2 * t->n >= t->cap && !grow(t))) return NULL;
  size_t k = slot_of(t, a, b);
  t->used[k] = 1, t->keys[k][0] = a, t->keys[k][1] = b;
  t->n++;
  return memset(t->values + k * t->value_bytes, 0, t->value_bytes);
}

void *sl__table_next(const sl_table *t, size_t *at) {
  while (*at < t->cap && !t->used[*at]) ++*at;
  return *at < t->cap ? t->values + (*at)++ * t->value_bytes : NULL;
}

void sl__table_free(sl_table *t) {
  free(t->keys), free(t->used), free(t->values);
  t->keys = NULL, t->used = t->values = NULL;
  t->cap = t->n = 0;
}
