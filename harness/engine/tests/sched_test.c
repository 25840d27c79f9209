// Progress: lanes that wait for lanes of their own warp, blocks that wait for blocks in any start order,
// kernels that are stuck, equal runs for equal seeds.
#include "engine/tests/rig.h"

typedef struct flag_out {
  uint64_t flag, out;
} flag_out;

static sl_gpu_config config(sl_order order, uint64_t seed, unsigned resident) {
  sl_gpu_config c = sl_gpu_defaults();
  c.order = order, c.seed = seed, c.resident = resident;
  return c;
}

TEST(spin_in_warp) {
  RIG r = rig_open(NULL);
  flag_out p = {rig_array(&r, 4, NULL), rig_array(&r, 128, NULL)};
  rig_run_ok(&r, (rig_launch){.kernel = "spin_in_warp", .grid = 1, .block = 32}, &p);
  const int *out = rig_at(&r, p.out, 128);
  for (int t = 0; t < 32; t++) assert_int_equal(out[t], t < 31 ? 7 + t : -1);
}

TEST(lock_in_warp) {
  RIG r = rig_open(NULL);
  struct {
    uint64_t lock, counter;
  } p = {rig_array(&r, 4, NULL), rig_array(&r, 4, NULL)};
  rig_run_ok(&r, (rig_launch){.kernel = "lock_in_warp", .grid = 7, .block = 96}, &p);
  assert_int_equal(*(int *)rig_at(&r, p.counter, 4), 7 * 96);
}

enum { TILES = 150, TILE = 64, N = TILES * TILE - 5 };
typedef struct look_back {
  uint64_t in, out, state, sums, prefixes;
  int n, by_ticket;
} look_back;

static look_back look_back_arrays(rig *r, int by_ticket) {
  static int in[N];
  for (int i = 0; i < N; i++) in[i] = (i * 7919) % 101 - 40;
  look_back p = {rig_array(r, sizeof in, in),
                 rig_array(r, sizeof in, NULL),
                 rig_array(r, TILES * 4, NULL),
                 rig_array(r, TILES * 4, NULL),
                 rig_array(r, TILES * 4, NULL),
                 N,
                 by_ticket};
  return p;
}

static void check_look_back(rig *r, const look_back *p) {
  const int *in = rig_at(r, p->in, N * 4), *out = rig_at(r, p->out, N * 4);
  for (int i = 0, sum = 0; i < N; i++) {
    sum += in[i];
    assert_int_equal(out[i], sum);
  }
}

static void run_look_back(sl_gpu_config c, int by_ticket) {
  RIG r = rig_open(&c);
  look_back p = look_back_arrays(&r, by_ticket);
  rig_run_ok(&r, (rig_launch){.kernel = "look_back", .grid = TILES, .block = TILE}, &p);
  check_look_back(&r, &p);
}

TEST(look_back_in_any_order) {
  for (int order = SL_ORDER_IN; order <= SL_ORDER_RANDOM; order++)
    for (unsigned resident = 0; resident < 4; resident++)
      run_look_back(config((sl_order)order, 5 + resident, resident), 1);
  for (uint64_t seed = 1; seed < 5; seed++) run_look_back(config(SL_ORDER_RANDOM, seed, 0), 0);
  run_look_back(config(SL_ORDER_REVERSE, 1, 0), 0);
  run_look_back(config(SL_ORDER_IN, 1, 1), 0);
}

// By block index, started in reverse with room for three: the blocks that are waited for can never start.
TEST(look_back_deadlock) {
  sl_gpu_config c = config(SL_ORDER_REVERSE, 1, 3);
  RIG r = rig_open(&c);
  look_back p = look_back_arrays(&r, 0);
  assert_int_equal(rig_run(&r, (rig_launch){.kernel = "look_back", .grid = TILES, .block = TILE}, &p),
                   SL_LAUNCH_DEADLOCK);
  const sl_finding *f = rig_one_finding(&r, SL_FOUND_PROGRESS_DEADLOCK, "LINE_SPIN");
  char want[64];
  snprintf(want, sizeof want, "%d never started", TILES - 3);
  assert_non_null(strstr(f->account, want));
  assert_non_null(strstr(f->account, "waits at barrier 0, where 63 of 64 threads have arrived"));
}

