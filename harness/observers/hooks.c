// Hooks: instructions become events. When a module is first launched with checks on, every instruction that
// observers look at gets a handler of this file, which tells them and then calls the handler that was there;
// a launch without checks puts the old ones back. So there is nothing to test while a kernel runs unobserved.
#include <stdlib.h>
#include "observers/observers.h"

// What an instruction is ------------------------------------------------------------------------------------

static const struct {
  sl_ptx_mod mod;
  uint8_t flags;
} MEANS[] = {{SL_M_volatile, SL_IS_STRONG},
             {SL_M_mmio, SL_IS_STRONG},
             {SL_M_relaxed, SL_IS_STRONG},
             {SL_M_acquire, SL_IS_STRONG | SL_IS_ACQUIRE},
             {SL_M_release, SL_IS_STRONG | SL_IS_RELEASE},
             {SL_M_acq_rel, SL_IS_STRONG | SL_IS_ACQUIRE | SL_IS_RELEASE},
             {SL_M_sc, SL_IS_STRONG | SL_IS_ACQUIRE | SL_IS_RELEASE},
             {SL_M_cta, SL_IS_CTA}};

static const uint8_t KINDS[SL_ACT_COUNT_] = {
    [SL_ACT_LOAD] = SL_SEE_LOAD,          [SL_ACT_STORE] = SL_SEE_STORE,
    [SL_ACT_UPDATE] = SL_SEE_RMW,         [SL_ACT_COPY] = SL_SEE_COPY,
    [SL_ACT_BULK] = SL_SEE_BULK,          [SL_ACT_GROUP] = SL_SEE_ASYNC,
    [SL_ACT_REPORT] = SL_SEE_MBARRIER,    [SL_ACT_MBAR_INIT] = SL_SEE_STORE,
    [SL_ACT_MBAR_WAIT] = SL_SEE_MBARRIER, [SL_ACT_MBAR] = SL_SEE_MBARRIER,
    [SL_ACT_FENCE] = SL_SEE_FENCE,        [SL_ACT_WARP_BARRIER] = SL_SEE_WARP_BAR,
    [SL_ACT_MEET] = SL_SEE_WARP};

// An arrival releases and a wait acquires, unless it is said to be relaxed; the other operations do neither.
static uint8_t mbarrier_flags(const sl_ptx_insn *in) {
  bool wait = sl_ptx_action(in) == SL_ACT_MBAR_WAIT,
       arrival = sl_ptx_has_mod(in, SL_M_arrive) || sl_ptx_has_mod(in, SL_M_arrive_drop);
  return sl_ptx_has_mod(in, SL_M_relaxed) ? 0 : wait ? SL_IS_ACQUIRE : arrival ? SL_IS_RELEASE : 0;
}

uint8_t sl__order_flags(const sl_ptx_insn *in) {
  uint8_t flags = 0;
  for (size_t k = 0; k < sizeof MEANS / sizeof *MEANS; k++)
    if (sl_ptx_has_mod(in, MEANS[k].mod)) flags |= MEANS[k].flags;
  return flags;
}

static uint8_t flags_of(const sl_gmodule *m, const sl_ptx_func *f, const sl_ptx_insn *in, uint8_t kind) {
  if (kind == SL_SEE_MBARRIER) return mbarrier_flags(in);
  uint8_t flags = sl__order_flags(in) | (kind == SL_SEE_RMW ? SL_IS_STRONG : 0);
  if (kind == SL_SEE_RMW && sl_ptx_does(in, SL_DOES_RESULT)) flags |= SL_IS_RESULT;
  if (kind == SL_SEE_RMW && sl_ptx_has_mod(in, SL_M_cas)) flags |= SL_IS_CAS;
  if (kind == SL_SEE_LOAD && (flags & SL_IS_STRONG) && sl__is_polled(m, f, in)) flags |= SL_IS_POLLED;
  if (kind == SL_SEE_LOAD && sl__is_bit_field(f, in)) flags |= SL_IS_BITS;
  // Tiles of several warps begin so: each warp clears its bit of a word that nobody has written.
  if (kind == SL_SEE_RMW && !(flags & SL_IS_RESULT) && sl_ptx_has_mod(in, SL_M_and) &&
      (flags & SL_IS_RELEASE))
    flags |= SL_IS_BITS;
  return flags;
}

