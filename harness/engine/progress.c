// Progress: warps that only spin, the watchdog, and the report on a kernel that is stuck.
//
// Now and then, at a backward branch, the registers of the split are hashed. If a split reaches a branch
// twice with the same registers, and nobody has written to memory meanwhile, it can only repeat itself: it
// sleeps until memory changes. If all sleep, the kernel is in a deadlock, which is found at once and is the
// same in every run. When the device's clock has gone on for long, values from a clock are left out of the
// comparison: a loop that waits longer from turn to turn, as in cuda::barrier, is a wait, too.
#include <time.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif
#include "engine/core.h"
#include "engine/probe.h"

#define PERIOD_MAX 4096
#define TRIES 4
#define AGAIN 4 // trips of a loop that tries again, until others have a turn
#define PLACES 10
#define PATIENCE 5
#define LOOK_SECONDS 0.005 // to ask for processor time is a call of the system

typedef uint64_t sl_hash_words __attribute__((vector_size(32), aligned(32)));

// Adds the products of the words' halves.
static inline void add_products(sl_hash_words *sum, const sl_hash_words *v) {
#ifdef __AVX2__
  *sum += (sl_hash_words)_mm256_mul_epu32((__m256i)*v, (__m256i)(*v >> 32));
#else
  *sum += (*v & UINT32_MAX) * (*v >> 32);
#endif
}

// A sum of products of halves, each half changed by a key of its place, is as good as a hash of whole words,
// and takes one multiplication for each of them. The words themselves count, too, where a factor is zero.
static uint64_t hash_frame(const sl_frame *f) {
  const sl_hash_words *p = (const sl_hash_words *)(void *)f->regs;
  const uint64_t odd = 0x9e3779b97f4a7c15ull;
  const sl_hash_words step = (sl_hash_words){1, 3, 5, 7} * odd, other = ~step;
  sl_hash_words a = {1, 2, 3, 4}, b = {5, 6, 7, 8}, key = step;
  for (uint32_t k = 0; k < f->fn->frame_bytes / sizeof *p; k += 2, key += step) {
    const sl_hash_words x = p[k] ^ key, y = p[k + 1] ^ key ^ other;
    a += x, b += y;
    add_products(&a, &x), add_products(&b, &y);
  }
  uint64_t all = 0;
  for (int j = 0; j < 4; j++) all = (all ^ a[j]) * odd, all ^= all >> 29, all = (all ^ b[j]) * odd;
  return all ^ all >> 29;
}

// Is the split where it was at the last check, with the same registers? If nobody has written since, it
// repeats itself. If memory has changed, it tries again and again, like one that takes a lock, sees that it
// is not its turn and gives the lock back: then others have to go on.
typedef enum { GOES_ON, TRIES_AGAIN, REPEATS } sl_way;
static sl_way way_of(sl_warp *w, sl_split *s) {
  uint64_t h = hash_frame(s->frame), writes = w->grid->writes;
  bool same = s->hash_pc == w->pc + 1 && s->hash == h, quiet = s->hash_writes == writes;
  s->hash_pc = w->pc + 1, s->hash = h, s->hash_writes = writes;
  return !same ? GOES_ON : quiet ? REPEATS : TRIES_AGAIN;
}

// A loop that reads a clock, to wait longer each time: for a quarter of the watchdog's time, on the device's
// own clock, only values from a clock have changed. (A sleeping thread moves that clock: this takes no time.)
static bool waits_long(const sl_warp *w, sl_split *s) {
  const sl_grid *g = w->grid;
  const uint32_t *p = (const uint32_t *)(void *)s->frame->regs;
  const uint8_t *timed = s->frame->fn->timed;
  uint64_t h = w->pc,
           limit = (uint64_t)(g->gpu->cfg.watchdog_seconds * 250.0) * g->gpu->cfg.profile->clock_khz;
  if (!timed) return false;
  for (uint32_t k = 0; k < s->frame->fn->frame_bytes / 4; k++)
    if (!timed[k]) h = (h ^ p[k]) * 0x9e3779b97f4a7c15ull, h ^= h >> 29;
  if (s->timed_hash == h && s->timed_writes == g->writes) return g->clock - s->timed_since > limit;
  s->timed_hash = h, s->timed_writes = g->writes, s->timed_since = g->clock;
  return false;
}

