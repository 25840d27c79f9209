// race.async: shared memory that an asynchronous copy may still be writing to.
//
// cp.async and cp.async.bulk only begin a copy. The thread that began it may use the bytes once it has waited
// for the group (wait_group, wait_all), other threads after a barrier that follows. If the copy reports to an
// mbarrier, every thread that has seen the phase end may use them. Until then nobody may touch them, not even
// the thread that began the copy. This file notes each word of shared memory that is copied to. A wait turns
// the words of its groups into ordinary writes of the waiting thread at that moment, so race.c finds a
// missing barrier after it. A copy with an mbarrier becomes a fact that the phase publishes; a thread that
// touches the words must know it.
//
// Nobody may write what a bulk copy reads until its thread has waited (cp.async.bulk.wait_group).
//
// Interface: sl__probe_async sees copies, commits and waits; sl__async_attach and sl__async_publish, copies
// that report to an mbarrier. sl__async_access checks an access of shared memory for early lanes.
#include "observers/observers.h"

typedef struct sl_arrival { // a copy that a word of shared memory expects
  uint32_t pc, stamp;
  uint32_t group;  // number among its thread's groups, from 1; 0: nothing is under way
  uint32_t object; // the mbarrier that learns of it: offset + 1; 0: none so far
  uint32_t thread;
} sl_arrival;

typedef struct sl_begun { // words that the lanes of a warp copy to; another copy may have taken some since
  uint32_t *at;
  size_t n, cap;
} sl_begun;

typedef struct sl_moves { // copies of one direction, with their groups
  uint32_t under_way;     // words
  sl_arrival *word;
  uint32_t *open; // by thread: the group that its next copy joins
  sl_begun *of;   // by warp
} sl_moves;

struct sl_async {
  uint32_t n_words, n_warps;
  sl_moves in, out; // to shared memory; from shared memory, by bulk copies
};

static void make_moves(sl_moves *k, const sl_async *s) {
  uint32_t threads = s->n_warps * SL_LANES;
  k->word = sl_must(calloc(s->n_words, sizeof *k->word));
  k->open = sl_must(malloc(threads * sizeof *k->open));
  k->of = sl_must(calloc(s->n_warps, sizeof *k->of));
  for (uint32_t t = 0; t < threads; t++) k->open[t] = 1;
}

static sl_async *made(sl_block *b) {
  if (sl__seen_block(b)->async) return sl__seen_block(b)->async;
  sl_async *s = sl_must(calloc(1, sizeof *s));
  s->n_words = b->shared_all / 4 + 1, s->n_warps = b->n_warps;
  make_moves(&s->in, s), make_moves(&s->out, s);
  return sl__seen_block(b)->async = s;
}

static void free_moves(sl_moves *k, uint32_t n_warps) {
  for (uint32_t w = 0; w < n_warps; w++) free(k->of[w].at);
  free(k->word), free(k->open), free(k->of);
}

void sl__async_free(sl_async *s) {
  if (s) free_moves(&s->in, s->n_warps), free_moves(&s->out, s->n_warps);
  free(s);
}

static void remember(sl_begun *l, uint32_t word) {
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 64;
    if (!(l->at = realloc(l->at, l->cap * sizeof *l->at))) abort();
  }
  l->at[l->n++] = word;
}

static void end(sl_moves *k, sl_arrival *v) {
  k->under_way -= v->group != 0;
  *v = (sl_arrival){0};
}

static void begin_moves(const sl_access *a, const sl_async *s, sl_moves *k, uint32_t object) {
  SL_FOR_LANES(l, a->mask) {
    uint32_t t = sl__thread_of(a->w, l), first = (uint32_t)a->addr[l] / 4;
    for (uint32_t j = first; j < first + a->bytes / 4 && j < s->n_words; j++) {
      end(k, &k->word[j]);
      k->word[j] =
          (sl_arrival){a->pc, sl__seen_block(a->w->block)->time.now, object ? 1 : k->open[t], object, t};
      k->under_way++;
      if (!object) remember(&k->of[a->w->id], j);
    }
  }
}