static bool observed_space(const sl_ptx_insn *in) {
  sl_space sp = sl__space_mod(in);
  return sp != SL_SP_PARAM && sp != SL_SP_CONST;
}

// Events of memory ------------------------------------------------------------------------------------------

#define WINDOW 0x0000000100000000ull

static uint8_t space_of(const sl_memop *op, uint64_t *a) {
  if (op->space != SL_SP_NONE) {
    if (op->addr32) *a = (uint32_t)*a;
    return op->space;
  }
  if (*a - SL_SHARED_BASE < WINDOW) {
    *a -= SL_SHARED_BASE;
    return SL_SP_SHARED;
  }
  if (*a - SL_LOCAL_BASE >= WINDOW) return SL_SP_GLOBAL;
  *a -= SL_LOCAL_BASE;
  return SL_SP_LOCAL;
}

// Would the access succeed? One that does not is the engine's finding.
static bool inside(sl_warp *w, const sl_memop *op, uint8_t space, uint64_t a) {
  sl_range *r = &w->grid->cache[op->cache];
  if (a % op->bytes) return false;
  if (space == SL_SP_SHARED)
    return w->block->shared_bytes >= op->bytes && a <= w->block->shared_bytes - op->bytes;
  if (space == SL_SP_LOCAL) return a + op->bytes <= sl__local_size(sl__core(w));
  return (r->size >= op->bytes && a - r->base <= r->size - op->bytes) ||
         sl__range_lookup(w, r, a, op->bytes, op->write);
}

// What is told as race.async is no race as well.
static __attribute__((noinline)) void race_of_the_rest(const sl_access *a) {
  uint32_t early = sl__async_access(a);
  sl_access rest = *a;
  if (early) rest.row = rest.one = false, rest.mask &= ~early;
  sl__race_access(&rest);
}

static void tell_all(const sl_access *a) {
  uint32_t checks = a->w->grid->seen->checks;
  if (checks & SL_CHECK_MEMORY_UNINIT) sl__uninit_access(a);
  if (checks & SL_CHECK_MEMORY_READONLY && a->w->grid->m->has_nc) sl__readonly_access(a);
  if (a->space == SL_SP_LOCAL ||
      !(checks & (SL_CHECK_RACE_SHARED | SL_CHECK_RACE_GLOBAL | SL_CHECK_ORDER_FENCE | SL_CHECK_RACE_ASYNC)))
    return;
  if (a->w->block->seen->async) race_of_the_rest(a);
  else sl__race_access(a);
}

static bool in_a_row(const uint64_t *addr) {
  uint64_t bad = 0;
  for (uint64_t l = 0; l < SL_LANES; l++) bad |= addr[l] ^ (addr[0] + 4 * l);
  return !bad;
}

// All lanes at once, when the instruction names a space and everything is inside of it.
static bool see_row(sl_access *a) {
  const sl_memop *op = a->i->ext;
  sl_warp *w = a->w;
  uint64_t imm = (uint64_t)a->i->imm, base = 0, limit, bad = 0, apart = 0;
  if (op->space == SL_SP_SHARED && op->addr32 && w->block->shared_bytes >= op->bytes)
    limit = w->block->shared_bytes - op->bytes;
  else if (op->space == SL_SP_GLOBAL && !op->addr32 && w->grid->cache[op->cache].size >= op->bytes)
    base = w->grid->cache[op->cache].base, limit = w->grid->cache[op->cache].size - op->bytes;
  else return false;
  const uint32_t *a32 = sl__u32(w, a->i->s[0]);
  const uint64_t *a64 = sl__u64(w, a->i->s[0]);
  if (op->addr32)
    for (int l = 0; l < SL_LANES; l++) a->addr[l] = a32[l] + (uint32_t)imm;
  else
    for (int l = 0; l < SL_LANES; l++) a->addr[l] = a64[l] + imm;
  const uint64_t first = a->addr[__builtin_ctz(w->mask) % SL_LANES];
  for (int l = 0; l < SL_LANES; l++) {
    uint64_t lane = 0 - (uint64_t)((w->mask >> l) & 1);
    bad |= lane & ((a->addr[l] - base > limit) | (a->addr[l] & (op->bytes - 1)));
    apart |= lane & (a->addr[l] ^ first);
  }
  a->space = op->space, a->mask = w->mask;
  a->row = !bad && w->full && op->bytes == 4 && in_a_row(a->addr);
  a->one = !bad && !apart && op->bytes == 4;
  return !bad;
}

