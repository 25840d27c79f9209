// Launches: checks the configuration against the device's limits, broadcasts the parameters, runs the grid.
#include "engine/core.h"

static bool refuse(sl_error *e, const char *hint, const char *what, uint64_t value, uint64_t limit) {
  return sl_fail(e, SL_EXIT_INPUT, hint, "invalid launch: %s %llu, the limit is %llu", what,
                 (unsigned long long)value, (unsigned long long)limit);
}

static bool valid(const sl_gpu *g, const sl_launch *l, sl_error *e) {
  const sl_profile *p = g->cfg.profile;
  uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z, shared = sl__shared_asked(l);
  sl_kernel_info info;
  sl_kernel_get_info(l->kernel, &info);
  if (!l->grid.x || !l->grid.y || !l->grid.z || !l->block.x || !l->block.y || !l->block.z)
    return sl_fail(e, SL_EXIT_INPUT, "every dimension must be at least 1 (n = 0 needs no launch)",
                   "invalid launch: a dimension of the grid or block is zero");
  if (l->block.x > 1024 || l->block.y > 1024 || l->block.z > 64 || threads > p->max_threads_per_block)
    return refuse(e, "use smaller blocks and more of them", "threads of a block:", threads,
                  p->max_threads_per_block);
  if (threads > info.max_threads)
    return refuse(e, NULL, "threads of a block beyond __launch_bounds__:", threads, info.max_threads);
  if (l->grid.x > 0x7fffffffu || l->grid.y > 65535 || l->grid.z > 65535)
    return sl_fail(e, SL_EXIT_INPUT, "use the x dimension for large grids",
                   "invalid launch: a grid of %u x %u x %u blocks, the limit is 2147483647 x 65535 x 65535",
                   l->grid.x, l->grid.y, l->grid.z);
  if (shared > p->shared_per_block_optin)
    return refuse(e, "use smaller tiles", "bytes of shared memory of a block:", shared,
                  p->shared_per_block_optin);
  return true;
}

static void broadcast32(uint8_t *bank, uint32_t at, uint32_t v) {
  for (int l = 0; l < SL_LANES; l++) ((uint32_t *)(void *)(bank + at))[l] = v;
}
static void broadcast64(uint8_t *bank, uint32_t at, uint64_t v) {
  for (int l = 0; l < SL_LANES; l++) ((uint64_t *)(void *)(bank + at))[l] = v;
}

static uint64_t param_bits(const sl_launch_value *v, const uint8_t *params) {
  uint64_t x = 0;
  memcpy(&x, params + v->offset, v->bytes);
  if (v->is_signed && v->bytes < 8) {
    unsigned s = 64 - 8u * v->bytes;
    x = (uint64_t)((int64_t)(x << s) >> s);
  }
  return x;
}

static void broadcast_values(sl_grid *g, const sl_launch_value *v, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    uint64_t x =
        v[k].is_dynamic_shared ? g->k->dynamic_base + (uint64_t)v[k].imm : param_bits(&v[k], g->l->params);
    if (v[k].wide) broadcast64(g->launch_bank, v[k].slot, x);
    else broadcast32(g->launch_bank, v[k].slot, (uint32_t)x);
  }
}

// Cooperative launches synchronise through a zeroed workspace whose address the environment registers hold.
static void prepare_workspace(sl_grid *g) {
  uint64_t addr = g->l->cooperative ? g->gpu->coop_addr : 0;
  broadcast32(g->launch_bank, SL_LB_ENVREG1, (uint32_t)(addr >> 32));
  broadcast32(g->launch_bank, SL_LB_ENVREG2, (uint32_t)addr);
  if (addr) memset(sl__host(&g->gpu->mem, addr), 0, SL_GRID_WORKSPACE);
}

static void fill_bank(sl_grid *g) {
  const sl_launch *l = g->l;
  uint8_t *b = g->launch_bank;
  uint32_t threads = l->block.x * l->block.y * l->block.z;
  broadcast32(b, SL_LB_NTID_X, l->block.x), broadcast32(b, SL_LB_NTID_Y, l->block.y),
      broadcast32(b, SL_LB_NTID_Z, l->block.z);
  broadcast32(b, SL_LB_NCTAID_X, l->grid.x), broadcast32(b, SL_LB_NCTAID_Y, l->grid.y),
      broadcast32(b, SL_LB_NCTAID_Z, l->grid.z);
  broadcast32(b, SL_LB_NWARPID, (threads + 31) / 32);
  broadcast32(b, SL_LB_NSMID, g->gpu->cfg.profile->multiprocessors);
  broadcast32(b, SL_LB_DYN_SMEM, (uint32_t)l->shared_bytes);
  broadcast32(b, SL_LB_TOTAL_SMEM, g->shared_bytes);
  broadcast64(b, SL_LB_GRIDID, g->gpu->launches);
  prepare_workspace(g);
  broadcast_values(g, g->m->shared_values, g->m->n_shared_values);
  broadcast_values(g, g->k->values, g->k->n_values);
  if (g->k->fn->ir->param_bytes && g->k->fn->ir->param_bytes <= SL_PARAM_MAX)
    memcpy(sl__host(&g->gpu->mem, g->gpu->param_addr), l->params, g->k->fn->ir->param_bytes);
}

