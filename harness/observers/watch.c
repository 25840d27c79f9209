// What all observers share: when each thread did what (order.c), who touched which byte last (shadow.c),
// which launches may run at the same time (streams.c), in which trip of a loop a thread is (trips.c).
//
// Every observed instruction of a block gets a stamp. Instructions that synchronise threads become order
// here. The other probes look at this one's state (observers.h), so it is the first in the table.
#include "observers/follow.h"

// Modules ---------------------------------------------------------------------------------------------------

static void find_gates(const sl_gmodule *m, uint32_t pc, sl_sight *s) {
  sl_gate gates[SL_GATES];
  if (!(s->n_gates = (uint8_t)sl__moot_find(m, pc, gates))) return;
  if (!(s->gates = malloc(s->n_gates * sizeof *gates))) abort();
  memcpy(s->gates, gates, s->n_gates * sizeof *gates);
}

static void look_at(const sl_gmodule *m, uint32_t pc, sl_sight *s) {
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], &fn);
  const sl_patch *p = &m->patches[pc];
  bool loads = p->kind == SL_SEE_LOAD || p->flags & SL_IS_RESULT;
  if (loads && p->flags & SL_IS_STRONG) s->polled = sl__is_polled(fn->ir, in);
  if (p->flags & SL_IS_RESULT) s->is_place = sl__is_place(fn->ir, in);
  s->is_volatile = sl_ptx_has_mod(in, SL_M_volatile);
  if (p->kind == SL_SEE_LOAD && !(p->flags & SL_IS_STRONG)) find_gates(m, pc, s);
  if (p->kind == SL_SEE_LOAD) s->bits = sl__is_bit_field(fn->ir, in);
  s->beside = sl__beside_fence(m, pc);
  // A tile of several warps begins like this: each warp clears its bit of a word that nobody has written.
  bool reduces = p->kind == SL_SEE_RMW && !(p->flags & SL_IS_RESULT);
  if (reduces && sl_ptx_has_mod(in, SL_M_and) && p->flags & SL_IS_RELEASE) s->bits = true;
}

static void watch_look(sl_gmodule *m) {
  sl_seen_module *s = sl__seen_module(m);
  if (!(s->sights = calloc(m->n_code + 1, sizeof *s->sights))) abort();
  for (uint32_t pc = 0; pc < m->n_code; pc++)
    if (m->patches[pc].kind) look_at(m, pc, &s->sights[pc]);
  s->over.value_bytes = 1;
  sl__trips_find(m);
  sl__polled_sift(m);
}

static void unload(sl_gpu *g, sl_gmodule *m) {
  sl_seen_module *s = sl__seen_module(m);
  sl__streams_forget(g);
  for (uint32_t pc = 0; s && pc < m->n_code; pc++) free(s->sights[pc].gates);
  if (s) free(s->sights), free(s->spans), sl__table_free(&s->over), sl__table_free(&s->ears);
}

// Launches --------------------------------------------------------------------------------------------------

// When the serial numbers are used up, the shadow starts afresh.
uint32_t sl__watch_serials(sl_gpu *g, uint64_t n) {
  sl_watch_state *w = sl__watch_state(g);
  if (!w->serial || n >= UINT32_MAX - w->serial)
    sl__shadow_free(&w->shadow), sl__streams_forget(g), w->serial = 1;
  uint32_t first = w->serial;
  w->serial += (uint32_t)n;
  return first;
}

enum { RECORDS_SHARE = 2 }; // where allocations are limited, records have one of so many parts beside them

static void watch_launch(sl_grid *g) {
  sl_seen_grid *s = sl__seen_grid(g);
  s->checks = g->gpu->cfg.checks;
  s->first = sl__watch_serials(g->gpu, g->n_blocks);
  sl__watch_state(g->gpu)->shadow.most = g->gpu->mem.most / RECORDS_SHARE;
  sl__streams_launch(g);
  sl__trips_open(g);
  sl__hearing_launch(g);
  s->flags = (sl_table){.value_bytes = sizeof(sl_flag), .limit = 1u << 21};
  s->posts = (sl_table){.value_bytes = sizeof(sl_post), .limit = 1u << 20};
  s->awaited = (sl_table){.value_bytes = 1, .limit = 1u << 20};
  s->reports.value_bytes = sizeof(uint32_t);
  s->undef = (sl_table){.value_bytes = sizeof(sl_origin), .limit = 1u << 20};
}