static void see_lanes(sl_access *a) {
  static const uint8_t spaces[] = {SL_SP_GLOBAL, SL_SP_SHARED, SL_SP_LOCAL};
  const sl_memop *op = a->i->ext;
  sl_warp *w = a->w;
  uint32_t masks[8] = {0};
  for (uint32_t m = w->mask; m; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    a->addr[l] = (op->addr32 ? sl__u32(w, a->i->s[0])[l] : sl__u64(w, a->i->s[0])[l]) + (uint64_t)a->i->imm;
    uint8_t sp = space_of(op, &a->addr[l]);
    if (inside(w, op, sp, a->addr[l])) masks[sp & 7] |= 1u << l;
  }
  for (size_t k = 0; k < sizeof spaces; k++) {
    a->space = spaces[k], a->mask = masks[spaces[k]];
    if (a->mask) tell_all(a);
  }
  a->space = SL_SP_SHARED, a->mask = masks[SL_SP_SHARED];
}

void sl__see_memory(sl_access *a, sl_warp *w, const sl_xinsn *i, uint32_t pc, uint8_t kind, uint8_t flags) {
  const sl_memop *op = i->ext; // addr is filled in by lane
  a->w = w, a->i = i, a->pc = pc, a->bytes = op->bytes, a->kind = kind, a->flags = flags;
  a->row = a->one = false;
  if (see_row(a)) tell_all(a);
  else see_lanes(a);
  w->block->seen->time.now++;
}

static const sl_sight *sight(const sl_warp *w, const sl_xinsn *i) {
  return &w->grid->m->sights[i - w->grid->code];
}

static sl_step see_access(sl_warp *w, const sl_xinsn *i) {
  const sl_sight *s = sight(w, i);
  sl_access a;
  sl__see_memory(&a, w, i, (uint32_t)(i - w->grid->code), s->kind, s->flags);
  return s->fn(w, i);
}

// Of a copy's source each lane reads what it copies: the whole, a part, or nothing. What is not read becomes
// zeros.
static void see_source(sl_warp *w, const sl_xinsn *i, uint32_t pc) {
  const sl_copy *c = i->ext;
  uint32_t whole = 0, all = w->mask, *copied = w->block->seen->copied;
  sl_access a;
  for (uint32_t m = all; m; m &= m - 1)
    whole |= (uint32_t)(sl__copy_reads(w, i, __builtin_ctz(m)) == c->bytes) << __builtin_ctz(m);
  memset(copied, 0, SL_LANES * sizeof *copied);
  for (uint32_t m = all & ~whole; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint32_t unwritten = 0;
    sl__set_mask(w, 1u << l);
    for (uint32_t at = 0; at < sl__copy_reads(w, i, l); at++) {
      sl_copy_byte one;
      copied[l] = 0;
      sl__copy_byte(&one, c, at);
      sl__see_memory(&a, w, &one.from, pc, SL_SEE_LOAD, 0);
      unwritten |= (copied[l] & 1) << at;
    }
    copied[l] = unwritten;
  }
  sl__set_mask(w, whole);
  if (whole) sl__see_memory(&a, w, &c->from, pc, SL_SEE_LOAD, 0);
  sl__set_mask(w, all);
}

static sl_step see_copy(sl_warp *w, const sl_xinsn *i) {
  const sl_sight *s = sight(w, i);
  const sl_copy *c = i->ext;
  sl_access a;
  see_source(w, i, (uint32_t)(i - w->grid->code));
  sl__see_memory(&a, w, &c->to, (uint32_t)(i - w->grid->code), SL_SEE_COPY, 0);
  if (w->grid->seen->checks & SL_CHECK_RACE_ASYNC) sl__async_begin(&a, 0);
  return s->fn(w, i);
}

