// Weak store visibility (--visibility weak): what a block may see of other blocks' stores, and when.
//
// Global memory is the coherence point. A plain store goes to the store buffer of its block: the block sees
// it at once, others when the line leaves the buffer. Lines leave in any order, at any time, and at the
// latest when a warp that knows of them executes a fence or a release. When a word changes in memory, its old
// value is kept: a plain load of another block may still get that, until its block has executed a fence or an
// acquire after the change. Strong loads and atomics (volatile, relaxed, ..) act on memory at once; what the
// buffer holds of their own bytes leaves it before. Strong stores may be late as well; one with release only
// leaves behind what it publishes. So a thread may load a word before its own store to another is seen, as
// no fence.sc lies between them. All dice come from the seed.
//
// Every word keeps one old value, the last one. The choice between old and new is fixed for a block and a
// change, so a block never sees a location go backwards.
#include "engine/weak.h"

enum { WORDS = SL_LINE / 4, WAYS = 4, SETS = 64, PAST = 4096, ORPHANS = 4096 };

// A line with stores that others do not see yet.
typedef struct sl_weak_line {
  uint64_t at;
  uint32_t mask;  // bytes that were stored; 0: unused
  uint32_t warps; // warps whose fence makes it visible: they stored or saw it. In a later phase: all
  uint32_t phase;
  uint8_t bytes[SL_LINE];
} sl_weak_line;

struct sl_weak_block {
  uint64_t horizon; // changes up to here are known to the block
  uint32_t used;
  bool passed; // a strong load has passed a store of the block since it was last asked
  sl_weak_line line[SETS][WAYS];
};

// The last change of each word of a line.
typedef struct sl_weak_past {
  uint64_t at, time[WORDS];
  uint32_t writer[WORDS], old[WORDS];
} sl_weak_past;

// A line whose block has ended.
typedef struct sl_orphan {
  sl_weak_line line;
  uint64_t block;
} sl_orphan;

struct sl_weak {
  uint64_t time, dice; // time: changes of memory so far, in this launch and those before it
  uint64_t began;      // time when the launch began
  uint64_t visible;    // time when everything became visible: old values from before count no more
  bool changed;        // since then
  uint32_t n_orphans;
  sl_orphan orphan[ORPHANS];
  sl_weak_past past[PAST];
};

static uint64_t hash_line(uint64_t line) { return sl__mix(line * 0x9e3779b97f4a7c15ull) >> 20; }

// Memory changes --------------------------------------------------------------------------------------------

void sl__weak_changed(sl_grid *g, uint64_t block, uint64_t a, const void *old, uint32_t bytes) {
  sl_weak *k = g->weak;
  uint64_t at = a & ~(uint64_t)(SL_LINE - 1);
  uint32_t first = (uint32_t)(a - at) / 4, last = (uint32_t)(a - at + bytes - 1) / 4;
  uint8_t before[SL_LINE];
  sl_weak_past *p = &k->past[hash_line(at) % PAST];
  if (p->at != at) *p = (sl_weak_past){.at = at};
  memcpy(before, sl__host(&g->gpu->mem, at), SL_LINE);
  memcpy(before + (a - at), old, bytes);
  k->time++;
  k->changed = true;
  for (uint32_t i = first; i <= last; i++) {
    memcpy(&p->old[i], before + 4 * i, 4);
    p->time[i] = k->time;
    p->writer[i] = (uint32_t)block;
  }
}

static void store_bytes(sl_grid *g, uint64_t block, const sl_weak_line *n, uint32_t from, uint32_t bytes) {
  uint8_t *to = sl__host(&g->gpu->mem, n->at) + from, old[SL_LINE];
  if (memcmp(to, n->bytes + from, bytes) == 0) return;
  memcpy(old, to, bytes);
  memcpy(to, n->bytes + from, bytes);
  sl__weak_changed(g, block, n->at + from, old, bytes);
}

// Makes the line visible to all.
static void drain(sl_grid *g, uint64_t block, sl_weak_line *n) {
  for (uint32_t m = n->mask; m;) {
    uint32_t from = (uint32_t)__builtin_ctz(m), rest = ~(m >> from),
             len = rest ? (uint32_t)__builtin_ctz(rest) : 32;
    store_bytes(g, block, n, from, len);
    m = from + len < 32 ? m & ~0u << (from + len) : 0;
  }
  n->mask = 0;
  g->writes++;
}

static void drain_of(sl_block *b, sl_weak_line *n) {
  drain(b->grid, b->linear, n);
  b->weak->used--;
}

// The buffer of a block -------------------------------------------------------------------------------------

