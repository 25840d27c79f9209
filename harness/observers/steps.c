// Steps: who read and wrote what in a small launch, and which reads each written value came from.
//
// Values are followed through registers: every register of a lane knows the reads (events) that its value was
// computed from, at most SL_MAX_SOURCES; a write notes those of the value that it stores. Comparisons pass
// nothing on, so a value that only decided a branch or an index is no source. Values in call parameters and
// in local memory are not followed.
#include "observers/meter.h"

typedef struct sl_sources {
  uint32_t n, at[SL_MAX_SOURCES]; // numbers of events
} sl_sources;

// Registers -------------------------------------------------------------------------------------------------

static uint64_t warp_key(const sl_executed *x, sl_slot slot) {
  return (x->w->block->linear << 5 | x->w->id) << 32 | slot;
}
static uint64_t lane_key(const sl_executed *x, uint32_t lane) {
  return (uint64_t)(uintptr_t)x->regs << 5 | lane;
}

static void collect(const sl_meter *m, const sl_executed *x, sl_slot slot, uint32_t lane, sl_sources *to) {
  if (slot == SL_NO_SLOT || (slot & 3) != SL_BANK_REG) return;
  const sl_sources *s = sl__table_find(&m->taint, warp_key(x, slot), lane_key(x, lane));
  for (uint32_t k = 0; s && k < s->n; k++) {
    uint32_t o = 0;
    while (o < to->n && to->at[o] != s->at[k]) o++;
    if (o == to->n && to->n < SL_MAX_SOURCES) to->at[to->n++] = s->at[k];
  }
}

static void give(sl_meter *m, const sl_executed *x, sl_slot slot, uint32_t lane, const sl_sources *s) {
  if (slot == SL_NO_SLOT || (slot & 3) != SL_BANK_REG) return;
  sl_sources *to = s->n ? sl__table_put(&m->taint, warp_key(x, slot), lane_key(x, lane))
                        : sl__table_find(&m->taint, warp_key(x, slot), lane_key(x, lane));
  if (to) *to = *s;
}

static void pass_on(sl_meter *m, const sl_executed *x) {
  const sl_ptx_insn *in = x->cell->in;
  sl_sources s[SL_LANES];
  uint32_t from[SL_LANES]; // the lane that each reads from
  sl_value_flow flow = sl_ptx_flow(in);
  bool exchanges = flow == SL_FLOW_EXCHANGES, selects = in->op == SL_OP_selp;
  uint32_t chosen = selects ? sl__pred_src(x->w, x->i, 2) : 0; // lanes that take the first operand
  uint32_t n = in->n_ops > 5 ? 4 : in->n_ops ? in->n_ops - 1u : 0;
  if (!n || flow == SL_FLOW_DECIDES) return;
  for (uint32_t l = 0; l < SL_LANES; l++) from[l] = l;
  if (exchanges) sl__shfl_sources(x->w, x->i, in, from);
  for (uint32_t l = 0; l < SL_LANES; l++) {
    s[l].n = 0;
    for (uint32_t k = 0; k < n && x->lanes >> l & 1 && flow != SL_FLOW_COMPARES; k++)
      if (selects ? k == (chosen >> l & 1 ? 0u : 1u) : !exchanges || k == 0)
        collect(m, x, x->i->s[k], from[l], &s[l]);
  }
  for (uint32_t left = x->lanes; left; left &= left - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(left);
    give(m, x, x->i->d, l, &s[l]);
  }
}

// Arrays ----------------------------------------------------------------------------------------------------

static uint32_t array_of(sl_recorded *r, const sl_touched *t) {
  for (size_t k = 0; k < r->n_arrays; k++)
    if (r->arrays[k].space == t->space && r->arrays[k].base == t->base) return (uint32_t)k;
  r->arrays = sl__grow(r->arrays, r->n_arrays, &r->cap_arrays, sizeof *r->arrays);
  r->arrays[r->n_arrays] = *t;
  return (uint32_t)r->n_arrays++;
}

// The shared variable that holds [off], else all of shared memory.
static sl_touched shared_array(const sl_grid *g, uint64_t off) {
  sl_touched t = {.name = "shared", .space = SL_SP_SHARED, .param = -1, .size = g->shared_bytes};
  for (uint32_t k = 0; k < g->m->ptx->n_vars; k++) {
    const sl_ptx_var *v = &g->m->ptx->vars[k];
    if (v->space != SL_SP_SHARED || (v->func && v->func != g->k->fn->index + 1)) continue;
    uint64_t base = v->is_unsized ? g->k->dynamic_base : g->m->var_addr[k],
             size = v->is_unsized ? g->shared_bytes - base : v->size;
    if (off < base || off - base >= size) continue;
    t.base = base, t.size = size;
    snprintf(t.name, sizeof t.name, "%s", v->name);
  }
  return t;
}