TEST(waiting_for_later_blocks) {
  static const char *const KERNELS[] = {"wait_with_clock", "wait_with_sleep"};
  for (int k = 0; k < 2; k++) {
    sl_gpu_config c = config(SL_ORDER_IN, 1, 0);
    RIG r = rig_open(&c);
    flag_out p = {rig_array(&r, 4, NULL), rig_array(&r, 4, NULL)};
    rig_run_ok(&r, (rig_launch){.kernel = KERNELS[k], .grid = 2, .block = 32}, &p);
    assert_int_equal(*(int *)rig_at(&r, p.out, 4), 5 + k);
  }
}

static void stuck(const char *kernel, uint32_t block, sl_found id, const char *mark, const char *part) {
  RIG r = rig_open(NULL);
  const uint64_t p = rig_array(&r, 4, NULL);
  assert_int_equal(rig_run(&r, (rig_launch){.kernel = kernel, .grid = 2, .block = block}, &p),
                   SL_LAUNCH_DEADLOCK);
  const sl_finding *f = rig_one_finding(&r, id, mark);
  if (!strstr(f->account, part)) fail_msg("\"%s\" is not in: %s", part, f->account);
}

TEST(deadlocks) {
  stuck("wait_for_ever", 32, SL_FOUND_PROGRESS_DEADLOCK, "LINE_WAIT", "goes round a loop");
  stuck("half_at_barrier", 64, SL_FOUND_PROGRESS_DEADLOCK, NULL,
        "waits at barrier 0, where 32 of 64 threads have arrived");
  stuck("two_barriers", 64, SL_FOUND_BARRIER_DIVERGENT, "LINE_BAR1", "waits at barrier 2, where 32 of 64");
}

TEST(timeouts) {
  sl_gpu_config c = config(SL_ORDER_IN, 1, 0);
  c.max_instructions = 100000;
  rig r = rig_open(&c);
  flag_out p = {rig_array(&r, 4, NULL), rig_array(&r, 4, NULL)};
  assert_int_equal(rig_run(&r, (rig_launch){.kernel = "wait_with_clock", .grid = 1, .block = 32}, &p),
                   SL_LAUNCH_TIMEOUT);
  assert_non_null(strstr(rig_one_finding(&r, SL_FOUND_PROGRESS_TIMEOUT, NULL)->account, " instructions; "));
  rig_close(&r);
  c.max_instructions = 0, c.watchdog_seconds = 0.2;
  r = rig_open(&c);
  p.flag = rig_array(&r, 4, NULL), p.out = rig_array(&r, 4, NULL);
  assert_int_equal(rig_run(&r, (rig_launch){.kernel = "wait_with_clock", .grid = 1, .block = 32}, &p),
                   SL_LAUNCH_TIMEOUT);
  assert_non_null(strstr(rig_one_finding(&r, SL_FOUND_PROGRESS_TIMEOUT, NULL)->account, "no progress"));
  rig_close(&r);
}

// 2^31 - 1 blocks that do nothing would take hours.
TEST(idle_blocks_are_work) {
  sl_gpu_config c = config(SL_ORDER_IN, 1, 0);
  c.max_instructions = 1000000;
  RIG r = rig_open(&c);
  unsigned long long ended = 0;
  const rig_launch l = {.kernel = "idle", .grid = INT32_MAX, .block = 1024};
  assert_int_equal(rig_run(&r, l, NULL), SL_LAUNCH_TIMEOUT);
  const sl_finding *f = rig_one_finding(&r, SL_FOUND_PROGRESS_TIMEOUT, NULL);
  assert_int_equal(sscanf(f->account, "stopped after %*u instructions; %llu of", &ended), 1);
  assert_in_range(ended, 1, 2000);
}

// A kernel that is stopped is only long if blocks have ended all the time.
TEST(long_or_endless) {
  for (uint32_t endless = 0; endless < 2; endless++) {
    sl_gpu_config c = config(SL_ORDER_IN, 1, 4);
    c.max_instructions = 1000000;
    RIG r = rig_open(&c);
    struct {
      uint64_t out;
      uint32_t endless;
    } p = {rig_array(&r, 4, NULL), endless ? 199 : UINT32_MAX};
    const rig_launch l = {.kernel = "turn_some_times", .grid = endless ? 200 : 100000, .block = 32};
    assert_int_equal(rig_run(&r, l, &p), SL_LAUNCH_TIMEOUT);
    char why[300];
    sl_finding_why(rig_one_finding(&r, SL_FOUND_PROGRESS_TIMEOUT, NULL), why, sizeof why);
    assert_int_equal(strstr(why, "only long") != NULL, !endless);
  }
}

