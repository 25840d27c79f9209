// Asynchronous copies that arrive as late as they may (--visibility weak): shared memory is old until a wait.
//
// The ordinary handler makes the copy. Then this file takes the bytes back and keeps them. They arrive when
// the thread waits for the group or, if the copy reports to an mbarrier, when anybody sees a phase of that
// mbarrier end. If nobody waits, they never arrive.
//
// Interface: the functions of weak.h sl__late_*; op_weak.c puts them before the handlers.
#include "engine/weak.h"

enum { PIECE = SL_BULK_PIECE };

typedef struct sl_copied {
  // at: in shared memory; object: offset of the mbarrier + 1, 0: none
  uint32_t at, bytes, thread, group, object;
  uint8_t is[PIECE], was[PIECE];
} sl_copied;

struct sl_late {
  sl_copied *copy; // as they were begun
  size_t n, cap;
  uint32_t open[32 * SL_LANES]; // by thread: the group that its next copy joins
};

static sl_late *made(sl_block *b) {
  if (!b->late) b->late = sl_must(calloc(1, sizeof *b->late));
  return b->late;
}

static void put_aside(sl_block *b, const sl_copied *c) {
  sl_late *k = b->late;
  if (k->n == k->cap) {
    k->cap = k->cap ? 2 * k->cap : 256;
    if (!(k->copy = realloc(k->copy, k->cap * sizeof *k->copy))) abort();
  }
  k->copy[k->n] = *c;
  memcpy(k->copy[k->n++].was, b->shared + c->at, c->bytes);
}

// The offset of the lane's access in shared memory; an offset beyond its end if the access is elsewhere.
static uint32_t shared_offset(const sl_warp *w, const sl_xinsn *x, int l) {
  const sl_memop *op = x->ext;
  uint64_t a = (op->addr32 ? sl__u32(w, x->s[0])[l] : sl__u64(w, x->s[0])[l]) + (uint64_t)x->imm;
  if (op->addr32) a = (uint32_t)a;
  if (!op->addr32 && op->space != SL_SP_SHARED) a -= SL_SHARED_BASE;
  return a < w->block->shared_bytes ? (uint32_t)a : w->block->shared_bytes;
}

static void begin_late(sl_warp *w, const sl_xinsn *to, int l, uint32_t bytes, uint32_t object) {
  sl_block *b = w->block;
  uint32_t t = 32 * w->id + (uint32_t)l, first = shared_offset(w, to, l);
  if (bytes > b->shared_bytes - first) bytes = b->shared_bytes - first; // the handler refuses it
  for (uint32_t at = 0; at < bytes; at += PIECE) {
    uint32_t part = bytes - at < PIECE ? bytes - at : PIECE;
    put_aside(b,
              &(sl_copied){
                  .at = first + at, .bytes = part, .thread = t, .group = b->late->open[t], .object = object});
  }
}

// Called after the handler: takes back the copies behind the first [before].
static sl_step take_back(sl_block *b, size_t before, sl_step st) {
  sl_late *k = b->late;
  if (st != SL_STEP) k->n = before;
  for (size_t j = before; j < k->n; j++) memcpy(k->copy[j].is, b->shared + k->copy[j].at, k->copy[j].bytes);
  for (size_t j = before; j < k->n; j++) memcpy(b->shared + k->copy[j].at, k->copy[j].was, k->copy[j].bytes);
  return st;
}

sl_step sl__late_copy(sl_warp *w, const sl_xinsn *i, sl_op_fn fn) {
  const sl_copy *c = i->ext;
  size_t before = made(w->block)->n;
  SL_FOR_LANES(l, w->mask) begin_late(w, &c->to, l, c->bytes, 0);
  return take_back(w->block, before, fn(w, i));
}

sl_step sl__late_bulk(sl_warp *w, const sl_xinsn *i, sl_op_fn fn) {
  const sl_bulk *b = i->ext;
  size_t before = made(w->block)->n;
  SL_FOR_LANES(l, b->has_object && !b->combine ? w->mask : 0) {
    begin_late(w, &b->copy.to, l, sl__u32(w, b->copy.size)[l], shared_offset(w, &b->object, l) + 1);
  }
  return take_back(w->block, before, fn(w, i));
}

// Arrivals --------------------------------------------------------------------------------------------------

typedef bool (*sl_due_fn)(const sl_warp *w, const sl_copied *c, uint32_t which, const sl_xinsn *i);

static void arrive_late(sl_warp *w, const sl_xinsn *i, uint32_t which, sl_due_fn due) {
  sl_late *k = w->block->late;
  size_t kept = 0, n = k ? k->n : 0;
  for (size_t j = 0; j < n; j++) {
    if (due(w, &k->copy[j], which, i))
      memcpy(w->block->shared + k->copy[j].at, k->copy[j].is, k->copy[j].bytes);
    else k->copy[kept++] = k->copy[j];
  }
  if (kept == n) return;
  k->n = kept;
  w->grid->writes++;
}

static bool lane_of(const sl_warp *w, const sl_copied *c) {
  return c->thread / 32 == w->id && w->mask >> c->thread % 32 & 1;
}

static bool waited_for(const sl_warp *w, const sl_copied *c, uint32_t left, const sl_xinsn *) {
  return lane_of(w, c) && (left == SL_COPIES_ALL || c->group + left < w->block->late->open[c->thread]);
}

sl_step sl__late_group(sl_warp *w, const sl_xinsn *i, sl_op_fn fn) {
  const sl_ptx_insn *in = sl__insn_of(w->grid->m, i, NULL);
  if (sl_ptx_has_mod(in, SL_M_commit_group))
    SL_FOR_LANES(l, w->mask) made(w->block)->open[32 * w->id + l]++;
  else arrive_late(w, i, sl__copies_left(in), waited_for);
  return fn(w, i);
}

// cp.async.mbarrier.arrive: the object waits for the copies that the thread has begun.
sl_step sl__late_report(sl_warp *w, const sl_xinsn *i, sl_op_fn fn) {
  sl_late *k = made(w->block);
  for (size_t j = 0; j < k->n; j++)
    if (lane_of(w, &k->copy[j]) && !k->copy[j].object)
      k->copy[j].object = shared_offset(w, i, (int)(k->copy[j].thread % 32)) + 1;
  return fn(w, i);
}

static bool seen_to_end(const sl_warp *w, const sl_copied *c, uint32_t over, const sl_xinsn *i) {
  SL_FOR_LANES(l, c->object ? over : 0)
    if (shared_offset(w, i, l) + 1 == c->object) return true;
  return false;
}

sl_step sl__late_phase(sl_warp *w, const sl_xinsn *i, sl_op_fn fn) {
  sl_step st = fn(w, i);
  if (st == SL_STEP) arrive_late(w, i, sl__pred(w, i->d) & w->mask, seen_to_end);
  return st;
}

void sl__late_reset(sl_block *b) {
  if (b->late) b->late->n = 0, memset(b->late->open, 0, sizeof b->late->open);
}

void sl__late_free(sl_block *b) {
  if (b->late) free(b->late->copy);
  free(b->late);
}