// The bytes [a, a+bytes) as bits of their line.
static uint32_t bits_of(uint64_t at, uint64_t a, uint32_t bytes) {
  return (bytes == 32 ? ~0u : (1u << bytes) - 1) << (a - at);
}

static sl_weak_line *find_late_line(sl_block *b, uint64_t at) {
  sl_weak_line *set = b->weak->line[hash_line(at) % SETS];
  for (uint32_t k = 0; b->weak->used && k < WAYS; k++)
    if (set[k].mask && set[k].at == at) return &set[k];
  return NULL;
}

static sl_weak_line *find_or_make(sl_block *b, uint64_t at) {
  sl_weak_line *n = find_late_line(b, at), *set = b->weak->line[hash_line(at) % SETS];
  for (uint32_t k = 0; !n && k < WAYS; k++)
    if (!set[k].mask) n = &set[k];
  if (!n) drain_of(b, n = &set[sl__roll(&b->grid->weak->dice, WAYS)]);
  if (!n->mask) *n = (sl_weak_line){.at = at, .phase = b->phase}, b->weak->used++;
  return n;
}

// After a barrier all warps of the block know of it.
static uint32_t known_to(const sl_block *b, const sl_weak_line *n) {
  return n->phase < b->phase ? ~0u : n->warps;
}

static void known_by(sl_block *b, sl_weak_line *n, uint32_t warps) {
  n->warps = known_to(b, n) | warps;
  n->phase = b->phase;
}

static void drain_any(sl_block *b) {
  sl_weak *k = b->grid->weak;
  if (!b->weak->used) return;
  uint32_t at = sl__roll(&k->dice, SETS * WAYS);
  for (uint32_t j = 0; j < SETS * WAYS; j++, at = (at + 1) % (SETS * WAYS)) {
    sl_weak_line *n = &b->weak->line[at / WAYS][at % WAYS];
    if (!n->mask) continue;
    drain_of(b, n);
    return;
  }
}

void sl__weak_store(sl_warp *w, uint64_t a, const void *value, uint32_t bytes) {
  sl_block *b = w->block;
  uint64_t at = a & ~(uint64_t)(SL_LINE - 1);
  uint32_t from = (uint32_t)(a - at);
  sl_weak_line *n = find_or_make(b, at);
  memcpy(n->bytes + from, value, bytes);
  n->mask |= bits_of(at, a, bytes);
  known_by(b, n, 1u << w->id);
  if (sl__roll(&b->grid->weak->dice, 64) == 0) drain_any(b);
}

static void settle_line(sl_block *b, uint64_t at, uint32_t bytes_of_it) {
  sl_weak_past *p = &b->grid->weak->past[hash_line(at) % PAST];
  sl_weak_line *n = find_late_line(b, at);
  if (n && n->mask & bytes_of_it) drain_of(b, n);
  for (uint32_t i = 0; p->at == at && i < WORDS; i++)
    if (bytes_of_it >> 4 * i & 0xf) p->time[i] = 0;
}

void sl__weak_settle(sl_block *b, uint64_t a, uint64_t bytes) {
  for (const uint64_t end = a + bytes; a < end;) {
    const uint64_t at = a & ~(uint64_t)(SL_LINE - 1), next = end < at + SL_LINE ? end : at + SL_LINE;
    settle_line(b, at, bits_of(at, a, (uint32_t)(next - a)));
    a = next;
  }
}

void sl__weak_passes(sl_block *b) { b->weak->passed |= b->weak->used != 0; }

// Others should act now: what they load is older than what this block has stored.
bool sl__weak_passed(sl_block *b) {
  const bool passed = b->grid->weak && b->weak->passed;
  if (passed) b->weak->passed = false;
  return passed && sl__roll(&b->grid->weak->dice, 2);
}

// The choice between two values is fixed for a block: another load gets the same one.
static bool takes_old(const sl_block *b, const sl_weak_past *p, uint32_t word) {
  uint64_t who = (b->grid->gpu->cfg.seed * 0x2545f4914f6cdd1dull + b->linear) * 0x9e3779b97f4a7c15ull;
  return p->time[word] > b->weak->horizon && p->writer[word] != (uint32_t)b->linear &&
         sl__mix(who ^ p->at ^ (p->time[word] - b->grid->weak->began) << 40) & 1;
}

const uint8_t *sl__weak_load(sl_warp *w, uint64_t a, uint32_t bytes, uint8_t line[SL_LINE]) {
  sl_block *b = w->block;
  uint64_t at = a & ~(uint64_t)(SL_LINE - 1);
  uint32_t from = (uint32_t)(a - at);
  const sl_weak_past *p = &b->grid->weak->past[hash_line(at) % PAST];
  sl_weak_line *n = find_late_line(b, at);
  memcpy(line, sl__host(&b->grid->gpu->mem, at), SL_LINE);
  for (uint32_t i = from / 4; p->at == at && i <= (from + bytes - 1) / 4; i++)
    if (p->time[i] > b->grid->weak->visible && takes_old(b, p, i)) memcpy(line + 4 * i, &p->old[i], 4);
  if (n) {
    known_by(b, n, 1u << w->id);
    SL_FOR_LANES(l, n->mask) line[l] = n->bytes[l];
  }
  return line + from;
}

