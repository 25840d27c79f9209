// How long a launch takes by its waits alone: its critical path, in cycles.
//
// Interface: sl__path_launch, sl__path_look, sl__path_update, sl__path_store, sl__path_block_end (core.h);
// warp.c adds up costs, op_bar.c lets warps wait for each other.
//
// Every warp has a clock that begins at 0 with its block. A piece of code costs what a warp alone needs for
// it: its steps, or the longest chain of latencies in it, so loads on their way together cost one latency.
// These costs are known before the launch: costs[pc] is the sum over the code before pc, so code in a row
// costs one subtraction. At a barrier all warps get the clock of the last one.
//
// Blocks wait for each other through words of global memory. A strong store or an update leaves its time at
// the word (a stamp). A warp that reads the word with a strong load, or takes its old value with an atomic,
// cannot go on before that time plus the way of the message. Then a chain of blocks that wait for each other
// takes the sum of its links, although here the blocks run one after the other and nobody waits.
//
// * A loop that polls counts once: how often it turns depends on the simulation. The sectors that it loads
//   count once, too.
// * Additions, maxima and the like commute, so blocks may make them in another order than here. A block's
//   first update of a word waits for the first ones of others there, its second for their second ones: turns
//   of a barrier of the grid stay apart, and a block that counts alone waits for nobody. A block that only
//   polls such a word waits for its own turn.
// * A block may write its word again and again, as a look-back does: its own sum first, then the sum of all
//   before it. The simulation shows the last value; a GPU would have shown the first one, and the reader
//   would have gone on with it. So a block that reads a word for the first time waits for the writer's first
//   store; one that has read it before, or takes a lock, waits for the last one.
// * A warp's updates at many words at once are counts, not messages: only its first lane leaves a stamp.
//
// The path is a lower bound: of flags in shared memory and of weak visibility it knows nothing. Where the
// result of a launch says nothing about order, the path is the longest block's. Workers of a launch on
// several cores leave no stamps: their blocks look at no word of others (parallel_code.c), and wait for none.
#include "engine/path.h"

// Words that blocks pass to each other ----------------------------------------------------------------------

// Kept for the device; [launch] tells whose it is. Words share places: another word's stamp ends the first.
enum { STAMPS = 1 << 15, TURNS_KEPT = 4 };
typedef struct sl_stamp {
  const uint8_t *word;
  uint64_t launch, block, last,
      first; // times of the last store or update, and of the first one of [block] in a row
  struct {
    uint64_t time; // the latest of the blocks' updates with this number
    uint32_t number;
  } turn[TURNS_KEPT];
} sl_stamp;

void sl__path_gone(sl_gpu *g) { free(g->stamps); }

static bool is_global(const sl_warp *w, const uint8_t *p) {
  const sl_memory *m = &w->grid->gpu->mem;
  return (uintptr_t)p - (uintptr_t)m->map < m->size;
}

static sl_stamp *place_of(const sl_warp *w, const uint8_t *p) {
  return &w->grid->gpu->stamps[sl__mix((uintptr_t)p) % STAMPS];
}

static const sl_stamp *stamp_at(const sl_warp *w, const uint8_t *p) {
  if (!w->grid->gpu->stamps) return NULL;
  const sl_stamp *s = place_of(w, p);
  return s->word == p && s->launch == w->grid->gpu->launches ? s : NULL;
}

// How often the warp's block has updated the word; [more]: counts one more.
static uint32_t updates_of(sl_block *b, const uint8_t *p, uint32_t more) {
  uint32_t k = 0;
  while (k < SL_UPDATES && k < b->n_updates && b->updates[k].word != p) k++;
  if (k < SL_UPDATES && k < b->n_updates) return b->updates[k].n += more;
  if (!more) return 0;
  k = b->n_updates++ % SL_UPDATES;
  b->updates[k].word = p;
  return b->updates[k].n = more;
}

static sl_stamp *stamp_to_leave(sl_warp *w, const uint8_t *p) {
  sl_gpu *g = w->grid->gpu;
  if (!is_global(w, p) || w->grid->worker) return NULL;
  if (!g->stamps && !(g->stamps = calloc(STAMPS, sizeof *g->stamps))) return NULL;
  sl_stamp *s = place_of(w, p);
  if (!stamp_at(w, p)) *s = (sl_stamp){.word = p, .launch = g->launches, .block = UINT64_MAX};
  return s;
}

static void stamp_store(sl_warp *w, const uint8_t *p, uint64_t now) {
  sl_stamp *s = stamp_to_leave(w, p);
  if (!s) return;
  s->last = now;
  if (s->block != w->block->linear) s->first = now;
  s->block = w->block->linear;
}

static void stamp_update(sl_warp *w, const uint8_t *p, uint64_t now) {
  sl_stamp *s = stamp_to_leave(w, p);
  if (!s) return;
  const uint32_t number = updates_of(w->block, p, 1), at = number % TURNS_KEPT;
  if (s->last < now) s->last = now;
  if (s->first < now && s->block != w->block->linear) s->first = now;
  s->block = w->block->linear;
  if (s->turn[at].number < number) s->turn[at].number = number, s->turn[at].time = now;
  else if (s->turn[at].number == number && s->turn[at].time < now) s->turn[at].time = now;
}

// The time of the blocks' updates with this number; 0: not known.
static uint64_t turn_of(const sl_stamp *s, uint32_t number) {
  const uint32_t at = number % TURNS_KEPT;
  return s->turn[at].number == number ? s->turn[at].time : 0;
}

static void wait_until(sl_cwarp *c, uint64_t now, uint64_t then) {
  if (then <= now) return;
  c->base += then - now;
  c->waited += then - now;
}

