// mbarrier: barriers in shared memory that count arrivals and bytes still on their way, and
// cp.async.mbarrier.arrive. Interface: sl__decode_mbarrier, sl__mbar_bytes (op_bulk.c: a copy has arrived).
//
// The 64 bits of the object, opaque to programs: arrivals pending in the current phase, arrivals expected in
// the next, bytes pending (signed), the parity of the phase, and a mark that tells an initialised object from
// other memory. A phase ends when no arrival and no byte is pending; then the object counts anew. An arrival
// returns the object's old value, so a wait only compares parities. Nobody is suspended: a wait says at once
// whether the phase is over, and progress.c recognises a loop of waits as waiting.
#include "engine/core.h"

#define COUNT_MAX 0xfffffu
#define MARK 1u // 0: other memory; the pattern of fresh shared memory has 3

typedef union sl_mbar {
  uint64_t word;
  struct {
    uint64_t pending : 20, expected : 20;
    int64_t bytes : 21;
    uint64_t parity : 1, mark : 2;
  };
} sl_mbar;

// Where the operands are and what to do. The memop comes first, as observers read it there.
typedef struct sl_mbarop {
  sl_memop mem;
  bool drop, expects, completes; // arrive_drop; expect_tx; may end a phase
  uint32_t arrivals;             // 0: none; else one, or as many as the count says
  sl_slot count, bytes, state;   // SL_NO_SLOT: absent
} sl_mbarop;

static sl_step bad(sl_warp *w, const sl_xinsn *i, int lane, const char *what, uint64_t n) {
  sl__finding_at(w, i, lane, SL_FOUND_BARRIER_INVALID, "mbarrier: %s (%llu)", what, (unsigned long long)n);
  return SL_STEP_FAULT;
}

static void end_phase(sl_warp *w, sl_mbar *b) {
  if (b->pending || b->bytes) return;
  b->pending = b->expected;
  b->parity ^= 1;
  w->block->mbar_phases++;
  if (w->grid->cnt) w->grid->cnt->mbarrier_phases++;
}

// Without an operand a lane counts once.
static uint32_t count_of(const sl_warp *w, sl_slot s, int lane) {
  return s == SL_NO_SLOT ? 1 : sl__u32(w, s)[lane];
}

// The operands of a lane, checked against the object.
static sl_step update(sl_warp *w, const sl_xinsn *i, int l, sl_mbar *b) {
  const sl_mbarop *op = i->ext;
  uint32_t n = op->arrivals ? count_of(w, op->count, l) : 0;
  int64_t bytes = op->bytes == SL_NO_SLOT ? 0 : (int64_t)sl__u32(w, op->bytes)[l];
  if (b->mark != MARK)
    return bad(w, i, l, "the object was not initialised (mbarrier.init, or init() of cuda::barrier)",
               b->word);
  if (op->arrivals && (n == 0 || n > b->pending))
    return bad(w, i, l, "more arrivals than the phase still expects", n);
  bytes = b->bytes + (op->expects ? bytes : -bytes);
  if (bytes > (int64_t)COUNT_MAX || bytes < -(int64_t)COUNT_MAX)
    return bad(w, i, l, "too many bytes are pending", (uint64_t)bytes);
  b->bytes = bytes;
  b->pending -= n;
  if (op->drop) b->expected -= n;
  if (op->completes) end_phase(w, b);
  return SL_STEP;
}

static sl_step arrive_at_mbarrier(sl_warp *w, const sl_xinsn *i) {
  const sl_mbarop *op = i->ext;
  uint8_t *p[SL_LANES];
  uint64_t before[SL_LANES] = {0};
  if (!op->mem.resolve(w, i, p)) return SL_STEP_FAULT;
  SL_FOR_LANES(l, w->mask) {
    sl_mbar b;
    memcpy(&b, p[l], sizeof b);
    before[l] = b.word;
    if (update(w, i, l, &b) != SL_STEP) return SL_STEP_FAULT;
    memcpy(p[l], &b, sizeof b);
  }
  if (i->d != SL_NO_SLOT) sl__put64(w, i->d, before);
  w->grid->writes++;
  return SL_STEP;
}

static sl_step init(sl_warp *w, const sl_xinsn *i) {
  const sl_mbarop *op = i->ext;
  uint8_t *p[SL_LANES];
  if (!op->mem.resolve(w, i, p)) return SL_STEP_FAULT;
  SL_FOR_LANES(l, w->mask) {
    uint32_t n = count_of(w, op->count, l);
    if (n == 0 || n > COUNT_MAX) return bad(w, i, l, "the count of arrivals must be 1 to 1048575", n);
    sl_mbar b = {.pending = n, .expected = n, .mark = op->count == SL_NO_SLOT ? 0 : MARK};
    memcpy(p[l], &b, sizeof b);
  }
  w->grid->writes++;
  return SL_STEP;
}

