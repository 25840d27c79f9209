// What is recorded of a launch: counters of every source line add up to those of the launch, which were
// measured with Nsight Compute on an H200 (one block, n = 1024 floats), and every written value knows the
// reads it came from.
#include "engine/tests/rig.h"

#include "observers/observe.h"
#include "observers/recorded.h"

enum { N = 1024 };

static rig run(const char *kernel, uint32_t threads, uint32_t words, uint32_t record) {
  float in[N];
  for (int i = 0; i < N; i++) in[i] = (float)(i % 7) - 3;
  sl_gpu_config cfg = sl_gpu_defaults();
  cfg.record = record;
  rig r = rig_open(&cfg);
  sl_observe(r.gpu);
  in_out_arrays p = {rig_array(&r, sizeof in, in), rig_array(&r, sizeof in, NULL), N};
  assert_true(sl_gpu_share(r.gpu, p.in, 99, NULL)); // as the judge's input
  rig_run_ok(&r, (rig_launch){.kernel = kernel, .grid = 1, .block = threads, .shared = words * 4}, &p);
  return r;
}

static uint64_t total(const sl_recorded *rec, sl_line_counter k) {
  uint64_t sum = 0;
  for (size_t l = 0; l < rec->n_lines; l++) sum += rec->lines[l].c[k];
  return sum;
}

static uint64_t worst(const sl_recorded *rec, sl_line_counter k) {
  uint64_t w = 0;
  for (size_t l = 0; l < rec->n_lines; l++)
    if (rec->lines[l].c[k] > w) w = rec->lines[l].c[k];
  return w;
}

TEST(sums) {
  static const struct {
    const char *kernel;
    uint32_t threads, words;
    uint64_t adds, ld_replays, st_replays, ld_waves, st_waves, degree, ld_sectors, st_sectors;
  } rows[] = {{"blelloch_0", 512, 1024, 2046, 775, 465, 987, 606, 32, 128, 128},
              {"blelloch_5", 512, 1100, 2046, 0, 0, 212, 141, 1, 128, 128},
              {"blelloch_4", 512, 1100, 2046, 197, 131, 409, 272, 2, 128, 128},
              {"blelloch_6", 512, 1100, 2046, 155, 93, 367, 234, 2, 128, 128},
              {"hillis_steele", 1024, 2048, 9217, 0, 0, 641, 352, 1, 159, 128}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    RIG r = run(rows[k].kernel, rows[k].threads, rows[k].words, SL_RECORD_LINES);
    const sl_recorded *rec;
    assert_int_equal(sl_gpu_recorded(r.gpu, &rec), 1);
    assert_int_equal(total(rec, SL_LN_adds_float), rows[k].adds);
    assert_int_equal(total(rec, SL_LN_shared_ld_replays), rows[k].ld_replays);
    assert_int_equal(total(rec, SL_LN_shared_st_replays), rows[k].st_replays);
    assert_int_equal(total(rec, SL_LN_shared_ld_wavefronts), rows[k].ld_waves);
    assert_int_equal(total(rec, SL_LN_shared_st_wavefronts), rows[k].st_waves);
    assert_int_equal(total(rec, SL_LN_global_ld_sectors), rows[k].ld_sectors);
    assert_int_equal(total(rec, SL_LN_global_st_sectors), rows[k].st_sectors);
    assert_int_equal(worst(rec, SL_LN_shared_degree), rows[k].degree);
    assert_int_equal(total(rec, SL_LN_barriers), r.counters.barriers);
    assert_int_equal(total(rec, SL_LN_warp_instructions), r.counters.warp_instructions);
    assert_int_equal(total(rec, SL_LN_thread_instructions), r.counters.thread_instructions);
    assert_int_equal(total(rec, SL_LN_adds_int), r.counters.adds_int);
  }
}

// A launch that is not recorded counts the same, and leaves nothing behind.
TEST(off) {
  const sl_recorded *rec;
  rig a = run("blelloch_0", 512, 1024, 0), b = run("blelloch_0", 512, 1024, SL_RECORD_ALL);
  assert_int_equal(b.counters.data_ops, 2046);     // its additions, and nothing else is done to data
  assert_int_equal(b.counters.busiest_thread, 20); // thread 0: ten levels up, ten down
  b.counters.data_ops = b.counters.busiest_thread = 0;
  assert_int_equal(sl_gpu_recorded(a.gpu, &rec), 0);
  assert_memory_equal(&a.counters, &b.counters, sizeof a.counters);
  sl_gpu_clear_recorded(b.gpu);
  assert_int_equal(sl_gpu_recorded(b.gpu, &rec), 0);
  rig_close(&a), rig_close(&b);
}