static sl_step see_fence(sl_warp *w, const sl_xinsn *i) {
  const sl_sight *s = sight(w, i);
  sl_block_time *t = &w->block->seen->time;
  for (uint32_t m = w->mask; m; m &= m - 1)
    sl__time_fence(t, sl__thread_of(w, (uint32_t)__builtin_ctz(m)), s->flags & SL_IS_CTA);
  t->now++;
  return s->fn(w, i);
}

// Lanes whose shuffle reads a lane that takes no part, for undefined.c, unless that follows values already:
// then it asks itself.
static uint32_t absent(const sl_warp *w, const sl_xinsn *i, const uint32_t *member, sl_origin *origin) {
  enum { BOTH = SL_CHECK_BARRIER_MASK | SL_CHECK_MEMORY_UNINIT };
  bool shuffle = sl_ptx_flow(sl__insn_of(w->grid->m, i, NULL)) == SL_FLOW_EXCHANGES;
  if (!shuffle || w->block->seen->n_undef || (w->grid->seen->checks & BOTH) != BOTH) return 0;
  return sl__absent_lanes(w, i, member, origin);
}

// Warp-level synchronisation: lanes with equal member masks meet.
static sl_step see_warp(sl_warp *w, const sl_xinsn *i) {
  const sl_sight *s = sight(w, i);
  uint32_t member[SL_LANES], left = w->mask;
  memcpy(member, sl__u32(w, i->s[s->kind == SL_SEE_WARP ? 3 : 0]), sizeof member);
  const bool one = sl__one_mask(w, member);
  if (!one && w->grid->seen->checks & SL_CHECK_BARRIER_MASK)
    sl__mask_check(w, i, member, s->kind == SL_SEE_WARP);
  sl_origin origin;
  uint32_t no_source = s->kind == SL_SEE_WARP ? absent(w, i, member, &origin) : 0;
  sl_step st = s->fn(w, i);
  if (st == SL_STEP && no_source) sl__absent_mark(w, i, no_source, &origin);
  while (st == SL_STEP && left) {
    uint32_t group = one ? left : 0, want = member[__builtin_ctz(left)];
    for (uint32_t m = left & ~group; m; m &= m - 1)
      if (member[__builtin_ctz(m)] == want) group |= m & -m;
    sl__time_warp(&w->block->seen->time, w->id, group);
    left &= ~group;
  }
  return st;
}

static const sl_op_fn HANDLERS[] = {
    [SL_SEE_LOAD] = see_access,     [SL_SEE_STORE] = see_access,          [SL_SEE_RMW] = see_access,
    [SL_SEE_COPY] = see_copy,       [SL_SEE_FENCE] = see_fence,           [SL_SEE_WARP] = see_warp,
    [SL_SEE_WARP_BAR] = see_warp,   [SL_SEE_MBARRIER] = sl__see_mbarrier, [SL_SEE_BULK] = sl__see_bulk,
    [SL_SEE_ASYNC] = sl__see_async, [SL_SEE_BACK] = sl__see_back};

// Putting the handlers in -----------------------------------------------------------------------------------

static sl_op_fn *place(sl_xinsn *x) { return x->guard != SL_NO_SLOT && x->body ? &x->body : &x->fn; }

static bool look_at(sl_gmodule *m) {
  if (m->sights) return true;
  if (!(m->sights = calloc(m->n_code + 1, sizeof *m->sights))) return false;
  for (uint32_t pc = 0; pc < m->n_code; pc++) {
    const sl_func *fn = NULL;
    const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], &fn);
    sl_sight *s = &m->sights[pc];
    s->fn = *place(&m->code[pc]);
    if (!in || !fn || m->code[pc].unwritten) continue;
    s->known = true;
    s->kind = KINDS[sl_ptx_action(in)];
    s->nc = s->kind == SL_SEE_LOAD && sl_ptx_has_mod(in, SL_M_nc);
    m->has_nc |= s->nc;
    if (s->kind >= SL_SEE_LOAD && s->kind <= SL_SEE_RMW && !observed_space(in)) s->kind = SL_SEE_NOTHING;
    if (s->kind) s->flags = flags_of(m, fn->ir, in, s->kind);
  }
  if (!sl__trips_find(m)) return false;
  sl__polled_sift(m);
  return true;
}

