// Steps: who read and wrote what in a small launch, and which reads each written value came from.
//
// Values are followed through registers: every register of a lane knows the reads (events) that its value was
// computed from, at most SL_MAX_SOURCES; a write notes those of the value that it stores. Comparisons pass
// nothing on, so a value that only decided a branch or an index is no source, nor is one in local memory.
#include "observers/meter.h"

// Registers -------------------------------------------------------------------------------------------------

static uint32_t merge(sl_flowing *x, const void *marks) {
  const sl_sourced *from = marks;
  sl_sourced *to = x->out;
  SL_FOR_LANES(l, from->lanes) {
    const sl_sources *s = &from->of[l];
    sl_sources *t = &to->of[l];
    for (uint32_t k = 0; k < s->n; k++) {
      uint32_t o = 0;
      while (o < t->n && t->at[o] != s->at[k]) o++;
      if (o == t->n && t->n < SL_MAX_SOURCES) t->at[t->n++] = s->at[k];
    }
  }
  return from->lanes;
}

static bool compute(sl_flowing *x) { return sl_ptx_flow(x->in) == SL_FLOW_COMPARES; }

static const sl_mark_kind SOURCES = {.bytes = sizeof(sl_sourced),
                                     .lane_at = offsetof(sl_sourced, of),
                                     .lane_bytes = sizeof(sl_sources),
                                     .exact = true,
                                     .merge = merge,
                                     .compute = compute};

void sl__steps_begin(sl_meter *m) { sl__trail_begin(&m->sources, &SOURCES); }

void sl__steps_block(sl_block *b) {
  sl__meter_block(b)->brief = sl__meter_of(b->grid)->out->n_events >= SL_DETAILED;
}

// Arrays ----------------------------------------------------------------------------------------------------

static uint32_t array_of(sl_recorded *r, const sl_touched *t) {
  for (size_t k = 0; k < r->n_arrays; k++)
    if (r->arrays[k].space == t->space && r->arrays[k].base == t->base) return (uint32_t)k;
  SL_GROW(r->arrays, r->n_arrays);
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
      if (value < a->base || value > addr || value - a->base > a->size || (t->param >= 0 && value < t->base))
        continue;
      t->size = a->size - (value - a->base), t->base = value;
      t->param = (int32_t)k, t->word = at / 8;
    }
}

static sl_touched array_in(const sl_grid *g, const sl_alloc *a, uint64_t addr) {
  sl_touched t = {.space = SL_SP_GLOBAL, .param = -1};
  if (!a) return t;
  t.base = a->base, t.size = a->size;
  if (a->name) snprintf(t.name, sizeof t.name, "%s", a->name);
  find_param(g, a, addr, &t);
  return t;
}

// The array that an access out of bounds was meant for, as its finding says; base and size 0: none.
static sl_touched array_missed(const sl_executed *x, uint64_t addr, bool shared) {
  const sl_grid *g = x->w->grid;
  sl_touched t = {.name = "shared", .space = SL_SP_SHARED, .param = -1};
  int64_t at = 0;
  const sl_ptx_var *v = shared ? sl__shared_meant(x->w, x->i, sl__shared_offset(addr), &at) : NULL;
  if (v) snprintf(t.name, sizeof t.name, "%s", v->name);
  if (v) t.base = (uint64_t)at, t.size = sl__shared_size(x->w, v, at);
  if (shared) return t;
  const sl_alloc *a = sl__meant(g, x->i, addr);
  const uint64_t far = !a ? UINT64_MAX : addr < a->base ? a->base - addr : addr - a->base;
  return array_in(g, a && far <= a->size + SL_NEAR ? a : NULL, a && addr < a->base ? a->base : addr);
}

// Events ----------------------------------------------------------------------------------------------------

// Room for an event of the block; [plain]: neither strong nor a barrier, and without finding. NULL: not kept.
static sl_event *new_event(sl_meter *m, const sl_block *b, bool plain) {
  sl_recorded *r = m->out;
  const bool brief = sl__meter_block(b)->brief || r->n_events >= SL_PLAIN;
  if (r->n_events >= SL_MAX_EVENTS || (plain && brief)) return r->dropped++, NULL;
  SL_GROW(r->events, r->n_events);
  return &r->events[r->n_events++];
}

