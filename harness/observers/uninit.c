// memory.uninit: values that nobody has written, in shared memory, cudaMalloc'ed memory and local memory.
//
// A bit for each byte says whether it was written. Reading an unwritten byte is no mistake yet: programs copy
// structs with padding and load whole vectors from partly filled arrays. undefined.c follows the bytes to
// where they decide something. Asynchronous copies carry them along.
#include "observers/observers.h"
#include "observers/undefined.h"

// The bytes of [at, at + n) that nobody has written, n at most 32.
static inline uint32_t missing(const uint8_t *bits, uint64_t at, uint32_t n) {
  if (n == 4 && at % 4 == 0) return ~(bits[at / 8] >> (at & 4)) & 0xfu;
  uint32_t r = 0;
  for (uint32_t k = 0; k < n; k++) r |= (uint32_t)(~bits[(at + k) / 8] >> ((at + k) & 7) & 1) << k;
  return r;
}

static inline void set(uint8_t *bits, uint64_t at, uint32_t n) {
  if (n == 8 && at % 8 == 0) bits[at / 8] = 0xff;
  else if (n == 4 && at % 4 == 0) bits[at / 8] |= (uint8_t)(0xf << (at & 4));
  else
    for (uint32_t k = 0; k < n; k++) bits[(at + k) / 8] |= (uint8_t)(1u << ((at + k) & 7));
}

// The bits of a warp's local memory; it grows with the frames.
static uint8_t *local_bits(sl_warp *w) {
  sl_seen_block *s = sl__seen_block(w->block);
  uint32_t k = w->id, stride = sl__core(w)->local_stride;
  if (s->local_init[k] && s->local_stride[k] == stride) return s->local_init[k];
  uint8_t *n = sl_must(calloc(SL_LANES, stride / 8 + 1));
  for (uint32_t l = 0; l < SL_LANES && s->local_init[k]; l++)
    memcpy(n + l * (stride / 8), s->local_init[k] + l * (s->local_stride[k] / 8), s->local_stride[k] / 8);
  free(s->local_init[k]);
  s->local_stride[k] = stride;
  return s->local_init[k] = n;
}

static void see_local(sl_warp *w, uint32_t lanes, uint32_t addr, uint32_t bytes) {
  uint8_t *bits = local_bits(w);
  SL_FOR_LANES(l, lanes) set(bits, (uint64_t)l * sl__core(w)->local_stride + addr, bytes);
}

// The bits of an allocation, of a block's shared memory or of one lane's local memory.
typedef struct sl_span {
  uint64_t base, size;
  uint8_t *bits;   // NULL: all bytes were written
  uint64_t *known; // all before are written; lowered when bytes become unwritten; NULL: local memory
} sl_span;

static sl_span span_of(const sl_access *a, uint32_t l) {
  sl_seen_block *b = sl__seen_block(a->w->block);
  if (a->space == SL_SP_SHARED)
    return (sl_span){0, a->w->block->shared_all, b->shared_init, &b->shared_known};
  if (a->space == SL_SP_LOCAL) {
    uint64_t stride = sl__core(a->w)->local_stride;
    return (sl_span){0 - l * stride, 0, local_bits(a->w), NULL}; // this lane's alone
  }
  sl_alloc *al = (sl_alloc *)sl__memory_find(&a->w->grid->gpu->mem, a->addr[l]);
  return al ? (sl_span){al->base, al->size, al->init, &al->known} : (sl_span){0};
}

static void clear(const sl_span *s, uint64_t at, uint32_t bytes) {
  if (s->known && *s->known > at) *s->known = at;
  for (; bytes; bytes &= bytes - 1) {
    uint64_t k = at + (uint32_t)__builtin_ctz(bytes);
    s->bits[k / 8] &= (uint8_t) ~(1u << (k & 7));
  }
}

static bool of_copy(const sl_access *a) {
  uint8_t kind = a->w->grid->m->patches[a->pc].kind;
  return kind == SL_SEE_COPY || kind == SL_SEE_BULK;
}

// A value that was read is reported when it decides something (undefined.c). An atomic that computes with
// unwritten bytes alone is reported at once.
static void read_unwritten(const sl_access *a, uint32_t lanes, const uint32_t *bytes) {
  uint32_t all = a->bytes >= 32 ? ~0u : (1u << a->bytes) - 1, whole = 0;
  if (sl__sight(a->w->grid->m, a->pc)->bits) return;
  if (of_copy(a)) {
    SL_FOR_LANES(l, lanes) sl__seen_block(a->w->block)->copied[l] |= bytes[l] << a->at;
  } else if (a->kind == SL_SEE_RMW && !(a->flags & SL_IS_EXCHANGE)) {
    SL_FOR_LANES(l, lanes) whole |= bytes[l] == all ? 1u << l : 0;
    if (whole) sl__undef_tell(a, (uint32_t)__builtin_ctz(whole), SL_USED_IN_ATOMIC, a->pc);
  } else {
    sl__undef_load(a, lanes, bytes);
  }
}

// Handles a whole warp at once; false: look at the lanes one by one.
static bool row_done(const sl_access *a, bool read) {
  uint64_t bits[2];
  sl_span s = span_of(a, 0);
  uint64_t at = a->addr[0] - s.base;
  if (!s.bits) return true;
  if (at % 8) return false;
  if (read) {
    memcpy(bits, s.bits + at / 8, sizeof bits);
    return !~(bits[0] & bits[1]);
  }
  memset(s.bits + at / 8, 0xff, sizeof bits);
  return true;
}

