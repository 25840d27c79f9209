// What an address belongs to, in words of the program: a shared or device variable, an array that an
// argument of the kernel points to, an allocation.
//
// Interface: sl__object_of (by the array that the instruction is about), sl__meant, sl__origins_of,
// sl__pointer_word, sl__named, sl__is_fixed, sl__is_null, sl__shared_meant, sl__shared_offset,
// sl__shared_size. The address may lie outside of the object: a report on an access out of bounds names the
// array that it missed.
#include "engine/depends.h"

int64_t sl__shared_offset(uint64_t off) { return (int32_t)(uint32_t)off; }

// An offset below 0 (from a negative index) belongs to the first variable.
static const sl_ptx_var *shared_var(const sl_warp *w, int64_t off, int64_t *at) {
  const sl_gmodule *m = w->grid->m;
  const sl_kernel *k = w->grid->k;
  const sl_ptx_var *best = NULL;
  for (uint32_t v = 0; v < m->ptx->n_vars; v++) {
    const sl_ptx_var *x = &m->ptx->vars[v];
    int64_t start = (int64_t)(x->is_unsized ? k->dynamic_base : m->var_addr[v]);
    if (x->space != SL_SP_SHARED || (x->is_unsized && !w->grid->l->shared_bytes)) continue;
    if (x->func && x->func != k->fn->index + 1) continue;
    bool nearer = !best || (off < 0 ? start < *at : start >= *at);
    if (nearer && (off < 0 || start <= off)) best = x, *at = start;
  }
  return best;
}

uint64_t sl__shared_size(const sl_warp *w, const sl_ptx_var *v, int64_t at) {
  uint64_t bytes = w->block->shared_bytes, from = (uint64_t)at;
  return !v->is_unsized ? v->size : bytes > from ? bytes - from : 0;
}

static void name_var(sl_origins *o, uint32_t var) {
  if ((o->m->vars[var].space == SL_SP_SHARED) != o->shared) return;
  for (uint32_t k = 0; k < o->n_vars; k++)
    if (o->var[k] == var) return;
  if (o->n_vars == SL_ORIGINS) o->anywhere = true;
  else o->var[o->n_vars++] = var;
}

static void name_word(sl_origins *o, uint32_t argument, uint32_t at) {
  for (uint32_t k = 0; k < o->n; k++)
    if (o->word[k].argument == argument && o->word[k].at == at) return;
  if (o->n == SL_ORIGINS) o->anywhere = true;
  else o->word[o->n].argument = argument, o->word[o->n++].at = at;
}

// The words that a load puts into marked registers. Pointers have 8 bytes. False: no argument of a kernel.
static bool name_argument(const sl_depends *d, const sl_ptx_insn *in, const sl_operand *from) {
  const sl_operand *to = &in->ops[0];
  bool found = false;
  for (uint32_t k = 0; k < d->f->n_params; k++) {
    if (d->f->params[k] != from->var) continue;
    found = d->f->is_entry;
    if (to->kind != SL_O_VEC) name_word(d->ctx, k, (uint32_t)from->imm);
    for (uint32_t e = 0; to->kind == SL_O_VEC && e < to->n_elems; e++) {
      const sl_operand *reg = &d->f->elems[to->first + e];
      if (reg->kind == SL_O_REG && d->reg[reg->reg]) name_word(d->ctx, k, (uint32_t)from->imm + 8 * e);
    }
  }
  return found;
}

// Can what is loaded be a pointer that a kernel or a caller has put there?
static bool loads_pointer(const sl_ptx_insn *in) {
  return sl_ptx_type_bits(sl__type_mod(in)) == 64 || in->ops[0].kind == SL_O_VEC;
}

// Is it half of the pointer to what a grid synchronises by?
static bool is_workspace(const sl_operand *o) { return o->sreg == SL_SR_envreg1 || o->sreg == SL_SR_envreg2; }