static void watch_launch_end(sl_grid *g) {
  sl_seen_grid *s = sl__seen_grid(g);
  sl_flag *f;
  size_t at = 0;
  while ((f = sl__table_next(&s->flags, &at))) sl__known_drop(f->rel[0]), sl__known_drop(f->rel[1]);
  sl__table_free(&s->flags), sl__table_free(&s->posts), sl__table_free(&s->awaited);
  sl__table_free(&s->reports), sl__table_free(&s->undef);
  for (uint32_t e = 0; e < SL_ENDED; e++) free(s->ended[e]);
}

uint64_t sl_gpu_not_observed(const sl_gpu *g) {
  const sl_watch_state *w = sl__watch_state(g);
  return w ? w->shadow.missed : 0;
}

bool sl_gpu_host_short(const sl_gpu *g) {
  const sl_watch_state *w = sl__watch_state(g);
  return w && w->shadow.host_short;
}

static void gone(sl_gpu *g) { sl__shadow_free(&sl__watch_state(g)->shadow); }

// Blocks ----------------------------------------------------------------------------------------------------

static size_t trips_bytes(const sl_block *b) {
  return (size_t)b->n_warps * sl__seen_grid(b->grid)->n_loops * SL_LANES * sizeof(uint32_t);
}

static void make_seen(sl_seen_block *s, const sl_block *b) {
  if (!sl__time_init(&s->time, 0, b->n_threads)) abort();
  s->n_pages = b->shared_all / SL_PAGE_BYTES + 1;
  s->pages = calloc(s->n_pages, sizeof *s->pages);
  s->shared_init = calloc(b->shared_all / 8 + 8, 1);
  s->local_init = calloc(b->n_warps, sizeof *s->local_init);
  s->local_stride = calloc(b->n_warps, sizeof *s->local_stride);
  s->trips = malloc(trips_bytes(b) + 1);
  s->watched.value_bytes = sizeof(sl_look);
  s->watched.limit = 1024;
  sl__undef_begin(&s->undef);
  if (!s->pages || !s->shared_init || !s->local_init || !s->local_stride || !s->trips) abort();
}

static void block(sl_block *b) {
  sl_seen_block *s = sl__seen_block(b);
  if (!s->pages) make_seen(s, b);
  sl__time_reset(&s->time, sl__seen_grid(b->grid)->first + (uint32_t)b->linear);
  memset(s->trips, 0, trips_bytes(b));
  memset(s->shared_init, 0, b->shared_all / 8 + 8);
  s->shared_known = 0;
  for (uint32_t k = 0; k < b->n_warps; k++) free(s->local_init[k]), s->local_init[k] = NULL;
  if (s->watched.n) sl__table_free(&s->watched);
  if (s->undef.regs.n) sl__trail_free(&s->undef);
  sl__async_free(s->async);
  s->async = NULL;
  sl__trips_begin(s, b->grid);
  sl__zones_begin(s, b);
}

static void block_end(sl_block *b) { sl__trips_end(sl__seen_block(b), b->grid); }

static void block_free(sl_block *b) {
  sl_seen_block *s = sl__seen_block(b);
  sl__time_fini(&s->time);
  for (uint32_t k = 0; k < s->n_pages; k++) sl__page_free(&s->pages[k]);
  for (uint32_t k = 0; k < b->n_warps; k++) free(s->local_init[k]);
  free(s->pages), free(s->shared_init), free(s->local_init), free(s->local_stride), free(s->trips);
  sl__table_free(&s->watched), sl__trail_free(&s->undef);
  sl__async_free(s->async);
  free(s->turns);
}

// Order -----------------------------------------------------------------------------------------------------

static void request(sl_warp *w, const uint64_t *) { sl__seen_block(w->block)->time.now++; }