// The thread's latest event, among those of the last few warps; NULL: not there.
static sl_event *latest_of(const sl_recorded *r, const sl_event *like) {
  for (size_t k = r->n_events; k-- > 0 && k + 2 * SL_LANES >= r->n_events;)
    if (r->events[k].block == like->block && r->events[k].thread == like->thread) return &r->events[k];
  return NULL;
}

// Does the thread read what it has just read, as one that waits does? Then that event counts it.
static sl_event *read_again(const sl_recorded *r, const sl_event *e) {
  sl_event *o = e->strong && e->kind == SL_EV_READ ? latest_of(r, e) : NULL;
  if (!o || o->kind != SL_EV_READ || o->line != e->line || o->array != e->array || o->offset != e->offset ||
      o->value != e->value || o->found != e->found)
    return NULL;
  return o->again++, o;
}

// Marks the latest read of the place by the thread: what it read is used only now.
static void mark_earlier(sl_meter *m, const sl_story *s) {
  const sl_recorded *r = m->out;
  const uint32_t block = (uint32_t)s->a->w->block->linear, thread = sl__thread_of(s->a->w, s->lane);
  for (size_t k = r->n_events; k-- > 0;) {
    sl_event *e = &r->events[k];
    if (e->kind != SL_EV_READ || e->block != block || e->thread != thread) continue;
    if (r->arrays[e->array].space != s->a->space || r->arrays[e->array].base + e->offset != s->addr) continue;
    e->found = (uint8_t)s->id;
    return;
  }
}