static sl_spread look_back(const sl_depends *d, const sl_ptx_insn *in, uint32_t, bool touched) {
  bool named = false;
  for (uint32_t o = 0; touched && o < in->n_ops; o++)
    if (in->ops[o].kind == SL_O_MEM && in->ops[o].base_kind == SL_O_VAR)
      named |= name_argument(d, in, &in->ops[o]);
  if (touched && sl_ptx_flow(in) == SL_FLOW_MEMORY && !named && loads_pointer(in))
    ((sl_origins *)d->ctx)->anywhere = true;
  if (!touched || sl_ptx_flow(in) == SL_FLOW_MEMORY) return SL_SPREAD_NO;
  for (uint32_t o = 0; o < in->n_ops; o++)
    if (in->ops[o].kind == SL_O_VAR) name_var(d->ctx, in->ops[o].var);
    else if (in->ops[o].kind == SL_O_SREG && is_workspace(&in->ops[o]))
      ((sl_origins *)d->ctx)->anywhere = true;
  return SL_SPREAD_ON;
}

static void mark_address(sl_depends *d, const sl_ptx_insn *in) {
  for (uint32_t k = 0; k < in->n_ops; k++)
    if (in->ops[k].kind == SL_O_MEM && in->ops[k].base_kind == SL_O_VAR) name_var(d->ctx, in->ops[k].var);
    else if (in->ops[k].kind == SL_O_MEM && in->ops[k].base_kind == SL_O_REG)
      sl__depends_mark(d, in->ops[k].reg);
}

sl_origins sl__origins_of(const sl_gmodule *m, const sl_ptx_func *f, const sl_ptx_insn *const *of, uint32_t n,
                          bool shared) {
  sl_origins o = {.m = m->ptx, .shared = shared};
  sl_depends d = {.f = f, .n = f->n_insns, .backwards = true, .rule = look_back, .ctx = &o};
  sl__depends_begin(&d);
  for (uint32_t k = 0; k < n; k++) mark_address(&d, of[k]);
  sl__depends_search(&d);
  free(d.reg);
  return o;
}

static sl_origins origins_of(const sl_gmodule *m, const sl_xinsn *i, bool shared) {
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = sl__insn_of(m, i, &fn);
  return in ? sl__origins_of(m, fn->ir, &in, 1, shared) : (sl_origins){.m = m->ptx};
}

// Does the value come from what differs between threads or trips?
static sl_spread look_for_index(const sl_depends *, const sl_ptx_insn *in, uint32_t, bool touched) {
  bool param = false;
  for (uint32_t o = 0; touched && o < in->n_ops; o++) {
    if (in->ops[o].kind == SL_O_SREG) return SL_SPREAD_FOUND;
    param |= in->ops[o].kind == SL_O_MEM && in->ops[o].base_kind == SL_O_VAR;
  }
  if (!touched) return SL_SPREAD_NO;
  return sl_ptx_flow(in) != SL_FLOW_MEMORY ? SL_SPREAD_ON : param ? SL_SPREAD_NO : SL_SPREAD_FOUND;
}

static void count_writes(void *ctx, uint32_t reg, bool is_def) {
  if (is_def) ((uint32_t *)ctx)[reg]++;
}

// Is a marked register written at several places, as the counter of a loop is?
static bool changes(const sl_depends *d) {
  SL_FREED uint32_t *writes = sl_must(calloc(d->f->n_regs + 1, sizeof *writes));
  bool several = false;
  for (uint32_t k = 0; k < d->n; k++) sl__visit_regs(d->f, &d->f->insns[k], count_writes, writes);
  for (uint32_t r = 0; r < d->f->n_regs; r++) several |= d->reg[r] && writes[r] > 1;
  return several;
}

bool sl__is_fixed(const sl_gmodule *m, const sl_xinsn *i) {
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = sl__insn_of(m, i, &fn);
  if (!in) return false;
  sl_depends d = {.f = fn->ir, .n = fn->ir->n_insns, .backwards = true, .rule = look_for_index};
  sl__depends_begin(&d);
  for (uint32_t k = 0; k < in->n_ops; k++)
    if (in->ops[k].kind == SL_O_MEM && in->ops[k].base_kind == SL_O_REG) sl__depends_mark(&d, in->ops[k].reg);
  const bool fixed = !sl__depends_search(&d) && !changes(&d);
  free(d.reg);
  return fixed;
}