// The kernel's parameter, or word of one, that points into [a] nearest at or before [addr].
static void find_param(const sl_grid *g, const sl_alloc *a, uint64_t addr, sl_touched *t) {
  uint32_t offset, size;
  uint64_t value;
  for (uint32_t k = 0; sl_kernel_param(g->k, k, &offset, &size); k++)
    for (uint32_t at = 0; at + 8 <= size; at += 8) {
      memcpy(&value, (const uint8_t *)g->l->params + offset + at, 8);
      if (value < a->base || value > addr || (t->param >= 0 && value <= t->base)) continue;
      t->size = a->size - (value - a->base), t->base = value;
      t->param = (int32_t)k, t->word = at / 8;
    }
}

static sl_touched global_array(const sl_grid *g, uint64_t addr) {
  const sl_alloc *a = sl__memory_find(&g->gpu->mem, addr);
  sl_touched t = {.space = SL_SP_GLOBAL, .param = -1};
  if (!a) return t;
  t.base = a->base, t.size = a->size;
  if (a->name) snprintf(t.name, sizeof t.name, "%s", a->name);
  find_param(g, a, addr, &t);
  return t;
}

// Events ----------------------------------------------------------------------------------------------------

static sl_event *new_event(sl_meter *m) {
  sl_recorded *r = m->out;
  if (r->n_events >= SL_MAX_EVENTS) return r->dropped++, NULL;
  r->events = sl__grow(r->events, r->n_events, &r->cap_events, sizeof *r->events);
  return &r->events[r->n_events++];
}

static uint32_t line_of_executed(const sl_executed *x) {
  sl_src_pos pos = {.file = ""};
  sl_ptx_position(x->w->grid->m->ptx, x->cell->in, &pos);
  return pos.line;
}

// Finds the space of [addr] and makes a shared address an offset. False: the access is not drawn.
static bool locate(const sl_executed *x, uint64_t *addr, bool *shared) {
  const sl_memop *op = x->i->ext;
  if (op->space == SL_SP_LOCAL || *addr - SL_LOCAL_BASE < 1ull << 32) return false;
  *shared = op->space == SL_SP_SHARED || *addr - SL_SHARED_BASE < 1ull << 32;
  if (*addr - SL_SHARED_BASE < 1ull << 32) *addr -= SL_SHARED_BASE;
  return true;
}

static void element(sl_meter *m, const sl_executed *x, uint32_t lane, uint32_t k, const sl_event *base) {
  const sl_grid *g = x->w->grid;
  const sl_memop *op = x->i->ext;
  uint64_t addr = x->addr[lane] + k * op->elem_bytes;
  bool shared, atomic = base->kind == SL_EV_UPDATE;
  if (!locate(x, &addr, &shared)) return;
  sl_touched t = shared ? shared_array(g, addr) : global_array(g, addr);
  const void *at = shared ? x->w->block->shared + addr : sl__host(&g->gpu->mem, addr);
  sl_slot slot = atomic ? x->i->s[1] : op->elem[k];
  sl_sources s = {0};
  if (!t.size) return;
  if (base->kind != SL_EV_READ) collect(m, x, slot, lane, &s);
  sl_event *e = new_event(m);
  if (!e) return;
  *e = *base;
  e->thread = sl__thread_of(x->w, lane);
  e->array = array_of(m->out, &t);
  e->offset = (uint32_t)(addr - t.base);
  memcpy(&e->value, at, op->elem_bytes);
  e->n_from = (uint8_t)s.n;
  memcpy(e->from, s.at, sizeof s.at);
  s = (sl_sources){1, {(uint32_t)(e - m->out->events)}};
  if (base->kind != SL_EV_WRITE) give(m, x, atomic ? x->i->d : op->elem[k], lane, &s);
}

static void access(sl_meter *m, const sl_executed *x) {
  const sl_memop *op = x->i->ext;
  sl_event base = {.kind = op->atomic  ? SL_EV_UPDATE
                           : op->write ? SL_EV_WRITE
                                       : SL_EV_READ,
                   .bytes = op->elem_bytes,
                   .type = (uint8_t)sl__type_mod(x->cell->in),
                   .block = (uint32_t)x->w->block->linear,
                   .phase = x->phase,
                   .line = line_of_executed(x),
                   .request = m->requests++,
                   .replays = (uint8_t)(x->replays > 255 ? 255 : x->replays)};
  for (uint32_t left = x->lanes; left; left &= left - 1)
    for (uint32_t k = 0; k < (op->atomic ? 1 : op->n); k++)
      element(m, x, (uint32_t)__builtin_ctz(left), k, &base);
}

void sl__steps_after(sl_meter *m, const sl_executed *x) {
  if (x->cell->access) access(m, x);
  else pass_on(m, x);
  sl_event *e = x->opened ? new_event(m) : NULL;
  if (e)
    *e = (sl_event){.kind = SL_EV_BARRIER,
                    .block = (uint32_t)x->w->block->linear,
                    .phase = x->phase,
                    .line = line_of_executed(x)};
}
