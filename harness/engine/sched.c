// Which block runs. Blocks start in the order asked for. A block runs until it ends, waits or has used its
// share; then another one has its turn. A block that waits for a change of memory runs again when memory has
// changed. If all resident blocks wait and nothing can change any more, the kernel is stuck.
//
// Where blocks lose turns anywhere (interleave.c), one of them may be held up: it gets no turn while others
// can go on. So all those that wait for it, and for each other behind it, come as far as they can before it
// says anything. A block that waits for it in a loop that counts its turns, to give up at some number, can go
// on until that number: while nobody writes, it stays held up as long as the device has PATIENCE left.
#include "engine/core.h"

// Backward branches for each warp of a block. Shares of 32 slow long loops by a tenth, these by nothing.
#define LEAST_SHARE 128
// A block that has only looked in its last turn has a share of this part: if many wait, in loops that do not
// look like it, the one that can go on has its turn the sooner.
#define PART_IN_VAIN 8
#define FEW 4 // so many blocks are started even if the others can go on
// One of so many blocks that lose a turn is held up, until others have had SPANS times this many turns for
// each resident block, and longer while they write nothing. HASTY_SPANS: the device has no patience left.
enum { HELD_OF = 16, SPAN = 16, SPANS = 12, HASTY_SPANS = 4 };
#define PATIENCE 10000000 // instructions, in all launches together: a million turns of a usual loop

uint64_t sl__mix(uint64_t x) {
  x ^= x >> 31, x *= 0x7fb5d329728ea185ull;
  x ^= x >> 27, x *= 0x81dadef4bc2dd44dull;
  return x ^ x >> 33;
}

// A permutation of [0, n) without a table: four Feistel rounds over the next power of 4, walked into range.
static uint64_t shuffle(uint64_t k, uint64_t n, uint64_t seed) {
  unsigned half = 1;
  while (half < 31 && (1ull << 2 * half) < n) half++;
  uint64_t low = (1ull << half) - 1;
  do {
    uint64_t l = k >> half, r = k & low;
    for (uint64_t round = 0; round < 4; round++) {
      uint64_t t = l ^ (sl__mix(r + (seed + round) * 0x9e3779b97f4a7c15ull) & low);
      l = r, r = t;
    }
    k = l << half | r;
  } while (k >= n);
  return k;
}

uint64_t sl__block_at(const sl_grid *g, uint64_t k) {
  const sl_gpu_config *c = &g->gpu->cfg;
  if (c->order == SL_ORDER_REVERSE) return g->n_blocks - 1 - k;
  return c->order == SL_ORDER_RANDOM ? shuffle(k, g->n_blocks, c->seed) : k;
}

static bool add_resident(sl_grid *g, sl_block *b) {
  if (!SL_ROOM(g->resident, g->n_resident)) return false;
  g->resident[g->n_resident++] = b;
  return true;
}

static sl_block *start_block(sl_grid *g) {
  if (g->started == g->n_blocks) return NULL;
  sl_block *b = sl__block_get(g, sl__block_at(g, g->started));
  if (!b || !add_resident(g, b)) {
    sl_fail(g->err, SL_EXIT_INFRA, NULL, "out of host memory: %u blocks resident", g->n_resident);
    g->status = SL_LAUNCH_ILLEGAL;
    return NULL;
  }
  g->started++;
  return b;
}

static void remove_resident(sl_grid *g, sl_block *b) {
  uint32_t k = 0;
  while (g->resident[k] != b) k++;
  memmove(g->resident + k, g->resident + k + 1, (g->n_resident - k - 1) * sizeof *g->resident);
  g->n_resident--;
  sl__block_put(g, b);
}

static bool is_patient(const sl_grid *g) { return g->gpu->waited_in_vain < PATIENCE; }

// Lets it be held up for a span more, if the others have written nothing in this one: they wait for it, and
// some by loops that do not look like it. As many others as these are started, to come as far as they can.
static bool hold_on(sl_grid *g) {
  if (g->writes != g->held_writes) return false;
  g->gpu->waited_in_vain += g->instructions - g->held_at;
  if (!is_patient(g)) return false;
  g->held_at = g->instructions;
  if (g->n_resident < g->limit && g->started < g->n_blocks) g->wanted = 2 * g->n_resident, g->held_spans = 0;
  return true;
}

