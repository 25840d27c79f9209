// memory.readonly on the read-only path. ld.global.nc (from __ldg and const __restrict__ parameters) reads
// through a cache that does not see what this kernel writes. Two mistakes are reported. A read of bytes that
// any thread of the launch has written before may give the old value. A write to bytes that the same thread
// has read in this way, without a barrier between, breaks a promise: the compiler may move the read behind
// the write. If another thread has read the bytes, the two are a race, or a barrier between them has made the
// read complete. The engine reports writes to constant memory and parameters.
#include "observers/observers.h"

#define MOST_BYTES (1ull << 32) // larger allocations are not observed: half a GiB of bits

typedef struct sl_written { // what this launch has written to an allocation
  uint8_t *bits;            // one for each byte
  uint32_t pc;              // the last store
  bool read;                // the launch has read some of it through the cache
} sl_written;

// By base of the allocation: sl_written.
static sl_table *written(const sl_grid *g) { return g->kept[SL_PROBE_readonly]; }

static sl_written *entry(const sl_access *a, const sl_alloc *al) {
  sl_written *e = sl__table_put(written(a->w->grid), al->base, 0);
  if (e && !e->bits && al->size <= MOST_BYTES) e->bits = calloc(al->size / 8 + 2, 1);
  return e && e->bits ? e : NULL;
}

static void note(const sl_access *a, uint32_t l, const sl_alloc *al, sl_written *e) {
  uint64_t at = a->addr[l] - al->base;
  e->pc = a->pc;
  for (uint64_t k = at; k < at + a->bytes; k++) e->bits[k / 8] |= (uint8_t)(1u << (k & 7));
}

static void tell_readonly(const sl_access *a, uint32_t l, uint32_t other_pc, bool reads) {
  sl_src_pos pos = {0};
  char why[240];
  sl__place_at(a->w->grid->m, other_pc, &pos);
  snprintf(why, sizeof why,
           reads ? "This launch writes the array, too (line %u), and the read-only cache does not see that: "
                   "the read may give the old value"
                 : "At line %u the thread reads it with the promise that this launch does not write it, so "
                   "the compiler may move that read behind this write",
           pos.line);
  sl__tell(
      &(sl_story){.id = SL_FOUND_MEMORY_READONLY,
                  .title = reads ? "read through the read-only cache, but the same launch writes the memory"
                                 : "write to memory that the same thread reads through the read-only cache",
                  .a = a,
                  .lane = l,
                  .addr = a->addr[l],
                  .why = why,
                  .fix = "Remove const __restrict__ (or __ldg), or write to another array"});
}

static void compare_written(const sl_access *a, uint32_t l, const sl_alloc *al, const sl_written *e) {
  uint64_t at = a->addr[l] - al->base, k = at;
  while (k < at + a->bytes && !(e->bits[k / 8] >> (k & 7) & 1)) k++;
  if (k < at + a->bytes) tell_readonly(a, l, e->pc, true);
}

// What races know of the last readers says whether this thread has read it since the last barrier.
static void compare_reads(const sl_access *a, uint32_t l) {
  const sl_block_time *t = &sl__seen_block(a->w->block)->time;
  const sl_watch_state *s = sl__watch_state(a->w->grid->gpu);
  sl_cell c;
  sl__shadow_at(&s->shadow, sl__seen_grid(a->w->grid)->era, a->addr[l], &c);
  for (int k = 0; k < 2; k++) {
    const sl_touch *r = &c.r[k];
    if (!r->stamp || r->block != t->block || r->thread != sl__thread_of(a->w, l) || r->stamp <= t->all)
      continue;
    if (r->stamp > t->warp_all[a->w->id] && a->w->grid->m->patches[r->pc].flags & SL_IS_CACHED)
      tell_readonly(a, l, r->pc, false);
  }
}

static void see_access(const sl_access *a) {
  bool nc = a->w->grid->m->patches[a->pc].flags & SL_IS_CACHED;
  const sl_alloc *al = NULL;
  sl_written *e = NULL;
  if (a->space != SL_SP_GLOBAL || (a->kind == SL_SEE_LOAD && !nc)) return;
  SL_FOR_LANES(l, a->mask) {
    if (!al || a->addr[l] - al->base >= al->size) {
      al = sl__memory_find(&a->w->grid->gpu->mem, a->addr[l]);
      e = al ? entry(a, al) : NULL;
    }
    if (!e) continue;
    if (nc) compare_written(a, l, al, e), e->read = true;
    else note(a, l, al, e);
    if (!nc && e->read) compare_reads(a, l);
  }
}

// Nothing is kept in modules without such loads.
typedef struct sl_cached {
  bool loads;
} sl_cached;

static void readonly_look(sl_gmodule *m) {
  sl_cached *c = m->kept[SL_PROBE_readonly];
  for (uint32_t pc = 0; pc < m->n_code; pc++) c->loads |= (m->patches[pc].flags & SL_IS_CACHED) != 0;
}

static bool readonly_joins(const sl_grid *g) {
  return ((const sl_cached *)g->m->kept[SL_PROBE_readonly])->loads;
}

static void readonly_launch(sl_grid *g) { written(g)->value_bytes = sizeof(sl_written); }

static void readonly_launch_end(sl_grid *g) {
  sl_written *e;
  size_t at = 0;
  while ((e = sl__table_next(written(g), &at))) free(e->bits);
  sl__table_free(written(g));
}

const sl_probe sl__probe_readonly = {.name = "readonly",
                                     .checks = SL_CHECK_MEMORY_READONLY,
                                     .joins = readonly_joins,
                                     .kinds = SL_SEES_MEMORY,
                                     .module_bytes = sizeof(sl_cached),
                                     .launch_bytes = sizeof(sl_table),
                                     .look = readonly_look,
                                     .launch = readonly_launch,
                                     .launch_end = readonly_launch_end,
                                     .access = see_access};
