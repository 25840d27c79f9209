// Where each register lives: the first and the last position of the function's text at which the value of a
// virtual register may still be needed. It is classic backward data flow over basic blocks, then the hull of
// the live places.
//
// Positions are 2 x instruction for reads and 2 x instruction + 1 for reads that must outlast the writes of
// their own instruction (several destinations). A write under a guard keeps the old value of other lanes, so
// it also reads. What is live where the function begins may be read before it is written.
#include "engine/flow.h"

typedef struct sl_live {
  const sl_ptx_func *f;
  const bool *skip;
  sl_flow flow;
  uint32_t words;
  uint64_t *use, *def, *in, *out;
  uint64_t *u, *d; // uses and definitions of the current block
  sl_lifetime *iv;
  uint32_t pos;
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
  if (v->skip[reg]) return;
  uint64_t bit = 1ull << (reg & 63);
  if (is_def && !v->guarded) v->d[reg / 64] |= bit;
  else if (!(v->d[reg / 64] & bit)) v->u[reg / 64] |= bit;
}
static void see_uses(void *ctx, uint32_t reg, bool is_def) {
  if (!is_def) see(ctx, reg, false);
}
static void see_defs(void *ctx, uint32_t reg, bool is_def) {
  if (is_def) see(ctx, reg, true);
}

static void local_sets(sl_live *v) {
  for (uint32_t b = 0; b < v->flow.n_bb; b++) {
    v->u = v->use + (size_t)b * v->words, v->d = v->def + (size_t)b * v->words;
    for (uint32_t k = v->flow.bb[b].first; k < v->flow.bb[b].end; k++) {
      v->guarded = v->f->insns[k].guard != 0;
      sl__visit_regs(v->f, &v->f->insns[k], see_uses, v);
      sl__visit_regs(v->f, &v->f->insns[k], see_defs, v);
    }
  }
}

static void join_live(sl_live *v, uint64_t *out, uint32_t succ) {
  const uint64_t *in = v->in + (size_t)succ * v->words;
  for (uint32_t w = 0; w < v->words; w++) out[w] |= in[w];
}

static bool flow_block(sl_live *v, uint32_t b) {
  uint64_t *out = v->out + (size_t)b * v->words, *in = v->in + (size_t)b * v->words, changed = 0;
  const uint64_t *use = v->use + (size_t)b * v->words, *def = v->def + (size_t)b * v->words;
  for (uint32_t s = 0; s < sl__flow_count(&v->flow, b); s++) {
    uint32_t t = sl__flow_succ(&v->flow, b, s);
    if (t < v->flow.n_bb) join_live(v, out, t);
  }
  for (uint32_t w = 0; w < v->words; w++) {
    uint64_t n = use[w] | (out[w] & ~def[w]);
    changed |= n ^ in[w];
    in[w] = n;
  }
  return changed != 0;
}

static void extend(sl_lifetime *iv, uint32_t pos) {
  if (pos < iv->start) iv->start = pos;
  if (pos > iv->end) iv->end = pos;
}

static void touch(void *ctx, uint32_t reg, bool is_def) {
  sl_live *v = ctx;
  (void)is_def;
  if (!v->skip[reg]) extend(&v->iv[reg], v->pos);
}
static void touch_use(void *ctx, uint32_t reg, bool is_def) {
  if (!is_def) touch(ctx, reg, is_def);
}
static void count_def(void *ctx, uint32_t reg, bool is_def) {
  (void)reg;
  *(uint32_t *)ctx += is_def;
}

// Extends the registers of a set to [pos]. Most sets of a large function are nearly empty.
static void extend_all(sl_live *v, const uint64_t *set, uint32_t pos) {
  for (uint32_t w = 0; w < v->words; w++)
    for (uint64_t left = set[w]; left; left &= left - 1)
      extend(&v->iv[64 * w + (uint32_t)__builtin_ctzll(left)], pos);
}

static void hulls(sl_live *v) {
  for (uint32_t r = 0; r < v->f->n_regs; r++) v->iv[r].unset = (v->in[r / 64] >> (r & 63)) & 1;
  for (uint32_t b = 0; b < v->flow.n_bb; b++) {
    extend_all(v, v->in + (size_t)b * v->words, 2 * v->flow.bb[b].first);
    extend_all(v, v->out + (size_t)b * v->words, 2 * v->flow.bb[b].end);
    for (uint32_t k = v->flow.bb[b].first; k < v->flow.bb[b].end; k++) {
      uint32_t n_def = 0;
      v->pos = 2 * k;
      sl__visit_regs(v->f, &v->f->insns[k], touch, v);
      sl__visit_regs(v->f, &v->f->insns[k], count_def, &n_def);
      v->pos = 2 * k + 1;
      if (n_def > 1) sl__visit_regs(v->f, &v->f->insns[k], touch_use, v);
    }
  }
}

bool sl__liveness(const sl_ptx_func *f, const bool *skip, sl_lifetime *iv) {
  sl_live v = {.f = f, .skip = skip, .iv = iv, .words = (f->n_regs + 63) / 64};
  for (uint32_t r = 0; r < f->n_regs; r++) iv[r] = (sl_lifetime){.start = UINT32_MAX};
  bool ok = sl__flow_make(&v.flow, f);
  size_t n = (size_t)v.flow.n_bb * v.words;
  v.use = calloc(4 * n + 1, sizeof *v.use);
  if (ok && v.use && n) {
    v.def = v.use + n, v.in = v.def + n, v.out = v.in + n;
    local_sets(&v);
    for (bool again = true; again;) {
      again = false;
      for (uint32_t b = v.flow.n_bb; b-- > 0;) again |= flow_block(&v, b);
    }
    hulls(&v);
  }
  ok = ok && v.use;
  free(v.use);
  sl__flow_free(&v.flow);
  return ok;
}
