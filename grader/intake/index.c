// Which entries of a list have a text, found without a look at each of them.
//
// Interface: sl__index_add notes that entry [value] has the text [key]; several may have it. sl__index_find
// tells all of them, in the order in which they were added. Keys are not copied.
#include "intake/intake.h"

struct sl_indexed {
  const char *key;
  size_t value, next; // next: position + 1 of an earlier entry in the same slot
};

static size_t *slot_of(const sl_index *x, const char *key) {
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 1099511628211u;
  return &x->slots[(hash ^ hash >> 32) & (x->n_slots - 1)];
}

static void enter(sl_index *x, size_t i) {
  size_t *slot = slot_of(x, x->all[i].key);
  x->all[i].next = *slot;
  *slot = i + 1;
}

void sl__index_add(sl_arena *a, sl_index *x, const char *key, size_t value) {
  x->all = sl__more(a, x->all, x->n, sizeof *x->all);
  x->all[x->n++] = (struct sl_indexed){.key = key, .value = value};
  if (x->n <= x->n_slots) {
    enter(x, x->n - 1);
    return;
  }
  x->n_slots = x->n_slots ? 2 * x->n_slots : 16;
  x->slots = sl__alloc(a, x->n_slots * sizeof *x->slots);
  for (size_t i = 0; i < x->n; i++) enter(x, i);
}

// How many entries have the text; their values go backwards from [end], which may be NULL.
static size_t look_up(const sl_index *x, const char *key, size_t *end) {
  size_t n = 0;
  for (size_t at = x->n ? *slot_of(x, key) : 0; at; at = x->all[at - 1].next) {
    if (strcmp(x->all[at - 1].key, key) != 0) continue;
    n++;
    if (end) *--end = x->all[at - 1].value;
  }
  return n;
}

bool sl__index_has(const sl_index *x, const char *key) { return look_up(x, key, NULL) > 0; }

size_t sl__index_find(sl_arena *a, const sl_index *x, const char *key, size_t **values) {
  size_t n = look_up(x, key, NULL);
  *values = sl__alloc(a, (n + 1) * sizeof **values);
  return look_up(x, key, *values + n);
}
