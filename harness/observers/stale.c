// repeat.state of flags: a block waits for a flag until it holds a value that another block stores, but an
// earlier launch has left that value there. So nobody waits, and the data behind the flag may be old. This
// run may be right only because the writer happened to be first.
//
// The file keeps for each location: who stored to it first; whether all stores of the launch have left it as
// it was; a block that waited for it and that nothing else orders after the store. It reports at the end of
// the launch, as a later store may still change the location.
//
// Interface: sl__stale_store and sl__stale_wait, which race.c calls.
#include "observers/observers.h"

enum { MOST = 16 }; // findings of a launch

typedef struct sl_stale { // a finding that is told unless the location changes
  uint64_t addr;
  uint32_t block, thread; // who waits
  bool dropped;           // the thread did not go on with that value
  sl_finding finding;
} sl_stale;

typedef struct sl_location {
  sl_touch writer; // stamp 0: nobody
  bool changed, waited;
} sl_location;

#define ADVICE                                                                                               \
  "Reset the flags before every launch (cudaMemsetAsync in its stream), or let each launch wait for "        \
  "another "                                                                                                 \
  "value"

typedef struct sl_stale_launch {
  sl_table locations; // that strong stores have written
  sl_stale *stale;
  uint32_t n_stale;
} sl_stale_launch;

static sl_stale_launch *state_of(const sl_grid *g) { return g->kept[SL_PROBE_stale]; }

static sl_location *location(sl_stale_launch *g, uint64_t addr, bool make) {
  return make ? sl__table_put(&g->locations, addr, 0) : sl__table_find(&g->locations, addr, 0);
}

void sl__stale_store(const sl_access *a, uint32_t l, const sl_touch *me) {
  sl_location *x = location(state_of(a->w->grid), a->addr[l], true);
  if (!x || x->changed) return;
  x->changed = a->kind != SL_SEE_STORE || !sl__same_value(a, l);
  if (!x->writer.stamp) x->writer = *me;
}

static void compose_stale(const sl_access *a, uint32_t l, const sl_touch *writer, sl_finding *f) {
  sl__finding_begin(f, a->w, a->i, (int)l, SL_FOUND_REPEAT_STATE);
  f->object = sl__object_of(a->w, NULL, SL_SP_GLOBAL, a->addr[l], ((const sl_memop *)a->i->ext)->elem_bytes,
                            a->bytes);
  sl__finding_other(f, a->w->grid, writer);
  snprintf(f->me.role, sizeof f->me.role, "waits"), snprintf(f->other.role, sizeof f->other.role, "writer");
  snprintf(f->what, sizeof f->what,
           "flag of an earlier launch: " SL_THE_OBJECT " already has the value that is waited for here");
  snprintf(f->why, sizeof f->why,
           "It had that value before the launch: the store at line %u changes nothing, nobody waits for it, "
           "and the data behind the flag may be those of the launch before",
           f->other_line);
  snprintf(f->advice, sizeof f->advice, "%s", ADVICE);
}

// Has the thread looked at the place before, in the same wait? Then what it saw did not end the wait.
static bool looks_again(const sl_access *a, uint32_t l, const sl_touch *me, sl_stale_launch *g,
                        sl_location *x) {
  const uint32_t trip = sl__trip_at(a->w, a->pc, l);
  for (uint32_t k = 0; k < g->n_stale; k++) {
    sl_stale *s = &g->stale[k];
    if (s->addr != a->addr[l] || s->block != me->block || s->thread != me->thread) continue;
    if (trip != 1) s->dropped = true, x->waited = false;
    return true;
  }
  return trip > 1;
}

void sl__stale_wait(const sl_access *a, uint32_t l, const sl_touch *me) {
  sl_stale_launch *g = state_of(a->w->grid);
  sl_location *x = location(g, a->addr[l], false);
  if (!x || x->changed || looks_again(a, l, me, g, x)) return;
  if (x->waited || x->writer.block == me->block || g->n_stale == MOST) return;
  if (sl__time_ordered(&sl__seen_block(a->w->block)->time, me->thread, x->writer.block, x->writer.thread,
                       x->writer.stamp))
    return;
  if (!g->stale && !(g->stale = calloc(MOST, sizeof *g->stale))) return;
  x->waited = true;
  g->stale[g->n_stale].addr = a->addr[l];
  g->stale[g->n_stale].block = me->block, g->stale[g->n_stale].thread = me->thread;
  compose_stale(a, l, &x->writer, &g->stale[g->n_stale++].finding);
}

static void stale_launch(sl_grid *g) {
  state_of(g)->locations = (sl_table){.value_bytes = sizeof(sl_location), .limit = 1u << 20};
}

static void stale_launch_end(sl_grid *grid) {
  sl_stale_launch *g = state_of(grid);
  for (uint32_t k = 0; k < g->n_stale; k++)
    if (!g->stale[k].dropped && !location(g, g->stale[k].addr, false)->changed)
      sl_gpu_add_finding(grid->gpu, &g->stale[k].finding);
  free(g->stale);
  sl__table_free(&g->locations);
}

const sl_probe sl__probe_stale = {.name = "stale",
                                  .checks = SL_CHECK_REPEAT_STATE,
                                  .launch_bytes = sizeof(sl_stale_launch),
                                  .launch = stale_launch,
                                  .launch_end = stale_launch_end};
