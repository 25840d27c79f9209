// Tells listeners what instructions do: the handlers of SL_LAYER_EVENTS.
//
// Interface: sl__classify says which instructions have events, sl__emitter which handler emits them
// (probe.h). Addresses are computed here, once for all listeners. A copy is emitted as reads and writes.
#include "engine/probe.h"

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

// An arrival releases and a wait acquires, unless it says .relaxed. The other operations do neither.
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

static uint8_t flags_of(const sl_ptx_func *f, const sl_ptx_insn *in, uint8_t kind) {
  if (kind == SL_SEE_MBARRIER) return mbarrier_flags(in);
  uint8_t flags = sl__order_flags(in) | (kind == SL_SEE_RMW ? SL_IS_STRONG : 0);
  if (kind == SL_SEE_RMW && sl_ptx_does(in, SL_DOES_RESULT) && sl__is_read(f, &in->ops[0]))
    flags |= SL_IS_RESULT;
  if (kind == SL_SEE_RMW && sl_ptx_has_mod(in, SL_M_cas)) flags |= SL_IS_CAS;
  if (kind == SL_SEE_RMW && sl_ptx_has_mod(in, SL_M_exch)) flags |= SL_IS_EXCHANGE;
  if (kind == SL_SEE_LOAD && sl_ptx_has_mod(in, SL_M_nc)) flags |= SL_IS_CACHED;
  return flags;
}

void sl__classify(const sl_ptx_func *f, const sl_ptx_insn *in, sl_patch *p) {
  sl_space sp = sl__space_mod(in);
  p->kind = KINDS[sl_ptx_action(in)];
  if (SL_SEES_WORDS >> p->kind & 1 && (sp == SL_SP_PARAM || sp == SL_SP_CONST)) p->kind = SL_SEE_NOTHING;
  if (p->kind) p->flags = flags_of(f, in, p->kind);
}

// Addresses -------------------------------------------------------------------------------------------------

static uint8_t space_of(sl_warp *w, const sl_memop *op, int lane, uint64_t *a) {
  if (op->space != SL_SP_NONE) return op->space;
  if (*a - SL_SHARED_BASE < SL_WINDOW) {
    *a -= SL_SHARED_BASE;
    return SL_SP_SHARED;
  }
  if (*a - SL_LOCAL_BASE >= SL_WINDOW) return SL_SP_GLOBAL;
  *a -= sl__local_window(sl__core(w), lane);
  return SL_SP_LOCAL;
}

// Would the access succeed? If not, the engine reports it.
static bool is_inside(sl_warp *w, const sl_memop *op, uint8_t space, uint64_t a) {
  sl_range *r = &w->grid->cache[op->cache];
  if (a % op->bytes) return false;
  if (space == SL_SP_SHARED) return sl__in_shared(w->block, a, op->bytes);
  if (space == SL_SP_LOCAL) return a + op->bytes <= sl__local_size(sl__core(w));
  return (r->size >= op->bytes && a - r->base <= r->size - op->bytes) ||
         sl__range_lookup(w, r, a, op->bytes, op->write);
}

static bool in_a_row(const uint64_t *addr) {
  uint64_t bad = 0;
  for (uint64_t l = 0; l < SL_LANES; l++) bad |= addr[l] ^ (addr[0] + 4 * l);
  return !bad;
}

// Do [mask]'s lanes lie in base..base+limit, each at a multiple of the size? *apart: not all at one place.
static bool are_inside(const sl_access *a, uint64_t base, uint64_t limit, uint32_t bytes, bool *apart) {
  const uint64_t first = a->addr[__builtin_ctz(a->mask) % SL_LANES];
  uint64_t bad = 0, other = 0;
  for (int l = 0; l < SL_LANES; l++) {
    uint64_t lane = 0 - (uint64_t)((a->mask >> l) & 1);
    bad |= lane & ((a->addr[l] - base > limit) | (a->addr[l] & (bytes - 1)));
    other |= lane & (a->addr[l] ^ first);
  }
  *apart = other;
  return !bad;
}