void sl__put_handlers(sl_gmodule *m, uint8_t level) {
  if (m->observed == level) return;
  for (uint32_t pc = 0; pc < m->n_code; pc++) {
    const sl_sight *s = &m->sights[pc];
    bool flow = level == SL_SEEN_FLOW && s->known;
    if (flow || s->kind || m->observed == SL_SEEN_FLOW)
      *place(&m->code[pc]) = flow ? sl__see_flow : level && s->kind ? HANDLERS[s->kind] : s->fn;
  }
  m->observed = level;
}

// Is there a handler of ours before the one of the engine?
static bool seen_here(const sl_gmodule *m, uint32_t pc) {
  return m->observed && (m->sights[pc].kind || (m->observed == SL_SEEN_FLOW && m->sights[pc].known));
}

sl_op_fn sl__handler(const sl_gmodule *m, uint32_t pc) {
  return seen_here(m, pc) ? m->sights[pc].fn : *place(&m->code[pc]);
}

void sl__set_handler(sl_gmodule *m, uint32_t pc, sl_op_fn fn) {
  if (m->sights) m->sights[pc].fn = fn;
  if (!seen_here(m, pc)) *place(&m->code[pc]) = fn;
}

sl_op_fn sl__event_handler(const sl_sight *s) { return s->kind ? HANDLERS[s->kind] : s->fn; }

// Launches and blocks ---------------------------------------------------------------------------------------

// When the numbers are used up the shadow starts afresh.
uint32_t sl__watch_serials(sl_gpu *g, uint64_t n) {
  if (!g->watch) g->watch = calloc(1, sizeof *g->watch);
  sl_watch_state *w = g->watch;
  if (!w) abort();
  if (!w->serial || n >= UINT32_MAX - w->serial)
    sl__shadow_free(&w->shadow), sl__see_unload(g), w->serial = 1;
  uint32_t first = w->serial;
  w->serial += (uint32_t)n;
  return first;
}

void sl__see_launch(sl_grid *g) {
  sl_gmodule *m = g->k->m;
  uint32_t checks = g->gpu->cfg.checks;
  if (!(checks & SL_CHECK_MEMORY_UNINIT)) sl__memory_known(&g->gpu->mem);
  g->seen = checks && look_at(m) ? calloc(1, sizeof *g->seen) : NULL;
  // What records a launch puts itself before all handlers: they must not change while it runs.
  sl__put_handlers(m, !g->seen                                                ? SL_SEEN_NOT
                      : g->gpu->cfg.record && checks & SL_CHECK_MEMORY_UNINIT ? SL_SEEN_FLOW
                                                                              : SL_SEEN_EVENTS);
  if (!g->seen) return;
  g->seen->checks = checks;
  g->seen->first = sl__watch_serials(g->gpu, g->n_blocks);
  sl__streams_launch(g);
  sl__trips_open(g);
  g->seen->flags.value_bytes = sizeof(sl_flag);
  g->seen->posts = (sl_table){.value_bytes = sizeof(sl_post), .limit = 1u << 20};
  g->seen->reports.value_bytes = sizeof(uint32_t);
  g->seen->undef = (sl_table){.value_bytes = sizeof(sl_origin), .limit = 1u << 20};
}

uint64_t sl_gpu_not_observed(const sl_gpu *g) { return g->watch ? g->watch->shadow.missed : 0; }

void sl__see_gone(sl_gpu *g) {
  if (g->watch) sl__shadow_free(&g->watch->shadow);
  free(g->watch);
}

static size_t trips_bytes(const sl_block *b) {
  return (size_t)b->n_warps * b->grid->seen->n_loops * SL_LANES * sizeof(uint32_t);
}

// What is seen of a block is kept for the next one of the launch.
static sl_seen_block *make_seen(const sl_block *b) {
  sl_seen_block *s = calloc(1, sizeof *s);
  if (!s || !sl__time_init(&s->time, 0, b->n_threads)) abort();
  s->n_pages = b->shared_bytes / SL_PAGE_BYTES + 1;
  s->pages = calloc(s->n_pages, sizeof *s->pages);
  s->shared_init = calloc(b->shared_bytes / 8 + 8, 1);
  s->local_init = calloc(b->n_warps, sizeof *s->local_init);
  s->local_stride = calloc(b->n_warps, sizeof *s->local_stride);
  s->trips = malloc(trips_bytes(b) + 1);
  s->watched.value_bytes = sizeof(uint32_t);
  s->watched.limit = 64;
  s->undef = (sl_table){.value_bytes = sizeof(sl_undef), .limit = 1u << 18};
  if (!s->pages || !s->shared_init || !s->local_init || !s->local_stride || !s->trips) abort();
  return s;
}