// Is everything before [to] written? Remembers how far it has looked, so memory is searched once.
static bool written_before(const sl_span *s, uint64_t to) {
  uint64_t k = *s->known, all;
  for (; k < to && k + 64 <= s->size; k += 64) {
    memcpy(&all, s->bits + k / 8, sizeof all);
    if (~all) break;
  }
  if (k + 64 > s->size)
    while (k < to && s->bits[k / 8] >> (k & 7) & 1) k++;
  *s->known = k;
  return k >= to;
}

// Is everything that the lanes touch written already? This is the usual case: no branch for each lane.
static bool all_written(const sl_access *a) {
  const uint32_t first = (uint32_t)__builtin_ctz(a->mask), want = (1u << a->bytes) - 1;
  const sl_span s = span_of(a, first);
  uint64_t at[SL_LANES], most = 0, missed = 0;
  if (!s.bits) return false;
  for (uint32_t l = 0; l < SL_LANES; l++) {
    at[l] = (a->mask >> l & 1 ? a->addr[l] : a->addr[first]) - s.base;
    most = at[l] > most ? at[l] : most;
  }
  if (most >= s.size) return false;
  if (written_before(&s, most + a->bytes)) return true;
  for (uint32_t l = 0; l < SL_LANES; l++) missed |= want & ~((uint32_t)s.bits[at[l] / 8] >> (at[l] & 7));
  return !missed;
}

// The bytes of a store or copy that stay unwritten; NULL: none.
static const uint32_t *left_out(const sl_access *a, uint32_t *undef) {
  if (a->kind == SL_SEE_COPY) return sl__seen_block(a->w->block)->copied;
  if (a->kind != SL_SEE_STORE) return NULL;
  sl__undef_store(a, undef);
  return undef;
}

// Lane by lane.
static __attribute__((noinline)) void lanes_access(const sl_access *a, bool read, bool write, bool copy) {
  sl_span s = {0};
  uint32_t lanes = 0, bytes[SL_LANES], undef[SL_LANES];
  const uint32_t *left = copy || (write && sl__seen_block(a->w->block)->undef.n) ? left_out(a, undef) : NULL;
  SL_FOR_LANES(l, a->mask) {
    if (a->addr[l] - s.base >= s.size) s = span_of(a, l);
    if (!s.bits) continue;
    uint64_t at = a->addr[l] - s.base;
    if (read && (bytes[l] = missing(s.bits, at, a->bytes))) lanes |= 1u << l;
    if (write) set(s.bits, at, a->bytes);
    if (left && left[l]) clear(&s, at, left[l]);
  }
  if (write && of_copy(a))
    memset(sl__seen_block(a->w->block)->copied, 0, sizeof sl__seen_block(a->w->block)->copied);
  if (lanes) read_unwritten(a, lanes, bytes);
}

static void see_access(const sl_access *a) {
  bool read = a->kind == SL_SEE_LOAD || a->kind == SL_SEE_RMW, write = a->kind != SL_SEE_LOAD,
       copy = a->kind == SL_SEE_COPY;
  bool simple = !copy && !(write && sl__seen_block(a->w->block)->undef.n);
  if (simple && a->row && row_done(a, read)) return;
  if (simple && a->bytes <= 8 && a->space != SL_SP_LOCAL && all_written(a)) return;
  lanes_access(a, read, write, copy);
}

// Shuffles --------------------------------------------------------------------------------------------------

// Lanes of the present shuffle that read a lane which takes no part. undefined.c asks by itself.
typedef struct sl_absent {
  uint32_t lanes;
  sl_origin origin;
} sl_absent;

static void uninit_before(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *) {
  const sl_seen_grid *g = sl__seen_grid(w->grid);
  sl_absent *s = w->grid->kept[SL_PROBE_uninit];
  s->lanes = 0;
  if (p->kind != SL_SEE_WARP || (g->one_mask && w->full) || !(g->checks & SL_CHECK_BARRIER_MASK) ||
      sl__seen_block(w->block)->undef.n)
    return;
  if (sl_ptx_flow(sl__insn_of(w->grid->m, i, NULL)) == SL_FLOW_EXCHANGES)
    s->lanes = sl__absent_lanes(w, i, g->member, &s->origin);
}

static void after(sl_warp *w, const sl_xinsn *i, const sl_patch *, const sl_access *, sl_step st) {
  const sl_absent *s = w->grid->kept[SL_PROBE_uninit];
  if (st == SL_STEP && s->lanes) sl__absent_mark(w, i, s->lanes, &s->origin);
}

const sl_probe sl__probe_uninit = {.name = "uninit",
                                   .checks = SL_CHECK_MEMORY_UNINIT,
                                   .kinds = SL_SEES_MEMORY | SL_SEES(WARP),
                                   .launch_bytes = sizeof(sl_absent),
                                   .block = sl__unset_begin,
                                   .call = sl__unset_enter,
                                   .access = see_access,
                                   .local = see_local,
                                   .before = uninit_before,
                                   .after = after,
                                   .inner = sl__see_flow};