static void see_copy(const sl_access *a, uint32_t object) {
  if (a->space != SL_SP_SHARED || !a->mask) return;
  sl_async *s = made(a->w->block);
  begin_moves(a, s, a->kind == SL_SEE_LOAD ? &s->out : &s->in, object);
}

// Makes the copy of a word an ordinary write by its thread, now.
static void write_now(sl_warp *w, const sl_arrival *v, uint32_t word) {
  sl_access a = {.w = w,
                 .i = &w->grid->code[v->pc],
                 .pc = v->pc,
                 .bytes = 4,
                 .kind = SL_SEE_COPY,
                 .space = SL_SP_SHARED};
  uint32_t lane = v->thread % SL_LANES;
  a.mask = 1u << lane, a.addr[lane] = 4ull * word;
  if (sl__seen_grid(w->grid)->checks & SL_CHECK_RACE_SHARED) sl__race_written(&a, lane);
}

// Called for each word that lanes have under way. True: it stays under way.
typedef bool (*sl_word_fn)(sl_warp *w, sl_arrival *v, uint32_t word, const void *ctx);
static void each_word(sl_warp *w, sl_moves *moves, uint32_t lanes, sl_word_fn fn, const void *ctx) {
  sl_begun *l = &moves->of[w->id];
  size_t kept = 0;
  for (size_t k = 0; k < l->n; k++) {
    sl_arrival *v = &moves->word[l->at[k]];
    if (!v->group || v->thread / SL_LANES != w->id) continue; // another copy has taken it
    bool mine = lanes >> v->thread % SL_LANES & 1;
    if (!mine || fn(w, v, l->at[k], ctx)) l->at[kept++] = l->at[k];
    else end(moves, v);
  }
  l->n = kept;
}

// Groups ----------------------------------------------------------------------------------------------------

typedef struct sl_waiting {
  const sl_moves *moves;
  uint32_t left; // how many younger groups may stay under way
} sl_waiting;

static bool waited_for(sl_warp *w, sl_arrival *v, uint32_t word, const void *ctx) {
  const sl_waiting *k = ctx;
  if (k->left != SL_COPIES_ALL && v->group + k->left >= k->moves->open[v->thread]) return true;
  if (k->moves == &sl__seen_block(w->block)->async->in) write_now(w, v, word);
  return false;
}

static void wait_or_commit(sl_warp *w, const sl_xinsn *i) {
  const sl_ptx_insn *in = sl__insn_of(w->grid->m, i, NULL);
  sl_async *s = made(w->block);
  sl_moves *k = sl_ptx_has_mod(in, SL_M_bulk) ? &s->out : &s->in;
  if (sl_ptx_has_mod(in, SL_M_commit_group)) {
    SL_FOR_LANES(l, w->mask) k->open[sl__thread_of(w, l)]++;
  } else {
    each_word(w, k, w->mask, waited_for, &(sl_waiting){k, sl__copies_left(in)});
    sl__seen_block(w->block)->time.now++;
  }
}

// mbarriers -------------------------------------------------------------------------------------------------

static bool reports_to(sl_warp *w, sl_arrival *v, uint32_t word, const void *ctx) {
  const sl_access *a = ctx;
  if (v->object) return true;
  v->object = (uint32_t)a->addr[v->thread % SL_LANES] + 1;
  v->stamp = sl__seen_block(w->block)->time.now;
  write_now(w, v, word);
  return true;
}

// cp.async.mbarrier.arrive: the mbarriers at [a] will report the copies that its threads have begun so far.
void sl__async_attach(const sl_access *a) {
  if (sl__seen_grid(a->w->grid)->checks & SL_CHECK_RACE_ASYNC)
    each_word(a->w, &made(a->w->block)->in, a->mask, reports_to, a);
}

// The current phase of the mbarrier at [addr] will publish its copies: [f] collects them.
void sl__async_publish(const sl_warp *w, uint64_t addr, sl_flag *f) {
  const sl_block_time *t = &sl__seen_block(w->block)->time;
  sl_fact fact = {t->block, SL_WHO_COPIES | (uint32_t)addr, t->now};
  sl_facts *k = sl__known_make(&fact, 1);
  for (int s = 0; s < 2; s++) sl__known_join(&f->rel[s], k);
  sl__known_drop(k);
}