static void see_fence(sl_warp *w, const sl_patch *p) {
  sl_block_time *t = &sl__seen_block(w->block)->time;
  SL_FOR_LANES(l, w->mask) sl__time_fence(t, sl__thread_of(w, l), p->flags & SL_IS_CTA);
  t->now++;
}

// Warp-level instructions: lanes with equal member masks meet. Only bar.warp.sync orders their accesses of
// memory; shuffles, votes and matches bring lanes together and exchange registers (PTX ISA, bar.warp.sync;
// CUDA C++ Programming Guide, Warp Vote Functions).
static void come_together(sl_warp *w, const sl_xinsn *i, const sl_patch *p) {
  sl_seen_grid *g = sl__seen_grid(w->grid);
  memcpy(g->member, sl__u32(w, i->s[p->kind == SL_SEE_WARP ? 3 : 0]), sizeof g->member);
  g->one_mask = sl__one_mask(w, g->member);
  g->meeting = w->mask;
}

static void meet(sl_warp *w, bool orders) {
  const sl_seen_grid *g = sl__seen_grid(w->grid);
  for (uint32_t left = g->meeting; left;) {
    uint32_t group = g->one_mask ? left : 0, want = g->member[__builtin_ctz(left)];
    SL_FOR_LANES(l, left & ~group)
      if (g->member[l] == want) group |= 1u << l;
    sl__time_warp(&sl__seen_block(w->block)->time, w->id, group, orders);
    left &= ~group;
  }
}

#define KINDS_WARP (SL_SEES(WARP) | SL_SEES(WARP_BAR))
#define KINDS_MBARRIER (SL_SEES(MBARRIER) | SL_SEES(BULK))

static void watch_before(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *a) {
  if (KINDS_WARP >> p->kind & 1) come_together(w, i, p);
  else if (KINDS_MBARRIER >> p->kind & 1) sl__mbarrier_before(w, i, p, a);
  else if (p->kind == SL_SEE_FENCE) see_fence(w, p);
  else if (p->kind == SL_SEE_BACK) sl__see_back(w, i);
}

static void after(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *a, sl_step st) {
  if (st != SL_STEP) return;
  if (KINDS_WARP >> p->kind & 1) meet(w, p->kind == SL_SEE_WARP_BAR);
  else if (KINDS_MBARRIER >> p->kind & 1) sl__mbarrier_after(w, i, p, a);
}

static void watch_arrive(sl_warp *w, const sl_arrive *a) {
  sl_seen_block *s = sl__seen_block(w->block);
  s->time.bars[a->id].there |= 1u << w->id;
  if (a->waits) s->time.bars[a->id].sync |= 1u << w->id;
}

static void open_barrier(sl_block *b, uint8_t id, uint32_t expected) {
  sl_block_time *t = &sl__seen_block(b)->time;
  uint32_t all = b->n_warps >= 32 ? SL_FULL : (1u << b->n_warps) - 1;
  if (!expected || t->bars[id].sync == all) sl__time_barrier(t);
  else sl__time_part_barrier(t, t->bars[id].sync, t->bars[id].there);
  t->bars[id].sync = t->bars[id].there = 0;
}

static void warp_sync(sl_warp *w, uint32_t lanes) {
  sl__time_warp(&sl__seen_block(w->block)->time, w->id, lanes, true);
}

const sl_probe sl__probe_watch = {
    .name = "watch",
    .checks = SL_CHECK_ALL,
    .kinds = SL_SEES_MEMORY | KINDS_WARP | SL_SEES(FENCE) | SL_SEES(BACK),
    .gpu_bytes = sizeof(sl_watch_state),
    .module_bytes = sizeof(sl_seen_module),
    .launch_bytes = sizeof(sl_seen_grid),
    .block_bytes = sizeof(sl_seen_block),
    .gone = gone,
    .look = watch_look,
    .unload = unload,
    .launch = watch_launch,
    .launch_end = watch_launch_end,
    .block = block,
    .block_end = block_end,
    .block_free = block_free,
    .request = request,
    .before = watch_before,
    .after = after,
    .arrive = watch_arrive,
    .open = open_barrier,
    .warp_sync = warp_sync,
};
