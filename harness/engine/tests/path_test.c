// The critical path of a launch: a chain of blocks takes the sum of its links, in whatever order the
// simulation runs the blocks; blocks that do not wait for each other take the time of one.
#include "engine/path.h"
#include "engine/tests/rig.h"

enum { WORDS = 4096 };

typedef struct params {
  uint64_t a, b;
} params;

// The path of [blocks] blocks of 64 threads. Both arguments are arrays of zeros.
static uint64_t path_by(const char *kernel, uint32_t blocks, sl_order order) {
  sl_gpu_config c = sl_gpu_defaults();
  c.order = order;
  RIG r = rig_open(&c);
  struct {
    uint64_t a, b, out;
  } p = {rig_array(&r, WORDS * 4, NULL), rig_array(&r, WORDS * 4, NULL), rig_array(&r, WORDS * 4, NULL)};
  if (!strcmp(kernel, "alone")) p.a = rig_array(&r, 64 * 4 * (size_t)blocks, NULL);
  if (!strcmp(kernel, "tally")) p.b = rig_array(&r, 64 * 4 * (size_t)blocks, NULL);
  rig_run_ok(&r, (rig_launch){.kernel = kernel, .grid = blocks, .block = 64}, &p);
  uint64_t path = r.counters.path;
  assert_int_equal(r.counters.blocks, blocks);
  return path;
}

static uint64_t path_of(const char *kernel, uint32_t blocks) { return path_by(kernel, blocks, SL_ORDER_IN); }

// Cycles that one more block adds.
static double link_of(const char *kernel, sl_order order) {
  return ((double)path_by(kernel, 96, order) - (double)path_by(kernel, 32, order)) / 64;
}

static void between(const char *what, double value, double least, double most) {
  if (value < least || value > most) fail_msg("%s: %g, expected %g to %g", what, value, least, most);
}

TEST(chains_cost_their_links) {
  static const struct {
    const char *kernel;
    double least, most; // cycles a link
  } CHAINS[] = {{"chain", MESSAGE, MESSAGE + 100},
                {"chain_fenced", 1540, 1900}, // an H200 takes 1842 (link_payload_own_words_64)
                {"chain_atomic", 2 * AT_L2, 4 * AT_L2 + 2 * STORE_FENCE},
                {"lock", MESSAGE + STORE_FENCE, MESSAGE + STORE_FENCE + 3 * AT_L2}};
  for (size_t k = 0; k < sizeof CHAINS / sizeof *CHAINS; k++)
    between(CHAINS[k].kernel, link_of(CHAINS[k].kernel, SL_ORDER_IN), CHAINS[k].least, CHAINS[k].most);
}

// Polling takes the time of the message, not that of the simulation's turns.
TEST(order_is_no_matter) {
  static const char *const CHAINS[] = {"chain", "chain_fenced"};
  static const sl_order ORDERS[] = {SL_ORDER_REVERSE, SL_ORDER_RANDOM};
  for (size_t k = 0; k < 2; k++)
    for (size_t o = 0; o < 2; o++) {
      double in = link_of(CHAINS[k], SL_ORDER_IN);
      between(CHAINS[k], link_of(CHAINS[k], ORDERS[o]), 0.9 * in, 1.2 * in);
    }
}

TEST(others_do_not) {
  static const char *const KERNELS[] = {"alone", "tally"};
  for (size_t k = 0; k < 2; k++) assert_int_equal(path_of(KERNELS[k], 96), path_of(KERNELS[k], 2));
  between("look_back", link_of("look_back", SL_ORDER_IN), 0, MESSAGE / 10);
}

// The last one reads a word of each block, so a block more costs a load; a chain would cost far more.
TEST(last_block_waits) { between("last_block", link_of("last_block", SL_ORDER_IN), 20, FROM_L2 + 40); }

static uint64_t path_with(const char *kernel, uint32_t grid, uint32_t block, uint64_t a, int n) {
  RIG r = rig_open(NULL);
  int next[WORDS];
  for (int k = 0; k < WORDS; k++) next[k] = (k + 1) % WORDS;
  in_out_arrays p = {rig_array(&r, sizeof next, next), rig_array(&r, 4, NULL), n};
  struct {
    uint64_t word;
    int n;
  } q = {rig_array(&r, 4, NULL), n};
  rig_run_ok(&r, (rig_launch){.kernel = kernel, .grid = grid, .block = block}, a ? (void *)&q : (void *)&p);
  uint64_t path = r.counters.path;
  return path;
}

TEST(barriers_of_the_grid) {
  double phase =
      ((double)path_with("grid_barrier", 16, 64, 1, 20) - (double)path_with("grid_barrier", 16, 64, 1, 4)) /
      16;
  between("a barrier of the grid", phase, MESSAGE + FENCE, 2 * (MESSAGE + STORE_FENCE) + AT_L2);
}

