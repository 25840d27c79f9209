// The order of accesses (happened before) among the threads of one block, and what they know of other blocks.
//
// Every observed instruction of a block gets a stamp, so "thread u up to stamp s" names a prefix of what u
// did. A thread knows such prefixes of the others: up to the last barrier of the block (all), up to the last
// synchronisation of its warp (warp_all, or lanes when only some lanes took part), up to the last named
// barrier (warps), and by flags (know). There is no implicit order among the lanes of a warp, as on compute
// capability 7.0 and later. Lanes that meet in a shuffle, vote or match exchange registers; their stores stay
// unordered. Their loads and atomics are over then: cooperative groups and cuda::pipeline rely on it.
//
// Flags: a fence remembers what was before it; a strong store after it carries that, also one of another
// thread behind a barrier of the block or a __syncwarp(); a strong load takes it up, and a fence after the
// load makes it known, also a fence of another thread behind a barrier of the block. A fence of block scope
// counts within its block only. An atomic that returns the flag is good for strong accesses after it without
// a fence of the reader's, also after a barrier for all threads of the block, as in the programming guide's
// threadfence example. A compare-and-swap is not: it takes a lock, and what follows needs a fence.
#include "observers/observers.h"

bool sl__time_init(sl_block_time *t, uint32_t block, uint32_t n_threads) {
  *t = (sl_block_time){.block = block, .now = 1, .n_threads = n_threads, .n_warps = (n_threads + 31) / 32};
  t->warp_all = calloc(2 * t->n_warps, sizeof *t->warp_all);
  t->lanes = calloc(2 * t->n_warps, sizeof *t->lanes);
  t->thread = calloc(t->n_warps * 32, sizeof *t->thread);
  return t->warp_all && t->lanes && t->thread;
}

static void forget_union(sl_joined *j) {
  sl__known_drop(j->x), sl__known_drop(j->y), sl__known_drop(j->both);
  *j = (sl_joined){0};
}

// *a becomes the union of the two sets, as sl__known_join has it.
static void join_kept(sl_block_time *t, sl_facts **a, sl_facts *b) {
  sl_facts *x = *a;
  if (!x || !b || x == b) {
    sl__known_join(a, b);
    return;
  }
  sl_joined *j = &t->joined[((uintptr_t)x / 16 * 31 + (uintptr_t)b / 16) % SL_JOINED];
  if (j->x != x || j->y != b) {
    forget_union(j);
    *j = (sl_joined){sl__known_ref(x), sl__known_ref(b), sl__known_ref(x)};
    sl__known_join(&j->both, b);
    sl__known_pack(&j->both, t->block, t->n_threads);
  }
  *a = sl__known_ref(j->both);
  sl__known_drop(x);
}

static void forget_threads(sl_block_time *t) {
  if (!t->touched) return;
  for (uint32_t k = 0; t->thread && k < t->n_threads; k++) {
    sl_thread_time *th = &t->thread[k];
    sl__known_drop(th->know), sl__known_drop(th->heard);
    for (int s = 0; s < 2; s++)
      sl__known_drop(th->acq[s]), sl__known_drop(th->took[s]), sl__known_drop(th->rel[s].know),
          sl__known_drop(th->fenced[s]);
    *th = (sl_thread_time){0};
  }
  sl__known_drop(t->soft), sl__known_drop(t->fenced[0]), sl__known_drop(t->fenced[1]);
  for (int k = 0; k < SL_JOINED; k++) forget_union(&t->joined[k]);
  t->soft = t->fenced[0] = t->fenced[1] = NULL, t->touched = t->any_known = false;
}

void sl__time_reset(sl_block_time *t, uint32_t block) {
  forget_threads(t);
  for (uint32_t k = 0; k < 2 * t->n_warps; k++) free(t->lanes[k]), t->lanes[k] = NULL, t->warp_all[k] = 0;
  free(t->warps);
  t->warps = NULL;
  memset(t->bars, 0, sizeof t->bars);
  t->block = block, t->now = 1, t->all = 0, t->fences = false;
}

void sl__time_fini(sl_block_time *t) {
  for (uint32_t k = 0; t->lanes && k < 2 * t->n_warps; k++) free(t->lanes[k]);
  forget_threads(t);
  free(t->warp_all), free(t->lanes), free(t->warps), free(t->thread);
}