// A warp that loads again what it has just loaded, while nobody has written anything, waits for others: they
// have a turn before it looks. What else the loop computes, a count or a clock, only says how often it turns.
bool sl__looks_again(sl_warp *w, const sl_xinsn *i) {
  enum { SOON = 8 };
  sl_cwarp *c = sl__core(w);
  uint64_t at[SL_LANES];
  if (!w->mask) return false;
  sl__addresses(w, i, at);
  const uint64_t first = at[__builtin_ctz(w->mask)], writes = w->grid->writes;
  const bool same = c->looked_pc == sl__pc(w, i) + 1 && c->looked_at == first && c->looked_writes == writes;
  c->looked_pc = sl__pc(w, i) + 1, c->looked_at = first, c->looked_writes = writes;
  c->looked_away = same && !c->looked_away;
  if (!c->looked_away) return false;
  w->pc = sl__pc(w, i);
  if (c->fuel > SOON) c->fuel = SOON; // to check whether this loop only waits
  sl__split(w)->tired = true;
  sl__uncount(w, w->mask);
  return true;
}

sl_step sl__tick(sl_warp *w) {
  sl_cwarp *c = sl__core(w);
  sl_split *s = sl__split(w);
  sl_way way = way_of(w, s);
  if (way == REPEATS || waits_long(w, s)) {
    s->state = SL_SPINNING;
    s->version = w->grid->writes;
    c->tries = 0, c->period = 64;
    return SL_STEP_WAIT;
  }
  if (way == TRIES_AGAIN && c->n_splits == 1) {
    c->tries = 0, c->period = 64, c->fuel = AGAIN;
    return SL_STEP_YIELD;
  }
  if (++c->tries < TRIES) {
    c->fuel = 1;
    return SL_STEP_JUMP;
  }
  c->tries = 0;
  c->period = c->period < PERIOD_MAX ? 2 * c->period : PERIOD_MAX;
  c->fuel = (int32_t)(c->n_splits > 1 ? 64 : c->period);
  if (c->fuel > *c->budget) c->fuel = *c->budget > 0 ? (int32_t)*c->budget : 1;
  *c->budget -= c->fuel;
  if (*c->budget <= 0) return SL_STEP_YIELD;
  if (c->n_splits > 1) {
    s->tired = true;
    return SL_STEP_SPLIT;
  }
  return SL_STEP_JUMP;
}

// After a bad access the launch goes on to show more mistakes, so its length is no mistake of its own.
static bool timeout(sl_grid *g) {
  if (g->fault) g->status = g->fault;
  else sl__report_stuck(g, SL_LAUNCH_TIMEOUT);
  return false;
}

// A change of memory is progress for a while. But a kernel in which no block ends or passes a barrier is
// ended, too, after PATIENCE times as long. Processor time counts: on a busy machine all takes longer.
static bool too_long(sl_grid *g) {
  const double clock = sl_now();
  if (clock < g->next_look) return false;
  g->next_look = clock + LOOK_SECONDS;
  double now = sl_clock(CLOCK_THREAD_CPUTIME_ID), limit = g->gpu->cfg.watchdog_seconds;
  uint64_t steps = g->finished + g->started + g->cnt->barriers;
  if (g->writes != g->last_writes || !g->last_change) g->last_writes = g->writes, g->last_change = now;
  if (steps != g->last_steps || !g->last_step) g->last_steps = steps, g->last_step = now;
  return now - g->last_change > limit || now - g->last_step > PATIENCE * limit;
}

// To start a warp takes as long as some of its instructions: blocks that do nothing are work, too.
static bool too_much(const sl_grid *g) {
  enum { A_WARP = 16 };
  const sl_dim3 *b = &g->l->block;
  const uint64_t most = g->gpu->cfg.max_instructions, warps = ((uint64_t)b->x * b->y * b->z + 31) / 32;
  return most && g->instructions + A_WARP * warps * g->finished > most;
}

bool sl__watch(sl_grid *g, bool waited) {
  if (!waited && (g->finished & 63)) return true;
  if (sl__enough_left_out(g)) return timeout(g);
  if (g->l->cancel && *g->l->cancel) return timeout(g);
  if (too_much(g)) return timeout(g);
  if (waited && (++g->looks & 3)) return true;
  return !too_long(g) || timeout(g);
}