// Goes back to when the warp first looked at this place, if it has done nothing since that others can see.
// True: it has looked there before it did something.
static bool poll_once(sl_cwarp *c, const sl_xinsn *i, const uint8_t *p) {
  const uint32_t pc = sl__pc(&c->w, i);
  const uint64_t now = sl__path_now(&c->w, i), at = (uintptr_t)p;
  bool again = false;
  if (!c->polls && !(c->polls = calloc(SL_POLLS, sizeof *c->polls))) return false;
  for (uint32_t k = 0; k < SL_POLLS && k < c->n_polls; k++) {
    sl_poll *l = &c->polls[k];
    if (l->at != at) continue;
    again |= l->again || l->acted != c->acted;
    if (l->pc != pc || l->acted != c->acted) continue;
    if (l->time < now) c->base -= now - l->time, c->waited = l->waited;
    return l->again;
  }
  c->polls[c->n_polls++ % SL_POLLS] = (sl_poll){pc, c->acted, at, now, c->waited, 0, again};
  return again;
}

// The time of the message that a reader waits for.
static uint64_t message_at(const sl_warp *w, const uint8_t *p, bool again) {
  const sl_stamp *s = stamp_at(w, p);
  if (!s) return 0;
  const uint32_t own = updates_of(w->block, p, 0);
  if (own) return turn_of(s, own);
  return s->block == w->block->linear ? 0 : again ? s->last : s->first;
}

static uint64_t latest(const sl_warp *w, uint8_t *const *p, bool again) {
  uint64_t time = 0;
  SL_FOR_LANES(l, w->mask) {
    const uint64_t t = message_at(w, p[l], again);
    if (time < t) time = t;
  }
  return time;
}

// Which places the lanes look at. Others behind a barrier of the block: warps may have left values there.
static uint64_t places_of(const sl_warp *w, uint8_t *const *p) {
  uint64_t all = (uint64_t)w->block->phase << 32 | w->mask;
  SL_FOR_LANES(l, w->mask) all = sl__mix(all ^ (uintptr_t)p[l]);
  return all;
}

// Has the warp looked at other places, or done something, since it was last here? Behind poll_once.
static bool is_news(sl_cwarp *c, uint32_t pc, const uint8_t *first, uint64_t places) {
  for (uint32_t k = 0; k < SL_POLLS && k < c->n_polls; k++) {
    sl_poll *l = &c->polls[k];
    if (l->pc != pc || l->acted != c->acted || l->at != (uintptr_t)first) continue;
    const bool news = l->places != places;
    l->places = places;
    return news;
  }
  return true;
}

bool sl__path_look(sl_warp *w, const sl_xinsn *i, uint8_t *const *p) {
  if (!w->mask) return true;
  const uint8_t *first = p[__builtin_ctz(w->mask)];
  const uint64_t time = latest(w, p, poll_once(sl__core(w), i, first));
  if (time) wait_until(sl__core(w), sl__path_now(w, i) + FROM_L2, time + MESSAGE);
  return is_news(sl__core(w), sl__pc(w, i), first, places_of(w, p));
}

void sl__path_store(sl_warp *w, const sl_xinsn *i, uint8_t *const *p) {
  sl__core(w)->acted++;
  SL_FOR_LANES(l, w->mask) stamp_store(w, p[l], sl__path_now(w, i));
}

// Takes a lock: waits for whoever had it last.
static void exchange(sl_warp *w, const sl_xinsn *i, const uint8_t *p, bool changed) {
  const sl_memop *op = i->ext;
  if (op->read) {
    poll_once(sl__core(w), i, p);
    const sl_stamp *s = stamp_at(w, p);
    if (s && s->block != w->block->linear)
      wait_until(sl__core(w), sl__path_now(w, i) + AT_L2, s->last + MESSAGE);
  }
  sl__core(w)->acted += changed;
  if (changed) stamp_store(w, p, sl__path_now(w, i));
}

// Additions and the like meet at the word: one only comes after the other, and no message goes from block to
// block. One that adds nothing reads.
static void add(sl_warp *w, const sl_xinsn *i, uint8_t *const *p, bool changed) {
  const uint8_t *word = p[__builtin_ctz(w->mask)];
  const sl_memop *op = i->ext;
  if (!changed && op->read) sl__path_look(w, i, p);
  if (!changed) return;
  const sl_stamp *s = stamp_at(w, word);
  const uint64_t before = s ? turn_of(s, updates_of(w->block, word, 0) + 1) : 0;
  if (op->read) wait_until(sl__core(w), sl__path_now(w, i), before);
  sl__core(w)->acted++;
  stamp_update(w, word, sl__path_now(w, i));
}

void sl__path_update(sl_warp *w, const sl_xinsn *i, uint8_t *const *p, bool changed) {
  const sl_memop *op = i->ext;
  if (i < w->grid->code || i >= w->grid->code + w->grid->m->n_code) return; // an element of a vector
  if (op->orders) exchange(w, i, p[__builtin_ctz(w->mask)], changed);
  else add(w, i, p, changed);
}

// Blocks ----------------------------------------------------------------------------------------------------

// Adds to the counters what the block's warps did.
void sl__path_block_end(sl_block *b) {
  uint64_t time = 0, waited = 0;
  sl_counters *to = b->grid->cnt;
  if (!b->grid->counting) return;
  for (uint32_t k = 0; k < b->n_warps; k++) {
    const sl_cwarp *c = &b->warps[k];
    if (time < c->time) time = c->time;
    if (waited < c->waited) waited = c->waited;
    if (to->longest_warp < c->executed) to->longest_warp = c->executed;
  }
  to->blocks++;
  if (!b->grid->costs) return;
  to->block_cycles += time - waited;
  if (to->path < time) to->path = time;
}