// What lane a knows of lane b. [row]: the warp, for what is ordered; n_warps more for what is over.
static uint32_t of_lane(const sl_block_time *t, uint32_t row, uint32_t a, uint32_t b) {
  uint32_t s = t->warp_all[row], l = t->lanes[row] ? t->lanes[row][32 * a + b] : 0;
  return s > l ? s : l;
}

static uint32_t met(const sl_block_time *t, uint32_t warp, uint32_t a, uint32_t b) {
  uint32_t s = of_lane(t, warp, a, b), m = of_lane(t, warp + t->n_warps, a, b);
  return s > m ? s : m;
}

bool sl__time_met(const sl_block_time *t, uint32_t thread, uint32_t block, uint32_t who, uint32_t stamp) {
  return block == t->block && thread / 32 == who / 32 && stamp <= met(t, thread / 32, thread % 32, who % 32);
}

bool sl__time_ordered(const sl_block_time *t, uint32_t thread, uint32_t block, uint32_t who, uint32_t stamp) {
  const sl_facts *know = t->thread[thread].know;
  if (block != t->block) return sl__known_has(know, block, who, stamp);
  if (who == thread || stamp <= t->all) return true;
  if (thread / 32 == who / 32) {
    if (stamp <= of_lane(t, thread / 32, thread % 32, who % 32)) return true;
  } else if (t->warps && stamp <= t->warps[thread / 32 * t->n_warps + who / 32]) {
    return true;
  }
  return sl__known_has(know, block, who, stamp);
}

static void set_known(sl_thread_time *th, sl_facts *k) {
  if (th->know == k) return;
  sl__known_drop(th->know);
  th->know = sl__known_ref(k);
}

