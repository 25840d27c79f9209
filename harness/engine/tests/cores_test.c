// A launch on several cores is one on one core, bit for bit: memory, counters, what is printed, findings,
// status. Kernels whose blocks depend on each other are found out and run in order. Kernels: cores.cu.
#include "engine/parallel.h"
#include "engine/probe.h"
#include "engine/tests/rig.h"

enum { BLOCKS = 256, THREADS = 128, N = BLOCKS * THREADS, OUT_BYTES = 16 * N };

typedef struct outcome {
  rig r;
  uint64_t out;
  bool shared, in_order; // workers took part; and were not to be trusted
} outcome;

static outcome run(const char *kernel, const sl_gpu_config *c) {
  static int in[N];
  for (int k = 0; k < N; k++) in[k] = k * 7919 % 10007;
  static const sl_probe LISTENER = {.name = "listener", .checks = SL_CHECK_ALL};
  static const sl_probe *const PROBES[] = {&LISTENER};
  outcome o = {.r = rig_open(c)};
  sl_gpu_probes(o.r.gpu, PROBES, 1);
  struct {
    uint64_t in, out, flags;
  } p = {rig_array(&o.r, sizeof in, in), rig_array(&o.r, OUT_BYTES, NULL), rig_array(&o.r, BLOCKS * 4, NULL)};
  o.out = p.out;
  if (!strcmp(kernel, "in_place")) p.in = p.out;
  rig_run(&o.r, (rig_launch){.kernel = kernel, .grid = BLOCKS, .block = THREADS}, &p);
  o.shared = o.r.gpu->team != NULL;
  o.in_order = sl_gpu_kernel(o.r.m, kernel)->in_order;
  return o;
}

static void same_findings(const outcome *a, const outcome *b) {
  const sl_finding *f, *g;
  size_t n = sl_gpu_findings(a->r.gpu, &f);
  assert_int_equal(n, sl_gpu_findings(b->r.gpu, &g));
  if (n) assert_memory_equal(f, g, n * sizeof *f);
}

static void same(outcome *a, outcome *b) {
  assert_int_equal(a->r.status, b->r.status);
  assert_string_equal(a->r.e.text, b->r.e.text);
  assert_memory_equal(&a->r.counters, &b->r.counters, sizeof a->r.counters);
  assert_string_equal(a->r.printed, b->r.printed);
  assert_memory_equal(rig_at(&a->r, a->out, OUT_BYTES), rig_at(&b->r, b->out, OUT_BYTES), OUT_BYTES);
  assert_true(a->r.gpu->clock == b->r.gpu->clock);
  same_findings(a, b);
}

typedef struct expected {
  const char *kernel;
  bool together; // on several cores; else they are tried and given up
} expected;

// In turn every worker has its part, so findings are the same. With threads a worker may have none.
static void compare_with(const expected *x, outcome *one, const sl_gpu_config *c) {
  outcome many = run(x->kernel, c);
  const char *what = !many.shared ? "none took part" : many.in_order ? "in order" : "not in order";
  bool known = many.in_order != x->together || (!c->cores_in_turn && !many.in_order);
  if (!many.shared || !known)
    fail_msg("%s on %u cores%s: %s", x->kernel, c->cores, c->cores_in_turn ? ", in turn" : "", what);
  same(one, &many);
  rig_close(&many.r);
}

static void compare(const expected *x, sl_gpu_config c) {
  c.cores = 1;
  outcome one = run(x->kernel, &c);
  assert_false(one.shared);
  for (c.cores = 2; c.cores <= 8; c.cores += c.cores - 1)
    for (int turn = 0; turn < 2; turn++) {
      c.cores_in_turn = turn;
      compare_with(x, &one, &c);
    }
  rig_close(&one.r);
}

static void compare_all(const expected *x, size_t n) {
  for (size_t k = 0; k < n; k++) compare(&x[k], sl_gpu_defaults());
}

