// Offsets of shared variables. Variables that device functions or several entries use come first, then those
// that one entry alone uses: so two kernels of a file do not pay for each other's arrays. Dynamic shared
// memory follows. For observers there are red zones between them (shared.h).
#include "engine/core.h"

enum { NOBODY = UINT32_MAX, COMMON = UINT32_MAX - 1 };

static void use(const sl_ptx_module *p, const sl_operand *o, uint32_t *user, uint32_t func) {
  bool var = o->kind == SL_O_VAR || (o->kind == SL_O_MEM && o->base_kind == SL_O_VAR);
  if (!var || p->vars[o->var].space != SL_SP_SHARED) return;
  uint32_t who = p->funcs[func].is_entry ? func : COMMON;
  if (user[o->var] == NOBODY) user[o->var] = who;
  else if (user[o->var] != who) user[o->var] = COMMON;
}

static void find_users(const sl_ptx_module *p, uint32_t *user) {
  for (uint32_t f = 0; f < p->n_funcs; f++) {
    const sl_ptx_func *fn = &p->funcs[f];
    for (uint32_t k = 0; k < fn->n_insns; k++)
      for (uint32_t o = 0; o < fn->insns[k].n_ops; o++) use(p, &fn->insns[k].ops[o], user, f);
    for (uint32_t k = 0; k < fn->n_elems; k++) use(p, &fn->elems[k], user, f);
  }
}

// Adds a red zone in front of the next array.
static void leave_room(sl_zones *z, uint32_t at) {
  if (!z->end || z->n == SL_ZONES) return;
  z->shift += SL_ZONE_BYTES;
  z->at[z->n].from = (z->end + 3) & ~3u, z->at[z->n++].to = (at + z->shift) & ~3u;
}

// Returns the end without zones.
static uint32_t place_variables(sl_gmodule *m, const uint32_t *user, uint32_t who, uint32_t at, bool zones,
                                sl_zones *z) {
  for (uint32_t v = 0; v < m->ptx->n_vars; v++) {
    const sl_ptx_var *var = &m->ptx->vars[v];
    if (var->space != SL_SP_SHARED || var->is_unsized || user[v] != who) continue;
    uint32_t align = var->align ? var->align : 1;
    at = (at + align - 1) / align * align;
    if (zones) leave_room(z, at);
    m->var_addr[v] = at + z->shift;
    at += (uint32_t)var->size;
    z->end = at + z->shift;
  }
  return at;
}

// Are shared accesses observed, and does the shift keep every array's alignment?
static bool zones_help(const sl_gmodule *m) {
  enum { SEEN = SL_CHECK_RACE_SHARED | SL_CHECK_RACE_GLOBAL | SL_CHECK_ORDER_FENCE | SL_CHECK_RACE_ASYNC };
  for (uint32_t v = 0; v < m->ptx->n_vars; v++)
    if (m->ptx->vars[v].space == SL_SP_SHARED && m->ptx->vars[v].align > 128) return false;
  return m->gpu->cfg.checks & SEEN;
}

void sl__layout_shared(sl_gmodule *m) {
  sl_ptx_module *p = m->ptx;
  SL_FREED uint32_t *user = sl_must(malloc((p->n_vars + 1) * sizeof *user));
  uint32_t entry = 0;
  for (uint32_t v = 0; v <= p->n_vars; v++) user[v] = NOBODY;
  find_users(p, user);
  bool zones = zones_help(m);
  sl_zones shared = {0};
  uint32_t common = place_variables(m, user, COMMON, 0, zones, &shared);
  for (uint32_t f = 0; f < p->n_funcs; f++) {
    if (!p->funcs[f].is_entry || p->funcs[f].is_extern) continue;
    sl_kernel *k = &m->kernels[entry++];
    k->zones = shared;
    k->static_shared = place_variables(m, user, f, common, zones, &k->zones);
    k->dynamic_base = (k->static_shared + 15) & ~15u;
    if (zones) leave_room(&k->zones, k->dynamic_base);
    k->dynamic_base += k->zones.shift;
  }
}

uint64_t sl__shared_asked(const sl_launch *l) {
  uint64_t fixed = l->kernel->static_shared;
  return l->shared_bytes ? ((fixed + 15) & ~15ull) + l->shared_bytes : fixed;
}