static void reset_seen(sl_seen_block *s, const sl_block *b) {
  sl__time_reset(&s->time, b->grid->seen->first + (uint32_t)b->linear);
  memset(s->aligned, 0, sizeof s->aligned);
  memset(s->trips, 0, trips_bytes(b));
  memset(s->shared_init, 0, b->shared_bytes / 8 + 8);
  s->shared_known = 0;
  for (uint32_t k = 0; k < b->n_warps; k++) free(s->local_init[k]), s->local_init[k] = NULL;
  if (s->watched.n) sl__table_free(&s->watched);
  if (s->undef.n) sl__table_free(&s->undef);
  sl__async_free(s->async);
  s->async = NULL;
  s->n_undef = 0;
  sl__trips_begin(s, b->grid);
  sl__zones_begin(s, b);
}

void sl__see_block(sl_block *b) {
  sl_seen_grid *g = b->grid->seen;
  if (!g) return;
  b->seen = g->pool ? g->pool : make_seen(b);
  if (g->pool) g->pool = g->pool->next;
  reset_seen(b->seen, b);
}

void sl__see_block_end(sl_block *b) {
  if (!b->seen) return;
  sl__trips_end(b->seen, b->grid);
  b->seen->next = b->grid->seen->pool, b->grid->seen->pool = b->seen;
  b->seen = NULL;
}

static void free_seen(sl_seen_block *s) {
  uint32_t n_warps = s->time.n_warps;
  sl__time_fini(&s->time);
  for (uint32_t k = 0; k < s->n_pages; k++) sl__page_free(&s->pages[k]);
  for (uint32_t k = 0; k < n_warps; k++) free(s->local_init[k]);
  free(s->pages), free(s->shared_init), free(s->local_init), free(s->local_stride), free(s->trips);
  sl__table_free(&s->watched), sl__table_free(&s->undef);
  sl__async_free(s->async);
  free(s->turns);
  free(s);
}

void sl__see_launch_end(sl_grid *g) {
  sl_flag *f;
  size_t at = 0;
  if (!g->seen) return;
  for (sl_seen_block *s = g->seen->pool, *next; s; s = next) next = s->next, free_seen(s);
  while ((f = sl__table_next(&g->seen->flags, &at))) sl__known_drop(f->rel[0]), sl__known_drop(f->rel[1]);
  sl__table_free(&g->seen->flags), sl__table_free(&g->seen->posts), sl__table_free(&g->seen->reports);
  sl__table_free(&g->seen->undef);
  sl__readonly_end(g->seen);
  sl__stale_end(g);
  for (uint32_t e = 0; e < SL_ENDED; e++) free(g->seen->ended[e]);
  free(g->seen);
  g->seen = NULL;
}

// Barriers --------------------------------------------------------------------------------------------------

void sl__see_arrive(sl_warp *w, uint8_t id, bool waits) {
  sl_seen_block *s = w->block->seen;
  s->time.bars[id].there |= 1u << w->id;
  if (waits) s->time.bars[id].sync |= 1u << w->id;
}

void sl__see_open(sl_block *b, uint8_t id, uint32_t expected) {
  sl_block_time *t = &b->seen->time;
  if (!id && !expected && b->grid->seen->checks & SL_CHECK_BARRIER_MASK) sl__align_open(b);
  uint32_t all = b->n_warps >= 32 ? SL_FULL : (1u << b->n_warps) - 1;
  if (!expected || t->bars[id].sync == all) sl__time_barrier(t);
  else sl__time_part_barrier(t, t->bars[id].sync, t->bars[id].there);
  t->bars[id].sync = t->bars[id].there = 0;
}

void sl__see_warp_sync(sl_warp *w, uint32_t lanes) { sl__time_warp(&w->block->seen->time, w->id, lanes); }
