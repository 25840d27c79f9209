// Which register lives where: for every virtual register the first and last position of the function's text
// at which its value may still be needed. Classic backward data flow over basic blocks, then the hull of the
// live places.
//
// Positions are 2 x instruction for reads and 2 x instruction + 1 for reads that must outlast the writes of
// their own instruction (several destinations). A write under a guard keeps the old value of other lanes, so
// it also reads.
#include <stdlib.h>
#include "sim/core.h"

typedef struct sl_bb {
  uint32_t first, end, succ[2], n_succ;
  uint32_t many_first, n_many;
} sl_bb;

typedef struct sl_live {
  const sl_ptx_func *f;
  const bool *skip;
  sl_bb *bb;
  uint32_t n_bb, words, *bb_of; // bb_of: by instruction (and one for the end)
  uint64_t *use, *def, *in, *out;
  uint64_t *u, *d; // of the block in work
  sl_interval *iv;
  uint32_t pos;
  bool guarded;
} sl_live;

bool sl__has_dest(const sl_ptx_insn *in) {
  switch ((sl_ptx_op)in->op) {
  case SL_OP_st:
  case SL_OP_red:
  case SL_OP_bra:
  case SL_OP_brx:
  case SL_OP_membar:
  case SL_OP_fence:
  case SL_OP_ret:
  case SL_OP_exit:
  case SL_OP_trap:
  case SL_OP_brkpt:
  case SL_OP_call:
  case SL_OP_prefetch:
  case SL_OP_prefetchu:
  case SL_OP_cp:
  case SL_OP_nanosleep:
  case SL_OP_pmevent:
  case SL_OP_discard:
  case SL_OP_applypriority:
  case SL_OP_griddepcontrol:
  case SL_OP_setmaxnreg:
  case SL_OP_stackrestore:
    return false;
  case SL_OP_bar:
  case SL_OP_barrier:
    return sl_ptx_has_mod(in, SL_M_red);
  default:
    return in->n_ops > 0;
  }
}

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
    visit_operand(f, &in->ops[k], k == 0 && sl__has_dest(in), visit, ctx);
  for (uint32_t k = 0; k < in->n_arg; k++) visit_operand(f, &f->elems[in->arg_first + k], false, visit, ctx);
  for (uint32_t k = 0; k < in->n_ret; k++) visit_operand(f, &f->elems[in->ret_first + k], true, visit, ctx);
}

static bool ends_block(const sl_ptx_insn *in) {
  return in->op == SL_OP_bra || in->op == SL_OP_brx || in->op == SL_OP_ret || in->op == SL_OP_exit ||
         in->op == SL_OP_trap;
}

static void mark_leaders(const sl_ptx_func *f, bool *leader) {
  leader[0] = true;
  for (uint32_t k = 0; k < f->n_insns; k++) {
    const sl_ptx_insn *in = &f->insns[k];
    if (ends_block(in)) leader[k + 1] = true;
    if (in->op == SL_OP_bra && in->n_ops) leader[in->ops[0].label] = true;
    for (uint32_t t = 0; in->op == SL_OP_brx && t < in->n_targets; t++)
      leader[f->elems[in->target_first + t].label] = true;
  }
}

static bool build_blocks(sl_live *v) {
  const sl_ptx_func *f = v->f;
  bool *leader = calloc(f->n_insns + 2, 1);
  v->bb = calloc(f->n_insns + 1, sizeof *v->bb);
  v->bb_of = calloc(f->n_insns + 1, sizeof *v->bb_of);
  if (!leader || !v->bb || !v->bb_of) {
    free(leader);
    return false;
  }
  mark_leaders(f, leader);
  for (uint32_t k = 0; k < f->n_insns; k++) {
    if (leader[k]) v->bb[v->n_bb++].first = k;
    v->bb[v->n_bb - 1].end = k + 1;
    v->bb_of[k] = v->n_bb - 1;
  }
  v->bb_of[f->n_insns] = v->n_bb;
  free(leader);
  for (uint32_t b = 0; b < v->n_bb; b++) {
    sl_bb *bb = &v->bb[b];
    const sl_ptx_insn *in = &f->insns[bb->end - 1];
    bool falls = !ends_block(in) || (in->guard != 0);
    if (falls && b + 1 < v->n_bb) bb->succ[bb->n_succ++] = b + 1;
    if (in->op == SL_OP_bra && v->bb_of[in->ops[0].label] < v->n_bb)
      bb->succ[bb->n_succ++] = v->bb_of[in->ops[0].label];
    if (in->op == SL_OP_brx) bb->many_first = in->target_first, bb->n_many = in->n_targets;
  }
  return true;
}