// Accesses --------------------------------------------------------------------------------------------------

static void tell_async(const sl_access *a, uint32_t l, uint32_t word, const sl_moves *moves,
                       const sl_arrival *v) {
  const sl_block_time *t = &sl__seen_block(a->w->block)->time;
  uint32_t open = moves->open[v->thread];
  bool bulk = moves == &sl__seen_block(a->w->block)->async->out;
  bool own = v->thread == sl__thread_of(a->w, l), write = a->kind != SL_SEE_LOAD;
  sl_touch other = {
      .block = t->block, .thread = v->thread, .pc = v->pc & ((1u << 22) - 1), .stamp = v->stamp};
  char why[200], fix[240];
  if (v->object)
    snprintf(why, sizeof why,
             "The copy reports to an mbarrier, and this thread has not waited for the end of its phase"),
        snprintf(fix, sizeof fix,
                 "Wait for the phase first (mbarrier try_wait, or wait() of cuda::barrier), or pass a "
                 "barrier after a thread that has");
  else if (v->group == open)
    snprintf(why, sizeof why, "The copy belongs to no group yet, so no wait for groups has waited for it"),
        snprintf(fix, sizeof fix, "Commit it (%s), then wait for its group%s",
                 bulk ? "cp.async.bulk.commit_group" : "cp.async.commit_group, __pipeline_commit()",
                 own ? "" : ", then __syncthreads()");
  else
    snprintf(why, sizeof why,
             "The copy was committed, but its thread has not waited for it: a wait that leaves %u or more "
             "groups under way is not enough",
             open - v->group),
        snprintf(fix, sizeof fix,
                 bulk ? "Let the thread wait first: cp.async.bulk.wait_group.read %u%s"
                      : "Let the thread wait first: __pipeline_wait_prior(%u), cp.async.wait_group%s",
                 open - 1 - v->group, own ? "" : "; then __syncthreads()");
  sl__tell(&(sl_story){.id = SL_FOUND_RACE_ASYNC,
                       .a = a,
                       .lane = l,
                       .addr = 4ull * word,
                       .did = write ? SL_DID_WRITE : SL_DID_READ,
                       .other_did = SL_DID_BEGIN_COPY,
                       .other = &other,
                       .why = why,
                       .fix = fix});
}

static bool too_early(const sl_access *a, uint32_t l, const sl_arrival *v) {
  const sl_block_time *t = &sl__seen_block(a->w->block)->time;
  if (!v->group) return false;
  return !v->object || !sl__known_has(t->thread[sl__thread_of(a->w, l)].know, t->block,
                                      SL_WHO_COPIES | (v->object - 1), v->stamp);
}

static uint32_t early_lanes(const sl_access *a, sl_moves *moves, uint32_t n_words) {
  uint32_t early = 0;
  SL_FOR_LANES(l, moves->under_way ? a->mask : 0) {
    uint32_t first = (uint32_t)a->addr[l] / 4, last = (uint32_t)(a->addr[l] + a->bytes - 1) / 4;
    for (uint32_t k = first; k <= last && k < n_words; k++) {
      sl_arrival *v = &moves->word[k];
      if (too_early(a, l, v)) early |= 1u << l, tell_async(a, l, k, moves, v);
      else if (v->group && a->kind != SL_SEE_LOAD) end(moves, v); // overwritten
    }
  }
  return early;
}

uint32_t sl__async_access(const sl_access *a) {
  sl_async *s = sl__seen_block(a->w->block)->async;
  if (!s || a->space != SL_SP_SHARED) return 0;
  uint32_t early = early_lanes(a, &s->in, s->n_words);
  return a->kind == SL_SEE_LOAD ? early : early | early_lanes(a, &s->out, s->n_words);
}

static void async_before(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *) {
  if (p->kind == SL_SEE_ASYNC) wait_or_commit(w, i);
}

const sl_probe sl__probe_async = {.name = "async",
                                  .checks = SL_CHECK_RACE_ASYNC,
                                  .kinds = SL_SEES(ASYNC) | SL_SEES(COPY) | SL_SEES(BULK),
                                  .copy = see_copy,
                                  .before = async_before};