static void begin_span(sl_grid *g) {
  g->held_until = g->lost + (uint64_t)SPAN * (g->n_resident + FEW);
  g->held_at = g->instructions, g->held_writes = g->writes;
}

// A block has lost its turn. Is it, or another one, to be held up from now on?
static void hold_up(sl_grid *g, sl_block *b) {
  g->lost++;
  if (!g->held && sl__mix(g->lost + (g->gpu->cfg.seed + 99) * 0x9e3779b97f4a7c15ull) % HELD_OF == 0) {
    g->held = b, g->held_spans = 0, g->wanted = FEW;
    begin_span(g);
  } else if (g->held && g->lost > g->held_until) {
    if (++g->held_spans < (is_patient(g) ? SPANS : HASTY_SPANS) || hold_on(g)) begin_span(g);
    else g->held = NULL;
  }
}

static sl_block *let_go(sl_grid *g) {
  sl_block *b = g->held && sl__block_runnable(g->held) ? g->held : NULL;
  g->held = NULL;
  return b;
}

// The next resident block in turn that can run and is not held up.
static sl_block *next_resident(sl_grid *g) {
  for (uint32_t k = 0; k < g->n_resident; k++) {
    uint32_t at = (g->turn + k) % g->n_resident;
    if (g->resident[at] == g->held || !sl__block_runnable(g->resident[at])) continue;
    g->turn = at + 1;
    return g->resident[at];
  }
  return NULL;
}

// The block after one that waits or has used its time slice: a new one while there is room, else the next.
static sl_block *choose_block(sl_grid *g, bool waited) {
  sl_block *b = NULL;
  if (waited && g->n_resident < g->limit) b = start_block(g);
  if (!b) b = next_resident(g);
  if (!b && g->n_resident < g->limit) b = start_block(g);
  if (!b) b = let_go(g);
  if (!b && g->gpu->cfg.resident == 0) b = start_block(g);
  if (!b && sl__weak_all(g)) b = next_resident(g);
  return b;
}

// Shares get smaller as blocks use them up, down to a few branches for each warp: the blocks may be waiting
// for each other in loops that do not look like it. As blocks end, shares grow again.
static void adapt_share(sl_grid *g, const sl_block *b, sl_warp_run r) {
  const int64_t least = (int64_t)LEAST_SHARE * b->n_warps;
  if (r == SL_RUN_DONE) g->share = 2 * g->share < SL_BLOCK_BUDGET ? 2 * g->share : SL_BLOCK_BUDGET;
  if (r == SL_RUN_QUANTUM && g->share > least) g->share /= 2;
}

static sl_warp_run run_block(sl_grid *g, sl_block *b) {
  const uint64_t writes = g->writes;
  const int64_t share = g->share;
  if (b->in_vain && share > PART_IN_VAIN) g->share = share / PART_IN_VAIN;
  sl_warp_run r = sl__run_block(b);
  g->share = share;
  b->in_vain = r == SL_RUN_QUANTUM && g->writes == writes;
  if (r == SL_RUN_BLOCKED) b->blocked_at = g->writes + 1;
  return r;
}

sl_launch_status sl__run_grid(sl_grid *g) {
  if (!sl__watch(g, true)) return g->status; // it may be cancelled before it starts
  sl_block *b = choose_block(g, false);
  while (b && g->status == SL_LAUNCH_OK) {
    sl_warp_run r = run_block(g, b);
    if (r == SL_RUN_FAULT) break;
    adapt_share(g, b, r);
    if (r == SL_RUN_SLICE) hold_up(g, b);
    else if (r == SL_RUN_QUANTUM && g->held && !hold_on(g)) g->held = NULL;
    if (r == SL_RUN_DONE) {
      g->finished++, g->ended_at = g->instructions;
      g->turn = 0;
      remove_resident(g, b);
      if (g->cores > 1) sl__cores_share(g);
    }
    if (!sl__watch(g, r != SL_RUN_DONE)) break;
    if (g->weak) sl__weak_turn(g);
    // it lost its turn (interleave.c) and could go on
    b = choose_block(g, r == SL_RUN_SLICE ? g->n_resident < (g->held ? g->wanted : FEW) : r != SL_RUN_DONE);
  }
  if (g->status == SL_LAUNCH_OK && g->finished < g->n_blocks) sl__report_stuck(g, SL_LAUNCH_DEADLOCK);
  return g->status;
}
