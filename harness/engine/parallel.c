// Launches on several cores: independent blocks run side by side, and the results are those of one core.
//
// Interface: sl__cores_launch, sl__cores_share (core.h).
//
// A launch begins on one core. When the blocks so far say that the rest is worth it, workers take the other
// blocks in the order in which they would have started, a few at a time, each worker on a grid of its own:
// counters, bounds caches, pool of blocks. Each marks the words of global memory that it reads and writes
// (parallel_marks.c). The launch is as if one core had run it when
//   * no worker wrote or added to a word that another one read or wrote: then no block saw anything of
//     another worker's blocks, and the blocks of one worker came in their order;
//   * every block ran to its end in one go: it did not wait, spin, fail or use up its share, in which case
//     other blocks would have had a turn meanwhile;
//   * nothing was executed whose result depends on what other blocks did before: atomics on global memory,
//     but for additions of whole numbers whose result nobody reads; clocks, printf, malloc, assert
//     (parallel_code.c).
// Sums of counters do not depend on who counted. If one of the three conditions fails, memory is put back,
// all that the workers counted or found is dropped, and the blocks run in order on one core; the kernel then
// does so from the start until its module is unloaded. So every report comes from a run in order.
#include "engine/parallel.h"

#ifndef WORTH_IT
#define WORTH_IT 50000u // warp instructions that are left, about a millisecond
#endif
#define PORTIONS 16u // portions of blocks for each worker: so many let all workers end at about the same time
#define MOST_AT_ONCE 64u
#define MOST_CORES 64u

void sl__cores_launch(sl_grid *g) {
  const sl_gpu_config *c = &g->gpu->cfg;
  bool plain = !g->heard && !g->weak && !g->l->cooperative && !c->max_instructions;
  g->cores = plain && !g->l->kernel->in_order && c->cores > 1 ? c->cores : 1;
  if (g->cores > MOST_CORES) g->cores = MOST_CORES;
}

// Workers ---------------------------------------------------------------------------------------------------

static bool one_block(sl_worker *k, uint64_t number) {
  sl_grid *g = &k->grid;
  sl_block *b = g->l->cancel && *g->l->cancel ? NULL : sl__block_get(g, sl__block_at(g, number));
  if (!b) return false;
  bool done = sl__run_block(b) == SL_RUN_DONE && !k->gpu.n_findings;
  sl__block_put(g, b);
  return done;
}

// The worker's next portion; false: there is none, or somebody cannot go on.
static bool portion(sl_worker *k) {
  sl_team *t = k->team;
  uint64_t n = k->grid.n_blocks, b = __atomic_fetch_add(&t->next, t->chunk, __ATOMIC_RELAXED),
           end = b + t->chunk;
  for (; b < end && b < n; b++) {
    if (__atomic_load_n(&t->stop, __ATOMIC_RELAXED)) return false;
    if (one_block(k, b)) continue;
    __atomic_store_n(&t->stop, 1, __ATOMIC_RELAXED);
    return false;
  }
  return end < n;
}

static void end_worker(sl_worker *k) {
  for (sl_block *b = k->grid.pool, *next; b; b = next) next = b->next, sl__block_free(b);
  free(k->grid.cache);
  free(k->gpu.findings);
  k->grid.pool = NULL, k->grid.cache = NULL, k->gpu.findings = NULL;
}

static bool begin_worker(sl_team *t, sl_worker *k, const sl_xinsn *code) {
  const sl_grid *g = t->of;
  k->team = t;
  k->gpu = *g->gpu;
  k->gpu.findings = NULL, k->gpu.n_findings = 0;
  memset(&k->counters, 0, sizeof k->counters);
  k->grid = *g;
  k->grid.gpu = &k->gpu, k->grid.cnt = &k->counters, k->grid.err = &k->error, k->grid.worker = k;
  k->grid.code = code;
  k->grid.watching = true;
  k->grid.instructions = k->grid.threads_executed = 0;
  k->grid.resident = NULL, k->grid.n_resident = 0;
  k->grid.pool = NULL;
  k->grid.cache = calloc(g->m->n_mem + 1, sizeof *k->grid.cache);
  return k->grid.cache && sl__marks_open(&k->marks, &t->undo);
}

// The team --------------------------------------------------------------------------------------------------

// Runs on a thread of its own; member 0 is the caller.
static void work(void *of, uint32_t member) {
  sl_team *t = of;
  while (portion(t->workers[member])) {
  }
}

static void close_marks(sl_team *t) {
  for (uint32_t k = 0; k < t->cap; k++) sl__marks_close(&t->workers[k]->marks, &t->undo);
}