TEST(cancelled_before_it_starts) {
  RIG r = rig_open(NULL);
  static volatile const int too_many = SL_CANCEL_TOO_MANY;
  flag_out p = {rig_array(&r, 4, NULL), rig_array(&r, 4, NULL)};
  rig_launch l = {.kernel = "wait_with_clock", .grid = 1, .block = 32, .cancel = &too_many};
  assert_int_equal(rig_run(&r, l, &p), SL_LAUNCH_TIMEOUT);
  const sl_finding *f = rig_one_finding(&r, SL_FOUND_PROGRESS_TIMEOUT, NULL);
  assert_non_null(strstr(f->account, "again and again, as a loop that never ends; 0 of 1"));
  assert_string_equal(sl_trait_word(SL_TRAIT_CAUSE, f->cause), "launches");
}

// A print takes as long as thousands of instructions: who waits for the end does not wait for all of them.
TEST(cancelled_while_it_prints) {
  RIG r = rig_open(NULL);
  const int n = 20000;
  r.cancel_at_print = SL_CANCEL_TOO_MANY;
  rig_launch l = {.kernel = "prints_on", .grid = 1, .block = 32, .cancel = &r.cancel};
  assert_int_equal(rig_run(&r, l, &n), SL_LAUNCH_TIMEOUT);
  assert_in_range(r.prints, 1, 32 * 100);
}

TEST(grid_sync) {
  enum { B = 20, M = B * 64 };
  for (int order = SL_ORDER_IN; order <= SL_ORDER_RANDOM; order++) {
    sl_gpu_config c = config((sl_order)order, 3, 0);
    RIG r = rig_open(&c);
    int a[M];
    for (int i = 0; i < M; i++) a[i] = i;
    struct {
      uint64_t a, b;
      int n;
    } p = {rig_array(&r, sizeof a, a), rig_array(&r, sizeof a, NULL), M};
    rig_run_ok(&r, (rig_launch){.kernel = "grid_sync", .grid = B, .block = 64, .cooperative = true}, &p);
    const int *out = rig_at(&r, p.a, sizeof a);
    for (int i = 0; i < M; i++) assert_int_equal(out[i], (i + 10) % M + 10);
    assert_int_equal(
        rig_run(&r, (rig_launch){.kernel = "grid_sync", .grid = 10000, .block = 64, .cooperative = true}, &p),
        SL_LAUNCH_BAD_CONFIG);
  }
}

// Memory changes all the time, but nothing comes of it.
// Nearly every try is in vain, so what a block may do until others have a turn decides how long this takes.
TEST(strict_turns) {
  enum { BLOCKS = 64 };
  for (int k = 0; k < 6; k++) {
    sl_gpu_config c = config((sl_order)(k / 2), 3, 0);
    RIG r = rig_open(&c);
    struct {
      uint64_t lock, turn, out;
      int counted;
    } p = {rig_array(&r, 4, NULL), rig_array(&r, 4, NULL), rig_array(&r, 4 * BLOCKS, NULL), k % 2};
    rig_run_ok(&r, (rig_launch){.kernel = "strict_turns", .grid = BLOCKS, .block = 1}, &p);
    const int *out = rig_at(&r, p.out, 4 * BLOCKS);
    for (int b = 0; b < BLOCKS; b++) assert_int_equal(out[b], b + 1);
    assert_true(r.counters.warp_instructions < (k % 2 ? 100000000 : 2000000));
  }
}

TEST(busy_for_ever) {
  sl_gpu_config c = config(SL_ORDER_IN, 1, 0);
  c.watchdog_seconds = 0.1;
  RIG r = rig_open(&c);
  uint64_t n = rig_array(&r, 4, NULL);
  assert_int_equal(rig_run(&r, (rig_launch){.kernel = "count_for_ever", .grid = 1, .block = 32}, &n),
                   SL_LAUNCH_TIMEOUT);
  rig_one_finding(&r, SL_FOUND_PROGRESS_TIMEOUT, NULL);
}

