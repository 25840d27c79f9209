// Offsets of shared variables. A variable that one entry alone uses lies after those that device functions
// (or several entries) use; so two kernels of a file do not pay for each other's arrays. Dynamic shared
// memory follows.
#include <stdlib.h>
#include "sim/core.h"

enum { NOBODY = UINT32_MAX, COMMON = UINT32_MAX - 1 };

static void use(const sl_ptx_module *p, const sl_operand *o, uint32_t *user, uint32_t func) {
  bool var = o->kind == SL_O_VAR || (o->kind == SL_O_MEM && o->base_kind == SL_O_VAR);
  if (!var || p->vars[o->var].space != SL_SP_SHARED) return;
  uint32_t who = p->funcs[func].is_entry ? func : COMMON;
  if (user[o->var] == NOBODY)
    user[o->var] = who;
  else if (user[o->var] != who)
    user[o->var] = COMMON;
}

static void find_users(const sl_ptx_module *p, uint32_t *user) {
  for (uint32_t f = 0; f < p->n_funcs; f++) {
    const sl_ptx_func *fn = &p->funcs[f];
    for (uint32_t k = 0; k < fn->n_insns; k++)
      for (uint32_t o = 0; o < fn->insns[k].n_ops; o++) use(p, &fn->insns[k].ops[o], user, f);
    for (uint32_t k = 0; k < fn->n_elems; k++) use(p, &fn->elems[k], user, f);
  }
}

static uint32_t place(sl_gmodule *m, const uint32_t *user, uint32_t who, uint32_t at) {
  for (uint32_t v = 0; v < m->ptx->n_vars; v++) {
    const sl_ptx_var *var = &m->ptx->vars[v];
    if (var->space != SL_SP_SHARED || var->is_unsized || user[v] != who) continue;
    uint32_t align = var->align ? var->align : 1;
    at = (at + align - 1) / align * align;
    m->var_addr[v] = at;
    at += (uint32_t)var->size;
  }
  return at;
}

void sl__layout_shared(sl_gmodule *m) {
  sl_ptx_module *p = m->ptx;
  uint32_t *user = malloc((p->n_vars + 1) * sizeof *user), entry = 0;
  if (!user) abort();
  for (uint32_t v = 0; v <= p->n_vars; v++) user[v] = NOBODY;
  find_users(p, user);
  uint32_t common = place(m, user, COMMON, 0);
  for (uint32_t f = 0; f < p->n_funcs; f++) {
    if (!p->funcs[f].is_entry || p->funcs[f].is_extern) continue;
    sl_kernel *k = &m->kernels[entry++];
    k->static_shared = place(m, user, f, common);
    k->dynamic_base = (k->static_shared + 15) & ~15u;
  }
  free(user);
}