void sl__steps_told(const sl_story *s) {
  sl_meter *m = sl__meter_of(s->a->w->grid);
  if (!m || !(m->record & SL_RECORD_STEPS)) return;
  if (m->at.i == s->a->i && m->at.w == s->a->w) m->told[s->lane] = (uint8_t)s->id;
  else mark_earlier(m, s);
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

// The register of element [k] of the value that a load gives or a store takes; for an atomic, of its result
// or of its first value. NULL: it is no register.
static const sl_operand *element_register(const sl_flowing *at, uint32_t k, bool given) {
  uint32_t op = given ? 0 : sl_ptx_writes_first(at->in) + 1;
  const sl_operand *o = &at->in->ops[op];
  if (o->kind == SL_O_VEC) o = &at->f->elems[o->first + k];
  return (!given || sl_ptx_writes_first(at->in)) && o->kind == SL_O_REG ? o : NULL;
}

// Element [k] of a lane's access. Returns the sources of the value that it gives.
static sl_sources element(sl_meter *m, const sl_executed *x, uint32_t lane, uint32_t k,
                          const sl_event *base) {
  const sl_grid *g = x->w->grid;
  const sl_operand *o = base->kind == SL_EV_READ ? NULL : element_register(&m->at, k, false);
  const sl_sourced *from = o ? sl__marks_at(&m->sources, x->frame, o->reg) : NULL;
  const sl_memop *op = x->i->ext;
  uint64_t addr = x->addr[lane] + k * op->elem_bytes;
  bool shared;
  if (!locate(x, &addr, &shared)) return (sl_sources){0};
  sl_touched t = shared ? shared_array(g, addr) : array_in(g, sl__memory_find(&g->gpu->mem, addr), addr);
  const void *at = shared ? x->w->block->shared + addr : sl__host(&g->gpu->mem, addr);
  if (!t.size) return (sl_sources){0};
  sl_event now = *base;
  now.thread = sl__thread_of(x->w, lane);
  now.array = array_of(m->out, &t);
  now.offset = (uint32_t)(addr - t.base);
  now.found = m->told[lane];
  memcpy(&now.value, at, op->elem_bytes);
  if (from && from->lanes >> lane & 1) {
    now.n_from = (uint8_t)from->of[lane].n;
    memcpy(now.from, from->of[lane].at, sizeof now.from);
  }
  sl_event *e = read_again(m->out, &now);
  if (!e && (e = new_event(m, x->w->block, !now.strong && !now.found))) *e = now;
  return e ? (sl_sources){1, {(uint32_t)(e - m->out->events)}} : (sl_sources){0};
}

// Does the lane leave its array, but not the block's shared memory?
static bool is_in_zone(const sl_executed *x, uint32_t lane) {
  uint64_t addr = x->addr[lane];
  bool shared;
  return locate(x, &addr, &shared) && shared && sl__in_zone(x->w->grid, addr);
}

// A lane's access that lies outside of its array.
static void outside(sl_meter *m, const sl_executed *x, uint32_t lane, const sl_event *base) {
  const sl_memop *op = x->i->ext;
  uint64_t addr = x->addr[lane];
  bool shared = op->space != SL_SP_SHARED && sl__before_shared(addr);
  if (shared) addr -= SL_SHARED_BASE;
  else if (!locate(x, &addr, &shared)) return;
  const sl_touched t = array_missed(x, addr, shared);
  sl_event now = *base;
  now.outside = true, now.strong = false;
  now.found = (uint8_t)sl__fault_of(x->w->grid, addr, op->bytes, shared ? SL_SP_SHARED : SL_SP_GLOBAL);
  now.thread = sl__thread_of(x->w, lane);
  now.array = array_of(m->out, &t);
  const int64_t off = shared ? sl__shared_offset(addr) - (int64_t)t.base : (int64_t)(addr - t.base);
  now.value = (uint64_t)(off < 0 ? -((-off - 1) / op->elem_bytes) - 1 : off / op->elem_bytes);
  sl_event *e = new_event(m, x->w->block, false);
  if (e) *e = now;
}

static uint32_t lanes_outside(const sl_executed *x) {
  uint32_t out = x->w->grid->left_out;
  SL_FOR_LANES(l, x->lanes)
    if (is_in_zone(x, l)) out |= 1u << l;
  return out;
}

static void draw_access(sl_meter *m, const sl_executed *x) {
  const sl_memop *op = x->i->ext;
  sl_event base = {.kind = op->atomic  ? SL_EV_UPDATE
                           : op->write ? SL_EV_WRITE
                                       : SL_EV_READ,
                   .bytes = op->elem_bytes,
                   .type = (uint8_t)sl__type_mod(x->cell->in),
                   .block = (uint32_t)x->w->block->linear,
                   .strong = sl__patch_at(x->w, x->i)->flags & SL_IS_STRONG,
                   .phase = x->phase,
                   .line = line_of_executed(x),
                   .request = m->requests++,
                   .replays = (uint8_t)(x->replays > 255 ? 255 : x->replays)};
  const uint32_t out = lanes_outside(x);
  for (uint32_t left = x->lanes | out; left; left &= left - 1)
    for (uint32_t k = 0; k < (op->atomic ? 1 : op->n); k++) {
      uint32_t l = (uint32_t)__builtin_ctz(left);
      sl_sources s = out >> l & 1 ? (sl_sources){0} : element(m, x, l, k, &base);
      const sl_operand *to = element_register(&m->at, k, true);
      m->given.lanes = s.n ? 1u << l : 0, m->given.of[l] = s;
      if (to) sl__marks_set(&m->sources, x->frame, to->reg, 1u << l, &m->given);
    }
  SL_FOR_LANES(l, out) outside(m, x, l, &base);
}

void sl__steps_before(sl_meter *m, const sl_executed *x) {
  const sl_func *fn = NULL;
  m->at = (sl_flowing){
      .trail = &m->sources, .w = x->w, .i = x->i, .frame = x->frame, .lanes = x->lanes, .out = &m->given};
  m->at.in = sl__insn_of(x->w->grid->m, x->i, &fn), m->at.f = fn->ir;
  m->given = (sl_sourced){0};
  if (!x->cell->access) sl__follow(&m->at);
}

void sl__steps_after(sl_meter *m, const sl_executed *x) {
  if (x->cell->access) draw_access(m, x), memset(m->told, 0, sizeof m->told);
  else if (sl_ptx_flow(m->at.in) != SL_FLOW_DECIDES) sl__follow_put(&m->at);
  sl_event *e = x->opened ? new_event(m, x->w->block, false) : NULL;
  if (e)
    *e = (sl_event){.kind = SL_EV_BARRIER,
                    .block = (uint32_t)x->w->block->linear,
                    .phase = x->phase,
                    .line = line_of_executed(x)};
}
