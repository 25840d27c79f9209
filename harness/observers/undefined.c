// Values that nobody has written, on their way through registers. memory.uninit reports such a value when it
// decides something: a branch, an address, what an atomic does, what is stored to global memory, or a
// computed result that is stored, even to shared memory. Reading it alone is no mistake.
//
// A load of unwritten bytes marks these bytes of its destination as undefined, in the lanes that read them,
// and remembers where. From then on every instruction of the module carries marks from its sources to its
// destinations (sl__see_flow, by the walk of follow.c); before that, this costs nothing. Moves, shifts,
// masks, fields and conversions carry marks bit by bit (undefined_bits.c), other instructions make their
// whole result undefined. A defined value that settles the result alone removes the mark: the choice of selp,
// false in an and, true in an or, defined bytes that differ in a comparison. So these programs are right: one
// that reads one element too far and then discards it, as merging and searching often do; one that loads a
// whole struct but has filled only some of its fields. Shuffles carry the mark of the lane that they read;
// votes, matches and reductions take each lane's own. undefined_memory.c has memory and calls.
#include "observers/undefined.h"

// Marks -----------------------------------------------------------------------------------------------------

static sl_undef *out_of(sl_flowing *x) { return x->out; }

static void note(sl_flowing *x, const void *marks) { sl__undef_note(x->out, marks, x->lanes); }

void sl__undef_note(sl_undef *out, const sl_undef *u, uint32_t lanes) {
  out->computed |= u->computed;
  if (u->lanes & lanes || !out->from.space) out->from = u->from;
}

// Adds lanes whose destinations are undefined as a whole.
static void add_whole(sl_flowing *x, uint32_t lanes) {
  out_of(x)->lanes |= lanes;
  SL_FOR_LANES(l, lanes) out_of(x)->bytes[l] = SL_UNDEF_ALL;
}

// The compiler makes an atomic on part of a word from one on the whole word: the rest may be undefined.
static uint32_t all_undefined(const sl_flowing *x, const sl_undef *u) {
  unsigned bits = sl_ptx_type_bits(sl__type_mod(x->in));
  uint32_t lanes = 0, all = (1u << (bits ? bits : 32) / 8) - 1;
  SL_FOR_LANES(l, u->lanes)
    if ((u->bytes[l] & all) == (all & 0xff)) lanes |= 1u << l;
  return lanes;
}

static uint32_t merge(sl_flowing *x, const void *marks) {
  const sl_undef *u = marks;
  uint32_t lanes = sl_ptx_action(x->in) == SL_ACT_UPDATE ? all_undefined(x, u) : u->lanes;
  add_whole(x, lanes);
  return lanes;
}