// Where a split stands: kernel.cu:12, or the PTX line.
// Returns whether it is the finding's second place.
static bool place_text(const sl_grid *g, const sl_split *s, uint32_t pc, char *out, size_t cap,
                       sl_finding *f) {
  uint32_t second = f->other_line;
  const sl_ptx_insn *in = sl__insn_of(g->m, g->m->code + pc, NULL);
  sl_src_pos pos;
  if (sl__position(g, s->frame, g->m->code + pc, &pos)) {
    snprintf(out, cap, "%.120s:%u", pos.file, pos.line);
    if (!f->line) f->line = pos.line, f->me.col = pos.col, snprintf(f->file, sizeof f->file, "%s", pos.file);
    else if (!f->other_line && pos.line != f->line) {
      f->other_line = pos.line, f->other.col = pos.col;
      snprintf(f->other_file, sizeof f->other_file, "%s", pos.file);
    }
  } else snprintf(out, cap, "PTX line %u", in ? in->ptx_line : 0);
  return second != f->other_line;
}

// What threads wait for; the finding's advice depends on it.
typedef struct sl_lacks {
  bool registers, memory, host; // host: memory that the host may write to
} sl_lacks;

typedef struct sl_report {
  sl_finding *f;
  uint32_t places, barriers, named,
      more; // named: barriers but 0; more: waiting at a place that is named already
  uint32_t pcs[PLACES];
  uint8_t states[PLACES];
  sl_lacks cause;
} sl_report;

// What a split in a loop looks at. The first such place is the finding's object.
static void loop_text(const sl_block *b, const sl_cwarp *c, const sl_split *s, sl_report *r, char *out,
                      size_t cap) {
  static const sl_telling NO_SOURCE = {.source = ""};
  sl_finding *f = r->f;
  sl_finding one = *f;
  sl_awaited at;
  char name[300];
  if (!sl__awaited(b->grid, b, c, s, &at)) {
    bool reads = sl__loop_reads(b->grid, s);
    if (!reads) r->cause.registers = true;
    snprintf(out, cap, reads ? "goes round a loop" : "goes round a loop that reads no memory");
    return;
  }
  const sl_alloc *in = at.addr ? sl__memory_find(&b->grid->gpu->mem, at.addr) : NULL;
  r->cause.memory = true, r->cause.host |= in && (in->hosted || in->managed);
  one.object = at.object;
  snprintf(out, cap, "goes round a loop and waits for %s %s; it is %s",
           sl_finding_object(&one, &NO_SOURCE, name, sizeof name), at.wanted, at.value);
  if (f->object.space[0] || f->object.name[0]) return;
  f->object = at.object, b->grid->awaited = at.addr;
  sl_append(f->what, sizeof f->what, "; ", "waits for " SL_THE_OBJECT " %s%s%s", at.wanted,
            at.changed ? "" : ", and it is ", at.changed ? "" : at.value);
}

static void why(const sl_block *b, const sl_cwarp *c, const sl_split *s, sl_report *r, char *out,
                size_t cap) {
  const sl_barrier *bar = &b->bars[s->barrier % SL_BARRIERS];
  if (s->state == SL_AT_BARRIER)
    snprintf(out, cap, "waits at barrier %u, where %u of %u threads have arrived", s->barrier, bar->arrived,
             bar->expected ? bar->expected : b->live_threads);
  else if (s->state == SL_AT_WARP_SYNC)
    snprintf(out, cap, "waits for lanes 0x%08x of its warp, 0x%08x are there", s->need, s->mask);
  else loop_text(b, c, s, r, out, cap);
}

static void name_party(const sl_block *b, const sl_cwarp *c, const sl_split *s, uint32_t block[3],
                       uint32_t thread[3]) {
  memcpy(block, b->index, sizeof b->index);
  for (int d = 0; d < 3; d++)
    thread[d] =
        ((const uint32_t *)(const void *)(c->special + SL_SB_TID_X + 128 * d))[__builtin_ctz(s->mask)];
}

// One line for each place where somebody waits.
static void add_detail(sl_finding *f, const sl_block *b, const sl_cwarp *c, const char *at,
                       const char *reason) {
  sl_append(f->details, sizeof f->details, "", "stuck block (%u,%u,%u) warp %u  %s  %s\n", b->index[0],
            b->index[1], b->index[2], c->w.id, sl_base_name(at), reason);
}