TEST(early_exit) {
  RIG r = rig_open(NULL);
  out_array p = {rig_array(&r, 256, NULL)};
  rig_run_ok(&r, (rig_launch){.kernel = "early_exit_barrier", .grid = 1, .block = 64}, &p);
  const int *out = rig_at(&r, p.out, 256);
  for (int t = 0; t < 64; t++) assert_int_equal(out[t], t < 40 ? 5 : 0);
}

TEST(same_seed_same_run) {
  uint64_t instructions[3];
  for (int k = 0; k < 3; k++) {
    sl_gpu_config c = config(SL_ORDER_RANDOM, k == 2 ? 8 : 7, 4);
    rig r = rig_open(&c);
    look_back p = look_back_arrays(&r, 1);
    rig_run_ok(&r, (rig_launch){.kernel = "look_back", .grid = TILES, .block = TILE}, &p);
    instructions[k] = r.counters.warp_instructions;
    rig_close(&r);
  }
  assert_true(instructions[0] == instructions[1]);
  struct {
    uint64_t lock, counter;
  } p;
  for (int k = 0; k < 2; k++) {
    rig r = rig_open(NULL);
    p.lock = rig_array(&r, 4, NULL), p.counter = rig_array(&r, 4, NULL);
    rig_run_ok(&r, (rig_launch){.kernel = "lock_in_warp", .grid = 7, .block = 96}, &p);
    instructions[k] = r.counters.warp_instructions;
    rig_close(&r);
  }
  assert_true(instructions[0] == instructions[1]);
}

// The numbers that the lanes of one atomic draw, in each order of lanes: all different.
TEST(lanes_draw_in_order) {
  for (sl_lane_order order = SL_LANES_IN; order < SL_LANES_COUNT; order++) {
    sl_gpu_config c = config(SL_ORDER_IN, 5, 0);
    c.lanes = order;
    RIG r = rig_open(&c);
    struct {
      uint64_t counter, out;
    } p = {rig_array(&r, 4, (int[]){0}), rig_array(&r, 128, NULL)};
    rig_run_ok(&r, (rig_launch){.kernel = "lanes_draw", .grid = 1, .block = 32}, &p);
    const int *out = rig_at(&r, p.out, 128);
    unsigned drawn = 0, in_order = 0;
    for (int t = 0; t < 32; t++) drawn |= 1u << out[t], in_order += out[t] == t;
    assert_int_equal(drawn, UINT32_MAX);
    if (order == SL_LANES_IN) assert_int_equal(in_order, 32);
    if (order == SL_LANES_REVERSE) assert_int_equal(out[31], 0);
    if (order == SL_LANES_RANDOM) assert_true(in_order < 16 && out[31] != 0);
  }
}

// Blocks, or warps, that draw work from a counter share it: on a GPU they run side by side. They share it,
// too, when they read and change other words by atomics meanwhile.
TEST(drawn_work_is_shared) {
  enum { WORK = 160, BLOCKS = 8, WARPS_A_BLOCK = 2 };
  enum { BY_BLOCK, BY_WARP, WITH_OTHERS_BETWEEN, WAYS };
  for (int way = 0; way < WAYS; way++) {
    RIG r = rig_open(NULL);
    const uint64_t other = rig_array(&r, 32, (int[8]){0});
    struct {
      uint64_t next, taken;
      int n, by_warp;
      uint64_t between;
    } p = {rig_array(&r, 4, (int[]){0}), rig_array(&r, WORK * 4, NULL), WORK, way == BY_WARP,
           way == WITH_OTHERS_BETWEEN ? other : 0};
    rig_run_ok(&r, (rig_launch){.kernel = "draw_work", .grid = BLOCKS, .block = 32 * WARPS_A_BLOCK}, &p);
    const int *taken = rig_at(&r, p.taken, WORK * 4),
              takers = way == BY_WARP ? BLOCKS * WARPS_A_BLOCK : BLOCKS;
    int share[BLOCKS * WARPS_A_BLOCK] = {0};
    for (int i = 0; i < WORK; i++) share[taken[i]]++;
    for (int k = 0; k < takers; k++) assert_in_range(share[k], WORK / takers - 1, WORK / takers + 1);
  }
}
