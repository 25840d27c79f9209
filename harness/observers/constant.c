// memory.constant: a kernel uses constant memory that has no initial value and to which the host has never
// written, as where cudaMemcpyToSymbol was forgotten or comes too late. undefined.c follows what is read to
// where it decides something. It is a note, told once for each variable: PTX does not tell a variable that
// begins with zeros on purpose (`= 0`) from one that nobody sets. Launches of a module without such a
// variable are not looked at.
//
// Interface: sl__constant_tell (undefined.h); sl__constant_loads, sl__constant_access (observers.h), for
// whoever looks at all loads of such memory.
#include "observers/undefined.h"

typedef struct sl_constants {
  bool any; // the module has variables without an initial value
} sl_constants;

static const sl_alloc *unset_variable(const sl_gmodule *m, uint32_t v) {
  const sl_alloc *a =
      m->ptx->vars[v].space == SL_SP_CONST ? sl__memory_find(&m->gpu->mem, m->var_addr[v]) : NULL;
  return a && a->unset ? a : NULL;
}

static bool has_unset(const sl_gmodule *m) {
  for (uint32_t v = 0; v < m->ptx->n_vars; v++)
    if (unset_variable(m, v)) return true;
  return false;
}

void sl__constant_loads(sl_gmodule *m) {
  for (uint32_t pc = 0; pc < m->n_code; pc++) {
    const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], NULL);
    if (in && m->patches[pc].written && sl_ptx_action(in) == SL_ACT_LOAD && sl__space_mod(in) == SL_SP_CONST)
      sl__see_constant(m, pc);
  }
}

sl_access sl__constant_access(sl_warp *w, const sl_xinsn *i, const sl_patch *p) {
  sl_access a = {.w = w,
                 .i = i,
                 .pc = (uint32_t)(p - w->grid->m->patches),
                 .bytes = ((const sl_memop *)i->ext)->bytes,
                 .kind = SL_SEE_LOAD,
                 .space = SL_SP_CONST};
  sl__addresses(w, i, a.addr);
  const sl_alloc *v = NULL; // most lanes read one variable, and often one word of it
  const uint64_t first = a.addr[__builtin_ctz(w->mask)];
  a.one = a.bytes == 4;
  SL_FOR_LANES(l, w->mask) {
    if (!v || a.addr[l] - v->base >= v->size) v = sl__memory_find(&w->grid->gpu->mem, a.addr[l]);
    if (v) a.mask |= 1u << l;
    a.one &= v && a.addr[l] == first;
  }
  return a;
}

static void constant_look(sl_gmodule *m) {
  sl_constants *c = m->kept[SL_PROBE_constant];
  if ((c->any = has_unset(m))) sl__constant_loads(m);
}

static bool constant_joins(const sl_grid *g) {
  return g->gpu->cfg.checks & SL_CHECK_MEMORY_UNINIT &&
         ((const sl_constants *)g->m->kept[SL_PROBE_constant])->any && has_unset(g->m);
}

// Marks what the lanes read of such variables as undefined: a load whose value decides nothing, as the
// compiler makes for both sides of a choice, is no use.
static void constant_before(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *) {
  uint32_t bytes[SL_LANES], lanes = 0;
  if (p->kind != SL_SEE_CONSTANT) return;
  const sl_access a = sl__constant_access(w, i, p);
  SL_FOR_LANES(l, a.mask) {
    const sl_alloc *v = sl__memory_find(&w->grid->gpu->mem, a.addr[l]);
    if (v->unset) lanes |= 1u << l, bytes[l] = (1u << a.bytes) - 1;
  }
  if (lanes) sl__undef_load(&a, lanes, bytes);
}

void sl__constant_tell(sl_warp *w, const sl_origin *o) {
  sl_alloc *a = (sl_alloc *)sl__memory_find(&w->grid->gpu->mem, o->addr);
  const sl_xinsn *i = &w->grid->code[o->pc];
  const sl_memop *op = i->ext;
  sl_finding f;
  if (!a || !a->unset) return;
  a->unset = false;
  sl__finding_begin(&f, w, i, o->lane, SL_FOUND_MEMORY_CONSTANT);
  f.object = sl__object_of(w, i, SL_SP_GLOBAL, o->addr, op->elem_bytes, op->bytes);
  f.object.access = SL_DID_READ;
  snprintf(f.what, sizeof f.what, "read of constant memory that the program has never set: " SL_THE_OBJECT);
  sl_gpu_add_finding(w->grid->gpu, &f);
}

const sl_probe sl__probe_constant = {.name = "constant",
                                     .checks = SL_CHECK_MEMORY_CONSTANT,
                                     .joins = constant_joins,
                                     .kinds = SL_SEES(CONSTANT),
                                     .module_bytes = sizeof(sl_constants),
                                     .look = constant_look,
                                     .before = constant_before};