static void add_place(sl_grid *g, sl_report *r, const sl_block *b, const sl_cwarp *c, const sl_split *s) {
  char at[160], reason[300];
  uint32_t pc = s->state == SL_AT_BARRIER && !s->need && s->pc ? s->pc - 1 : s->pc;
  for (uint32_t k = 0; k < r->places; k++)
    if (r->pcs[k] == pc && r->states[k] == s->state) {
      r->more++;
      return;
    }
  if (r->places == PLACES) return;
  r->pcs[r->places] = pc, r->states[r->places++] = s->state;
  r->barriers += s->state == SL_AT_BARRIER;
  r->named += s->state == SL_AT_BARRIER && s->barrier;
  bool second = place_text(g, s, pc, at, sizeof at, r->f);
  why(b, c, s, r, reason, sizeof reason);
  if (r->places == 1) name_party(b, c, s, r->f->block, r->f->thread);
  if (second) name_party(b, c, s, r->f->other_block, r->f->other_thread);
  add_detail(r->f, b, c, at, reason);
  sl_append(r->f->account, sizeof r->f->account, "", "%s block (%u,%u,%u) warp %u at %s %s",
            r->places == 1 ? "" : ";", b->index[0], b->index[1], b->index[2], c->w.id, at, reason);
}

// Threads at barriers come last, as they wait for the others.
static void add_places(sl_grid *g, sl_report *r, bool at_barrier) {
  for (uint32_t b = 0; b < g->n_resident; b++)
    for (uint32_t k = 0; k < g->resident[b]->n_warps; k++) {
      const sl_cwarp *c = &g->resident[b]->warps[k];
      for (uint32_t s = 0; s < c->n_splits; s++)
        if ((c->splits[s].state == SL_AT_BARRIER) == at_barrier)
          add_place(g, r, g->resident[b], c, &c->splits[s]);
    }
}

static sl_cause cause_of(const sl_grid *g, sl_launch_status st) {
  if (st == SL_LAUNCH_DEADLOCK) return g->started < g->n_blocks ? SL_CAUSE_UNSTARTED : SL_CAUSE_NOTHING;
  return g->l->cancel && *g->l->cancel == SL_CANCEL_TOO_MANY ? SL_CAUSE_LAUNCHES : SL_CAUSE_NOTHING;
}

// "stopped after 10 s; 0 of 4 blocks have ended, 2 never started"
static void headline(const sl_grid *g, sl_launch_status st, sl_cause cause, char *out, size_t cap) {
  const sl_gpu_config *cfg = &g->gpu->cfg;
  int cancel = g->l->cancel ? *g->l->cancel : 0;
  uint64_t waiting = g->n_blocks - g->started;
  if (st == SL_LAUNCH_DEADLOCK) snprintf(out, cap, "deadlock: no thread can ever go on");
  else if (cancel > 0) snprintf(out, cap, "stopped after %g s", cancel / 1000.0);
  else if (cause == SL_CAUSE_LAUNCHES)
    snprintf(out, cap, "stopped: the program starts kernels again and again, as a loop that never ends");
  else if (cancel < 0) snprintf(out, cap, "stopped: the program that waited for the kernel has gone");
  else if (too_much(g))
    snprintf(out, cap, "stopped after %llu instructions", (unsigned long long)g->instructions);
  else snprintf(out, cap, "stopped: no progress for %g s", cfg->watchdog_seconds);
  sl_append(out, cap, "; ", "%llu of %llu blocks have ended", (unsigned long long)g->finished,
            (unsigned long long)g->n_blocks);
  if (waiting) sl_append(out, cap, ", ", "%llu never started", (unsigned long long)waiting);
}

// Lanes that split [s] waits for, and that wait elsewhere.
static uint32_t lanes_elsewhere(const sl_cwarp *c, const sl_split *s) {
  uint32_t lanes = 0;
  if (s->state != SL_AT_WARP_SYNC) return 0;
  for (uint32_t k = 0; k < c->n_splits; k++) {
    const sl_split *o = &c->splits[k];
    if (o != s && (o->state == SL_AT_BARRIER || o->state == SL_AT_WARP_SYNC)) lanes |= s->need & o->mask;
  }
  return lanes;
}

// Does somebody wait for lanes of its warp that wait at another place?
static bool mask_names_absent(const sl_grid *g) {
  for (uint32_t b = 0; b < g->n_resident; b++)
    for (uint32_t k = 0; k < g->resident[b]->n_warps; k++) {
      const sl_cwarp *c = &g->resident[b]->warps[k];
      for (uint32_t s = 0; s < c->n_splits; s++)
        if (lanes_elsewhere(c, &c->splits[s])) return true;
    }
  return false;
}

