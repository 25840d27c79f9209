// Probes come and go: which of them join a launch, their state, and the events that are not instructions.
// Interface: sl_gpu_probes (probe.h); the functions sl__probes_* of core.h, for the engine.
//
// Probes are called in the order of their table, ends in reverse. So each may use those before it.
#include "engine/probe.h"

#define EACH_ON(g, k) for (uint32_t k = 0; (g)->heard && k < (g)->heard->n; k++)
#define TELL(g, what, ...) EACH_ON(g, k_) if ((g)->heard->on[k_]->what)(g)->heard->on[k_]->what(__VA_ARGS__)
#define TELL_END(g, what, ...)                                                                               \
  for (uint32_t k_ = (g)->heard ? (g)->heard->n : 0; k_-- > 0;)                                              \
    if ((g)->heard->on[k_]->what) (g)->heard->on[k_]->what(__VA_ARGS__)

static void keep_room(void **at, size_t bytes) {
  if (bytes && !*at) *at = sl_must(calloc(1, bytes));
}

static void drop_all(void **kept) {
  for (uint32_t k = 0; k < SL_PROBES; k++) free(kept[k]), kept[k] = NULL;
}

// The device and its modules --------------------------------------------------------------------------------

void sl_gpu_probes(sl_gpu *g, const sl_probe *const *table, uint32_t n) {
  if (n > SL_PROBES) abort();
  g->probes = table, g->n_probes = n;
  for (uint32_t k = 0; k < n; k++) keep_room(&g->kept[k], table[k]->gpu_bytes);
}

void sl__probes_gone(sl_gpu *g) {
  for (uint32_t k = g->n_probes; k-- > 0;)
    if (g->probes[k]->gone) g->probes[k]->gone(g);
  drop_all(g->kept);
}

void sl__probes_wrote(sl_gpu *g, uint64_t addr, uint64_t len, bool copied) {
  for (uint32_t k = 0; k < g->n_probes; k++)
    if (g->probes[k]->wrote) g->probes[k]->wrote(g, addr, len, copied);
}

void sl__probes_unload(sl_gpu *g, sl_gmodule *m) {
  for (uint32_t k = g->n_probes; k-- > 0;)
    if (g->probes[k]->unload) g->probes[k]->unload(g, m);
  drop_all(m->kept);
  free(m->patches);
}

static void look_once(sl_gmodule *m, const sl_probe *p, uint32_t number) {
  if (m->looked >> number & 1) return;
  m->looked |= 1u << number;
  sl__patch_make(m);
  keep_room(&m->kept[number], p->module_bytes);
  if (p->look) p->look(m);
}

// Launches --------------------------------------------------------------------------------------------------

static bool probe_joins(const sl_grid *g, const sl_probe *p, uint32_t number) {
  if (p->checks && !(p->checks & g->gpu->cfg.checks)) return false;
  if (p->look || p->module_bytes) look_once(g->k->m, p, number);
  return !p->joins || p->joins(g);
}

static void listen_to(sl_listeners *h, const sl_probe *p) {
  h->on[h->n++] = p;
  h->kinds |= p->kinds;
  if (p->inner) h->inner = p->inner;
  if (p->outer) h->outer[h->n_outer++] = p->outer;
  if (p->arrive) h->arrive[h->n_arrive++] = p->arrive;
  for (uint32_t kind = 0; kind < SL_SEE_KINDS; kind++) {
    struct sl_heard *to = &h->of[kind];
    if (!(p->kinds >> kind & 1)) continue;
    if (p->access) to->access[to->n_access++] = p->access;
    if (p->request) to->request[to->n_request++] = p->request;
    if (p->before) to->before[to->n_before++] = p->before;
    if (p->after) to->after[to->n_after++] = p->after;
  }
}

void sl__probes_launch(sl_grid *g) {
  sl_gpu *gpu = g->gpu;
  for (uint32_t k = 0; k < gpu->n_probes; k++) {
    const sl_probe *p = gpu->probes[k];
    if (!probe_joins(g, p, k)) continue;
    keep_room((void **)&g->heard, sizeof *g->heard);
    keep_room(&g->kept[k], p->launch_bytes);
    listen_to(g->heard, p);
    if (p->launch) p->launch(g);
  }
  sl__patch_launch(g, g->weak ? SL_PATCH_WEAK : 0);
}

void sl__probes_launch_end(sl_grid *g) {
  TELL_END(g, launch_end, g);
  drop_all(g->kept);
  free(g->heard);
  g->heard = NULL;
}

// Blocks ----------------------------------------------------------------------------------------------------

void sl__probes_block(sl_block *b) {
  const sl_gpu *gpu = b->grid->gpu;
  for (uint32_t k = 0, on = 0; b->grid->heard && on < b->grid->heard->n; k++)
    if (gpu->probes[k] == b->grid->heard->on[on]) keep_room(&b->kept[k], gpu->probes[k]->block_bytes), on++;
  TELL(b->grid, block, b);
}

void sl__probes_block_end(sl_block *b) { TELL_END(b->grid, block_end, b); }

void sl__probes_block_free(sl_block *b) {
  TELL_END(b->grid, block_free, b);
  drop_all(b->kept);
}

// Barriers, and what else is no instruction -----------------------------------------------------------------

void sl__probes_arrive(sl_warp *w, const sl_arrive *a) {
  const sl_listeners *h = w->grid->heard;
  for (uint32_t k = 0; k < h->n_arrive; k++) h->arrive[k](w, a);
}

void sl__probes_open(sl_block *b, uint8_t id, uint32_t expected) { TELL(b->grid, open, b, id, expected); }
void sl__probes_warp_sync(sl_warp *w, uint32_t lanes) { TELL(w->grid, warp_sync, w, lanes); }
void sl__probes_call(sl_warp *w, const sl_frame *f, uint32_t lanes) { TELL(w->grid, call, w, f, lanes); }
void sl__probes_local(sl_warp *w, uint32_t lanes, uint32_t addr, uint32_t bytes) {
  TELL(w->grid, local, w, lanes, addr, bytes);
}