// The one array, in shared memory or not, that the address of [i] is computed from; NULL: not known.
static const sl_ptx_var *address_of(const sl_gmodule *m, const sl_xinsn *i, bool shared) {
  const sl_origins o = origins_of(m, i, shared);
  return o.n_vars == 1 ? &m->ptx->vars[o.var[0]] : NULL;
}

const sl_ptx_var *sl__shared_meant(const sl_warp *w, const sl_xinsn *i, int64_t off, int64_t *at) {
  const sl_ptx_var *v = i ? address_of(w->grid->m, i, true) : NULL;
  if (!v) return shared_var(w, off, at);
  *at = (int64_t)(v->is_unsized ? w->grid->k->dynamic_base : w->grid->m->var_addr[v - w->grid->m->ptx->vars]);
  return v;
}

static void shared_object(const sl_warp *w, const sl_xinsn *i, uint64_t addr, sl_object *o) {
  int64_t off = sl__shared_offset(addr), at = 0;
  const sl_ptx_var *v = sl__shared_meant(w, i, off, &at);
  if (v) {
    sl_demangle(v->name, o->name, sizeof o->name);
    o->size = sl__shared_size(w, v, at);
    o->index = (off - at) / (int64_t)o->elem;
    o->scalar = !v->is_unsized && v->size <= o->elem && o->index == 0;
  } else {
    o->index = off, o->elem = 0;
  }
}

// The word at byte [at] of argument [k] as an address. False: it has no such word.
bool sl__pointer_word(const sl_grid *g, uint32_t k, uint32_t at, uint64_t *p) {
  uint32_t offset, size;
  if (!g->l->params || !sl_kernel_param(g->k, k, &offset, &size) || at + sizeof *p > size) return false;
  memcpy(p, (const char *)g->l->params + offset + at, sizeof *p);
  *p = sl__device_address(&g->gpu->mem, g->l->owner, *p);
  return true;
}

// Argument [k], if it can be a pointer.
static bool pointer_argument(const sl_grid *g, uint32_t k, uint64_t *p) {
  uint32_t offset, size;
  return sl_kernel_param(g->k, k, &offset, &size) && size == sizeof *p && sl__pointer_word(g, k, 0, p);
}

// A null pointer, or an element of one that the kernel was given.
bool sl__is_null(const sl_grid *g, uint64_t addr) {
  uint64_t p;
  for (uint32_t k = 0; addr >= 4096 && addr < SL_NULL_END && k < g->k->fn->ir->n_params; k++)
    if (pointer_argument(g, k, &p) && p == 0) return true;
  return addr < 4096;
}

static uint64_t distance(const sl_alloc *a, uint64_t addr) {
  uint64_t past = addr - a->base;
  return addr < a->base ? a->base - addr : past < a->size ? 0 : past - a->size + 1;
}

// The variable that the address of [i] is computed from; NULL: there is none, or not near.
static const sl_alloc *variable_meant(const sl_grid *g, const sl_xinsn *i, uint64_t addr) {
  const sl_ptx_var *v = i ? address_of(g->m, i, false) : NULL;
  const sl_alloc *a = v ? sl__memory_find(&g->gpu->mem, g->m->var_addr[v - g->m->ptx->vars]) : NULL;
  return a && a->name && distance(a, addr) <= SL_NEAR ? a : NULL;
}

// A pointer among the kernel's arguments: its number from 1, and 0, or in a struct the pointer's byte from 1.
typedef struct sl_given {
  uint32_t argument, field;
  uint64_t pointer;
} sl_given;

// The one array among the arguments that the address of [i] is computed from, if it is near; NULL: not known.
static const sl_alloc *argument_meant(const sl_grid *g, const sl_xinsn *i, uint64_t addr, sl_given *out) {
  const sl_alloc *found = NULL;
  const sl_origins o = i ? origins_of(g->m, i, false) : (sl_origins){.n = 0};
  uint64_t p;
  uint32_t offset, size;
  for (uint32_t k = 0; k < o.n; k++) {
    const uint32_t argument = o.word[k].argument, at = o.word[k].at;
    const sl_alloc *a = sl__pointer_word(g, argument, at, &p) ? sl__memory_find(&g->gpu->mem, p) : NULL;
    if (a && found) return NULL;
    if (!a) continue;
    const bool whole = sl_kernel_param(g->k, argument, &offset, &size) && size == sizeof p;
    found = a, *out = (sl_given){argument + 1, whole ? 0 : at + 1, p};
  }
  return found && distance(found, addr) <= SL_NEAR ? found : NULL;
}

