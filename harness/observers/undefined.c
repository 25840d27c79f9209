// Values that nobody has written, on their way through registers: what memory.uninit reports is not that such a value is
// read but that it decides something: a branch, an address, what an atomic does, what is stored to global memory, or
// that somebody computes with it and stores the result, if only to shared memory.
//
// A load of bytes that nobody has written marks its destination as undefined in the lanes concerned, and remembers
// where. From then on every instruction of the module carries marks from its sources to its destinations (sl__see_flow);
// until then nothing of this costs anything. A defined value that settles the result alone takes the mark away: the
// choice of selp, false in an and, true in an or. So code that reads one element too far and then discards it, as
// merging and searching often do, is right. Shuffles carry the mark of the lane that they read; votes, matches and
// reductions take each lane's own. A store to shared or local memory makes the bytes unwritten again. Marks do not
// go through the parameters of a call.
#include "observers/observers.h"

static sl_undef *mark_of(const sl_warp *w, uint32_t reg) {
  return sl__table_find(&w->block->seen->undef, (uintptr_t)sl__split((sl_warp *)w)->frame, reg);
}

// What is known of the values that an instruction uses.
typedef struct sl_flowing {
  sl_warp *w;
  uint32_t lanes, base, computed; // base: lanes whose address is undefined
  sl_origin from;
} sl_flowing;

static uint32_t lanes_of(sl_flowing *x, uint32_t reg) {
  const sl_undef *u = mark_of(x->w, reg);
  if (!u || !u->lanes) return 0;
  x->computed |= u->computed;
  if (u->lanes & x->w->mask || !x->from.space) x->from = u->from;
  return u->lanes;
}

// The lanes of the mask get the marks.
static void set_marks(sl_warp *w, uint32_t reg, uint32_t lanes, uint32_t computed, const sl_origin *from) {
  sl_seen_block *s = w->block->seen;
  sl_undef *u = mark_of(w, reg);
  if (!u && !(lanes & w->mask)) return;
  if (!u && !(u = sl__table_put(&s->undef, (uintptr_t)sl__split(w)->frame, reg))) return;
  bool before = u->lanes;
  u->lanes = (u->lanes & ~w->mask) | (lanes & w->mask);
  u->computed = ((u->computed & ~w->mask) | (computed & w->mask)) & u->lanes;
  if (lanes & w->mask) u->from = *from;
  s->n_undef += (u->lanes != 0) - before;
}

// Telling
// -----------------------------------------------------------------------------------------------------

static uint32_t line_of(const sl_warp *w, uint32_t pc) {
  sl_src_pos pos;
  const sl_grid *g = w->grid;
  return sl__position(g, sl__split((sl_warp *)w)->frame, &g->code[pc], &pos) ? pos.line : 0;
}

// [a]: the access that read it. use: what becomes of it, at [pc].
void sl__undef_tell(const sl_access *a, uint32_t lane, const char *use, uint32_t pc) {
  static const char *const where[] = {
      [SL_SP_GLOBAL] = "global", [SL_SP_SHARED] = "shared", [SL_SP_LOCAL] = "local"};
  char title[64], why[160];
  snprintf(title, sizeof title, "read of %s memory that nobody has written", where[a->space]);
  snprintf(why, sizeof why, "The value %s at line %u, and on hardware it is whatever was there before", use,
           line_of(a->w, pc));
  sl__tell(&(sl_story){.id = "memory.uninit",
                       .title = title,
                       .a = a,
                       .lane = lane,
                       .addr = a->addr[lane],
                       .why = why,
                       .fix = "Write it first: by the kernel, cudaMemset or a copy from the host"});
}

static void tell_use(sl_warp *w, const sl_origin *from, const char *use, uint32_t pc) {
  sl_access a = {.w = w, .i = &w->grid->code[from->pc], .pc = from->pc, .space = from->space};
  a.bytes = ((const sl_memop *)a.i->ext)->bytes;
  a.addr[from->lane] = from->addr;
  sl__undef_tell(&a, from->lane, use, pc);
}

// Memory
// ------------------------------------------------------------------------------------------------------

static const sl_ptx_insn *insn(const sl_warp *w, uint32_t pc, const sl_ptx_func **f) {
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = sl__insn_of(w->grid->m, &w->grid->code[pc], &fn);
  *f = fn->ir;
  return in;
}

// Where an undefined value was put, in shared or local memory: who had read it first.
static uint64_t owner_of(const sl_access *a, uint32_t lane) {
  uint64_t who = a->space == SL_SP_SHARED ? 0 : 1 + sl__thread_of(a->w, lane);
  return (a->w->block->linear + 1) << 16 | who;
}

static sl_origin origin_of(const sl_access *a, uint32_t lane) {
  const sl_origin *o = a->space == SL_SP_GLOBAL
                           ? NULL
                           : sl__table_find(&a->w->grid->seen->undef, a->addr[lane], owner_of(a, lane));
  return o ? *o : (sl_origin){.addr = a->addr[lane], .pc = a->pc, .space = a->space, .lane = (uint8_t)lane};
}

