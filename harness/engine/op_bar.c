// Barriers of a block (bar, barrier: sync, arrive, red), of a warp (bar.warp.sync), and fences.
//
// Arrivals are counted by thread, so a barrier may be reached from several places, by parts of a warp.
// Without a thread count it opens when all threads of the block that have not ended are there. With a count,
// a whole warp counts as 32 threads. Memory is always in order here, so fences cost nothing.
#include "engine/probe.h"

enum { BAR_SYNC, BAR_ARRIVE, BAR_RED_POPC, BAR_RED_AND, BAR_RED_OR };

static void wake(sl_block *b, uint8_t id, uint32_t result, uint64_t time) {
  b->parked = 0;
  for (uint32_t k = 0; k < b->n_warps; k++) {
    sl_cwarp *c = &b->warps[k];
    for (uint32_t s = 0; s < c->n_splits; s++)
      if (c->splits[s].state == SL_AT_BARRIER && c->splits[s].barrier == id) {
        c->splits[s].state = SL_READY;
        c->splits[s].released = c->splits[s].need; // bar.red: executes again to take its result
        c->splits[s].result = result;
        if (c->time < time) c->time = time;
      }
  }
}

static uint32_t result_of(const sl_barrier *bar, uint32_t kind) {
  return kind == BAR_RED_POPC  ? bar->popc
         : kind == BAR_RED_AND ? bar->all
         : kind == BAR_RED_OR  ? bar->any
                               : 0;
}

// The clock of the warp that came last is that of all (path.c). [time]: of those that do not wait here.
static uint64_t latest_arrival(const sl_block *b, uint8_t id, uint64_t time) {
  if (time < b->bars[id].time) time = b->bars[id].time;
  for (uint32_t k = 0; k < b->n_warps; k++) {
    const sl_cwarp *c = &b->warps[k];
    for (uint32_t s = 0; s < c->n_splits; s++)
      if (c->splits[s].state == SL_AT_BARRIER && c->splits[s].barrier == id && time < c->time) time = c->time;
  }
  return time;
}

// [time]: the clock of the warp that came last.
static void open_barrier(sl_block *b, uint8_t id, uint64_t time) {
  sl_barrier *bar = &b->bars[id];
  uint32_t result = result_of(bar, bar->kind);
  if (b->grid->heard) sl__probes_open(b, id, bar->expected);
  b->met = bar->expected ? b->n_threads : b->live_threads;
  memset(bar, 0, sizeof *bar);
  if (id == SL_CLUSTER_BARRIER) memset(b->cluster_there, 0, sizeof b->cluster_there);
  b->phase++;
  b->grid->writes++;
  if (b->grid->cnt) b->grid->cnt->barriers++;
  wake(b, id, result, time + sl__path_barrier(b));
}

static bool complete(const sl_block *b, const sl_barrier *bar) {
  return bar->busy && bar->arrived >= (bar->expected ? bar->expected : b->live_threads);
}

void sl__barrier_exit(sl_block *b) {
  for (uint8_t id = 0; id < SL_BARRIERS; id++)
    if (b->bars[id].busy && !b->bars[id].expected && b->live_threads && complete(b, &b->bars[id]))
      open_barrier(b, id, latest_arrival(b, id, 0));
}

// Opens it for a warp that goes on at once.
static void open_and_go_on(sl_warp *w, const sl_xinsn *i, uint8_t id) {
  uint64_t time = 0;
  if (w->grid->costs) {
    const uint64_t now = sl__path_now(w, i);
    time = latest_arrival(w->block, id, now);
    sl__core(w)->base += time + sl__path_barrier(w->block) - now;
  }
  open_barrier(w->block, id, time);
}

// Adds the lanes of the warp. True: that opened the barrier.
static bool arrive_at_barrier(sl_warp *w, const sl_xinsn *i, uint8_t id, uint32_t expected, uint32_t kind,
                              uint32_t pred) {
  sl_barrier *bar = &w->block->bars[id];
  if (!bar->busy) *bar = (sl_barrier){.busy = true, .all = true, .expected = expected};
  if (w->grid->heard) sl__probes_arrive(w, &(sl_arrive){i, expected, id, kind != BAR_ARRIVE});
  if (kind == BAR_ARRIVE && w->grid->costs && bar->time < sl__path_now(w, i)) bar->time = sl__path_now(w, i);
  if (kind != BAR_ARRIVE) bar->kind = kind;
  bar->arrived += expected && w->mask == w->live ? SL_LANES : sl__n_lanes(w->mask);
  if (pred & w->mask) bar->popc += sl__ones(pred & w->mask);
  bar->all = bar->all && !(~pred & w->mask);
  bar->any = bar->any || (pred & w->mask);
  return complete(w->block, bar);
}

static bool barrier_id(sl_warp *w, const sl_xinsn *i, uint8_t *id, uint32_t *expected) {
  int first = __builtin_ctz(w->mask);
  uint32_t b = sl__u32(w, i->s[0])[first], n = i->s[1] == SL_NO_SLOT ? 0 : sl__u32(w, i->s[1])[first];
  *id = (uint8_t)b, *expected = n;
  if (b < 16 && n <= 1024 && n % 32 == 0) return true;
  sl__finding_at(w, i, first, SL_FOUND_BARRIER_INVALID,
                 "barrier %u for %u threads (barriers are 0 to 15, counts multiples of 32)", b, n);
  return false;
}

