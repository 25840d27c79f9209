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

// Rows, every second word and some lanes of each kind of memory; %1$s..%3$s: the spaces that loads and stores
// name, %4$s: makes generic addresses of those of variables.
static const char anywhere[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 k_out)\n{\n"
    ".reg .pred %%p<4>;\n.reg .b32 %%r<9>;\n.reg .b64 %%rd<9>;\n"
    ".shared .align 4 .b8 s[260];\n.local .align 4 .b8 l[16];\n"
    "ld.param.u64 %%rd1, [k_out];\nmov.u32 %%r1, %%tid.x;\nsetp.lt.u32 %%p1, %%r1, 13;\n"
    "mul.wide.u32 %%rd2, %%r1, 4;\nadd.s64 %%rd3, %%rd1, %%rd2;\nadd.s64 %%rd4, %%rd3, %%rd2;\n"
    "mov.u64 %%rd5, s;\nmov.u64 %%rd6, l;\n%4$sadd.s64 %%rd7, %%rd5, %%rd2;\nadd.s64 %%rd8, %%rd7, %%rd2;\n"
    "st%1$s.u32 [%%rd8], %%r1;\nld%1$s.u32 %%r2, [%%rd8];\n@%%p1 st%1$s.u32 [%%rd8+4], %%r2;\n"
    "@%%p1 ld%1$s.u32 %%r2, [%%rd8+4];\nst%1$s.u32 [%%rd7], %%r2;\nld%1$s.u32 %%r2, [%%rd7];\n"
    "st%2$s.u32 [%%rd6+4], %%r2;\n@%%p1 st%2$s.u32 [%%rd6], %%r2;\nld%2$s.u32 %%r3, [%%rd6+4];\n"
    "@%%p1 ld%2$s.u32 %%r3, [%%rd6];\nst%3$s.u32 [%%rd4], %%r3;\nld%3$s.u32 %%r4, [%%rd4];\n"
    "@%%p1 st%3$s.u32 [%%rd4+4], %%r4;\n@%%p1 ld%3$s.u32 %%r4, [%%rd4+4];\n"
    "st%3$s.u32 [%%rd3+256], %%r4;\nld%3$s.u32 %%r4, [%%rd3+256];\nst%3$s.u32 [%%rd3+384], %%r4;\nret;\n}\n";

static rig run_text(const char *text, uint32_t out[128]) {
  rig r = rig_open_text(text);
  if (!r.m) fail_msg("%s", r.e.text);
  out_array p = {rig_array(&r, 512, NULL)};
  rig_run_ok(&r, (rig_launch){.kernel = "k", .grid = 1, .block = 32}, &p);
  memcpy(out, rig_at(&r, p.out, 512), 512);
  return r;
}

TEST(generic_addresses_count_as_those_of_their_memory) {
  static const char generic[] = "cvta.shared.u64 %rd5, %rd5;\ncvta.local.u64 %rd6, %rd6;\n";
  char named[4096], any[4096];
  uint32_t want[128], got[128];
  snprintf(named, sizeof named, anywhere, ".shared", ".local", ".global", "");
  snprintf(any, sizeof any, anywhere, "", "", "", generic);
  RIG a = run_text(named, want), b = run_text(any, got);
  const sl_counters *x = &a.counters, *y = &b.counters;
  for (uint32_t t = 0; t < 32; t++) assert_int_equal(want[96 + t], t);
  assert_memory_equal(got, want, sizeof got);
  assert_int_equal(x->shared_st_replays, 1);
  const uint64_t rows[][2] = {
      {x->shared_ld_requests, y->shared_ld_requests}, {x->shared_st_requests, y->shared_st_requests},
      {x->shared_ld_replays, y->shared_ld_replays},   {x->shared_st_replays, y->shared_st_replays},
      {x->global_ld_requests, y->global_ld_requests}, {x->global_st_requests, y->global_st_requests},
      {x->global_ld_sectors, y->global_ld_sectors},   {x->global_st_sectors, y->global_st_sectors},
      {x->global_ld_bytes, y->global_ld_bytes},       {x->global_st_bytes, y->global_st_bytes}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) assert_int_equal(rows[k][0], rows[k][1]);
}

// Every second lane reads and writes shared memory, the others global memory.
TEST(generic_addresses_of_two_memories_are_two_requests) {
  uint32_t out[128];
  RIG r = run_text(".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 k_out)\n{\n"
                   ".reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<7>;\n.shared .align 4 .b8 s[128];\n"
                   "ld.param.u64 %rd1, [k_out];\nmov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 1;\n"
                   "setp.ne.s32 %p1, %r2, 0;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                   "mov.u64 %rd4, s;\ncvta.shared.u64 %rd4, %rd4;\nadd.s64 %rd5, %rd4, %rd2;\n"
                   "selp.b64 %rd6, %rd5, %rd3, %p1;\nst.u32 [%rd6], %r1;\nld.u32 %r3, [%rd6];\n"
                   "st.global.u32 [%rd3+256], %r3;\nret;\n}\n",
                   out);
  for (uint32_t t = 0; t < 32; t++) assert_int_equal(out[t], t % 2 ? 0 : t), assert_int_equal(out[64 + t], t);
  assert_int_equal(r.counters.shared_ld_requests, 1);
  assert_int_equal(r.counters.shared_st_requests, 1);
  assert_int_equal(r.counters.global_ld_requests, 1);
  assert_int_equal(r.counters.global_st_requests, 2);
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