// What is data in one case of a session is none in the next.
TEST(data_are_forgotten_with_the_records) {
  const float in[N] = {0};
  const rig_launch scan = {.kernel = "blelloch_0", .grid = 1, .block = 512, .shared = 1024 * sizeof(float)};
  sl_gpu_config cfg = sl_gpu_defaults();
  cfg.record = SL_RECORD_DATA;
  RIG r = rig_open(&cfg);
  sl_observe(r.gpu);
  in_out_arrays of_data = {rig_array(&r, sizeof in, in), rig_array(&r, sizeof in, in), N};
  in_out_arrays of_its_result = {of_data.out, rig_array(&r, sizeof in, in), N};
  assert_true(sl_gpu_share(r.gpu, of_data.in, 99, NULL));
  rig_run_ok(&r, scan, &of_data);
  rig_run_ok(&r, scan, &of_its_result);
  assert_int_equal(r.counters.data_ops, 2045); // the result begins with a constant
  sl_gpu_clear_recorded(r.gpu);
  rig_run_ok(&r, scan, &of_its_result);
  assert_int_equal(r.counters.data_ops, 0);
}

static float as_float(uint64_t bits) {
  uint32_t b = (uint32_t)bits;
  float f;
  memcpy(&f, &b, sizeof f);
  return f;
}

// In this scan every value written to shared memory is that of its one source, or the sum of its two.
TEST(sources) {
  const sl_recorded *rec;
  rig r = run("hillis_steele", 1024, 2048, SL_RECORD_STEPS);
  assert_int_equal(sl_gpu_recorded(r.gpu, &rec), 1);
  assert_int_equal(rec->dropped, 0);
  size_t of_two = 0, barriers = 0;
  for (size_t k = 0; k < rec->n_events; k++) {
    const sl_event *e = &rec->events[k];
    barriers += e->kind == SL_EV_BARRIER;
    if (e->kind != SL_EV_WRITE || rec->arrays[e->array].space != SL_SP_SHARED) continue;
    float sum = 0;
    assert_true(e->n_from <= 2);
    for (uint32_t f = 0; f < e->n_from; f++) {
      assert_int_equal(rec->events[e->from[f]].kind, SL_EV_READ);
      assert_int_equal(rec->events[e->from[f]].thread, e->thread);
      sum += as_float(rec->events[e->from[f]].value);
    }
    assert_true(as_float(e->value) == sum);
    of_two += e->n_from == 2;
  }
  assert_int_equal(of_two, 9217);
  assert_int_equal(barriers, r.counters.barriers);
  rig_close(&r);
}

// An access outside of its array is an event without a value: its index counts from that array's start.
TEST(outside) {
  static const struct {
    const char *kernel;
    uint32_t grid, threads;
    int k;
    bool shared;
    size_t events;
    int64_t first;
    uint64_t size;
  } rows[] = {{"out_of_bounds", 5, 256, 1024, false, 1, 1024, 4096},
              {"before_the_start", 1, 32, 0, false, 3, -3, 4096},
              {"shared_out_of_bounds", 1, 64, 3, true, 3, 64, 256},
              {"shared_out_of_bounds", 1, 64, -1, true, 1, -1, 256}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_gpu_config cfg = sl_gpu_defaults();
    cfg.record = SL_RECORD_STEPS;
    RIG r = rig_open(&cfg);
    sl_observe(r.gpu);
    struct {
      uint64_t a;
      int k;
    } p = {rig_array(&r, 4096, NULL), rows[k].k};
    const rig_launch l = {.kernel = rows[k].kernel, .grid = rows[k].grid, .block = rows[k].threads};
    assert_int_equal(rig_run(&r, l, &p), SL_LAUNCH_FAULT);
    const sl_finding *f;
    assert_true(sl_gpu_findings(r.gpu, &f) > 0);
    const sl_recorded *rec;
    size_t n = 0;
    assert_int_equal(sl_gpu_recorded(r.gpu, &rec), 1);
    for (size_t e = 0; e < rec->n_events; e++) {
      const sl_event *v = &rec->events[e];
      if (!v->outside) continue;
      const sl_touched *t = &rec->arrays[v->array];
      if (!n++) assert_true((int64_t)v->value == rows[k].first && v->thread == f->thread[0]);
      assert_int_equal(v->found, SL_FOUND_MEMORY_BOUNDS);
      assert_int_equal(v->line, f->line);
      assert_int_equal(t->space, rows[k].shared ? SL_SP_SHARED : SL_SP_GLOBAL);
      assert_int_equal(t->size, rows[k].size);
    }
    assert_int_equal(n, rows[k].events);
  }
}