// Handles all lanes at once, if the instruction names a space and everything lies inside it.
static bool all_in_one_space(sl_access *a) {
  const sl_memop *op = a->i->ext;
  sl_warp *w = a->w;
  uint64_t base = 0, limit;
  bool apart = true, inside;
  if (op->space == SL_SP_SHARED && op->addr32 && w->block->shared_bytes >= op->bytes)
    limit = w->block->shared_bytes - op->bytes;
  else if (op->space == SL_SP_GLOBAL && !op->addr32 && w->grid->cache[op->cache].size >= op->bytes)
    base = w->grid->cache[op->cache].base, limit = w->grid->cache[op->cache].size - op->bytes;
  else return false;
  a->space = op->space, a->mask = w->mask;
  const bool row = w->full && op->bytes == 4 && in_a_row(a->addr);
  if (row) inside = !(a->addr[0] % 4) && a->addr[0] - base <= limit && a->addr[SL_LANES - 1] - base <= limit;
  else inside = are_inside(a, base, limit, op->bytes, &apart);
  a->row = inside && row;
  a->one = inside && !apart && op->bytes == 4;
  return inside;
}

// Telling ---------------------------------------------------------------------------------------------------

static void tell_access(const struct sl_heard *h, const sl_access *a) {
  for (uint32_t k = 0; k < h->n_access; k++) h->access[k](a);
}

static void tell_request(const struct sl_heard *h, const sl_access *a, const uint64_t *addr) {
  for (uint32_t k = 0; k < h->n_request; k++) h->request[k](a->w, addr);
}

static __attribute__((noinline)) void tell_by_lane(const struct sl_heard *h, sl_access *a) {
  static const uint8_t spaces[] = {SL_SP_GLOBAL, SL_SP_SHARED, SL_SP_LOCAL};
  const sl_memop *op = a->i->ext;
  uint32_t masks[8] = {0};
  uint64_t generic[SL_LANES];
  memcpy(generic, a->addr, sizeof generic);
  SL_FOR_LANES(l, a->w->mask) {
    uint8_t sp = space_of(a->w, op, l, &a->addr[l]);
    if (sp == SL_SP_GLOBAL)
      a->addr[l] = sl__device_address(&a->w->grid->gpu->mem, a->w->grid->l->owner, a->addr[l]);
    if (is_inside(a->w, op, sp, a->addr[l])) masks[sp & 7] |= 1u << l;
  }
  for (size_t k = 0; k < sizeof spaces; k++) {
    a->space = spaces[k], a->mask = masks[spaces[k]];
    if (a->mask) tell_access(h, a);
  }
  a->space = SL_SP_SHARED, a->mask = masks[SL_SP_SHARED];
  tell_request(h, a, generic);
}

// Emits the access of [p], or [i]'s part of it. *a becomes its part in shared memory (mask 0: none).
static void tell_memory(sl_access *a, sl_warp *w, const sl_xinsn *i, const sl_patch *p, uint8_t kind,
                        uint8_t flags) {
  const struct sl_heard *h = &w->grid->heard->of[p->kind];
  a->w = w, a->i = i, a->pc = (uint32_t)(p - w->grid->m->patches);
  a->bytes = ((const sl_memop *)i->ext)->bytes;
  a->kind = kind, a->flags = flags;
  a->row = a->one = false;
  sl__addresses(w, i, a->addr);
  if (all_in_one_space(a)) tell_access(h, a), tell_request(h, a, a->addr);
  else tell_by_lane(h, a);
}

static sl_step go_on(sl_warp *w, const sl_xinsn *i) {
  return sl__patch_at(w, i)->below[SL_LAYER_EVENTS](w, i);
}

static sl_step emit_words(sl_warp *w, const sl_xinsn *i) {
  const sl_patch *p = sl__patch_at(w, i);
  sl_access a;
  a.at = 0;
  tell_memory(&a, w, i, p, p->kind, p->flags);
  return p->below[SL_LAYER_EVENTS](w, i);
}

// Emits the event before, runs the instruction, emits the event after.
static sl_step run_between(sl_warp *w, const sl_xinsn *i, const sl_access *a) {
  const sl_patch *p = sl__patch_at(w, i);
  const struct sl_heard *h = &w->grid->heard->of[p->kind];
  for (uint32_t k = 0; k < h->n_before; k++) h->before[k](w, i, p, a);
  sl_step st = p->below[SL_LAYER_EVENTS](w, i);
  for (uint32_t k = 0; k < h->n_after; k++) h->after[k](w, i, p, a, st);
  return st;
}

static sl_step emit_sync(sl_warp *w, const sl_xinsn *i) { return run_between(w, i, NULL); }

static sl_step emit_mbarrier(sl_warp *w, const sl_xinsn *i) {
  sl_access a;
  a.at = 0;
  tell_memory(&a, w, i, sl__patch_at(w, i), SL_SEE_MBARRIER, 0);
  return run_between(w, i, &a);
}

