// Arenas: memory that is handed out in order and freed as a whole.
//
// Interface: sl_arena_new, sl_arena_get (zeroed), sl_arena_bytes, sl_arena_free (base.h). Blocks double up to
// 1 MiB; a request larger than a quarter of that gets its own, so that a large variable's zero pages are not
// touched.
#include "base/base.h"

typedef struct block {
  struct block *next;
  size_t used, cap;
  _Alignas(max_align_t) unsigned char data[];
} block;
struct sl_arena {
  block *head;
  size_t next_cap, bytes;
};

enum { FIRST_BLOCK = 4 << 10, LAST_BLOCK = 1 << 20, ALIGN = _Alignof(max_align_t) };

sl_arena *sl_arena_new(void) {
  sl_arena *a = calloc(1, sizeof *a);
  if (a) a->next_cap = FIRST_BLOCK;
  return a;
}

static block *add_block(sl_arena *a, size_t cap) {
  block *b = calloc(1, sizeof *b + cap);
  if (!b) return NULL;
  b->cap = cap, a->bytes += cap;
  b->next = a->head;
  return a->head = b;
}

// A block of its own goes behind the current one, which stays in use.
static void *own_block(sl_arena *a, size_t n) {
  block *current = a->head;
  block *b = add_block(a, n);
  if (!b) return NULL;
  b->used = n;
  if (current) {
    b->next = current->next;
    current->next = b;
    a->head = current;
  }
  return b->data;
}

void *sl_arena_get(sl_arena *a, size_t n) {
  if (n > SIZE_MAX / 2) return NULL;
  n = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  if (n > LAST_BLOCK / 4) return own_block(a, n);
  if (!a->head || a->head->cap - a->head->used < n) {
    while (a->next_cap < n) a->next_cap *= 2;
    if (!add_block(a, a->next_cap)) return NULL;
    if (a->next_cap < LAST_BLOCK) a->next_cap *= 2;
  }
  void *at = a->head->data + a->head->used;
  a->head->used += n;
  return at;
}

size_t sl_arena_bytes(const sl_arena *a) { return a->bytes; }

void sl_arena_free(sl_arena *a) {
  if (!a) return;
  for (block *b = a->head, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  free(a);
}