void sl__undef_load(const sl_access *a, uint32_t lanes) {
  const sl_ptx_func *f;
  const sl_ptx_insn *in = insn(a->w, a->pc, &f);
  const sl_operand *d = &in->ops[0];
  uint32_t n = d->kind == SL_O_VEC ? d->n_elems : 1;
  sl_origin from = origin_of(a, (uint32_t)__builtin_ctz(lanes));
  sl__put_handlers(a->w->grid->k->m, SL_SEEN_FLOW);
  for (uint32_t k = 0; k < n; k++) {
    const sl_operand *o = d->kind == SL_O_VEC ? &f->elems[d->first + k] : d;
    const sl_undef *u = o->kind == SL_O_REG ? mark_of(a->w, o->reg) : NULL;
    if (o->kind == SL_O_REG) set_marks(a->w, o->reg, lanes | (u ? u->lanes : 0), 0, &from);
  }
}

static uint32_t lanes_stored(const sl_access *a, sl_flowing *x) {
  const sl_ptx_func *f;
  const sl_ptx_insn *in = insn(a->w, a->pc, &f);
  const sl_operand *v = &in->ops[1];
  if (v->kind == SL_O_REG) return lanes_of(x, v->reg) & a->mask;
  uint32_t all = v->kind == SL_O_VEC ? SL_FULL : 0;
  for (uint32_t k = 0; v->kind == SL_O_VEC && k < v->n_elems; k++) {
    const sl_operand *o = &f->elems[v->first + k];
    all &= o->kind == SL_O_REG ? lanes_of(x, o->reg) : 0;
  }
  return all & a->mask;
}

uint32_t sl__undef_store(const sl_access *a) {
  sl_flowing x = {.w = a->w};
  uint32_t lanes = a->w->block->seen->n_undef ? lanes_stored(a, &x) : 0, told = 0;
  if (a->space == SL_SP_GLOBAL) told = lanes;
  if (a->space == SL_SP_SHARED) told = lanes & x.computed;
  if (told)
    tell_use(a->w, &x.from,
             a->space == SL_SP_GLOBAL ? "is stored to global memory" : "is computed with, and the result stored,", a->pc);
  lanes &= ~told;
  for (uint32_t m = lanes; m; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    sl_origin *o = sl__table_put(&a->w->grid->seen->undef, a->addr[l], owner_of(a, l));
    if (o) *o = x.from;
  }
  return lanes;
}

// Registers
// ---------------------------------------------------------------------------------------------------

static void add_use(void *ctx, uint32_t reg, bool is_def) {
  sl_flowing *x = ctx;
  if (!is_def) x->lanes |= lanes_of(x, reg);
}

static void put_def(void *ctx, uint32_t reg, bool is_def) {
  sl_flowing *x = ctx;
  if (is_def) set_marks(x->w, reg, x->lanes, x->computed, &x->from);
}

static uint32_t marks(sl_flowing *x, const sl_operand *o) {
  return o->kind == SL_O_REG ? lanes_of(x, o->reg) : 0;
}

// Lanes in which source [k] is all zeros, or all ones.
static uint32_t lanes_equal(sl_warp *w, const sl_xinsn *i, const sl_ptx_insn *in, unsigned k, bool ones) {
  uint32_t r = 0;
  if (sl_ptx_has_mod(in, SL_M_pred)) return ones ? sl__pred_src(w, i, k) : ~sl__pred_src(w, i, k);
  bool wide = sl_ptx_has_mod(in, SL_M_b64);
  uint64_t want = ones ? ~0ull : 0, part = wide ? ~0ull : sl_ptx_has_mod(in, SL_M_b16) ? 0xffff : 0xffffffff;
  for (uint32_t l = 0; l < SL_LANES; l++) {
    uint64_t v = wide ? sl__u64(w, i->s[k])[l] : sl__u32(w, i->s[k])[l];
    r |= (uint32_t)((v & part) == (want & part)) << l;
  }
  return r;
}

static void flow_and_or(sl_flowing *x, const sl_xinsn *i, const sl_ptx_insn *in) {
  uint32_t a = marks(x, &in->ops[1]), b = marks(x, &in->ops[2]);
  uint32_t settled = (lanes_equal(x->w, i, in, 0, in->op == SL_OP_or) & ~a) |
                     (lanes_equal(x->w, i, in, 1, in->op == SL_OP_or) & ~b);
  x->lanes = (a | b) & ~settled;
}

static void flow_selp(sl_flowing *x, const sl_xinsn *i, const sl_ptx_insn *in) {
  uint32_t p = sl__pred_src(x->w, i, 2);
  uint32_t a = marks(x, &in->ops[1]), b = marks(x, &in->ops[2]), c = marks(x, &in->ops[3]);
  x->lanes = c | (p & a) | (~p & b);
}