TEST(independent) {
  static const expected X[] = {{"independent", true},      {"scatters", true},    {"in_place", true},
                               {"shared_atomics", true},   {"stale_local", true}, {"histogram", true},
                               {"histogram_guarded", true}};
  compare_all(X, sizeof X / sizeof *X);
}

TEST(dependent) {
  static const expected X[] = {{"most", false},     {"histogram_two", false}, {"sum_floats", false},
                               {"ticket", false},   {"clocks", false},        {"prints", false},
                               {"allocates", false}};
  compare_all(X, sizeof X / sizeof *X);
}

TEST(ends_early) {
  static const expected X[] = {{"out_of_bounds", false}, {"fails", false}, {"hangs", false}};
  compare_all(X, sizeof X / sizeof *X);
}

TEST(neighbours) {
  static const expected X[] = {{"chain", false}, {"looks_ahead", false}, {"same_word", false},
                               {"bytes", false}, {"waits", false},       {"histogram_read", false}};
  compare_all(X, sizeof X / sizeof *X);
}

TEST(pairs) {
  static const expected X[] = {{"write_read", false}, {"read_write", false},  {"write_write", false},
                               {"write_add", false},  {"read_add", false},    {"add_read", false},
                               {"add_write", false},  {"unlike_adds", false}, {"read_read", true},
                               {"add_add", true}};
  compare_all(X, sizeof X / sizeof *X);
}

TEST(schedules) {
  static const expected X = {"independent", true};
  static const struct {
    sl_order order;
    sl_warps warps;
    unsigned resident;
  } SCHEDULES[] = {{SL_ORDER_REVERSE, SL_WARPS_GREEDY, 0},
                   {SL_ORDER_RANDOM, SL_WARPS_ROUND_ROBIN, 3},
                   {SL_ORDER_RANDOM, SL_WARPS_RANDOM, 0},
                   {SL_ORDER_IN, SL_WARPS_ONE_AHEAD, 1}};
  for (size_t k = 0; k < sizeof SCHEDULES / sizeof *SCHEDULES; k++) {
    sl_gpu_config c = sl_gpu_defaults();
    c.order = SCHEDULES[k].order, c.warps = SCHEDULES[k].warps, c.resident = SCHEDULES[k].resident,
    c.seed = 5;
    compare(&X, c);
  }
}

static void one_core(const char *what, sl_gpu_config c, const char *kernel) {
  c.cores = 4;
  outcome o = run(kernel, &c);
  if (o.shared) fail_msg("%s: several cores took part", what);
  rig_close(&o.r);
}

TEST(not_shared) {
  sl_gpu_config c = sl_gpu_defaults();
  c.checks = SL_CHECK_ALL, one_core("checks", c, "independent");
  c = sl_gpu_defaults(), c.visibility = SL_VISIBILITY_WEAK, one_core("weak visibility", c, "independent");
  c = sl_gpu_defaults(), c.max_instructions = 1000000000,
  one_core("a limit of instructions", c, "independent");
}

// After it was found out once a kernel is not tried again; others of its module are.
TEST(again) {
  sl_gpu_config c = sl_gpu_defaults();
  c.cores = 4, c.counters = false;
  outcome o = run("sum_floats", &c);
  const uint32_t launches = o.r.gpu->team->undo.now;
  const uint64_t pages = o.r.gpu->team->undo.n_pages;
  struct {
    uint64_t in, out, flags;
  } p = {o.out, o.out, 0};
  rig_run_ok(&o.r, (rig_launch){.kernel = "sum_floats", .grid = BLOCKS, .block = THREADS}, &p);
  assert_int_equal(o.r.gpu->team->undo.now, launches);
  p.in = rig_array(&o.r, 64u << 20, NULL); // more memory than before
  rig_run_ok(&o.r, (rig_launch){.kernel = "independent", .grid = BLOCKS, .block = THREADS}, &p);
  assert_true(o.r.gpu->team->undo.n_pages > pages);
  assert_false(sl_gpu_kernel(o.r.m, "independent")->in_order);
  rig_close(&o.r);
}