TEST(loads_overlap_unless_one_needs_the_other) {
  double chase = ((double)path_with("chase", 1, 1, 0, 1000) - (double)path_with("chase", 1, 1, 0, 200)) / 800;
  double sum = ((double)path_with("sum_up", 1, 1, 0, 1000) - (double)path_with("sum_up", 1, 1, 0, 200)) / 800;
  between("a load that needs the one before", chase, FROM_MEMORY, FROM_MEMORY + 40);
  between("a load of eight or more on their way together", sum, 4, FROM_MEMORY / 8 + 20);
}

static double barrier_of(uint32_t threads) {
  struct {
    int n;
  } p[2] = {{100}, {900}};
  double path[2];
  for (int k = 0; k < 2; k++) {
    RIG r = rig_open(NULL);
    rig_run_ok(&r, (rig_launch){.kernel = "barriers", .grid = 1, .block = threads}, &p[k]);
    path[k] = (double)r.counters.path;
  }
  return (path[1] - path[0]) / 800;
}

// An H200 takes 20.7 and 76.7 cycles (barrier_128, barrier_1024); the loop's own steps come on top here.
TEST(barriers_of_a_block) {
  between("a barrier of 4 warps", barrier_of(128), 20, 45);
  between("a barrier of 32 warps", barrier_of(1024), 76, 100);
}

static uint64_t sectors_loaded(const char *kernel, uint32_t blocks, sl_order order) {
  sl_gpu_config c = sl_gpu_defaults();
  c.order = order;
  RIG r = rig_open(&c);
  params p = {rig_array(&r, WORDS * 4, NULL), rig_array(&r, WORDS * 4, NULL)};
  rig_run_ok(&r, (rig_launch){.kernel = kernel, .grid = blocks, .block = 64}, &p);
  return r.counters.global_ld_sectors;
}

// How often a loop polls depends on the simulation; what it loads is counted as if it looked once.
TEST(polls_load_once) {
  const uint64_t once = sectors_loaded("chain", 32, SL_ORDER_IN);
  assert_int_equal(sectors_loaded("chain", 32, SL_ORDER_REVERSE), once);
  assert_int_equal(sectors_loaded("chain", 32, SL_ORDER_RANDOM), once);
}

// Steps with a barrier between them are no polls: each may read what another warp left in the same words.
TEST(steps_load_each_time) { assert_int_equal(sectors_loaded("letter_boxes", 1, SL_ORDER_IN), 100 * 2 * 4); }

// A wait that polling takes back is no wait: no block waits longer than it runs.
TEST(waits_are_counted_once) {
  static const char *const CHAINS[] = {"chain", "chain_fenced", "chain_atomic", "lock"};
  for (uint64_t seed = 1; seed <= 16; seed++) {
    sl_gpu_config c = sl_gpu_defaults();
    c.warps = SL_WARPS_RANDOM, c.visibility = SL_VISIBILITY_WEAK, c.seed = seed;
    RIG r = rig_open(&c);
    params p = {rig_array(&r, WORDS * 4, NULL), rig_array(&r, WORDS * 4, NULL)};
    rig_run_ok(&r, (rig_launch){.kernel = CHAINS[seed % 4], .grid = 32, .block = 64}, &p);
    assert_true(r.counters.block_cycles <= 32 * r.counters.path);
  }
}

static sl_counters counted(sl_counting what, const char *kernel) {
  sl_gpu_config c = sl_gpu_defaults();
  c.counters = what;
  RIG r = rig_open(&c);
  params p = {rig_array(&r, WORDS * 4, NULL), rig_array(&r, WORDS * 4, NULL)};
  rig_run_ok(&r, (rig_launch){.kernel = kernel, .grid = 8, .block = 64}, &p);
  return r.counters;
}

TEST(nothing_without_counters) {
  const sl_counters none = counted(SL_COUNT_NOTHING, "chain");
  assert_int_equal(none.path + none.longest_warp + none.global_st_sectors + none.global_ld_sectors, 0);
}

// What tells that a kernel does the work is the same; what only bounds and the model need is not there.
TEST(counting_the_work_alone) {
  static const char *const kernels[] = {"chain", "chain_atomic"};
  for (size_t k = 0; k < 2; k++) {
    const sl_counters all = counted(SL_COUNT_ALL, kernels[k]), work = counted(SL_COUNT_WORK, kernels[k]);
    assert_true(all.path > 0 && all.longest_warp > 0);
    assert_true((k ? all.global_atomic_sectors : all.global_st_sectors * all.global_ld_sectors) > 0);
    assert_int_equal(work.thread_instructions, all.thread_instructions);
    assert_int_equal(work.longest_warp, all.longest_warp);
    assert_int_equal(work.global_st_sectors, all.global_st_sectors);
    assert_int_equal(work.global_atomic_sectors, all.global_atomic_sectors);
    assert_int_equal(work.path + work.global_ld_sectors + work.block_cycles, 0);
  }
}