// [state]: an arrival's result, or a parity (aux).
static sl_step test(sl_warp *w, const sl_xinsn *i) {
  const sl_mbarop *op = i->ext;
  uint8_t *p[SL_LANES];
  uint32_t over = 0;
  if (sl__looks_again(w, i)) return SL_STEP_YIELD;
  if (!op->mem.resolve(w, i, p)) return SL_STEP_FAULT;
  SL_FOR_LANES(l, w->mask) {
    sl_mbar b, s = {0};
    memcpy(&b, p[l], sizeof b);
    if (b.mark != MARK)
      return bad(w, i, l, "the object was not initialised (mbarrier.init, or init() of cuda::barrier)",
                 b.word);
    if (i->aux) s.parity = sl__u32(w, op->state)[l];
    else s.word = sl__u64(w, op->state)[l];
    over |= (uint32_t)(b.parity != s.parity) << l;
  }
  sl__set_pred(w, i->d, over);
  if (!over) sl__core(w)->fuel = 1; // soon checks whether this loop only waits
  return SL_STEP;
}

static SL_UNARY(pending_count, uint32_t, uint64_t, ((sl_mbar){.word = a}).pending)

// Copies are done at once. Without .noinc an arrival is added and made at once, so the object stays as it is.
void sl__mbar_text(const uint8_t *object, char *out, size_t cap) {
  sl_mbar b;
  memcpy(&b, object, sizeof b);
  snprintf(out, cap, "an mbarrier with %u arrivals and %lld bytes pending", (unsigned)b.pending,
           (long long)b.bytes);
}

bool sl__mbar_bytes(sl_warp *w, const sl_xinsn *i, int lane, uint8_t *p, uint32_t bytes) {
  sl_mbar b;
  memcpy(&b, p, sizeof b);
  if (b.mark != MARK) return bad(w, i, lane, "the object was not initialised", b.word), false;
  b.bytes -= bytes;
  end_phase(w, &b);
  memcpy(p, &b, sizeof b);
  return true;
}

// Decoding --------------------------------------------------------------------------------------------------

static sl_mbarop *object(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *mem, sl_xinsn *x) {
  sl_mbarop *op = sl__decode_alloc(dc, sizeof *op);
  sl_memop *m;
  sl_space sp = sl__space_mod(in);
  if (sl_ptx_has_mod(in, SL_M_async))
    sp = sl_ptx_has_mod(in, SL_M_shared) || sp == SL_SP_SHARED ? SL_SP_SHARED : SL_SP_NONE;
  if (!sl__decode_access(dc, in, mem, sp, x, &m)) return NULL;
  op->mem = *m;
  op->mem.bytes = op->mem.elem_bytes = 8;
  op->mem.write = op->mem.atomic = true;
  op->count = op->bytes = op->state = SL_NO_SLOT;
  x->ext = op;
  return op;
}

static bool number_operand(sl_decoder *dc, const sl_ptx_insn *in, uint32_t k, sl_slot *out) {
  return k >= in->n_ops || sl__src(dc, &in->ops[k], SL_M_u32, out);
}

// [state,] [object] {, bytes} {, count}
static bool decode_arrive(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  uint32_t at = in->n_ops && in->ops[0].kind != SL_O_MEM;
  sl_mbarop *op = in->n_ops > at ? object(dc, in, &in->ops[at], x) : NULL;
  if (!op) return false;
  bool expects = sl_ptx_has_mod(in, SL_M_expect_tx), completes = sl_ptx_has_mod(in, SL_M_complete_tx);
  op->drop = sl_ptx_has_mod(in, SL_M_arrive_drop);
  op->arrivals = op->drop || sl_ptx_has_mod(in, SL_M_arrive);
  op->expects = expects;
  op->completes = !sl_ptx_has_mod(in, SL_M_noComplete) && (op->arrivals || completes);
  x->fn = arrive_at_mbarrier;
  if (at && in->ops[0].kind != SL_O_SINK && !sl__dst(dc, &in->ops[0], &x->d)) return false;
  bool bytes = expects || completes;
  return number_operand(dc, in, at + 1, bytes ? &op->bytes : &op->count) &&
         (!bytes || number_operand(dc, in, at + 2, &op->count));
}

static bool decode_init(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  sl_mbarop *op = in->n_ops ? object(dc, in, &in->ops[0], x) : NULL;
  x->fn = init;
  return op && number_operand(dc, in, 1, &op->count);
}

static bool decode_test(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  sl_mbarop *op = in->n_ops > 2 ? object(dc, in, &in->ops[1], x) : NULL;
  if (!op) return false;
  x->fn = test;
  x->aux = sl_ptx_has_mod(in, SL_M_parity);
  op->mem.write = false;
  return sl__dst(dc, &in->ops[0], &x->d) &&
         sl__src(dc, &in->ops[2], x->aux ? SL_M_u32 : SL_M_b64, &op->state);
}

bool sl__decode_mbarrier(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  if (in->op == SL_OP_cp) {
    if (!decode_arrive(dc, in, x)) return false;
    if (!sl_ptx_has_mod(in, SL_M_noinc)) x->fn = sl__nothing;
    return true;
  }
  if (sl_ptx_has_mod(in, SL_M_init) || sl_ptx_has_mod(in, SL_M_inval)) return decode_init(dc, in, x);
  if (sl_ptx_has_mod(in, SL_M_test_wait) || sl_ptx_has_mod(in, SL_M_try_wait)) return decode_test(dc, in, x);
  if (sl_ptx_has_mod(in, SL_M_pending_count)) {
    x->fn = pending_count;
    return in->n_ops == 2 && sl__dst(dc, &in->ops[0], &x->d) && sl__src(dc, &in->ops[1], SL_M_b64, &x->s[0]);
  }
  return decode_arrive(dc, in, x);
}