static void assign(void *to, const void *from, uint32_t lanes) {
  sl_undef *u = to;
  const sl_undef *o = from;
  u->computed = ((u->computed & ~lanes) | (o->computed & lanes)) & u->lanes;
  if (o->lanes & lanes) u->from = o->from;
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

static void gather(const sl_flowing *x, const sl_undef *const *u, uint32_t n, uint32_t l, sl_bits *b) {
  for (uint32_t k = 0; k < n; k++) {
    unsigned bits = k == 2 && b->bits > b->from_bits ? b->bits : b->from_bits; // mad.wide
    b->u[k] = u[k] && u[k]->lanes >> l & 1 ? sl__bits_wide(u[k]->bytes[l]) & sl_low_bits(bits) : 0;
    b->v[k] = operand_value(x, k, b->from_bits, l);
  }
}

static uint32_t sources(sl_flowing *x, const sl_undef **u, uint32_t *any) {
  uint32_t n = x->in->n_ops - 1u < SL_UNDEF_SOURCES ? x->in->n_ops - 1u : SL_UNDEF_SOURCES;
  *any = 0;
  for (uint32_t k = 0; k < n; k++)
    if ((u[k] = sl__follow_look(x, &x->in->ops[k + 1], SL_USE_VALUE))) *any |= u[k]->lanes;
  return n;
}

static void by_bits(sl_flowing *x, sl_bits_fn fn) {
  const sl_undef *u[SL_UNDEF_SOURCES];
  sl_bits b = {0};
  uint32_t any, n = sources(x, u, &any);
  widths(x->in, &b);
  SL_FOR_LANES(l, any & x->lanes) {
    gather(x, u, n, l, &b);
    out_of(x)->bytes[l] = sl__bits_narrow(fn(&b) & sl_low_bits(b.bits));
    if (out_of(x)->bytes[l]) out_of(x)->lanes |= 1u << l;
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
  SL_FOR_LANES(l, any & x->lanes) {
    gather(x, u, n, l, &b);
    if ((b.u[0] | b.u[1]) && !sl__bits_settled(&b, comparison(x->in))) lanes |= 1u << l;
  }
  add_whole(x, lanes);
}

static uint32_t lanes_of(sl_flowing *x, const sl_operand *o) {
  const uint32_t *lanes = sl__follow_look(x, o, SL_USE_VALUE);
  return lanes ? *lanes : 0;
}

// and, or of predicates
static void flow_predicates(sl_flowing *x) {
  uint32_t a = lanes_of(x, &x->in->ops[1]), b = lanes_of(x, &x->in->ops[2]),
           settles = x->in->op == SL_OP_or ? SL_FULL : 0;
  uint32_t p = ~(sl__pred_src(x->w, x->i, 0) ^ settles), q = ~(sl__pred_src(x->w, x->i, 1) ^ settles);
  add_whole(x, (a | b) & ~((p & ~a) | (q & ~b)));
}

// mov d, {a, b} puts values together.
static void flow_pack(sl_flowing *x) {
  const sl_operand *v = &x->in->ops[1];
  unsigned bytes = sl_ptx_type_bits(sl__type_mod(x->in)) / 8 / v->n_elems;
  for (uint32_t k = 0; k < v->n_elems; k++) {
    const sl_undef *u = sl__follow_look(x, &x->f->elems[v->first + k], SL_USE_VALUE);
    SL_FOR_LANES(l, u ? u->lanes & x->lanes : 0) {
      uint32_t part = u->bytes[l] & ((1u << bytes) - 1);
      out_of(x)->bytes[l] |= (uint8_t)(part << k * bytes);
      if (part) out_of(x)->lanes |= 1u << l;
    }
  }
}

// mov {a, b}, s takes one apart: after the instruction.
static void put_parts(sl_flowing *x) {
  const sl_operand *v = &x->in->ops[0];
  unsigned bytes = sl_ptx_type_bits(sl__type_mod(x->in)) / 8 / v->n_elems;
  const sl_undef all = *out_of(x);
  for (uint32_t k = 0; k < v->n_elems; k++) {
    const sl_operand *o = &x->f->elems[v->first + k];
    sl_undef part = {.computed = all.computed, .from = all.from};
    SL_FOR_LANES(l, all.lanes) {
      part.bytes[l] = (uint8_t)(all.bytes[l] >> k * bytes & ((1u << bytes) - 1));
      if (part.bytes[l]) part.lanes |= 1u << l;
    }
    if (o->kind == SL_O_REG) sl__marks_set(x->trail, x->frame, o->reg, x->lanes, &part);
  }
}

static bool takes_apart(const sl_ptx_insn *in) {
  return in->op == SL_OP_mov && in->ops[0].kind == SL_O_VEC && !sl_ptx_has_mod(in, SL_M_b128);
}

// What an operation makes of its operands, bit by bit where that is known.
static bool compute(sl_flowing *x) {
  const sl_ptx_insn *in = x->in;
  sl_bits_fn fn = in->ops[0].kind == SL_O_REG || takes_apart(in) ? sl__bits_of(in) : NULL;
  bool predicates = sl_ptx_has_mod(in, SL_M_pred);
  if (predicates && (in->op == SL_OP_and || in->op == SL_OP_or)) flow_predicates(x);
  else if (in->op == SL_OP_setp && in->n_ops == 3 && comparison(in)) flow_compare(x);
  else if (in->op == SL_OP_mov && in->ops[1].kind == SL_O_VEC) flow_pack(x);
  else if (fn && !predicates) by_bits(x, fn);
  else sl__follow_all(x);
  return true;
}

static const sl_mark_kind UNDEFINED = {.bytes = sizeof(sl_undef),
                                       .lane_at = offsetof(sl_undef, bytes),
                                       .lane_bytes = 1,
                                       .limit = 1u << 18,
                                       .exact = true,
                                       .merge = merge,
                                       .note = note,
                                       .compute = compute,
                                       .param = sl__undef_param,
                                       .assign = assign};

void sl__undef_begin(sl_trail *t) { sl__trail_begin(t, &UNDEFINED); }

// Instructions ----------------------------------------------------------------------------------------------

// Lanes that read a lane which takes no part.
static void absent_sources(sl_flowing *x) {
  sl_origin from;
  uint32_t lanes = sl__seen_grid(x->w->grid)->checks & SL_CHECK_BARRIER_MASK
                       ? sl__absent_lanes(x->w, x->i, sl__u32(x->w, x->i->s[3]), &from)
                       : 0;
  if (!lanes) return;
  add_whole(x, lanes);
  out_of(x)->from = from;
}

// Reports that undefined values of operands decide something in [lanes].
static void decided(sl_flowing *x, sl_use by, uint32_t lanes, const char *what) {
  const sl_undef *u = x->seen[by];
  if (lanes & x->lanes) sl__undef_use(x->w, &u->from, what, sl__pc(x->w, x->i));
}

// What is done before the instruction runs.
static void flow(sl_flowing *x) {
  sl_undef *out = x->out;
  sl_value_flow kind = sl_ptx_flow(x->in);
  bool call = sl_ptx_does(x->in, SL_DOES_CALL);
  sl__follow(x);
  decided(x, SL_USE_ADDRESS, x->used[SL_USE_ADDRESS], SL_USED_AS_ADDRESS);
  if (sl_ptx_action(x->in) == SL_ACT_UPDATE)
    decided(x, SL_USE_VALUE, x->used[SL_USE_VALUE] & ~x->used[SL_USE_ADDRESS],
            "takes part in an atomic operation");
  if (kind == SL_FLOW_DECIDES && !call) decided(x, SL_USE_VALUE, x->used[SL_USE_VALUE], "decides a branch");
  if (kind == SL_FLOW_DECIDES) decided(x, SL_USE_GUARD, x->used[SL_USE_GUARD], "decides a branch");
  if (kind == SL_FLOW_DECIDES || kind == SL_FLOW_MEMORY) out->lanes = 0; // loads: sl__undef_load
  if (kind == SL_FLOW_COMPUTES) out->computed |= out->lanes;
  if (kind == SL_FLOW_EXCHANGES) {
    out->computed = out->computed ? out->lanes : 0;
    absent_sources(x);
  }
  add_whole(x, x->used[SL_USE_GUARD]);
}

sl_step sl__see_flow(sl_warp *w, const sl_xinsn *i, sl_op_fn rest) {
  sl_trail *trail = &sl__seen_block(w->block)->undef;
  const sl_func *fn = NULL;
  if (!trail->n) return rest(w, i);
  sl_undef out = {0};
  sl_flowing x = {
      .trail = trail, .w = w, .i = i, .frame = sl__split(w)->frame, .lanes = w->mask, .out = &out};
  x.in = sl__insn_of(w->grid->m, i, &fn), x.f = fn->ir;
  flow(&x);
  const sl_patch *p = sl__patch_at(w, i);
  bool load = p->kind == SL_SEE_LOAD || p->kind == SL_SEE_CONSTANT || p->flags & SL_IS_EXCHANGE,
       param = sl_ptx_action(x.in) == SL_ACT_LOAD && sl__space_mod(x.in) == SL_SP_PARAM;
  if (load) out.lanes = 0, sl__follow_put(&x); // its marks are made while it runs
  sl_step st = rest(w, i);
  if (sl_ptx_does(x.in, SL_DOES_CALL) && sl__split(w)->frame != x.frame)
    sl__trail_enter(trail, &x), sl__unset_enter(w, sl__split(w)->frame, w->mask);
  if (load || param || st != SL_STEP || sl__split(w)->frame != x.frame || w->mask != x.lanes) return st;
  if (takes_apart(x.in)) put_parts(&x);
  else sl__follow_put(&x);
  return st;
}
