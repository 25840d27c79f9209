// Atomics: atom and red on global, shared and generic memory.
//
// Lanes of a warp come one after the other: in lane order, in reverse, or in a random order, as the schedule
// says (a GPU promises none). Each update of global memory is a compare-and-swap loop, so that blocks on
// several host threads exclude each other; a block's shared memory belongs to one host thread. An update that
// leaves memory as it was (a failed compare-and-swap, an addition of zero) is no progress, so a loop of such
// updates counts as waiting.
#include <pthread.h> // where no instruction swaps 16 bytes
#include "engine/core.h"
#include "engine/half.h"
#include "engine/probe.h"

static inline bool in_shared(const sl_warp *w, const uint8_t *p) {
  return (uintptr_t)p - (uintptr_t)w->block->shared < w->block->shared_all;
}

// [p]: host pointers of the lanes in the mask.
static void count_atomic(sl_warp *w, const sl_xinsn *i, uint8_t *const *p, bool changed) {
  uint64_t at[SL_LANES];
  if (!w->grid->counting) return;
  w->grid->cnt->atomics++;
  if (in_shared(w, p[__builtin_ctz(w->mask)])) return;
  if (w->grid->costs) sl__path_update(w, i, p, changed);
  for (int l = 0; l < SL_LANES; l++) at[l] = (uintptr_t)p[l];
  w->grid->cnt->global_atomic_sectors += sl__sectors(at, w->mask);
}

// An atomic that adds 0 is a way to read: it draws no number.
static bool draws(const sl_warp *w, const sl_xinsn *i, int lane) {
  const sl_memop *op = i->ext;
  return op->draws && (op->elem_bytes == 8 ? sl__u64(w, i->s[1])[lane] : sl__u32(w, i->s[1])[lane]) != 0;
}

// Has the warp drawn from this counter before? From now on it has.
static bool has_drawn(sl_cwarp *c, uint64_t counter) {
  for (int k = 0; k < SL_DRAWN; k++)
    if (c->drawn_from[k] == counter) return true;
  c->drawn_from[c->n_drawn++ % SL_DRAWN] = counter;
  return false;
}

// On a GPU all resident blocks draw from a counter side by side. Here a block runs as far as it can, and one
// that draws again and again would take all the work. So a warp that has drawn from a counter gives way
// before it draws from it again: the others come first. That matters only where the work of warps is counted.
static bool gives_way(sl_warp *w, const sl_xinsn *i) {
  sl_cwarp *c = sl__core(w);
  const int lane = __builtin_ctz(w->mask);
  uint64_t at[SL_LANES];
  if (!w->grid->counting || !draws(w, i, lane)) return false;
  sl__addresses(w, i, at);
  if (at[lane] < SL_GLOBAL_BASE || !has_drawn(c, at[lane])) return false;
  c->gave_way = !c->gave_way;
  if (!c->gave_way) return false; // it has, and the others have had their turn
  w->pc = sl__pc(w, i);
  sl__split(w)->tired = true;
  sl__uncount(w, w->mask);
  return true;
}

// Puts n in the place of u, if that is still there; else u is what is there now. alone: nobody else writes.
#define SWAP(at, u, n, alone)                                                                                \
  ((alone) ? (*(at) = (n), true)                                                                             \
           : __atomic_compare_exchange_n(at, &(u), n, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))

// An update NAME: EXPR of what memory holds (old) and operands (b, c), in lanes of type T. R: type of its
// registers' lanes, U: unsigned type of T's width.
#define ATOM_OF(NAME, R, T, U, EXPR)                                                                         \
  static sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                                       \
    const sl_memop *op = i->ext;                                                                             \
    uint8_t *p[SL_LANES];                                                                                    \
    if (gives_way(w, i)) return SL_STEP_YIELD;                                                               \
    if (!op->resolve(w, i, p)) return SL_STEP_FAULT;                                                         \
    const R *pb = sl__at(w, i->s[1]), *pc = i->s[2] == SL_NO_SLOT ? pb : sl__at(w, i->s[2]);                 \
    R *d = i->d == SL_NO_SLOT ? NULL : sl__at(w, i->d);                                                      \
    T old, val;                                                                                              \
    bool changed = false, alone = op->space == SL_SP_SHARED;                                                 \
    for (uint32_t m = w->mask; m;) {                                                                         \
      int l = sl__take_lane(w, &w->block->dice, &m);                                                         \
      U *at = (U *)(void *)p[l], u = __atomic_load_n(at, __ATOMIC_RELAXED), n;                               \
      T b = (T)pb[l], c = (T)pc[l];                                                                          \
      (void)c;                                                                                               \
      do {                                                                                                   \
        memcpy(&old, &u, sizeof u);                                                                          \
        val = (T)(EXPR);                                                                                     \
        memcpy(&n, &val, sizeof n);                                                                          \
      } while (n != u && !SWAP(at, u, n, alone));                                                            \
      changed |= n != u;                                                                                     \
      if (d) d[l] = old;                                                                                     \
    }                                                                                                        \
    count_atomic(w, i, p, changed);                                                                          \
    w->grid->writes += changed;                                                                              \
    return SL_STEP;                                                                                          \
  }