static bool holds(const sl_weak_line *n, uint64_t a, const void *value, uint32_t bytes) {
  const uint32_t want = bits_of(n->at, a, bytes);
  return (n->mask & want) == want && memcmp(n->bytes + (a - n->at), value, bytes) == 0;
}

bool sl__weak_will_be(sl_grid *g, uint64_t a, const void *value, uint32_t bytes) {
  uint64_t at = a & ~(uint64_t)(SL_LINE - 1);
  for (uint32_t k = 0; k < g->weak->n_orphans; k++)
    if (g->weak->orphan[k].line.at == at && holds(&g->weak->orphan[k].line, a, value, bytes)) return true;
  for (uint32_t k = 0; k < g->n_resident; k++) {
    const sl_weak_line *n = find_late_line(g->resident[k], at);
    if (n && holds(n, a, value, bytes)) return true;
  }
  return false;
}

// Order -----------------------------------------------------------------------------------------------------

void sl__weak_release(sl_warp *w, bool block_only) {
  sl_block *b = w->block;
  for (uint32_t k = 0; b->weak->used && k < SETS * WAYS; k++) {
    sl_weak_line *n = &b->weak->line[k / WAYS][k % WAYS];
    if (!n->mask || !(known_to(b, n) >> w->id & 1)) continue;
    if (block_only) n->warps = ~0u;
    else drain_of(b, n);
  }
}

void sl__weak_acquire(sl_warp *w) { w->block->weak->horizon = w->block->grid->weak->time; }

// Launches and blocks ---------------------------------------------------------------------------------------

void sl__weak_block(sl_block *b) {
  if (!b->grid->weak) return;
  if (!b->weak) b->weak = sl_must(calloc(1, sizeof *b->weak));
  b->weak->horizon = 0, b->weak->passed = false;
  sl__late_reset(b);
}

static void drain_orphan(sl_grid *g, uint32_t at) {
  sl_weak *k = g->weak;
  drain(g, k->orphan[at].block, &k->orphan[at].line);
  k->orphan[at] = k->orphan[--k->n_orphans];
}

// Called when a block has ended and its stores are still under way.
void sl__weak_block_end(sl_block *b) {
  sl_weak *k = b->grid->weak;
  for (uint32_t j = 0; k && b->weak->used && j < SETS * WAYS; j++) {
    sl_weak_line *n = &b->weak->line[j / WAYS][j % WAYS];
    if (!n->mask) continue;
    if (k->n_orphans == ORPHANS) drain_orphan(b->grid, sl__roll(&k->dice, ORPHANS));
    k->orphan[k->n_orphans++] = (sl_orphan){*n, b->linear};
    n->mask = 0;
    b->weak->used--;
  }
}

void sl__weak_turn(sl_grid *g) {
  sl_weak *k = g->weak;
  if (g->n_resident && sl__roll(&k->dice, 4) == 0) drain_any(g->resident[sl__roll(&k->dice, g->n_resident)]);
  if (k->n_orphans && sl__roll(&k->dice, 4) == 0) drain_orphan(g, sl__roll(&k->dice, k->n_orphans));
}

bool sl__weak_all(sl_grid *g) {
  sl_weak *k = g->weak;
  if (!k) return false;
  while (k->n_orphans) drain_orphan(g, k->n_orphans - 1);
  for (uint32_t r = 0; r < g->n_resident; r++)
    while (g->resident[r]->weak->used) drain_any(g->resident[r]);
  bool changed = k->changed;
  k->visible = k->time;
  k->changed = false;
  if (changed) g->writes++;
  return changed;
}

// What is kept of a launch would take longer to clear than a small launch takes.
void sl__weak_launch(sl_grid *g) {
  sl_weak **kept = &g->gpu->weak;
  g->weak = NULL;
  if (g->gpu->cfg.visibility != SL_VISIBILITY_WEAK) return;
  if (!*kept) *kept = sl_must(calloc(1, sizeof **kept));
  g->weak = *kept;
  g->weak->began = g->weak->visible = g->weak->time;
  g->weak->dice = sl__mix(g->gpu->cfg.seed + 0x5ca1ab1eull);
}

void sl__weak_launch_end(sl_grid *g) {
  sl__weak_all(g);
  g->weak = NULL;
}