// Replaces the usual advice, which is about blocks that have not started.
static const char *advice(const sl_grid *g, const sl_lacks *c) {
  if (c->host)
    return "If the host is to write it while the kernel runs: the simulated GPU shows a kernel what the host "
           "had written before the launch. Write it before, or end the kernel there and launch the rest as "
           "another (docs/reference/limits.md)";
  if (c->registers)
    return "Look at the condition of the loop: nothing in it changes. Read a flag anew each time (volatile "
           "or an atomic: the compiler reads a plain one once), and let each step change something (0 * 2 is "
           "0)";
  if (c->memory && g->started == g->n_blocks)
    return "All blocks have started, so look for the thread that should write it: it has ended, skips the "
           "store, waits here itself, or writes another element or value";
  return NULL;
}

// A right program may wait for the host so.
static void tell_host(sl_finding *f) {
  snprintf(f->why, sizeof f->why,
           "No thread of the kernel ends the wait. On hardware the host may, as it shares this memory; here "
           "it cannot, and that is a limit of the simulated GPU");
}

// Have blocks ended until shortly before? Blocks of a loop that never ends take all the time that is left.
static bool comes_forward(const sl_grid *g) {
  return g->finished && 4 * (g->instructions - g->ended_at) < g->instructions;
}

static void tell_long(sl_finding *f) {
  snprintf(f->why, sizeof f->why,
           "Blocks ended until the kernel was stopped: it comes forward, and is only long");
  snprintf(
      f->advice, sizeof f->advice,
      "Give it more time (--timeout) or less to do. If it should be short, look at the number of blocks and "
      "at how often each goes round its loops");
}

// All who wait are at barriers with a number of their own.
static void tell_named(sl_finding *f) {
  snprintf(f->why, sizeof f->why,
           "A barrier with a number opens when as many threads have arrived as its instructions say, by "
           "bar.sync and bar.arrive together. A warp that arrives twice is counted twice");
  snprintf(
      f->advice, sizeof f->advice,
      "Count the arrivals of each round: nobody may arrive for the next round before this one has opened");
}

void sl__report_stuck(sl_grid *g, sl_launch_status st) {
  sl_finding f = {.count = 1, .cause = cause_of(g, st)};
  sl_report r = {.f = &f};
  sl__finding_launch(&f, g);
  headline(g, st, f.cause, f.what, sizeof f.what);
  sl_append(f.account, sizeof f.account, "", "%s.", f.what);
  add_places(g, &r, false);
  add_places(g, &r, true);
  if (r.more)
    sl_append(f.details, sizeof f.details, "", "stuck %u more at the same place%s\n", r.more,
              sl_plural(r.places));
  snprintf(f.me.role, sizeof f.me.role, "waits");
  snprintf(f.other.role, sizeof f.other.role, "waits");
  bool divergent = st == SL_LAUNCH_DEADLOCK && r.barriers == r.places && r.places > 0;
  f.id = divergent                                          ? SL_FOUND_BARRIER_DIVERGENT
         : st == SL_LAUNCH_DEADLOCK && mask_names_absent(g) ? SL_FOUND_BARRIER_MASK
         : st == SL_LAUNCH_DEADLOCK                         ? SL_FOUND_PROGRESS_DEADLOCK
                                                            : SL_FOUND_PROGRESS_TIMEOUT;
  if (f.id == SL_FOUND_PROGRESS_DEADLOCK && g->n_blocks == 1)
    snprintf(f.advice, sizeof f.advice,
             "Look at the condition that ends the loop: neither the loop nor another thread of the block "
             "changes it");
  if (f.id == SL_FOUND_BARRIER_MASK)
    sl_append(f.account, sizeof f.account, " ",
              "The member mask names lanes that never get there. Let them get there, too, or leave them out "
              "of the mask");
  if (divergent && r.named == r.places) tell_named(&f);
  if (f.id == SL_FOUND_PROGRESS_DEADLOCK && r.cause.host) tell_host(&f);
  if (f.id == SL_FOUND_PROGRESS_TIMEOUT && f.cause == SL_CAUSE_NOTHING && comes_forward(g)) tell_long(&f);
  const char *own = f.id == SL_FOUND_PROGRESS_DEADLOCK ? advice(g, &r.cause) : NULL;
  if (own) snprintf(f.advice, sizeof f.advice, "%s", own);
  sl_gpu_add_finding(g->gpu, &f);
  g->status = st;
  sl_fail(g->err, SL_EXIT_FAILED, NULL, "%s: %s", sl_found_name(f.id), f.account);
}