// The threads from..to-1 whose bit is set (of their warp, or of their lane) tell each other what they know.
static void share(sl_block_time *t, uint32_t from, uint32_t to, uint32_t tell, uint32_t hear, bool by_warp) {
  sl_facts *sum = NULL;
  if (!t->any_known) return;
  for (uint32_t k = from; k < to; k++)
    if ((tell >> (by_warp ? k / 32 : k % 32)) & 1) join_kept(t, &sum, t->thread[k].know);
  for (uint32_t k = from; k < to; k++)
    if ((hear >> (by_warp ? k / 32 : k % 32)) & 1) {
      sl_facts *own = sl__known_ref(t->thread[k].know);
      join_kept(t, &own, sum);
      set_known(&t->thread[k], own);
      sl__known_drop(own);
    }
  sl__known_drop(sum);
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// What a thread's latest fence has put in order: the thread's own accesses, its block's up to the barrier
// before, its warp's, and those that the thread knew of.
static sl_facts *facts_of_fence(const sl_block_time *t, uint32_t thread, int scope) {
  const sl_release *r = &t->thread[thread].rel[scope];
  sl_fact f[2 + 32 + 32];
  uint32_t n = 0, warp = thread / 32;
  if (!r->stamp) return NULL;
  f[n++] = (sl_fact){t->block, SL_WHO_ALL, r->all};
  f[n++] = (sl_fact){t->block, thread, r->stamp};
  for (uint32_t l = 0; l < 32; l++) {
    uint32_t s = least(met(t, warp, thread % 32, l), r->stamp);
    if (s > r->all && 32 * warp + l != thread) f[n++] = (sl_fact){t->block, 32 * warp + l, s};
  }
  for (uint32_t v = 0; t->warps && v < t->n_warps; v++) {
    uint32_t s = least(t->warps[warp * t->n_warps + v], r->stamp);
    if (s > r->all) f[n++] = (sl_fact){t->block, SL_WHO_WARP | v, s};
  }
  sl_facts *k = sl__known_make(f, n);
  sl__known_join(&k, r->know);
  return k;
}

// Adds what the fences of some lanes of a warp, made after [since], have put in order.
static void add_fences(const sl_block_time *t, uint32_t warp, uint32_t lanes, uint32_t since, int scope,
                       sl_facts **sum) {
  const uint32_t rest = t->n_threads - 32 * warp, n = least(rest, 32);
  const sl_thread_time *th = &t->thread[32 * warp];
  uint32_t first = UINT32_MAX;
  for (uint32_t l = 0; l < n; l++) first = least(first, (lanes >> l) & 1 ? th[l].rel[scope].stamp : 0);
  if (first > since) { // all of the warp: one fact says it
    sl_facts *k = sl__known_make(&(sl_fact){t->block, SL_WHO_WARP | warp, first}, 1);
    sl__known_join(sum, k);
    sl__known_drop(k);
  }
  for (uint32_t l = 0; l < n; l++) {
    if (!((lanes >> l) & 1) || th[l].rel[scope].stamp <= since) continue;
    if (first > since && l > 0 && th[l].rel[scope].stamp == first) {
      sl__known_join(sum, th[l].rel[scope].know);
      continue;
    }
    sl_facts *k = facts_of_fence(t, 32 * warp + l, scope);
    sl__known_join(sum, k);
    sl__known_drop(k);
  }
}

// A fence of one thread is good for what another thread publishes after a barrier of the two: all fences that
// are not of block scope alone are in one order, so the reader's fence, which follows the flag, follows that
// fence, too (PTX ISA, Memory Consistency Model: Fence-SC, causality order).
static void keep_fences(sl_block_time *t) {
  for (uint32_t v = 0; v < t->n_warps; v++)
    for (int s = 0; s < 2; s++) add_fences(t, v, SL_FULL, t->all, s, &t->fenced[s]);
  t->fences = false;
}

// The same of the lanes that a __syncwarp() joins. [since]: the one before it.
static void keep_fences_of_lanes(sl_block_time *t, uint32_t warp, uint32_t lanes, uint32_t since) {
  for (int s = 0; s < 2; s++) {
    sl_facts *sum = NULL;
    add_fences(t, warp, lanes, since, s, &sum);
    SL_FOR_LANES(l, sum ? lanes : 0) {
      const uint32_t k = 32 * warp + l;
      if (k < t->n_threads) join_kept(t, &t->thread[k].fenced[s], sum);
    }
    sl__known_drop(sum);
  }
}

// What one thread has seen, all threads of the block have seen behind a barrier.
static void share_seen(sl_block_time *t) {
  sl_facts *seen[2] = {NULL, NULL};
  for (uint32_t k = 0; k < t->n_threads; k++) {
    join_kept(t, &t->soft, t->thread[k].heard);
    for (int s = 0; s < 2; s++) join_kept(t, &seen[s], t->thread[k].acq[s]);
  }
  for (uint32_t k = 0; k < t->n_threads; k++)
    for (int s = 0; s < 2; s++) join_kept(t, &t->thread[k].acq[s], seen[s]);
  sl__known_drop(seen[0]), sl__known_drop(seen[1]);
}

void sl__time_barrier(sl_block_time *t) {
  if (t->fences) keep_fences(t);
  t->all = t->now++;
  share(t, 0, t->n_threads, SL_FULL, SL_FULL, true);
  if (t->touched) share_seen(t);
}

void sl__time_part_barrier(sl_block_time *t, uint32_t sync, uint32_t there) {
  uint32_t n = t->n_warps, now = t->now++, sum[32] = {0};
  if (!t->warps && !(t->warps = calloc((size_t)n * n, sizeof *t->warps))) return;
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t u = 0; (there >> v) & 1 && u < n; u++) {
      uint32_t s = u == v ? now : t->warps[v * n + u];
      if (s > sum[u]) sum[u] = s;
    }
  for (uint32_t v = 0; v < n; v++) {
    if (!((sync >> v) & 1)) continue;
    for (uint32_t u = 0; u < n; u++)
      if (sum[u] > t->warps[v * n + u]) t->warps[v * n + u] = sum[u];
    t->warp_all[v] = now;
  }
  share(t, 0, t->n_threads, there, sync, true);
}

static void lanes_meet(uint32_t *row, uint32_t lanes, uint32_t now) {
  uint32_t sum[32] = {0};
  SL_FOR_LANES(l, lanes)
    for (uint32_t b = 0, a = l; b < 32; b++)
      if (row[32 * a + b] > sum[b]) sum[b] = row[32 * a + b];
  for (uint32_t b = 0; b < 32; b++)
    if ((lanes >> b) & 1) sum[b] = now;
  SL_FOR_LANES(l, lanes) memcpy(row + 32 * l, sum, sizeof sum);
}

