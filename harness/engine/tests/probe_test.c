// Probes: a launch tells those who listen what it does, and whose launch it is not meets nothing of them. The
// figures are those of the launch's own counters.
#include "engine/probe.h"
#include "engine/tests/rig.h"

enum { N = 1024, BLOCKS = 3 };
enum { AT_EVENTS, AT_FIRST, AT_SECOND };

typedef struct heard {
  uint64_t launches, blocks, ended, freed, accesses, arrivals, opened, requests, instructions, inside;
} heard;

static heard *of(const sl_gpu *g) { return g->kept[AT_EVENTS]; }

// State of a launch and of a block is there, zeroed, and that of a block stays for the next one.
static void launch(sl_grid *g) {
  assert_int_equal(*(uint32_t *)g->kept[AT_EVENTS], 0);
  ++*(uint32_t *)g->kept[AT_EVENTS];
  of(g->gpu)->launches++;
}
static void block(sl_block *b) {
  assert_int_equal(*(uint64_t *)b->kept[AT_EVENTS] != 0, b->linear > 0);
  *(uint64_t *)b->kept[AT_EVENTS] = b->linear + 1;
  of(b->grid->gpu)->blocks++;
}
static void block_end(sl_block *b) { of(b->grid->gpu)->ended++; }
static void block_free(sl_block *b) { of(b->grid->gpu)->freed++; }

static void access_of(const sl_access *a) {
  of(a->w->grid->gpu)->accesses++;
  assert_int_equal(a->mask & ~a->w->mask, 0);
}
static void request(sl_warp *w, const uint64_t *addr) {
  heard *h = of(w->grid->gpu);
  assert_non_null(addr);
  assert_int_equal(++h->requests, h->accesses);
  sl__see_inner(w->grid);
}
static void arrive(sl_warp *w, const sl_arrive *a) {
  assert_true(a->waits && !a->id && !a->expected);
  of(w->grid->gpu)->arrivals++;
}
static void opened(sl_block *b, uint8_t id, uint32_t expected) {
  assert_int_equal(id + expected, 0);
  of(b->grid->gpu)->opened++;
}
static sl_step inside(sl_warp *w, const sl_xinsn *i, sl_op_fn rest) {
  of(w->grid->gpu)->inside++;
  return rest(w, i);
}

static uint64_t *seen_by(const sl_warp *w, int probe) { return w->grid->gpu->kept[probe]; }
static sl_step first_outer(sl_warp *w, const sl_xinsn *i, sl_op_fn rest) {
  ++*seen_by(w, AT_FIRST);
  assert_int_equal(*seen_by(w, AT_FIRST), *seen_by(w, AT_SECOND)); // the second one was called before
  return rest(w, i);
}
static sl_step second_outer(sl_warp *w, const sl_xinsn *i, sl_op_fn rest) {
  ++*seen_by(w, AT_SECOND);
  return rest(w, i);
}
static bool joins(const sl_grid *g) { return g->gpu->cfg.record; }

static const sl_probe EVENTS_PROBE = {.name = "events",
                                      .checks = SL_CHECK_RACE_SHARED,
                                      .kinds = SL_SEES_MEMORY,
                                      .gpu_bytes = sizeof(heard),
                                      .launch_bytes = 4,
                                      .block_bytes = 8,
                                      .launch = launch,
                                      .block = block,
                                      .block_end = block_end,
                                      .block_free = block_free,
                                      .access = access_of,
                                      .request = request,
                                      .arrive = arrive,
                                      .open = opened,
                                      .inner = inside};
static const sl_probe FIRST = {.name = "first", .joins = joins, .gpu_bytes = 8, .outer = first_outer};
static const sl_probe SECOND = {.name = "second", .joins = joins, .gpu_bytes = 8, .outer = second_outer};
static const sl_probe *const PROBES[] = {&EVENTS_PROBE, &FIRST, &SECOND};

static void run(rig *r, uint32_t checks, uint32_t record) {
  in_out_arrays p = {rig_array(r, N * 4, NULL), rig_array(r, N * 4, NULL), N};
  r->cfg.checks = checks, r->cfg.record = record;
  assert_true(sl_gpu_configure(r->gpu, &r->cfg, &r->e));
  rig_run_ok(r, (rig_launch){.kernel = "hillis_steele", .grid = BLOCKS, .block = N, .shared = 2 * N * 4}, &p);
}

static rig observed(void) {
  rig r = rig_open(NULL);
  sl_gpu_probes(r.gpu, PROBES, sizeof PROBES / sizeof *PROBES);
  return r;
}

TEST(events) {
  RIG r = observed();
  run(&r, SL_CHECK_RACE_SHARED, 0);
  const heard *h = of(r.gpu);
  const sl_counters *c = &r.counters;
  assert_int_equal(h->launches, 1);
  assert_int_equal(h->blocks, BLOCKS), assert_int_equal(h->ended, BLOCKS);
  assert_true(h->freed >= 1 && h->freed <= BLOCKS);
  assert_int_equal(h->accesses, c->shared_ld_requests + c->shared_st_requests + c->global_ld_requests +
                                    c->global_st_requests);
  assert_int_equal(h->opened, c->barriers), assert_int_equal(h->arrivals, c->barriers * N / SL_LANES);
  assert_true(h->inside > 0 && h->inside < c->warp_instructions);
  assert_int_equal(*(uint64_t *)r.gpu->kept[AT_FIRST], 0);
}

// The last of the table is the outermost; every instruction that is executed passes both.
TEST(layers) {
  RIG r = observed();
  run(&r, SL_CHECK_RACE_SHARED, 1);
  assert_int_equal(*(uint64_t *)r.gpu->kept[AT_FIRST], r.counters.warp_instructions);
  assert_int_equal(*(uint64_t *)r.gpu->kept[AT_SECOND], r.counters.warp_instructions);
}

// The code of a launch that nobody listens to is the engine's own, before and after others.
TEST(taken_out) {
  RIG r = observed();
  run(&r, 0, 0);
  uint64_t bytes = r.m->n_code * sizeof *r.m->code;
  SL_FREED sl_xinsn *code = malloc(bytes);
  assert_non_null(code);
  memcpy(code, r.m->code, bytes);
  assert_int_equal(of(r.gpu)->launches, 0);
  run(&r, SL_CHECK_RACE_SHARED, 1);
  assert_memory_not_equal(code, r.m->code, bytes);
  uint64_t accesses = of(r.gpu)->accesses;
  run(&r, SL_CHECK_MEMORY_UNINIT, 0);
  assert_memory_equal(code, r.m->code, bytes);
  assert_int_equal(of(r.gpu)->accesses, accesses);
}