// The marks go through the shuffle itself, as its values. It has no other effect than its destinations.
static sl_step flow_shfl(sl_flowing *x, const sl_xinsn *i, const sl_ptx_insn *in) {
  uint32_t lanes = marks(x, &in->ops[1]), old[3][SL_LANES], *src = sl__u32(x->w, i->s[0]), pred = 0;
  bool d = i->d != SL_NO_SLOT, d2 = i->d2 != SL_NO_SLOT;
  x->lanes = 0;
  if (!lanes || !d) return SL_STEP;
  memcpy(old[0], src, sizeof old[0]), memcpy(old[1], sl__u32(x->w, i->d), sizeof old[1]);
  if (d2) pred = sl__pred(x->w, i->d2);
  for (uint32_t l = 0; l < SL_LANES; l++) src[l] = lanes >> l & 1;
  sl_step st = x->w->grid->m->sights[sl__pc(x->w, i)].fn(x->w, i);
  memcpy(old[2], sl__u32(x->w, i->d), sizeof old[2]);
  memcpy(sl__u32(x->w, i->d), old[1], sizeof old[1]), memcpy(src, old[0], sizeof old[0]);
  if (d2) *sl__u32(x->w, i->d2) = pred;
  for (uint32_t l = 0; st == SL_STEP && l < SL_LANES; l++) x->lanes |= (old[2][l] & 1) << l;
  x->computed = x->computed ? x->lanes : 0;
  return st;
}

static void decided(sl_flowing *x, const sl_xinsn *i, uint32_t lanes, const char *use) {
  if (lanes & x->w->mask) tell_use(x->w, &x->from, use, sl__pc(x->w, i));
}

static void flow_address(sl_flowing *x, const sl_xinsn *i, const sl_ptx_insn *in) {
  for (uint32_t k = 0; k < in->n_ops; k++)
    if (in->ops[k].kind == SL_O_MEM && in->ops[k].base_kind == SL_O_REG)
      x->base |= lanes_of(x, in->ops[k].reg);
  decided(x, i, x->base, "is used as an address");
}

// The result is one of the operands.
static bool chooses(const sl_ptx_insn *in) { return in->op == SL_OP_min || in->op == SL_OP_max; }

// What goes on before the instruction runs: x->lanes is what its destinations get.
static sl_step flow(sl_flowing *x, const sl_xinsn *i, const sl_ptx_func *f, const sl_ptx_insn *in) {
  sl_family fam = sl_ptx_op_family((sl_ptx_op)in->op);
  if (fam == SL_FAM_MEM || fam == SL_FAM_ATOM) flow_address(x, i, in);
  if (fam == SL_FAM_MEM && in->op != SL_OP_cvta && in->op != SL_OP_isspacep) return SL_STEP; // loads: sl__undef_load
  if (in->op == SL_OP_shfl) return flow_shfl(x, i, in);
  if (in->op == SL_OP_selp) {
    flow_selp(x, i, in);
  } else if (in->op == SL_OP_and || in->op == SL_OP_or) {
    flow_and_or(x, i, in);
  } else {
    sl__visit_regs(f, in, add_use, x);
    x->lanes &= ~x->base;
    if ((fam == SL_FAM_INT || fam == SL_FAM_FLOAT) && !chooses(in)) x->computed |= x->lanes;
  }
  if (in->op == SL_OP_call) x->lanes = in->guard ? lanes_of(x, in->guard - 1) : 0;
  if (fam == SL_FAM_CTL) decided(x, i, x->lanes, "decides a branch");
  if (fam == SL_FAM_ATOM) decided(x, i, x->lanes, "takes part in an atomic operation");
  if (fam == SL_FAM_CTL || fam == SL_FAM_ATOM) x->lanes = 0;
  if (in->guard) x->lanes |= lanes_of(x, in->guard - 1);
  return SL_STEP;
}

sl_step sl__see_flow(sl_warp *w, const sl_xinsn *i) {
  const sl_sight *s = &w->grid->m->sights[sl__pc(w, i)];
  sl_op_fn fn = sl__event_handler(s);
  if (!w->block->seen->n_undef) return fn(w, i);
  const sl_ptx_func *f;
  const sl_ptx_insn *in = insn(w, sl__pc(w, i), &f);
  sl_flowing x = {.w = w};
  sl_step st = flow(&x, i, f, in);
  if (st != SL_STEP) return st;
  bool load = s->kind == SL_SEE_LOAD; // its marks are made while it runs
  if (load) sl__visit_regs(f, in, put_def, &x);
  sl_flowing after = x;
  sl_frame *frame = sl__split(w)->frame;
  uint32_t mask = w->mask;
  st = fn(w, i);
  if (load || st != SL_STEP || sl__split(w)->frame != frame || w->mask != mask) return st;
  sl__visit_regs(f, in, put_def, &after);
  return st;
}