void sl__time_warp(sl_block_time *t, uint32_t warp, uint32_t lanes, bool orders) {
  uint32_t now = t->now++, rest = t->n_threads - 32 * warp, all = rest >= 32 ? SL_FULL : (1u << rest) - 1,
           row = orders ? warp : warp + t->n_warps;
  if (orders && t->fences) keep_fences_of_lanes(t, warp, lanes, t->warp_all[row]);
  if ((lanes & all) == all) t->warp_all[row] = now;
  else if (t->lanes[row] || (t->lanes[row] = calloc(32 * 32, sizeof(uint32_t))))
    lanes_meet(t->lanes[row], lanes, now);
  share(t, 32 * warp, rest >= 32 ? 32 * warp + 32 : t->n_threads, lanes, lanes, false);
}

// Flags -----------------------------------------------------------------------------------------------------

// Sets are shared and never change: a thread that looks at a flag again and again takes each of them once.
static void take(sl_block_time *t, sl_thread_time *th, int scope, sl_facts *k) {
  if (!k || th->took[scope] == k) return;
  join_kept(t, &th->know, k);
  sl__known_drop(th->took[scope]);
  th->took[scope] = sl__known_ref(k);
  t->any_known = true;
}

static void take_release(sl_block_time *t, sl_thread_time *th, int scope) {
  take(t, th, scope, th->acq[scope]);
  sl__known_drop(th->acq[scope]);
  th->acq[scope] = NULL;
}

void sl__time_acquire(sl_block_time *t, uint32_t thread, bool cta) {
  sl_thread_time *th = &t->thread[thread];
  t->touched = true;
  take_release(t, th, 0);
  if (!cta) take_release(t, th, 1);
}

void sl__time_release(sl_block_time *t, uint32_t thread, bool cta) {
  sl_thread_time *th = &t->thread[thread];
  t->touched = t->fences = true;
  for (int s = 0; s < (cta ? 1 : 2); s++) {
    sl__known_drop(th->rel[s].know);
    th->rel[s] = (sl_release){t->now, t->all, sl__known_ref(th->know)};
  }
}

void sl__time_fence(sl_block_time *t, uint32_t thread, bool cta) {
  sl__time_acquire(t, thread, cta);
  sl__time_release(t, thread, cta);
}

bool sl__time_has_released(const sl_block_time *t, uint32_t thread) {
  return t->thread[thread].rel[0].stamp || t->thread[thread].fenced[0] || t->fenced[0];
}

// What a strong store of the thread makes known: what its fence has ordered, and others' before a barrier.
static sl_facts *facts_before(const sl_block_time *t, uint32_t thread, int scope) {
  sl_facts *k = facts_of_fence(t, thread, scope);
  sl__known_join(&k, t->thread[thread].fenced[scope]);
  sl__known_join(&k, t->fenced[scope]);
  return k;
}

void sl__time_publish(sl_block_time *t, uint32_t thread, sl_flag *f, bool rmw) {
  for (int s = 0; s < 2; s++) {
    sl_facts *k = facts_before(t, thread, s);
    if (!rmw || (s == 0 && f->block != t->block)) sl__known_drop(f->rel[s]), f->rel[s] = NULL;
    sl__known_join(&f->rel[s], k);
    sl__known_drop(k);
    sl__known_pack(&f->rel[s], t->block, t->n_threads);
  }
  f->block = t->block;
}

void sl__time_observe(sl_block_time *t, uint32_t thread, const sl_flag *f, bool hears) {
  sl_thread_time *th = &t->thread[thread];
  t->touched = true;
  for (int s = f->block == t->block ? 0 : 1; s < 2; s++) {
    if (f->rel[s] != th->took[s]) join_kept(t, &th->acq[s], f->rel[s]);
    if (hears) join_kept(t, &th->heard, f->rel[s]);
  }
}

bool sl__time_heard(const sl_block_time *t, uint32_t thread, uint32_t block, uint32_t who, uint32_t stamp) {
  return sl__known_has(t->soft, block, who, stamp) ||
         sl__known_has(t->thread[thread].heard, block, who, stamp);
}

bool sl__time_unfenced(const sl_block_time *t, uint32_t thread, uint32_t block, uint32_t who,
                       uint32_t stamp) {
  const sl_thread_time *th = &t->thread[thread];
  return sl__known_has(th->acq[0], block, who, stamp) || sl__known_has(th->acq[1], block, who, stamp);
}