static uint32_t residency(const sl_grid *g) {
  const sl_profile *p = g->gpu->cfg.profile;
  uint32_t threads = (g->l->block.x * g->l->block.y * g->l->block.z + 31) & ~31u, per = p->max_blocks_per_sm;
  uint64_t shared = g->shared_bytes + p->shared_reserved;
  // cooperative grids fit or are refused
  if (g->gpu->cfg.resident && !g->l->cooperative) return g->gpu->cfg.resident;
  if (p->max_threads_per_sm / threads < per) per = p->max_threads_per_sm / threads;
  if (shared && p->shared_per_sm / shared < per) per = (uint32_t)(p->shared_per_sm / shared);
  return (per ? per : 1) * p->multiprocessors * (p->crowd ? p->crowd : 1);
}

static void release_grid(sl_grid *g) {
  sl__weak_launch_end(g);
  for (uint32_t k = 0; k < g->n_resident; k++)
    sl__probes_block_end(g->resident[k]), sl__block_free(g->resident[k]);
  for (sl_block *b = g->pool, *n; b; b = n) n = b->next, sl__block_free(b);
  free(g->resident), free(g->cache), free(g->launch_bank);
  g->resident = NULL, g->n_resident = 0;
  sl__probes_launch_end(g);
}

// Sizes of shared memory with red zones. In modules that ask for it, the system's part (compute_80 and later)
// follows the program's and the last zone. It lies apart: an index does not lead there.
static void reserve_shared(sl_grid *g) {
  enum { APART = 2048 }; // bytes, a multiple of the row of banks
  g->shared_bytes = g->l->shared_bytes ? g->k->dynamic_base + (uint32_t)g->l->shared_bytes : g->k->zones.end;
  uint32_t end = g->shared_bytes > g->k->dynamic_base ? g->shared_bytes : g->k->dynamic_base,
           at = ((end + 127) & ~127u) + APART;
  broadcast32(g->launch_bank, SL_LB_RESERVED, at);
  g->shared_all = g->m->reserves ? at + SL_RESERVED_SHARED : g->shared_bytes;
}

static bool prepare_grid(sl_grid *g) {
  const sl_launch *l = g->l;
  g->shared_bytes = (uint32_t)sl__shared_asked(l);
  g->n_blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
  g->limit = residency(g);
  g->share = SL_BLOCK_BUDGET;
  if (l->cooperative && g->n_blocks > g->limit) {
    g->status = SL_LAUNCH_BAD_CONFIG;
    return refuse(g->err, "launch at most as many blocks as the occupancy functions say",
                  "blocks of a cooperative launch:", g->n_blocks, g->limit);
  }
  g->launch_bank = aligned_alloc(64, (g->k->launch_bytes + 127) & ~127u);
  g->cache = calloc(g->m->n_mem + 1, sizeof *g->cache);
  if (!g->launch_bank || !g->cache) return sl_fail(g->err, SL_EXIT_INFRA, NULL, "out of host memory");
  fill_bank(g);
  reserve_shared(g);
  return true;
}

static void summarise(sl_grid *g) {
  sl_counters *c = g->cnt;
  for (uint32_t k = 0; k < g->n_resident; k++) sl__path_block_end(g->resident[k]); // that never ended
  c->warp_instructions = g->instructions;
  c->shared_bytes = g->shared_bytes;
  c->threads = (uint64_t)g->l->block.x * g->l->block.y * g->l->block.z;
  c->thread_instructions = g->threads_executed;
  for (uint32_t k = 0; k < SL_MAX_PHASES; k++) {
    const sl_phase *p = &c->phases[k];
    c->adds_float += p->adds_float, c->adds_int += p->adds_int;
    if (p->adds_float || p->adds_int || p->shared_ld_replays || p->shared_st_replays) c->n_phases = k + 1;
  }
}

sl_launch_status sl__launch_once(sl_gpu *gpu, const sl_launch *l, sl_counters *out, sl_error *e) {
  sl_counters counters = {0};
  sl_error own = {0};
  sl_grid g = {.gpu = gpu,
               .l = l,
               .k = l->kernel,
               .m = l->kernel->m,
               .code = l->kernel->m->code,
               .cnt = &counters,
               .counting = gpu->cfg.counters != SL_COUNT_NOTHING,
               .detailed = gpu->cfg.counters == SL_COUNT_ALL,
               .watching = gpu->cfg.counters != SL_COUNT_NOTHING,
               .err = e ? e : &own,
               .writes = 1};
  if (out) memset(out, 0, sizeof *out);
  if (!valid(gpu, l, g.err)) return SL_LAUNCH_BAD_CONFIG;
  gpu->launches++;
  if (!prepare_grid(&g)) g.status = g.status ? g.status : SL_LAUNCH_ILLEGAL;
  else {
    sl__weak_launch(&g);
    if (!(gpu->cfg.checks & SL_CHECK_MEMORY_UNINIT)) sl__memory_known(&gpu->mem);
    sl__probes_launch(&g);
    sl__path_launch(&g);
    sl__cores_launch(&g);
    sl__run_grid(&g);
  }
  gpu->clock += (double)(g.instructions + g.clock);
  summarise(&g);
  if (out) *out = counters;
  release_grid(&g);
  return g.fault ? g.fault : g.status;
}

sl_launch_status sl_gpu_launch(sl_gpu *gpu, const sl_launch *l, sl_counters *out, sl_error *e) {
  return gpu->cfg.repeat ? sl__launch_repeated(gpu, l, out, e) : sl__launch_once(gpu, l, out, e);
}