const sl_alloc *sl__named(const sl_grid *g, const sl_xinsn *i, uint64_t addr) {
  sl_given given;
  const sl_alloc *named = variable_meant(g, i, addr);
  return named ? named : argument_meant(g, i, addr, &given);
}

// The allocation around it, else the variable or the argument that the instruction names, else the nearest
// that the kernel was given, else the nearest.
const sl_alloc *sl__meant(const sl_grid *g, const sl_xinsn *i, uint64_t addr) {
  const sl_memory *m = &g->gpu->mem;
  const sl_alloc *best = NULL, *a = sl__memory_nearest(m, addr), *next = a ? a + 1 : m->at;
  if (a && distance(a, addr) == 0) return a;
  const sl_alloc *named = sl__named(g, i, addr);
  if (named) return named;
  for (uint32_t k = 0; k < g->k->fn->ir->n_params; k++) {
    uint64_t p;
    const sl_alloc *x = pointer_argument(g, k, &p) ? sl__memory_find(m, p) : NULL;
    if (x && distance(x, addr) <= SL_NEAR && (!best || distance(x, addr) < distance(best, addr))) best = x;
  }
  if (best || next == m->at + m->n) return best ? best : a;
  return !a || distance(next, addr) < distance(a, addr) ? next : a;
}

// The index, from 1, of the kernel's argument that points into [a] nearest below [addr]; 0: there is none. An
// argument that points behind an [addr] inside [a] is another array of the same allocation. If [addr] lies in
// front of [a], the first argument that points into [a] is meant.
static uint32_t pointing_to(const sl_grid *g, const sl_alloc *a, uint64_t addr, uint64_t *pointer) {
  uint32_t found = 0, n = g->k->fn->ir->n_params;
  for (uint32_t k = 0; k < n; k++) {
    uint64_t p;
    if (!pointer_argument(g, k, &p) || p < a->base || p > a->base + a->size) continue;
    if (p > addr && addr >= a->base) continue;
    if (found && (p > addr || (*pointer <= addr && p <= *pointer))) continue;
    found = k + 1, *pointer = p;
  }
  return found;
}

static void global_object(const sl_grid *g, const sl_xinsn *i, uint64_t addr, sl_object *o) {
  sl_given given;
  const sl_alloc *named = argument_meant(g, i, addr, &given), *a = named ? named : sl__meant(g, i, addr);
  uint64_t from;
  if (!a || addr < SL_GLOBAL_BASE) {
    o->space[0] = 0;
    return;
  }
  if (a->readonly) snprintf(o->space, sizeof o->space, "constant");
  from = a->base;
  o->size = a->size;
  o->allocation = a->number;
  o->n_params = g->k->fn->ir->n_params;
  if (a->name) sl_demangle(a->name, o->name, sizeof o->name);
  else if (named) o->argument = given.argument, o->field = given.field, from = given.pointer;
  else o->argument = pointing_to(g, a, addr, &from);
  if (from != a->base) o->size = 0; // the array may end before the allocation does
  o->index = (int64_t)(addr - from) / (int64_t)o->elem;
  o->scalar = a->name && a->size <= o->elem && o->index == 0;
}

static void begin_object(sl_object *o, const char *space, uint32_t elem, uint32_t bytes) {
  *o = (sl_object){.elem = elem ? elem : 1, .bytes = bytes};
  snprintf(o->space, sizeof o->space, "%s", space);
}

sl_object sl__object_of(const sl_warp *w, const sl_xinsn *i, sl_space space, uint64_t addr, uint32_t elem,
                        uint32_t bytes) {
  sl_object o;
  begin_object(&o, space == SL_SP_SHARED ? "shared" : space == SL_SP_LOCAL ? "local" : "global", elem, bytes);
  if (space == SL_SP_SHARED) shared_object(w, i, addr, &o);
  else if (space == SL_SP_GLOBAL) global_object(w->grid, i, addr, &o);
  else o.index = (int64_t)addr, o.elem = 0;
  return o;
}
