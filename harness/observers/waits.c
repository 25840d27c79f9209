// Who was to end the wait of a launch that is stuck: the report of the engine (progress.c) says what the
// threads wait for, and this file adds who has stored to that word last, and what.
#include "observers/observers.h"

static sl_finding *deadlock_of(sl_gpu *g) {
  for (size_t k = 0; k < g->n_findings; k++)
    if (g->findings[k].id == SL_FOUND_PROGRESS_DEADLOCK && g->findings[k].launch == g->launches - 1)
      return &g->findings[k];
  return NULL;
}

// The last strong store of the launch to the word, but for atomics that only look; *block: its number.
static const sl_post *last_post(const sl_grid *grid, uint64_t addr, uint32_t *block) {
  const sl_seen_grid *g = sl__seen_grid(grid);
  const sl_post *last = NULL;
  for (size_t k = 0; k < g->posts.cap; k++) {
    const sl_post *p = &((const sl_post *)(const void *)g->posts.values)[k];
    if (!g->posts.used[k] || g->posts.keys[k][0] != (addr & ~3ull) || (last && last->when > p->when))
      continue;
    if (p->updates && sl__sight(grid->m, p->pc)->polled) continue;
    last = p, *block = (uint32_t)g->posts.keys[k][1];
  }
  return last;
}

static void tell_writer(sl_grid *g, const sl_post *p, uint32_t block, sl_finding *f) {
  const sl_touch t = {.block = block, .thread = p->thread, .pc = p->pc, .stamp = p->stamp};
  char value[40] = "";
  sl__finding_other(f, g, &t);
  if (!p->updates) snprintf(value, sizeof value, " %llu", (unsigned long long)p->value);
  sl_append(f->details, sizeof f->details, "",
            "wrote block (%u,%u,%u) thread (%u,%u,%u)  line %u  stored%s, as the last one to do so\n",
            f->other_block[0], f->other_block[1], f->other_block[2], f->other_thread[0], f->other_thread[1],
            f->other_thread[2], f->other_line, value);
  snprintf(f->advice, sizeof f->advice,
           "Compare what line %u stores with what line %u waits for: block (%u,%u,%u) has stored%s, and "
           "nobody is left to store more, as all blocks have started and those that are not done wait",
           f->other_line, f->line, f->other_block[0], f->other_block[1], f->other_block[2], value);
}

// The barrier of a cooperative launch.
static void tell_grid(sl_finding *f) {
  snprintf(f->advice, sizeof f->advice,
           "grid.sync() waits for all threads of all blocks: let every thread reach each one, with no return "
           "and no branch in front of it");
}

static void waits_launch_end(sl_grid *g) {
  uint32_t block = 0;
  sl_finding *f =
      g->status == SL_LAUNCH_DEADLOCK && g->awaited && g->started == g->n_blocks ? deadlock_of(g->gpu) : NULL;
  if (!f) return;
  const sl_post *p = last_post(g, g->awaited, &block);
  const sl_alloc *in = sl__memory_find(&g->gpu->mem, g->awaited);
  if (g->awaited - g->gpu->coop_addr < SL_GRID_WORKSPACE) tell_grid(f);
  else if (p) tell_writer(g, p, block, f);
  else if (!in || (!in->hosted && !in->managed)) // progress.c has said what a host can do here
    snprintf(f->advice, sizeof f->advice,
             "No thread has stored to this word in this launch, and all blocks have started: look for the "
             "store that should end the wait of line %u, at its guard, at its index, and whether it stands "
             "behind the wait itself",
             f->line);
}

const sl_probe sl__probe_waits = {
    .name = "waits", .checks = SL_CHECK_RACE_GLOBAL, .launch_end = waits_launch_end};
