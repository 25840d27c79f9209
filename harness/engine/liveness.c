// Where each register lives: the first and the last position of the function's text at which its value may
// still be needed. It is classic backward data flow over basic blocks, then the hull of the live places.
//
// Positions are 2 x instruction for reads and 2 x instruction + 1 for reads that must outlast the writes of
// their own instruction (several destinations). A write under a guard keeps the old value of other lanes, so
// it also reads. What is live where the function begins may be read before it is written.
#include "engine/flow.h"

// A block reads a register before it writes it, or writes it.
typedef struct sl_mention {
  uint32_t reg, block;
  bool is_def;
} sl_mention;

// Of one block, for the 64 registers that are looked at. Such a column is small for any function; all
// registers at once would take blocks x registers bits.
typedef struct sl_column {
  uint64_t use, def, in, out;
} sl_column;

typedef struct sl_live {
  const sl_ptx_func *f;
  const bool *skip;
  sl_flow flow;
  uint32_t words;
  sl_mention *mentions; // by words of registers: those of word w begin at [first[w]]
  uint32_t *first;
  uint32_t *used, *defined;                    // by register: the last block, + 1, that does so
  sl_column *column;                           // by block
  uint32_t *touched, n_touched, *todo, n_todo; // blocks: with bits in their column; to go on from
  bool *waits;                                 // by block: it is in [todo]
  sl_lifetime *iv;
  uint32_t pos, block;
  bool guarded;
} sl_live;

static void visit_operand(const sl_ptx_func *f, const sl_operand *o, bool is_def, sl_reg_visit visit,
                          void *ctx) {
  if (o->kind == SL_O_REG) visit(ctx, o->reg, is_def);
  if (o->kind == SL_O_MEM && o->base_kind == SL_O_REG) visit(ctx, o->reg, false);
  if (o->kind == SL_O_VEC)
    for (uint32_t k = 0; k < o->n_elems; k++) visit_operand(f, &f->elems[o->first + k], is_def, visit, ctx);
  if (o->pair && o->pair != UINT32_MAX) visit(ctx, o->pair - 1, is_def);
}

void sl__visit_regs(const sl_ptx_func *f, const sl_ptx_insn *in, sl_reg_visit visit, void *ctx) {
  if (in->guard) visit(ctx, in->guard - 1, false);
  for (uint32_t k = 0; k < in->n_ops; k++)
    visit_operand(f, &in->ops[k], k == 0 && sl_ptx_writes_first(in), visit, ctx);
  for (uint32_t k = 0; k < in->n_arg; k++) visit_operand(f, &f->elems[in->arg_first + k], false, visit, ctx);
  for (uint32_t k = 0; k < in->n_ret; k++) visit_operand(f, &f->elems[in->ret_first + k], true, visit, ctx);
}

typedef struct sl_reader {
  uint32_t reg;
  bool found;
} sl_reader;

static void look_for(void *ctx, uint32_t reg, bool is_def) {
  sl_reader *r = ctx;
  r->found |= reg == r->reg && !is_def;
}

bool sl__reads(const sl_ptx_func *f, const sl_ptx_insn *in, uint32_t reg) {
  sl_reader r = {.reg = reg};
  sl__visit_regs(f, in, look_for, &r);
  return r.found;
}

bool sl__is_read(const sl_ptx_func *f, const sl_operand *o) {
  if (o->kind != SL_O_REG) return o->kind != SL_O_SINK;
  bool found = false;
  for (uint32_t k = 0; k < f->n_insns && !found; k++) found = sl__reads(f, &f->insns[k], o->reg);
  return found;
}

static void see(void *ctx, uint32_t reg, bool is_def) {
  sl_live *v = ctx;
  is_def &= !v->guarded;
  uint32_t *seen = is_def ? v->defined : v->used, w = reg / 64;
  if (v->skip[reg] || seen[reg] == v->block + 1 || v->defined[reg] == v->block + 1) return;
  seen[reg] = v->block + 1;
  if (v->mentions) v->mentions[v->first[w + 1]++] = (sl_mention){reg, v->block, is_def};
  else v->first[w + 2]++;
}
static void see_uses(void *ctx, uint32_t reg, bool is_def) {
  if (!is_def) see(ctx, reg, false);
}
static void see_defs(void *ctx, uint32_t reg, bool is_def) {
  if (is_def) see(ctx, reg, true);
}

static void see_all(sl_live *v) {
  memset(v->used, 0, v->f->n_regs * sizeof *v->used);
  memset(v->defined, 0, v->f->n_regs * sizeof *v->defined);
  for (v->block = 0; v->block < v->flow.n_bb; v->block++)
    for (uint32_t k = v->flow.bb[v->block].first; k < v->flow.bb[v->block].end; k++) {
      v->guarded = v->f->insns[k].guard != 0;
      sl__visit_regs(v->f, &v->f->insns[k], see_uses, v);
      sl__visit_regs(v->f, &v->f->insns[k], see_defs, v);
    }
}

