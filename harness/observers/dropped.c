// Additions that a choice leaves out.
//
// The compiler turns `if (c) x += y` into an addition by all threads and a selection (selp), where a branch
// would have kept some threads from adding. That is no work of the student's: an addition whose result is a
// value that selections leave out, and that nothing reads, counts neither as an addition nor as an operation
// on the data. Once something reads it after all, it counts again. Only registers that a selection chooses
// from can be left out, so other instructions than theirs are passed over.
//
// Interface: sl__dropped_launch, sl__dropped_after, sl__dropped_enter (meter.h); it counts adds_dropped.
#include "observers/meter.h"

// Lanes of a register: its value is a sum that nothing has read yet; or one that a selection left out.
typedef struct sl_sum_lanes {
  uint32_t unread, dropped;
} sl_sum_lanes;

typedef struct sl_sum_flow {
  const sl_executed *x;
  sl_table *sums;
} sl_sum_flow;

// Which instructions ----------------------------------------------------------------------------------------

typedef struct sl_selected {
  sl_table regs; // (function, register) that a selection chooses from
  const sl_func *f;
  bool found;
} sl_selected;

static void look_for(void *ctx, uint32_t reg, bool) {
  sl_selected *s = ctx;
  s->found |= sl__table_find(&s->regs, (uintptr_t)s->f, reg) != NULL;
}

static void take_sides(sl_selected *s, const sl_ptx_insn *in) {
  for (int k = 1; k <= 2; k++)
    if (in->ops[k].kind == SL_O_REG && !sl__table_put(&s->regs, (uintptr_t)s->f, in->ops[k].reg)) abort();
}

void sl__dropped_launch(const sl_grid *g, sl_meter_cell *cells) {
  sl_selected s = {.regs.value_bytes = 1};
  for (uint32_t pc = 0; pc < g->m->n_code; pc++)
    if (cells[pc].in && cells[pc].in->op == SL_OP_selp) {
      sl__insn_of(g->m, &g->code[pc], &s.f);
      take_sides(&s, cells[pc].in);
    }
  for (uint32_t pc = 0; s.regs.n && pc < g->m->n_code; pc++) {
    if (!cells[pc].in) continue;
    s.found = false;
    sl__insn_of(g->m, &g->code[pc], &s.f);
    sl__visit_regs(s.f->ir, cells[pc].in, look_for, &s);
    cells[pc].selected = s.found;
  }
  sl__table_free(&s.regs);
}

// What they do ----------------------------------------------------------------------------------------------

static sl_table *sums_of(const sl_gpu *g) {
  sl_table *sums = &sl__meter_gpu(g)->sums;
  sums->value_bytes = sizeof(sl_sum_lanes);
  return sums;
}

// So many results of [reg] in [lanes] are left out; [back]: are not, after all.
static void count_dropped(const sl_sum_flow *s, uint32_t reg, uint32_t lanes, bool back) {
  sl_counters *c = s->x->w->grid->cnt;
  uint64_t adds = (uint64_t)__builtin_popcount(lanes),
           operations = (uint64_t)__builtin_popcount(lanes & sl__data_lanes(s->x, reg));
  c->adds_dropped += back ? -adds : adds;
  c->data_ops -= back ? -operations : operations;
}

static void read_sum(const sl_sum_flow *s, uint32_t reg, uint32_t lanes) {
  sl_sum_lanes *sum = sl__table_find(s->sums, (uintptr_t)s->x->frame, reg);
  if (!sum) return;
  count_dropped(s, reg, sum->dropped & lanes, true);
  sum->dropped &= ~lanes, sum->unread &= ~lanes;
}

static void leave_out(const sl_sum_flow *s, uint32_t reg, uint32_t lanes) {
  sl_sum_lanes *sum = sl__table_find(s->sums, (uintptr_t)s->x->frame, reg);
  if (!sum || !(lanes &= sum->unread)) return;
  count_dropped(s, reg, lanes, false);
  sum->unread &= ~lanes, sum->dropped |= lanes;
}

static void read_one(void *ctx, uint32_t reg, bool is_def) {
  const sl_sum_flow *s = ctx;
  if (!is_def) read_sum(s, reg, s->x->lanes);
}

// selp d, a, b, p
static void select_sum(const sl_sum_flow *s) {
  const sl_operand *o = s->x->cell->in->ops;
  uint32_t sides[] = {s->x->chosen & s->x->lanes, ~s->x->chosen & s->x->lanes};
  for (int k = 0; k < 2; k++)
    if (o[1 + k].kind == SL_O_REG) read_sum(s, o[1 + k].reg, sides[k]);
  for (int k = 0; k < 2; k++)
    if (o[1 + k].kind == SL_O_REG) leave_out(s, o[1 + k].reg, sides[1 - k]);
}

// A result is written: the one before is gone, left out or not.
static void write_one(void *ctx, uint32_t reg, bool is_def) {
  const sl_sum_flow *s = ctx;
  bool sum = s->x->i->cls == SL_CLS_ADD_FLOAT || s->x->i->cls == SL_CLS_FMA;
  sl_sum_lanes *at = is_def ? sl__table_find(s->sums, (uintptr_t)s->x->frame, reg) : NULL;
  if (is_def && sum && !at) at = sl__table_put(s->sums, (uintptr_t)s->x->frame, reg);
  if (!at) return;
  at->dropped &= ~s->x->lanes;
  at->unread = (at->unread & ~s->x->lanes) | (sum ? s->x->lanes : 0);
}

void sl__dropped_after(const sl_executed *x, const sl_ptx_func *f) {
  sl_sum_flow s = {x, sums_of(x->w->grid->gpu)};
  if (x->cell->in->op == SL_OP_selp) select_sum(&s);
  else sl__visit_regs(f, x->cell->in, read_one, &s);
  sl__visit_regs(f, x->cell->in, write_one, &s);
}

void sl__dropped_enter(const sl_executed *x) {
  const sl_frame *now = sl__split(x->w)->frame;
  for (uint32_t r = 0; r < now->fn->ir->n_regs; r++) {
    sl_sum_lanes *at = sl__table_find(sums_of(x->w->grid->gpu), (uintptr_t)now, r);
    if (at) at->dropped &= ~x->lanes, at->unread &= ~x->lanes;
  }
}
