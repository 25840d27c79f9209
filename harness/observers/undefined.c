// Values that nobody has written, on their way through registers. memory.uninit reports such a value when it
// decides something: a branch, an address, what an atomic does, what is stored to global memory, or a
// computed result that is stored, even to shared memory. Reading it alone is no mistake.
//
// A load of unwritten bytes marks these bytes of its destination as undefined, in the lanes that read them,
// and remembers where. From then on every instruction of the module carries marks from its sources to its
// destinations (sl__see_flow); before that, this costs nothing. Moves, shifts, masks, fields and conversions
// carry marks bit by bit (undefined_bits.c), other instructions make their whole result undefined. A defined
// value that settles the result alone removes the mark: the choice of selp, false in an and, true in an or,
// defined bytes that differ in a comparison. So these programs are right: one that reads one element too far
// and then discards it, as merging and searching often do; one that loads a whole struct but has filled only
// some of its fields. Shuffles carry the mark of the lane that they read; votes, matches and reductions take
// each lane's own. undefined_memory.c has memory and the parameters of calls.
#include "observers/undefined.h"

const sl_undef *sl__mark_of(const sl_warp *w, const sl_frame *frame, uint32_t reg) {
  const sl_undef *u = sl__table_find(&sl__seen_block(w->block)->undef, (uintptr_t)frame, reg);
  return u && u->lanes ? u : NULL;
}

void sl__mark_set(sl_warp *w, const sl_frame *frame, uint32_t reg, const sl_undef *to) {
  sl_seen_block *s = sl__seen_block(w->block);
  sl_undef *u = sl__table_find(&s->undef, (uintptr_t)frame, reg);
  if (!u && !(to->lanes & w->mask)) return;
  if (!u && !(u = sl__table_put(&s->undef, (uintptr_t)frame, reg))) return;
  bool before = u->lanes;
  u->lanes = (u->lanes & ~w->mask) | (to->lanes & w->mask);
  u->computed = ((u->computed & ~w->mask) | (to->computed & w->mask)) & u->lanes;
  for (uint32_t m = to->lanes & w->mask; m; m &= m - 1)
    u->bytes[__builtin_ctz(m)] = to->bytes[__builtin_ctz(m)];
  if (to->lanes & w->mask) u->from = to->from;
  s->n_undef += (u->lanes != 0) - before;
}

void sl__mark_note(sl_flowing *x, const sl_undef *u) {
  x->out.computed |= u->computed;
  if (u->lanes & x->w->mask || !x->out.from.space) x->out.from = u->from;
}

const sl_ptx_insn *sl__undef_insn(const sl_warp *w, uint32_t pc, const sl_ptx_func **f) {
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = sl__insn_of(w->grid->m, &w->grid->code[pc], &fn);
  *f = fn->ir;
  return in;
}

static const sl_undef *mark_undefined(sl_flowing *x, uint32_t reg) {
  const sl_undef *u = sl__mark_of(x->w, sl__split(x->w)->frame, reg);
  if (u) sl__mark_note(x, u);
  return u;
}

static const sl_undef *operand(sl_flowing *x, const sl_operand *o) {
  return o->kind == SL_O_REG ? mark_undefined(x, o->reg) : NULL;
}

static uint32_t lanes_of(sl_flowing *x, const sl_operand *o) {
  const sl_undef *u = operand(x, o);
  return u ? u->lanes : 0;
}

// The lanes whose destinations are undefined as a whole.
static void whole_result(sl_flowing *x, uint32_t lanes) {
  x->out.lanes = lanes;
  for (uint32_t m = lanes; m; m &= m - 1) x->out.bytes[__builtin_ctz(m)] = SL_UNDEF_ALL;
}

// Visiting the registers of an instruction ------------------------------------------------------------------

static void add_use(void *ctx, uint32_t reg, bool is_def) {
  sl_flowing *x = ctx;
  const sl_undef *u = is_def ? NULL : mark_undefined(x, reg);
  if (u) whole_result(x, x->out.lanes | u->lanes);
}

static void put_def(void *ctx, uint32_t reg, bool is_def) {
  sl_flowing *x = ctx;
  if (is_def) sl__mark_set(x->w, sl__split(x->w)->frame, reg, &x->out);
}

// Bit by bit ------------------------------------------------------------------------------------------------

static unsigned register_bits(const sl_flowing *x, const sl_operand *o) {
  return o->kind == SL_O_REG ? sl_ptx_type_bits((sl_ptx_mod)x->f->regs[o->reg].type) : 0;
}