#define ATOM(NAME, T, U, EXPR) ATOM_OF(NAME, T, T, U, EXPR)

#define ATOM_INT(S, T, U)                                                                                    \
  ATOM(add_##S, T, U, (T)((U)old + (U)b))                                                                    \
  ATOM(min_##S, T, U, old < b ? old : b)                                                                     \
  ATOM(max_##S, T, U, old > b ? old : b)
#define ATOM_BITS(S, T)                                                                                      \
  ATOM(and_##S, T, T, old &b)                                                                                \
  ATOM(or_##S, T, T, old | b)                                                                                \
  ATOM(xor_##S, T, T, old ^ b)                                                                               \
  ATOM(exch_##S, T, T, b)                                                                                    \
  ATOM(cas_##S, T, T, old == b ? c : old)
ATOM_INT(u32, uint32_t, uint32_t)
ATOM_INT(s32, int32_t, uint32_t)
ATOM_INT(u64, uint64_t, uint64_t)
ATOM_INT(s64, int64_t, uint64_t)
ATOM_BITS(b32, uint32_t)
ATOM_BITS(b64, uint64_t)
ATOM(inc_u32, uint32_t, uint32_t, old >= b ? 0 : old + 1)
ATOM(dec_u32, uint32_t, uint32_t, old == 0 || old > b ? b : old - 1)

// Sums of floats: a NaN becomes the canonical one. In global memory an f32 sum treats subnormal operands and
// results as zero, in shared memory it keeps them.
static inline float sum_f32(float a, float b, bool flush) {
  float s = flush ? sl__flush(sl__flush(a) + sl__flush(b)) : a + b;
  return sl__f32(sl__quiet32(s));
}
ATOM(add_f32, float, uint32_t, sum_f32(old, b, !in_shared(w, p[l])))
ATOM(add_f64, double, uint64_t, sl__f64(sl__quiet64(old + b)))

// Half precision: each half of a pair is an addition of its own.
static uint32_t half_sum(uint32_t a, uint32_t b, sl_ptx_mod type) {
  double sum = (double)sl__half_to_float((uint16_t)a, type) + (double)sl__half_to_float((uint16_t)b, type);
  return sl__half_from_double(sum, type);
}
static uint32_t pair_sum(uint32_t a, uint32_t b, sl_ptx_mod type) {
  return half_sum(a & 0xffff, b & 0xffff, type) | half_sum(a >> 16, b >> 16, type) << 16;
}
ATOM(add_f16x2, uint32_t, uint32_t, pair_sum(old, b, SL_M_f16x2))
ATOM(add_bf16x2, uint32_t, uint32_t, pair_sum(old, b, SL_M_bf16x2))

// Atomics on 16 bits: registers are 32 bits wide.
#define ATOM16(NAME, EXPR) ATOM_OF(NAME, uint32_t, uint16_t, uint16_t, EXPR)
ATOM16(cas_b16, old == b ? c : old)
ATOM16(add_f16, half_sum(old, b, SL_M_f16))
ATOM16(add_bf16, half_sum(old, b, SL_M_bf16))

// Atomics on 128 bits: exchange and compare-and-swap, by the processor's own 16-byte compare-and-swap if the
// compiler knows it, else by a lock.
typedef unsigned __int128 wide;
#ifdef __x86_64__
static wide swap_if(wide *at, wide expected, wide value) {
  uint64_t low = (uint64_t)expected, high = (uint64_t)(expected >> 64);
  __asm__ volatile("lock cmpxchg16b %0"
                   : "+m"(*at), "+a"(low), "+d"(high)
                   : "b"((uint64_t)value), "c"((uint64_t)(value >> 64))
                   : "memory", "cc");
  return (wide)high << 64 | low;
}
#else
static wide swap_if(wide *at, wide expected, wide value) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  wide old = *at;
  if (old == expected) *at = value;
  pthread_mutex_unlock(&lock);
  return old;
}
#endif

static wide exchange(wide *at, wide value) {
  wide old = swap_if(at, 0, 0), seen;
  for (; (seen = swap_if(at, old, value)) != old; old = seen) {
  }
  return old;
}

static wide wide_lane(const sl_warp *w, sl_slot s, int l) {
  return (wide)sl__u64(w, s + SL_HALF_128)[l] << 64 | sl__u64(w, s)[l];
}

static sl_step wide_update(sl_warp *w, const sl_xinsn *i, bool compares) {
  const sl_memop *op = i->ext;
  uint8_t *p[SL_LANES];
  bool changed = false;
  if (!op->resolve(w, i, p)) return SL_STEP_FAULT;
  for (uint32_t m = w->mask; m;) {
    int l = sl__take_lane(w, &w->block->dice, &m);
    wide *at = (wide *)(void *)p[l], b = wide_lane(w, i->s[1], l),
         value = compares ? wide_lane(w, i->s[2], l) : b;
    wide old = compares ? swap_if(at, b, value) : exchange(at, value);
    changed |= (!compares || old == b) && value != old;
    if (i->d == SL_NO_SLOT) continue;
    sl__u64(w, i->d)[l] = (uint64_t)old;
    sl__u64(w, i->d + SL_HALF_128)[l] = (uint64_t)(old >> 64);
  }
  count_atomic(w, i, p, changed);
  w->grid->writes += changed;
  return SL_STEP;
}
static sl_step exch_b128(sl_warp *w, const sl_xinsn *i) { return wide_update(w, i, false); }
static sl_step cas_b128(sl_warp *w, const sl_xinsn *i) { return wide_update(w, i, true); }

static const struct {
  sl_ptx_mod op, type;
  sl_op_fn fn;
} ATOMS[] = {
    {SL_M_add, SL_M_u32, add_u32},       {SL_M_add, SL_M_s32, add_s32},     {SL_M_add, SL_M_u64, add_u64},
    {SL_M_add, SL_M_s64, add_s64},       {SL_M_add, SL_M_f32, add_f32},     {SL_M_add, SL_M_f64, add_f64},
    {SL_M_min, SL_M_u32, min_u32},       {SL_M_min, SL_M_s32, min_s32},     {SL_M_min, SL_M_u64, min_u64},
    {SL_M_min, SL_M_s64, min_s64},       {SL_M_max, SL_M_u32, max_u32},     {SL_M_max, SL_M_s32, max_s32},
    {SL_M_max, SL_M_u64, max_u64},       {SL_M_max, SL_M_s64, max_s64},     {SL_M_and, SL_M_b32, and_b32},
    {SL_M_and, SL_M_b64, and_b64},       {SL_M_or, SL_M_b32, or_b32},       {SL_M_or, SL_M_b64, or_b64},
    {SL_M_xor, SL_M_b32, xor_b32},       {SL_M_xor, SL_M_b64, xor_b64},     {SL_M_exch, SL_M_b32, exch_b32},
    {SL_M_exch, SL_M_b64, exch_b64},     {SL_M_cas, SL_M_b32, cas_b32},     {SL_M_cas, SL_M_b64, cas_b64},
    {SL_M_cas, SL_M_b16, cas_b16},       {SL_M_inc, SL_M_u32, inc_u32},     {SL_M_dec, SL_M_u32, dec_u32},
    {SL_M_add, SL_M_f16, add_f16},       {SL_M_add, SL_M_f16x2, add_f16x2}, {SL_M_add, SL_M_bf16, add_bf16},
    {SL_M_add, SL_M_bf16x2, add_bf16x2}, {SL_M_exch, SL_M_b128, exch_b128}, {SL_M_cas, SL_M_b128, cas_b128},
};

static sl_op_fn find_atomic(const sl_ptx_insn *in, sl_ptx_mod type) {
  for (size_t k = 0; k < sizeof ATOMS / sizeof *ATOMS; k++)
    if (ATOMS[k].type == type && sl_ptx_has_mod(in, ATOMS[k].op)) return ATOMS[k].fn;
  return NULL;
}

static bool is_counter(const sl_ptx_insn *in, sl_ptx_mod type) {
  const bool whole = type == SL_M_u32 || type == SL_M_s32 || type == SL_M_u64 || type == SL_M_s64;
  return whole &&
         (sl_ptx_has_mod(in, SL_M_add) || sl_ptx_has_mod(in, SL_M_inc) || sl_ptx_has_mod(in, SL_M_dec));
}

// Vectors of floats: each element is an update of its own.
typedef struct sl_atoms {
  sl_memop mem; // first, as observers see it: the whole access
  uint32_t n;
  sl_xinsn at[8];
} sl_atoms;

static sl_step each_element(sl_warp *w, const sl_xinsn *i) {
  const sl_atoms *v = i->ext;
  sl_step s = SL_STEP;
  for (uint32_t k = 0; k < v->n && s == SL_STEP; k++) s = v->at[k].fn(w, &v->at[k]);
  return s;
}

static bool decode_vector(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  uint32_t at = in->op == SL_OP_atom, n = in->ops[at + 1].n_elems;
  sl_atoms *v = sl__decode_alloc(dc, sizeof *v);
  sl_memop *whole;
  if (n > 8 || (at && (in->ops[0].kind != SL_O_VEC || in->ops[0].n_elems != n))) return false;
  for (v->n = 0; v->n < n; v->n++) {
    sl_ptx_insn one = *in;
    sl_xinsn *e = &v->at[v->n];
    *e = *x;
    e->target = dc->m->n_code - 1; // the instruction for findings
    if (at) one.ops[0] = *sl__elem(dc, &in->ops[0], v->n);
    one.ops[at + 1] = *sl__elem(dc, &in->ops[at + 1], v->n);
    one.ops[at].imm += (int64_t)v->n * (int64_t)(sl_ptx_type_bits(sl__type_mod(in)) / 8);
    if (!sl__decode_atom(dc, &one, e)) return false;
  }
  if (!sl__decode_access(dc, in, &in->ops[at], sl__space_mod(in), x, &whole)) return false;
  v->mem = *(const sl_memop *)v->at[0].ext;
  v->mem.bytes = n * v->mem.elem_bytes;
  x->fn = each_element;
  x->ext = v;
  return true;
}

bool sl__decode_atom(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  bool red = in->op == SL_OP_red;
  uint32_t at = red ? 0 : 1, n = in->n_ops;
  sl_ptx_mod type = sl__type_mod(in);
  sl_space sp = sl__space_mod(in);
  sl_memop *op;
  if (n >= at + 2u && in->ops[at + 1].kind == SL_O_VEC) return decode_vector(dc, in, x);
  x->fn = find_atomic(in, type);
  if (!x->fn) return sl__refuse(dc, in, "this atomic operation or type is not supported");
  if (sp != SL_SP_NONE && sp != SL_SP_GLOBAL && sp != SL_SP_SHARED)
    return sl__refuse(dc, in, "atomics work on global and shared memory");
  if (n < at + 2u || !sl__decode_access(dc, in, &in->ops[at], sp, x, &op)) return false;
  op->bytes = op->elem_bytes = (uint8_t)(sl_ptx_type_bits(type) / 8);
  op->write = op->atomic = true;
  op->read = !red && sl__is_read(dc->f, &in->ops[0]);
  op->orders = sl_ptx_has_mod(in, SL_M_cas) || sl_ptx_has_mod(in, SL_M_exch);
  op->draws = op->read && sp != SL_SP_SHARED && is_counter(in, type);
  x->s[2] = SL_NO_SLOT;
  if (!sl__src(dc, &in->ops[at + 1], type, &x->s[1])) return false;
  if (sl_ptx_has_mod(in, SL_M_cas) && (n < at + 3u || !sl__src(dc, &in->ops[at + 2], type, &x->s[2])))
    return false;
  return red || in->ops[0].kind == SL_O_SINK || sl__dst(dc, &in->ops[0], &x->d);
}