// Copies ----------------------------------------------------------------------------------------------------

static void tell_copy(const sl_access *a, uint32_t object) {
  const sl_listeners *h = a->w->grid->heard;
  for (uint32_t k = 0; k < h->n; k++)
    if (h->on[k]->copy) h->on[k]->copy(a, object);
}

// Each lane reads as much of a copy's source as it copies: all, a part, or nothing. The rest becomes zeros.
static void tell_source(sl_warp *w, const sl_xinsn *i, const sl_patch *p) {
  const sl_copy *c = i->ext;
  uint32_t whole = 0, all = w->mask;
  sl_access a;
  SL_FOR_LANES(l, all) whole |= (uint32_t)(sl__copy_reads(w, i, l) == c->bytes) << l;
  SL_FOR_LANES(l, all & ~whole) {
    sl__set_mask(w, 1u << l);
    for (uint32_t at = 0; at < sl__copy_reads(w, i, l); at++) {
      sl_copy_byte one;
      sl__copy_byte(&one, c, at);
      a.at = (uint8_t)at;
      tell_memory(&a, w, &one.from, p, SL_SEE_LOAD, 0);
    }
  }
  a.at = 0;
  sl__set_mask(w, whole);
  if (whole) tell_memory(&a, w, &c->from, p, SL_SEE_LOAD, 0);
  sl__set_mask(w, all);
}

static sl_step emit_copy(sl_warp *w, const sl_xinsn *i) {
  const sl_copy *c = i->ext;
  sl_access a;
  a.at = 0;
  tell_source(w, i, sl__patch_at(w, i));
  tell_memory(&a, w, &c->to, sl__patch_at(w, i), SL_SEE_COPY, 0);
  tell_copy(&a, 0);
  return go_on(w, i);
}

static void tell_pieces(sl_warp *w, const sl_bulk *b, const sl_patch *p, uint32_t bytes, uint32_t object) {
  sl_xinsn from = b->copy.from, to = b->copy.to;
  sl_access a;
  a.at = 0;
  for (uint32_t at = 0; at < bytes; at += SL_BULK_PIECE) {
    from.imm = b->copy.from.imm + at, to.imm = b->copy.to.imm + at;
    tell_memory(&a, w, &from, p, SL_SEE_LOAD, 0);
    if (!b->has_object) tell_copy(&a, 0);
    tell_memory(&a, w, &to, p, b->combine ? SL_SEE_RMW : SL_SEE_COPY, 0);
    if (object) tell_copy(&a, object);
  }
}

// The mbarrier that learns of the copy: offset + 1; 0: none.
static uint32_t object_of(const sl_warp *w, const sl_bulk *b, int l) {
  if (!b->has_object) return 0;
  const sl_memop *op = b->object.ext;
  uint64_t reg = op->addr32 ? sl__u32(w, b->object.s[0])[l] : sl__u64(w, b->object.s[0])[l];
  return (uint32_t)(reg + (uint64_t)b->object.imm - (op->addr32 ? 0 : SL_SHARED_BASE)) + 1;
}

static sl_step emit_bulk(sl_warp *w, const sl_xinsn *i) {
  const sl_bulk *b = i->ext;
  uint32_t all = w->mask;
  sl_access a = {0};
  SL_FOR_LANES(l, all) {
    sl__set_mask(w, 1u << l);
    tell_pieces(w, b, sl__patch_at(w, i), sl__u32(w, b->copy.size)[l], object_of(w, b, l));
  }
  sl__set_mask(w, all);
  if (b->has_object) tell_memory(&a, w, &b->object, sl__patch_at(w, i), SL_SEE_MBARRIER, 0);
  return run_between(w, i, &a);
}

sl_op_fn sl__emitter(uint8_t kind) {
  static const sl_op_fn emitters[SL_SEE_KINDS] = {
      [SL_SEE_LOAD] = emit_words,    [SL_SEE_STORE] = emit_words,       [SL_SEE_RMW] = emit_words,
      [SL_SEE_COPY] = emit_copy,     [SL_SEE_FENCE] = emit_sync,        [SL_SEE_WARP] = emit_sync,
      [SL_SEE_WARP_BAR] = emit_sync, [SL_SEE_MBARRIER] = emit_mbarrier, [SL_SEE_BULK] = emit_bulk,
      [SL_SEE_ASYNC] = emit_sync,    [SL_SEE_BACK] = emit_sync,         [SL_SEE_CONSTANT] = emit_sync};
  return emitters[kind];
}