static void see(void *ctx, uint32_t reg, bool is_def) {
  sl_live *v = ctx;
  if (v->skip[reg]) return;
  uint64_t bit = 1ull << (reg & 63);
  if (is_def && !v->guarded)
    v->d[reg / 64] |= bit;
  else if (!(v->d[reg / 64] & bit))
    v->u[reg / 64] |= bit;
}
static void see_uses(void *ctx, uint32_t reg, bool is_def) {
  if (!is_def) see(ctx, reg, false);
}
static void see_defs(void *ctx, uint32_t reg, bool is_def) {
  if (is_def) see(ctx, reg, true);
}

static void local_sets(sl_live *v) {
  for (uint32_t b = 0; b < v->n_bb; b++) {
    v->u = v->use + (size_t)b * v->words, v->d = v->def + (size_t)b * v->words;
    for (uint32_t k = v->bb[b].first; k < v->bb[b].end; k++) {
      v->guarded = v->f->insns[k].guard != 0;
      sl__visit_regs(v->f, &v->f->insns[k], see_uses, v);
      sl__visit_regs(v->f, &v->f->insns[k], see_defs, v);
    }
  }
}

static void join(sl_live *v, uint64_t *out, uint32_t succ) {
  const uint64_t *in = v->in + (size_t)succ * v->words;
  for (uint32_t w = 0; w < v->words; w++) out[w] |= in[w];
}

static bool flow_block(sl_live *v, uint32_t b) {
  const sl_bb *bb = &v->bb[b];
  uint64_t *out = v->out + (size_t)b * v->words, *in = v->in + (size_t)b * v->words, changed = 0;
  const uint64_t *use = v->use + (size_t)b * v->words, *def = v->def + (size_t)b * v->words;
  for (uint32_t s = 0; s < bb->n_succ; s++) join(v, out, bb->succ[s]);
  for (uint32_t s = 0; s < bb->n_many; s++) {
    uint32_t t = v->bb_of[v->f->elems[bb->many_first + s].label];
    if (t < v->n_bb) join(v, out, t);
  }
  for (uint32_t w = 0; w < v->words; w++) {
    uint64_t n = use[w] | (out[w] & ~def[w]);
    changed |= n ^ in[w];
    in[w] = n;
  }
  return changed != 0;
}

static void extend(sl_interval *iv, uint32_t pos) {
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

static void hulls(sl_live *v) {
  for (uint32_t b = 0; b < v->n_bb; b++) {
    const uint64_t *in = v->in + (size_t)b * v->words, *out = v->out + (size_t)b * v->words;
    for (uint32_t r = 0; r < v->f->n_regs; r++) {
      if ((in[r / 64] >> (r & 63)) & 1) extend(&v->iv[r], 2 * v->bb[b].first);
      if ((out[r / 64] >> (r & 63)) & 1) extend(&v->iv[r], 2 * v->bb[b].end);
    }
    for (uint32_t k = v->bb[b].first; k < v->bb[b].end; k++) {
      uint32_t n_def = 0;
      v->pos = 2 * k;
      sl__visit_regs(v->f, &v->f->insns[k], touch, v);
      sl__visit_regs(v->f, &v->f->insns[k], count_def, &n_def);
      v->pos = 2 * k + 1;
      if (n_def > 1) sl__visit_regs(v->f, &v->f->insns[k], touch_use, v);
    }
  }
}

bool sl__liveness(const sl_ptx_func *f, const bool *skip, sl_interval *iv) {
  sl_live v = {.f = f, .skip = skip, .iv = iv, .words = (f->n_regs + 63) / 64};
  for (uint32_t r = 0; r < f->n_regs; r++) iv[r] = (sl_interval){UINT32_MAX, 0};
  bool ok = f->n_insns == 0 || build_blocks(&v);
  size_t n = (size_t)v.n_bb * v.words;
  v.use = calloc(4 * n + 1, sizeof *v.use);
  if (ok && v.use && n) {
    v.def = v.use + n, v.in = v.def + n, v.out = v.in + n;
    local_sets(&v);
    for (bool again = true; again;) {
      again = false;
      for (uint32_t b = v.n_bb; b-- > 0;) again |= flow_block(&v, b);
    }
    hulls(&v);
  }
  ok = ok && v.use;
  free(v.use), free(v.bb), free(v.bb_of);
  return ok;
}