static sl_step wait_here(sl_warp *w, uint32_t pc, uint8_t id, bool again) {
  sl_split *s = sl__split(w);
  w->pc = pc;
  s->state = SL_AT_BARRIER;
  s->barrier = id;
  s->need = again;
  s->released = false;
  return SL_STEP_WAIT;
}

static sl_step bar_sync(sl_warp *w, const sl_xinsn *i) {
  uint8_t id;
  uint32_t expected;
  if (!barrier_id(w, i, &id, &expected)) return SL_STEP_FAULT;
  if (!arrive_at_barrier(w, i, id, expected, BAR_SYNC, 0)) return wait_here(w, sl__pc(w, i) + 1, id, false);
  open_and_go_on(w, i, id);
  return SL_STEP;
}

static sl_step bar_arrive(sl_warp *w, const sl_xinsn *i) {
  uint8_t id;
  uint32_t expected;
  if (!barrier_id(w, i, &id, &expected)) return SL_STEP_FAULT;
  if (arrive_at_barrier(w, i, id, expected, BAR_ARRIVE, 0))
    open_barrier(w->block, id, latest_arrival(w->block, id, 0));
  return SL_STEP;
}

static void put_result(sl_warp *w, const sl_xinsn *i, uint32_t result) {
  if (i->aux != BAR_RED_POPC) {
    sl__set_pred(w, i->d, result ? SL_FULL : 0);
    return;
  }
  uint32_t v[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) v[l] = result;
  sl__put32(w, i->d, v);
}

static sl_step bar_red(sl_warp *w, const sl_xinsn *i) {
  uint8_t id;
  uint32_t expected;
  sl_split *s = sl__split(w);
  if (s->released) {
    s->released = false;
    put_result(w, i, s->result);
    return SL_STEP;
  }
  if (!barrier_id(w, i, &id, &expected)) return SL_STEP_FAULT;
  if (!arrive_at_barrier(w, i, id, expected, i->aux, sl__pred_src(w, i, 2))) {
    sl__uncount(w, w->mask);
    return wait_here(w, sl__pc(w, i), id, true);
  }
  put_result(w, i, result_of(&w->block->bars[id], i->aux));
  open_and_go_on(w, i, id);
  return SL_STEP;
}

// A barrier of the cluster, which is this block. Arrive and wait are separate instructions. A lane waits
// until the phase in which it arrived has ended; others may be in the next phase already.
static sl_step cluster_arrive(sl_warp *w, const sl_xinsn *i) {
  w->block->cluster_there[w->id] |= w->mask;
  if (arrive_at_barrier(w, i, SL_CLUSTER_BARRIER, 0, BAR_SYNC, 0)) open_and_go_on(w, i, SL_CLUSTER_BARRIER);
  return SL_STEP;
}

static sl_step cluster_wait(sl_warp *w, const sl_xinsn *i) {
  uint32_t waits = w->mask & w->block->cluster_there[w->id], pass = w->mask & ~waits;
  if (!waits) return SL_STEP;
  if (pass) sl__fork(w, pass, sl__pc(w, i) + 1);
  return wait_here(w, sl__pc(w, i) + 1, SL_CLUSTER_BARRIER, false);
}

static sl_step bar_warp(sl_warp *w, const sl_xinsn *i) {
  return sl__warp_barrier(w, i, sl__u32(w, i->s[0])[__builtin_ctz(w->mask)]);
}

static bool source(sl_decoder *dc, const sl_ptx_insn *in, uint32_t k, sl_slot *out) {
  return sl__src(dc, &in->ops[k], SL_M_u32, out);
}

static bool decode_red(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  uint32_t last = in->n_ops - 1u;
  if (in->n_ops < 3 || !sl__dst(dc, &in->ops[0], &x->d) || !source(dc, in, 1, &x->s[0]) ||
      !sl__src_pred(dc, &in->ops[last], 2, x))
    return false;
  x->fn = bar_red;
  x->aux = sl_ptx_has_mod(in, SL_M_popc)  ? BAR_RED_POPC
           : sl_ptx_has_mod(in, SL_M_and) ? BAR_RED_AND
                                          : BAR_RED_OR;
  return in->n_ops < 4 || source(dc, in, 2, &x->s[1]);
}

static bool decode_barrier(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  x->s[1] = SL_NO_SLOT;
  if (sl_ptx_has_mod(in, SL_M_cluster)) {
    x->fn = sl_ptx_has_mod(in, SL_M_arrive) ? cluster_arrive : cluster_wait;
    return true;
  }
  if (sl_ptx_has_mod(in, SL_M_warp)) {
    x->fn = bar_warp;
    return source(dc, in, 0, &x->s[0]);
  }
  if (sl_ptx_has_mod(in, SL_M_red)) return decode_red(dc, in, x);
  x->fn = sl_ptx_has_mod(in, SL_M_arrive) ? bar_arrive : bar_sync;
  if (x->fn == bar_arrive && in->n_ops != 2) return sl__refuse(dc, in, "bar.arrive needs a thread count");
  return in->n_ops >= 1 && source(dc, in, 0, &x->s[0]) && (in->n_ops < 2 || source(dc, in, 1, &x->s[1]));
}

bool sl__decode_bar(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  switch ((sl_ptx_op)in->op) {
  case SL_OP_bar:
  case SL_OP_barrier: return decode_barrier(dc, in, x);
  case SL_OP_membar:
  case SL_OP_fence:
  case SL_OP_griddepcontrol: x->fn = sl__nothing; return true;
  case SL_OP_mbarrier: return sl__decode_mbarrier(dc, in, x);
  default: return sl__refuse(dc, in, "this barrier is not supported (compile for compute_75)");
  }
}