void sl__cores_gone(sl_gpu *g) {
  sl_team *t = g->team;
  if (!t) return;
  sl__crew_end(&t->crew);
  close_marks(t);
  for (uint32_t k = 0; k < t->cap; k++) free(t->workers[k]);
  sl__undo_close(&t->undo);
  free(t->workers), free(t);
  g->team = NULL;
}

static bool more_workers(sl_team *t, uint32_t n) {
  sl_worker **w = n > t->cap ? realloc(t->workers, n * sizeof *w) : t->workers;
  if (!w) return false;
  t->workers = w;
  for (; t->cap < n; t->cap++) {
    sl_worker *k = w[t->cap] = aligned_alloc(64, (sizeof *k + 63) & ~(size_t)63);
    if (!k) return false;
    memset(k, 0, sizeof *k);
  }
  return true;
}

static sl_team *team_of(sl_grid *g, uint32_t n) {
  sl_team *t = g->gpu->team;
  if (!t && !(t = g->gpu->team = calloc(1, sizeof *t))) return NULL;
  t->crew.work = work, t->crew.of = t;
  if (!sl__undo_fits(&t->undo, &g->gpu->mem)) close_marks(t);
  if (!sl__undo_open(&t->undo, &g->gpu->mem) || !more_workers(t, n)) return NULL;
  t->of = g, t->n = n, t->stop = 0;
  t->next = g->started;
  t->chunk = (g->n_blocks - g->started) / (PORTIONS * n);
  t->chunk = t->chunk < 1 ? 1 : t->chunk > MOST_AT_ONCE ? MOST_AT_ONCE : t->chunk;
  return t;
}

static void run_team(sl_team *t) {
  uint32_t k = 0;
  if (!t->of->gpu->cfg.cores_in_turn) sl__crew_run(&t->crew, t->n);
  else
    while (portion(t->workers[k++ % t->n])) {
    }
}

static void add_all(uint64_t *to, const uint64_t *from, size_t n) {
  for (size_t k = 0; k < n; k++) to[k] += from[k];
}

static void add_counters(sl_counters *to, const sl_counters *from) {
  add_all(&to->warp_instructions, &from->warp_instructions,
          offsetof(sl_counters, longest_warp) / sizeof(uint64_t));
  if (to->longest_warp < from->longest_warp) to->longest_warp = from->longest_warp;
  if (to->path < from->path) to->path = from->path;
  if (to->busiest_thread < from->busiest_thread) to->busiest_thread = from->busiest_thread;
  add_all(&to->phases[0].adds_float, &from->phases[0].adds_float, (sizeof to->phases) / (sizeof(uint64_t)));
}

static bool conflict(const sl_team *t) {
  const sl_marks *marks[MOST_CORES];
  for (uint32_t k = 0; k < t->n; k++) marks[k] = &t->workers[k]->marks;
  return sl__marks_conflict(marks, t->n, &t->undo);
}

static void take_over(sl_grid *g, const sl_team *t) {
  for (uint32_t k = 0; k < t->n; k++) {
    const sl_worker *w = t->workers[k];
    g->instructions += w->grid.instructions, g->threads_executed += w->grid.threads_executed;
    add_counters(g->cnt, &w->counters);
  }
  g->started = g->finished = g->n_blocks;
}

static bool share(sl_grid *g, sl_team *t, const sl_xinsn *code) {
  bool ok = true;
  for (uint32_t k = 0; k < t->n; k++) ok = begin_worker(t, t->workers[k], code) && ok;
  if (ok) {
    run_team(t);
    ok = !t->stop && !conflict(t);
    if (ok) take_over(g, t);
    else sl__undo(&t->undo);
    sl__undo_forget(&t->undo);
  }
  for (uint32_t k = 0; k < t->n; k++) end_worker(t->workers[k]);
  return ok;
}

// Is the rest worth several cores? Asked after the 2nd, 4th, 8th .. block, when no block is half done.
static bool worth_it(const sl_grid *g) {
  uint64_t left = g->n_blocks - g->started;
  if (g->n_resident || g->finished < 2 || g->finished & (g->finished - 1) || left < 2) return false;
  uint64_t used = sl__memory_used(&g->gpu->mem),
           marks = used / 10 * g->cores; // and a copy of what is written
  return g->instructions / g->finished * left >= WORTH_IT && sl__host_has(used + marks);
}

void sl__cores_share(sl_grid *g) {
  if (!worth_it(g)) return;
  uint64_t left = g->n_blocks - g->started;
  const sl_xinsn *code = sl__marking_code(g->k->m);
  sl_team *t = code ? team_of(g, left < g->cores ? (uint32_t)left : g->cores) : NULL;
  if (!t || share(g, t, code)) return;
  g->cores = 1;
  g->l->kernel->in_order = true;
  g->last_change = g->last_step = 0; // the watchdog starts afresh
}