// The first type is the destination's, the last one the sources'.
static void widths(const sl_ptx_insn *in, sl_bits *b) {
  bool wide = sl_ptx_has_mod(in, SL_M_wide);
  b->bits = 0;
  for (uint32_t k = 0; k < in->n_mods; k++) {
    sl_ptx_mod m = (sl_ptx_mod)in->mods[k];
    unsigned bits = sl_ptx_type_bits(m);
    if (!bits) continue;
    if (!b->bits) b->bits = bits;
    b->from_bits = bits, b->is_signed = m >= SL_M_s8 && m <= SL_M_s64;
  }
  if (wide) b->bits = 2 * b->from_bits;
}

static uint64_t operand_value(const sl_flowing *x, uint32_t k, unsigned bits, uint32_t l) {
  const sl_operand *o = &x->in->ops[k + 1];
  unsigned own = register_bits(x, o);
  if (o->kind == SL_O_IMM) return (uint64_t)o->imm;
  return (own ? own : bits) == 64 ? sl__u64(x->w, x->i->s[k])[l] : sl__u32(x->w, x->i->s[k])[l];
}

static uint64_t mask_of(unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

static void gather(const sl_flowing *x, const sl_undef *const *u, uint32_t n, uint32_t l, sl_bits *b) {
  for (uint32_t k = 0; k < n; k++) {
    unsigned bits = k == 2 && b->bits > b->from_bits ? b->bits : b->from_bits; // mad.wide
    b->u[k] = u[k] && u[k]->lanes >> l & 1 ? sl__bits_wide(u[k]->bytes[l]) & mask_of(bits) : 0;
    b->v[k] = operand_value(x, k, b->from_bits, l);
  }
}

static uint32_t sources(sl_flowing *x, const sl_undef **u, uint32_t *any) {
  uint32_t n = x->in->n_ops - 1u < SL_UNDEF_SOURCES ? x->in->n_ops - 1u : SL_UNDEF_SOURCES;
  *any = 0;
  for (uint32_t k = 0; k < n; k++)
    if ((u[k] = operand(x, &x->in->ops[k + 1]))) *any |= u[k]->lanes;
  return n;
}

static void by_bits(sl_flowing *x, sl_bits_fn fn) {
  const sl_undef *u[SL_UNDEF_SOURCES];
  sl_bits b = {0};
  uint32_t any, n = sources(x, u, &any);
  widths(x->in, &b);
  for (uint32_t m = any & x->w->mask; m; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    gather(x, u, n, l, &b);
    x->out.bytes[l] = sl__bits_narrow(fn(&b) & mask_of(b.bits));
    if (x->out.bytes[l]) x->out.lanes |= 1u << l;
  }
}

// The comparison, if it is one of integers; else SL_M_NONE.
static sl_ptx_mod comparison(const sl_ptx_insn *in) {
  sl_ptx_mod type = sl__type_mod(in);
  bool integer = (type >= SL_M_s8 && type <= SL_M_s64) || (type >= SL_M_u8 && type <= SL_M_u64) ||
                 (type >= SL_M_b8 && type <= SL_M_b64);
  return integer ? (sl_ptx_mod)in->mods[0] : SL_M_NONE;
}

// setp of integers: the defined bits may settle it.
static void flow_compare(sl_flowing *x) {
  const sl_undef *u[SL_UNDEF_SOURCES];
  sl_bits b = {0};
  uint32_t any, n = sources(x, u, &any), lanes = 0;
  widths(x->in, &b);
  for (uint32_t m = any & x->w->mask; m; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    gather(x, u, n, l, &b);
    if ((b.u[0] | b.u[1]) && !sl__bits_settled(&b, comparison(x->in))) lanes |= 1u << l;
  }
  whole_result(x, lanes);
}

static void copy_lane(sl_undef *to, const sl_undef *from, uint32_t l) {
  if (!from || !(from->lanes >> l & 1) || !from->bytes[l]) return;
  to->bytes[l] = from->bytes[l], to->lanes |= 1u << l;
}

static void flow_selp(sl_flowing *x) {
  uint32_t p = sl__pred_src(x->w, x->i, 2), c;
  const sl_undef *a = operand(x, &x->in->ops[1]), *b = operand(x, &x->in->ops[2]);
  for (uint32_t l = 0; l < SL_LANES; l++) copy_lane(&x->out, p >> l & 1 ? a : b, l);
  if ((c = lanes_of(x, &x->in->ops[3]))) whole_result(x, c | x->out.lanes);
}

// and, or of predicates
static void flow_predicates(sl_flowing *x) {
  uint32_t a = lanes_of(x, &x->in->ops[1]), b = lanes_of(x, &x->in->ops[2]),
           settles = x->in->op == SL_OP_or ? SL_FULL : 0;
  uint32_t p = ~(sl__pred_src(x->w, x->i, 0) ^ settles), q = ~(sl__pred_src(x->w, x->i, 1) ^ settles);
  whole_result(x, (a | b) & ~((p & ~a) | (q & ~b)));
}

// mov d, {a, b} puts values together.
static void flow_pack(sl_flowing *x) {
  const sl_operand *v = &x->in->ops[1];
  unsigned bytes = sl_ptx_type_bits(sl__type_mod(x->in)) / 8 / v->n_elems;
  for (uint32_t k = 0; k < v->n_elems; k++) {
    const sl_undef *u = operand(x, &x->f->elems[v->first + k]);
    for (uint32_t m = u ? u->lanes & x->w->mask : 0; m; m &= m - 1) {
      uint32_t l = (uint32_t)__builtin_ctz(m), part = u->bytes[l] & ((1u << bytes) - 1);
      x->out.bytes[l] |= (uint8_t)(part << k * bytes);
      if (part) x->out.lanes |= 1u << l;
    }
  }
}

// mov {a, b}, s takes one apart: after the instruction.
static void put_parts(sl_flowing *x) {
  const sl_operand *v = &x->in->ops[0];
  unsigned bytes = sl_ptx_type_bits(sl__type_mod(x->in)) / 8 / v->n_elems;
  sl_undef all = x->out;
  for (uint32_t k = 0; k < v->n_elems; k++) {
    const sl_operand *o = &x->f->elems[v->first + k];
    sl_undef part = {.computed = all.computed, .from = all.from};
    for (uint32_t m = all.lanes; m; m &= m - 1) {
      uint32_t l = (uint32_t)__builtin_ctz(m);
      part.bytes[l] = (uint8_t)(all.bytes[l] >> k * bytes & ((1u << bytes) - 1));
      if (part.bytes[l]) part.lanes |= 1u << l;
    }
    if (o->kind == SL_O_REG) sl__mark_set(x->w, sl__split(x->w)->frame, o->reg, &part);
  }
}

static bool takes_apart(const sl_ptx_insn *in) {
  return in->op == SL_OP_mov && in->ops[0].kind == SL_O_VEC && !sl_ptx_has_mod(in, SL_M_b128);
}

// Lanes that read a lane which takes no part.
static void absent_sources(sl_flowing *x) {
  sl_origin from;
  uint32_t lanes = sl__seen_grid(x->w->grid)->checks & SL_CHECK_BARRIER_MASK
                       ? sl__absent_lanes(x->w, x->i, sl__u32(x->w, x->i->s[3]), &from)
                       : 0;
  for (uint32_t m = lanes; m; m &= m - 1) x->out.bytes[__builtin_ctz(m)] = SL_UNDEF_ALL;
  if (lanes) x->out.lanes |= lanes, x->out.from = from;
}

// Runs the shuffle on the marks instead of the values. It changes nothing but its destinations.
static sl_step flow_shfl(sl_flowing *x) {
  sl_warp *w = x->w;
  const sl_xinsn *i = x->i;
  const sl_undef *u = operand(x, &x->in->ops[1]);
  uint32_t old[3][SL_LANES], *src = sl__u32(w, i->s[0]), pred = 0;
  bool d = i->d != SL_NO_SLOT, d2 = i->d2 != SL_NO_SLOT;
  if (!d) return SL_STEP;
  if (!u) return absent_sources(x), SL_STEP;
  memcpy(old[0], src, sizeof old[0]), memcpy(old[1], sl__u32(w, i->d), sizeof old[1]);
  if (d2) pred = sl__pred(w, i->d2);
  for (uint32_t l = 0; l < SL_LANES; l++) src[l] = u->lanes >> l & 1 ? u->bytes[l] : 0;
  sl_step st = sl__patch_at(w, i)->own(w, i);
  memcpy(old[2], sl__u32(w, i->d), sizeof old[2]);
  memcpy(sl__u32(w, i->d), old[1], sizeof old[1]), memcpy(src, old[0], sizeof old[0]);
  if (d2) *sl__u32(w, i->d2) = pred;
  for (uint32_t l = 0; st == SL_STEP && l < SL_LANES; l++)
    if (w->mask >> l & 1 && (x->out.bytes[l] = (uint8_t)old[2][l])) x->out.lanes |= 1u << l;
  x->out.computed = x->out.computed ? x->out.lanes : 0;
  absent_sources(x);
  return st;
}

// Instructions ----------------------------------------------------------------------------------------------

static void decided(sl_flowing *x, uint32_t lanes, const char *use) {
  if (lanes & x->w->mask) sl__undef_use(x->w, &x->out.from, use, sl__pc(x->w, x->i));
}

static void flow_address(sl_flowing *x) {
  for (uint32_t k = 0; k < x->in->n_ops; k++) {
    const sl_operand *o = &x->in->ops[k];
    const sl_undef *u = o->kind == SL_O_MEM && o->base_kind == SL_O_REG ? mark_undefined(x, o->reg) : NULL;
    if (u) x->base |= u->lanes;
  }
  decided(x, x->base, SL_USED_AS_ADDRESS);
}

// The compiler makes an atomic on part of a word from one on the whole word: the rest may be undefined.
static void flow_atomic(sl_flowing *x) {
  uint32_t lanes = 0;
  unsigned bits = sl_ptx_type_bits(sl__type_mod(x->in));
  for (uint32_t k = 0; k < x->in->n_ops; k++) {
    const sl_undef *u = k || !sl_ptx_writes_first(x->in) ? operand(x, &x->in->ops[k]) : NULL;
    for (uint32_t m = u ? u->lanes : 0; m; m &= m - 1) {
      uint32_t l = (uint32_t)__builtin_ctz(m), all = (1u << (bits ? bits : 32) / 8) - 1;
      if ((u->bytes[l] & all) == (all & 0xff)) lanes |= 1u << l;
    }
  }
  decided(x, lanes & ~x->base, "takes part in an atomic operation");
}

static void flow_registers(sl_flowing *x) {
  const sl_ptx_insn *in = x->in;
  sl_bits_fn fn = in->ops[0].kind == SL_O_REG || takes_apart(in) ? sl__bits_of(in) : NULL;
  bool predicates = sl_ptx_has_mod(in, SL_M_pred);
  if (in->op == SL_OP_selp) flow_selp(x);
  else if (predicates && (in->op == SL_OP_and || in->op == SL_OP_or)) flow_predicates(x);
  else if (in->op == SL_OP_setp && in->n_ops == 3 && comparison(in)) flow_compare(x);
  else if (in->op == SL_OP_mov && in->ops[1].kind == SL_O_VEC) flow_pack(x);
  else if (fn && !predicates) by_bits(x, fn);
  else sl__visit_regs(x->f, in, add_use, x);
  if (sl_ptx_flow(in) == SL_FLOW_COMPUTES) x->out.computed |= x->out.lanes;
}

// What is done before the instruction runs.
static sl_step flow(sl_flowing *x) {
  const sl_ptx_insn *in = x->in;
  sl_value_flow kind = sl_ptx_flow(in);
  bool updates = sl_ptx_action(in) == SL_ACT_UPDATE, call = sl_ptx_does(in, SL_DOES_CALL);
  if (kind == SL_FLOW_MEMORY) flow_address(x);
  if (updates) flow_atomic(x);
  else if (kind == SL_FLOW_MEMORY) {
    if (sl__space_mod(in) == SL_SP_PARAM) sl__undef_param(x);
    return SL_STEP; // loads: sl__undef_load
  }
  if (kind == SL_FLOW_EXCHANGES) return flow_shfl(x);
  if (!updates && !call) flow_registers(x);
  if (kind == SL_FLOW_DECIDES) decided(x, call ? 0 : x->out.lanes, "decides a branch"), x->out.lanes = 0;
  if (in->guard) {
    sl_operand g = {.kind = SL_O_REG, .reg = in->guard - 1};
    uint32_t lanes = lanes_of(x, &g);
    if (call) decided(x, lanes, "decides a branch");
    if (lanes) whole_result(x, x->out.lanes | lanes);
  }
  return SL_STEP;
}

// Called when a function is entered: its frame reuses the place of one that has returned, and starts without
// marks.
static void forget_registers(sl_warp *w) {
  const sl_undef none = {0};
  const sl_frame *f = sl__split(w)->frame;
  for (uint32_t r = 0; r < f->fn->ir->n_regs; r++) sl__mark_set(w, f, r, &none);
}

sl_step sl__see_flow(sl_warp *w, const sl_xinsn *i, sl_op_fn rest) {
  if (!sl__seen_block(w->block)->n_undef) return rest(w, i);
  sl_flowing x = {.w = w, .i = i};
  x.in = sl__undef_insn(w, sl__pc(w, i), &x.f);
  sl_step st = flow(&x);
  if (st != SL_STEP) return st;
  const sl_patch *p = sl__patch_at(w, i);
  bool load = p->kind == SL_SEE_LOAD || p->flags & SL_IS_EXCHANGE,
       param = sl_ptx_action(x.in) == SL_ACT_LOAD && sl__space_mod(x.in) == SL_SP_PARAM;
  if (load) x.out.lanes = 0, sl__visit_regs(x.f, x.in, put_def, &x); // its marks are made while it runs
  sl_frame *frame = sl__split(w)->frame;
  uint32_t mask = w->mask;
  st = rest(w, i);
  if (sl_ptx_does(x.in, SL_DOES_CALL) && sl__split(w)->frame != frame) forget_registers(w);
  if (load || param || st != SL_STEP || sl__split(w)->frame != frame || w->mask != mask) return st;
  if (takes_apart(x.in)) put_parts(&x);
  else sl__visit_regs(x.f, x.in, put_def, &x);
  return st;
}
