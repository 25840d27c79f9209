// Blocks: made from a pool, run until all their warps wait or end, or the block has used its time slice.
#include "engine/core.h"

static void set_special(sl_cwarp *c, uint32_t at, uint32_t value) {
  uint32_t *v = (uint32_t *)(c->special + at);
  for (int l = 0; l < SL_LANES; l++) v[l] = value;
}

static void init_warp(sl_grid *g, sl_block *b, uint32_t k) {
  sl_cwarp *c = &b->warps[k];
  const sl_dim3 *bd = &g->l->block;
  uint32_t rest = b->n_threads - 32 * k;
  c->special = sl_must(aligned_alloc(64, SL_SB_BYTES));
  c->all = rest >= 32 ? SL_FULL : (1u << rest) - 1;
  c->w.block = b, c->w.grid = g, c->w.id = k;
  c->w.bank[SL_BANK_CONST] = g->m->consts;
  c->w.bank[SL_BANK_SPECIAL] = c->special;
  c->w.bank[SL_BANK_LAUNCH] = g->launch_bank;
  uint32_t *tid = (uint32_t *)c->special, x = 32 * k % bd->x, y = 32 * k / bd->x % bd->y,
           z = 32 * k / bd->x / bd->y;
  for (uint32_t l = 0; l < SL_LANES; l++) {
    tid[l] = x, tid[l + 32] = y, tid[l + 64] = z;
    if (++x == bd->x) x = 0, y++;
    if (y == bd->y) y = 0, z++;
  }
  set_special(c, SL_SB_WARPID, k);
}

static sl_block *make_block(sl_grid *g) {
  sl_block *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->grid = g;
  b->n_threads = g->l->block.x * g->l->block.y * g->l->block.z;
  b->n_warps = (b->n_threads + 31) / 32;
  b->shared_bytes = g->shared_bytes, b->shared_all = g->shared_all;
  b->shared = aligned_alloc(128, (b->shared_all + 255) & ~127u);
  b->warps = aligned_alloc(64, b->n_warps * sizeof *b->warps);
  if (!b->shared || !b->warps) {
    free(b->shared), free(b->warps), free(b);
    return NULL;
  }
  memset(b->warps, 0, b->n_warps * sizeof *b->warps);
  for (uint32_t k = 0; k < b->n_warps; k++) init_warp(g, b, k);
  return b;
}

// False: no memory for its registers and local variables.
static bool start_warp(sl_grid *g, sl_block *b, uint32_t k) {
  sl_cwarp *c = &b->warps[k];
  sl__frames_reset(c);
  if (c->local) memset(c->local, 0, SL_LANES * (size_t)c->local_stride); // the previous block's data
  c->w.cc = 0;
  c->w.live = c->all;
  c->n_splits = 1, c->current = 0, c->fuel = 64, c->tries = 0, c->period = 64, c->slice = 0;
  c->executed = 0, c->looked_pc = 0;
  c->local_key = 1 + (uint32_t)(g->gpu->launches * 97 + b->linear * b->n_warps + k) % (SL_LOCAL_KEYS - 1);
  c->time = c->waited = 0, c->acted = c->n_polls = 0, c->n_drawn = 0, c->gave_way = false;
  memset(c->drawn_from, 0, sizeof c->drawn_from);
  sl_frame *f = sl__frame_enter(c, g->k->fn, NULL, NULL, c->all);
  if (!f) return false;
  c->splits[0] = (sl_split){.pc = g->k->fn->first_pc, .mask = c->all, .frame = f};
  for (int d = 0; d < 3; d++) set_special(c, SL_SB_CTAID_X + 128u * (uint32_t)d, b->index[d]);
  set_special(c, SL_SB_SMID, (uint32_t)(b->linear % g->gpu->cfg.profile->multiprocessors));
  return true;
}

sl_block *sl__block_get(sl_grid *g, uint64_t linear) {
  sl_block *b = g->pool;
  if (b) g->pool = b->next;
  else if (!(b = make_block(g))) return NULL;
  const sl_dim3 *gd = &g->l->grid;
  b->linear = linear;
  b->index[0] = (uint32_t)(linear % gd->x);
  b->index[1] = (uint32_t)(linear / gd->x % gd->y);
  b->index[2] = (uint32_t)(linear / gd->x / gd->y);
  b->live_threads = b->n_threads;
  b->phase = 0, b->next_warp = 0, b->n_updates = 0, b->in_vain = false;
  b->parked = 0, b->blocked_at = 0;
  b->dice = sl__mix(g->gpu->cfg.seed * 0x9e3779b97f4a7c15ull + linear + 1);
  memset(b->bars, 0, sizeof b->bars);
  memset(b->cluster_there, 0, sizeof b->cluster_there);
  sl__fresh_fill(&g->gpu->cfg, b->shared, b->shared_all, linear);
  for (uint32_t k = 0; k < b->n_warps; k++)
    if (!start_warp(g, b, k)) return sl__block_free(b), NULL;
  sl__probes_block(b);
  sl__weak_block(b);
  return b;
}

void sl__block_put(sl_grid *g, sl_block *b) {
  sl__weak_block_end(b);
  sl__probes_block_end(b);
  sl__path_block_end(b);
  b->next = g->pool, g->pool = b;
}

void sl__block_free(sl_block *b) {
  sl__probes_block_free(b);
  for (uint32_t k = 0; k < b->n_warps; k++)
    sl__frames_free(&b->warps[k]), free(b->warps[k].special), free(b->warps[k].polls);
  free(b->warps), free(b->shared), free(b->weak), sl__late_free(b), free(b);
}

bool sl__block_runnable(const sl_block *b) {
  if (b->blocked_at == b->grid->writes + 1) return false;
  for (uint32_t k = 0; k < b->n_warps; k++)
    if (sl__warp_runnable(b, k)) return true;
  return false;
}

// Runs the warps in turn, each until it waits. After one asks for a pause (nanosleep), the others run once.
sl_warp_run sl__run_block(sl_block *b) {
  const bool several = b->n_warps > 1 && b->grid->gpu->cfg.warps != SL_WARPS_GREEDY;
  if (several || sl__loses_turns(b->grid)) return sl__interleave(b);
  int64_t budget = b->grid->share;
  for (;;) {
    bool ran = false, paused = false;
    for (uint32_t k = 0; k < b->n_warps; k++) {
      if (!sl__warp_runnable(b, k)) continue;
      sl_warp_run r = sl__run_warp(&b->warps[k], &budget);
      if (r == SL_RUN_FAULT) return r;
      ran = true;
      paused |= r == SL_RUN_QUANTUM;
    }
    if (!b->live_threads) return SL_RUN_DONE;
    if (paused) return SL_RUN_QUANTUM;
    if (!ran) return SL_RUN_BLOCKED;
  }
}