// Counts, then collects.
static bool collect(sl_live *v) {
  see_all(v);
  for (uint32_t w = 0; w < v->words; w++) v->first[w + 2] += v->first[w + 1];
  v->mentions = malloc((v->first[v->words + 1] + 1) * sizeof *v->mentions);
  if (v->mentions) see_all(v);
  return v->mentions;
}

static sl_column *column_of(sl_live *v, uint32_t b) {
  sl_column *c = &v->column[b];
  if (!(c->use | c->def | c->out)) v->touched[v->n_touched++] = b;
  return c;
}

// What is live where [b] begins has changed.
static void go_on_from(sl_live *v, uint32_t b) {
  if (!v->waits[b]) v->todo[v->n_todo++] = b;
  v->waits[b] = true;
}

static void flow_into(sl_live *v, uint32_t b, uint64_t live) {
  sl_column *c = column_of(v, b);
  c->out |= live;
  const uint64_t in = c->use | (c->out & ~c->def);
  if (in != c->in) go_on_from(v, b);
  c->in = in;
}

static void flow_column(sl_live *v, uint32_t w) {
  for (uint32_t k = v->first[w]; k < v->first[w + 1]; k++) {
    const sl_mention *s = &v->mentions[k];
    sl_column *c = column_of(v, s->block);
    *(s->is_def ? &c->def : &c->use) |= 1ull << (s->reg & 63);
  }
  // The last block in the text is taken first: what it adds goes on together with what earlier ones need.
  for (uint32_t k = 0; k < v->n_touched; k++) flow_into(v, v->touched[k], 0);
  while (v->n_todo) {
    const uint32_t b = v->todo[--v->n_todo];
    v->waits[b] = false;
    for (uint32_t k = v->flow.pred_first[b]; k < v->flow.pred_first[b + 1]; k++)
      flow_into(v, v->flow.pred[k], v->column[b].in);
  }
}

static void extend(sl_lifetime *iv, uint32_t pos) {
  if (pos < iv->start) iv->start = pos;
  if (pos > iv->end) iv->end = pos;
}

static void touch(void *ctx, uint32_t reg, bool) {
  sl_live *v = ctx;
  if (!v->skip[reg]) extend(&v->iv[reg], v->pos);
}
static void touch_use(void *ctx, uint32_t reg, bool is_def) {
  if (!is_def) touch(ctx, reg, is_def);
}
static void count_def(void *ctx, uint32_t, bool is_def) { *(uint32_t *)ctx += is_def; }

static void extend_all(sl_live *v, uint32_t w, uint64_t set, uint32_t pos) {
  for (; set; set &= set - 1) extend(&v->iv[64 * w + (uint32_t)__builtin_ctzll(set)], pos);
}

static void use_column(sl_live *v, uint32_t w) {
  for (uint64_t in = v->column[0].in; in; in &= in - 1)
    v->iv[64 * w + (uint32_t)__builtin_ctzll(in)].unset = true;
  while (v->n_touched) {
    const uint32_t b = v->touched[--v->n_touched];
    extend_all(v, w, v->column[b].in, 2 * v->flow.bb[b].first);
    extend_all(v, w, v->column[b].out, 2 * v->flow.bb[b].end);
    v->column[b] = (sl_column){0};
  }
}

// What instructions read and write themselves.
static void touch_all(sl_live *v) {
  for (uint32_t k = 0; k < v->f->n_insns; k++) {
    uint32_t n_def = 0;
    v->pos = 2 * k;
    sl__visit_regs(v->f, &v->f->insns[k], touch, v);
    sl__visit_regs(v->f, &v->f->insns[k], count_def, &n_def);
    v->pos = 2 * k + 1;
    if (n_def > 1) sl__visit_regs(v->f, &v->f->insns[k], touch_use, v);
  }
}

static bool make(sl_live *v, sl_error *e) {
  const size_t n = v->flow.n_bb;
  v->first = calloc(v->words + 2, sizeof *v->first);
  v->used = malloc((2 * (size_t)v->f->n_regs + 1) * sizeof *v->used);
  v->column = calloc(n + 1, sizeof *v->column);
  v->touched = malloc((2 * n + 1) * sizeof *v->touched);
  v->waits = calloc(n + 1, sizeof *v->waits);
  if (v->used) v->defined = v->used + v->f->n_regs;
  if (v->touched) v->todo = v->touched + n;
  return (v->first && v->used && v->column && v->touched && v->waits && collect(v)) ||
         sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for the registers of %s", v->f->name);
}

bool sl__liveness(const sl_ptx_func *f, const bool *skip, sl_lifetime *iv, sl_error *e) {
  sl_live v = {.f = f, .skip = skip, .iv = iv, .words = (f->n_regs + 63) / 64};
  for (uint32_t r = 0; r < f->n_regs; r++) iv[r] = (sl_lifetime){.start = UINT32_MAX};
  bool ok = sl__flow_make(&v.flow, f, e) && sl__flow_preds(&v.flow, e) && make(&v, e);
  for (uint32_t w = 0; ok && w < v.words; w++) flow_column(&v, w), use_column(&v, w);
  if (ok) touch_all(&v);
  free(v.first), free(v.used), free(v.column), free(v.touched), free(v.waits), free(v.mentions);
  sl__flow_free(&v.flow);
  return ok;
}
