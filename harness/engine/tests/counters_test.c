// Counters against Nsight Compute on a real GPU: one block, n = 1024 floats. Bank conflicts, executed
// additions and sectors of the four paddings of the Blelloch scan and of the double-buffered Hillis-Steele
// scan were measured on an H200; barriers and phases follow from the algorithm.
#include "engine/core.h"
#include "engine/tests/rig.h"

enum { N = 1024 };

static rig run(const char *kernel, uint32_t threads, uint32_t words) {
  float in[N];
  for (int i = 0; i < N; i++) in[i] = (float)(i % 7) - 3;
  rig r = rig_open(NULL);
  in_out_arrays p = {rig_array(&r, sizeof in, in), rig_array(&r, sizeof in, NULL), N};
  rig_run_ok(&r, (rig_launch){.kernel = kernel, .grid = 1, .block = threads, .shared = words * 4}, &p);
  const float *out = rig_at(&r, p.out, sizeof in);
  float sum = 0;
  for (int i = 0; i < N; i++) {
    assert_true(out[i] == sum);
    sum += in[i];
  }
  return r;
}

TEST(blelloch) {
  static const struct {
    const char *kernel;
    uint64_t ld, st;
  } CASES[] = {
      {"blelloch_0", 775, 465}, {"blelloch_5", 0, 0}, {"blelloch_4", 197, 131}, {"blelloch_6", 155, 93}};
  for (int k = 0; k < 4; k++) {
    RIG r = run(CASES[k].kernel, 512, 1100);
    const sl_counters *c = &r.counters;
    assert_int_equal(c->shared_ld_replays, CASES[k].ld);
    assert_int_equal(c->shared_st_replays, CASES[k].st);
    assert_int_equal(c->adds_float, 2 * (N - 1));
    assert_int_equal(c->global_ld_sectors, 128);
    assert_int_equal(c->global_st_sectors, 128);
    assert_int_equal(c->barriers, 21);
  }
}

TEST(phases) {
  static const uint64_t REPLAYS[10] = {16, 24, 28, 30, 31, 15, 7, 3, 1, 0};
  RIG r = run("blelloch_0", 512, 1024);
  uint64_t adds = 0, ld = 0, st = 0;
  for (uint32_t k = 0; k < r.counters.n_phases; k++)
    adds += r.counters.phases[k].adds_float, ld += r.counters.phases[k].shared_ld_replays,
        st += r.counters.phases[k].shared_st_replays;
  assert_int_equal(adds, r.counters.adds_float);
  assert_int_equal(ld, r.counters.shared_ld_replays);
  assert_int_equal(st, r.counters.shared_st_replays);
  for (int k = 0; k < 10;
       k++) { // phase 1 + k: up-sweep level k, after its barrier; phase 20 - k: the same level downwards
    assert_int_equal(r.counters.phases[1 + k].adds_float, 512 >> k);
    assert_int_equal(r.counters.phases[1 + k].shared_ld_replays, 2 * REPLAYS[k]);
    assert_int_equal(r.counters.phases[20 - k].adds_float, 512 >> k);
    assert_int_equal(r.counters.phases[20 - k].shared_st_replays, 2 * REPLAYS[k]);
  }
}

TEST(hillis_steele) {
  RIG r = run("hillis_steele", 1024, 2048);
  assert_int_equal(r.counters.adds_float, 9217);
  assert_int_equal(r.counters.shared_ld_replays, 0);
  assert_int_equal(r.counters.shared_st_replays, 0);
  assert_int_equal(r.counters.global_ld_sectors, 159);
  assert_int_equal(r.counters.global_st_sectors, 128);
  assert_int_equal(r.counters.barriers, 11);
}

// As the definition says it.
static uint32_t different_sectors(const uint64_t *addr, uint32_t mask) {
  uint32_t n = 0;
  for (uint32_t l = 0; l < SL_LANES; l++) {
    bool seen = !((mask >> l) & 1);
    for (uint32_t k = 0; k < l && !seen; k++) seen = ((mask >> k) & 1) && addr[k] / 32 == addr[l] / 32;
    n += !seen;
  }
  return n;
}

// Lanes in 1 to 5 places; a lane's step in its place is a word, 64 sectors less a word, or anything between.
TEST(sectors_of_lanes_in_several_places) {
  static const uint64_t steps[] = {4, 16, 32, 128, 2044, 2048};
  uint32_t random = 1, most = 0;
  uint64_t addr[SL_LANES];
  for (uint32_t round = 0; round < 3000; round++) {
    const uint32_t places = 1 + round % 5;
    for (uint32_t l = 0; l < SL_LANES; l++) {
      random = random * 1664525 + 1013904223;
      addr[l] = 0x700000000 + (random >> 16) % places * 0x100000 + l * steps[round % 6];
    }
    const uint32_t masks[] = {UINT32_MAX, random, random & random >> 7, 1u << random % 32, 0};
    for (uint32_t k = 0; k < 5; k++)
      assert_int_equal(sl__sectors(addr, masks[k]), different_sectors(addr, masks[k]));
    most = sl__sectors(addr, UINT32_MAX) > most ? sl__sectors(addr, UINT32_MAX) : most;
  }
  assert_int_equal(most, SL_LANES);
}

int main(void) { return RUN_TESTS(NULL, NULL); }
